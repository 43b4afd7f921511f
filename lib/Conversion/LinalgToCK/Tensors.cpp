//===- Tensors.cpp - Which tensors problems can have -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Tensors.h"
#include "ck-mlir/IR/CK.h"

using namespace mlir;
using namespace mlir::ck;

RankedTensorType ck::getDenseType(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() && !type.getEncoding() ? type : RankedTensorType();
}

llvm::Error ck::checkElements(Operation *op, Type type) {
  if (!getDataType(type))
    return llvm::createStringError("unsupported element type " + printType(type));
  const ChipInfo *chip = findTargetChip(op);
  return chip ? checkElementType(type, *chip) : llvm::Error::success();
}

std::string ck::printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}
