//===- NarrowFloatsTest.cpp - Narrow floats as vectors widen them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions widen narrow floats in other ways than conversions do: the bits are the same
// for all codes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/NarrowFloats.h"
#include "Emulator/Isa/Number/OcpFormats.h"
#include <gtest/gtest.h>
#include <vector>

using namespace ckemu;

static void compare(unsigned codes, float (*widen)(uint32_t), float (*convert)(uint8_t)) {
  for (unsigned code = 0; code < codes; ++code)
    EXPECT_EQ(bitsOf(widen(code)), bitsOf(convert(uint8_t(code)))) << code;
}

TEST(NarrowFloats, WidenAsConversionsDo) {
  compare(256, matrix::widenFp8, fp8ToFloat);
  compare(256, matrix::widenBf8, bf8ToFloat);
  compare(256, matrix::widenOcpFp8, ocpFp8ToFloat);
  compare(256, matrix::widenOcpBf8, ocpBf8ToFloat);
  compare(64, matrix::widenFp6, fp6ToFloat);
  compare(64, matrix::widenBf6, bf6ToFloat);
  compare(16, matrix::widenFp4, fp4ToFloat);
}

TEST(NarrowFloats, WidenHalves) {
  std::vector<uint32_t> words(1 << 15);
  for (uint32_t i = 0; i < words.size(); ++i)
    words[i] = (2 * i + 1) << 16 | 2 * i;
  for (unsigned first = 0; first < words.size(); first += 16) {
    float values[2][16]; // of the low and of the high halves
    matrix::widenHalves<16>(&words[first], values[0], values[1]);
    for (unsigned high = 0; high < 2; ++high)
      for (unsigned i = 0; i < 16; ++i) {
        const auto code = uint16_t(words[first + i] >> 16 * high);
        EXPECT_EQ(bitsOf(values[high][i]), bitsOf(static_cast<float>(halfOf(code)))) << code;
      }
  }
}
