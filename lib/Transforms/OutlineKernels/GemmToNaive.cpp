//===- GemmToNaive.cpp - One work-item for every element of a GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reference that runs on the device itself, for problems that are too large for the host. It
// needs neither matrix instructions nor LDS nor a schedule, and shares nothing with the tiled
// lowering but the views and how cursors move in them.
//
//===----------------------------------------------------------------------===//

#include "Transforms/IntMath.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "ck-mlir/IR/Epilogue.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTONAIVEPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Work-items of a workgroup.
static constexpr int64_t kThreads = 256;

/// Elements that 32-bit numbers of work-items, the idle ones of the last workgroup included, reach.
static constexpr int64_t kMaxElements = (int64_t(1) << 32) - kThreads;

/// Elements of the result; the largest number if there are more.
static int64_t getNumElements(Operation *part) {
  int64_t elements = 1;
  for (int64_t size : getResultView(part).getType().getShape())
    if (llvm::MulOverflow(elements, size, elements))
      return std::numeric_limits<int64_t>::max();
  return elements;
}

static int64_t getNumWorkgroups(Operation *part) {
  return llvm::divideCeil(getNumElements(part), kThreads);
}

namespace {
/// Builds the code of one work-item for one GEMM or fill.
class ElementBuilder {
public:
  ElementBuilder(OpBuilder &builder, const KernelOutline &outline, Operation *part, Type accType)
      : builder(builder), outline(outline), part(part), accType(accType), loc(part->getLoc()),
        math{builder, loc} {}

  /// The work-items of `workgroup`, counted from the first of this part.
  void build(Value workgroup);

private:
  Value makeCursor(Value view, ArrayRef<Value> coordinates);
  Value load(Value cursor);
  Value multiplyAdd(Value a, Value b, Value acc);
  Value accumulate(GemmOp gemm, Value g, Value m, Value n);
  Value applyEpilogue(Value acc, ArrayRef<Value> ds);

  OpBuilder &builder;
  const KernelOutline &outline;
  Operation *part;
  Type accType;
  Location loc;
  IntMath math;
};
} // namespace

Value ElementBuilder::makeCursor(Value view, ArrayRef<Value> coordinates) {
  auto type = CursorType::get(builder.getContext(), cast<ViewType>(view.getType()), FragmentType());
  return CursorOp::create(builder, loc, type, outline.getInner(view), coordinates);
}

/// The element at `cursor`, which lies inside of its view.
Value ElementBuilder::load(Value cursor) {
  Type elementType = cast<CursorType>(cursor.getType()).getView().getElementType();
  Value one = LoadOp::create(builder, loc, VectorType::get(1, elementType), cursor,
                             ArrayRef<int64_t>{0, 0, 0}, /*in_bounds=*/true);
  return vector::ExtractOp::create(builder, loc, one, 0);
}

Value ElementBuilder::multiplyAdd(Value a, Value b, Value acc) {
  if (!accType.isInteger())
    return math::FmaOp::create(builder, loc, convertToF32(builder, loc, a),
                               convertToF32(builder, loc, b), acc);
  Value wideA = arith::ExtSIOp::create(builder, loc, accType, a);
  Value wideB = arith::ExtSIOp::create(builder, loc, accType, b);
  return arith::AddIOp::create(builder, loc, acc,
                               arith::MulIOp::create(builder, loc, wideA, wideB));
}

/// The sum over K of row `m` of A times row `n` of B.
Value ElementBuilder::accumulate(GemmOp gemm, Value g, Value m, Value n) {
  Value zero = math.constant(0), one = math.constant(1);
  Value size = math.constant(gemm.getA().getType().getShape()[2]);
  Value acc = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType));
  Value a = makeCursor(gemm.getA(), {g, m, zero}), b = makeCursor(gemm.getB(), {g, n, zero});
  auto step = [&](OpBuilder &, Location, Value, ValueRange carried) {
    Value sum = multiplyAdd(load(carried[1]), load(carried[2]), carried[0]);
    SmallVector<Value> next = {sum};
    for (Value cursor : carried.drop_front())
      next.push_back(AdvanceOp::create(builder, loc, cursor, ArrayRef<int64_t>{0, 0, 1}));
    scf::YieldOp::create(builder, loc, next);
  };
  return scf::ForOp::create(builder, loc, zero, size, one, ValueRange{acc, a, b}, step)
      .getResult(0);
}

Value ElementBuilder::applyEpilogue(Value acc, ArrayRef<Value> ds) {
  Region &epilogue = getEpilogue(part);
  if (epilogue.empty())
    return convertAccumulator(builder, loc, acc, getResultView(part).getType().getElementType());
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), acc);
  mapping.map(block.getArguments().drop_front(), ds);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

