//===- Spaces.cl - Kernels over all address spaces -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private memory, generic pointers, and a reduction through LDS with barriers.
//
//===----------------------------------------------------------------------===//

#define LANE ((uint)__builtin_amdgcn_workitem_id_x())

// Private memory through scratch instructions, and generic pointers to all address spaces.
__attribute__((noinline)) static uint sum(uint *p, uint n) {
  uint r = 0;
  for (uint i = 0; i < n; ++i)
    r = r * 31 + p[i];
  return r;
}
kernel void spaces(global uint *out, global uint *in) {
  local uint shared[256];
  uint own[16];
  for (uint i = 0; i < 4; ++i)
    shared[LANE * 4 + i] = in[LANE + i] * 3;
  for (uint i = 0; i < 16; ++i)
    own[(i * 7 + LANE) & 15] = in[i] + LANE;
  out[LANE] = sum(in + LANE, 8);
  out[64 + LANE] = sum((uint *)&shared[LANE * 4], 4);
  out[128 + LANE] = sum(own, 16);
}

// A tree sum over the workgroup through LDS, with barriers between the steps.
kernel void reduction(global uint *out, global const uint *in, uint n) {
  local uint sums[256];
  uint group = __builtin_amdgcn_workgroup_id_x(), total = 0;
  for (uint i = group * 256 + LANE; i < n; i += 1024)
    total += in[i] * (i + 1);
  sums[LANE] = total;
  for (uint step = 128; step; step /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
    if (LANE < step)
      sums[LANE] += sums[LANE + step];
  }
  if (LANE == 0)
    __opencl_atomic_fetch_add((global atomic_uint *)out, sums[0], __ATOMIC_RELAXED,
                              __OPENCL_MEMORY_SCOPE_DEVICE);
}
