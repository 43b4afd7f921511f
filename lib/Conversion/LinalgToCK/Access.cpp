//===- Access.cpp - How a loop nest addresses a tensor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each producer that is followed changes the dimensions of an access by one rule.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Access.h"
#include "Conversion/LinalgToCK/Tensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

/// Adds the terms of `expr` times `factor` to `access`; false if it is no sum of loops.
static bool addTerms(AffineExpr expr, int64_t factor, DimAccess &access) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    access.terms.push_back({dim.getPosition(), factor});
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    access.offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, access) && addTerms(binary.getRHS(), factor, access);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && scale && scale.getValue() != 0 &&
         addTerms(binary.getLHS(), factor * scale.getValue(), access);
}

Expected<OperandAccess> ck::getAccess(linalg::LinalgOp op, OpOperand &operand) {
  OperandAccess access{operand.get(), {}};
  RankedTensorType type = getDenseType(operand.get());
  if (!type)
    return createStringError("expected a dense tensor of static shape for operand " +
                             llvm::Twine(operand.getOperandNumber()));
  for (auto [index, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    DimAccess dim;
    dim.size = type.getDimSize(index);
    if (!addTerms(expr, 1, dim))
      return createStringError("expected sums of loops as positions of operand " +
                               llvm::Twine(operand.getOperandNumber()) + " along dimension " +
                               llvm::Twine(index));
    access.dims.push_back(std::move(dim));
  }
  return access;
}

/// Counts `loop` from its end in `dim`.
static void countFromEnd(DimAccess &dim, unsigned loop, int64_t size) {
  if (dim.terms.size() == 1 && dim.terms[0] == std::make_pair(loop, int64_t(1)) &&
      dim.size == size) {
    dim.flipped ^= true;
    return;
  }
  for (auto &[term, coefficient] : dim.terms)
    if (term == loop) {
      dim.offset += coefficient * (size - 1);
      coefficient = -coefficient;
    }
}

llvm::Error ck::countUpwards(ArrayRef<OperandAccess *> accesses, ArrayRef<int64_t> loopSizes) {
  llvm::SmallSetVector<unsigned, 3> falling;
  for (OperandAccess *access : accesses)
    for (const DimAccess &dim : access->dims)
      for (auto [loop, coefficient] : dim.terms)
        if (coefficient < 0)
          falling.insert(loop);
  for (unsigned loop : falling)
    for (OperandAccess *access : accesses)
      for (DimAccess &dim : access->dims)
        countFromEnd(dim, loop, loopSizes[loop]);
  for (OperandAccess *access : accesses)
    for (auto [index, dim] : llvm::enumerate(access->dims)) {
      bool falls = llvm::any_of(dim.terms, [](const auto &term) { return term.second < 0; });
      if (falls || dim.offset != 0)
        return createStringError("expected positions along dimension " + llvm::Twine(index) +
                                 " to begin at 0" + (falls ? " and to rise with all loops" : ""));
    }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr ck::getSplat(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return getSplat(fill.getInputs()[0]);
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    return getSplat(expand.getSrc());
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
    return getSplat(collapse.getSrc());
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return getSplat(splat.getInput());
  if (auto op = value.getDefiningOp<linalg::LinalgOp>()) // a constant that is broadcast
    if (op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && getMovedConversion(op) == nullptr)
      return getSplat(op.getDpsInputOperand(0)->get());
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {};
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return elements.isSplat() ? elements.getSplatValue<TypedAttr>() : TypedAttr();
  return isa<FloatAttr, IntegerAttr>(attribute) ? cast<TypedAttr>(attribute) : TypedAttr();
}

bool ck::isZero(Value value) {
  TypedAttr splat = getSplat(value);
  return splat && (matchPattern(splat, m_AnyZeroFloat()) || matchPattern(splat, m_Zero()));
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

std::optional<Operation *> ck::getMovedConversion(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (yielded == op.getBlock()->getArgument(0))
    return nullptr;
  Operation *conversion = yielded.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::SIToFPOp>(conversion) &&
      conversion->getOperand(0) == op.getBlock()->getArgument(0))
    return conversion;
  return std::nullopt;
}

/// True if the result of `conversion` holds every value of its operand.
static bool losesNothing(Operation *conversion) {
  return !isa<arith::SIToFPOp>(conversion) || conversion->getOperand(0).getType().isInteger(8);
}

/// Through an op that permutes dimensions and widens elements.
static bool lookThroughMove(OperandAccess &access, linalg::LinalgOp op, bool casts) {
  std::optional<Operation *> conversion = getMovedConversion(op);
  if (!conversion || (*conversion && (!casts || !losesNothing(*conversion))))
    return false;
  AffineMap from = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  RankedTensorType type = getDenseType(op.getDpsInputOperand(0)->get());
  if (!type || !from.isPermutation() || !to.isPermutation())
    return false;
  SmallVector<DimAccess> dims;
  for (unsigned i = 0; i < from.getNumResults(); ++i)
    dims.push_back(access.dims[*to.getResultPosition(from.getResult(i))]);
  access = {op.getDpsInputOperand(0)->get(), std::move(dims)};
  return true;
}

/// The tensor `value`, whose elements stand in a larger one of zeros from `low` on, `step` apart.
static bool lookThroughSurrounding(OperandAccess &access, Value value, ArrayRef<OpFoldResult> low,
                                   ArrayRef<OpFoldResult> step) {
  RankedTensorType type = getDenseType(value);
  if (!type || type.getRank() != int64_t(access.dims.size()))
    return false;
  OperandAccess inner{value, access.dims};
  for (auto [index, dim] : llvm::enumerate(inner.dims)) {
    std::optional<int64_t> first = getConstantIntValue(low[index]);
    std::optional<int64_t> distance = step.empty() ? 1 : getConstantIntValue(step[index]);
    if (!first || *first < 0 || !distance || *distance < 1)
      return false;
    if (type.getDimSize(index) == dim.size && *first == 0 && *distance == 1)
      continue;
    if (dim.flipped || dim.terms.empty())
      return false;
    dim.padLow += dim.spacing * *first;
    dim.spacing *= *distance;
    dim.size = type.getDimSize(index);
    dim.padded = true;
  }
  access = std::move(inner);
  return true;
}

static bool lookThroughPadding(OperandAccess &access, Operation *op, const LookThrough &options) {
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value value = pad.getConstantPaddingValue();
    return options.padding && value && isZero(value) &&
           lookThroughSurrounding(access, pad.getSource(), pad.getMixedLowPad(), {});
  }
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (!insert || !isZero(insert.getDest()))
    return false;
  bool dense = llvm::all_of(insert.getMixedStrides(), isOneInteger);
  return (dense ? options.padding : options.spreading) &&
         lookThroughSurrounding(access, insert.getSource(), insert.getMixedOffsets(),
                                insert.getMixedStrides());
}

/// True if the dimension can go: its one element is what every loop meets.
static bool isDroppable(const DimAccess &dim) { return dim.size == 1 && !dim.padded; }

/// Through a reshape that adds or drops dimensions of one element.
static bool lookThroughReshape(OperandAccess &access, Operation *op) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (!expand && !collapse)
    return false;
  Value source = op->getOperand(0);
  RankedTensorType type = getDenseType(source);
  if (!type)
    return false;
  SmallVector<DimAccess> dims(type.getRank());
  auto groups = expand ? expand.getReassociationIndices() : collapse.getReassociationIndices();
  for (auto [index, group] : llvm::enumerate(groups)) {
    // Of the dimensions of a group one may stand for the dimension on the other side.
    std::optional<int64_t> kept;
    for (int64_t i : group) {
      if (expand ? isDroppable(access.dims[i]) : type.getDimSize(i) == 1)
        continue;
      if (kept)
        return false;
      kept = i;
    }
    if (expand && kept)
      dims[index] = access.dims[*kept];
    else if (!expand && !isDroppable(access.dims[index]))
      dims[kept.value_or(group.front())] = access.dims[index];
  }
  access = {source, std::move(dims)};
  return true;
}

