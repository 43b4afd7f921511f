//===- DataType.h - Element types of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types as users name them in problem strings. Plain values without MLIR, so that the
// reference, the runtime and the tools share them with the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_PROBLEM_DATATYPE_H
#define CK_MLIR_PROBLEM_DATATYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::ck {

/// An element type. FP8 is e4m3 and BF8 is e5m2; whether they are FNUZ or OCP is the chip's choice.
enum class DataType : uint8_t { F16, BF16, F32, I8, FP8, BF8, I32 };

/// Bytes of one element.
int64_t getSizeInBytes(DataType type);

/// The name in problem strings: "f16", "bf16", "f32", "i8", "fp8", "bf8", "i32".
llvm::StringRef getName(DataType type);

/// The type of a name, also fp16, fp32, int8 and int32, or nothing for an unknown name.
std::optional<DataType> parseDataType(llvm::StringRef name);

/// True for I8 and I32.
bool isInteger(DataType type);

/// Explicit mantissa bits (F32 23, F16 10, BF16 7, FP8 3, BF8 2); 0 for integers.
unsigned getMantissaBits(DataType type);

} // namespace mlir::ck

#endif // CK_MLIR_PROBLEM_DATATYPE_H
