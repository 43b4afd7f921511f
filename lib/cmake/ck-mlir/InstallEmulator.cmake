# The component `emulator` of Install.cmake, and all that lib/Emulator installs where it is
# configured alone.
include(CMakePackageConfigHelpers)

file(RELATIVE_PATH lib_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")

install(TARGETS ck_hip_emulator ck_hsa_emulator ck_emulator_timing EXPORT CKMLIRRuntimeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT emulator)
# The emulator under the names of AMD's libraries, in a folder that goes to LD_LIBRARY_PATH.
get_property(aliases GLOBAL PROPERTY CK_ALIASES)
get_property(forwarding GLOBAL PROPERTY CK_FORWARDING)
if(forwarding)
  install(TARGETS ${forwarding} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ck-mlir/hip
    COMPONENT emulator)
endif()
file(REMOVE_RECURSE "${PROJECT_BINARY_DIR}/package/hip")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/package/hip")
foreach(alias IN LISTS aliases)
  string(REPLACE "=" ";" alias "${alias}")
  list(GET alias 0 name)
  list(GET alias 1 library)
  file(CREATE_LINK "../../${library}" "${PROJECT_BINARY_DIR}/package/hip/${name}" SYMBOLIC)
endforeach()
get_property(levels GLOBAL PROPERTY CK_LEVEL_LIBRARIES)
if(levels)
  install(TARGETS ${levels} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT emulator)
  set_target_properties(${levels} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
install(DIRECTORY "${PROJECT_BINARY_DIR}/package/hip"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/ck-mlir COMPONENT emulator)
install(TARGETS ck-emulate RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT emulator)
set_target_properties(ck_hip_emulator ck_hsa_emulator ck_emulator_timing PROPERTIES
  INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(ck-emulate PROPERTIES
  INSTALL_RPATH "$ORIGIN/${lib_from_bin}" INSTALL_RPATH_USE_LINK_PATH ON)

# Shells look for completions by the name of the command.
function(ck_install_completions component zsh)
  foreach(tool IN LISTS ARGN)
    install(FILES "${CK_SOURCE_DIR}/tools/completions/ck-mlir.bash" RENAME ${tool}
      DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions COMPONENT ${component})
  endforeach()
  install(FILES "${CK_SOURCE_DIR}/tools/completions/_ck-mlir" RENAME ${zsh}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions COMPONENT ${component})
endfunction()
ck_install_completions(emulator _ck-emulate ck-emulate)

install(DIRECTORY "${CK_SOURCE_DIR}/include/ck-mlir/Emulator"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ck-mlir COMPONENT emulator)

# The emulator alone, for whoever tests HIP programs.
set(emulator_dir "${CMAKE_INSTALL_LIBDIR}/cmake/CKEmulator")
set(emulator_doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/ck-emulator")
install(DIRECTORY "${CK_SOURCE_DIR}/docs/emulator" DESTINATION ${emulator_doc_dir}
  COMPONENT emulator)
install(FILES "${CK_SOURCE_DIR}/docs/Environment.md" "${CK_SOURCE_DIR}/LICENSE"
  DESTINATION ${emulator_doc_dir} COMPONENT emulator)
install(DIRECTORY "${CK_SOURCE_DIR}/docs/decisions/emulator"
  DESTINATION ${emulator_doc_dir}/decisions COMPONENT emulator)
# The licences of what is linked statically, as Debian has them beside the libraries.
if(CK_STATIC_LLVM)
  foreach(package llvm-22-dev libstdc++-12-dev libzstd-dev zlib1g-dev)
    install(FILES "/usr/share/doc/${package}/copyright" RENAME ${package}
      DESTINATION ${emulator_doc_dir}/licenses COMPONENT emulator OPTIONAL)
  endforeach()
endif()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/CKEmulatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/CKEmulatorConfig.cmake" INSTALL_DESTINATION ${emulator_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/CKEmulatorConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/CKEmulatorConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/CKEmulatorConfigVersion.cmake"
  DESTINATION ${emulator_dir} COMPONENT emulator)

configure_file("${CMAKE_CURRENT_LIST_DIR}/ckemulator.pc.in"
  "${PROJECT_BINARY_DIR}/package/ckemulator.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/ckemulator.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT emulator)
