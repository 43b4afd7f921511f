//===- Portable.h - What programs need to be OpenCL C and C -----*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs of the differential tests are compiled for the GPU as OpenCL C and for the host as
// C. This gives both the same types and the operations that they use, each defined for every
// operand and free of what IEEE 754 leaves open: NaNs lose their payload where bits are looked at.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_DIFFERENTIAL_PORTABLE_H
#define CK_MLIR_TEST_DIFFERENTIAL_PORTABLE_H

#ifdef __OPENCL_C_VERSION__
#define DEVICE 1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half Half;
typedef uchar U8;
typedef ushort U16;
typedef uint U32;
typedef ulong U64;
typedef char I8;
typedef short I16;
typedef int I32;
typedef long I64;
#define GLOBAL global
#define LOCAL local
#define PRIVATE private
#define CONSTANT constant
#define AS(T, x) __builtin_astype(x, T)
#define FENCE(order, scope) __builtin_amdgcn_fence(order, scope)
#define BARRIER()                                                                                  \
  (FENCE(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(),                             \
   FENCE(__ATOMIC_ACQUIRE, "workgroup"))
#define ATOMIC(T, op, p, v)                                                                        \
  __scoped_atomic_fetch_##op(p, (T)(v), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define ATOMIC_LDS(T, op, p, v)                                                                    \
  __scoped_atomic_fetch_##op(p, (T)(v), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define ATOMIC_SWAP(p, v) __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define ATOMIC_CAS(p, expected, v)                                                                 \
  __scoped_atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,    \
                                     __MEMORY_SCOPE_DEVICE)
/// A kernel of `size` work-items per group; `extra` holds what its launch says.
#define KERNEL(name, size)                                                                         \
  kernel __attribute__((reqd_work_group_size(size, 1, 1))) void name(                              \
      GLOBAL U64 *out, GLOBAL const U64 *in, GLOBAL U64 *acc, GLOBAL U8 *mem)
#define TID __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#ifdef __GFX9__
#define GFX9 1
#endif
// WAVE, the lanes of a wave, is given on the command line.
#if WAVE == 64
#define BALLOT(x) __builtin_amdgcn_ballot_w64((x) & 1)
#else
#define BALLOT(x) __builtin_amdgcn_ballot_w32((x) & 1)
#endif
#define MBCNT(mask, base)                                                                          \
  __builtin_amdgcn_mbcnt_hi((U32)((mask) >> 32), __builtin_amdgcn_mbcnt_lo((U32)(mask), base))
#define LANE MBCNT(~0ul, 0)
// A cross-lane result that is needed here, with the lanes of here: LLVM 22.1 does not know that
// v_mov_b32 with dpp8 depends on the active lanes, and sinks it into the one branch that reads it.
#define PINNED(x)                                                                                  \
  ({                                                                                               \
    U32 pinned_ = (x);                                                                             \
    __asm__ volatile("" : "+v"(pinned_));                                                          \
    pinned_;                                                                                       \
  })
#else
#define DEVICE 0
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef _Float16 Half;
typedef uint8_t U8;
typedef uint16_t U16;
typedef uint32_t U32;
typedef unsigned long U64;
typedef int8_t I8;
typedef int16_t I16;
typedef int32_t I32;
typedef long I64;
#define GLOBAL
#define LOCAL
#define PRIVATE
#define CONSTANT const
#define AS(T, x)                                                                                   \
  ({                                                                                               \
    __typeof__(x) as_value = (x);                                                                  \
    T as_result;                                                                                   \
    memcpy(&as_result, &as_value, sizeof as_result);                                               \
    as_result;                                                                                     \
  })
#define HOST_add(a, b) ((a) + (b))
#define HOST_sub(a, b) ((a) - (b))
#define HOST_and(a, b) ((a) & (b))
#define HOST_or(a, b) ((a) | (b))
#define HOST_xor(a, b) ((a) ^ (b))
#define HOST_min(a, b) ((a) < (b) ? (a) : (b))
#define HOST_max(a, b) ((a) > (b) ? (a) : (b))
#define ATOMIC(T, op, p, v)                                                                        \
  ({                                                                                               \
    T *atomic_at = (p);                                                                            \
    T atomic_value = (T)(v), atomic_old = *atomic_at;                                              \
    *atomic_at = HOST_##op(atomic_old, atomic_value);                                              \
    atomic_old;                                                                                    \
  })
