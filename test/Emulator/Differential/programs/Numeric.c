//===- Numeric.c - Numeric kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point kernels whose operations have a fixed order, so that results are the same to the
// last bit: a matrix product, an FFT, a stencil, dot products, iterations that end at different
// times.
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

static float number(U64 bits) { return (float)(I32)(bits & 0xffff) * 0.125f - 1000.0f; }
static double precise(U64 bits) { return (double)(I64)(bits >> 8) * 0x1p-30 + 1.0 / 3.0; }
static U32 escape(float x, float y) {
  float a = 0, b = 0;
  U32 n = 0;
  while (n < 100 && a * a + b * b < 4.0f) {
    float t = a * a - b * b + x;
    b = 2.0f * a * b + y;
    a = t;
    ++n;
  }
  return n;
}
/// The cube root by Newton's method, until it stops changing.
static double cubeRoot(double x) {
  double r = x;
  for (U32 k = 0; k < 60; ++k) {
    double next = (2.0 * r + x / (r * r)) / 3.0;
    if (next == r)
      break;
    r = next;
  }
  return r;
}

#if DEVICE

KERNEL(product, 256) {
  local float a[16][16], b[16][17];
  U32 tid = TID, x = tid % 16, y = tid / 16, row = GROUP / 2, column = GROUP % 2;
  float sum = 0;
  in += 4;
  for (U32 k = 0; k < 32; k += 16) {
    a[y][x] = number(in[((row * 16 + y) * 32 + k + x) * 2]);
    b[y][x] = number(in[((k + y) * 32 + column * 16 + x) * 2 + 1]);
    BARRIER();
    for (U32 i = 0; i < 16; ++i)
      sum += a[y][i] * b[i][x];
    BARRIER();
  }
  out[(row * 16 + y) * 32 + column * 16 + x] = bits_float(sum);
}

KERNEL(half_product, 64) {
  local Halfx2 a[8][8], b[8][8];
  U32 tid = TID, x = tid % 8, y = tid / 8;
  in += 4 + GROUP * 128;
  a[y][x] = (Halfx2){(Half)number(in[tid * 2] & 0xfff), (Half)0.5};
  b[y][x] = (Halfx2){(Half)(number(in[tid * 2 + 1]) * 0.0001f), (Half)-2.0};
  BARRIER();
  Halfx2 sum = {(Half)0, (Half)0};
  for (U32 i = 0; i < 8; ++i)
    sum = fma_Halfx2(a[y][i], b[i][x], sum);
  out[GROUP * 64 + tid] = bits_Half(sum.x) | (U32)bits_Half(sum.y) << 16;
}

KERNEL(fourier, 128) {
  local floatx2 data[256], turn[128];
  U32 tid = TID;
  in += 4 + GROUP * 128 * 6;
  turn[tid] = (floatx2){number(in[tid * 6]) * 0.001f, number(in[tid * 6 + 1]) * 0.001f};
  for (U32 k = 0; k < 2; ++k)
    data[reverse_U8((U8)(tid * 2 + k))] =
        (floatx2){number(in[tid * 6 + 2 + 2 * k]), number(in[tid * 6 + 3 + 2 * k])};
  for (U32 half_ = 1; half_ < 256; half_ *= 2) {
    BARRIER();
    U32 at = tid % half_, low = tid / half_ * half_ * 2 + at, high = low + half_;
    floatx2 w = turn[at * (128 / half_)], u = data[low], v = data[high];
    floatx2 p = {w.x * v.x - w.y * v.y, w.x * v.y + w.y * v.x};
    data[low] = u + p;
    data[high] = u - p;
  }
  BARRIER();
  out[(GROUP * 128 + tid) * 2] = bits_float(data[tid].x) | (U64)bits_float(data[tid].y) << 32;
  out[(GROUP * 128 + tid) * 2 + 1] =
      bits_float(data[tid + 128].x) | (U64)bits_float(data[tid + 128].y) << 32;
}

