# Build functions of the project. Leaf CMakeLists.txt are bare lists of calls to them.
#
#   add_ck_library(<name> SRCS <files> [LIBS <targets>] [DEPENDS <targets>] [MLIR] [PCH]
#                  [INTERNAL])
#     A static library. LIBS are this project's libraries and system libraries. Links CK_LLVM, the
#     shared libLLVM by default; with MLIR the shared libMLIR as well. PCH reuses the precompiled
#     MLIR headers.
#     Without INTERNAL it is a component of libCKMLIR.so and of the installed package: what its
#     headers in include/ declare is exported, see
#     docs/decisions/packaging/0015-exported-symbols.md.
#   add_ck_tool(<name> SRCS <files> LIBS <targets>)
#     An executable in bin/.
#   add_ck_unittest(<name> SRCS <files> LIBS <targets> [ARGS <arguments>])
#     A GoogleTest program that runs under ctest and is part of check-ck. It finds the emulator
#     where the build puts libraries; programs in bin/ look beside themselves.

set(CK_COMPILE_OPTIONS -Wall -Wextra -Wno-unused-parameter)
if(CK_WARNINGS_AS_ERRORS)
  list(APPEND CK_COMPILE_OPTIONS -Werror)
endif()

# EmulatorAlone.cmake may have chosen static libraries.
set(CK_LLVM LLVM)

function(ck_set_common_options target)
  target_compile_options(${target} PRIVATE ${CK_COMPILE_OPTIONS})
endfunction()

# What headers declare is visible outside of a shared library, unless they say that it is not.
function(ck_export_symbols target)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(add_ck_library name)
  cmake_parse_arguments(ARG "MLIR;PCH;INTERNAL" "" "SRCS;LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  ck_set_common_options(${name})
  if(NOT ARG_INTERNAL)
    ck_export_symbols(${name})
    target_include_directories(${name} INTERFACE
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_property(GLOBAL APPEND PROPERTY CK_COMPONENTS ${name})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LIBS})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC MLIR ${CK_LLVM})
  else()
    target_link_libraries(${name} PUBLIC ${CK_LLVM})
  endif()
  if(ARG_PCH)
    target_precompile_headers(${name} REUSE_FROM CKPch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

function(add_ck_tool name)
  cmake_parse_arguments(ARG "" "" "SRCS;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  ck_set_common_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  set_property(GLOBAL APPEND PROPERTY CK_TOOLS ${name})
endfunction()

function(add_ck_unittest name)
  cmake_parse_arguments(ARG "" "" "SRCS;LIBS;ARGS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  ck_set_common_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}"
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/bin")
  if("ck_hip_emulator" IN_LIST ARG_LIBS)
    add_dependencies(${name} ck-emulator)
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  set_property(GLOBAL APPEND PROPERTY CK_UNITTESTS ${name})
endfunction()
