//===- Profile.cl - Kernels whose counts are known -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves that do different things, and accesses of known patterns.
//
//===----------------------------------------------------------------------===//

// Wave w of a workgroup sleeps w + 1 times and then stores its number.
kernel void sleep_by_wave(global uint *out) {
  uint item = __builtin_amdgcn_workitem_id_x();
  uint wave = __builtin_amdgcn_readfirstlane(item / __builtin_amdgcn_wavefrontsize());
  for (uint i = 0; i <= wave; ++i)
    __builtin_amdgcn_s_sleep(1);
  out[item] = wave;
}

// Each lane stores `stride` dwords after the one before it.
kernel void store_strided(global uint *out, uint stride) {
  uint item = __builtin_amdgcn_workitem_id_x();
  out[item * stride] = item;
}

// Each lane stores to LDS and loads from it `stride` dwords after the one before it.
kernel void exchange_strided(global uint *out, uint stride) {
  local uint shared[64 * 32];
  volatile local uint *slots = shared;
  uint item = __builtin_amdgcn_workitem_id_x();
  slots[item * stride] = item + 7;
  out[item] = slots[item * stride];
}
