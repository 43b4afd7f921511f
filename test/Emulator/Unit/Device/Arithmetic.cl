//===- Arithmetic.cl - Kernels with a host twin -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels whose result the host computes as well; compiled at every optimization level.
//
//===----------------------------------------------------------------------===//

uint globalId() {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
         __builtin_amdgcn_workitem_id_x();
}

void barrierLds() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

kernel void vector_add(global const float *a, global const float *b, global float *c, uint n) {
  uint i = globalId();
  if (i < n)
    c[i] = a[i] + b[i];
}

kernel void saxpy(float s, global const float *x, global float *y, uint n, uint items) {
  for (uint i = globalId(); i < n; i += items)
    y[i] = __builtin_fmaf(s, x[i], y[i]);
}

kernel void reduce(global const uint *in, global uint *out) {
  local uint sums[256];
  uint item = __builtin_amdgcn_workitem_id_x();
  sums[item] = in[globalId()];
  barrierLds();
  for (uint width = 128; width > 0; width /= 2) {
    if (item < width)
      sums[item] += sums[item + width];
    barrierLds();
  }
  if (item == 0)
    out[__builtin_amdgcn_workgroup_id_x()] = sums[0];
}

// Also compiled for the host: see ArithmeticTest.cpp.
#include "IntegerMix.h"

kernel void integer_mix(global const uint *in, global uint *out, uint n) {
  uint i = globalId();
  if (i < n)
    out[i] = integerMix(in[i], i);
}

kernel void float_mix(global const float *in, global float *out, uint n) {
  uint i = globalId();
  if (i < n)
    out[i] = floatMix(in[i], i);
}

kernel void histogram(global const uint *in, global uint *bins, uint n) {
  uint i = globalId();
  if (i < n)
    __scoped_atomic_fetch_add(&bins[in[i] % 16], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

kernel void grid_coordinates(global uint *out) {
  uint x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
  uint y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() +
           __builtin_amdgcn_workitem_id_y();
  uint z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() +
           __builtin_amdgcn_workitem_id_z();
  uint sizeX = __builtin_amdgcn_grid_size_x(), sizeY = __builtin_amdgcn_grid_size_y();
  out[(z * sizeY + y) * sizeX + x] = x | y << 10 | z << 20;
}

// Copies elements of 1, 2, 4, 8 and 16 bytes to other places; n is no multiple of 5 and 7.
#define PERMUTE(name, type)                                                                        \
  kernel void name(global const type *in, global type *out, uint n) {                              \
    uint i = globalId();                                                                           \
    if (i < n)                                                                                     \
      out[i * 7 % n] = in[i * 5 % n];                                                              \
  }
PERMUTE(permute1, uchar)
PERMUTE(permute2, ushort)
PERMUTE(permute4, uint)
PERMUTE(permute8, uint2)
PERMUTE(permute16, uint4)

// The same within LDS, every second item.
#define PERMUTE_LDS(name, type)                                                                    \
  kernel void name(global const type *in, global type *out) {                                      \
    local type values[256];                                                                        \
    uint i = __builtin_amdgcn_workitem_id_x();                                                     \
    if (i % 2 == 0)                                                                                \
      values[i * 7 % 256] = in[i];                                                                 \
    else                                                                                           \
      values[i * 7 % 256] = in[i * 5 % 256];                                                       \
    barrierLds();                                                                                  \
    if (i % 2 == 1)                                                                                \
      out[i] = values[i * 3 % 256];                                                                \
    else                                                                                           \
      out[i] = values[i];                                                                          \
  }
PERMUTE_LDS(permute_lds1, uchar)
PERMUTE_LDS(permute_lds2, ushort)
PERMUTE_LDS(permute_lds4, uint)
PERMUTE_LDS(permute_lds8, uint2)
PERMUTE_LDS(permute_lds16, uint4)