KERNEL(stencil, 256) {
  local float grid[2][18][18];
  U32 tid = TID, x = tid % 16 + 1, y = tid / 16 + 1, from = 0;
  for (U32 i = tid; i < 2 * 18 * 18; i += 256)
    ((LOCAL float *)grid)[i] = 0;
  BARRIER();
  grid[0][y][x] = number(in[4 + GROUP * 256 + tid]);
  for (U32 step = 0; step < 6; ++step) {
    BARRIER();
    LOCAL float (*g)[18] = grid[from];
    float next = g[y][x] * 0.5f + (g[y - 1][x] + g[y + 1][x]) * 0.125f +
                 (g[y][x - 1] + g[y][x + 1]) * 0.125f;
    from ^= 1;
    grid[from][y][x] = next;
  }
  out[GROUP * 256 + tid] = bits_float(grid[from][y][x]);
}

/// The group that ends last adds the sums of all groups in order.
KERNEL(dot, 128) {
  local double sums[128];
  local U32 last;
  U32 tid = TID, gid = GROUP * 128 + tid;
  sums[tid] = precise(in[4 + gid * 2]) * precise(in[4 + gid * 2 + 1]);
  for (U32 step = 64; step; step /= 2) {
    BARRIER();
    if (tid < step)
      sums[tid] += sums[tid + step];
  }
  if (tid == 0) {
    acc[8 + GROUP] = bits_double(sums[0]);
    FENCE(__ATOMIC_RELEASE, "agent");
    last = ATOMIC(U64, add, acc, 1) == 3;
    FENCE(__ATOMIC_ACQUIRE, "agent");
  }
  BARRIER();
  if (last && tid == 0) {
    double total = 0;
    for (U32 g = 0; g < 4; ++g)
      total += of_double(acc[8 + g]);
    acc[1] = bits_double(total);
  }
  out[gid] = bits_double(sums[0]);
}

KERNEL(fractal, 100) {
  U32 gid = GROUP * 100 + TID;
  out[gid] = escape(number(in[4 + gid * 2]) * 0.0005f, number(in[4 + gid * 2 + 1]) * 0.0005f);
}

KERNEL(roots, 64) {
  U32 gid = GROUP * 64 + TID;
  double x = precise(in[4 + gid]);
  out[gid * 2] = bits_double(cubeRoot(x));
  out[gid * 2 + 1] = bits_double(root_double(x) / (1.0 + x * x));
}

#else

#include "HostTwin.h"

#define HOST(name) static void name(const Machine *m, U64 *out, const U64 *in, U64 *acc, U8 *mem)

