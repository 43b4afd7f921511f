//===- Memory.cl - Kernels that touch memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory instructions by name, through inline assembly: every width and format of global, flat,
// scratch, buffer and LDS access, and atomics. Not for -O0, which keeps no value in a
// scalar register. MemoryTest.cpp states what each kernel computes.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define LANE ((uint)__builtin_amdgcn_workitem_id_x())
#define WAIT "\n s_waitcnt vmcnt(0) lgkmcnt(0)"

// Values that inline assembly wants in scalar registers.
#define UNIFORM(x) ((uint)__builtin_amdgcn_readfirstlane((int)(x)))
#define UNIFORM64(x) ((ulong)UNIFORM((ulong)(x) >> 32) << 32 | UNIFORM((ulong)(x)))
#define DESCRIPTOR(base, size)                                                                     \
  (uint4)(UNIFORM((ulong)(base)), UNIFORM((ulong)(base) >> 32), UNIFORM(size), UNIFORM(0x20000))

typedef uint uint3_ __attribute__((ext_vector_type(3)));

// Each lane loads at in + 4 * lane + 3 (bytes) or a multiple of its width; out[k * 64 + lane].
kernel void loads(global uint *out, global const uchar *in) {
  global const uchar *odd = in + 4 * LANE;
  uint r;
#define LOAD(k, text)                                                                              \
  r = 0x11112222;                                                                                  \
  __asm volatile(text WAIT : "+v"(r) : "v"(odd));                                                  \
  out[k * 64 + LANE] = r;
  LOAD(0, "global_load_ubyte %0, %1, off offset:3")
  LOAD(1, "global_load_sbyte %0, %1, off offset:3")
  LOAD(2, "global_load_ushort %0, %1, off offset:2")
  LOAD(3, "global_load_sshort %0, %1, off offset:2")
  LOAD(4, "global_load_dword %0, %1, off offset:-4")
  LOAD(5, "global_load_ubyte_d16 %0, %1, off offset:3")
  LOAD(6, "global_load_ubyte_d16_hi %0, %1, off offset:3")
  LOAD(7, "global_load_sbyte_d16 %0, %1, off offset:3")
  LOAD(8, "global_load_sbyte_d16_hi %0, %1, off offset:3")
  LOAD(9, "global_load_short_d16 %0, %1, off offset:2")
  LOAD(10, "global_load_short_d16_hi %0, %1, off offset:2")
  LOAD(11, "flat_load_sbyte %0, %1 offset:3")
  LOAD(12, "flat_load_short_d16_hi %0, %1 offset:2")
  r = 0;
  __asm volatile("global_load_dword %0, %1, %2 offset:8" WAIT
                 : "+v"(r)
                 : "v"(4 * LANE), "s"(UNIFORM64(in)));
  out[13 * 64 + LANE] = r;
}

// Widths of 8, 12 and 16 bytes; out[k * 64 * 4 + 4 * lane + i].
kernel void wide(global uint4 *out, global const uchar *in) {
  global const uchar *at = in + 16 * LANE;
  uint2 two;
  uint3_ three;
  uint4 four;
  __asm volatile("global_load_dwordx2 %0, %1, off offset:4" WAIT : "=v"(two) : "v"(at));
  __asm volatile("global_load_dwordx3 %0, %1, off" WAIT : "=v"(three) : "v"(at));
  __asm volatile("flat_load_dwordx4 %0, %1" WAIT : "=v"(four) : "v"(at));
  out[LANE] = (uint4)(two.x, two.y, 0, 0);
  out[64 + LANE] = (uint4)(three.x, three.y, three.z, 0);
  __asm volatile("global_store_dwordx4 %0, %1, off" WAIT : : "v"(out + 128 + LANE), "v"(four));
  __asm volatile("global_store_dwordx2 %0, %1, off offset:8" WAIT
                 :
                 : "v"(out + 192 + LANE), "v"(two));
  __asm volatile("flat_store_dwordx3 %0, %1" WAIT : : "v"(out + 256 + LANE), "v"(three));
  __asm volatile("global_store_byte %0, %1, off offset:1" WAIT
                 :
                 : "v"(out + 320 + LANE), "v"(four.x));
  __asm volatile("global_store_byte_d16_hi %0, %1, off offset:2" WAIT
                 :
                 : "v"(out + 320 + LANE), "v"(four.x));
  __asm volatile("global_store_short %0, %1, off offset:4" WAIT
                 :
                 : "v"(out + 320 + LANE), "v"(four.y));
  __asm volatile("global_store_short_d16_hi %0, %1, off offset:8" WAIT
                 :
                 : "v"(out + 320 + LANE), "v"(four.y));
  __asm volatile("global_store_dword %0, %1, %2 offset:12" WAIT
                 :
                 : "v"((320 + LANE) * 16), "v"(four.z), "s"(UNIFORM64(out)));
}

