//===- Kernels.cl - Kernels of the HIP programs -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a HIP program would launch, for any chip.
//
//===----------------------------------------------------------------------===//

__attribute__((visibility("default"))) global float scale_by = 1.0f;

uint globalId() {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
         __builtin_amdgcn_workitem_id_x();
}

kernel void vector_add(global const float *a, global const float *b, global float *c, uint count) {
  uint i = globalId();
  if (i < count)
    c[i] = a[i] + b[i];
}

// y = alpha * x + y, of which alpha is multiplied by the variable.
kernel void saxpy(uchar unused, float alpha, global const float *x, global float *y, uint count) {
  uint i = globalId();
  if (i < count)
    y[i] += alpha * scale_by * x[i];
}

// Each element becomes 2 * element + 1, so that the order of launches shows.
kernel void twice_plus_one(global uint *values) { values[globalId()] = 2 * values[globalId()] + 1; }

// Sums 256 numbers in LDS.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sum_256(global const uint *in,
                                                                     global uint *out) {
  local uint partial[256];
  uint item = __builtin_amdgcn_workitem_id_x();
  partial[item] = in[globalId()];
  for (uint width = 128; width != 0; width /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (item < width)
      partial[item] += partial[item + width];
  }
  if (item == 0)
    out[__builtin_amdgcn_workgroup_id_x()] = partial[0];
}
