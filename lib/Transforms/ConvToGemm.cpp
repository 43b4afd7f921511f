//===- ConvToGemm.cpp - Express problems as GEMM on views -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is materialised: the im2col matrix exists only as a transform map, which the lowering
// turns into addresses.
//
//===----------------------------------------------------------------------===//

#include "Transforms/VerifyBuffers.h"
#include "ck-mlir/IR/ImplicitGemm.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <limits>

namespace mlir::ck {
#define GEN_PASS_DEF_CONVTOGEMMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// True for what folding and CSE may have moved out of an epilogue.
static bool isConstant(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>(); }

/// Verifies that the epilogue reads nothing but constants from outside.
static LogicalResult verifyIsolated(ProblemOpInterface op) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op.getEpilogue(), values);
  for (Value value : values)
    if (!value.getDefiningOp() || !isConstant(value.getDefiningOp())) {
      InFlightDiagnostic diag = op->emitOpError("expected the epilogue to read its arguments and "
                                                "constants, got a value from outside");
      diag.attachNote(value.getLoc()) << "the value is defined here";
      return diag;
    }
  return success();
}

namespace {
/// Builds the GEMMs of one problem in its place.
class GemmBuilder {
public:
  GemmBuilder(RewriterBase &rewriter, ProblemOpInterface op) : rewriter(rewriter), op(op) {}

  /// Returns the only GEMM, or the table of all.
  Operation *build(const ImplicitGemm &gemm);

private:
  Value view(Value tensor, TransformMapAttr map) {
    Type elementType = cast<MemRefType>(tensor.getType()).getElementType();
    return TransformOp::create(rewriter, op.getLoc(), ViewType::get(elementType, map), tensor);
  }
  SmallVector<Value> viewDs(const ImplicitGemmPart &part);
  Operation *buildPart(const ImplicitGemmPart &part, Value a, Value b, Value c, ValueRange ds);

  RewriterBase &rewriter;
  ProblemOpInterface op;
};
} // namespace

/// A and B of the part's GEMM among the factors of the problem.
static std::pair<Value, Value> getFactors(ProblemOpInterface op) {
  if (auto conv = dyn_cast<ConvOpInterface>(op.getOperation()))
    if (conv.getDirection() == ConvDirection::BackwardWeight)
      return {conv.getConvOutput(), conv.getConvInput()};
  return {op.getFactors()[0], op.getFactors()[1]};
}

/// D operands of the result's shape are seen as the result is, others hold one value per channel.
SmallVector<Value> GemmBuilder::viewDs(const ImplicitGemmPart &part) {
  SmallVector<Value> views;
  ArrayRef<int64_t> result = cast<MemRefType>(op.getWritten().getType()).getShape();
  for (Value d : op.getDs())
    views.push_back(
        view(d, cast<MemRefType>(d.getType()).getShape() == result ? part.c : part.channels));
  return views;
}

Operation *GemmBuilder::buildPart(const ImplicitGemmPart &part, Value a, Value b, Value c,
                                  ValueRange ds) {
  Operation *built = nullptr;
  // The zero of a product of integers changes nothing.
  const bool omitPadding =
      part.padsFilter && isa<FloatType>(cast<ViewType>(b.getType()).getElementType());
  if (part.a)
    built = GemmOp::create(rewriter, op.getLoc(), a, b, c, ds, ScheduleAttr(), AccLayoutAttr(),
                           ShuffleAttr(), DirectAttr(), omitPadding);
  else
    built = FillOp::create(rewriter, op.getLoc(), c, ds);
  Region &epilogue = built->getRegion(0);
  IRMapping mapping;
  op.getEpilogue().cloneInto(&epilogue, mapping);
  if (!epilogue.empty())
    makeRegionIsolatedFromAbove(rewriter, epilogue, isConstant);
  return built;
}

Operation *GemmBuilder::build(const ImplicitGemm &gemm) {
  SmallVector<std::array<Value, 3>> views;
  SmallVector<SmallVector<Value>> ds;
  auto [a, b] = getFactors(op);
  for (const ImplicitGemmPart &part : gemm.parts) {
    views.push_back({part.a ? view(a, part.a) : Value(), part.b ? view(b, part.b) : Value(),
                     view(op.getWritten(), part.c)});
    ds.push_back(viewDs(part));
  }
  GemmTableOp table;
  if (gemm.parts.size() > 1) {
    table = GemmTableOp::create(rewriter, op.getLoc());
    rewriter.createBlock(&table.getBody());
  }
  Operation *built = nullptr;
  for (auto [part, view, d] : llvm::zip_equal(gemm.parts, views, ds))
    built = buildPart(part, view[0], view[1], view[2], d);
  return table ? table : built;
}

namespace {
/// Remembers the time of the fastest schedule that the selection considers.
class FastestSchedule final : public TimeEstimator {
public:
  SmallVector<uint64_t> estimate(const Schedule &schedule, ArrayRef<GemmShape> shapes,
                                 const ChipInfo &chip,
                                 ArrayRef<WorkEstimate> works) const override {
    SmallVector<uint64_t> times = getModelEstimator().estimate(schedule, shapes, chip, works);
    for (uint64_t time : times)
      cycles = std::min(cycles, time);
    return times;
  }
  mutable uint64_t cycles = std::numeric_limits<uint64_t>::max();
};
} // namespace

