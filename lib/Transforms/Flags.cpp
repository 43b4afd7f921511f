//===- Flags.cpp - Words by which workgroups wait for each other -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Flags.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

static constexpr int64_t kWordBytes = 4;
/// Waves of other workgroups are on other compute units of the same device.
static constexpr StringLiteral kScope = "agent";

Value ck::getWordAddress(const IntMath &math, Value workspace, Value word) {
  OpBuilder &builder = math.builder;
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), /*addressSpace=*/1);
  Value base = PointerOp::create(builder, math.loc, pointer, workspace);
  Value index = arith::IndexCastOp::create(builder, math.loc, builder.getI64Type(), word);
  return LLVM::GEPOp::create(builder, math.loc, pointer, builder.getI32Type(), base,
                             LLVM::GEPArg(index));
}

bool ck::isClose(Value workspace) {
  auto type = cast<MemRefType>(workspace.getType());
  return type.hasStaticShape() && llvm::isInt<32>(type.getNumElements() * kWordBytes);
}

void ck::storeFlag(OpBuilder &builder, Location loc, int64_t value, Value flag) {
  Value word = arith::ConstantIntOp::create(builder, loc, value, 32);
  LLVM::StoreOp::create(builder, loc, word, flag, kWordBytes, /*isVolatile=*/false,
                        /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic, kScope);
}

void ck::spinOnFlags(OpBuilder &builder, Location loc, Value flag, int64_t waveSize) {
  Type i32 = builder.getI32Type();
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getBefore());
  Value value =
      LLVM::LoadOp::create(builder, loc, i32, flag, kWordBytes, /*isVolatile=*/false,
                           /*isNonTemporal=*/false, /*isInvariant=*/false,
                           /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, kScope);
  // The mask of lanes is the same for all of them, for a scalar branch.
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value unset = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, zero);
  Type mask = builder.getIntegerType(unsigned(waveSize));
  Value lanes = ROCDL::BallotOp::create(builder, loc, mask, unset);
  Value none = arith::ConstantOp::create(builder, loc, mask, builder.getIntegerAttr(mask, 0));
  Value waits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lanes, none);
  scf::ConditionOp::create(builder, loc, waits, ValueRange());
  builder.createBlock(&loop.getAfter());
  ROCDL::SSleepOp::create(builder, loc, builder.getI32IntegerAttr(1));
  scf::YieldOp::create(builder, loc);
}

void ck::releaseToDevice(OpBuilder &builder, Location loc) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::release, kScope);
}

void ck::acquireFromDevice(OpBuilder &builder, Location loc) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acquire, kScope);
}