// The descriptor covers 64 bytes (16 dwords) of `in`; lanes read dword pairs from 8 * lane on.
kernel void buffers(global uint *out, global const uint *in, global uint *written) {
  uint4 source = DESCRIPTOR(in, 64), sink = DESCRIPTOR(written, 100);
  uint r = 7;
  uint2 two = (uint2)(7, 7);
  uint offset = 8 * LANE;
  uint four = UNIFORM(4);
  __asm volatile("buffer_load_dword %0, %1, %2, 0 offen offset:4" WAIT
                 : "+v"(r)
                 : "v"(offset), "s"(source));
  out[LANE] = r;
  __asm volatile("buffer_load_dwordx2 %0, %1, %2, %3 offen" WAIT
                 : "+v"(two)
                 : "v"(offset), "s"(source), "s"(four));
  out[64 + LANE] = two.x;
  out[128 + LANE] = two.y;
  __asm volatile("buffer_load_ushort %0, %1, %2, 0 offen offset:2" WAIT
                 : "+v"(r)
                 : "v"(offset), "s"(source));
  out[192 + LANE] = r;
  __asm volatile("buffer_load_dword %0, off, %1, 0 offset:12" WAIT : "+v"(r) : "s"(source));
  out[256 + LANE] = r;
  __asm volatile("buffer_load_short_d16_hi %0, %1, %2, 0 offen" WAIT
                 : "+v"(r)
                 : "v"(offset), "s"(source));
  out[320 + LANE] = r;
  __asm volatile("buffer_store_dword %0, %1, %2, 0 offen" WAIT
                 :
                 : "v"(LANE + 1), "v"(4 * LANE), "s"(sink));
  r = 1000 + LANE;
  __asm volatile("buffer_atomic_add %0, %1, %2, 0 offen sc0" WAIT
                 : "+v"(r)
                 : "v"(4 * LANE), "s"(sink));
  out[384 + LANE] = r;
}

// Loads that go from memory to LDS: lane i's dword goes to M0 + 4 * i.
kernel void to_lds(global uint *out, global const uint *in) {
  local uint buffer[192];
  for (uint k = 0; k < 3; ++k)
    buffer[k * 64 + LANE] = 5;
  uint4 source = DESCRIPTOR(in, 4 * 60);
  uint at = (uint)(size_t)(local uchar *)buffer;
  __asm volatile("s_mov_b32 m0, %0\n buffer_load_dword %1, %2, 0 offen lds" WAIT
                 :
                 : "s"(UNIFORM(at)), "v"(4 * (63 - LANE)), "s"(source)
                 : "memory");
  __asm volatile("s_mov_b32 m0, %0\n global_load_lds_dword %1, off" WAIT
                 :
                 : "s"(UNIFORM(at + 256)), "v"(in + 2 * LANE)
                 : "memory");
  for (uint k = 0; k < 3; ++k)
    out[k * 64 + LANE] = buffer[k * 64 + LANE];
}

// LDS in all widths: reads from the lower half of `buffer`, writes to its upper half, which is then
// copied out.
#define PUT(k, v) out[(k) * 64 + LANE] = (v)
#define READ(k, text)                                                                              \
  r = s;                                                                                           \
  __asm volatile(text WAIT : "+v"(r) : "v"(at) : "memory");                                        \
  PUT(k, r)
#define READ_WIDE(result, text) __asm volatile(text WAIT : "=v"(result) : "v"(at) : "memory")