HOST(product) {
  for (U32 y = 0; y < 32; ++y)
    for (U32 x = 0; x < 32; ++x) {
      float sum = 0;
      for (U32 k = 0; k < 32; ++k)
        sum += number(in[4 + (y * 32 + k) * 2]) * number(in[4 + (k * 32 + x) * 2 + 1]);
      out[y * 32 + x] = bits_float(sum);
    }
}
HOST(half_product) {
  for (U32 group = 0; group < 2; ++group, in += 128)
    for (U32 i = 0; i < 64; ++i) {
      Half first = 0, second = 0;
      for (U32 k = 0; k < 8; ++k) {
        Half a = (Half)number(in[4 + (i / 8 * 8 + k) * 2] & 0xfff);
        Half b = (Half)(number(in[4 + (k * 8 + i % 8) * 2 + 1]) * 0.0001f);
        first = fma_Half(a, b, first);
        second = fma_Half((Half)0.5, (Half)-2.0, second);
      }
      out[group * 64 + i] = bits_Half(first) | (U32)bits_Half(second) << 16;
    }
}
HOST(fourier) {
  for (U32 group = 0; group < 2; ++group) {
    const U64 *from = in + 4 + group * 128 * 6;
    float re[256], im[256];
    for (U32 i = 0; i < 256; ++i) {
      re[reverse_U8((U8)i)] = number(from[i / 2 * 6 + 2 + i % 2 * 2]);
      im[reverse_U8((U8)i)] = number(from[i / 2 * 6 + 3 + i % 2 * 2]);
    }
    for (U32 length = 2; length <= 256; length *= 2)
      for (U32 start = 0; start < 256; start += length)
        for (U32 k = 0; k < length / 2; ++k) {
          U32 w = k * (256 / length), low = start + k, high = low + length / 2;
          float c = number(from[w * 6]) * 0.001f, s = number(from[w * 6 + 1]) * 0.001f;
          float x = c * re[high] - s * im[high], y = c * im[high] + s * re[high];
          float a = re[low], b = im[low];
          re[low] = a + x, im[low] = b + y;
          re[high] = a - x, im[high] = b - y;
        }
    for (U32 i = 0; i < 256; ++i)
      out[group * 256 + i % 128 * 2 + i / 128] = bits_float(re[i]) | (U64)bits_float(im[i]) << 32;
  }
}
HOST(stencil) {
  for (U32 group = 0; group < 2; ++group) {
    float now[18][18] = {{0}}, next[18][18] = {{0}};
    for (U32 i = 0; i < 256; ++i)
      now[i / 16 + 1][i % 16 + 1] = number(in[4 + group * 256 + i]);
    for (U32 step = 0; step < 6; ++step) {
      for (U32 y = 1; y < 17; ++y)
        for (U32 x = 1; x < 17; ++x)
          next[y][x] = now[y][x] * 0.5f + (now[y - 1][x] + now[y + 1][x]) * 0.125f +
                       (now[y][x - 1] + now[y][x + 1]) * 0.125f;
      memcpy(now, next, sizeof now);
    }
    for (U32 i = 0; i < 256; ++i)
      out[group * 256 + i] = bits_float(now[i / 16 + 1][i % 16 + 1]);
  }
}
static double treeSum(const double *values, U32 first, U32 stride, U32 count) {
  if (count == 1)
    return values[first];
  // Item i of a step takes that of i + step: the halves are the even and odd ones of the last.
  return treeSum(values, first, stride * 2, count / 2) +
         treeSum(values, first + stride, stride * 2, count / 2);
}
HOST(dot) {
  double total = 0;
  for (U32 group = 0; group < 4; ++group) {
    double terms[128];
    for (U32 i = 0; i < 128; ++i) {
      U32 gid = group * 128 + i;
      terms[i] = precise(in[4 + gid * 2]) * precise(in[4 + gid * 2 + 1]);
    }
    double sum = treeSum(terms, 0, 1, 128);
    for (U32 i = 0; i < 128; ++i)
      out[group * 128 + i] = bits_double(sum);
    acc[8 + group] = bits_double(sum);
    total += sum;
  }
  acc[0] = 4;
  acc[1] = bits_double(total);
}
HOST(fractal) {
  for (U32 i = 0; i < 300; ++i)
    out[i] = escape(number(in[4 + i * 2]) * 0.0005f, number(in[4 + i * 2 + 1]) * 0.0005f);
}
HOST(roots) {
  for (U32 i = 0; i < 128; ++i) {
    double x = precise(in[4 + i]);
    out[i * 2] = bits_double(cubeRoot(x));
    out[i * 2 + 1] = bits_double(root_double(x) / (1.0 + x * x));
  }
}

const Program programs[] = {{"product", "ii", 4, 256, 1, 8, product},
                            {"half_product", "ii", 2, 64, 1, 8, half_product},
                            {"fourier", "iiiiii", 2, 128, 2, 8, fourier},
                            {"stencil", "i", 2, 256, 1, 8, stencil},
                            {"dot", "ii", 4, 128, 1, 8, dot},
                            {"fractal", "ii", 3, 100, 1, 8, fractal},
                            {"roots", "i", 2, 64, 2, 8, roots}};
const U32 programCount = sizeof programs / sizeof *programs;

#endif
