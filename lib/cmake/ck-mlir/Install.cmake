# What `cmake --install build --prefix P --component C` puts where; see docs/Embedding.md.
#
#   libraries  libCKMLIR.so, libck_mlir_jit.so for programs, the static components, the plugin,
#              the CMake package, ckmlir.pc
#   headers    include/ck-mlir and include/ck-mlir-c, with what TableGen made of ours
#   tablegen   the .td files
#   tools      ck-opt, ck-gen, ck-compile, ck-run, ck-library, ck-tune
#   runtime    the mgpu functions for mlir-runner
#   emulator   the emulator, ck-emulate, their header, pages, CMake package and ckemulator.pc; needs
#              no other component, and tools and libraries need it where there is no GPU
#   docs       these pages, the reference of the dialect and the passes, the examples
#
# Everything finds everything else relative to itself, so that a prefix can be moved.
include(InstallEmulator)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/CKMLIR")
set(doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/ck-mlir")

# Components of libCKMLIR.so, as static libraries. Those of the runtime need no MLIR.
get_property(components GLOBAL PROPERTY CK_COMPONENTS)
set(runtime_components CKSupport CKProblem CKChip CKSchedule CKRuntime CKKernel)
list(REMOVE_ITEM components ${runtime_components})
install(TARGETS ${runtime_components} EXPORT CKMLIRRuntimeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries)
install(TARGETS ${components} EXPORT CKMLIRStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries)
install(TARGETS CKMLIR ck_mlir_jit EXPORT CKMLIRTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries
  NAMELINK_COMPONENT libraries)
install(TARGETS CKMLIRPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries)
install(TARGETS ck_mgpu_runtime EXPORT CKMLIRRuntimeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
set_target_properties(CKMLIR CKMLIRPlugin ck_mlir_jit ck_mgpu_runtime PROPERTIES
  INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)

get_property(tools GLOBAL PROPERTY CK_TOOLS)
list(REMOVE_ITEM tools CKMLIRPlugin ck-emulate)
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
set_target_properties(${tools} PROPERTIES
  INSTALL_RPATH "$ORIGIN/${lib_from_bin}" INSTALL_RPATH_USE_LINK_PATH ON)

ck_install_completions(tools _ck-mlir ck-run ck-gen ck-compile ck-opt ck-library ck-tune)

# Tuned schedules of the sets, a file for each chip that has them.
file(GLOB tuning CONFIGURE_DEPENDS "${CK_SOURCE_DIR}/lib/Library/Tuning/*.tuning")
install(FILES ${tuning} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/ck-mlir/tuning COMPONENT tools)

install(DIRECTORY "${CK_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT headers FILES_MATCHING PATTERN "*.h" PATTERN "Emulator" EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT headers FILES_MATCHING PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)
install(DIRECTORY "${CK_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT tablegen FILES_MATCHING PATTERN "*.td")

install(DIRECTORY "${CK_SOURCE_DIR}/docs/" DESTINATION ${doc_dir} COMPONENT docs
  PATTERN "*.py" EXCLUDE)
install(FILES "${CK_SOURCE_DIR}/README.md" "${CK_SOURCE_DIR}/LICENSE"
  DESTINATION ${doc_dir} COMPONENT docs)
install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/" DESTINATION ${doc_dir}/reference COMPONENT docs
  FILES_MATCHING PATTERN "*.md")

foreach(set Runtime Static "")
  install(EXPORT CKMLIR${set}Targets NAMESPACE CKMLIR:: DESTINATION ${package_dir}
    COMPONENT libraries)
endforeach()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/CKMLIRConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/CKMLIRConfig.cmake" INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/CKMLIRConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/CKMLIRConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/CKMLIRConfigVersion.cmake"
  DESTINATION ${package_dir} COMPONENT libraries)

configure_file("${CMAKE_CURRENT_LIST_DIR}/ckmlir.pc.in" "${PROJECT_BINARY_DIR}/package/ckmlir.pc"
  @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/ckmlir.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libraries)
