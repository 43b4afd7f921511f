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

#include "Transforms/IntMath.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTOGRIDPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Groups, tile rows and tile columns of the result `c`.
static std::array<int64_t, 3> getTileCounts(TypedValue<ViewType> c, AccType acc) {
  ArrayRef<int64_t> shape = c.getType().getShape(), tile = acc.getShape();
  auto count = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
  return {shape[0], count(shape[1], tile[0]), count(shape[2], tile[1])};
}

/// K steps of each tile of a GEMM; a fill has none.
static int64_t getKSteps(Operation *part, ScheduleAttr schedule) {
  auto gemm = dyn_cast<GemmOp>(part);
  int64_t k = gemm ? gemm.getA().getType().getShape()[2] : 0;
  int64_t tile = schedule.getTile()[2];
  return (k + tile - 1) / tile;
}

/// Creates a `ck.work` for the tiles of one GEMM or fill with its epilogue, whose results take the
/// way of `shuffle`, and an empty body.
static WorkOp createWork(RewriterBase &rewriter, const KernelOutline &outline, AccType accType,
                         Operation *part, int64_t kSteps, ShuffleAttr shuffle = {}) {
  Location loc = part->getLoc();
  TypedValue<ViewType> c = getResultView(part);
  auto work = WorkOp::create(rewriter, loc, ArrayRef<int64_t>(getTileCounts(c, accType)), kSteps);
  OpBuilder::InsertionGuard guard(rewriter);
  Type index = rewriter.getIndexType();
  Block *epilogue = rewriter.createBlock(&work.getEpilogue());
  epilogue->addArguments({index, index, index, accType}, SmallVector<Location>(4, loc));
  SmallVector<Value> ds =
      llvm::map_to_vector(getDs(part), [&](Value d) { return outline.getInner(d); });
  SmallVector<Value, 2> factors;
  if (auto gemm = dyn_cast<GemmOp>(part); gemm && gemm.getOmitPadding())
    factors = {outline.getInner(gemm.getA()), outline.getInner(gemm.getB())};
  auto store = StoreTileOp::create(rewriter, loc, epilogue->getArgument(3), outline.getInner(c),
                                   epilogue->getArgument(0), epilogue->getArgument(1),
                                   epilogue->getArgument(2), ds, /*ring=*/Value(), factors, shuffle,
                                   /*atomic=*/false);
  rewriter.cloneRegionBefore(getEpilogue(part), store.getEpilogue(), store.getEpilogue().end());
  YieldOp::create(rewriter, loc);
  Block *body = rewriter.createBlock(&work.getBody());
  body->addArguments(SmallVector<Type>(5, index), SmallVector<Location>(5, loc));
  return work;
}

/// Builds the `ck.work` of one GEMM or fill.
static void buildWork(RewriterBase &rewriter, const KernelOutline &outline, AccType accType,
                      Operation *part, int64_t kSteps) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = part->getLoc();
  auto gemm = dyn_cast<GemmOp>(part);
  WorkOp work = createWork(rewriter, outline, accType, part, kSteps,
                           gemm ? gemm.getShuffleAttr() : ShuffleAttr());
  Block &body = work.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  Value acc;
  if (gemm)
    acc = BlockGemmOp::create(rewriter, loc, accType, outline.getInner(gemm.getA()),
                              outline.getInner(gemm.getB()), body.getArgument(0),
                              body.getArgument(1), body.getArgument(2), body.getArgument(3),
                              body.getArgument(4), gemm.getScheduleAttr());
  else
    acc = ZeroAccOp::create(rewriter, loc, accType);
  YieldOp::create(rewriter, loc, acc);
}

namespace {

/// Makes the kernels of one GEMM or table.
class GridBuilder {
public:
  GridBuilder(RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels, StringRef name,
              bool allocWorkspace)
      : rewriter(rewriter), op(op), loc(op->getLoc()), kernels(kernels), name(name),
        allocWorkspace(allocWorkspace) {}

  FailureOr<gpu::GPUFuncOp> run(int64_t residents);

private:
  LogicalResult prepare(int64_t residents);
  void zeroAddedTo();
  FailureOr<gpu::GPUFuncOp> buildKernel();
  LogicalResult buildReduceKernel();
  void buildReduceWork(size_t index, int64_t firstPartial);
  WorkgroupMappingAttr getMapping() const;
  void remarkPlan(gpu::GPUFuncOp kernel, int64_t tileElements) const;
  /// Threads of `loadWaves` and the waves that compute.
  int64_t getThreads(int64_t loadWaves) {
    ArrayRef<int64_t> waves = schedule.getWaves();
    return (loadWaves + waves[0] * waves[1]) * chip->waveSize;
  }

