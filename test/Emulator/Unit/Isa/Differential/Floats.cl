//===- Floats.c - Floating-point kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of half, single and double precision, rounded the same on GPU and host: every
// operation is rounded once (no contraction), division and square root correctly.
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

ELEMENTWISE(sum_f32, float, float) { return x * y + x - y; }
ELEMENTWISE(quotient_f32, float, float) { return x / y; }
// Quotients around the smallest and the largest numbers.
ELEMENTWISE(small_quotient_f32, float, float) { return (x * 0x1p-70f) / (y * 0x1p62f); }
ELEMENTWISE(large_quotient_f32, float, float) { return (x * 0x1p90f) / (y * 0x1p-38f); }
ELEMENTWISE(small_quotient_f64, double, double) { return (x * 0x1p-600) / (y * 0x1p430); }
ELEMENTWISE(large_quotient_f64, double, double) { return (x * 0x1p600) / (y * 0x1p-424); }
ELEMENTWISE(root_f32, float, float) { return __builtin_sqrtf(__builtin_fabsf(x)) - y; }
ELEMENTWISE(fused_f32, float, float) { return __builtin_fmaf(x, y, -x); }
ELEMENTWISE(rounded_f32, float, float) {
  return __builtin_floorf(x) + __builtin_truncf(y) * 0.5f + __builtin_rintf(x) + __builtin_ceilf(y);
}
ELEMENTWISE(ordered_f32, float, float) {
  float r = x < y ? x : y;
  if (x >= 1.0f && y == y)
    r += 2.0f;
  if (!(x > y))
    r -= 1.0f;
  return x != x || y != y ? 7.0f : r;
}
ELEMENTWISE(scaled_f32, float, float) { return __builtin_ldexpf(x, y > 0 ? 20 : -20); }
ELEMENTWISE(sum_f64, double, double) { return x * y + x - y; }
ELEMENTWISE(quotient_f64, double, double) { return x / y; }
ELEMENTWISE(root_f64, double, double) { return __builtin_sqrt(__builtin_fabs(x)) - y; }
ELEMENTWISE(fused_f64, double, double) { return __builtin_fma(x, y, -x); }
ELEMENTWISE(rounded_f64, double, double) {
  return __builtin_floor(x) + __builtin_trunc(y) * 0.5 + __builtin_rint(x) + __builtin_ceil(y);
}
ELEMENTWISE(ordered_f64, double, double) {
  double r = x < y ? x : y;
  if (x >= 1.0 && y == y)
    r += 2.0;
  return x != x || y != y ? 7.0 : r;
}
ELEMENTWISE(sum_f16, Half, Half) {
  Half p = x * y;
  Half s = p + x;
  return s - y;
}
ELEMENTWISE(fused_f16, Half, Half) { return __builtin_fmaf16(x, y, -x); }
ELEMENTWISE(ordered_f16, Half, Half) {
  Half r = x < y ? x : y;
  if (x >= (Half)1.0f && y == y)
    r = r + (Half)2.0f;
  return x != x || y != y ? (Half)7.0f : r;
}

// NOLINTBEGIN(modernize-use-using): OpenCL C has no other way.
typedef Half Half2 __attribute__((ext_vector_type(2)));
typedef float Float2 __attribute__((ext_vector_type(2)));
typedef I16 Short2 __attribute__((ext_vector_type(2)));
// NOLINTEND(modernize-use-using)
ELEMENTWISE(packed_f16, Half2, Half2) {
  Half2 p = x * y.yx;
  Half2 s = p + x;
  return s - y;
}
ELEMENTWISE(packed_f32, Float2, Float2) {
  Float2 p = x * y.yx;
  Float2 s = p + x;
  return s - y;
}
ELEMENTWISE(packed_i16, Short2, Short2) {
  Short2 p = x * y.yx + x;
  p = p << (Short2)3;
  return (p > y ? p : y) - (x >> (Short2)2);
}

// Conversions. Those to integers are defined for numbers in range only.
static float bounded(float x, float low, float high) {
  return !(x > low) ? low : x < high ? x : high;
}
ELEMENTWISE(f32_to_i32, float, I32) {
  return (I32)bounded(x, -2e9f, 2e9f) ^ (I32)bounded(y, 0, 99);
}
ELEMENTWISE(f32_to_u32, float, U32) { return (U32)bounded(x, 0, 4e9f) ^ (U32)bounded(y, 0, 99); }
ELEMENTWISE(f32_to_i64, float, I64) { return (I64)bounded(x, -9e18f, 9e18f); }
ELEMENTWISE(f32_to_u64, float, U64) { return (U64)bounded(x, 0, 1.8e19f); }
ELEMENTWISE(f32_to_u8, float, U8) { return (U8)bounded(x, 0, 255); }
ELEMENTWISE(f32_to_f16, float, Half) { return (Half)x; }
ELEMENTWISE(f32_to_f64, float, double) { return (double)x * (double)y; }
ELEMENTWISE(f64_to_f32, double, float) { return (float)x; }
ELEMENTWISE(f64_to_i32, double, I32) { return (I32)(!(x > -2e9) ? -2e9 : x < 2e9 ? x : 2e9); }
ELEMENTWISE(f64_to_i64, double, I64) { return (I64)(!(x > -9e18) ? -9e18 : x < 9e18 ? x : 9e18); }
ELEMENTWISE(f16_to_f32, Half, float) { return (float)x * (float)y; }
ELEMENTWISE(f16_to_i32, Half, I32) { return (I32)bounded((float)x, -65504, 65504); }
ELEMENTWISE(i32_to_f32, I32, float) { return (float)x + (float)(U8)y; }
ELEMENTWISE(u32_to_f32, U32, float) { return (float)x; }
ELEMENTWISE(i64_to_f32, I64, float) { return (float)x; }
ELEMENTWISE(u64_to_f32, U64, float) { return (float)x; }
ELEMENTWISE(i32_to_f64, I32, double) { return (double)x * (double)y; }
ELEMENTWISE(u64_to_f64, U64, double) { return (double)x; }
ELEMENTWISE(i64_to_f64, I64, double) { return (double)x; }
ELEMENTWISE(i32_to_f16, I32, Half) { return (Half)(float)(x >> 16); }
ELEMENTWISE(i16_to_f16, I16, Half) { return (Half)x; }
