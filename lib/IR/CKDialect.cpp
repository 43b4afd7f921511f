//===- CKDialect.cpp - The ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of the dialect, and what ops and passes share: element types and the target chip.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"

using namespace mlir;
using namespace mlir::ck;

#include "ck-mlir/IR/CKDialect.cpp.inc"
#include "ck-mlir/IR/CKInterfaces.cpp.inc"

namespace {
/// Prints maps once, as `#map...` aliases, instead of inside every view type.
struct CKOpAsmInterface final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    if (isa<TransformMapAttr>(attr)) {
      os << "map";
      return AliasResult::FinalAlias;
    }
    if (isa<ScheduleAttr>(attr)) {
      os << "schedule";
      return AliasResult::FinalAlias;
    }
    if (isa<AccLayoutAttr>(attr)) {
      os << "layout";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }

  AliasResult getAlias(Type type, raw_ostream &os) const final {
    if (isa<ViewType>(type)) {
      os << "view";
      return AliasResult::FinalAlias;
    }
    if (isa<AccType>(type)) {
      os << "acc";
      return AliasResult::FinalAlias;
    }
    if (isa<FragmentType>(type)) {
      os << "fragment";
      return AliasResult::FinalAlias;
    }
    if (isa<RingType>(type)) {
      os << "ring";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }
};

/// Leaves the constants of epilogues in them: what is in an epilogue becomes part of a kernel.
struct CKFoldInterface final : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  bool shouldMaterializeInto(Region *region) const final {
    return isa<ProblemOpInterface, GemmOp, FillOp>(region->getParentOp());
  }
};
} // namespace

void CKDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "ck-mlir/IR/CKOps.cpp.inc"
      >();
  addInterfaces<CKFoldInterface, CKOpAsmInterface>();
}

LogicalResult CKDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != kTargetAttrName)
    return success();
  if (!isa<TargetAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << kTargetAttrName << "' to be a #ck.target, got " << attribute.getValue();
  return success();
}

Type ck::getElementType(MLIRContext *context, DataType type, bool fnuz) {
  Builder b(context);
  switch (type) {
  case DataType::F16:
    return b.getF16Type();
  case DataType::BF16:
    return b.getBF16Type();
  case DataType::F32:
    return b.getF32Type();
  case DataType::I8:
    return b.getI8Type();
  case DataType::FP8:
    return fnuz ? Type(b.getType<Float8E4M3FNUZType>()) : b.getType<Float8E4M3FNType>();
  case DataType::BF8:
    return fnuz ? Type(b.getType<Float8E5M2FNUZType>()) : b.getType<Float8E5M2Type>();
  case DataType::I32:
    return b.getI32Type();
  }
  llvm_unreachable("all data types handled");
}

Type ck::getAccumulatorType(Type operandType) {
  Builder builder(operandType.getContext());
  return operandType.isInteger() ? Type(builder.getI32Type()) : builder.getF32Type();
}

std::optional<DataType> ck::getDataType(Type type) {
  if (type.isF16())
    return DataType::F16;
  if (type.isBF16())
    return DataType::BF16;
  if (type.isF32())
    return DataType::F32;
  if (type.isInteger(8))
    return DataType::I8;
  if (type.isInteger(32))
    return DataType::I32;
  if (isa<Float8E4M3FNUZType, Float8E4M3FNType>(type))
    return DataType::FP8;
  if (isa<Float8E5M2FNUZType, Float8E5M2Type>(type))
    return DataType::BF8;
  return std::nullopt;
}

/// The name of the chip that `op` is for; empty if there is none.
static StringRef getTargetName(Operation *op) {
  StringRef name;
  for (Operation *scope = op; scope && name.empty(); scope = scope->getParentOp()) {
    if (auto kernels = dyn_cast<gpu::GPUModuleOp>(scope)) {
      if (ArrayAttr targets = kernels.getTargetsAttr())
        for (auto target : targets.getAsRange<ROCDL::ROCDLTargetAttr>())
          name = target.getChip();
    } else if (auto target = scope->getAttrOfType<TargetAttr>(CKDialect::kTargetAttrName)) {
      name = target.getChip();
    }
  }
  return name;
}

FailureOr<const ChipInfo *> ck::getTargetChip(Operation *op) {
  StringRef name = getTargetName(op);
  if (name.empty())
    return op->emitError("no target chip: expected '")
           << CKDialect::kTargetAttrName << "' on the module (see ck-attach-target)";
  llvm::Expected<const ChipInfo *> chip = getChip(name);
  if (!chip)
    return op->emitError(llvm::toString(chip.takeError()));
  return *chip;
}

const ChipInfo *ck::findTargetChip(Operation *op) {
  llvm::Expected<const ChipInfo *> chip = getChip(getTargetName(op));
  if (chip)
    return *chip;
  llvm::consumeError(chip.takeError());
  return nullptr;
}

llvm::Error ck::checkElementType(Type type, const ChipInfo &chip) {
  std::optional<DataType> dataType = getDataType(type);
  if (dataType != DataType::FP8 && dataType != DataType::BF8)
    return llvm::Error::success();
  Type expected = getElementType(type.getContext(), *dataType, chip.fp8 == Fp8Kind::Fnuz);
  if (type == expected)
    return llvm::Error::success();
  std::string message;
  llvm::raw_string_ostream(message) << chip.name << " takes 8-bit floats of type '" << expected
                                    << "', got elements of '" << type << "'";
  return llvm::createStringError(message);
}
