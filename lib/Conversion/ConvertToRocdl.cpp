//===- ConvertToRocdl.cpp - Convert lane-level kernels to llvm and rocdl -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of it is upstream's; this pass only fixes the order and the options, and takes the chip from
// the module, so that it cannot differ from the one that the code was generated for.
//
//===----------------------------------------------------------------------===//

#include "Conversion/CopyScopes.h"
#include "Conversion/ExpandFloat8.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/IR/Form.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::ck {
#define GEN_PASS_DEF_CONVERTTOROCDLPASS
#include "ck-mlir/Conversion/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

void mlir::ck::registerConversionInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
}

namespace {
/// What the conversions of a gpu.module depend on.
struct ConversionOptions {
  StringRef chip;
  unsigned indexBits;
  bool hasNarrowFloats; // of 8 bits or fewer, the only ones that arith-to-amdgpu converts
};
} // namespace

/// The conversions of a gpu.module without affine expressions.
static void buildPipeline(OpPassManager &manager, const ConversionOptions &options) {
  manager.addPass(createLoopInvariantCodeMotionPass());
  if (options.hasNarrowFloats) {
    ArithToAMDGPUConversionPassOptions floats;
    floats.chipset = options.chip.str();
    floats.saturateFP8Truncf = true;
    manager.addPass(createArithToAMDGPUConversionPass(floats));
  }
  manager.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToROCDLOpsOptions kernels;
  kernels.chipset = options.chip.str();
  kernels.indexBitwidth = options.indexBits;
  kernels.useBarePtrCallConv = true;
  kernels.runtime = gpu::amd::Runtime::HIP;
  manager.addPass(createConvertGpuOpsToROCDLOps(kernels));
  manager.addPass(createReconcileUnrealizedCastsPass());
  // LLVM looks at blocks again.
  GreedyRewriteConfig cleanup;
  cleanup.setMaxIterations(1).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  manager.addPass(createCanonicalizerPass(cleanup));
  manager.addPass(createCSEPass());
}

namespace {
/// Converts integers to 8-bit floats by way of f32. Canonicalization folds the two conversions into
/// one, which nothing lowers.
template <typename Op>
struct IntToFloat8Pattern final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() != 8)
      return rewriter.notifyMatchFailure(op, "not to an 8-bit float");
    auto vector = dyn_cast<VectorType>(type);
    Type f32 = rewriter.getF32Type();
    Value wide =
        Op::create(rewriter, op.getLoc(), vector ? Type(vector.clone(f32)) : f32, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide);
    return success();
  }
};

/// Makes vectors of 8-bit floats by fours, as an instruction does. Upstream puts longer ones
/// together by ops that gpu-to-rocdl does not know.
struct SplitFloat8Pattern final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    constexpr int64_t kMadeAtOnce = 4;
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || type.getElementTypeBitWidth() != 8 ||
        type.getNumElements() <= kMadeAtOnce || type.getNumElements() % kMadeAtOnce != 0)
      return rewriter.notifyMatchFailure(op, "not several fours of 8-bit floats");
    Location loc = op.getLoc();
    auto part = VectorType::get(kMadeAtOnce, type.getElementType());
    Value all;
    for (int64_t first = 0; first < type.getNumElements(); first += kMadeAtOnce) {
      auto four = llvm::to_vector(llvm::seq(first, first + kMadeAtOnce));
      Value wide = vector::ShuffleOp::create(rewriter, loc, op.getIn(), op.getIn(), four);
      Value made = arith::TruncFOp::create(rewriter, loc, part, wide);
      auto both = llvm::to_vector(llvm::seq(int64_t(0), first + kMadeAtOnce));
      all = all ? Value(vector::ShuffleOp::create(rewriter, loc, all, made, both)) : made;
    }
    rewriter.replaceOp(op, all);
    return success();
  }
};

struct ConvertToRocdlPass final : ck::impl::ConvertToRocdlPassBase<ConvertToRocdlPass> {
  using Base::Base;

  /// The nested passes create ops of upstream's dialects.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager manager(gpu::GPUModuleOp::getOperationName());
    buildPipeline(manager, {"gfx000", 32, /*hasNarrowFloats=*/true});
    manager.getDependentDialects(registry);
  }
  void runOnOperation() override;
};
} // namespace

/// 64 if a kernel says that it needs it, which is taken off, else 32.
static unsigned takeIndexBits(gpu::GPUModuleOp kernels) {
  unsigned bits = 32;
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
    if (kernel->removeAttr(CKDialect::kWideIndexAttrName))
      bits = 64;
  return bits;
}

/// Whether an op has to do with floats of at most 8 bits.
static bool hasNarrowFloats(gpu::GPUModuleOp kernels) {
  auto isNarrow = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() <= 8;
  };
  return kernels
      .walk([&](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), isNarrow) ||
                       llvm::any_of(op->getResultTypes(), isNarrow)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Has the arguments of kernels in registers before the first instruction, as far as those that the
/// hardware loads suffice. A load would take as long as the way to the L2.
static void preloadArguments(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (kernel->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()))
      for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
        kernel.setArgAttr(i, LLVM::LLVMDialect::getInRegAttrName(),
                          UnitAttr::get(kernels.getContext()));
}

void ConvertToRocdlPass::runOnOperation() {
  if (failed(verifyInput(getOperation(), Form::Upstream)))
    return signalPassFailure();
  for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
    FailureOr<const ChipInfo *> chip = getTargetChip(kernels);
    if (failed(chip))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<IntToFloat8Pattern<arith::SIToFPOp>, IntToFloat8Pattern<arith::UIToFPOp>>(
        &getContext());
    walkAndApplyPatterns(kernels, std::move(patterns));
    RewritePatternSet floats(&getContext());
    if ((*chip)->fp8 == Fp8Kind::None)
      populateExpandFloat8Patterns(floats);
    else
      floats.add<SplitFloat8Pattern>(&getContext());
    walkAndApplyPatterns(kernels, std::move(floats));
    // Upstream's pass also folds, as cleanup does again later.
    RewritePatternSet indices(&getContext());
    affine::populateAffineExpandIndexOpsPatterns(indices);
    walkAndApplyPatterns(kernels, std::move(indices));
    OpPassManager manager(gpu::GPUModuleOp::getOperationName());
    buildPipeline(manager, {(*chip)->name, takeIndexBits(kernels), hasNarrowFloats(kernels)});
    if (failed(runPipeline(manager, kernels)))
      return signalPassFailure();
    addCopyScopes(kernels);
    if ((*chip)->preloadsArguments)
      preloadArguments(kernels);
  }
  // The gpu.module carries the target from here on, and tools without our dialect can go on.
  getOperation()->removeAttr(CKDialect::kTargetAttrName);
}
