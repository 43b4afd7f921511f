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

#include "Transforms/DistributeToWaves/Distribution.h"
#include "Transforms/KernelPass.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Remarks.h"

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

/// What 32 banks of LDS hold.
static constexpr int64_t kBankBytes = 128;

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

int64_t Config::getUnits(RingType ring) const {
  return getKUnits(ring.getTiles()[0].getShape()[1], *mma);
}

int64_t Config::getRows(unsigned dim) const {
  return dim == getAccDim() ? mma->getRowsPerLane() : 1;
}

int64_t Config::getUnitVectors(RingType ring, unsigned dim) const {
  return ring.getTiles()[dim].getShape()[0] / layout.getUnit(dim) * getRows(dim);
}

bool Config::canHold(FragmentType fragment) const {
  ArrayRef<int64_t> shape = fragment.getShape(), micro = fragment.getMicroTile();
  return getDataType(fragment.getElementType()) == mma->heldType && mma->getRowsPerLane() == 1 &&
         shape[0] % layout.getUnit(1) == 0 && shape[1] % (getHeldK() * mma->getLanesOverK()) == 0 &&
         micro[1] == kPack;
}

int64_t Config::getHeldBlocks(FragmentType fragment) const {
  return fragment.getShape()[0] / layout.getUnit(1);
}

int64_t Config::getHeldLoads(FragmentType fragment) const {
  return fragment.getShape()[1] / (kPack * mma->getLanesOverK());
}

int64_t Config::getHeldOffset(int64_t index) const {
  int64_t units = getHeldK() / kPack;
  return (index / units * mma->getLanesOverK() * units + index % units) * kPack;
}

int64_t Config::getUnitReads(FragmentType fragment) const {
  return fragment.isTransposed() ? kPack / kTransposedElements : 1;
}

int64_t Config::getLanesOfRow(FragmentType fragment) const {
  unsigned along = fragment.getAlongK() ? 1 : 0;
  return fragment.getShape()[along] / fragment.getMicroTile()[along];
}

int64_t Config::getTileBytes(FragmentType fragment) const {
  return fragment.getShape()[0] * fragment.getShape()[1] *
         getSizeInBytes(*getDataType(fragment.getElementType()));
}

int64_t Config::getRingBytes(RingType ring) const {
  int64_t bytes = 0;
  for (auto [operand, tile] : llvm::enumerate(ring.getTiles()))
    bytes += getTileBytes(tile) * ring.getSlots(operand);
  return bytes;
}

