//===- OlderGlibc.cpp - What an older glibc lacks -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function of glibc 2.36 that std::random_device of GCC 12 calls. What has this libstdc++ in it
// then runs with an older glibc as well.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <unistd.h>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() noexcept;

extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  if (getentropy(&number, sizeof(number)) != 0)
    std::abort();
  return number;
}
