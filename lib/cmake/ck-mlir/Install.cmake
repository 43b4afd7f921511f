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
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/CKMLIR")
set(doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/ck-mlir")
file(RELATIVE_PATH lib_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")

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
install(TARGETS ck_hip_emulator ck_hsa_emulator EXPORT CKMLIRRuntimeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT emulator)
# The emulator under the names of AMD's libraries, in a folder that goes to LD_LIBRARY_PATH.
get_property(aliases GLOBAL PROPERTY CK_ALIASES)
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
set_target_properties(CKMLIR CKMLIRPlugin ck_mlir_jit ck_hip_emulator ck_hsa_emulator
  ck_mgpu_runtime PROPERTIES
  INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)

get_property(tools GLOBAL PROPERTY CK_TOOLS)
list(REMOVE_ITEM tools CKMLIRPlugin ck-emulate)
install(TARGETS ck-emulate RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT emulator)
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
set_target_properties(${tools} ck-emulate PROPERTIES
  INSTALL_RPATH "$ORIGIN/${lib_from_bin}" INSTALL_RPATH_USE_LINK_PATH ON)

# Shells look for completions by the name of the command.
function(ck_install_completions component zsh)
  foreach(tool IN LISTS ARGN)
    install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/ck-mlir.bash" RENAME ${tool}
      DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions COMPONENT ${component})
  endforeach()
  install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/_ck-mlir" RENAME ${zsh}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions COMPONENT ${component})
endfunction()
ck_install_completions(tools _ck-mlir ck-run ck-gen ck-compile ck-opt ck-library ck-tune)
ck_install_completions(emulator _ck-emulate ck-emulate)

# Tuned schedules of the sets, a file for each chip that has them.
file(GLOB tuning CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lib/Library/Tuning/*.tuning")
install(FILES ${tuning} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/ck-mlir/tuning COMPONENT tools)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT headers FILES_MATCHING PATTERN "*.h" PATTERN "Emulator" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/ck-mlir/Emulator"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ck-mlir COMPONENT emulator)
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT headers FILES_MATCHING PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT tablegen FILES_MATCHING PATTERN "*.td")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION ${doc_dir} COMPONENT docs
  PATTERN "*.py" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE"
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

# The emulator alone, for whoever tests HIP programs.
set(emulator_dir "${CMAKE_INSTALL_LIBDIR}/cmake/CKEmulator")
set(emulator_doc_dir "${CMAKE_INSTALL_DATAROOTDIR}/doc/ck-emulator")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/emulator" DESTINATION ${emulator_doc_dir}
  COMPONENT emulator)
install(FILES "${PROJECT_SOURCE_DIR}/docs/Environment.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION ${emulator_doc_dir} COMPONENT emulator)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/decisions/emulator"
  DESTINATION ${emulator_doc_dir}/decisions COMPONENT emulator)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/CKEmulatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/CKEmulatorConfig.cmake" INSTALL_DESTINATION ${emulator_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/CKEmulatorConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/CKEmulatorConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/CKEmulatorConfigVersion.cmake"
  DESTINATION ${emulator_dir} COMPONENT emulator)

file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(name ckmlir ckemulator)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in"
    "${PROJECT_BINARY_DIR}/package/${name}.pc" @ONLY)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/package/ckmlir.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libraries)
install(FILES "${PROJECT_BINARY_DIR}/package/ckemulator.pc"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT emulator)
