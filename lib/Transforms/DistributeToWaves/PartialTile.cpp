//===- PartialTile.cpp - Where partial tiles lie in the workspace -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/PartialTile.h"
#include "Transforms/BufferAccess.h"
#include "Transforms/Flags.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

static constexpr int64_t kWordBytes = 4;
static constexpr unsigned kBufferSpace = 8; ///< of buffer descriptors
/// What an instruction adds to the offset of the lane; the rest is a scalar.
static constexpr int64_t kInstructionBytes = 4096;

int64_t PartialTiles::getBytes() const {
  return WorkPlan::getPartialBytes(ShapedType::getNumElements(acc.getShape()));
}

LanePart::LanePart(const IntMath &math, const Config &config, const PartialTiles &tiles, Value wave,
                   Value firstGroup)
    : math(math), groupBytes(config.chip->waveSize * kPartialGroup * kWordBytes) {
  OpBuilder &builder = math.builder;
  const int64_t bytes = tiles.getBytes();
  Value word = math.add(math.mul(tiles.index, bytes / kWordBytes), tiles.first);
  Value all = math.constant(bytes);
  if (tiles.count) {
    stepBytes = math.mul(tiles.step, bytes);
    all = math.add(arith::MulIOp::create(builder, math.loc, stepBytes, math.add(tiles.count, -1)),
                   bytes);
  }
  all = arith::IndexCastOp::create(builder, math.loc, builder.getI64Type(), all);
  buffer = createBuffer(builder, math.loc,
                        LLVM::LLVMPointerType::get(builder.getContext(), kBufferSpace),
                        getWordAddress(math, tiles.workspace, word), all, *config.chip);
  Value ofWave = math.mul(wave, bytes / config.getMathWaves());
  if (firstGroup)
    ofWave = math.add(ofWave, math.mul(firstGroup, groupBytes));
  offset = math.add(ofWave, math.mul(config.lane, kPartialGroup * kWordBytes));
}

Value LanePart::load(VectorType type, int64_t group, Value number) const {
  return loadFromBuffer(math.builder, math.loc, type, buffer, getOffset(group, number),
                        getBase(group));
}

void LanePart::store(Value value, int64_t group) const {
  storeToBuffer(math.builder, math.loc, value, buffer, getOffset(group), getBase(group));
}

Value LanePart::getOffset(int64_t group, Value number) const {
  Value bytes = math.add(offset, group * groupBytes % kInstructionBytes);
  if (number)
    bytes = math.add(bytes, arith::MulIOp::create(math.builder, math.loc, number, stepBytes));
  return arith::IndexCastOp::create(math.builder, math.loc, math.builder.getI32Type(), bytes);
}

Value LanePart::getBase(int64_t group) const {
  return arith::ConstantIntOp::create(
      math.builder, math.loc, group * groupBytes / kInstructionBytes * kInstructionBytes, 32);
}

void ck::distribution::addAtOnce(const IntMath &math, Value number, int64_t count,
                                 MutableArrayRef<Value> sums,
                                 function_ref<SmallVector<Value>(Value)> load) {
  SmallVector<SmallVector<Value>> loaded;
  for (int64_t i = 0; i < count; ++i)
    loaded.push_back(load(math.add(number, i)));
  ROCDL::SchedBarrier::create(math.builder, math.loc, /*mask=*/0); // all loads, then the sums
  for (ArrayRef<Value> others : loaded)
    addVectors(math.builder, math.loc, others, sums);
}

void ck::distribution::addVectors(OpBuilder &builder, Location loc, ValueRange others,
                                  MutableArrayRef<Value> sums, Value exists) {
  for (auto [sum, other] : llvm::zip_equal(sums, others)) {
    bool isFloat = isa<FloatType>(cast<VectorType>(sum.getType()).getElementType());
    Value next = isFloat ? arith::AddFOp::create(builder, loc, sum, other).getResult()
                         : arith::AddIOp::create(builder, loc, sum, other).getResult();
    sum = exists ? arith::SelectOp::create(builder, loc, exists, next, sum) : next;
  }
}
