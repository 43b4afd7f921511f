//===- VopcTest.cpp - Tests of comparisons and conversions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of every type and predicate, the class test, and conversions.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

/// -1, 0, 1 for less, equal, greater, and 2 for unordered.
template <typename T>
static int order(T a, T b) {
  return a < b ? -1 : a == b ? 0 : a > b ? 1 : 2;
}

namespace {
struct Predicate {
  const char *name;
  bool less, equal, greater, unordered;
};
} // namespace
static constexpr Predicate kIntegerPredicates[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ne", true, false, true, false},
    {"ge", false, true, true, false},  {"t", true, true, true, false}};
static constexpr Predicate kFloatPredicates[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"lg", true, false, true, false},
    {"ge", false, true, true, false},  {"o", true, true, true, false},
    {"u", false, false, false, true},  {"nge", true, false, false, true},
    {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
    {"nle", false, false, true, true}, {"neq", true, false, true, true},
    {"nlt", false, true, true, true},  {"tru", true, true, true, true}};

static bool holds(const Predicate &p, int order) {
  return order == -1 ? p.less : order == 0 ? p.equal : order == 1 ? p.greater : p.unordered;
}

/// Compares v[2:3] with v[4:5] under all predicates; `orderOf` gives the order of a lane.
static void checkType(IsaWave &wave, const char *type, llvm::ArrayRef<Predicate> predicates,
                      bool wide, const std::function<int(unsigned)> &orderOf) {
  const LaneMask exec = 0xffff0fff12345678;
  const std::string operands = wide ? ", v[2:3], v[4:5]" : ", v2, v4";
  for (const Predicate &p : predicates) {
    LaneMask expected = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      expected |= LaneMask(exec >> lane & 1 && holds(p, orderOf(lane))) << lane;
    const std::string suffix = std::string(p.name) + "_" + type;
    wave.wave.setExec(exec);
    wave.run("v_cmp_" + suffix + " vcc" + operands + "\nv_cmp_" + suffix + " s[8:9]" + operands);
    ASSERT_EQ(wave.wave.vcc(), expected) << suffix;
    ASSERT_EQ(wave.s64(8), expected) << suffix;
    ASSERT_EQ(wave.wave.exec(), exec);
    wave.run("v_cmpx_" + suffix + " s[10:11]" + operands);
    ASSERT_EQ(wave.s64(10), expected) << suffix;
    ASSERT_EQ(wave.wave.exec(), expected) << suffix;
  }
}

TEST(VopcTest, AllTypesAndPredicates) {
  OperandSource source(31);
  IsaWave wave;
  for (unsigned round = 0; round < 6; ++round) {
    for (unsigned i = 2; i < 6; ++i)
      source.fill(wave.v(i));
    for (unsigned lane = 0; lane < kLanes; lane += 3) { // some equal operands
      wave.v(4)[lane] = wave.v(2)[lane];
      wave.v(5)[lane] = wave.v(3)[lane];
    }
    auto a = [&](unsigned lane) { return wave.v(2)[lane]; };
    auto b = [&](unsigned lane) { return wave.v(4)[lane]; };
    checkType(wave, "i16", kIntegerPredicates, false,
              [&](unsigned l) { return order(int16_t(a(l)), int16_t(b(l))); });
    checkType(wave, "u16", kIntegerPredicates, false,
              [&](unsigned l) { return order(U16(a(l)), U16(b(l))); });
    checkType(wave, "i32", kIntegerPredicates, false,
              [&](unsigned l) { return order(int32_t(a(l)), int32_t(b(l))); });
    checkType(wave, "u32", kIntegerPredicates, false,
              [&](unsigned l) { return order(a(l), b(l)); });
    checkType(wave, "i64", kIntegerPredicates, true,
              [&](unsigned l) { return order(int64_t(wave.v64(2, l)), int64_t(wave.v64(4, l))); });
    checkType(wave, "u64", kIntegerPredicates, true,
              [&](unsigned l) { return order(wave.v64(2, l), wave.v64(4, l)); });
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(2)[lane] = source.float32();
      wave.v(4)[lane] = lane % 3 ? source.float32() : wave.v(2)[lane];
    }
    checkType(wave, "f32", kFloatPredicates, false,
              [&](unsigned l) { return order(asFloat(a(l)), asFloat(b(l))); });
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(2)[lane] = source.float16();
      wave.v(4)[lane] = lane % 3 ? source.float16() : wave.v(2)[lane];
    }
    checkType(wave, "f16", kFloatPredicates, false,
              [&](unsigned l) { return order(halfToFloat(U16(a(l))), halfToFloat(U16(b(l)))); });
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.setV64(2, lane, source.float64());
      wave.setV64(4, lane, lane % 3 ? source.float64() : wave.v64(2, lane));
    }
    checkType(wave, "f64", kFloatPredicates, true, [&](unsigned l) {
      return order(asDouble(wave.v64(2, l)), asDouble(wave.v64(4, l)));
    });
  }
}

