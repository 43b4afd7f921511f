// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call of MIOpen runs beside its GEMM kernel, for the judge of the model of time: batched
// transpositions with MIOpen's tiles, one element of a thread at a time, zero-fill and cast. Groups
// have 256 threads.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct {
  uint magic, shift;
} Divisor;

static uint divide(uint value, Divisor by) {
  return ((uint)(((ulong)value * by.magic) >> 32) + value) >> by.shift;
}

static void synchronize(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

typedef struct {
  uint batch, h, w;
} Tile;

static Tile getTile(uint columns, Divisor byRows, Divisor byColumns, uint rows) {
  uint group = __builtin_amdgcn_workgroup_id_x();
  uint row = divide(group, byColumns);
  uint batch = divide(row, byRows);
  Tile tile = {batch, row - batch * rows, group - row * columns};
  return tile;
}

// A tile of X columns and Y rows, both a multiple of 16, through LDS: a thread holds those of its
// elements that are 16 apart.
#define TRANSPOSE(X, Y, NAME, TYPE)                                                                \
  __attribute__((reqd_work_group_size(256, 1, 1))) kernel void transpose_##X##x##Y##_##NAME(       \
      global TYPE *dst, const global TYPE *src, uint height, uint width, uint rows, uint columns,  \
      Divisor byRows, Divisor byColumns) {                                                         \
    typedef struct __attribute__((aligned(sizeof(TYPE) * X * Y / 256))) {                          \
      TYPE of[X * Y / 256];                                                                        \
    } Part;                                                                                        \
    local Part parts[16 * 17];                                                                     \
    Tile tile = getTile(columns, byRows, byColumns, rows);                                         \
    uint thread = __builtin_amdgcn_workitem_id_x();                                                \
    uint low = thread & 15, high = thread >> 4;                                                    \
    uint w = tile.w * X + low, h = tile.h * Y + high;                                              \
    ulong batch = (ulong)tile.batch * height * width;                                              \
    Part part;                                                                                     \
    _Pragma("unroll") for (uint i = 0; i < X * Y / 256; ++i) {                                     \
      uint x = w + i % (X / 16) * 16, y = h + i / (X / 16) * 16;                                   \
      if (y < height && x < width)                                                                 \
        part.of[i] = src[batch + (ulong)y * width + x];                                            \
    }                                                                                              \
    parts[high * 17 + low] = part;                                                                 \
    synchronize();                                                                                 \
    part = parts[low * 17 + high];                                                                 \
    w = tile.w * X + high, h = tile.h * Y + low;                                                   \
    _Pragma("unroll") for (uint i = 0; i < X * Y / 256; ++i) {                                     \
      uint x = w + i % (X / 16) * 16, y = h + i / (X / 16) * 16;                                   \
      if (y < height && x < width)                                                                 \
        dst[batch + (ulong)x * height + y] = part.of[i];                                           \
    }                                                                                              \
  }

// A tile of 4 columns (or rows) and LONG rows (or columns), without LDS.
#define TRANSPOSE_THIN(LONG, NAME, TYPE)                                                           \
  __attribute__((reqd_work_group_size(256, 1, 1))) kernel void transpose_4x##LONG##_##NAME(        \
      global TYPE *dst, const global TYPE *src, uint height, uint width, uint rows, uint columns,  \
      Divisor byRows, Divisor byColumns) {                                                         \
    Tile tile = getTile(columns, byRows, byColumns, rows);                                         \
    uint thread = __builtin_amdgcn_workitem_id_x();                                                \
    ulong batch = (ulong)tile.batch * height * width;                                              \
    uint h = tile.h * LONG + thread % LONG, w = tile.w * 4 + thread / LONG * (LONG / 64);          \
    TYPE part[LONG / 64];                                                                          \
    _Pragma("unroll") for (uint i = 0; i < LONG / 64; ++i) if (h < height && w + i < width)        \
        part[i] = src[batch + (ulong)h * width + w + i];                                           \
    _Pragma("unroll") for (uint i = 0; i < LONG / 64; ++i) if (h < height && w + i < width)        \
        dst[batch + (ulong)(w + i) * height + h] = part[i];                                        \
  }                                                                                                \
  __attribute__((reqd_work_group_size(256, 1, 1))) kernel void transpose_##LONG##x4_##NAME(        \
      global TYPE *dst, const global TYPE *src, uint height, uint width, uint rows, uint columns,  \
      Divisor byRows, Divisor byColumns) {                                                         \
    Tile tile = getTile(columns, byRows, byColumns, rows);                                         \
    uint thread = __builtin_amdgcn_workitem_id_x();                                                \
    ulong batch = (ulong)tile.batch * height * width;                                              \
    uint w = tile.w * LONG + thread % LONG, h = tile.h * 4 + thread / LONG * (LONG / 64);          \
    TYPE part[LONG / 64];                                                                          \
    _Pragma("unroll") for (uint i = 0; i < LONG / 64; ++i) if (w < width && h + i < height)        \
        part[i] = src[batch + (ulong)(h + i) * width + w];                                         \
    _Pragma("unroll") for (uint i = 0; i < LONG / 64; ++i) if (w < width && h + i < height)        \
        dst[batch + (ulong)w * height + h + i] = part[i];                                          \
  }

#define FILL(NAME, TYPE)                                                                           \
  __attribute__((reqd_work_group_size(256, 1, 1))) kernel void fill_##NAME(                        \
      global TYPE *dst, TYPE value, uint count, uint threads) {                                    \
    uint place = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();       \
    for (; place < count; place += threads)                                                        \
      dst[place] = value;                                                                          \
  }

#define KERNELS(NAME, TYPE)                                                                        \
  TRANSPOSE(16, 16, NAME, TYPE)                                                                    \
  TRANSPOSE(16, 32, NAME, TYPE)                                                                    \
  TRANSPOSE(32, 16, NAME, TYPE)                                                                    \
  TRANSPOSE(32, 32, NAME, TYPE)                                                                    \
  TRANSPOSE_THIN(64, NAME, TYPE)                                                                   \
  TRANSPOSE_THIN(128, NAME, TYPE)                                                                  \
  TRANSPOSE_THIN(256, NAME, TYPE)                                                                  \
  FILL(NAME, TYPE)

KERNELS(2, ushort)
KERNELS(4, uint)

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void
cast_2(global half *dst, const global float *src, uint count, uint threads) {
  uint place = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
  for (; place < count; place += threads)
    dst[place] = (half)src[place];
}
