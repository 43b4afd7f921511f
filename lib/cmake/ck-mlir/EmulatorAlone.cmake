# What the emulator needs of the project where it is configured alone: its settings, LLVM, and the
# component Support.
#
#   CK_STATIC_LLVM  link the parts of LLVM that the emulator needs, and the C++ library, so that it
#                   runs where neither is installed; without the unit tests, which need more of LLVM
include(Settings)
find_package(LLVM 22.1 REQUIRED CONFIG)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})

option(CK_STATIC_LLVM "Link the parts of LLVM that the emulator needs instead of libLLVM.so" OFF)
if(CK_STATIC_LLVM)
  llvm_map_components_to_libnames(CK_LLVM
    AMDGPUAsmParser AMDGPUDesc AMDGPUDisassembler AMDGPUInfo BinaryFormat DebugInfoDWARF MC
    MCDisassembler MCParser Object Support TargetParser)
  # LLVM's archives name the shared libraries for compression.
  get_target_property(libraries LLVMSupport INTERFACE_LINK_LIBRARIES)
  find_library(CK_ZLIB libz.a REQUIRED)
  find_library(CK_ZSTD libzstd.a REQUIRED)
  list(TRANSFORM libraries REPLACE "ZLIB::ZLIB" "${CK_ZLIB}")
  list(TRANSFORM libraries REPLACE "zstd::libzstd_shared" "${CK_ZSTD}")
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  add_link_options($<$<LINK_LANGUAGE:CXX>:-static-libstdc++> LINKER:--gc-sections,--as-needed)
  # The driver puts libstdc++ behind all libraries, which is too late to look for what it needs.
  add_library(CKOlderGlibc STATIC "${CMAKE_CURRENT_LIST_DIR}/OlderGlibc.cpp")
  list(APPEND CK_LLVM CKOlderGlibc)
  add_link_options($<$<LINK_LANGUAGE:CXX>:LINKER:--undefined=arc4random>)
endif()

add_subdirectory("${CK_SOURCE_DIR}/lib/Support" Support)