TEST(VopcTest, Classes) {
  IsaWave wave;
  // In the order of the class bits.
  const U32 singles[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                         0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f800000};
  const U16 halves[] = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001,
                        0x8000, 0x0000, 0x0001, 0x3c00, 0x7c00};
  const U64 doubles[] = {0x7ff0000000000001,
                         0x7ff8000000000000,
                         0xfff0000000000000,
                         0xbff0000000000000,
                         0x8000000000000001,
                         0x8000000000000000,
                         0,
                         1,
                         0x3ff0000000000000,
                         0x7ff0000000000000};
  for (unsigned lane = 0; lane < 10; ++lane) {
    wave.v(0)[lane] = singles[lane];
    wave.v(1)[lane] = halves[lane];
    wave.setV64(2, lane, doubles[lane]);
  }
  for (unsigned mask : {0x001u, 0x2aau, 0x155u, 0x3ffu, 0x204u}) {
    wave.s(4) = mask;
    wave.wave.setExec(0x3ff);
    wave.run("v_cmp_class_f32 s[6:7], v0, s4\nv_cmp_class_f16 s[8:9], v1, s4\n"
             "v_cmp_class_f64 s[10:11], v[2:3], s4");
    EXPECT_EQ(wave.s64(6), mask);
    EXPECT_EQ(wave.s64(8), mask);
    EXPECT_EQ(wave.s64(10), mask);
  }
}

/// Converts the bits in v2 (or v[2:3]) and compares v10 (or v[10:11]).
static void checkConversion(const char *name, unsigned wordsIn, unsigned wordsOut,
                            const std::function<U64(OperandSource &)> &draw,
                            const std::function<U64(U64)> &formula) {
  OperandSource source(33);
  IsaWave wave;
  const std::string text = std::string(name) + (wordsOut == 2 ? " v[10:11]" : " v10") +
                           (wordsIn == 2 ? ", v[2:3]" : ", v2");
  for (unsigned round = 0; round < 10; ++round) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      wave.setV64(2, lane, draw(source));
    wave.run(text);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const U64 in = wordsIn == 2 ? wave.v64(2, lane) : wave.v(2)[lane];
      const U64 got = wordsOut == 2 ? wave.v64(10, lane) : wave.v(10)[lane];
      ASSERT_EQ(got, formula(in)) << name << " of 0x" << std::hex << in;
    }
  }
}

template <typename T>
static U64 saturate(double value) {
  if (std::isnan(value))
    return 0;
  const double low = double(std::numeric_limits<T>::min()),
               high = double(std::numeric_limits<T>::max());
  return std::make_unsigned_t<T>(value <= low    ? std::numeric_limits<T>::min()
                                 : value >= high ? std::numeric_limits<T>::max()
                                                 : T(value));
}