__attribute__((always_inline)) static void readWidths(global uint *out, uint at) {
  uint r, s = 0x33334444;
  uint2 two;
  uint3_ three;
  uint4 four;
  ulong2 pair;
  READ(0, "ds_read_u8 %0, %1 offset:1");
  READ(1, "ds_read_i8 %0, %1 offset:1");
  READ(2, "ds_read_u16 %0, %1 offset:2");
  READ(3, "ds_read_i16 %0, %1 offset:2");
  READ(4, "ds_read_u8_d16_hi %0, %1 offset:1");
  READ(5, "ds_read_i8_d16 %0, %1 offset:1");
  READ(6, "ds_read_u16_d16_hi %0, %1 offset:2");
  READ(7, "ds_read_b32 %0, %1 offset:4");
  READ_WIDE(two, "ds_read_b64 %0, %1 offset:8");
  PUT(8, two.x), PUT(9, two.y);
  READ_WIDE(three, "ds_read_b96 %0, %1");
  PUT(10, three.x), PUT(11, three.y), PUT(12, three.z);
  READ_WIDE(four, "ds_read_b128 %0, %1");
  PUT(13, four.x), PUT(14, four.y), PUT(15, four.z), PUT(16, four.w);
  READ_WIDE(two, "ds_read2_b32 %0, %1 offset0:1 offset1:3");
  PUT(17, two.x), PUT(18, two.y);
  READ_WIDE(two, "ds_read2st64_b32 %0, %1 offset0:0 offset1:2");
  PUT(19, two.x), PUT(20, two.y);
  READ_WIDE(pair, "ds_read2_b64 %0, %1 offset0:0 offset1:1");
  PUT(21, (uint)pair.x), PUT(22, (uint)(pair.x >> 32));
  PUT(23, (uint)pair.y), PUT(24, (uint)(pair.y >> 32));
}

__attribute__((always_inline)) static void writeWidths(uint to, uint v, uint w) {
  __asm volatile(
      "ds_write_b8 %0, %1 offset:1\n ds_write_b16 %0, %1 offset:2\n ds_write_b8_d16_hi %0, %1\n"
      "ds_write2_b32 %0, %1, %2 offset0:1 offset1:2\n ds_write_b16_d16_hi %0, %2 offset:12" WAIT
      :
      : "v"(to), "v"(v), "v"(w)
      : "memory");
  __asm volatile("ds_write_b64 %0, %1 offset:16" WAIT : : "v"(to), "v"((uint2)(v, w)) : "memory");
  __asm volatile("ds_write_b32 %0, %1 offset:24" WAIT : : "v"(to), "v"(w) : "memory");
}

kernel void lds(global uint *out, global const uint *in) {
  local uint buffer[2048];
  for (uint k = 0; k < 32; ++k)
    buffer[k * 64 + LANE] = in[k * 64 + LANE];
  uint base = (uint)(size_t)(local uchar *)buffer;
  readWidths(out, base + 16 * LANE);
  writeWidths(base + 4096 + 32 * LANE, in[LANE], in[64 + LANE]);
  for (uint k = 0; k < 8; ++k)
    PUT(25 + k, buffer[1024 + 8 * LANE + k]);
}

// One wave; lanes in groups of 8 share a dword (or a pair).
#define ATOMIC(k, text)                                                                            \
  {                                                                                                \
    uint old;                                                                                      \
    __asm volatile(text WAIT : "=v"(old) : "v"(memory + k * 8 + LANE / 8), "v"(v) : "memory");     \
    out[k * 64 + LANE] = old;                                                                      \
  }
