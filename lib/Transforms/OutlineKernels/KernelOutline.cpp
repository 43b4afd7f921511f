//===- KernelOutline.cpp - Move GEMMs into kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/OutlineKernels/KernelOutline.h"
#include "Transforms/IntMath.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/SymbolTable.h"
#include <limits>

using namespace mlir;
using namespace mlir::ck;

TypedValue<ViewType> ck::getResultView(Operation *part) {
  if (auto gemm = dyn_cast<GemmOp>(part))
    return gemm.getC();
  return cast<FillOp>(part).getC();
}

OperandRange ck::getDs(Operation *part) {
  if (auto gemm = dyn_cast<GemmOp>(part))
    return gemm.getDs();
  return cast<FillOp>(part).getDs();
}

Region &ck::getEpilogue(Operation *part) { return part->getRegion(0); }

bool ck::canHaveWorkspace(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return false;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOfType<ModuleOp>());
  return uses && uses->empty();
}

LogicalResult ck::verifyWorkspace(Operation *op, const Twine &what) {
  if (canHaveWorkspace(op))
    return success();
  auto function = op->getParentOfType<func::FuncOp>();
  InFlightDiagnostic diag = op->emitOpError();
  if (function)
    diag << "expected no calls of '" << function.getName() << "'";
  else
    diag << "expected to be in a func.func";
  return diag << ", which " << what << " gives an argument for the workspace";
}

LogicalResult ck::verifyResidents(Operation *op, int64_t residents) {
  constexpr int64_t kMaxResidents = std::numeric_limits<int32_t>::max();
  if (residents >= 0 && residents <= kMaxResidents)
    return success();
  return op->emitError() << "resident workgroups must be in [0, " << kMaxResidents << "], got "
                         << residents;
}

LogicalResult KernelOutline::collectView(Value view) {
  auto transform = view.getDefiningOp<TransformOp>();
  if (!transform)
    return op->emitOpError("expected operands made by ck.transform");
  if (views.insert(view) && !llvm::is_contained(tensors, transform.getTensor()))
    tensors.push_back(transform.getTensor());
  return success();
}

/// Arguments of the host function by their numbers, then others in the order of their use, then the
/// result.
void KernelOutline::sortTensors() {
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
}

FailureOr<KernelOutline> KernelOutline::create(Operation *op) {
  KernelOutline outline(op);
  if (isa<GemmOp, FillOp>(op))
    outline.parts = {op};
  else
    for (Operation &part : cast<GemmTableOp>(op).getBody().front())
      outline.parts.push_back(&part);
  for (Operation *part : outline.parts)
    for (Value operand : part->getOperands())
      if (failed(outline.collectView(operand)))
        return failure();
  outline.sortTensors();
  return outline;
}

/// Launches `kernel` in front of the op.
void KernelOutline::buildLaunch(RewriterBase &rewriter, gpu::GPUFuncOp kernel, int64_t workgroups,
                                int64_t threads) {
  rewriter.setInsertionPoint(op);
  IntMath math{rewriter, op->getLoc()};
  Value one = math.constant(1);
  gpu::LaunchFuncOp::create(rewriter, op->getLoc(), kernel,
                            gpu::KernelDim3{math.constant(workgroups), one, one},
                            gpu::KernelDim3{math.constant(threads), one, one},
                            /*dynamicSharedMemorySize=*/Value(), tensors);
}

FailureOr<gpu::GPUFuncOp> KernelOutline::run(RewriterBase &rewriter, gpu::GPUModuleOp kernels,
                                             StringRef name, int64_t workgroups, int64_t threads,
                                             function_ref<void()> build) {
  if (workgroups > std::numeric_limits<int32_t>::max())
    return op->emitOpError("the grid has ") << workgroups << " workgroups: at most 2147483647";
  constexpr int64_t kMaxWorkItems = std::numeric_limits<uint32_t>::max();
  if (workgroups * threads > kMaxWorkItems)
    return op->emitOpError("the grid has ")
           << workgroups * threads << " work-items, in " << workgroups << " workgroups of "
           << threads << ": at most " << kMaxWorkItems;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(kernels.getBody());
  auto type = rewriter.getFunctionType(ValueRange(tensors).getTypes(), {});
  auto kernel = gpu::GPUFuncOp::create(rewriter, op->getLoc(), name, type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
  kernel.setKnownBlockSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  kernel.setKnownGridSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(workgroups), 1, 1}));

  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  mapping.map(tensors, kernel.getArguments());
  for (Value view : views) {
    Value argument = mapping.lookup(view.getDefiningOp<TransformOp>().getTensor());
    mapping.map(
        view, TransformOp::create(rewriter, view.getLoc(), cast<ViewType>(view.getType()), argument)
                  .getResult());
  }
  build();
  gpu::ReturnOp::create(rewriter, op->getLoc());

  buildLaunch(rewriter, kernel, workgroups, threads);
  return kernel;
}

