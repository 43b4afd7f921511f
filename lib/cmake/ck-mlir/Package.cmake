# `cpack` in the build makes two packages, below /usr, of the components of Install.cmake:
#
#   ck-emulator_VERSION_ARCHITECTURE.deb  the component emulator
#   ck-mlir_VERSION_ARCHITECTURE.deb      all others; depends on ck-emulator
#
# Which packages they depend on follows from what their programs and libraries are linked to. See
# docs/Embedding.md.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ck-mlir)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "ck-mlir")
set(CPACK_PACKAGE_CONTACT "The ck-mlir developers <ck-mlir@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
foreach(component libraries headers tablegen tools runtime docs)
  string(TOUPPER ${component} name)
  set(CPACK_COMPONENT_${name}_GROUP compiler)
endforeach()
set(CPACK_COMPONENT_EMULATOR_GROUP emulator)
set(CPACK_COMPONENTS_ALL libraries headers tablegen tools runtime docs emulator)

set(llvm "libllvm${LLVM_VERSION_MAJOR} (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")
set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME ck-mlir)
set(CPACK_DEBIAN_COMPILER_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_DESCRIPTION "Convolution kernels for AMD GPUs
Compiles convolutions and matrix products to AMDGPU code objects, as programs, as a library, as
a plugin of mlir-opt and by C functions, and executes them on an emulator.")
# In some runs dpkg-shlibdeps comes to libLLVM through a link of llvm-22-dev, which says nothing
# about it.
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "ck-emulator (= ${PROJECT_VERSION}), ${llvm}")
# For programs that are built with the package, and for its plugin.
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS
    "llvm-22-dev, libmlir-22-dev, liblld-22-dev, mlir-22-tools")
set(CPACK_DEBIAN_EMULATOR_PACKAGE_NAME ck-emulator)
set(CPACK_DEBIAN_EMULATOR_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_EMULATOR_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_EMULATOR_DESCRIPTION "Emulator of AMD GPUs for HIP programs
Runs HIP programs without a GPU: executes their code objects on the CPU, checks memory accesses,
races and leaks, and models how long kernels would take on a chip.")
set(CPACK_DEBIAN_EMULATOR_PACKAGE_DEPENDS "${llvm}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The packages' own libraries, which dpkg-shlibdeps looks for.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