//===----------------------------------------------------------------------===//
// Reversed dimensions
//===----------------------------------------------------------------------===//

namespace {
/// An index `loop * sign + offset`; a constant without a loop.
struct Index {
  std::optional<int64_t> loop;
  int64_t sign = 0, offset = 0;
};
} // namespace

static std::optional<Index> getIndex(Value value) {
  if (auto loop = value.getDefiningOp<linalg::IndexOp>())
    return Index{int64_t(loop.getDim()), 1, 0};
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Index{std::nullopt, 0, *constant};
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Index> a = getIndex(op->getOperand(0)), b = getIndex(op->getOperand(1));
  if (!a || !b || (a->loop && b->loop))
    return std::nullopt;
  int64_t factor = isa<arith::SubIOp>(op) ? -1 : 1;
  return Index{a->loop ? a->loop : b->loop, a->loop ? a->sign : factor * b->sign,
               a->offset + factor * b->offset};
}

/// Through a linalg.generic that reads its elements with tensor.extract, dimensions permuted or
/// from their end: how upstream writes tosa.reverse.
static bool lookThroughReversal(OperandAccess &access, linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 || !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray()[0].isIdentity())
    return false;
  auto extract = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract.getTensor().getParentRegion() == &op.getRegion())
    return false;
  RankedTensorType type = getDenseType(extract.getTensor());
  if (!type || type.getRank() != int64_t(access.dims.size()))
    return false;
  OperandAccess inner{extract.getTensor(), {}};
  llvm::SmallDenseSet<int64_t> loops;
  for (auto [index, value] : llvm::enumerate(extract.getIndices())) {
    std::optional<Index> position = getIndex(value);
    if (!position || !position->loop || !loops.insert(*position->loop).second ||
        position->offset != (position->sign < 0 ? type.getDimSize(index) - 1 : 0))
      return false;
    DimAccess dim = access.dims[*position->loop];
    if (dim.padded || dim.size != type.getDimSize(index))
      return false;
    dim.flipped ^= position->sign < 0;
    inner.dims.push_back(std::move(dim));
  }
  access = std::move(inner);
  return true;
}

void ck::lookThrough(OperandAccess &access, const LookThrough &options) {
  while (Operation *op = access.source.getDefiningOp()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!(linalgOp && lookThroughMove(access, linalgOp, options.casts)) &&
        !(generic && options.reversal && lookThroughReversal(access, generic)) &&
        !lookThroughPadding(access, op, options) && !lookThroughReshape(access, op))
      return;
  }
}
