//===- Trace.cl - Kernels whose traces are known -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves that wait for others in all ways that there are, and accesses of known patterns.
//
//===----------------------------------------------------------------------===//

#define wait_for(flag, value, scope)                                                               \
  while (__scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, scope) != (value))                         \
    __builtin_amdgcn_s_sleep(1);

// Workgroup g waits until workgroup g + 1 has said that it ran; the last one starts the chain.
kernel void chain(global uint *flags, uint last) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  if (group != last)
    wait_for(&flags[group + 1], group + 2, __MEMORY_SCOPE_DEVICE);
  if (__builtin_amdgcn_workitem_id_x() == 0)
    __scoped_atomic_store_n(&flags[group], group + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

// The same with atomic operations that return what was there; `mask` has all bits.
kernel void chain_of_atomics(global uint *flags, uint last, uint mask) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  if (__builtin_amdgcn_workitem_id_x() != 0)
    return;
  if (group != last)
    while (__scoped_atomic_fetch_and(&flags[group + 1], mask, __ATOMIC_ACQUIRE,
                                     __MEMORY_SCOPE_DEVICE) != group + 2)
      ;
  __scoped_atomic_fetch_add(&flags[group], group + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

// Wave w waits until wave w + 1 has added to its flag in LDS; the last one starts the chain.
kernel void chain_of_waves(global uint *out) {
  local uint flags[16];
  uint item = __builtin_amdgcn_workitem_id_x();
  uint lanes = __builtin_amdgcn_wavefrontsize();
  uint wave = __builtin_amdgcn_readfirstlane(item / lanes);
  uint last = __builtin_amdgcn_readfirstlane(__builtin_amdgcn_workgroup_size_x() / lanes - 1);
  if (item < 16)
    flags[item] = 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (wave != last)
    wait_for(&flags[wave + 1], 1, __MEMORY_SCOPE_WRKGRP);
  if (item % lanes == 0)
    __scoped_atomic_fetch_add(&flags[wave], 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
  out[item] = wave;
}

// Looks at each of eight flags, which are set, and then many times at the first one.
kernel void look_at_all(global uint *flags, global uint *out, uint times) {
  uint sum = 0;
  for (uint i = 0; i < 8; ++i)
    sum += __scoped_atomic_load_n(&flags[i], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  for (uint i = 0; i < times; ++i) {
    sum += __scoped_atomic_load_n(&flags[0], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[i] = sum;
  }
}

// Each workgroup stores once more than the one before it.
kernel void count_own_number(global uint *out) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  uint item = __builtin_amdgcn_workitem_id_x();
  uint size = __builtin_amdgcn_workgroup_size_x();
  for (uint i = 1; i <= group; ++i)
    ((global volatile uint *)out)[group * size + item] = i;
}

// A loop without memory, and one with.
kernel void count(global uint *out, uint times) {
  uint item = __builtin_amdgcn_workitem_id_x();
  uint sum = item;
  for (uint i = 0; i < times; ++i) {
    sum = sum * 3 + 1;
    __asm__ volatile("" : "+v"(sum));
  }
  for (uint i = 0; i < times; ++i)
    ((global volatile uint *)out)[item] += sum;
}

// Each lane stores `stride` dwords after the one before it.
kernel void store_strided(global uint *out, uint stride) {
  uint item = __builtin_amdgcn_workitem_id_x();
  out[item * stride] = item;
}

// Each workgroup stores its number, the first one `times` times.
kernel void store_group(global uint *out, uint times) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  for (uint i = 0; i < (group == 0 ? times : 1); ++i)
    ((global volatile uint *)out)[group] = group + 1;
}

kernel void count_in_group(global uint *out, uint times) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  for (uint i = 0; i < times; ++i)
    ((global volatile uint *)out)[32 * group] = i + 1;
}

kernel void store_late(global uint *out, uint delay) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  for (uint i = 0; i < delay; ++i)
    __asm__ volatile("s_nop 0");
  out[32 * group] = delay;
}

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define get_scalar(value) (uint) __builtin_amdgcn_readfirstlane(value)
#define get_scalar_address(pointer)                                                                \
  (get_scalar((uint)(ulong)(pointer)) | (ulong)get_scalar((uint)((ulong)(pointer) >> 32)) << 32)

// The first workgroup sets a flag; the others wait until it is positive and count it down.
kernel void count_down(global uint *flag, uint groups) {
  __asm__ volatile("s_cmp_eq_u32 %2, 0\n"
                   "s_cbranch_scc1 2f\n"
                   "1: s_load_dword s20, %0, 0x0 glc\n"
                   "s_waitcnt lgkmcnt(0)\n"
                   "s_cmp_gt_u32 s20, 0\n"
                   "s_cbranch_scc0 1b\n"
                   "s_mov_b32 s20, 1\n"
                   "s_atomic_sub s20, %0, 0x0\n"
                   "s_branch 3f\n"
                   "2: s_store_dword %1, %0, 0x0 glc\n"
                   "3:\n"
                   :
                   : "s"(get_scalar_address(flag)), "s"(get_scalar(groups)),
                     "s"(get_scalar(__builtin_amdgcn_workgroup_id_x()))
                   : "s20", "scc", "memory");
}

// Each workgroup waits until as many as come before it have counted the flag up.
kernel void take_turns(global uint *flag) {
  __asm__ volatile("1: s_load_dword s20, %0, 0x0 glc\n"
                   "s_waitcnt lgkmcnt(0)\n"
                   "s_cmp_eq_u32 s20, %1\n"
                   "s_cbranch_scc1 2f\n"
                   "s_sleep 1\n"
                   "s_branch 1b\n"
                   "2: s_mov_b32 s20, 1\n"
                   "s_atomic_add s20, %0, 0x0\n"
                   :
                   : "s"(get_scalar_address(flag)),
                     "s"(get_scalar(__builtin_amdgcn_workgroup_id_x()))
                   : "s20", "scc", "memory");
}
#endif
