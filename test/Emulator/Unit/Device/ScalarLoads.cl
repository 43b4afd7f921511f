//===- ScalarLoads.cl - Scalar loads of several dwords -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compilers make of 12 or 28 bytes that all lanes read: a load of 16 or 32.
//
//===----------------------------------------------------------------------===//

static ulong scalarAddress(const global void *pointer) {
  return (ulong)__builtin_amdgcn_readfirstlane((uint)((ulong)pointer >> 32)) << 32 |
         (uint)__builtin_amdgcn_readfirstlane((uint)(ulong)pointer);
}

kernel void load_4(const global uint *in, uint offset, global uint4 *out) {
  uint4 value;
  __asm__ volatile("s_load_dwordx4 %0, %1, %2\n s_waitcnt lgkmcnt(0)"
                   : "=s"(value)
                   : "s"(scalarAddress(in)), "s"(__builtin_amdgcn_readfirstlane(offset)));
  if (__builtin_amdgcn_workitem_id_x() == 0)
    *out = value;
}

kernel void load_8(const global uint *in, uint offset, global uint8 *out) {
  uint8 value;
  __asm__ volatile("s_load_dwordx8 %0, %1, %2\n s_waitcnt lgkmcnt(0)"
                   : "=s"(value)
                   : "s"(scalarAddress(in)), "s"(__builtin_amdgcn_readfirstlane(offset)));
  if (__builtin_amdgcn_workitem_id_x() == 0)
    *out = value;
}
