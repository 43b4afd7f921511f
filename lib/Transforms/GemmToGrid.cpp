//===- GemmToGrid.cpp - Outline every GEMM into a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's kernel outlining works on gpu.launch regions; here the launch follows from the
// schedule and the views move along with the GEMM, so the kernel is built directly.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

#define DEBUG_TYPE "ck-gemm-to-grid"

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTOGRIDPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Builds the kernel of a GEMM, or of the GEMMs and fills of a table, and its launch.
class Outliner {
public:
  Outliner(RewriterBase &rewriter, Operation *op) : rewriter(rewriter), op(op) {}

  FailureOr<gpu::GPUFuncOp> run(gpu::GPUModuleOp kernels, StringRef name, const ChipInfo &chip);

private:
  LogicalResult collect();
  LogicalResult collectView(Value view);
  void buildDistribute();
  void buildWork(Operation *part);
  void buildLaunch(gpu::GPUFuncOp kernel, int64_t workgroups, int64_t threads);
  Value inner(Value view) const { return mapping.lookup(view); }

  RewriterBase &rewriter;
  Operation *op;
  SmallVector<Operation *> parts;
  ScheduleAttr schedule;
  Type accElement;
  llvm::SetVector<Value> views; // made by ck.transform
  SmallVector<Value> tensors;   // of the views, in the order of the kernel's arguments
  IRMapping mapping;            // views to those in the kernel
};
} // namespace

/// Groups, tile rows and tile columns of the result `c`.
static std::array<int64_t, 3> getTileCounts(TypedValue<ViewType> c, const Schedule &schedule) {
  ArrayRef<int64_t> shape = c.getType().getShape();
  auto count = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
  return {shape[0], count(shape[1], schedule.tile[0]), count(shape[2], schedule.tile[1])};
}

static TypedValue<ViewType> getResultView(Operation *part) {
  if (auto gemm = dyn_cast<GemmOp>(part))
    return gemm.getC();
  return cast<FillOp>(part).getC();
}

static Region &getEpilogue(Operation *part) { return part->getRegion(0); }

static OperandRange getDs(Operation *part) {
  if (auto gemm = dyn_cast<GemmOp>(part))
    return gemm.getDs();
  return cast<FillOp>(part).getDs();
}

LogicalResult Outliner::collectView(Value view) {
  auto transform = view.getDefiningOp<TransformOp>();
  if (!transform)
    return op->emitOpError("expected operands made by ck.transform");
  if (views.insert(view) && !llvm::is_contained(tensors, transform.getTensor()))
    tensors.push_back(transform.getTensor());
  return success();
}

LogicalResult Outliner::collect() {
  if (isa<GemmOp>(op))
    parts = {op};
  else
    for (Operation &part : cast<GemmTableOp>(op).getBody().front())
      parts.push_back(&part);
  for (Operation *part : parts) {
    for (Value operand : part->getOperands())
      if (failed(collectView(operand)))
        return failure();
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    if (!gemm.getSchedule())
      return gemm.emitOpError("expected a schedule (see ck-assign-schedule)");
    if (schedule && schedule != gemm.getScheduleAttr())
      return gemm.emitOpError("expected the schedule of the table's other GEMMs ")
             << schedule << ", got " << gemm.getScheduleAttr();
    schedule = gemm.getScheduleAttr();
    accElement = getAccumulatorType(gemm.getA().getType().getElementType());
  }
  // Arguments of the host function by their numbers, then others in the order of their use, then
  // the result.
  Value result = getResultView(parts.front()).getDefiningOp<TransformOp>().getTensor();
  auto rank = [&](auto indexed) {
    auto argument = dyn_cast<BlockArgument>(indexed.value());
    size_t number = argument ? argument.getArgNumber() : std::numeric_limits<size_t>::max();
    return std::make_tuple(indexed.value() == result, number, indexed.index(),
                           indexed.value().getAsOpaquePointer());
  };
  auto ranked = llvm::map_to_vector(llvm::enumerate(tensors), rank);
  llvm::sort(ranked);
  for (auto [tensor, entry] : llvm::zip_equal(tensors, ranked))
    tensor = Value::getFromOpaquePointer(std::get<3>(entry));
  return success();
}

/// Builds the `ck.work` of one GEMM or fill.
void Outliner::buildWork(Operation *part) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = part->getLoc();
  Schedule value = schedule.getValue();
  TypedValue<ViewType> c = getResultView(part);
  auto gemm = dyn_cast<GemmOp>(part);
  int64_t k = gemm ? gemm.getA().getType().getShape()[2] : 0;
  auto work = WorkOp::create(rewriter, loc, ArrayRef<int64_t>(getTileCounts(c, value)),
                             (k + value.tile[2] - 1) / value.tile[2]);
  Type index = rewriter.getIndexType();
  auto accType = AccType::get(loc.getContext(), {value.tile[0], value.tile[1]}, accElement);

  Block *body = rewriter.createBlock(&work.getBody());
  body->addArguments(SmallVector<Type>(5, index), SmallVector<Location>(5, loc));
  Value acc;
  if (gemm)
    acc = BlockGemmOp::create(rewriter, loc, accType, inner(gemm.getA()), inner(gemm.getB()),
                              body->getArgument(0), body->getArgument(1), body->getArgument(2),
                              body->getArgument(3), body->getArgument(4), schedule);
  else
    acc = ZeroAccOp::create(rewriter, loc, accType);
  YieldOp::create(rewriter, loc, acc);

  Block *epilogue = rewriter.createBlock(&work.getEpilogue());
  epilogue->addArguments({index, index, index, accType}, SmallVector<Location>(4, loc));
  SmallVector<Value> ds = llvm::map_to_vector(getDs(part), [&](Value d) { return inner(d); });
  auto store = StoreTileOp::create(rewriter, loc, epilogue->getArgument(3), inner(c),
                                   epilogue->getArgument(0), epilogue->getArgument(1),
                                   epilogue->getArgument(2), ds);
  rewriter.inlineRegionBefore(getEpilogue(part), store.getEpilogue(), store.getEpilogue().end());
  YieldOp::create(rewriter, loc);
}

