//===- Sharing.c - Work-items that share LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transpose, reduction, scan, histogram, sorting and compaction as users write them, with plain
// loops for the host.
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

#if DEVICE

KERNEL(transpose, 256) {
  local U32 tile[16][17];
  U32 tid = TID, x = tid % 16, y = tid / 16, row = GROUP / 2, column = GROUP % 2;
  in += 4;
  tile[y][x] = (U32)in[(row * 16 + y) * 32 + column * 16 + x];
  BARRIER();
  out[(column * 16 + y) * 32 + row * 16 + x] = tile[x][y];
}

KERNEL(block_sum, 256) {
  local U64 sums[256];
  U32 tid = TID, gid = GROUP * 256 + tid;
  U64 total = 0;
  for (U32 k = 0; k < 4; ++k)
    total += in[4 + gid * 4 + k] * (k + 1);
  sums[tid] = total;
  for (U32 step = 128; step; step /= 2) {
    BARRIER();
    if (tid < step)
      sums[tid] += sums[tid + step];
  }
  BARRIER();
  out[gid] = sums[0];
  if (tid == 0)
    (void)ATOMIC(U64, add, acc, sums[0]);
}

KERNEL(wave_sum, 192) {
  U32 gid = GROUP * 192 + TID;
  U32 sum = (U32)in[4 + gid];
  for (U32 step = 1; step < WAVE; step *= 2)
    sum += (U32)__builtin_amdgcn_ds_bpermute((I32)((LANE ^ step) * 4), (I32)sum);
  out[gid] = (U32)__builtin_amdgcn_readfirstlane(sum);
}

KERNEL(scan, 256) {
  local U32 buffer[2][256];
  U32 tid = TID, gid = GROUP * 256 + tid, from = 0;
  buffer[0][tid] = (U32)in[4 + gid];
  for (U32 step = 1; step < 256; step *= 2) {
    BARRIER();
    U32 value = buffer[from][tid];
    if (tid >= step)
      value += buffer[from][tid - step];
    from ^= 1;
    buffer[from][tid] = value;
  }
  out[gid] = buffer[from][tid];
}

KERNEL(histogram, 128) {
  local U32 bins[64];
  U32 tid = TID, gid = GROUP * 128 + tid;
  if (tid < 64)
    bins[tid] = 0;
  BARRIER();
  for (U32 k = 0; k < 8; ++k)
    (void)ATOMIC_LDS(U32, add, &bins[in[4 + gid * 8 + k] >> 5 & 63], 1);
  BARRIER();
  if (tid < 64)
    (void)ATOMIC(U64, add, acc + tid, bins[tid]);
  out[gid] = bins[tid % 64];
}

KERNEL(bitonic, 256) {
  local U64 keys[256];
  U32 tid = TID, gid = GROUP * 256 + tid;
  keys[tid] = in[4 + gid];
  for (U32 size = 2; size <= 256; size *= 2)
    for (U32 step = size / 2; step; step /= 2) {
      BARRIER();
      U32 other = tid ^ step;
      if (other > tid) {
        U64 a = keys[tid], b = keys[other];
        if ((a > b) == !(tid & size)) {
          keys[tid] = b;
          keys[other] = a;
        }
      }
    }
  BARRIER();
  out[gid] = keys[tid];
}

KERNEL(compaction, 128) {
  local U32 counts[4];
  U32 tid = TID, gid = GROUP * 128 + tid, wave = tid / WAVE;
  U64 value = in[4 + gid];
  bool keep = value % 3 != 0;
  U64 mask = BALLOT(keep);
  U32 before = MBCNT(mask, 0);
  if (LANE == 0)
    counts[wave] = (U32)__builtin_popcountl(mask);
  BARRIER();
  for (U32 w = 0; w < wave; ++w)
    before += counts[w];
  U64 *target = (U64 *)mem + GROUP * 128;
  if (keep)
    target[before] = value;
  out[gid] = before;
}

#else

#include "HostTwin.h"

#define HOST(name) static void name(const Machine *m, U64 *out, const U64 *in, U64 *acc, U8 *mem)

HOST(transpose) {
  for (U32 y = 0; y < 32; ++y)
    for (U32 x = 0; x < 32; ++x)
      out[x * 32 + y] = (U32)in[4 + y * 32 + x];
}
HOST(block_sum) {
  for (U32 group = 0; group < 3; ++group) {
    U64 sum = 0;
    for (U32 i = 0; i < 1024; ++i)
      sum += in[4 + group * 1024 + i] * (i % 4 + 1);
    for (U32 i = 0; i < 256; ++i)
      out[group * 256 + i] = sum;
    acc[0] += sum;
  }
}
HOST(wave_sum) {
  for (U32 first = 0; first < 384; first += m->rdna == 11 && m->wave == 64 ? 32 : m->wave) {
    // Waves of 64 lanes on gfx11 permute within their halves; lane 0 is read by all.
    U32 sum = 0, size = m->rdna == 11 && m->wave == 64 ? 32 : m->wave;
    for (U32 i = 0; i < size; ++i)
      sum += (U32)in[4 + first + i];
    if (size != m->wave) {
      U32 other = 0;
      for (U32 i = 0; i < size; ++i)
        other += (U32)in[4 + (first / 64 * 64) + i];
      sum = other * 2;
    }
    for (U32 i = 0; i < size; ++i)
      out[first + i] = sum;
  }
}
HOST(scan) {
  for (U32 i = 0; i < 512; ++i)
    out[i] = (U32)(in[4 + i] + (i % 256 ? out[i - 1] : 0));
}
HOST(histogram) {
  for (U32 group = 0; group < 3; ++group) {
    U64 bins[64] = {0};
    for (U32 i = 0; i < 1024; ++i)
      ++bins[in[4 + group * 1024 + i] >> 5 & 63];
    for (U32 i = 0; i < 128; ++i)
      out[group * 128 + i] = bins[i % 64];
    for (U32 i = 0; i < 64; ++i)
      acc[i] += bins[i];
  }
}
HOST(bitonic) {
  for (U32 i = 0; i < 512; ++i) {
    U32 place = i / 256 * 256;
    for (U32 k = i / 256 * 256, end = k + 256; k < end; ++k)
      place += in[4 + k] < in[4 + i] || (in[4 + k] == in[4 + i] && k < i);
    out[place] = in[4 + i];
  }
}
HOST(compaction) {
  for (U32 group = 0; group < 2; ++group)
    for (U32 i = 0, kept = 0; i < 128; ++i) {
      U64 value = in[4 + group * 128 + i];
      out[group * 128 + i] = kept;
      if (value % 3)
        ((U64 *)mem)[group * 128 + kept++] = value;
    }
}

const Program programs[] = {{"transpose", "i", 4, 256, 1, 8, transpose},
                            {"block_sum", "iiii", 3, 256, 1, 8, block_sum},
                            {"wave_sum", "i", 2, 192, 1, 8, wave_sum},
                            {"scan", "i", 2, 256, 1, 8, scan},
                            {"histogram", "iiiiiiii", 3, 128, 1, 8, histogram},
                            {"bitonic", "i", 2, 256, 1, 8, bitonic},
                            {"compaction", "i", 2, 128, 1, 8, compaction}};
const U32 programCount = sizeof programs / sizeof *programs;

#endif
