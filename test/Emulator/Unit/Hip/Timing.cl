//===- Timing.cl - Kernels that are timed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimingTest.cpp.
//
//===----------------------------------------------------------------------===//

// Multiplies and adds `rounds` times.
kernel void compute(global uint *out, uint rounds) {
  uint item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  uint sum = item;
  for (uint i = 0; i < rounds; ++i) {
    sum = sum * 3 + 1;
    __asm__ volatile("" : "+v"(sum));
  }
  out[item] = sum | 1;
}

// Adds to what another kernel has computed.
kernel void add(global const uint *in, global uint *out) {
  uint item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  out[item] = in[item] + 1;
}

// Takes numbers from a counter.
kernel void take(global uint *counter, global uint *out) {
  uint item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  out[item] = __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) + 1;
}

// Stores out of bounds.
kernel void break_out(global uint *out) { out[1 << 20] = 1; }
