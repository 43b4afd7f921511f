//===- DataType.cpp - Names and sizes of element types -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table from which names, sizes and mantissa widths of element types are read.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/DataType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>

using namespace mlir::ck;

namespace {
struct TypeRow {
  llvm::StringRef name;
  int64_t bytes;
  unsigned mantissaBits; // 0 for integers
};
} // namespace

/// Rows in the order of the enumeration.
static const TypeRow &getRow(DataType type) {
  static const std::array<TypeRow, 7> rows = {{{"f16", 2, 10},
                                               {"bf16", 2, 7},
                                               {"f32", 4, 23},
                                               {"i8", 1, 0},
                                               {"fp8", 1, 3},
                                               {"bf8", 1, 2},
                                               {"i32", 4, 0}}};
  return rows[static_cast<size_t>(type)];
}

int64_t mlir::ck::getSizeInBytes(DataType type) { return getRow(type).bytes; }

llvm::StringRef mlir::ck::getName(DataType type) { return getRow(type).name; }

std::optional<DataType> mlir::ck::parseDataType(llvm::StringRef name) {
  for (DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8, DataType::FP8,
                        DataType::BF8, DataType::I32})
    if (getName(type) == name)
      return type;
  return llvm::StringSwitch<std::optional<DataType>>(name)
      .Case("fp16", DataType::F16)
      .Case("fp32", DataType::F32)
      .Case("int8", DataType::I8)
      .Case("int32", DataType::I32)
      .Default(std::nullopt);
}

bool mlir::ck::isInteger(DataType type) { return type == DataType::I8 || type == DataType::I32; }

unsigned mlir::ck::getMantissaBits(DataType type) { return getRow(type).mantissaBits; }
