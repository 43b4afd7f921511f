# `cpack` in the build makes ck-mlir_VERSION_ARCHITECTURE.deb, with all components of Install.cmake
# below /usr. Which packages it depends on follows from what its programs and libraries are linked
# to. See docs/Embedding.md.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ck-mlir)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "ck-mlir")
set(CPACK_PACKAGE_CONTACT "The ck-mlir developers <ck-mlir@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Convolution kernels for AMD GPUs, and an emulator")
set(CPACK_PACKAGE_DESCRIPTION
    "Compiles convolutions and matrix products to AMDGPU code objects, as programs, as a library, as
a plugin of mlir-opt and by C functions, and executes them on an emulator that offers the HIP API.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The package's own libraries, which dpkg-shlibdeps looks for.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
# In some runs it comes to libLLVM through a link of llvm-22-dev, which says nothing about it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libllvm${LLVM_VERSION_MAJOR} (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")
# For programs that are built with the package, and for its plugin.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "llvm-22-dev, libmlir-22-dev, liblld-22-dev, mlir-22-tools")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
