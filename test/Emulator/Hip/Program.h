//===- Program.h - What the HIP programs share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs know nothing of the emulator: they are written against HIP's headers and print what
// they find.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_INTEGRATION_HIP_PROGRAM_H
#define CK_MLIR_TEST_INTEGRATION_HIP_PROGRAM_H

#ifndef __HIP_PLATFORM_AMD__ // the documentation compiles the programs with the macro
#define __HIP_PLATFORM_AMD__
#endif
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime_api.h>
#include <vector>

/// Ends the program when a HIP call fails.
#define HIP_CHECK(call)                                                                            \
  do {                                                                                             \
    if (hipError_t code = (call); code != hipSuccess) {                                            \
      std::fprintf(stderr, "%s failed: %s (%s)\n", #call, hipGetErrorName(code),                   \
                   hipGetErrorString(code));                                                       \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

/// Device memory of `count` elements.
template <class T>
T *allocate(size_t count) {
  void *pointer = nullptr;
  HIP_CHECK(hipMalloc(&pointer, count * sizeof(T)));
  return static_cast<T *>(pointer);
}

/// The bytes of a file.
inline std::vector<char> readFile(const char *path) {
  std::vector<char> bytes;
  std::FILE *file = std::fopen(path, "rb");
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(1);
  }
  for (int c; (c = std::fgetc(file)) != EOF;)
    bytes.push_back(char(c));
  std::fclose(file);
  return bytes;
}

#endif // CK_MLIR_TEST_INTEGRATION_HIP_PROGRAM_H
