//===- Orders.cl - What orders accesses, and what does not ---------------------===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are right and their wrong twins, in the scopes of the memory model; the compiler
// makes each chip's own waits, writebacks and invalidations of them.
//
//===----------------------------------------------------------------------===//

#define ITEM __builtin_amdgcn_workitem_id_x()
#define DEVICE __MEMORY_SCOPE_DEVICE

static void synchronize(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Workgroup 1 stores and sets the flag p[0]; workgroup 0 waits for it and loads.
#define HAND_OVER(RELEASE, ACQUIRE)                                                                \
  if (__builtin_amdgcn_workgroup_id_x() == 1) {                                                    \
    p[64 + ITEM] = ITEM + 7;                                                                       \
    RELEASE;                                                                                       \
    __builtin_amdgcn_s_barrier();                                                                  \
    if (ITEM == 0)                                                                                 \
      __scoped_atomic_store_n(p, 1u, __ATOMIC_RELAXED, DEVICE);                                    \
  } else {                                                                                         \
    if (ITEM == 0)                                                                                 \
      while (__scoped_atomic_load_n(p, __ATOMIC_RELAXED, DEVICE) == 0)                             \
        __builtin_amdgcn_s_sleep(1);                                                               \
    __builtin_amdgcn_s_barrier();                                                                  \
    ACQUIRE;                                                                                       \
    p[256 + ITEM] = p[64 + ITEM];                                                                  \
  }

kernel void ordered(global uint *p) {
  HAND_OVER(__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"),
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"));
}
kernel void without_release(global uint *p) {
  HAND_OVER((void)0, __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"));
}
kernel void without_acquire(global uint *p) {
  HAND_OVER(__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"),
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"));
}

// Two workgroups set flags, which two lanes of workgroup 0 wait for and take back, where a chip may
// have stores like any other for that.
#define TAKE_BACK(WAIT)                                                                            \
  if (ITEM < 2) {                                                                                  \
    const uint group = __builtin_amdgcn_workgroup_id_x();                                          \
    if (group != 0) {                                                                              \
      if (ITEM == 0)                                                                               \
        __scoped_atomic_store_n(p + group - 1, 1u, __ATOMIC_RELAXED, DEVICE);                      \
    } else {                                                                                       \
      WAIT;                                                                                        \
      __scoped_atomic_store_n(p + ITEM, 2u, __ATOMIC_RELAXED, DEVICE);                             \
    }                                                                                              \
  }

kernel void taken_back(global uint *p) {
  TAKE_BACK(while (__scoped_atomic_load_n(p + ITEM, __ATOMIC_RELAXED, DEVICE) == 0)
                __builtin_amdgcn_s_sleep(1));
}
kernel void taken_back_unseen(global uint *p) { TAKE_BACK((void)0); }

kernel void exchange(global uint *p) {
  local uint values[128];
  values[ITEM] = ITEM;
  synchronize();
  p[ITEM] = values[127 - ITEM];
}
kernel void exchange_without_barrier(global uint *p) {
  local uint values[128];
  values[ITEM] = 0;
  synchronize();
  values[ITEM] = ITEM;
  p[ITEM] = values[127 - ITEM];
}
kernel void read_beyond_what_is_written(global uint *p) {
  local uint values[128];
  if (ITEM < 100)
    values[ITEM] = ITEM;
  synchronize();
  p[ITEM] = values[ITEM];
}
kernel void read_uninitialized(global uint *p, global const uint *q) { p[ITEM] = q[ITEM]; }

kernel void leave_before_barrier(global uint *p) {
  if (ITEM < 64)
    return;
  __builtin_amdgcn_s_barrier();
  p[ITEM] = 2;
}

// Waves exchange through device memory.
kernel void exchange_in_memory(global uint *p) {
  p[ITEM] = ITEM + 1;
  synchronize();
  p[256 + ITEM] = p[127 - ITEM];
  synchronize();
  p[ITEM] = p[256 + (ITEM + 64) % 128];
}
kernel void exchange_in_memory_without_barrier(global uint *p) {
  p[ITEM] = ITEM + 1;
  p[256 + ITEM] = p[127 - ITEM];
}
// The second wave overwrites what the first may still have to load, and the reverse.
kernel void load_before_store(global uint *p) {
  uint value = p[127 - ITEM];
  synchronize();
  p[ITEM] = value + 1;
}
kernel void load_before_store_without_barrier(global uint *p) {
  if (ITEM < 64)
    p[256 + ITEM] = p[64 + ITEM];
  else
    p[ITEM] = ITEM;
}
kernel void load_after_store_without_barrier(global uint *p) {
  if (ITEM >= 64)
    p[256 + ITEM] = p[ITEM - 64];
  else
    p[ITEM] = ITEM + 1;
}
kernel void two_stores(global uint *p) { p[ITEM % 64] = ITEM + 1; }

// Elements of half a dword, of which neighbours belong to different waves.
kernel void halves_in_memory(global ushort *p) {
  uint at = ITEM % 64 * 2 + ITEM / 64;
  p[at] = p[at] + 1;
}

// The first wave hands over to one of the second half, by a flag in device memory or in LDS.
#define IS_FIRST (ITEM < __builtin_amdgcn_wavefrontsize())
#define IS_SECOND (ITEM >= 64 && ITEM - 64 < __builtin_amdgcn_wavefrontsize())
kernel void hand_over_in_memory(global uint *p) {
  if (IS_FIRST) {
    p[64 + ITEM] = ITEM + 7;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    if (ITEM == 0)
      __scoped_atomic_store_n(p, 1u, __ATOMIC_RELAXED, DEVICE);
  } else if (IS_SECOND) {
    while (__scoped_atomic_load_n(p, __ATOMIC_RELAXED, DEVICE) == 0)
      __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    p[256 + ITEM] = p[ITEM];
    p[ITEM] = 5;
  }
}
kernel void hand_over_in_lds(global uint *p) {
  local uint flag[1];
  if (ITEM == 0)
    __scoped_atomic_store_n(flag, 0u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  synchronize();
  if (IS_FIRST) {
    p[64 + ITEM] = ITEM + 7;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    if (ITEM == 0)
      __scoped_atomic_fetch_add(flag, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  } else if (IS_SECOND) {
    while (__scoped_atomic_load_n(flag, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP) == 0)
      __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    p[256 + ITEM] = p[ITEM];
  }
}

// What all store is there already, or is the same for all: each may read it back, as may who waited
// for one of them.
kernel void same_values(global uint *p) {
  p[ITEM % 64] = 3;
  p[256 + ITEM % 64] = 0;
  uint value = p[ITEM % 64] + p[256 + ITEM % 64];
  synchronize();
  p[384 + ITEM] = value + p[63 - ITEM % 64];
}
kernel void same_values_in_lds(global uint *p) {
  local volatile uint values[64];
  values[ITEM % 64] = 3;
  uint value = values[ITEM % 64];
  synchronize();
  p[ITEM] = value + values[63 - ITEM % 64];
}

// All add, one of each wave without returning, and all read the sum.
kernel void sum_in_memory(global uint *p) {
  __scoped_atomic_fetch_add(&p[ITEM % 64], ITEM, __ATOMIC_RELAXED, DEVICE);
  synchronize();
  p[256 + ITEM] = p[ITEM % 64];
  synchronize();
  if (ITEM < 64)
    p[ITEM] = 1;
}
kernel void sum_then_store_without_barrier(global uint *p) {
  if (ITEM < 64)
    __scoped_atomic_fetch_add(&p[ITEM], ITEM, __ATOMIC_RELAXED, DEVICE);
  else
    p[ITEM - 64] = 1;
}

// Without the fences of the compiler: on chips whose workgroups share a cache the barrier suffices.
kernel void bare_barrier(global uint *p) {
  p[ITEM] = ITEM + 1;
  __builtin_amdgcn_s_barrier();
  p[256 + ITEM] = p[127 - ITEM];
}
// The wait, but no invalidation.
// Each wave stores where the other one has loaded; the load is still open at the barrier.
kernel void open_load(global uint *p) {
  uint loaded = p[ITEM];
  __builtin_amdgcn_s_barrier();
  p[(ITEM + 64) % 128] = ITEM + 1;
  p[256 + ITEM] = loaded;
}

kernel void without_invalidation(global uint *p) {
  p[ITEM] = ITEM + 1;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  p[256 + ITEM] = p[127 - ITEM];
}

// The first wave stores and ends; the others meet at the barrier without it.
kernel void ends_before_barrier(global uint *p) {
  p[ITEM] = ITEM + 1;
  if (ITEM < 64)
    return;
  synchronize();
  p[256 + ITEM] = p[127 - ITEM];
}
