//===- Kernels.cl - Code objects to change -*- OpenCL -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels with all that a code object says about one: arguments of several kinds, hidden arguments,
// LDS, private memory, a variable with an address in it.
//
//===----------------------------------------------------------------------===//

typedef struct {
  uint first;
  ulong second;
  uchar third[5];
} Record;

constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
constant uint *constant begin = table;

kernel void copy(global uint *out, global const uint *in, uint count) {
  uint i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
  if (i < count)
    out[i] = in[i] + begin[i % 8] + __builtin_amdgcn_grid_size_x();
}

kernel void share(global uint *out) {
  local uint words[64];
  uint i = __builtin_amdgcn_workitem_id_x();
  words[i] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[i] = words[63 - i];
}

kernel void scratch(global uint *out, Record record) {
  volatile uint slots[16];
  uint i = __builtin_amdgcn_workitem_id_x();
  for (uint k = 0; k < 16; ++k)
    slots[(k + i) % 16] = k + record.first + record.third[k % 5];
  out[i] = slots[i % 16];
}