#define ATOMIC_LDS ATOMIC
#define ATOMIC_SWAP(p, v)                                                                          \
  ({                                                                                               \
    __typeof__(*(p)) swap_old = *(p);                                                              \
    *(p) = (v);                                                                                    \
    swap_old;                                                                                      \
  })
#define ATOMIC_CAS(p, expected, v)                                                                 \
  (*(p) == *(expected) ? (*(p) = (v), true) : (*(expected) = *(p), false))
#endif

#define NOINLINE __attribute__((noinline))
#if DEVICE
// LLVM 22.1 does not know that a wave reduction changes the SCC register, and keeps a condition in
// it; a call is known to.
#define REDUCTION(name)                                                                            \
  static NOINLINE U32 reduce_##name(U32 x) { return __builtin_amdgcn_wave_reduce_##name(x, 0); }
REDUCTION(add_u32)
REDUCTION(min_u32)
REDUCTION(max_u32)
REDUCTION(and_b32)
REDUCTION(or_b32)
REDUCTION(xor_b32)
#endif
#define VECTOR(T, n) typedef T T##x##n __attribute__((ext_vector_type(n)))
VECTOR(Half, 2);
VECTOR(Half, 4);
VECTOR(I16, 2);
VECTOR(U16, 2);
VECTOR(U8, 4);
VECTOR(I32, 2);
VECTOR(U32, 2);
VECTOR(I32, 4);
VECTOR(U32, 4);
VECTOR(U64, 2);
VECTOR(float, 2);
VECTOR(float, 4);
VECTOR(double, 2);
typedef struct {
  U32 v;
} __attribute__((packed)) PackedU32;
typedef struct {
  U64 v;
} __attribute__((packed)) PackedU64;

// Bits without the payload of NaNs, and numbers that are no signaling NaN.
static inline U16 bits_Half(Half x) { return x != x ? (U16)0x7e00 : AS(U16, x); }
static inline U32 bits_float(float x) { return x != x ? 0x7fc00000u : AS(U32, x); }
static inline U64 bits_double(double x) { return x != x ? 0x7ff8000000000000u : AS(U64, x); }
static inline Half of_Half(U64 v) {
  U16 b = (U16)((v & 0x7fff) > 0x7c00 ? 0x7e00 : v);
  return AS(Half, b);
}
static inline float of_float(U64 v) {
  U32 b = (U32)((v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v);
  return AS(float, b);
}
static inline double of_double(U64 v) {
  U64 b = (v & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : v;
  return AS(double, b);
}

// Conversions, divisions and remainders that are defined for all operands.
#define INTEGER_OPERATIONS(T, low, high, negative)                                                 \
  static inline T to_##T(double v) { return (T)(!(v > low) ? low : v < high ? v : high); }         \
  static inline T near_##T(float v) {                                                              \
    return (T)(!(v > (float)low * 0.99f) ? 0 : v < (float)high * 0.99f ? v : 1);                   \
  }                                                                                                \
  static NOINLINE T divide_##T(T a, T b) {                                                         \
    return b == 0 || (negative && b == (T) - 1) ? a : (T)(a / b);                                  \
  }                                                                                                \
  static NOINLINE T modulo_##T(T a, T b) {                                                         \
    return b == 0 || (negative && b == (T) - 1) ? a : (T)(a % b);                                  \
  }