MemRefType Config::getTileMemRef(FragmentType fragment) const {
  MLIRContext *context = fragment.getContext();
  auto space = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  int64_t rows = fragment.getShape()[0], units = fragment.getShape()[1] / kPack;
  if (fragment.isAsync())
    return MemRefType::get({fragment.getShape()[1] * rows}, fragment.getElementType(),
                           MemRefLayoutAttrInterface(), space);
  return MemRefType::get({units, rows, kPack}, fragment.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

int64_t Config::getUnitRun(FragmentType fragment) const {
  if (!fragment.getAlongK() || fragment.isAsync() || fragment.getMicroTile()[0] != 1)
    return 1;
  return ck::getUnitRun(fragment.getShape()[1], *mma);
}

int64_t Config::getRowRun(FragmentType fragment) const {
  if (fragment.getAlongK())
    return 1;
  int64_t bytes = getSizeInBytes(*getDataType(fragment.getElementType()));
  return ck::getRowRun(fragment.getShape()[0], fragment.getMicroTile()[0], bytes);
}

int64_t Config::getBankRows(FragmentType fragment) const {
  int64_t rows = fragment.getShape()[0];
  return std::min(kBankBytes / (kPack * getSizeInBytes(mma->heldType)), rows & -rows);
}

int64_t Config::getSwizzle(FragmentType fragment) const {
  if (mma->unit == MatrixUnit::Fma)
    return 1;
  return std::min<int64_t>(fragment.getMicroTile()[0], 8);
}

int64_t ck::distribution::getNumLaneCursors(CursorType type, const Config &config) {
  FragmentType fragment = type.getFragment();
  llvm::Expected<ViewAnalysis> analysis = analyzeView(type.getView());
  if (!analysis) {
    llvm::consumeError(analysis.takeError());
    return 0;
  }
  if (fragment.isHeld()) {
    // Loads of a block are whole units of K apart.
    int64_t unit = analysis->digits[analysis->getDigitsOf(2).front()].divisor;
    bool whole = config.canHold(fragment) && config.kPack % unit == 0;
    return whole ? config.getHeldBlocks(fragment) : 0;
  }
  // Loads of a micro tile are a power of two and start at a multiple of it.
  int64_t run = analysis->getRun(fragment.getAlongK() ? 1 : 2);
  bool shared = run == 0 || run >= config.getLoadsPerPass(fragment);
  return config.getPasses(fragment) * (shared ? 1 : config.getLoadsPerPass(fragment));
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

/// The rings that `specialize` captures.
static SmallVector<RingType> findRings(WaveSpecializeOp specialize) {
  SmallVector<RingType> rings;
  for (Type type : specialize.getCaptures().getTypes())
    if (auto ring = dyn_cast<RingType>(type))
      rings.push_back(ring);
  return rings;
}

/// True if 16 lanes can read `fragment` transposed, 16 consecutive rows at a time.
static bool canTranspose(const Config &config, FragmentType fragment) {
  return config.chip->hasTransposingReads && getSizeInBytes(config.mma->heldType) == 2 &&
         config.mma->unit == MatrixUnit::Mfma && config.kPack % kTransposedElements == 0 &&
         fragment.getShape()[0] % kTransposedRows == 0 &&
         fragment.getMicroTile()[0] == kTransposedRows / 2;
}

/// True if the lanes of `config` can hold operand `dim` (0: A, 1: B) as `fragment`.
static bool fits(const Config &config, FragmentType fragment, unsigned dim) {
  ArrayRef<int64_t> shape = fragment.getShape(), micro = fragment.getMicroTile();
  int64_t unit = config.getHeldK() * config.mma->getLanesOverK();
  int64_t lanesOfRow = config.getLanesOfRow(fragment);
  if (fragment.isAsync() &&
      (lanesOfRow > config.chip->waveSize || !llvm::isPowerOf2_64(uint64_t(lanesOfRow)) ||
       config.mma->getRowsPerLane() != 1))
    return false;
  if (fragment.isTransposed() && !canTranspose(config, fragment))
    return false;
  return getDataType(fragment.getElementType()) == config.mma->heldType &&
         shape[0] % config.layout.getUnit(dim) == 0 && shape[1] % unit == 0 &&
         config.kPack == getKPack(shape[1], *config.mma) && config.kPack % micro[1] == 0 &&
         shape[0] * shape[1] % (micro[0] * micro[1] * config.threads) == 0;
}

/// Verifies that the roles are all waves of the workgroup, where its size is known.
static LogicalResult verifyCover(WaveSpecializeOp specialize, const Config &config) {
  int64_t threads = (config.loadWaves + config.getMathWaves()) * config.chip->waveSize, size = 1;
  auto kernel = specialize->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize();
  if (!known)
    return success();
  for (int32_t extent : *known)
    size *= extent;
  if (size == threads)
    return success();
  return specialize.emitOpError("roles of ")
         << threads << " threads do not cover the workgroup: expected " << size;
}

/// The configuration of the tiles that `specialize` works on, lane ids aside. What our own passes
/// make fits; the checks are for IR that comes from elsewhere.
static FailureOr<Config> makeConfig(WaveSpecializeOp specialize, const ChipInfo &chip) {
  SmallVector<RingType> rings = findRings(specialize);
  if (llvm::any_of(rings, [](RingType ring) {
        return ring.getTiles().empty() || ring.getTiles().size() > 2;
      }))
    return specialize.emitOpError("expected captured rings of one or two tiles");
  Config config;
  config.chip = &chip;
  config.layout = specialize.getLayout();
  config.mma = config.layout.getMma().find(chip);
  if (!config.mma)
    return specialize.emitOpError("expected a matrix instruction of ")
           << chip.name << ", got " << config.layout.getMma();
  config.loadWaves = specialize.getLoadWaves();
  config.threads =
      (config.hasLoadWaves() ? config.loadWaves : config.getMathWaves()) * chip.waveSize;
  if (failed(verifyCover(specialize, config)))
    return failure();
  if (!rings.empty())
    config.kPack = getKPack(rings[0].getTiles()[0].getShape()[1], *config.mma);
  for (RingType ring : rings)
    for (auto [dim, tile] : llvm::enumerate(ring.getTiles())) {
      if (!fits(config, tile, dim))
        return specialize.emitOpError("cannot distribute ") << tile << " by " << config.layout;
      config.async |= tile.isAsync();
      config.unitRun = std::max(config.unitRun, config.getUnitRun(tile));
    }
  return config;
}

/// Tile types to what one lane holds of them.
static void addConversions(TypeConverter &converter, const Config &config) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([&config](AccType type, SmallVectorImpl<Type> &types) {
    types.append(type.getBlocks(0) * type.getBlocks(1),
                 VectorType::get(config.mma->accPerLane, type.getElementType()));
    return success();
  });
  converter.addConversion([&config](FragmentType type, SmallVectorImpl<Type> &types) {
    if (type.isHeld() && !config.canHold(type))
      return failure();
    int64_t vectors = type.isHeld() ? config.getHeldBlocks(type) * config.getHeldLoads(type)
                                    : config.getPasses(type) * config.getLoadsPerPass(type);
    types.append(vectors, config.getLoadType(type));
    return success();
  });
  converter.addConversion([&config](CursorType type, SmallVectorImpl<Type> &types) {
    auto lane = CursorType::get(type.getContext(), type.getView(), FragmentType());
    types.append(type.getFragment() ? getNumLaneCursors(type, config) : 1, lane);
    return success();
  });
  converter.addConversion([&config](UnitType type, SmallVectorImpl<Type> &types) {
    RingType ring = type.getRing();
    for (auto [dim, tile] : llvm::enumerate(ring.getTiles()))
      types.append(config.getUnitVectors(ring, dim),
                   VectorType::get(config.getHeldK(), tile.getElementType()));
    return success();
  });
  converter.addConversion([&config](RingType type, SmallVectorImpl<Type> &types) {
    auto space = gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Workgroup);
    types.push_back(MemRefType::get({config.getRingBytes(type)},
                                    IntegerType::get(type.getContext(), 8),
                                    MemRefLayoutAttrInterface(), space));
    return success();
  });
  converter.addConversion([&config](SlotType type, SmallVectorImpl<Type> &types) {
    for (FragmentType tile : type.getRing().getTiles())
      types.push_back(config.getTileMemRef(tile));
    return success();
  });
}

/// True for an op that is one of single lanes: none of its values is a tile.
static bool isLaneLevel(Operation *op) {
  auto isTile = [](Type type) {
    auto cursor = dyn_cast<CursorType>(type);
    return isa<AccType, FragmentType, RingType, SlotType, UnitType>(type) ||
           (cursor && cursor.getFragment());
  };
  return !isa<SyncOp, SignalOp, AwaitOp, ResetSignalOp, MathWaveOp>(op) &&
         llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

/// Registers of a lane for the accumulators of matrix instructions.
static int64_t countAccumulators(WaveSpecializeOp specialize, const Config &config) {
  int64_t most = 0;
  specialize.walk([&](Operation *op) {
    if (isa<MmaUnitOp, MmaTileOp>(op))
      for (auto acc : llvm::make_filter_range(op->getResultTypes(), llvm::IsaPred<AccType>))
        most = std::max(most, ShapedType::getNumElements(cast<AccType>(acc).getShape()));
  });
  return most / (config.getMathWaves() * config.chip->waveSize);
}

/// A wave that is alone on its SIMD has 512 registers, but instructions other than matrix ones
/// reach only 256 of them. Where accumulators take more than a half of these, LLVM is told to hold
/// them in the others: it would mix both kinds and move registers between them in the main loop.
static void placeAccumulators(gpu::GPUFuncOp kernel, WaveSpecializeOp specialize,
                              const Config &config) {
  constexpr int64_t kMixed = 128;
  const int64_t registers = countAccumulators(specialize, config);
  if (config.mma->unit != MatrixUnit::Mfma || registers <= kMixed)
    return;
  Builder builder(kernel.getContext());
  auto placed = builder.getStrArrayAttr({"amdgpu-agpr-alloc", std::to_string(registers)});
  kernel->setAttr("passthrough", builder.getArrayAttr({placed}));
}

LogicalResult ck::distributeToWaves(gpu::GPUFuncOp kernel, const ChipInfo &chip) {
  WaveSpecializeOp specialize;
  kernel.walk([&](WaveSpecializeOp op) { specialize = op; });
  if (!specialize)
    return success();
  FailureOr<Config> config = makeConfig(specialize, chip);
  if (failed(config))
    return failure();
  WalkResult shuffles =
      specialize.walk([&](StoreTileOp store) { return WalkResult(verifyShuffle(store, *config)); });
  WalkResult sums =
      specialize.walk([&](SumPartialsOp sum) { return WalkResult(verifySum(sum, *config)); });
  if (shuffles.wasInterrupted() || sums.wasInterrupted())
    return failure();
  placeAccumulators(kernel, specialize, *config);
  enterRoles(specialize, *config);

  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  addConversions(converter, *config);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(isLaneLevel);
  RewritePatternSet patterns(context);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  populateCopyPatterns(converter, patterns, *config);
  populateAsyncPatterns(converter, patterns, *config);
  populateMmaPatterns(converter, patterns, *config);
  populateStorePatterns(converter, patterns, *config);
  populatePartialPatterns(converter, patterns, *config);
  populateSumPatterns(converter, patterns, *config);
  return applyFullConversion(kernel, target, std::move(patterns));
}

namespace {
struct DistributeToWavesPass final
    : KernelPass<ck::impl::DistributeToWavesPassBase<DistributeToWavesPass>, Form::Block> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult DistributeToWavesPass::runOnKernel(gpu::GPUFuncOp kernel) {
  FailureOr<const ChipInfo *> chip = getTargetChip(kernel);
  if (failed(chip) || failed(distributeToWaves(kernel, **chip)))
    return failure();
  int64_t mfma = 0, wmma = 0, barriers = 0;
  kernel.walk([&](Operation *op) {
    mfma += isa<amdgpu::MFMAOp>(op);
    wmma += isa<amdgpu::WMMAOp>(op);
    barriers += isa<gpu::BarrierOp, amdgpu::LDSBarrierOp>(op);
  });
  numMfma += mfma;
  numWmma += wmma;
  numBarriers += barriers;
  remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("Instructions")
                                        .category("ck-distribute-to-waves")
                                        .function(kernel.getName()))
      << remark::metric("Mfma", mfma) << remark::metric("Wmma", wmma)
      << remark::metric("Barriers", barriers);
  return success();
}
