//===- Control.c - Control flow and synchronization -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checksums, hashes, searches with a stack of their own, and workgroups that wait for each other.
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

CONSTANT U32 crcTable[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                             0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                             0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
static U64 mixed(U64 x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdul;
  x ^= x >> 29;
  return left_U64(x, x & 31) * 5;
}
/// Solutions of the queens problem on `n` columns whose first queen is in `first`.
static U32 queens(U32 n, U32 first) {
  U32 columns[12], row = 1, count = 0;
  columns[0] = first;
  columns[1] = 0;
  while (row) {
    bool free = columns[row] < n;
    for (U32 k = 0; free && k < row; ++k)
      free = columns[k] != columns[row] && columns[k] + row - k != columns[row] &&
             columns[row] + row - k != columns[k];
    if (free && row + 1 == n) {
      ++count;
      ++columns[row];
    } else if (free) {
      columns[++row] = 0;
    } else if (++columns[row] > n) {
      if (--row)
        ++columns[row];
    }
  }
  return count;
}
/// Sorts with a stack of ranges in private memory.
static U64 sorted(U32 *v, U32 n) {
  I32 stack[32], top = 0;
  stack[top++] = 0;
  stack[top++] = (I32)n - 1;
  while (top) {
    I32 high = stack[--top], low = stack[--top], i = low, j = high;
    if (low >= high)
      continue;
    U32 pivot = v[(low + high) / 2];
    while (i <= j) {
      while (v[i] < pivot)
        ++i;
      while (v[j] > pivot)
        --j;
      if (i <= j) {
        U32 t = v[i];
        v[i++] = v[j];
        v[j--] = t;
      }
    }
    stack[top++] = low;
    stack[top++] = j;
    stack[top++] = i;
    stack[top++] = high;
  }
  U64 sum = 0;
  for (U32 k = 0; k < n; ++k)
    sum = sum * 31 + v[k];
  return sum;
}
static U32 checksum(U64 word, U32 crc) {
  for (U32 k = 0; k < 16; ++k)
    crc = crcTable[(crc ^ (U32)(word >> (4 * k))) & 15] ^ crc >> 4;
  return crc;
}

#if DEVICE

KERNEL(crc, 128) {
  U32 gid = GROUP * 128 + TID, value = ~0u;
  for (U32 k = 0; k < 4; ++k)
    value = checksum(in[4 + gid * 4 + k], value);
  out[gid] = ~value;
}

KERNEL(hash, 64) {
  U32 gid = GROUP * 64 + TID;
  U64 value = gid;
  for (U32 k = 0; k < (in[4 + gid] & 63); ++k)
    value = mixed(value + in[4 + gid] * k);
  out[gid] = value;
}

KERNEL(placement, 64) { out[GROUP * 64 + TID] = queens(5 + (in[4 + TID] & 1), TID % 5); }

KERNEL(private_sort, 64) {
  U32 gid = GROUP * 64 + TID, v[16];
  for (U32 k = 0; k < 16; ++k)
    v[k] = (U32)(mixed(in[4 + gid] + k) >> 20);
  out[gid] = sorted(v, 3 + (U32)(in[4 + gid] & 7));
}

/// Groups take turns: each waits for its number, adds to a total and lets the next one.
KERNEL(turns, 64) {
  local U64 total;
  if (TID == 0) {
    while (__scoped_atomic_load_n(acc, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) != GROUP)
      __builtin_amdgcn_s_sleep(1);
    acc[1] = acc[1] * 3 + in[4 + GROUP * 64];
    total = acc[1];
    __scoped_atomic_store_n(acc, GROUP + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  }
  BARRIER();
  out[GROUP * 64 + TID] = total;
}

/// A lock that one work-item of each wave takes.
KERNEL(lock, 128) {
  if (LANE == 0) {
    U64 expected = 0;
    while (!__scoped_atomic_compare_exchange_n(acc, &expected, 1, false, __ATOMIC_ACQUIRE,
                                               __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) {
      expected = 0;
      __builtin_amdgcn_s_sleep(1);
    }
    acc[1] += in[4 + GROUP];
    acc[2] += 64 / WAVE == 2 ? 1 : 2;
    __scoped_atomic_store_n(acc, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  }
  out[GROUP * 128 + TID] = 0;
}

#else

#include "HostTwin.h"

#define HOST(name) static void name(const Machine *m, U64 *out, const U64 *in, U64 *acc, U8 *mem)

HOST(crc) {
  for (U32 i = 0; i < 256; ++i) {
    U32 value = ~0u;
    for (U32 k = 0; k < 256; ++k) { // bit by bit, without the table
      U32 bit = (U32)(in[4 + i * 4 + k / 64] >> (k % 64)) & 1;
      value = (value >> 1) ^ ((value ^ bit) & 1 ? 0xedb88320 : 0);
    }
    out[i] = ~value;
  }
}
HOST(hash) {
  for (U32 i = 0; i < 128; ++i) {
    out[i] = i;
    for (U32 k = 0; k < (in[4 + i] & 63); ++k)
      out[i] = mixed(out[i] + in[4 + i] * k);
  }
}
HOST(placement) {
  for (U32 i = 0; i < 64; ++i)
    out[i] = queens(5 + (in[4 + i] & 1), i % 5);
}
HOST(private_sort) {
  for (U32 i = 0; i < 64; ++i) {
    U32 v[16], n = 3 + (U32)(in[4 + i] & 7);
    for (U32 k = 0; k < 16; ++k)
      v[k] = (U32)(mixed(in[4 + i] + k) >> 20);
    for (U32 a = 0; a < n; ++a)
      for (U32 b = a + 1; b < n; ++b)
        if (v[b] < v[a]) {
          U32 t = v[a];
          v[a] = v[b];
          v[b] = t;
        }
    out[i] = 0;
    for (U32 k = 0; k < n; ++k)
      out[i] = out[i] * 31 + v[k];
  }
}
HOST(turns) {
  for (U32 group = 0; group < 5; ++group) {
    acc[1] = acc[1] * 3 + in[4 + group * 64];
    for (U32 i = 0; i < 64; ++i)
      out[group * 64 + i] = acc[1];
  }
  acc[0] = 5;
}
HOST(lock) {
  for (U32 group = 0; group < 4; ++group) {
    acc[1] += in[4 + group] * (128 / m->wave);
    acc[2] += 4;
  }
  memset(out, 0, 4 * 128 * 8);
}

const Program programs[] = {
    {"crc", "iiii", 2, 128, 1, 8, crc},         {"hash", "i", 2, 64, 1, 8, hash},
    {"placement", "i", 1, 64, 1, 8, placement}, {"private_sort", "i", 1, 64, 1, 8, private_sort},
    {"turns", "i", 5, 64, 1, 8, turns},         {"lock", "i", 4, 128, 1, 8, lock}};
const U32 programCount = sizeof programs / sizeof *programs;

#endif