/// Estimated cycles of the fastest schedule of `op` as `gemm` on `chip`, more than any other for
/// one that no schedule is legal for.
static uint64_t estimateFastest(ProblemOpInterface op, const ImplicitGemm &gemm,
                                const ChipInfo &chip) {
  Block scratch;
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPointToEnd(&scratch);
  Operation *built = GemmBuilder(rewriter, op).build(gemm);
  ScopedDiagnosticHandler silent(op.getContext(), [](Diagnostic &) {});
  FailureOr<SmallVector<GemmShape>> shapes = getGemmShapes(built);
  FastestSchedule fastest;
  if (succeeded(shapes))
    llvm::consumeError(resolveSchedule(ScheduleRequest(), *shapes, chip, {&fastest}).takeError());
  return fastest.cycles;
}

/// The GEMMs of a convolution, with positions folded into columns or channels joined to rows if
/// that is estimated to be faster on the chip of the module; without one they are not.
static ImplicitGemm selectGemm(ProblemOpInterface op, const ConvProblem &problem, int64_t merged) {
  ImplicitGemm best = getImplicitGemm(op.getContext(), problem, {merged});
  const ChipInfo *chip = findTargetChip(op);
  SmallVector<GemmColumns> others;
  if (SmallVector<int64_t, 3> folded = selectFoldedPositions(problem); !folded.empty())
    others.push_back({merged, folded});
  if (canJoinChannels(problem))
    others.push_back({merged, {}, /*joinsChannels=*/true});
  if (merged > 1 || others.empty() || !chip)
    return best;
  uint64_t shortest = estimateFastest(op, best, *chip);
  for (const GemmColumns &columns : others) {
    ImplicitGemm gemm = getImplicitGemm(op.getContext(), problem, columns);
    if (uint64_t time = estimateFastest(op, gemm, *chip); time < shortest)
      std::tie(shortest, best) = std::tuple(time, std::move(gemm));
  }
  return best;
}

FailureOr<Operation *> ck::convertConvToGemm(RewriterBase &rewriter, ProblemOpInterface op,
                                             int64_t mergedGroups,
                                             std::optional<ArrayRef<int64_t>> foldedPositions,
                                             bool joinsChannels) {
  if (failed(verifyBuffers(op)) || failed(verifyIsolated(op)))
    return failure();
  ImplicitGemm gemm;
  Problem problem = op.getProblem();
  if (auto *conv = std::get_if<ConvProblem>(&problem)) {
    int64_t merged = mergedGroups == 0 ? selectMergedGroups(*conv) : mergedGroups;
    GemmColumns columns{merged, {}, foldedPositions && joinsChannels && canJoinChannels(*conv)};
    if (foldedPositions && !columns.joinsChannels && canFoldPositions(*conv))
      columns.foldedPositions = llvm::to_vector<3>(*foldedPositions);
    if (llvm::Error error = verifyColumns(*conv, columns))
      return op->emitError(llvm::toString(std::move(error)));
    gemm = foldedPositions ? getImplicitGemm(op.getContext(), *conv, columns)
                           : selectGemm(op, *conv, merged);
  } else {
    gemm = getImplicitGemm(op.getContext(), std::get<GemmProblem>(problem));
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Operation *result = GemmBuilder(rewriter, op).build(gemm);
  rewriter.eraseOp(op);
  return result;
}

namespace {
struct ConvToGemmPass final : ck::impl::ConvToGemmPassBase<ConvToGemmPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ConvToGemmPass::runOnOperation() {
  if (mergeGroups < 0) {
    getOperation().emitError() << "'merge-groups' must not be negative, got " << mergeGroups;
    return signalPassFailure();
  }
  SmallVector<ProblemOpInterface> problems;
  getOperation().walk([&](ProblemOpInterface op) { problems.push_back(op); });
  // A module whose problems are GEMMs already stays as it is.
  Form form = problems.empty() ? Form::ImplicitGemm : Form::Problem;
  if (failed(verifyInput(getOperation(), form)))
    return signalPassFailure();
  // A zero alone is a choice as well: of none.
  std::optional<ArrayRef<int64_t>> folded;
  if (!foldPositions.empty())
    folded = ArrayRef<int64_t>(*foldPositions).drop_while([](int64_t positions) {
      return positions == 0;
    });
  IRRewriter rewriter(&getContext());
  for (ProblemOpInterface op : problems) {
    const std::string key = nameProblems ? getTuningKey(op.getProblem()) : "";
    FailureOr<Operation *> gemm =
        convertConvToGemm(rewriter, op, mergeGroups, folded, joinChannels);
    if (failed(gemm))
      return signalPassFailure();
    if (nameProblems)
      (*gemm)->setDiscardableAttr(CKDialect::kProblemAttrName, rewriter.getStringAttr(key));
    ++numConverted;
  }
}
