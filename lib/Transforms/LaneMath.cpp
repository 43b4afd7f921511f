//===- LaneMath.cpp - What lanes compute by themselves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/LaneMath.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ck;

Value ck::multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value sum) {
  Type type = sum.getType();
  if (!type.isInteger())
    return math::FmaOp::create(builder, loc, convertToF32(builder, loc, a),
                               convertToF32(builder, loc, b), sum);
  Value wideA = arith::ExtSIOp::create(builder, loc, type, a);
  Value wideB = arith::ExtSIOp::create(builder, loc, type, b);
  return arith::AddIOp::create(builder, loc, sum,
                               arith::MulIOp::create(builder, loc, wideA, wideB));
}

Value ck::multiplyPair(OpBuilder &builder, Location loc, Value a, Value b, Value sum) {
  Value clamp = arith::ConstantIntOp::create(builder, loc, 0, 1);
  return LLVM::CallIntrinsicOp::create(builder, loc, sum.getType(),
                                       builder.getStringAttr("llvm.amdgcn.fdot2"),
                                       ValueRange{a, b, sum, clamp})
      .getResult(0);
}

Value ck::multiplyBlock(OpBuilder &builder, Location loc, int64_t rows, Value a, Value b,
                        Value sum) {
  const auto size = unsigned(rows), blocks = 256 / (size * size); // four results of each lane
  return amdgpu::MFMAOp::create(builder, loc, sum.getType(), size, size, size, blocks, a, b, sum,
                                /*cbsz=*/0, /*abid=*/0, amdgpu::MFMAPermB::none);
}

Value ck::changeWords(OpBuilder &builder, Location loc, Value vector,
                      llvm::function_ref<Value(Value)> change) {
  constexpr int64_t kWordBits = 32;
  auto type = cast<VectorType>(vector.getType());
  const int64_t words = type.getNumElements() * type.getElementTypeBitWidth() / kWordBits;
  auto wordsType = VectorType::get(words, builder.getI32Type());
  Value held = vector::BitCastOp::create(builder, loc, wordsType, vector);
  SmallVector<Value> changed;
  for (int64_t i = 0; i < words; ++i)
    changed.push_back(change(vector::ExtractOp::create(builder, loc, held, i)));
  held = vector::FromElementsOp::create(builder, loc, wordsType, changed);
  return vector::BitCastOp::create(builder, loc, type, held);
}

Value ck::buildResult(OpBuilder &builder, Location loc, Region &epilogue, Value sum,
                      ValueRange others, Type type) {
  if (epilogue.empty())
    return convertAccumulator(builder, loc, sum, type);
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), sum);
  mapping.map(block.getArguments().drop_front(), others);
  for (Operation &inner : block.without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

void ck::buildLdsBarrier(OpBuilder &builder, Location loc, const ChipInfo &chip) {
  if (!chip.hasBackOffBarrier) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  amdgpu::MemoryCounterWaitOp::create(builder, loc, /*load=*/IntegerAttr(), /*store=*/IntegerAttr(),
                                      /*ds=*/builder.getI32IntegerAttr(0), /*exp=*/IntegerAttr(),
                                      /*tensor=*/IntegerAttr());
  amdgpu::LDSBarrierOp::create(builder, loc);
}