TEST(VopConvertTest, Integers) {
  auto bits = [](OperandSource &s) -> U64 { return s.bits32(); };
  auto single = [](OperandSource &s) -> U64 { return s.float32(); };
  auto dbl = [](OperandSource &s) { return s.float64(); };
  auto hlf = [](OperandSource &s) -> U64 { return s.float16(); };
  checkConversion("v_cvt_f32_i32", 1, 1, bits, [](U64 a) { return asBits(float(int32_t(a))); });
  checkConversion("v_cvt_f32_u32", 1, 1, bits, [](U64 a) { return asBits(float(U32(a))); });
  checkConversion("v_cvt_f64_i32", 1, 2, bits, [](U64 a) { return asBits(double(int32_t(a))); });
  checkConversion("v_cvt_f64_u32", 1, 2, bits, [](U64 a) { return asBits(double(U32(a))); });
  checkConversion("v_cvt_i32_f32", 1, 1, single,
                  [](U64 a) { return saturate<int32_t>(asFloat(U32(a))); });
  checkConversion("v_cvt_u32_f32", 1, 1, single,
                  [](U64 a) { return saturate<U32>(asFloat(U32(a))); });
  checkConversion("v_cvt_i32_f64", 2, 1, dbl, [](U64 a) { return saturate<int32_t>(asDouble(a)); });
  checkConversion("v_cvt_u32_f64", 2, 1, dbl, [](U64 a) { return saturate<U32>(asDouble(a)); });
  checkConversion("v_cvt_flr_i32_f32", 1, 1, single,
                  [](U64 a) { return saturate<int32_t>(std::floor(double(asFloat(U32(a))))); });
  checkConversion("v_cvt_u16_f16", 1, 1, hlf,
                  [](U64 a) { return saturate<U16>(halfToFloat(U16(a))); });
  checkConversion("v_cvt_i16_f16", 1, 1, hlf,
                  [](U64 a) { return saturate<int16_t>(halfToFloat(U16(a))); });
  checkConversion("v_cvt_f16_u16", 1, 1, bits, [](U64 a) { return U64(halfBits(U16(a))); });
  checkConversion("v_cvt_f16_i16", 1, 1, bits, [](U64 a) { return U64(halfBits(int16_t(a))); });
  checkConversion("v_cvt_f32_ubyte2", 1, 1, bits,
                  [](U64 a) { return asBits(float(a >> 16 & 255)); });
  checkConversion("v_cvt_off_f32_i4", 1, 1, bits,
                  [](U64 a) { return asBits(float(int(a & 15) - (a & 8 ? 16 : 0)) / 16); });
}

TEST(VopConvertTest, Floats) {
  auto number = [](OperandSource &s) -> U64 {
    U32 bits = s.float32();
    return std::isnan(asFloat(bits)) ? 0 : bits;
  };
  auto finite = [](OperandSource &s) {
    U64 bits = s.float64();
    return std::isnan(asDouble(bits)) ? 0 : bits;
  };
  checkConversion("v_cvt_f16_f32", 1, 1, number,
                  [](U64 a) { return U64(halfBits(asFloat(U32(a)))); });
  checkConversion("v_cvt_f64_f32", 1, 2, number,
                  [](U64 a) { return asBits(double(asFloat(U32(a)))); });
  checkConversion("v_cvt_f32_f64", 2, 1, finite, [](U64 a) { return asBits(float(asDouble(a))); });
  auto half = [](OperandSource &s) -> U64 {
    U16 bits = s.float16();
    return (bits & 0x7fff) > 0x7c00 ? 0 : bits;
  };
  checkConversion("v_cvt_f32_f16", 1, 1, half, [](U64 a) { return asBits(halfToFloat(U16(a))); });
}

