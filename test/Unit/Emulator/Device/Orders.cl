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
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"))
}
kernel void without_release(global uint *p) {
  HAND_OVER((void)0, __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"))
}
kernel void without_acquire(global uint *p) {
  HAND_OVER(__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"),
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
}

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
