//===- Threads.cl - A kernel that takes a while -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ThreadTest.cpp.
//
//===----------------------------------------------------------------------===//

// Says that it has begun, stores to all elements again and again, says that it is at its end.
kernel void store_for_long(global volatile uint *data, global volatile uint *flags, uint rounds) {
  uint item = __builtin_amdgcn_workitem_id_x();
  if (item == 0)
    flags[0] = 1;
  for (uint round = 0; round < rounds; ++round)
    data[item] = round;
  if (item == 0)
    flags[1] = 1;
}
