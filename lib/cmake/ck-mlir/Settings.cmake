# What the whole project and the emulator alone (lib/Emulator/CMakeLists.txt) have in common.
# CK_SOURCE_DIR is the root of the source tree in both.
get_filename_component(CK_SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(CK_ENABLE_TESTS "Build the unit tests and the check-* targets" ON)
option(CK_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(CK_EMULATOR_LEVELS "x86-64-v3;x86-64-v4" CACHE STRING
    "Levels of x86-64 (v3: AVX2, v4: AVX-512) of the emulator, beside its portable handlers")

include(GNUInstallDirs)
include(AddCK)
include(Sanitize)

include_directories("${CK_SOURCE_DIR}/include" "${CMAKE_CURRENT_BINARY_DIR}/include")
# Headers of a component that no other one includes: "Emulator/Machine/Wave.h".
include_directories("${CK_SOURCE_DIR}/lib")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib")
# Programs and libraries find each other wherever they are moved to, together.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

if(CK_ENABLE_TESTS)
  enable_testing()
endif()
