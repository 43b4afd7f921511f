# ck_add_forwarding_library(<file name> <target>): a library with the given file name, in the folder
# hip beside the shared library <target>. It is empty, but needs <target> and defines the versions
# of its symbols (VERSION_SCRIPT), so that a program that loads it, or is linked to it, gets the
# functions of <target>. It replaces a link to <target> where there can be none, as in a wheel.
function(ck_add_forwarding_library file_name target)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${file_name}.c")
  file(CONFIGURE OUTPUT "${source}" CONTENT "extern int ckForwardingLibrary;\n")
  set(folder "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/hip")
  if(IS_SYMLINK "${folder}/${file_name}") # of a build that was configured with links
    file(REMOVE "${folder}/${file_name}")
  endif()
  set(name "forward-${file_name}")
  add_library(${name} SHARED "${source}")
  # Above the folder hip in a build tree, and two folders above ck-mlir/hip of an installation.
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX "" OUTPUT_NAME "${file_name}"
    LIBRARY_OUTPUT_DIRECTORY "${folder}" INSTALL_RPATH "$ORIGIN/../..")
  get_target_property(script ${target} CK_VERSION_SCRIPT)
  target_link_options(${name} PRIVATE "LINKER:--no-as-needed,--version-script=${script}")
  target_link_libraries(${name} PRIVATE ${target})
endfunction()
