//===- NumberFormat.h - Element types as bits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values in f32/f64 to and from the bits of every element type, so that the judge's rounding is
// ours to read: one rounding, to nearest even, from the double to the target format.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_NUMBERFORMAT_H
#define CK_MLIR_REFERENCE_NUMBERFORMAT_H

#include "ck-mlir/Problem/DataType.h"
#include <cstdint>

namespace mlir::ck {

/// The two families of 8-bit floats. FNUZ (gfx942): bias 8 and 16, no infinity, no negative zero,
/// NaN is 0x80. OCP (gfx950, gfx12): e4m3fn (bias 7, no infinity, NaN 0x7f) and e5m2 (bias 15,
/// IEEE-like).
enum class Fp8Format : uint8_t { FNUZ, OCP };

/// The bits of `value` in `type`, in the low bytes. Rounds once, to nearest even. Integers saturate
/// (NaN becomes 0). FP8 and BF8 saturate finite values to the largest finite one, as the conversion
/// of Composable Kernel does; other floats overflow to infinity. Infinity becomes NaN in formats
/// without one.
uint32_t encode(double value, DataType type, Fp8Format fp8 = Fp8Format::FNUZ);

/// The value of `bits`, exact for every type.
double decode(uint32_t bits, DataType type, Fp8Format fp8 = Fp8Format::FNUZ);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_NUMBERFORMAT_H
