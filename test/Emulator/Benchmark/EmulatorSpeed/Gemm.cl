//===- Gemm.cl - A GEMM kernel to measure with -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GEMM in the style of a tuned implicit-GEMM kernel: C[M][N] = A[M][K] * B[N][K]^T in f16 with
// f32 accumulation, A and B seen through im2col (rows of `size` elements); a workgroup of 256
// work-items computes a 128x128 tile in steps of K = 32 through double-buffered LDS, each of its 4
// waves 64x64 with v_mfma_f32_32x32x8_f16. The address of each load is computed as an im2col view
// would compute it (divisions by constants), which gives about as many vector instructions per
// matrix instruction as a convolution has.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef float floatx16 __attribute__((ext_vector_type(16)));
typedef half halfx4 __attribute__((ext_vector_type(4)));
typedef uint uintx4 __attribute__((ext_vector_type(4)));

#define TILE 128
#define STEP 32
#define PAD 8
#define ROW (STEP + PAD)

uint viewOffset(uint row, uint k, uint size) {
  // Element k of a row is channel k % 40 at filter position k / 40 of 3 columns in an image that is
  // 14 wide.
  uint channel = k % 40, tap = k / 40;
  uint y = tap / 3, x = tap % 3;
  return row * size + (y * 14 + x) * 40 + channel;
}

void barrierLds() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void
gemm(global const half *a, global const half *b, global float *c, uint n, uint k, uint size) {
  local half tileA[2][TILE * ROW], tileB[2][TILE * ROW];
  uint item = __builtin_amdgcn_workitem_id_x();
  uint lane = item % 64, wave = item / 64;
  uint rowBase = __builtin_amdgcn_workgroup_id_y() * TILE;
  uint columnBase = __builtin_amdgcn_workgroup_id_x() * TILE;
  uint loadRow = item / 4, loadK = item % 4 * 8;
  uint waveRow = wave / 2 * 64, waveColumn = wave % 2 * 64;
  floatx16 acc[2][2] = {};
  uintx4 registersA[2], registersB[2];

  for (uint part = 0; part < 2; ++part) {
    uint row = loadRow + part * 64;
    registersA[part] = *(global const uintx4 *)&a[viewOffset(rowBase + row, loadK, size)];
    registersB[part] = *(global const uintx4 *)&b[viewOffset(columnBase + row, loadK, size)];
  }
  for (uint step = 0; step < k; step += STEP) {
    uint buffer = step / STEP % 2;
    for (uint part = 0; part < 2; ++part) {
      uint at = (loadRow + part * 64) * ROW + loadK;
      *(local uintx4 *)&tileA[buffer][at] = registersA[part];
      *(local uintx4 *)&tileB[buffer][at] = registersB[part];
    }
    barrierLds();
    uint next = step + STEP < k ? step + STEP : 0;
    for (uint part = 0; part < 2; ++part) {
      uint row = loadRow + part * 64;
      registersA[part] = *(global const uintx4 *)&a[viewOffset(rowBase + row, next + loadK, size)];
      registersB[part] =
          *(global const uintx4 *)&b[viewOffset(columnBase + row, next + loadK, size)];
    }
    for (uint inner = 0; inner < STEP; inner += 16) {
      union {
        uintx4 words;
        halfx4 halves[2];
      } x[2], y[2];
      for (uint block = 0; block < 2; ++block) {
        uint at = (block * 32 + lane % 32) * ROW + inner + lane / 32 * 8;
        x[block].words = *(local const uintx4 *)&tileA[buffer][waveRow * ROW + at];
        y[block].words = *(local const uintx4 *)&tileB[buffer][waveColumn * ROW + at];
      }
      for (uint h = 0; h < 2; ++h)
        for (uint i = 0; i < 2; ++i)
          for (uint j = 0; j < 2; ++j)
            acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x8f16(x[i].halves[h], y[j].halves[h],
                                                             acc[i][j], 0, 0, 0);
    }
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      for (uint r = 0; r < 16; ++r) {
        uint row = rowBase + waveRow + i * 32 + r / 4 * 8 + lane / 32 * 4 + r % 4;
        uint column = columnBase + waveColumn + j * 32 + lane % 32;
        c[row * n + column] = acc[i][j][r];
      }
}
