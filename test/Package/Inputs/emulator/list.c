//===- list.c - A program of others with the emulator -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is C, and the library has its functions.
//
//===----------------------------------------------------------------------===//

#include <ck-mlir/Emulator/EmulatorApi.h>
#include <stdio.h>

int main(void) {
  puts(ckEmulatorGetChips());
  return 0;
}
