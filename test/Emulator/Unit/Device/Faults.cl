//===- Faults.cl - Kernels that do something wrong -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that do something wrong, each beside a right twin where it matters.
//
//===----------------------------------------------------------------------===//

uint globalId() {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
         __builtin_amdgcn_workitem_id_x();
}

kernel void store_at(global uint *out, uint count, ulong byteOffset) {
  uint i = globalId();
  if (i < count)
    *(global uint *)((global char *)out + byteOffset + 4ul * i) = i;
}

kernel void load_at(global const uint *in, global uint *out, ulong byteOffset) {
  uint i = globalId();
  out[i] = *(global const uint *)((global const char *)in + byteOffset + 4ul * i);
}

kernel void scalar_load_at(constant const uint *in, global uint *out, ulong byteOffset) {
  out[0] = *(constant const uint *)((constant const char *)in + byteOffset);
}

kernel void lds_at(global uint *out, uint byteOffset) {
  local uint words[64];
  uint i = __builtin_amdgcn_workitem_id_x();
  words[i] = i;
  *(volatile local uint *)((local char *)words + byteOffset + 4 * i) = i;
  out[i] = words[63 - i];
}

kernel void unimplemented(global uint *out) {
  out[0] = 1;
  __asm__ volatile("v_mov_b32 v2, 0\n ds_gws_barrier v2 gds" : : : "v2");
  out[1] = 1;
}

kernel void trap(global uint *out) {
  out[0] = 1;
  __builtin_trap();
}

// One wave waits at the barrier for another that waits for a flag which is set behind the barrier.
kernel void barrier_deadlock(global uint *out) {
  volatile local uint flag[1];
  uint i = __builtin_amdgcn_workitem_id_x();
  uint wave = __builtin_amdgcn_readfirstlane(i / 64);
  if (i == 0)
    flag[0] = 0;
  __builtin_amdgcn_s_barrier();
  if (wave == 0) {
    while (flag[0] == 0)
      __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_s_barrier();
  } else {
    __builtin_amdgcn_s_barrier();
    flag[0] = 1;
  }
  out[i] = flag[0];
}

// Workgroup g waits until workgroup g + 1 has said that it ran; the last one starts the chain.
kernel void chain(global volatile uint *flags, uint last) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  if (group != last)
    while (__scoped_atomic_load_n(&flags[group + 1], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) == 0)
      ;
  if (__builtin_amdgcn_workitem_id_x() == 0)
    __scoped_atomic_store_n(&flags[group], group + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

// Counts for ever without touching memory, never in the same state twice.
kernel void endless(global uint *out) {
  uint value = 1;
  while (value != 0) {
    value += 2;
    __asm__ volatile("" : "+v"(value));
  }
  out[0] = value;
}

static uint countTo(uint count) {
  uint value = 0;
  for (uint i = 0; i < count; ++i) {
    value += 1;
    __asm__ volatile("" : "+v"(value));
  }
  return value;
}

// A loop that ends.
kernel void count(global uint *out, uint count) { out[globalId()] = countTo(count); }

// The same again and again, each time with a store.
kernel void count_in_turns(global uint *out, uint count, uint turns) {
  for (uint i = 0; i < turns; ++i)
    __scoped_atomic_store_n(&out[0], countTo(count), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

// Workgroup 3 goes on until the others have stored much longer than they have to.
kernel void one_counts_on(global uint *out, uint count) {
  if (__builtin_amdgcn_workgroup_id_x() == 3)
    count = 1000000000;
  for (uint i = 0; i < 20; ++i)
    __scoped_atomic_store_n(&out[0], countTo(count), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

kernel void atomic_at(global uint *out, ulong byteOffset) {
  __scoped_atomic_fetch_add((global uint *)((global char *)out + byteOffset + 4ul * globalId()), 1,
                            __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

// Words of a buffer of `bytes` bytes, read and written behind its end; see BufferTest.
kernel void buffer_range(global uint *data, global uint *out, uint bytes, uint step) {
  uint i = __builtin_amdgcn_workitem_id_x();
  __amdgpu_buffer_rsrc_t view = __builtin_amdgcn_make_buffer_rsrc(data, 0, bytes, 0x00020000);
  typedef uint uint4_t __attribute__((ext_vector_type(4)));
  uint4_t words = __builtin_amdgcn_raw_buffer_load_b128(view, i * step, 0, 0);
  *(global uint4_t *)&out[4 * i] = words;
  __builtin_amdgcn_raw_buffer_store_b32(100 + i, view, i * step, 0, 0);
}

// Each item writes its own slot of a private array at a computed place and reads another.
kernel void private_memory(global const uint *in, global uint *out) {
  uint i = globalId();
  volatile uint slots[16];
  for (uint k = 0; k < 16; ++k)
    slots[(k * 5 + in[i]) % 16] = k * i;
  out[i] = slots[in[i] % 16] + slots[3];
}

// Conflict-free, then all lanes in one bank.
kernel void bank_conflicts(global uint *out, uint stride) {
  volatile local uint words[64 * 33];
  uint i = __builtin_amdgcn_workitem_id_x();
  words[i * stride] = i;
  out[i] = words[i * stride];
}
