# Code objects for tests and benchmarks, made by clang at build time. Without a clang that knows the
# amdgcn target, CK_CLANG is not found and what needs the code objects is left out.
#
#   add_ck_device_code(<variable> <source> CHIP <gfxNNN> [OPT <level>] [WAVE64])
#     Compiles an OpenCL C (.cl) or assembly (.s) file and sets <variable> to the path of the code
#     object, a build output that targets can depend on. WAVE64: waves of 64 lanes where 32 are the
#     default.

find_program(CK_CLANG NAMES clang HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)

function(add_ck_device_code variable source)
  cmake_parse_arguments(ARG "WAVE64" "CHIP;OPT" "" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(extension "${source}" EXT)
  set(flags -target amdgcn-amd-amdhsa -mcpu=${ARG_CHIP})
  if(ARG_WAVE64)
    list(APPEND flags -mwavefrontsize64)
    string(APPEND name ".wave64")
  endif()
  if(extension STREQUAL ".cl")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.O${ARG_OPT}.${ARG_CHIP}.hsaco")
    list(APPEND flags -nogpulib -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -w
         -O${ARG_OPT} -MD -MT "${output}" -MF "${output}.d")
    set(depfile DEPFILE "${output}.d")
  else()
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.${ARG_CHIP}.hsaco")
    list(APPEND flags -x assembler)
    set(depfile)
  endif()
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CK_CLANG} ${flags} "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${output}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" ${depfile} VERBATIM)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
