//===- DistributeRoles.cpp - The waves of a workgroup and their roles -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A role is a branch of the kernel that whole waves take. Inside of it the slots of the ring are
// constants wherever a loop allows it, so that they go into the addresses of instructions.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/Distribution.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

Value ck::distribution::hideFromOptimizer(const IntMath &math, Value value) {
  Type i32 = math.builder.getI32Type();
  Value narrow = arith::IndexCastOp::create(math.builder, math.loc, i32, value);
  Value hidden = LLVM::InlineAsmOp::create(math.builder, math.loc, i32, narrow, /*asm_string=*/"",
                                           /*constraints=*/"=v,0", /*has_side_effects=*/false,
                                           /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                           LLVM::AsmDialectAttr(), ArrayAttr())
                     .getResult(0);
  return arith::IndexCastOp::create(math.builder, math.loc, value.getType(), hidden);
}

Value ck::distribution::findLane(const IntMath &math, const ChipInfo &chip) {
  OpBuilder &builder = math.builder;
  Type i32 = builder.getI32Type();
  Value all = hideFromOptimizer(math, math.constant(-1));
  all = arith::IndexCastOp::create(builder, math.loc, i32, all);
  Value zero = arith::ConstantIntOp::create(builder, math.loc, 0, 32);
  Value lane =
      ROCDL::MbcntLoOp::create(builder, math.loc, i32, all, zero, ArrayAttr(), ArrayAttr());
  if (chip.waveSize == 64)
    lane = ROCDL::MbcntHiOp::create(builder, math.loc, i32, all, lane, ArrayAttr(), ArrayAttr());
  lane = arith::IndexCastOp::create(builder, math.loc, builder.getIndexType(), lane);
  return math.rem(lane, chip.waveSize);
}

/// K step `step` modulo the period `slots` of a ring, if it is the same in all iterations of the
/// loop that counts the steps.
static std::optional<int64_t> findSlot(Value step, int64_t slots) {
  int64_t offset = 0;
  if (auto sum = step.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> constant = getConstantIntValue(sum.getRhs())) {
      offset = *constant;
      step = sum.getLhs();
    }
  if (std::optional<int64_t> constant = getConstantIntValue(step))
    return (*constant + offset) % slots;
  auto loop = scf::getForInductionVarOwner(step);
  if (!loop)
    return std::nullopt;
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()),
                         stride = getConstantIntValue(loop.getStep());
  if (!first || !stride || *stride % slots != 0)
    return std::nullopt;
  return (*first + offset) % slots;
}

/// The copies that a lane starts between a read of a unit and `product`, which follows both; none
/// if there is no read.
static std::optional<CopiesBeside> countCopiesBeside(MmaUnitOp product, const Config &config) {
  const RingType ring = product.getUnit().getType().getRing();
  CopiesBeside copies;
  copies.areAwaited = ring.getMore() > 0;
  Operation *before = product->getPrevNode();
  for (; isa_and_present<CopyTileOp>(before); before = before->getPrevNode()) {
    auto copy = cast<CopyTileOp>(before);
    FragmentType tile = copy.getCursor().getType().getFragment();
    copies.count += config.getPasses(tile) * config.getLoadsPerPass(tile);
    copies.areAwaited &= ring.getSlots(copy.getOperand()) == 2;
  }
  if (isa_and_present<ReadUnitOp>(before))
    return copies;
  return std::nullopt;
}

/// Finds what cannot be seen any more while ops are converted: slots that loops know, and products
/// beside reads.
static void findPlaces(gpu::GPUFuncOp kernel, Config &config) {
  kernel.walk([&](Operation *op) {
    if (auto product = dyn_cast<MmaUnitOp>(op))
      if (std::optional<CopiesBeside> copies = countCopiesBeside(product, config))
        config.besideReads[op] = *copies;
    if (auto acquire = dyn_cast<AcquireOp>(op))
      config.slots[op] = findSlot(acquire.getStep(), acquire.getRing().getType().getPeriod());
    if (auto wait = dyn_cast<WaitOp>(op))
      config.slots[op] = findSlot(wait.getStep(), wait.getRing().getType().getPeriod());
  });
}

/// Creates the ids of `config`, the same for all roles, in front of `specialize`. Returns the wave
/// in the workgroup.
static Value createIds(OpBuilder &builder, WaveSpecializeOp specialize, Config &config) {
  Location loc = specialize.getLoc();
  IntMath math{builder, loc};
  config.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  config.lane = math.rem(config.thread, config.chip->waveSize);
  // The same for all lanes of a wave; say so, for scalar arithmetic.
  Value wave = math.div(config.thread, config.chip->waveSize);
  Value wave32 = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), wave);
  Value uniform = ROCDL::ReadfirstlaneOp::create(builder, loc, builder.getI32Type(), wave32);
  wave = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), uniform);
  config.wave = config.mathWave = wave;
  if (config.hasLoadWaves())
    config.mathWave = arith::SubIOp::create(builder, loc, wave, math.constant(config.loadWaves));
  config.waveRow = math.div(config.mathWave, config.layout.getWaves()[1]);
  config.waveColumn = math.rem(config.mathWave, config.layout.getWaves()[1]);
  if (config.unitRun > 1) {
    int64_t size = config.getBlockSize(0), lanesOverK = config.mma->getLanesOverK();
    Value unit = math.mul(math.rem(math.div(config.lane, size), lanesOverK),
                          config.getHeldK() / config.kPack);
    config.laneRow = permuteRow(math, math.rem(config.lane, size), unit, config.unitRun);
  }
  return wave;
}

/// Load waves are the first of the workgroup. The branch between the roles is one of whole waves.
void ck::distribution::enterRoles(WaveSpecializeOp specialize, Config &config) {
  auto kernel = specialize->getParentOfType<gpu::GPUFuncOp>();
  IRRewriter rewriter(specialize.getContext());
  rewriter.setInsertionPoint(specialize);
  Location loc = specialize.getLoc();
  Value wave = createIds(rewriter, specialize, config);
  auto enter = [&](Region &region, Block *target, Block::iterator place) {
    Block &body = region.front();
    rewriter.eraseOp(body.getTerminator());
    rewriter.inlineBlockBefore(&body, target, place, specialize.getCaptures());
  };
  if (specialize.getRegions().size() == 1) {
    enter(specialize.getRegions()[0], specialize->getBlock(), specialize->getIterator());
  } else {
    // The block that comes second is the one that the code generator lets the branch fall through
    // to: load waves, which all others wait for, then need no jump to code that is not there yet.
    Value multiplies = IntMath{rewriter, loc}.notLessThan(wave, config.loadWaves);
    auto branch = scf::IfOp::create(rewriter, loc, multiplies, /*withElseRegion=*/true);
    Block *math = branch.thenBlock(), *load = branch.elseBlock();
    {
      // Found anew: the id that the dispatcher leaves would be live in math waves, up to where the
      // roles meet.
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(load);
      IntMath math{rewriter, loc};
      // No more than the last of them, as the branch cannot tell what analyses the index alone.
      Value own = arith::MinUIOp::create(rewriter, loc, wave, math.constant(config.loadWaves - 1));
      config.thread = math.add(math.mul(own, config.chip->waveSize), findLane(math, *config.chip));
    }
    enter(specialize.getRegions()[0], load, load->getTerminator()->getIterator());
    enter(specialize.getRegions()[1], math, math->getTerminator()->getIterator());
  }
  rewriter.eraseOp(specialize);
  findPlaces(kernel, config);
}
