//===- Checks.cl - What the checks find, beside right twins -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel is wrong or right by an argument or by its name, so that both have nearly the same
// instructions. Waits and barriers are written as builtins, since clang would insert what is
// missing.
//
//===----------------------------------------------------------------------===//

#define DEVICE __MEMORY_SCOPE_DEVICE

static uint item() { return __builtin_amdgcn_workitem_id_x(); }
static uint groupOf() { return __builtin_amdgcn_workgroup_id_x(); }
static uint waveOf() {
  return __builtin_amdgcn_readfirstlane(item() / __builtin_amdgcn_wavefrontsize());
}
static void barrierWithWait() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// `written` of 256 words are written by the workgroup of 256.
kernel void lds_uninitialized(global uint *out, uint written) {
  volatile local uint words[256];
  if (item() < written)
    words[item()] = item();
  barrierWithWait();
  out[item()] = words[255 - item()];
}

// Halves of one word are written by different waves.
kernel void lds_halves(global uint *out) {
  volatile local ushort halves[256];
  uint i = item();
  halves[i % 128 * 2 + i / 128] = (ushort)i;
  barrierWithWait();
  out[i] = halves[255 - i];
}

kernel void lds_race(global uint *out, uint barrier) {
  volatile local uint words[256];
  words[item()] = item();
  if (barrier)
    barrierWithWait();
  out[item()] = words[255 - item()];
}

// The barrier is there, but nothing waits for the store.
kernel void lds_missing_wait(global uint *out) {
  volatile local uint words[256];
  words[item()] = item();
  __builtin_amdgcn_s_barrier();
  out[item()] = words[255 - item()];
}

// Every wave reads what all wrote, then all write again.
kernel void lds_reuse(global uint *out, uint barrier) {
  volatile local uint words[256];
  uint sum = 0;
  for (uint round = 0; round < 8; ++round) {
    words[item()] = item() + round;
    barrierWithWait();
    sum += words[255 - item()];
    if (barrier)
      barrierWithWait();
  }
  out[item()] = sum;
}

// The first wave loads, the others compute, with a ring of two slots between them.
kernel void lds_ring(global const uint *in, global uint *out, uint rounds) {
  volatile local uint ring[2][64];
  uint sum = 0, wave = waveOf();
  if (wave == 0) {
    for (uint round = 0; round < rounds; ++round) {
      ring[round & 1][item() & 63] = in[round * 64 + (item() & 63)];
      barrierWithWait();
    }
    barrierWithWait();
  } else {
    barrierWithWait();
    for (uint round = 0; round < rounds; ++round) {
      sum += ring[round & 1][item() & 63];
      barrierWithWait();
    }
  }
  out[item()] = sum;
}

// All items count in LDS; the last one to come reads what all wrote.
kernel void lds_atomics(global uint *out) {
  local uint count[1];
  volatile local uint words[256];
  if (item() == 0)
    __scoped_atomic_store_n(count, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  barrierWithWait();
  words[item()] = item();
  uint before = __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  if (before == 255)
    for (uint i = 0; i < 256; ++i)
      out[i] = words[i];
}

kernel void barrier_mismatch(global uint *out, uint barriersOfFirst) {
  if (waveOf() != 0 || barriersOfFirst)
    __builtin_amdgcn_s_barrier();
  out[item()] = item();
}

kernel void global_uninitialized(global const uint *in, global uint *out) {
  out[item()] = in[item()];
}

// Every workgroup writes the words [0, 64), or its own.
kernel void global_write_race(global uint *out, uint distance) {
  out[groupOf() * distance + item()] = groupOf();
}

// Workgroups 1, 2, ... write a partial sum and set a flag; the first adds what they wrote.
#define REDUCTION(name, releases, acquires)                                                        \
  kernel void name(global uint *partial, global uint *flags, global uint *out) {                   \
    uint groups = __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();            \
    uint size = __builtin_amdgcn_workgroup_size_x();                                               \
    if (groupOf() != 0) {                                                                          \
      partial[groupOf() * size + item()] = groupOf() + item();                                     \
      if (releases)                                                                                \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");                                         \
      __builtin_amdgcn_s_barrier();                                                                \
      if (item() == 0)                                                                             \
        __scoped_atomic_store_n(&flags[groupOf()], 1, __ATOMIC_RELAXED, DEVICE);                   \
      return;                                                                                      \
    }                                                                                              \
    uint sum = 0;                                                                                  \
    for (uint other = 1; other < groups; ++other) {                                                \
      while (__scoped_atomic_load_n(&flags[other], __ATOMIC_RELAXED, DEVICE) == 0)                 \
        __builtin_amdgcn_s_sleep(1);                                                               \
      if (acquires)                                                                                \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");                                         \
      sum += partial[other * size + item()];                                                       \
    }                                                                                              \
    out[item()] = sum;                                                                             \
  }
