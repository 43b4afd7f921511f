//===- TilingInterfaceImpl.cpp - Tiling of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is the same problem on slices of its tensors, along the letters of their layouts.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/TilingInterfaceImpl.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::ck;

/// The letters of the dimensions of each operand of `problem`, in the order of the operands.
static SmallVector<std::string> getLetters(ProblemOpInterface problem) {
  SmallVector<std::string> letters;
  Problem value = problem.getProblem();
  const auto reads = getReads(value);
  for (const TensorDesc &tensor : ArrayRef(reads).take_front(2))
    letters.push_back(tensor.layout);
  letters.push_back(getWrite(value).layout);
  for (const TensorDesc &tensor : getEpilogueOperands(value))
    letters.push_back(tensor.layout);
  return letters;
}

static bool isWhole(OpFoldResult offset, OpFoldResult size, int64_t extent) {
  return isZeroInteger(offset) && getConstantIntValue(size) == extent;
}

/// The part of `tensor` at the places that `tile` gives for some of its letters.
static Value cutTile(OpBuilder &builder, Location loc, Value tensor, StringRef letters,
                     const llvm::SmallDenseMap<char, std::pair<OpFoldResult, OpFoldResult>> &tile) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes, ones(letters.size(), builder.getIndexAttr(1));
  bool isCut = false;
  for (auto [index, letter] : llvm::enumerate(letters)) {
    auto found = tile.find(letter);
    bool isTiled = found != tile.end();
    isCut |= isTiled;
    offsets.push_back(isTiled ? found->second.first : builder.getIndexAttr(0));
    sizes.push_back(isTiled ? found->second.second : builder.getIndexAttr(type.getDimSize(index)));
  }
  return isCut ? tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes, ones)
               : tensor;
}

namespace {
template <typename Op>
struct ProblemTiling final : TilingInterface::ExternalModel<ProblemTiling<Op>, Op> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    auto problem = cast<ProblemOpInterface>(op);
    return SmallVector<utils::IteratorType>(
        cast<ShapedType>(problem.getWritten().getType()).getRank(), utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &builder) const {
    auto problem = cast<ProblemOpInterface>(op);
    SmallVector<Range> domain;
    for (int64_t size : cast<ShapedType>(problem.getWritten().getType()).getShape())
      domain.push_back(
          {builder.getIndexAttr(0), builder.getIndexAttr(size), builder.getIndexAttr(1)});
    return domain;
  }

  FailureOr<TilingResult> getTiledImplementation(Operation *op, OpBuilder &builder,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) const;

  LogicalResult getResultTilePosition(Operation *, OpBuilder &, unsigned,
                                      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                      SmallVector<OpFoldResult> &resultOffsets,
                                      SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  LogicalResult
  getIterationDomainTileFromResultTile(Operation *, OpBuilder &, unsigned,
                                       ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                       SmallVectorImpl<OpFoldResult> &domainOffsets,
                                       SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult> generateResultTileValue(Operation *op, OpBuilder &builder, unsigned,
                                                  ArrayRef<OpFoldResult> offsets,
                                                  ArrayRef<OpFoldResult> sizes) const {
    return getTiledImplementation(op, builder, offsets, sizes);
  }
};
} // namespace

template <typename Op>
FailureOr<TilingResult>
ProblemTiling<Op>::getTiledImplementation(Operation *op, OpBuilder &builder,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) const {
  auto problem = cast<ProblemOpInterface>(op);
  if (op->getNumResults() != 1)
    return op->emitOpError("expected tensors to tile, got memrefs");
  SmallVector<std::string> letters = getLetters(problem);
  ArrayRef<int64_t> shape = cast<ShapedType>(problem.getWritten().getType()).getShape();
  llvm::SmallDenseMap<char, std::pair<OpFoldResult, OpFoldResult>> tile;
  for (auto [index, letter] : llvm::enumerate(letters[2])) {
    if (isWhole(offsets[index], sizes[index], shape[index]))
      continue;
    if (StringRef("DHWZYX").contains(letter))
      return op->emitOpError("cannot tile dimension ")
             << index << " (" << letter << "): expected batch, groups or channels";
    if (!getConstantIntValue(sizes[index]))
      return op->emitOpError("expected a tile size that divides dimension ")
             << index << " (" << letter << ") of " << shape[index] << " elements";
    if (StringRef(letters[1]).contains(llvm::toLower(letter)))
      return op->emitOpError("cannot tile dimension ")
             << index << " (" << letter << "), along which weights are shuffled";
    tile[letter] = {offsets[index], sizes[index]};
  }
  TilingResult result;
  SmallVector<Value> operands;
  for (auto [operand, dims] : llvm::zip_equal(op->getOperands(), letters)) {
    operands.push_back(cutTile(builder, op->getLoc(), operand, dims, tile));
    if (operands.back() != operand)
      result.generatedSlices.push_back(operands.back().getDefiningOp());
  }
  auto tiled =
      Op::create(builder, op->getLoc(), TypeRange(operands[2].getType()), operands, op->getAttrs());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&tiled->getRegion(0), mapping);
  result.tiledOps.push_back(tiled);
  result.tiledValues.push_back(tiled->getResult(0));
  return result;
}

void mlir::ck::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CKDialect *) {
    ConvFwdOp::attachInterface<ProblemTiling<ConvFwdOp>>(*context);
    ConvBwdDataOp::attachInterface<ProblemTiling<ConvBwdDataOp>>(*context);
    ConvBwdWeightOp::attachInterface<ProblemTiling<ConvBwdWeightOp>>(*context);
    BatchedGemmOp::attachInterface<ProblemTiling<BatchedGemmOp>>(*context);
    context->loadDialect<affine::AffineDialect, tensor::TensorDialect>();
  });
}