INTEGER_OPERATIONS(U8, 0.0, 255.0, 0)
INTEGER_OPERATIONS(U16, 0.0, 65535.0, 0)
INTEGER_OPERATIONS(U32, 0.0, 4294967295.0, 0)
INTEGER_OPERATIONS(U64, 0.0, 18446744073709549568.0, 0)
INTEGER_OPERATIONS(I8, -128.0, 127.0, 1)
INTEGER_OPERATIONS(I16, -32768.0, 32767.0, 1)
INTEGER_OPERATIONS(I32, -2147483648.0, 2147483647.0, 1)
INTEGER_OPERATIONS(I64, -9223372036854775808.0, 9223372036854774784.0, 1)

// A fused multiply-add of halves rounds once; the host has none.
static inline Half fma_Half(Half a, Half b, Half c) {
#if DEVICE
  return __builtin_fmaf16(a, b, c);
#else
  double product = (double)a * (double)b, sum = product + (double)c;
  double back = sum - product, error = (product - (sum - back)) + ((double)c - back);
  U64 bits = AS(U64, sum);
  if (error == error && error != 0 && !(bits & 1)) // to odd, so that the next rounding is right
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return (Half)AS(double, bits);
#endif
}
static inline float fma_float(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fma_double(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline Halfx2 fma_Halfx2(Halfx2 a, Halfx2 b, Halfx2 c) {
#if DEVICE
  return __builtin_elementwise_fma(a, b, c);
#else
  return (Halfx2){fma_Half(a.x, b.x, c.x), fma_Half(a.y, b.y, c.y)};
#endif
}
#define FLOAT_OPERATIONS(T, fn, W)                                                                 \
  static inline T min_##T(T a, T b) { return a == b ? a : (T)__builtin_fmin##fn((W)a, (W)b); }     \
  static inline T max_##T(T a, T b) { return a == b ? a : (T)__builtin_fmax##fn((W)a, (W)b); }     \
  static inline T sign_##T(T a, T b) {                                                             \
    return (T)__builtin_copysign##fn((W)a, b != b ? (W)1 : (W)b);                                  \
  }                                                                                                \
  static inline T abs_##T(T a) { return (T)__builtin_fabs##fn((W)a); }                             \
  static inline T root_##T(T a) { return (T)__builtin_sqrt##fn((W)abs_##T(a)); }                   \
  static inline T floor_##T(T a) { return (T)__builtin_floor##fn((W)a); }                          \
  static inline T ceil_##T(T a) { return (T)__builtin_ceil##fn((W)a); }                            \
  static inline T trunc_##T(T a) { return (T)__builtin_trunc##fn((W)a); }                          \
  static inline T rint_##T(T a) { return (T)__builtin_rint##fn((W)a); }                            \
  static inline T round_##T(T a) { return (T)__builtin_round##fn((W)a); }
#if DEVICE
FLOAT_OPERATIONS(Half, f16, Half)
#else
FLOAT_OPERATIONS(Half, f, float) // exact, and the root of a float rounds like that of a half
#endif
FLOAT_OPERATIONS(float, f, float)
FLOAT_OPERATIONS(double, , double)
static inline float scale_float(float a, I32 n) { return __builtin_ldexpf(a, n % 200); }
static inline double scale_double(double a, I32 n) { return __builtin_ldexp(a, n % 1500); }
static inline double quotient_double(double a, double b) { return a / b; }
static inline float quotient_float(float a, float b) { return a / b; }
static inline Half quotient_Half(Half a, Half b) { return a / b; }

// Bit operations that OpenCL C has no operator for.
#define COUNT_OPERATIONS(T, n)                                                                     \
  static inline T clz_##T(T a) { return (T)__builtin_clzg(a, n); }                                 \
  static inline T ctz_##T(T a) { return (T)__builtin_ctzg(a, n); }                                 \
  static inline T ones_##T(T a) { return (T)__builtin_popcountg(a); }                              \
  static inline T reverse_##T(T a) { return __builtin_bitreverse##n(a); }                          \
  static inline T left_##T(T a, T b) { return __builtin_rotateleft##n(a, b); }                     \
  static inline T right_##T(T a, T b) { return __builtin_rotateright##n(a, b); }
COUNT_OPERATIONS(U8, 8)
COUNT_OPERATIONS(U16, 16)
COUNT_OPERATIONS(U32, 32)
COUNT_OPERATIONS(U64, 64)
static inline U16 swap_U16(U16 a) { return __builtin_bswap16(a); }
static inline U32 swap_U32(U32 a) { return __builtin_bswap32(a); }
#if DEVICE && !defined(__OPTIMIZE__)
// LLVM 22.1 loses the upper half of a register in the 64-bit swap of gfx11 at -O0.
static inline U64 swap_U64(U64 a) { return (U64)swap_U32((U32)a) << 32 | swap_U32((U32)(a >> 32)); }
#else
static inline U64 swap_U64(U64 a) { return __builtin_bswap64(a); }
#endif

// Instructions by builtin on the GPU, by definition on the host.
#if DEVICE
#define TWIN(result, name, parameters, builtin, ...)                                               \
  static inline result name parameters { return builtin; }
#else
#define TWIN(result, name, parameters, builtin, ...)                                               \
  static inline result name parameters { __VA_ARGS__ }
#endif
static inline U32 byteOf(U32 x, U32 i) { return x >> (8 * i) & 255; }
static inline U32 difference(U32 a, U32 b) { return a > b ? a - b : b - a; }
TWIN(U32, op_ubfe, (U32 a, U32 b, U32 c), __builtin_amdgcn_ubfe(a, b, c),
     return a >> (b & 31) & ((1u << (c & 31)) - 1);)
TWIN(I32, op_sbfe, (I32 a, U32 b, U32 c), __builtin_amdgcn_sbfe(a, b, c), U32 at = b & 31,
     width = c & 31;
     if (width == 0) return 0; if (at + width >= 32) return a >> at;
     return (I32)((U32)a << (32 - at - width)) >> (32 - width);)
TWIN(U32, op_alignbit, (U32 a, U32 b, U32 c), __builtin_amdgcn_alignbit(a, b, c),
     return (U32)(((U64)a << 32 | b) >> (c & 31));)
TWIN(U32, op_alignbyte, (U32 a, U32 b, U32 c), __builtin_amdgcn_alignbyte(a, b, c),
     return (U32)(((U64)a << 32 | b) >> (8 * (c & 3)));)
TWIN(
    U32, op_perm, (U32 a, U32 b, U32 c), __builtin_amdgcn_perm(a, b, c), U64 all = (U64)a << 32 | b;
    U32 result = 0; for (U32 i = 0; i < 4; ++i) {
      U32 select = byteOf(c, i);
      U32 byte = select >= 13   ? 255
                 : select == 12 ? 0
                 : select >= 8  ? (all >> (16 * (select - 8) + 15) & 1 ? 255 : 0)
                                : (U32)(all >> (8 * select)) & 255;
      result |= byte << (8 * i);
    } return result;)
TWIN(U32, op_sad_u8, (U32 a, U32 b, U32 c), __builtin_amdgcn_sad_u8(a, b, c),
     for (U32 i = 0; i < 4; ++i) c += difference(byteOf(a, i), byteOf(b, i));
     return c;)
TWIN(U32, op_msad_u8, (U32 a, U32 b, U32 c), __builtin_amdgcn_msad_u8(a, b, c),
     for (U32 i = 0; i < 4; ++i) c += byteOf(b, i) ? difference(byteOf(a, i), byteOf(b, i)) : 0;
     return c;)
TWIN(U32, op_sad_u16, (U32 a, U32 b, U32 c), __builtin_amdgcn_sad_u16(a, b, c),
     return c + difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16);)