REDUCTION(reduction, 1, 1)
REDUCTION(reduction_without_release, 0, 1)
REDUCTION(reduction_without_acquire, 1, 0)
REDUCTION(reduction_without_both, 0, 0)

// Sums by atomics; the last workgroup to come reads the sums.
kernel void atomic_sum(global uint *sums, global uint *count, global uint *out) {
  uint groups = __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();
  local uint before[1];
  __scoped_atomic_fetch_add(&sums[item()], groupOf() + 1, __ATOMIC_RELAXED, DEVICE);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  __builtin_amdgcn_s_barrier();
  if (item() == 0)
    before[0] = __scoped_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, DEVICE);
  barrierWithWait();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  if (before[0] + 1 == groups)
    out[item()] = sums[item()];
}

// Unaligned wide accesses, in instructions that clang would not choose.
kernel void lds_misaligned(global uint *out, uint offset) {
  local uint words[68];
  words[item()] = item();
  if (item() < 4)
    words[64 + item()] = item();
  uint address = (uint)(local char *)words + 4 * (item() & 60) + offset;
  uint4 value;
  __asm__ volatile("ds_read_b128 %0, %1\n s_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(address));
  out[item()] = value.x;
}

// The 48 bits of an address, for a scalar register of inline assembly.
static ulong scalarAddress(global uint *pointer) {
  return (ulong)__builtin_amdgcn_readfirstlane((uint)((ulong)pointer >> 32)) << 32 |
         (uint)__builtin_amdgcn_readfirstlane((uint)(ulong)pointer);
}
static uint4 describe(global uint *pointer) {
  ulong address = scalarAddress(pointer);
  return (uint4)((uint)address, (uint)(address >> 32) & 0xffff, 256, 0x27000);
}

// A scalar load of which the hardware would drop the low bits of the address.
kernel void scalar_misaligned(global uint *out, uint offset) {
  uint value;
  __asm__ volatile("s_load_dword %0, %1, %2\n s_waitcnt lgkmcnt(0)"
                   : "=s"(value)
                   : "s"(scalarAddress(out)), "s"(__builtin_amdgcn_readfirstlane(offset)));
  out[item()] = value;
}

// The same through a buffer descriptor.
kernel void scalar_buffer_misaligned(global uint *out, uint offset) {
  uint value;
  __asm__ volatile("s_buffer_load_dword %0, %1, %2\n s_waitcnt lgkmcnt(0)"
                   : "=s"(value)
                   : "s"(describe(out)), "s"(__builtin_amdgcn_readfirstlane(offset)));
  out[item()] = value;
}

// Vector loads of any alignment, which the chips accept as drivers set them up.
kernel void vector_unaligned(global uint *out, uint offset) {
  uint value, other;
  __asm__ volatile("global_load_dword %0, %2, %3\n"
                   "buffer_load_dword %1, %2, %4, 0 offen\n s_waitcnt vmcnt(0)"
                   : "=&v"(value), "=&v"(other)
                   : "v"(offset), "s"(scalarAddress(out)), "s"(describe(out)));
  out[item()] = value - other;
}

// A load whose result is used at once. clang does not look into the text for what it must wait for.
#define LOAD_AND_ADD(beforeUse, behindUse)                                                         \
  uint value;                                                                                      \
  __asm__ volatile("global_load_dword %0, %1, %2\n" beforeUse "\n v_add_u32 %0, 1, %0\n" behindUse \
                   : "=&v"(value)                                                                  \
                   : "v"(4 * item()), "s"(scalarAddress(in)));                                     \
  out[item()] = value
kernel void load_then_wait(global uint *in, global uint *out) {
  LOAD_AND_ADD("s_waitcnt vmcnt(0)", "");
}
kernel void load_without_wait(global uint *in, global uint *out) {
  LOAD_AND_ADD("", "s_waitcnt vmcnt(0)");
}