void KernelOutline::zero(RewriterBase &rewriter, Value tensor) const {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Type element = cast<MemRefType>(tensor.getType()).getElementType();
  Value value = arith::ConstantOp::create(rewriter, op->getLoc(), rewriter.getZeroAttr(element));
  gpu::MemsetOp::create(rewriter, op->getLoc(), /*asyncToken=*/Type(), ValueRange(), tensor, value);
}

/// Zeroes the first `words` of `workspace`, the flags.
void KernelOutline::zeroFlags(RewriterBase &rewriter, Value workspace, int64_t words) const {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto part = memref::SubViewOp::create(rewriter, loc, workspace,
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(0)},
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(words)},
                                        ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
  auto type = MemRefType::get(words, rewriter.getI32Type());
  zero(rewriter, memref::CastOp::create(rewriter, loc, type, part));
}

FailureOr<Value> KernelOutline::createWorkspace(RewriterBase &rewriter, int64_t words,
                                                int64_t flagWords, bool allocate,
                                                const Twine &what) {
  Location loc = op->getLoc();
  auto type = MemRefType::get(words, rewriter.getI32Type());
  Value workspace;
  if (allocate) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    workspace = gpu::AllocOp::create(rewriter, loc, type, /*asyncToken=*/Type(), ValueRange(),
                                     ValueRange(), ValueRange())
                    .getMemref();
    rewriter.setInsertionPointAfter(op);
    gpu::DeallocOp::create(rewriter, loc, /*asyncToken=*/Type(), ValueRange(), workspace);
  } else {
    if (failed(verifyWorkspace(op, what)))
      return failure();
    auto function = op->getParentOfType<func::FuncOp>();
    NamedAttribute mark(CKDialect::kWorkspaceAttrName, rewriter.getUnitAttr());
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, type, rewriter.getDictionaryAttr(mark), loc)))
      return failure();
    workspace = function.getArgument(number);
  }
  tensors.push_back(workspace);
  if (flagWords > 0)
    zeroFlags(rewriter, workspace, flagWords);
  return workspace;
}

void KernelOutline::finish(RewriterBase &rewriter) {
  rewriter.eraseOp(op);
  for (Value view : views)
    if (view.use_empty())
      rewriter.eraseOp(view.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// An empty `gpu.module @kernels` for the module's chip.
static FailureOr<gpu::GPUModuleOp> createKernelModule(ModuleOp module) {
  FailureOr<const ChipInfo *> chip = getTargetChip(module);
  if (failed(chip))
    return failure();
  MLIRContext *context = module.getContext();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(context));
  auto target = ROCDL::ROCDLTargetAttr::get(context, /*optLevel=*/3, "amdgcn-amd-amdhsa",
                                            (*chip)->name, (*chip)->features);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels", ArrayRef<Attribute>{target});
  SymbolTable(module).insert(kernels);
  return kernels;
}

LogicalResult ck::outlineKernels(
    ModuleOp module, StringRef suffix, bool fills,
    function_ref<LogicalResult(RewriterBase &, Operation *, gpu::GPUModuleOp, StringRef)> outline) {
  SmallVector<Operation *> gemms;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<GemmOp, GemmTableOp>(op) && !(fills && isa<FillOp>(op)))
      return WalkResult::advance();
    gemms.push_back(op);
    return WalkResult::skip();
  });
  if (gemms.empty())
    return success();
  FailureOr<gpu::GPUModuleOp> kernels = createKernelModule(module);
  if (failed(kernels))
    return failure();
  IRRewriter rewriter(module.getContext());
  for (auto [i, gemm] : llvm::enumerate(gemms)) {
    auto function = gemm->getParentOfType<SymbolOpInterface>();
    std::string name = (function ? function.getName().str() : "gemm") + suffix.str();
    if (gemms.size() > 1)
      name += "_" + std::to_string(i);
    if (failed(outline(rewriter, gemm, *kernels, name)))
      return failure();
  }
  return success();
}
