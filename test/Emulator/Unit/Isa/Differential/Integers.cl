//===- Integers.c - Integer kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic, shifts, division, comparisons, loops and private arrays of every integer type, and
// bit operations and wide products.
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

#define S I8
#define U U8
#define BITS 8
#include "Integers.inc"
#undef S
#undef U
#undef BITS
#define S I16
#define U U16
#define BITS 16
#include "Integers.inc"
#undef S
#undef U
#undef BITS
#define S I32
#define U U32
#define BITS 32
#include "Integers.inc"
#undef S
#undef U
#undef BITS
#define S I64
#define U U64
#define BITS 64
#include "Integers.inc"

ELEMENTWISE(bit_counts, U32, U32) {
  U32 r = (U32)__builtin_popcount(x) + (U32)__builtin_popcount(x & y) * 100;
  if (x)
    r += (U32)__builtin_clz(x) * 10000 + (U32)__builtin_ctz(x) * 1000000;
  return r + __builtin_bitreverse32(y);
}
ELEMENTWISE(bit_counts_64, U64, U64) {
  U64 r = (U64)__builtin_popcountl(x);
  if (x)
    r += (U64)__builtin_clzl(x) * 100 + (U64)__builtin_ctzl(x) * 10000;
  return r ^ __builtin_bitreverse64(y);
}
ELEMENTWISE(high_product, U32, U32) { return (U32)((U64)x * y >> 32); }
ELEMENTWISE(high_product_signed, I32, I32) { return (I32)((I64)x * y >> 32); }
ELEMENTWISE(high_product_64, U64, U64) { return (U64)((unsigned __int128)x * y >> 64); }
ELEMENTWISE(wide_sum, U32, U64) { return (U64)x * y + (U64)x + ((U64)y << 7); }
ELEMENTWISE(rotate, U32, U32) {
  U32 n = y & 31;
  return (x << n | x >> ((32 - n) & 31)) ^ __builtin_bswap32(y);
}
ELEMENTWISE(fields, U32, U32) {
  return (x >> 5 & 0x7ff) + ((U32)((I32)(x << 9) >> 21)) + (((x & 0xff00) | (y & ~0xff00u)) << 3);
}
ELEMENTWISE(bytes, U32, U32) {
  U32 r = 0;
  for (int k = 0; k < 4; ++k)
    r += (x >> 8 * k & 0xff) * (y >> 8 * (3 - k) & 0xff);
  return r + (U32)(I8)(x >> 16) + (U32)(I16)(y >> 8);
}
ELEMENTWISE(medians, I32, I32) {
  I32 low = x < y ? x : y, high = x < y ? y : x;
  I32 m = 100 < low ? low : 100 > high ? high : 100;
  return m ^ (low < -7 ? low : -7);
}
ELEMENTWISE(saturating, U32, U32) {
  return __builtin_elementwise_add_sat(x, y) ^ __builtin_elementwise_sub_sat(x, y);
}
ELEMENTWISE(saturating_signed, I32, I32) {
  return __builtin_elementwise_add_sat(x, y) ^ __builtin_elementwise_sub_sat(x, y);
}
ELEMENTWISE(saturating_16, I16, I16) {
  return __builtin_elementwise_add_sat(x, y) ^ __builtin_elementwise_sub_sat(x, y);
}
