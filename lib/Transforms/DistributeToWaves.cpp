//===- DistributeToWaves.cpp - Distribute tiles to the waves and lanes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's vector distribution knows no lane layout of matrix instructions; here the layouts come
// from the target table, and every tile value becomes the vectors that one lane holds of it.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

#define DEBUG_TYPE "ck-distribute-to-waves"

namespace mlir::ck {
#define GEN_PASS_DEF_DISTRIBUTETOWAVESPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

//===----------------------------------------------------------------------===//
// Config
//===----------------------------------------------------------------------===//

int64_t Config::getPasses(FragmentType fragment) const {
  ArrayRef<int64_t> shape = fragment.getShape(), micro = fragment.getMicroTile();
  return shape[0] * shape[1] / (micro[0] * micro[1] * threads);
}

VectorType Config::getLoadType(FragmentType fragment) const {
  return VectorType::get(fragment.getMicroTile()[fragment.getAlongK() ? 1 : 0],
                         fragment.getElementType());
}

int64_t Config::getLoadsPerPass(FragmentType fragment) const {
  return fragment.getMicroTile()[fragment.getAlongK() ? 0 : 1];
}

int64_t Config::getTileBytes(FragmentType fragment) const {
  return fragment.getShape()[0] * fragment.getShape()[1] *
         getSizeInBytes(*getDataType(fragment.getElementType()));
}

MemRefType Config::getTileMemRef(FragmentType fragment) const {
  MLIRContext *context = fragment.getContext();
  auto space = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  return MemRefType::get({fragment.getShape()[1] / kPack, fragment.getShape()[0], kPack},
                         fragment.getElementType(), MemRefLayoutAttrInterface(), space);
}

int64_t Config::getSwizzle(FragmentType fragment) const {
  return std::min<int64_t>(fragment.getMicroTile()[0], std::min(mma->m, mma->n) / 8);
}

int64_t ck::distribution::getNumLaneCursors(CursorType type, const Config &config) {
  FragmentType fragment = type.getFragment();
  llvm::Expected<ViewAnalysis> analysis = analyzeView(type.getView());
  if (!analysis) {
    llvm::consumeError(analysis.takeError());
    return 0;
  }
  // Loads of a micro tile are a power of two and start at a multiple of it.
  int64_t run = analysis->getRun(fragment.getAlongK() ? 1 : 2);
  bool shared = run == 0 || run >= config.getLoadsPerPass(fragment);
  return config.getPasses(fragment) * (shared ? 1 : config.getLoadsPerPass(fragment));
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

/// Puts the only role's body into the kernel and returns the configuration with lane ids at its
/// start.
static FailureOr<Config> enterUniformRole(gpu::GPUFuncOp kernel, WaveSpecializeOp specialize,
                                          const ChipInfo &chip) {
  if (specialize.getRegions().size() != 1)
    return specialize.emitOpError("roles 'load' and 'math' are not supported yet: expected "
                                  "'uniform'");
  Config config;
  config.chip = &chip;
  config.schedule = specialize.getSchedule().getValue();
  auto elementType = [&]() -> std::optional<DataType> {
    for (Type type : specialize.getCaptures().getTypes())
      if (auto ring = dyn_cast<RingType>(type))
        return getDataType(ring.getTiles()[0].getElementType());
    return std::nullopt;
  }();
  config.mma =
      elementType ? chip.findMatrixInstruction(config.schedule.mma, *elementType) : nullptr;
  if (!config.mma)
    return specialize.emitOpError("expected a captured ring of a type that ")
           << chip.name << " has a matrix instruction of the schedule for";
  config.kPack = getKPack(config.schedule, *elementType, chip);
  config.threads = config.schedule.getNumWaves() * chip.waveSize;

  IRRewriter rewriter(kernel.getContext());
  rewriter.setInsertionPoint(specialize);
  Location loc = specialize.getLoc();
  IndexMath math{rewriter, loc};
  config.thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
  config.lane = math.rem(config.thread, chip.waveSize);
  // The same for all lanes of a wave; say so, for scalar arithmetic.
  Value wave = math.div(config.thread, chip.waveSize);
  Value wave32 = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), wave);
  Value uniform = ROCDL::ReadfirstlaneOp::create(rewriter, loc, rewriter.getI32Type(), wave32);
  wave = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), uniform);
  config.waveRow = math.div(wave, config.schedule.waves[1]);
  config.waveColumn = math.rem(wave, config.schedule.waves[1]);

  Block &body = specialize.getRegions().front().front();
  rewriter.eraseOp(body.getTerminator());
  rewriter.inlineBlockBefore(&body, specialize, specialize.getCaptures());
  rewriter.eraseOp(specialize);
  return config;
}

/// Tile types to what one lane holds of them.
static void addConversions(TypeConverter &converter, const Config &config) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([&config](AccType type, SmallVectorImpl<Type> &types) {
    types.append(config.getBlocks(0) * config.getBlocks(1),
                 VectorType::get(config.mma->accPerLane, type.getElementType()));
    return success();
  });
  converter.addConversion([&config](FragmentType type, SmallVectorImpl<Type> &types) {
    types.append(config.getPasses(type) * config.getLoadsPerPass(type), config.getLoadType(type));
    return success();
  });
  converter.addConversion([&config](CursorType type, SmallVectorImpl<Type> &types) {
    auto lane = CursorType::get(type.getContext(), type.getView(), FragmentType());
    types.append(type.getFragment() ? getNumLaneCursors(type, config) : 1, lane);
    return success();
  });
  converter.addConversion([&config](RingType type, SmallVectorImpl<Type> &types) {
    int64_t bytes = 0;
    for (FragmentType tile : type.getTiles())
      bytes += config.getTileBytes(tile) * type.getSlots();
    auto space = gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Workgroup);
    types.push_back(MemRefType::get({bytes}, IntegerType::get(type.getContext(), 8),
                                    MemRefLayoutAttrInterface(), space));
    return success();
  });
  converter.addConversion([&config](SlotType type, SmallVectorImpl<Type> &types) {
    for (FragmentType tile : type.getRing().getTiles())
      types.push_back(config.getTileMemRef(tile));
    return success();
  });
}

/// True for an op none of whose values is a tile.
static bool isLaneLevel(Operation *op) {
  auto isTile = [](Type type) {
    auto cursor = dyn_cast<CursorType>(type);
    return isa<AccType, FragmentType, RingType, SlotType>(type) || (cursor && cursor.getFragment());
  };
  return llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

LogicalResult ck::distributeToWaves(gpu::GPUFuncOp kernel, const ChipInfo &chip) {
  WaveSpecializeOp specialize;
  kernel.walk([&](WaveSpecializeOp op) { specialize = op; });
  if (!specialize)
    return success();
  FailureOr<Config> config = enterUniformRole(kernel, specialize, chip);
  if (failed(config))
    return failure();

  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  addConversions(converter, *config);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(isLaneLevel);
  RewritePatternSet patterns(context);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  populateCopyPatterns(converter, patterns, *config);
  populateMmaPatterns(converter, patterns, *config);
  return applyFullConversion(kernel, target, std::move(patterns));
}

namespace {
struct DistributeToWavesPass final : ck::impl::DistributeToWavesPassBase<DistributeToWavesPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void DistributeToWavesPass::runOnOperation() {
  for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
    FailureOr<const ChipInfo *> chip = getTargetChip(kernel);
    if (failed(chip) || failed(distributeToWaves(kernel, **chip)))
      return signalPassFailure();
  }
}