/// Work-items past the last element compute that one, but do not store it: all of a workgroup go
/// the same way, and no load leaves the tensors.
void ElementBuilder::build(Value workgroup) {
  TypedValue<ViewType> c = getResultView(part);
  ArrayRef<int64_t> shape = c.getType().getShape();
  int64_t elements = getNumElements(part);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value item = math.add(math.mul(workgroup, kThreads), thread);
  Value inside = math.lessThan(item, elements);
  Value element = arith::MinUIOp::create(builder, loc, item, math.constant(elements - 1));
  Value n = math.rem(element, shape[2]), row = math.div(element, shape[2]);
  Value m = math.rem(row, shape[1]), g = math.div(row, shape[1]);

  Value acc;
  if (auto gemm = dyn_cast<GemmOp>(part))
    acc = accumulate(gemm, g, m, n);
  else
    acc = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType));
  SmallVector<Value> ds;
  for (Value d : getDs(part))
    ds.push_back(load(makeCursor(d, {g, m, n})));
  Value result = applyEpilogue(acc, ds);
  Value one =
      vector::BroadcastOp::create(builder, loc, VectorType::get(1, result.getType()), result);
  StoreOp::create(builder, loc, one, makeCursor(c, {g, m, n}), ArrayRef<int64_t>{0, 0, 0}, inside,
                  /*atomic=*/false);
}

/// The accumulators of the GEMMs among `parts`, or what the epilogue of a fill alone takes.
static Type getAccumulatorTypeOf(ArrayRef<Operation *> parts) {
  const auto *gemm = llvm::find_if(parts, llvm::IsaPred<GemmOp>);
  if (gemm != parts.end())
    return getAccumulatorType(cast<GemmOp>(*gemm).getA().getType().getElementType());
  Region &epilogue = getEpilogue(parts.front());
  return epilogue.empty() ? Float32Type::get(parts.front()->getContext())
                          : epilogue.getArgument(0).getType();
}

/// The parts share out the workgroups one after the other.
static void buildParts(OpBuilder &builder, const KernelOutline &outline, Location loc) {
  ArrayRef<Operation *> parts = outline.getParts();
  Type accType = getAccumulatorTypeOf(parts);
  IntMath math{builder, loc};
  Value workgroup = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  if (parts.size() == 1)
    return ElementBuilder(builder, outline, parts[0], accType).build(workgroup);
  for (Operation *part : parts) {
    int64_t count = getNumWorkgroups(part);
    // Workgroups before this part have become negative, which are large unsigned numbers.
    Value mine = math.lessThan(workgroup, count);
    auto branch = scf::IfOp::create(builder, loc, mine);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      ElementBuilder(builder, outline, part, accType).build(workgroup);
    }
    workgroup = math.sub(workgroup, math.constant(count));
  }
}

FailureOr<gpu::GPUFuncOp> ck::outlineNaive(RewriterBase &rewriter, Operation *op,
                                           gpu::GPUModuleOp kernels, StringRef name) {
  FailureOr<KernelOutline> outline = KernelOutline::create(op);
  if (failed(outline))
    return failure();
  int64_t workgroups = 0;
  for (Operation *part : outline->getParts()) {
    if (getNumElements(part) > kMaxElements)
      return part->emitOpError("the result has ") << getNumElements(part) << " elements: at most "
                                                  << kMaxElements << " can have a work-item each";
    workgroups += getNumWorkgroups(part);
  }
  Location loc = op->getLoc();
  FailureOr<gpu::GPUFuncOp> kernel = outline->run(rewriter, kernels, name, workgroups, kThreads,
                                                  [&] { buildParts(rewriter, *outline, loc); });
  if (succeeded(kernel))
    outline->finish(rewriter);
  return kernel;
}

namespace {
struct GemmToNaivePass final : ck::impl::GemmToNaivePassBase<GemmToNaivePass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// What is beyond the GEMMs cannot become a naive kernel any more.
static LogicalResult verifyHasGemms(ModuleOp module) {
  if (failed(verifyInput(module, Form::ImplicitGemm)))
    return failure();
  WalkResult found = module.walk([](Operation *op) {
    return isa<GemmOp, FillOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return module.emitError("expected a problem, a 'ck.gemm' or a 'ck.fill' in the module, got "
                            "none");
  return success();
}

void GemmToNaivePass::runOnOperation() {
  if (failed(verifyHasGemms(getOperation())))
    return signalPassFailure();
  if (failed(outlineKernels(getOperation(), "_naive", /*fills=*/true,
                            [](RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels,
                               StringRef name) -> LogicalResult {
                              return outlineNaive(rewriter, op, kernels, name);
                            })))
    signalPassFailure();
}
