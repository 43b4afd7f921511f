//===- multiply.c - The compiler and the runtime from C -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies matrices of ones on the emulator.
//
//   cc -std=c11 multiply.c $(pkg-config --cflags --libs ckmlir) -o multiply
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Runtime.h"
#include <stdio.h>

enum { SIZE = 64 };

/// Launches the program once and checks that every element of the result is SIZE.
static int run(CkMlirExecutable executable, CkMlirBuffer *buffers, void *const *pointers,
               CkMlirBuffer workspace) {
  static float ones[SIZE * SIZE], result[SIZE * SIZE];
  for (int i = 0; i < SIZE * SIZE; ++i)
    ones[i] = 1;
  if (ckMlirBufferCopyFromHost(buffers[0], ones, sizeof(ones)) ||
      ckMlirBufferCopyFromHost(buffers[1], ones, sizeof(ones)) ||
      ckMlirExecutableLaunch(executable, NULL, pointers, 3, ckMlirBufferGetPointer(workspace),
                             ckMlirBufferGetSize(workspace)) ||
      ckMlirBufferCopyToHost(buffers[2], result, sizeof(result)))
    return 1;
  for (int i = 0; i < SIZE * SIZE; ++i)
    if (result[i] != SIZE)
      return 1;
  return 0;
}

int main(void) {
  int failed = 0;
  CkMlirBuffer buffers[3] = {{NULL}, {NULL}, {NULL}}, workspace = {NULL};
  void *pointers[3] = {NULL, NULL, NULL};
  CkMlirProgram program;
  CkMlirDevice device;
  CkMlirExecutable executable;
  CkMlirCompileOptions defaults = {NULL};
  if (ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx942", &device) ||
      ckMlirCompileProblem("gemm:f32:M=64,N=64,K=64", defaults, &program) ||
      ckMlirExecutableLoad(device, program, &executable)) {
    fprintf(stderr, "%s\n", ckMlirGetLastMessage());
    return 1;
  }
  for (size_t i = 0; i < ckMlirProgramGetNumTensors(program); ++i) {
    CkMlirTensor tensor = ckMlirProgramGetTensor(program, i);
    printf("%s: %s, %lld bytes\n", tensor.name, tensor.type, (long long)tensor.bytes);
    failed |= ckMlirBufferCreate(device, (size_t)tensor.bytes, &buffers[i]);
    pointers[i] = ckMlirBufferGetPointer(buffers[i]);
  }
  size_t workspaceBytes = (size_t)ckMlirProgramGetWorkspaceBytes(program);
  failed |= ckMlirBufferCreate(device, workspaceBytes, &workspace);
  failed = failed || run(executable, buffers, pointers, workspace);
  if (failed)
    fprintf(stderr, "wrong result: %s\n", ckMlirGetLastMessage());
  for (int i = 0; i < 3; ++i)
    ckMlirBufferDestroy(buffers[i]);
  ckMlirBufferDestroy(workspace);
  ckMlirExecutableDestroy(executable);
  ckMlirProgramDestroy(program);
  ckMlirDeviceDestroy(device);
  return failed;
}
