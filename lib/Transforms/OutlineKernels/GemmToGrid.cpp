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

#include "Transforms/DistributeToWaves/StoreLayout.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "ck-mlir/Schedule/WorkEstimate.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <limits>

#define DEBUG_TYPE "ck-gemm-to-grid"

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTOGRIDPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Groups, tile rows and tile columns of the result `c`.
static std::array<int64_t, 3> getTileCounts(TypedValue<ViewType> c, const Schedule &schedule) {
  ArrayRef<int64_t> shape = c.getType().getShape();
  auto count = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
  return {shape[0], count(shape[1], schedule.tile[0]), count(shape[2], schedule.tile[1])};
}

/// The schedule that all GEMMs among `parts` share.
static FailureOr<ScheduleAttr> getSchedule(ArrayRef<Operation *> parts) {
  ScheduleAttr schedule;
  for (Operation *part : parts) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    if (!gemm.getSchedule())
      return gemm.emitOpError("expected a schedule (see ck-assign-schedule)");
    if (schedule && schedule != gemm.getScheduleAttr())
      return gemm.emitOpError("expected the schedule of the table's other GEMMs ")
             << schedule << ", got " << gemm.getScheduleAttr();
    schedule = gemm.getScheduleAttr();
  }
  return schedule;
}

/// K steps of each tile of a GEMM; a fill has none.
static int64_t getKSteps(Operation *part, const Schedule &schedule) {
  auto gemm = dyn_cast<GemmOp>(part);
  int64_t k = gemm ? gemm.getA().getType().getShape()[2] : 0;
  return (k + schedule.tile[2] - 1) / schedule.tile[2];
}

/// Creates a `ck.work` for the tiles of one GEMM or fill with its epilogue and an empty body.
static WorkOp createWork(RewriterBase &rewriter, const KernelOutline &outline,
                         const Schedule &schedule, Type accElement, Operation *part,
                         int64_t kSteps) {
  Location loc = part->getLoc();
  TypedValue<ViewType> c = getResultView(part);
  auto work = WorkOp::create(rewriter, loc, ArrayRef<int64_t>(getTileCounts(c, schedule)), kSteps);
  OpBuilder::InsertionGuard guard(rewriter);
  Type index = rewriter.getIndexType();
  auto accType = AccType::get(loc.getContext(), {schedule.tile[0], schedule.tile[1]}, accElement);
  Block *epilogue = rewriter.createBlock(&work.getEpilogue());
  epilogue->addArguments({index, index, index, accType}, SmallVector<Location>(4, loc));
  SmallVector<Value> ds =
      llvm::map_to_vector(getDs(part), [&](Value d) { return outline.getInner(d); });
  auto store = StoreTileOp::create(
      rewriter, loc, epilogue->getArgument(3), outline.getInner(c), epilogue->getArgument(0),
      epilogue->getArgument(1), epilogue->getArgument(2), ds, /*ring=*/Value(), /*atomic=*/false);
  rewriter.cloneRegionBefore(getEpilogue(part), store.getEpilogue(), store.getEpilogue().end());
  YieldOp::create(rewriter, loc);
  Block *body = rewriter.createBlock(&work.getBody());
  body->addArguments(SmallVector<Type>(5, index), SmallVector<Location>(5, loc));
  return work;
}

/// Builds the `ck.work` of one GEMM or fill.
static void buildWork(RewriterBase &rewriter, const KernelOutline &outline, ScheduleAttr schedule,
                      Type accElement, Operation *part) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = part->getLoc();
  Schedule value = schedule.getValue();
  WorkOp work = createWork(rewriter, outline, value, accElement, part, getKSteps(part, value));
  Block &body = work.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  Type accType = work.getEpilogue().getArgument(3).getType();
  Value acc;
  if (auto gemm = dyn_cast<GemmOp>(part))
    acc = BlockGemmOp::create(rewriter, loc, accType, outline.getInner(gemm.getA()),
                              outline.getInner(gemm.getB()), body.getArgument(0),
                              body.getArgument(1), body.getArgument(2), body.getArgument(3),
                              body.getArgument(4), schedule);
  else
    acc = ZeroAccOp::create(rewriter, loc, accType);
  YieldOp::create(rewriter, loc, acc);
}

namespace {

/// Makes the kernels of one GEMM or table.
class GridBuilder {
public:
  GridBuilder(RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels, StringRef name)
      : rewriter(rewriter), op(op), loc(op->getLoc()), kernels(kernels), name(name) {}

