//===- Vector.cl - Vector code to measure with -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single precision, integers, conversions, comparisons and selections, as in element-wise
// kernels. EmulatorSpeed.cpp computes the same on the host.
//
//===----------------------------------------------------------------------===//

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void vector_code(global float *result,
                                                                         uint steps) {
  uint item = (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x());
  float sum[8], scale = fma(0.001f, (float)(item % 7), 0.75f);
  uint state[4];
  for (uint i = 0; i < 8; ++i)
    sum[i] = (float)(item + i);
  for (uint i = 0; i < 4; ++i)
    state[i] = item * 2654435761u + i;
  for (uint step = 0; step < steps; ++step) {
#pragma unroll
    for (uint i = 0; i < 8; ++i)
      sum[i] = fma(sum[i], scale, 1.0f);
#pragma unroll
    for (uint i = 0; i < 4; ++i) {
      state[i] = (state[i] ^ (state[i] << 13)) + 0x9e3779b9u;
      state[i] ^= state[i] >> 17;
      float x = (float)(state[i] & 0xff);
      sum[i] += x;
      sum[i + 4] = state[i] > 0x80000000u ? sum[i + 4] * 0.5f : sum[i + 4] - x;
    }
  }
  float total = 0;
  for (uint i = 0; i < 8; ++i)
    total += sum[i];
  result[item] = total + (float)(state[0] ^ state[1] ^ state[2] ^ state[3]);
}