TWIN(U32, op_sad_hi_u8, (U32 a, U32 b, U32 c), __builtin_amdgcn_sad_hi_u8(a, b, c), U32 sum = 0;
     for (U32 i = 0; i < 4; ++i) sum += difference(byteOf(a, i), byteOf(b, i));
     return c + (sum << 16);)
TWIN(U32, op_lerp, (U32 a, U32 b, U32 c), __builtin_amdgcn_lerp(a, b, c), U32 result = 0;
     for (U32 i = 0; i < 4; ++i) result |=
     (byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1 << (8 * i);
     return result;)
TWIN(U32, op_udot4, (U32 a, U32 b, U32 c), __builtin_amdgcn_udot4(a, b, c, false),
     for (U32 i = 0; i < 4; ++i) c += byteOf(a, i) * byteOf(b, i);
     return c;)
TWIN(U32, op_udot8, (U32 a, U32 b, U32 c), __builtin_amdgcn_udot8(a, b, c, false),
     for (U32 i = 0; i < 32; i += 4) c += (a >> i & 15) * (b >> i & 15);
     return c;)
static inline float median(float a, float b, float c) {
  float low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}
TWIN(float, op_fmed3, (float a, float b, float c),
     (a != a || b != b || c != c ? 2.0f : __builtin_amdgcn_fmed3f(a, b, c)) + 0.0f,
     return (a != a || b != b || c != c ? 2.0f : median(a, b, c)) + 0.0f;)
#if DEVICE
static inline U32 op_pkrtz(float a, float b) {
  Halfx2 pair = __builtin_astype(__builtin_amdgcn_cvt_pkrtz(a, b), Halfx2);
  return bits_Half(pair.x) | (U32)bits_Half(pair.y) << 16;
}
#else
static inline U32 towardZero(float a) {
  Half h = (Half)a;
  U32 bits = bits_Half(h);
  bool larger = __builtin_fabsf((float)h) > __builtin_fabsf(a);
  return larger ? bits - 1 : bits;
}
static inline U32 op_pkrtz(float a, float b) { return towardZero(a) | towardZero(b) << 16; }
#endif
TWIN(float, op_fract, (float a), a != a || a - a != 0 ? 0.25f : __builtin_amdgcn_fractf(a),
     if (a != a || a - a != 0) return 0.25f;
     float f = a - __builtin_floorf(a); return f < 1 ? f : 0x1.fffffep-1f;)
TWIN(I32, op_exponent, (float a), a != a || a - a != 0 ? 99 : __builtin_amdgcn_frexp_expf(a),
     int n = 0;
     if (a != a || a - a != 0) return 99; (void)__builtin_frexpf(a, &n); return n;)
TWIN(float, op_mantissa, (float a), a != a || a - a != 0 ? 99.0f : __builtin_amdgcn_frexp_mantf(a),
     int n;
     if (a != a || a - a != 0) return 99.0f; return __builtin_frexpf(a, &n);)
static inline U32 op_class(float a) {
#if DEVICE
  return (__builtin_amdgcn_classf(a, 0x003) ? 1 : 0) | (__builtin_amdgcn_classf(a, 0x204) ? 2 : 0) |
         (__builtin_amdgcn_classf(a, 0x090) ? 4 : 0) | (__builtin_amdgcn_classf(a, 0x060) ? 8 : 0);
#else
  float magnitude = __builtin_fabsf(a);
  bool tiny = magnitude > 0 && magnitude < 0x1p-126f, negative = AS(U32, a) >> 31;
  return (a != a ? 1 : 0) | (magnitude > 0x1.fffffep127f ? 2 : 0) | (tiny ? 4 : 0) |
         (magnitude == 0 ? 8 : 0);
#endif
}
static inline U32 dot4(U32 a, U32 b, U32 c) {
  for (U32 i = 0; i < 4; ++i)
    c += byteOf(a, i) * byteOf(b, i);
#if DEVICE // LLVM 22.1 takes what is subtracted from the sum for a summand of the dot product
  __asm__("" : "+v"(c));
#endif
  return c;
}
static inline U32 product24(U32 a, U32 b) { return (a & 0xffffff) * (b & 0xffffff); }
static inline I32 product24s(I32 a, I32 b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
static inline U32 high_U32(U32 a, U32 b) { return (U32)((U64)a * b >> 32); }
static inline I32 high_I32(I32 a, I32 b) { return (I32)((I64)a * b >> 32); }
static inline U64 mad_U64(U32 a, U32 b, U64 c) { return (U64)a * b + c; }

#endif // CK_MLIR_TEST_DIFFERENTIAL_PORTABLE_H