  FailureOr<gpu::GPUFuncOp> run(int64_t residents);

private:
  LogicalResult prepare(int64_t residents);
  LogicalResult prepareAtomics();
  LogicalResult verifyAtomicPairs(gpu::GPUFuncOp kernel);
  bool isAtomic(size_t index) const {
    return plan->getPartition().kind == PartitionKind::SplitK && !plan->getPartition().twoStage &&
           plan->getSlices()[index] > 1;
  }
  void zero(Value tensor);
  LogicalResult createWorkspace(int64_t words);
  void zeroFlags(int64_t words);
  FailureOr<gpu::GPUFuncOp> buildKernel();
  LogicalResult buildReduceKernel(gpu::GPUFuncOp first);
  void buildReduceWork(size_t index, int64_t firstPartial);
  int64_t getThreads(const Schedule &schedule) { return schedule.getNumWaves() * chip->waveSize; }

  RewriterBase &rewriter;
  Operation *op;
  Location loc;
  gpu::GPUModuleOp kernels;
  StringRef name;
  const ChipInfo *chip = nullptr;
  std::optional<KernelOutline> outline;
  ScheduleAttr schedule;
  Type accElement;
  const MatrixInstruction *mma = nullptr; // of the schedule; null if the chip has none
  std::optional<WorkPlan> plan;
  Value workspace; // argument of the host function, if there is one
};

} // namespace

/// Finds schedule and plan.
LogicalResult GridBuilder::prepare(int64_t residents) {
  FailureOr<const ChipInfo *> target = getTargetChip(op);
  if (failed(target))
    return failure();
  chip = *target;
  FailureOr<KernelOutline> found = KernelOutline::create(op);
  if (failed(found))
    return failure();
  outline = std::move(*found);
  FailureOr<ScheduleAttr> common = getSchedule(outline->getParts());
  if (failed(common))
    return failure();
  schedule = *common;
  auto gemm = cast<GemmOp>(*llvm::find_if(outline->getParts(), llvm::IsaPred<GemmOp>));
  Type element = gemm.getA().getType().getElementType();
  accElement = getAccumulatorType(element);
  Schedule value = schedule.getValue();
  mma = chip->findMatrixInstruction(value.mma, *getDataType(element));
  SmallVector<WorkShape> shapes;
  for (Operation *part : outline->getParts()) {
    auto [groups, rows, columns] = getTileCounts(getResultView(part), value);
    shapes.push_back({groups, rows, columns, getKSteps(part, value)});
  }
  llvm::Expected<WorkPlan> created =
      WorkPlan::create(shapes, value.partition, residents > 0 ? residents : chip->numCus);
  if (!created)
    return op->emitOpError(llvm::toString(created.takeError()));
  plan = std::move(*created);
  if (llvm::Error error = checkIndices(*plan, value.tile[0] * value.tile[1]))
    return op->emitOpError(llvm::toString(std::move(error)));
  return success();
}

/// Zeroes `tensor` in front of the launches.
void GridBuilder::zero(Value tensor) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Type element = cast<MemRefType>(tensor.getType()).getElementType();
  Value value = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  gpu::MemsetOp::create(rewriter, loc, /*asyncToken=*/Type(), ValueRange(), tensor, value);
}

/// Zeroes what slices are added to; refuses results that cannot be added to.
LogicalResult GridBuilder::prepareAtomics() {
  Value zeroed;
  for (auto [index, part] : llvm::enumerate(outline->getParts())) {
    if (!isAtomic(index))
      continue;
    auto refuse = [&](const Twine &reason) {
      return op->emitOpError("partition '")
             << toString(plan->getPartition()) << "' adds up results in memory, but " << reason
             << "; expected '" << toString(plan->getPartition()) << ":two_stage'";
    };
    ViewType view = getResultView(part).getType();
    if (!getEpilogue(part).empty())
      return refuse("they go through an epilogue");
    DataType type = *getDataType(view.getElementType());
    if (chip->getAtomicWidth(type) == 0)
      return refuse(chip->name + " has no atomic addition for " + getName(type));
    Value tensor = getResultView(part).getDefiningOp<TransformOp>().getTensor();
    int64_t bytes = cast<MemRefType>(tensor.getType()).getNumElements() * getSizeInBytes(type);
    if (bytes > std::numeric_limits<int32_t>::max())
      return refuse("their tensor has " + Twine(bytes) + " bytes: at most 2147483647");
    if (tensor != zeroed)
      zero(tensor);
    zeroed = tensor;
  }
  return success();
}

