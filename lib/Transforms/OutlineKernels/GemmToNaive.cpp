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

#include "Transforms/ElementBuilder.h"
#include "Transforms/LaneMath.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
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

/// Builds the code of the work-items of `workgroup`, counted from the first of `part`. Those past
/// the last element compute that one, but do not store it: all of a workgroup go the same way, and
/// no load leaves the tensors.
static void buildElement(OpBuilder &builder, const KernelOutline &outline, Operation *part,
                         Type accType, Value workgroup) {
  Location loc = part->getLoc();
  IntMath math{builder, loc};
  ElementBuilder element(builder, loc, accType);
  TypedValue<ViewType> c = getResultView(part);
  ArrayRef<int64_t> shape = c.getType().getShape();
  int64_t elements = getNumElements(part);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value item = math.add(math.mul(workgroup, kThreads), thread);
  Value inside = math.lessThan(item, elements);
  Value number = arith::MinUIOp::create(builder, loc, item, math.constant(elements - 1));
  Value n = math.rem(number, shape[2]), row = math.div(number, shape[2]);
  Value m = math.rem(row, shape[1]), g = math.div(row, shape[1]);

  Value acc = element.getZero();
  if (auto gemm = dyn_cast<GemmOp>(part))
    acc = element.accumulate(
        {outline.getInner(gemm.getA()), outline.getInner(gemm.getB()), gemm.getOmitPadding()},
        {g, m, n});
  SmallVector<Value> ds;
  for (Value d : getDs(part))
    ds.push_back(element.load(outline.getInner(d), {g, m, n}));
  Value result =
      buildResult(builder, loc, getEpilogue(part), acc, ds, c.getType().getElementType());
  element.store(result, outline.getInner(c), {g, m, n}, inside);
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
    return buildElement(builder, outline, parts[0], accType, workgroup);
  for (Operation *part : parts) {
    int64_t count = getNumWorkgroups(part);
    // Workgroups before this part have become negative, which are large unsigned numbers.
    Value mine = math.lessThan(workgroup, count);
    auto branch = scf::IfOp::create(builder, loc, mine);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      buildElement(builder, outline, part, accType, workgroup);
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
