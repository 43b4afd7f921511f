//===- Portable.h - Kernels that are OpenCL C and C -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same source is compiled for the GPU as OpenCL C and, included by a .cpp file, for the host,
// where every kernel adds itself to the list of HostKernels.h.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_PORTABLE_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_PORTABLE_H

/// Work-items that have work; the launch has more.
#define ITEMS 1000u

/// A kernel out[i] = body(a[i], b[i]) with operands of type T and results of type R.
#define ELEMENTWISE(name, T, R) ELEMENTWISE_OF(name, T, R)

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define GROUP_SIZE 128u
#define ELEMENTWISE_OF(name, T, R)                                                                 \
  static R name##_of(T x, T y);                                                                    \
  kernel void name(global R *out, global const T *a, global const T *b) {                          \
    unsigned i =                                                                                   \
        __builtin_amdgcn_workgroup_id_x() * GROUP_SIZE + __builtin_amdgcn_workitem_id_x();         \
    if (i < ITEMS)                                                                                 \
      out[i] = name##_of(a[i], b[i]);                                                              \
  }                                                                                                \
  static R name##_of(T x, T y)
typedef half Half;
typedef uchar U8;
typedef ushort U16;
typedef uint U32;
typedef ulong U64;
typedef char I8;
typedef short I16;
typedef int I32;
typedef long I64;
#else
#include "HostKernels.h"
#define ELEMENTWISE_OF(name, T, R)                                                                 \
  static R name##_of(T x, T y);                                                                    \
  static const HostKernel name##_kernel(SOURCE, #name, elementwise<T, R, name##_of>, kindOf<T>,    \
                                        kindOf<R>);                                                \
  static R name##_of(T x, T y)
#endif

#define CAT2(a, b) a##_##b
#define CAT(a, b) CAT2(a, b)

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_PORTABLE_H