/// Refuses results of 16 bits that are not stored by twos.
LogicalResult GridBuilder::verifyAtomicPairs(gpu::GPUFuncOp kernel) {
  unsigned dim = mma ? distribution::chooseAccDim(kernel, *mma) : 0;
  for (auto [index, part] : llvm::enumerate(outline->getParts())) {
    ViewType view = getResultView(part).getType();
    int64_t width = chip->getAtomicWidth(*getDataType(view.getElementType()));
    llvm::Expected<ViewAnalysis> analysis = analyzeView(view);
    if (!analysis)
      return op->emitOpError(llvm::toString(analysis.takeError()));
    if (isAtomic(index) && mma && distribution::getAccWidth(*analysis, *mma, dim) % width != 0)
      return op->emitOpError("partition '")
             << toString(plan->getPartition()) << "' adds up results of 16 bits in memory by twos, "
             << "but neighbours are not aligned in memory; expected '"
             << toString(plan->getPartition()) << ":two_stage'";
  }
  return success();
}

/// Gives the host function an argument for the workspace, which its caller owns.
LogicalResult GridBuilder::createWorkspace(int64_t words) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return op->emitOpError("expected to be in a func.func, which partition '")
           << toString(schedule.getValue().partition) << "' gives an argument for the workspace";
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOfType<ModuleOp>());
  if (!uses || !uses->empty())
    return op->emitOpError("expected no calls of '")
           << function.getName() << "', which partition '"
           << toString(schedule.getValue().partition) << "' gives an argument for the workspace";
  auto type = MemRefType::get(words, rewriter.getI32Type());
  NamedAttribute mark(CKDialect::kWorkspaceAttrName, rewriter.getUnitAttr());
  unsigned number = function.getNumArguments();
  if (failed(function.insertArgument(number, type, rewriter.getDictionaryAttr(mark), loc)))
    return failure();
  workspace = function.getArgument(number);
  outline->addTensor(workspace);
  return success();
}

/// Zeroes the first `words` of the workspace, the flags, in front of the launch.
void GridBuilder::zeroFlags(int64_t words) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto part = memref::SubViewOp::create(rewriter, loc, workspace,
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(0)},
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(words)},
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
  auto type = MemRefType::get(words, rewriter.getI32Type());
  zero(memref::CastOp::create(rewriter, loc, type, part));
}

FailureOr<gpu::GPUFuncOp> GridBuilder::buildKernel() {
  Schedule value = schedule.getValue();
  return outline->run(rewriter, kernels, name, plan->getGridSize(), getThreads(value), [&] {
    auto partition = PartitionAttr::get(rewriter.getContext(), value.partition);
    int64_t residents =
        value.partition.kind == PartitionKind::DataParallel ? 1 : plan->getResidents();
    Value inner = workspace ? outline->getInner(workspace) : Value();
    auto distribute = DistributeOp::create(rewriter, loc, partition, residents, inner);
    rewriter.createBlock(&distribute.getBody());
    for (Operation *part : outline->getParts())
      buildWork(rewriter, *outline, schedule, accElement, part);
    rewriter.setInsertionPointAfter(distribute);
  });
}

/// Builds the `ck.work` that adds up the slices of GEMM `index`, in their order.
void GridBuilder::buildReduceWork(size_t index, int64_t firstPartial) {
  OpBuilder::InsertionGuard guard(rewriter);
  const WorkShape &shape = plan->getGemms()[index];
  auto work = createWork(rewriter, *outline, schedule.getValue(), accElement,
                         outline->getParts()[index], /*kSteps=*/0);
  Block &body = work.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  };
  Value tile = affine::AffineLinearizeIndexOp::create(
      rewriter, loc, body.getArguments().take_front(3), work.getTiles(), /*disjoint=*/true);
  Value zero = ZeroAccOp::create(rewriter, loc, work.getEpilogue().getArgument(3).getType());
  auto loop = scf::ForOp::create(rewriter, loc, constant(0), constant(plan->getSlices()[index]),
                                 constant(1), zero);
  YieldOp::create(rewriter, loc, loop.getResult(0));
  rewriter.setInsertionPointToStart(loop.getBody());
  Value slice =
      arith::MulIOp::create(rewriter, loc, loop.getInductionVar(), constant(shape.getTiles()));
  Value local = arith::AddIOp::create(rewriter, loc, slice, tile);
  Value partial = local;
  if (firstPartial != 0)
    partial = arith::AddIOp::create(rewriter, loc, local, constant(firstPartial));
  Value sum = AddPartialOp::create(rewriter, loc, loop.getRegionIterArgs()[0],
                                   outline->getInner(workspace), partial, plan->getFlagBytes() / 4);
  scf::YieldOp::create(rewriter, loc, sum);
}