kernel void atomics(global uint *out, global uint *memory, global const uint *in) {
  uint v = in[LANE];
  ATOMIC(0, "global_atomic_add %0, %1, %2, off sc0")
  ATOMIC(1, "global_atomic_sub %0, %1, %2, off sc0")
  ATOMIC(2, "global_atomic_smin %0, %1, %2, off sc0")
  ATOMIC(3, "global_atomic_umin %0, %1, %2, off sc0")
  ATOMIC(4, "global_atomic_smax %0, %1, %2, off sc0")
  ATOMIC(5, "global_atomic_umax %0, %1, %2, off sc0")
  ATOMIC(6, "global_atomic_and %0, %1, %2, off sc0")
  ATOMIC(7, "global_atomic_or %0, %1, %2, off sc0")
  ATOMIC(8, "global_atomic_xor %0, %1, %2, off sc0")
  ATOMIC(9, "global_atomic_swap %0, %1, %2, off sc0")
  ATOMIC(10, "global_atomic_inc %0, %1, %2, off sc0")
  ATOMIC(11, "global_atomic_dec %0, %1, %2, off sc0")
  ATOMIC(12, "flat_atomic_add %0, %1, %2 sc0")
  ATOMIC(13, "global_atomic_add_f32 %0, %1, %2, off sc0")
  ATOMIC(14, "global_atomic_pk_add_f16 %0, %1, %2, off sc0")
  ATOMIC(15, "global_atomic_pk_add_bf16 %0, %1, %2, off sc0")
}

kernel void atomics64(global ulong *out, global ulong *memory, global const ulong *in) {
  ulong v = in[LANE];
#define ATOMIC64(k, text)                                                                          \
  {                                                                                                \
    ulong old;                                                                                     \
    __asm volatile(text WAIT : "=v"(old) : "v"(memory + k * 8 + LANE / 8), "v"(v) : "memory");     \
    out[k * 64 + LANE] = old;                                                                      \
  }
  ATOMIC64(0, "global_atomic_add_x2 %0, %1, %2, off sc0")
  ATOMIC64(1, "global_atomic_smin_x2 %0, %1, %2, off sc0")
  ATOMIC64(2, "global_atomic_umax_x2 %0, %1, %2, off sc0")
  ATOMIC64(3, "global_atomic_xor_x2 %0, %1, %2, off sc0")
  ATOMIC64(4, "global_atomic_add_f64 %0, %1, %2, off sc0")
  ATOMIC64(5, "global_atomic_max_f64 %0, %1, %2, off sc0")
  ATOMIC64(6, "flat_atomic_min_f64 %0, %1, %2 sc0")
  ulong2 data = (ulong2)(v, memory[7 * 8 + LANE / 8]);
  ulong old;
  __asm volatile("global_atomic_cmpswap_x2 %0, %1, %2, off sc0" WAIT
                 : "=v"(old)
                 : "v"(memory + 7 * 8 + LANE / 8), "v"(data)
                 : "memory");
  out[7 * 64 + LANE] = old;
}

kernel void lds_atomics(global uint *out, global uint *memory, global const uint *in) {
  local uint buffer[128];
  buffer[LANE] = memory[LANE];
  buffer[64 + LANE] = memory[64 + LANE];
  uint base = (uint)(size_t)(local uchar *)buffer, v = in[LANE];
#define LDS_ATOMIC(k, text)                                                                        \
  {                                                                                                \
    uint old;                                                                                      \
    __asm volatile(text WAIT : "=v"(old) : "v"(base + 32 * k + LANE / 8 * 4), "v"(v) : "memory");  \
    out[k * 64 + LANE] = old;                                                                      \
  }
  LDS_ATOMIC(0, "ds_add_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(1, "ds_sub_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(2, "ds_min_rtn_i32 %0, %1, %2")
  LDS_ATOMIC(3, "ds_min_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(4, "ds_max_rtn_i32 %0, %1, %2")
  LDS_ATOMIC(5, "ds_max_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(6, "ds_and_rtn_b32 %0, %1, %2")
  LDS_ATOMIC(7, "ds_or_rtn_b32 %0, %1, %2")
  LDS_ATOMIC(8, "ds_xor_rtn_b32 %0, %1, %2")
  LDS_ATOMIC(9, "ds_wrxchg_rtn_b32 %0, %1, %2")
  LDS_ATOMIC(10, "ds_inc_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(11, "ds_dec_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(12, "ds_rsub_rtn_u32 %0, %1, %2")
  LDS_ATOMIC(13, "ds_add_rtn_f32 %0, %1, %2")
  LDS_ATOMIC(14, "ds_pk_add_rtn_f16 %0, %1, %2")
  LDS_ATOMIC(15, "ds_pk_add_rtn_bf16 %0, %1, %2")
  memory[LANE] = buffer[LANE];
  memory[64 + LANE] = buffer[64 + LANE];
}
