//===- OcpFormats.h - The 8-bit floats of the Open Compute Project -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx950 and gfx12 compute with E4M3 and E5M2 as the OCP 8-bit Floating Point Specification (OFP8)
// defines them; gfx942's formats of the same names are others (Numeric.h).
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_NUMBER_OCPFORMATS_H
#define CK_MLIR_LIB_EMULATOR_ISA_NUMBER_OCPFORMATS_H

#include <cstdint>

namespace ckemu {

/// E4M3: bias 7, no infinities, 0x7f and 0xff are NaN, the largest number is 448.
float ocpFp8ToFloat(uint8_t bits);
/// E5M2: bias 15, infinities and NaNs as IEEE 754 has them, the largest number is 57344.
float ocpBf8ToFloat(uint8_t bits);
/// Rounding to nearest even. What overflows saturates to the largest number when `saturate`;
/// otherwise it is NaN in E4M3 and infinity in E5M2.
uint8_t floatToOcpFp8(float value, bool saturate);
uint8_t floatToOcpBf8(float value, bool saturate);

/// 6-bit floats with 2 (fp6) and 3 (bf6) exponent bits and 4-bit floats with 2, without infinities
/// and NaNs. Narrowing rounds to nearest even and saturates; NaNs must not come.
float fp6ToFloat(uint8_t bits);
float bf6ToFloat(uint8_t bits);
float fp4ToFloat(uint8_t bits);
uint8_t floatToFp6(float value);
uint8_t floatToBf6(float value);
uint8_t floatToFp4(float value);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_NUMBER_OCPFORMATS_H