void Outliner::buildDistribute() {
  auto partition = PartitionAttr::get(rewriter.getContext(), "data_parallel");
  auto distribute = DistributeOp::create(rewriter, op->getLoc(), partition);
  rewriter.createBlock(&distribute.getBody());
  for (Operation *part : parts)
    buildWork(part);
  rewriter.setInsertionPointAfter(distribute);
}

/// Launches `kernel` in place of the op.
void Outliner::buildLaunch(gpu::GPUFuncOp kernel, int64_t workgroups, int64_t threads) {
  rewriter.setInsertionPoint(op);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, op->getLoc(), value);
  };
  Value one = constant(1);
  gpu::LaunchFuncOp::create(rewriter, op->getLoc(), kernel,
                            gpu::KernelDim3{constant(workgroups), one, one},
                            gpu::KernelDim3{constant(threads), one, one},
                            /*dynamicSharedMemorySize=*/Value(), tensors);
}

FailureOr<gpu::GPUFuncOp> Outliner::run(gpu::GPUModuleOp kernels, StringRef name,
                                        const ChipInfo &chip) {
  if (failed(collect()))
    return failure();
  Schedule value = schedule.getValue();
  int64_t workgroups = 0, threads = value.getNumWaves() * chip.waveSize;
  for (Operation *part : parts) {
    auto [groups, rows, columns] = getTileCounts(getResultView(part), value);
    workgroups += groups * rows * columns;
  }
  if (workgroups > std::numeric_limits<int32_t>::max())
    return op->emitOpError("the grid has ") << workgroups << " workgroups: at most 2147483647";

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(kernels.getBody());
  auto type = rewriter.getFunctionType(ValueRange(tensors).getTypes(), {});
  auto kernel = gpu::GPUFuncOp::create(rewriter, op->getLoc(), name, type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
  kernel.setKnownBlockSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  kernel.setKnownGridSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(workgroups), 1, 1}));

  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  for (Value view : views) {
    Value tensor = view.getDefiningOp<TransformOp>().getTensor();
    Value argument = kernel.getArgument(llvm::find(tensors, tensor) - tensors.begin());
    mapping.map(
        view, TransformOp::create(rewriter, view.getLoc(), cast<ViewType>(view.getType()), argument)
                  .getResult());
  }
  buildDistribute();
  gpu::ReturnOp::create(rewriter, op->getLoc());

  buildLaunch(kernel, workgroups, threads);
  rewriter.eraseOp(op);
  for (Value view : views)
    if (view.use_empty())
      rewriter.eraseOp(view.getDefiningOp());
  return kernel;
}

FailureOr<gpu::GPUFuncOp> ck::outlineGemm(RewriterBase &rewriter, Operation *op,
                                          gpu::GPUModuleOp kernels, StringRef name) {
  FailureOr<const ChipInfo *> chip = getTargetChip(op);
  if (failed(chip))
    return failure();
  return Outliner(rewriter, op).run(kernels, name, **chip);
}

namespace {
struct GemmToGridPass final : ck::impl::GemmToGridPassBase<GemmToGridPass> {
  using Base::Base;
  gpu::GPUModuleOp createKernelModule();
  void runOnOperation() override;
};
} // namespace

/// An empty `gpu.module @kernels` for the module's chip.
gpu::GPUModuleOp GemmToGridPass::createKernelModule() {
  FailureOr<const ChipInfo *> chip = getTargetChip(getOperation());
  if (failed(chip))
    return {};
  getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                          UnitAttr::get(&getContext()));
  auto target = ROCDL::ROCDLTargetAttr::get(&getContext(), /*optLevel=*/3, "amdgcn-amd-amdhsa",
                                            (*chip)->name, (*chip)->features);
  OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto kernels = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels",
                                          ArrayRef<Attribute>{target});
  SymbolTable(getOperation()).insert(kernels);
  return kernels;
}

void GemmToGridPass::runOnOperation() {
  SmallVector<Operation *> gemms;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<GemmOp, GemmTableOp>(op))
      return WalkResult::advance();
    gemms.push_back(op);
    return WalkResult::skip();
  });
  if (gemms.empty())
    return;
  gpu::GPUModuleOp kernels = createKernelModule();
  if (!kernels)
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (auto [i, gemm] : llvm::enumerate(gemms)) {
    auto function = gemm->getParentOfType<SymbolOpInterface>();
    std::string name = function ? function.getName().str() : "gemm";
    if (gemms.size() > 1)
      name += "_" + std::to_string(i);
    if (failed(outlineGemm(rewriter, gemm, kernels, name)))
      return signalPassFailure();
  }
}