/// The second stage of Split-K: a workgroup per tile adds up its slices and runs the epilogue.
LogicalResult GridBuilder::buildReduceKernel(gpu::GPUFuncOp first) {
  Schedule value = schedule.getValue();
  value.roles = Roles();
  int64_t workgroups = 0;
  for (auto [shape, slices] : llvm::zip_equal(plan->getGemms(), plan->getSlices()))
    workgroups += slices > 1 ? shape.getTiles() : 0;
  FailureOr<gpu::GPUFuncOp> kernel =
      outline->run(rewriter, kernels, (name + "_reduce").str(), workgroups, getThreads(value), [&] {
        auto partition = PartitionAttr::get(rewriter.getContext(), Partition());
        auto distribute = DistributeOp::create(rewriter, loc, partition, 1, Value());
        rewriter.createBlock(&distribute.getBody());
        int64_t firstPartial = 0;
        for (size_t index = 0; index < plan->getGemms().size(); ++index) {
          int64_t slices = plan->getSlices()[index];
          if (slices == 1)
            continue;
          buildReduceWork(index, firstPartial);
          firstPartial += slices * plan->getGemms()[index].getTiles();
        }
        rewriter.setInsertionPointAfter(distribute);
      });
  if (failed(kernel))
    return failure();
  (*kernel)->setAttr(CKDialect::kScheduleAttrName, ScheduleAttr::get(rewriter.getContext(), value));
  // Both kernels hold accumulators as the stores want them.
  int64_t accDim = mma ? distribution::chooseAccDim(*kernel, *mma) : 0;
  for (gpu::GPUFuncOp both : {first, *kernel})
    both->setAttr(CKDialect::kAccDimAttrName, rewriter.getI64IntegerAttr(accDim));
  return success();
}

FailureOr<gpu::GPUFuncOp> GridBuilder::run(int64_t residents) {
  if (failed(prepare(residents)))
    return failure();
  int64_t tileElements = schedule.getValue().tile[0] * schedule.getValue().tile[1];
  if (plan->getPartialTiles() > 0 &&
      failed(createWorkspace(plan->getWorkspaceBytes(tileElements) / 4)))
    return failure();
  if (plan->getFlagBytes() > 0)
    zeroFlags(plan->getFlagBytes() / 4);
  if (failed(prepareAtomics()))
    return failure();
  FailureOr<gpu::GPUFuncOp> kernel = buildKernel();
  if (failed(kernel) || failed(verifyAtomicPairs(*kernel)))
    return failure();
  bool twoStage = plan->getPartition().kind == PartitionKind::SplitK && plan->getPartialTiles() > 0;
  if (twoStage && failed(buildReduceKernel(*kernel)))
    return failure();
  outline->finish(rewriter);
  return kernel;
}

FailureOr<gpu::GPUFuncOp> ck::outlineGemm(RewriterBase &rewriter, Operation *op,
                                          gpu::GPUModuleOp kernels, StringRef name,
                                          int64_t residents) {
  return GridBuilder(rewriter, op, kernels, name).run(residents);
}

namespace {
struct GemmToGridPass final : ck::impl::GemmToGridPassBase<GemmToGridPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void GemmToGridPass::runOnOperation() {
  constexpr int64_t kMaxResidents = std::numeric_limits<int32_t>::max();
  if (residents < 0 || residents > kMaxResidents) {
    getOperation().emitError() << "resident workgroups must be in [0, " << kMaxResidents
                               << "], got " << int64_t(residents);
    return signalPassFailure();
  }
  if (failed(outlineKernels(getOperation(), "",
                            [&](RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels,
                                StringRef name) -> LogicalResult {
                              return outlineGemm(rewriter, op, kernels, name, residents);
                            })))
    signalPassFailure();
}