TEST(VopConvertTest, PackedTowardZero) {
  OperandSource source(35);
  IsaWave wave;
  for (unsigned round = 0; round < 20; ++round) {
    source.fillFloat(wave.v(1));
    source.fillFloat(wave.v(2));
    wave.run("v_cvt_pkrtz_f16_f32 v0, v1, v2\nv_cvt_pknorm_i16_f32 v3, v1, v2\n"
             "v_cvt_pknorm_u16_f32 v4, v1, v2");
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < 2; ++i) {
        const float a = asFloat(wave.v(1 + i)[lane]);
        if (std::isnan(a))
          continue;
        const U16 got = U16(wave.v(0)[lane] >> 16 * i);
        const float back = halfToFloat(got);
        const float above = std::isinf(back) ? INFINITY : halfToFloat(U16(got + 1));
        EXPECT_LE(std::fabs(back), std::fabs(a)) << a;
        EXPECT_EQ(std::signbit(back), std::signbit(a));
        if (std::fabs(a) < 65520 && !std::isinf(a))
          EXPECT_GT(std::fabs(above), std::fabs(a)) << a;
        const double clamped = std::max(-1.0, std::min(1.0, double(a)));
        EXPECT_EQ(int16_t(wave.v(3)[lane] >> 16 * i), std::nearbyint(clamped * 32767)) << a;
        EXPECT_EQ(U16(wave.v(4)[lane] >> 16 * i), std::nearbyint(std::max(0.0, clamped) * 65535));
      }
  }
}

/// All 256 values of an 8-bit format by its definition: value = (-1)^s 2^(e - bias) (1 + m), no
/// infinities, 0x80 is NaN.
static double eightBitValue(unsigned bits, unsigned mantissaBits, int bias) {
  if (bits == 0x80)
    return NAN;
  const int exponent = int(bits >> mantissaBits & (0x7f >> mantissaBits));
  const double m = double(bits & ((1u << mantissaBits) - 1)) / (1 << mantissaBits);
  const double magnitude = exponent ? std::ldexp(1 + m, exponent - bias) : std::ldexp(m, 1 - bias);
  return bits & 0x80 ? -magnitude : magnitude;
}

TEST(VopConvertTest, EightBitFloats) {
  IsaWave wave;
  const struct {
    const char *name;
    unsigned mantissaBits;
    int bias;
  } formats[] = {{"fp8", 3, 8}, {"bf8", 2, 16}};
  for (const auto &f : formats) {
    const std::string name = f.name;
    for (unsigned base = 0; base < 256; base += 64) {
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(1)[lane] = (base + lane) << 8 | 0x11;
      wave.run("v_cvt_f32_" + name + "_sdwa v2, v1 src0_sel:BYTE_1\n" + "v_cvt_pk_f32_" + name +
               " v[4:5], v1");
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const double expected = eightBitValue(base + lane, f.mantissaBits, f.bias);
        const float got = asFloat(wave.v(2)[lane]);
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(got));
        else
          EXPECT_EQ(got, expected) << name << " " << base + lane;
        EXPECT_EQ(asFloat(wave.v(4)[lane]), eightBitValue(0x11, f.mantissaBits, f.bias));
        if (!std::isnan(expected))
          EXPECT_EQ(asFloat(wave.v(5)[lane]), expected);
      }
    }
    // Back: the nearest value, ties to the even encoding.
    OperandSource source(36);
    for (unsigned round = 0; round < 40; ++round) {
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(1)[lane] =
            asBits(float(int32_t(source.bits32())) * 0x1p-28f * float(1 << source.bits32() % 12));
      broadcast(0xaaaabbbb, wave.v(2));
      wave.run("v_cvt_pk_" + name + "_f32 v2, v1, -v1 op_sel:[0,0,1]");
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const double a = asFloat(wave.v(1)[lane]);
        unsigned best = 0x80;
        double error = INFINITY;
        for (unsigned bits = 0; bits < 0x80; ++bits) {
          const double e = std::fabs(eightBitValue(bits, f.mantissaBits, f.bias) - std::fabs(a));
          if (e < error || (e == error && bits % 2 == 0)) {
            error = e;
            best = bits;
          }
        }
        const double largest = eightBitValue(0x7f, f.mantissaBits, f.bias);
        const double step = largest - eightBitValue(0x7e, f.mantissaBits, f.bias);
        if (std::fabs(a) >= largest + step / 2)
          best = 0x80;
        const unsigned sign = best && best != 0x80 ? 0x80 : 0;
        const unsigned low = best | (a < 0 ? sign : 0), high = best | (a > 0 ? sign : 0);
        EXPECT_EQ(wave.v(2)[lane], (high << 8 | low) << 16 | 0xbbbb) << name << " of " << a;
      }
    }
  }
}
