//===- Scalar.cl - Scalar code to measure with -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over values that are the same for all work-items, which the compiler keeps in scalar
// registers. EmulatorSpeed.cpp computes the same on the host.
//
//===----------------------------------------------------------------------===//

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void scalar_code(global uint *result,
                                                                         uint steps) {
  uint a = steps, b = __builtin_amdgcn_workgroup_id_x(), c = 7;
  ulong d = b;
  for (uint step = 0; step < steps; ++step) {
    a = (a ^ (a << 13)) + b;
    b = b * 5u + (a >> 17);
    c = a < b ? c + a : c - b;
    d += (ulong)c << (a & 15);
    if (a & 1)
      c ^= (uint)d;
  }
  result[(__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())] =
      a + b + c + (uint)d;
}