  RewriterBase &rewriter;
  Operation *op;
  Location loc;
  gpu::GPUModuleOp kernels;
  StringRef name;
  bool allocWorkspace;
  const ChipInfo *chip = nullptr;
  std::optional<KernelOutline> outline;
  ScheduleAttr schedule;
  AccType accType;
  std::optional<WorkPlan> plan;
  Value workspace; // argument of the host function or allocation, if there is one
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
  // Those of a table share schedule and layout.
  auto gemm = cast<GemmOp>(*llvm::find_if(outline->getParts(), llvm::IsaPred<GemmOp>));
  schedule = *gemm.getSchedule();
  accType = AccType::get(schedule.getTile().take_front(2), *gemm.getLayout());
  SmallVector<WorkShape> shapes;
  for (Operation *part : outline->getParts()) {
    auto [groups, rows, columns] = getTileCounts(getResultView(part), accType);
    shapes.push_back({groups, rows, columns, getKSteps(part, schedule)});
  }
  // Form `scheduled` has checked that there is a plan, whatever the number of residents.
  plan = llvm::cantFail(WorkPlan::create(shapes, schedule.getPartition(),
                                         residents > 0 ? residents : chip->numCus, chip->numXcds,
                                         schedule.getMapping()));
  return success();
}

/// Zeroes what slices are added to.
void GridBuilder::zeroAddedTo() {
  Value zeroed;
  for (auto [part, slices] : llvm::zip_equal(outline->getParts(), plan->getSlices())) {
    if (!addsInMemory(plan->getPartition()) || slices == 1)
      continue;
    Value tensor = getResultView(part).getDefiningOp<TransformOp>().getTensor();
    if (tensor != zeroed)
      outline->zero(rewriter, tensor);
    zeroed = tensor;
  }
}

/// The mapping of the plan, or null where workgroups have slice after slice of tiles in the order
/// of rows, whatever the XCDs.
WorkgroupMappingAttr GridBuilder::getMapping() const {
  const WorkgroupMapping &mapping = plan->getMapping();
  const bool slicesGoRound = llvm::any_of(plan->getSlices(), [&](int64_t slices) {
    return getSlicesSideBySide(slices, plan->getXcds()) > 1;
  });
  const bool sharesByXcds = plan->getStreamSplit().dealtTiles > 0 && plan->getXcds() > 1;
  if (mapping.isDefault() && !slicesGoRound && !sharesByXcds)
    return {};
  return WorkgroupMappingAttr::get(rewriter.getContext(), mapping.window, mapping.chunk,
                                   plan->getXcds());
}

FailureOr<gpu::GPUFuncOp> GridBuilder::buildKernel() {
  int64_t threads = getThreads(schedule.getRoles().load);
  return outline->run(rewriter, kernels, name, plan->getGridSize(), threads, [&] {
    auto partition = PartitionAttr::get(rewriter.getContext(), schedule.getPartition());
    bool shares = !std::holds_alternative<DataParallel>(schedule.getPartition());
    Value inner = workspace ? outline->getInner(workspace) : Value();
    auto distribute = DistributeOp::create(rewriter, loc, partition,
                                           shares ? plan->getResidents() : 1, getMapping(), inner);
    rewriter.createBlock(&distribute.getBody());
    for (auto [part, shape] : llvm::zip_equal(outline->getParts(), plan->getGemms()))
      buildWork(rewriter, *outline, accType, part, shape.kSteps);
    rewriter.setInsertionPointAfter(distribute);
  });
}

/// Builds the `ck.work` that adds up the slices of GEMM `index`, in their order.
void GridBuilder::buildReduceWork(size_t index, int64_t firstPartial) {
  OpBuilder::InsertionGuard guard(rewriter);
  const WorkShape &shape = plan->getGemms()[index];
  auto work = createWork(rewriter, *outline, accType, outline->getParts()[index], /*kSteps=*/0);
  Block &body = work.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  IntMath math{rewriter, loc};
  Value tile = affine::AffineLinearizeIndexOp::create(
      rewriter, loc, body.getArguments().take_front(3), work.getTiles(), /*disjoint=*/true);
  Value zero = ZeroAccOp::create(rewriter, loc, accType);
  Value sum = AddPartialOp::create(rewriter, loc, zero, outline->getInner(workspace),
                                   math.add(tile, firstPartial), plan->getFlagBytes() / 4,
                                   math.constant(plan->getSlices()[index]),
                                   math.constant(shape.getTiles()));
  YieldOp::create(rewriter, loc, sum);
}

/// The second stage of Split-K: a workgroup per tile adds up its slices and runs the epilogue.
LogicalResult GridBuilder::buildReduceKernel() {
  int64_t workgroups = 0;
  for (auto [shape, slices] : llvm::zip_equal(plan->getGemms(), plan->getSlices()))
    workgroups += slices > 1 ? shape.getTiles() : 0;
  std::string reduceName = (name + "_reduce").str();
  int64_t threads = getThreads(/*loadWaves=*/0);
  return outline->run(rewriter, kernels, reduceName, workgroups, threads, [&] {
    auto partition = PartitionAttr::get(rewriter.getContext(), DataParallel());
    auto distribute = DistributeOp::create(rewriter, loc, partition, 1, /*mapping=*/{}, Value());
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
}

/// Says how `kernel` shares the work.
void GridBuilder::remarkPlan(gpu::GPUFuncOp kernel, int64_t tileElements) const {
  remark::passed(
      op->getLoc(),
      remark::RemarkOpts::name("Grid").category("ck-gemm-to-grid").function(kernel.getName()))
      << remark::metric("Partition", toString(plan->getPartition()))
      << remark::metric("Mapping", toString(plan->getMapping()))
      << remark::metric("Tiles", plan->getTiles())
      << remark::metric("Slices", *llvm::max_element(plan->getSlices()))
      << remark::metric("Workgroups", plan->getGridSize())
      << remark::metric("Residents", plan->getResidents())
      << remark::metric("WorkspaceBytes", plan->getWorkspaceBytes(tileElements));
}

FailureOr<gpu::GPUFuncOp> GridBuilder::run(int64_t residents) {
  if (failed(prepare(residents)))
    return failure();
  int64_t tileElements = ShapedType::getNumElements(accType.getShape());
  if (plan->getPartialTiles() > 0) {
    FailureOr<Value> created = outline->createWorkspace(
        rewriter, plan->getWorkspaceBytes(tileElements) / 4, plan->getFlagBytes() / 4,
        allocWorkspace, "partition '" + toString(plan->getPartition()) + "'");
    if (failed(created))
      return failure();
    workspace = *created;
  }
  zeroAddedTo();
  FailureOr<gpu::GPUFuncOp> kernel = buildKernel();
  if (failed(kernel))
    return failure();
  bool twoStage = hasSecondStage(plan->getPartition()) && plan->getPartialTiles() > 0;
  if (twoStage && failed(buildReduceKernel()))
    return failure();
  remarkPlan(*kernel, tileElements);
  outline->finish(rewriter);
  return kernel;
}

FailureOr<gpu::GPUFuncOp> ck::outlineGemm(RewriterBase &rewriter, Operation *op,
                                          gpu::GPUModuleOp kernels, StringRef name,
                                          int64_t residents, bool allocWorkspace) {
  auto isDirect = [](Operation *part) {
    auto gemm = dyn_cast<GemmOp>(part);
    return gemm && gemm.getDirect();
  };
  if (llvm::any_of(getGemmParts(op), isDirect))
    return outlineDirect(rewriter, op, kernels, name, allocWorkspace);
  return GridBuilder(rewriter, op, kernels, name, allocWorkspace).run(residents);
}

namespace {
struct GemmToGridPass final : ck::impl::GemmToGridPassBase<GemmToGridPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void GemmToGridPass::runOnOperation() {
  if (failed(verifyResidents(getOperation(), residents)) ||
      failed(verifyInput(getOperation(), Form::Scheduled)))
    return signalPassFailure();
  if (failed(outlineKernels(getOperation(), "", /*fills=*/false,
                            [&](RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels,
                                StringRef name) -> LogicalResult {
                              return outlineGemm(rewriter, op, kernels, name, residents,
                                                 allocWorkspace);
                            })))
    return signalPassFailure();
  getOperation().walk([&](DistributeOp distribute) {
    llvm::Expected<WorkPlan> plan = distribute.getPlan();
    assert(plan && "the op was made from a plan");
    ++numKernels;
    numTiles += plan->getTiles();
    numWorkgroups += plan->getGridSize();
  });
}
