//===- BlockPipeline.cpp - The software pipeline of a block GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/PipelineBlockGemm/BlockPipeline.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

/// Load waves have 0: an instruction of theirs waits when a math wave can issue one.
static constexpr int16_t kMathPriority = 1;

/// Steps from which on the load waves have code for each slot.
static constexpr int64_t kLongLoop = 16;

BlockPipeline::BlockPipeline(RewriterBase &rewriter, BlockGemmOp gemm, Value ring,
                             FragmentType columns)
    : rewriter(rewriter), loc(gemm.getLoc()), math{rewriter, loc}, gemm(gemm), ring(ring),
      schedule(gemm.getSchedule().getValue()), tiles(cast<RingType>(ring.getType()).getTiles()),
      columns(columns) {
  const ChipInfo *chip = *getTargetChip(gemm);
  mma = gemm.getAcc().getType().getLayout().getMma().find(*chip);
  sharesSimds = schedule.getNumWaves() > chip->simdsPerCu;
  sharesVectorUnit = !chip->hasMfma;
  rewriter.setInsertionPoint(gemm);
  count = gemm.getKEnd();
  std::optional<int64_t> first = getConstantIntValue(gemm.getKBegin()),
                         end = getConstantIntValue(gemm.getKEnd());
  if (first && end && *first != 0)
    count = math.constant(*end - *first);
  else if (first != 0)
    count = math.sub(gemm.getKEnd(), gemm.getKBegin());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value BlockPipeline::add(Value index, int64_t value) {
  if (std::optional<int64_t> known = getConstantIntValue(index); known && value != 0)
    return math.constant(*known + value);
  return math.add(index, value);
}

/// A cursor at the first element of the operand tile of the first K step. What is loaded there is
/// `type` with the elements of the view, which LDS may hold in another type.
Value BlockPipeline::makeCursor(Value view, Value tile, FragmentType type) {
  Value row = math.mul(tile, math.constant(type.getShape()[0]));
  Value k = math.mul(gemm.getKBegin(), math.constant(type.getShape()[1]));
  auto viewType = cast<ViewType>(view.getType());
  auto loaded = FragmentType::get(view.getContext(), type.getShape(), viewType.getElementType(),
                                  type.getMicroTile(), type.getAlongK(), type.getPath());
  auto cursorType = CursorType::get(view.getContext(), viewType, loaded);
  return CursorOp::create(rewriter, loc, cursorType, view, ValueRange{gemm.getGroup(), row, k});
}

BlockPipeline::Values BlockPipeline::makeCursors() {
  Values cursors = {makeCursor(gemm.getA(), gemm.getRowTile(), tiles[0])};
  if (!columns)
    cursors.push_back(makeCursor(gemm.getB(), gemm.getColumnTile(), tiles[1]));
  return cursors;
}

BlockPipeline::Values BlockPipeline::makeHeldCursors() {
  Values cursors;
  if (columns)
    cursors.push_back(makeCursor(gemm.getB(), gemm.getColumnTile(), columns));
  return cursors;
}

BlockPipeline::Values BlockPipeline::advance(ValueRange cursors) {
  DenseI64ArrayAttr step = rewriter.getDenseI64ArrayAttr({0, 0, schedule.tile[2]});
  return llvm::map_to_vector(cursors, [&](Value cursor) -> Value {
    return AdvanceOp::create(rewriter, loc, cursor, step);
  });
}

BlockPipeline::Values BlockPipeline::load(ValueRange cursors) {
  return llvm::map_to_vector(cursors, [&](Value cursor) -> Value {
    auto type = cast<CursorType>(cursor.getType());
    int64_t k = type.getView().getShape()[2];
    return LoadTileOp::create(rewriter, loc, type.getFragment(), cursor, k % schedule.tile[2] == 0);
  });
}

/// Writes the operand tiles of K step `step` into its slot, which is returned.
Value BlockPipeline::acquireAndWrite(ValueRange fragments, Value step) {
  Value slot = AcquireOp::create(rewriter, loc, ring, step);
  for (auto [operand, fragment] : llvm::enumerate(fragments))
    WriteTileOp::create(rewriter, loc, fragment, slot, operand);
  return slot;
}

/// Multiplies the tiles of `slot`, and those that are `held`, into `acc`.
Value BlockPipeline::multiply(Value slot, Value held, Value acc) {
  Value next = MmaTileOp::create(rewriter, loc, slot, held, acc);
  ReleaseOp::create(rewriter, loc, slot);
  return next;
}

BlockPipeline::Values BlockPipeline::startMath() {
  Values cursors = makeHeldCursors(), carried = load(cursors);
  carried.insert(carried.begin(), ZeroAccOp::create(rewriter, loc, gemm.getAcc().getType()));
  llvm::append_range(carried, advance(cursors));
  return carried;
}

/// Multiplies K step `step` by what is `carried`; returns what the next step needs.
BlockPipeline::Values BlockPipeline::multiplyStep(Value step, ValueRange carried) {
  Value slot = WaitOp::create(rewriter, loc, ring, step);
  if (!columns)
    return multiplySlot(slot, carried);
  ValueRange cursors = carried.drop_front(2);
  Values loaded = load(cursors), next = advance(cursors);
  return {multiply(slot, carried[1], carried[0]), loaded.front(), next.front()};
}

/// Multiplies the tiles of `slot` by the accumulator that is `carried`. With reads ahead, the last
/// unit of the step before is carried as well, behind the first step, and the last unit of this
/// step is only read.
BlockPipeline::Values BlockPipeline::multiplySlot(Value slot, ValueRange carried,
                                                  function_ref<void(int64_t, int64_t)> beside) {
  if (!readsAhead()) {
    if (beside)
      beside(0, 1);
    return {multiply(slot, Value(), carried.front())};
  }
  Value acc = carried.front(), unit = carried.size() > 1 ? carried[1] : Value();
  int64_t units = getKUnits(schedule.tile[2], *mma);
  for (int64_t index = 0; index < units; ++index) {
    Value next = ReadUnitOp::create(rewriter, loc, slot, index);
    if (beside)
      beside(index, units);
    if (unit)
      acc = MmaUnitOp::create(rewriter, loc, unit, acc);
    unit = next;
  }
  ReleaseOp::create(rewriter, loc, slot);
  return {acc, unit};
}

/// The accumulator, when all that is `carried` has been multiplied.
Value BlockPipeline::finishMath(ValueRange carried) {
  if (!readsAhead())
    return carried.front();
  return MmaUnitOp::create(rewriter, loc, carried[1], carried[0]);
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

Value BlockPipeline::buildUniform() {
  Values cursors = makeCursors();
  CommitOp::create(rewriter, loc, acquireAndWrite(load(cursors), math.constant(0)));
  Values carried = startMath();
  size_t mathValues = carried.size();
  Value last = add(count, -1);
  llvm::append_range(carried, advance(cursors));
  auto step = [&](Value index, ValueRange arguments) {
    ValueRange current = arguments.drop_front(mathValues);
    Values loaded = load(current);
    // Carried cursors are one step ahead, so that moving them is off the path to the loads.
    Values next = advance(current);
    Values results = multiplyStep(index, arguments.take_front(mathValues));
    CommitOp::create(rewriter, loc, acquireAndWrite(loaded, add(index, 1)));
    llvm::append_range(results, next);
    return results;
  };
  Values results = runBySlots(0, last, carried, step);
  Value slot = WaitOp::create(rewriter, loc, ring, last);
  return multiply(slot, columns ? results[1] : Value(), results[0]);
}

/// True if the loop of load waves is unrolled by the period of the ring, so that the addresses of
/// writes are constants behind those of their lanes. An addition for each write takes time from
/// products where these run on the vector unit. In a short loop, fetching the code takes longer.
bool BlockPipeline::writesBySlots() {
  return sharesVectorUnit && getConstantIntValue(count).value_or(kLongLoop) >= kLongLoop;
}

void BlockPipeline::buildLoad() {
  Values cursors = makeCursors(), carried = load(cursors);
  size_t operands = carried.size();
  Value last = add(count, -1);
  llvm::append_range(carried, advance(cursors));
  auto step = [&](Value index, ValueRange carried) {
    ValueRange current = carried.drop_front(operands);
    // The writes come first: the loads of the next step then go to the same registers.
    Value slot = acquireAndWrite(carried.take_front(operands), index);
    if (schedule.getHints().loads)
      LoadsFirstOp::create(rewriter, loc);
    Values results = load(current);
    llvm::append_range(results, advance(current));
    CommitOp::create(rewriter, loc, slot);
    return results;
  };
  carried = writesBySlots() ? runBySlots(0, last, carried, step)
                            : runSteps(math.constant(0), last, 1, carried, step);
  CommitOp::create(rewriter, loc, acquireAndWrite(ArrayRef(carried).take_front(operands), last));
}

/// The slots for the copies that are started in step `step`, those of each of `operands`.
BlockPipeline::Values BlockPipeline::acquireAhead(size_t operands, Value step) {
  Values slots;
  for (size_t operand = 0; operand < operands; ++operand) {
    if (operand == 0 || getSlots(operand) != getSlots(operand - 1))
      slots.push_back(AcquireOp::create(rewriter, loc, ring, add(step, getSlots(operand) - 1)));
    else
      slots.push_back(slots.back());
  }
  return slots;
}

/// True if the copies of `operand` belong to the first part of a step: with two slots they have
/// this step alone to arrive. Waves that share a SIMD start all copies at once if some are such,
/// as one of them multiplies while the other waits for its turn to copy.
bool BlockPipeline::copiesAtOnce(size_t operand) const {
  return getSlots(operand) == 2 || (getSlots(0) == 2 && sharesSimds);
}

/// Starts the copies to `slots` of those operands that belong to part `part` of `parts`.
void BlockPipeline::copyPart(ValueRange cursors, ValueRange slots, int64_t part, int64_t parts) {
  for (auto [operand, slot] : llvm::enumerate(slots)) {
    const int64_t own =
        copiesAtOnce(operand) ? 0 : int64_t(operand) * parts / int64_t(cursors.size());
    if (own == part)
      copyOperand(cursors[operand], slot, operand);
  }
}

void BlockPipeline::copyOperand(Value cursor, Value slot, size_t operand) {
  int64_t k = cast<CursorType>(cursor.getType()).getView().getShape()[2];
  CopyTileOp::create(rewriter, loc, cursor, slot, operand, k % schedule.tile[2] == 0);
}

/// Starts the first copies; returns the cursors of the next. Those of steps behind the end are read
/// by nobody.
BlockPipeline::Values BlockPipeline::startCopies() {
  Values cursors = makeCursors();
  for (int64_t step = 0; step < getSlots(tiles.size() - 1) - 1; ++step) {
    Value slot = AcquireOp::create(rewriter, loc, ring, math.constant(step));
    for (auto [operand, cursor] : llvm::enumerate(cursors)) {
      if (step >= getSlots(operand) - 1)
        continue;
      copyOperand(cursor, slot, operand);
      cursor = advance(cursor).front();
    }
  }
  return cursors;
}

/// The end of the steps in which copies of `operand` are started, at least `least`.
Value BlockPipeline::getCopyingSteps(size_t operand, int64_t least) {
  Value steps = add(count, 1 - getSlots(operand));
  if (std::optional<int64_t> known = getConstantIntValue(steps))
    return math.constant(std::max(*known, least));
  return math.max(steps, math.constant(least));
}

/// Runs `body` for the steps in [begin, end), the period of the ring in an iteration, and then the
/// rest: the slots of most steps are known.
BlockPipeline::Values BlockPipeline::runBySlots(int64_t begin, Value end, Values carried,
                                                StepBody body) {
  const int64_t period = getPeriod();
  Value first = math.constant(begin), whole;
  if (std::optional<int64_t> known = getConstantIntValue(end)) {
    whole = math.constant(*known - (*known - begin) % period);
  } else {
    Value rest = math.rem(add(end, -begin), period);
    whole = math.sub(end, rest);
  }
  carried = runSteps(first, whole, period, carried, body);
  return runSteps(whole, end, 1, carried, body);
}

/// Runs `body` for the steps in [begin, end), `unroll` in an iteration, with what it carries.
BlockPipeline::Values BlockPipeline::runSteps(Value begin, Value end, int64_t unroll,
                                              Values carried, StepBody body) {
  std::optional<int64_t> first = getConstantIntValue(begin), limit = getConstantIntValue(end);
  if (first && limit && *limit - *first <= getPeriod()) {
    for (int64_t step = *first; step < *limit; ++step)
      carried = body(add(begin, step - *first), carried);
    return carried;
  }
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, math.constant(unroll), carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Values results(loop.getRegionIterArgs());
  for (int64_t i = 0; i < unroll; ++i)
    results = body(add(loop.getInductionVar(), i), results);
  if (!carried.empty()) // else there is a terminator already
    scf::YieldOp::create(rewriter, loc, results);
  return Values(loop.getResults());
}

void BlockPipeline::buildCopies() {
  Value copying = getCopyingSteps(/*operand=*/0, /*least=*/0);
  auto step = [&](Value index, ValueRange cursors) {
    CommitCopiesOp::create(rewriter, loc, ring, index, getSlots(0) - 2);
    copyPart(cursors, acquireAhead(cursors.size(), index), /*part=*/0, /*parts=*/1);
    return advance(cursors);
  };
  auto last = [&](Value index, ValueRange) {
    CommitCopiesOp::create(rewriter, loc, ring, index, /*ahead=*/0, /*tail=*/true);
    return Values();
  };
  runSteps(math.constant(0), copying, 1, startCopies(), step);
  runSteps(copying, count, 1, Values(), last);
}

Value BlockPipeline::buildUniformCopies() {
  size_t operands = tiles.size(), copied = operands;
  auto step = [&](Value index, ValueRange carried) {
    CommitCopiesOp::create(rewriter, loc, ring, index, getSlots(0) - 2);
    Value slot = WaitOp::create(rewriter, loc, ring, index);
    ValueRange cursors = carried.take_front(operands);
    Values slots = acquireAhead(copied, index);
    Values results =
        multiplySlot(slot, carried.drop_front(operands),
                     [&](int64_t part, int64_t parts) { copyPart(cursors, slots, part, parts); });
    Values next = advance(cursors);
    llvm::append_range(next, results);
    return next;
  };
  auto last = [&](Value index, ValueRange carried) {
    CommitCopiesOp::create(rewriter, loc, ring, index, /*ahead=*/0, /*tail=*/true);
    return multiplySlot(WaitOp::create(rewriter, loc, ring, index), carried);
  };
  Values carried = startCopies();
  llvm::append_range(carried, startMath());
  int64_t begin = readsAhead() ? 1 : 0;
  Value copyingAll = getCopyingSteps(operands - 1, begin), copying = getCopyingSteps(0, begin);
  if (readsAhead())
    carried = step(math.constant(0), carried);
  carried = runBySlots(begin, copyingAll, carried, step);
  if (getSlots(operands - 1) != getSlots(0)) { // the last operand is there up to the end
    copied = operands - 1;
    carried = runSteps(copyingAll, copying, 1, carried, step);
  }
  carried.erase(carried.begin(), carried.begin() + operands);
  carried = runSteps(copying, count, 1, carried, last);
  // With a step only, no commit has waited for the copies of steps behind the end.
  if (readsAhead() && getConstantIntValue(count).value_or(1) == 1)
    amdgpu::MemoryCounterWaitOp::create(
        rewriter, loc, /*load=*/rewriter.getI32IntegerAttr(0), /*store=*/IntegerAttr(),
        /*ds=*/IntegerAttr(), /*exp=*/IntegerAttr(), /*tensor=*/IntegerAttr());
  return finishMath(carried);
}

Value BlockPipeline::buildMath() {
  auto step = [&](Value index, ValueRange carried) { return multiplyStep(index, carried); };
  Values carried = startMath();
  // Not before: all wait for the first loads, whose addresses take vector and scalar operations.
  if (schedule.getHints().priority)
    PriorityOp::create(rewriter, loc, kMathPriority);
  if (readsAhead()) {
    carried = step(math.constant(0), carried);
    return finishMath(runBySlots(1, count, carried, step));
  }
  // Nothing is loaded behind the last step.
  Value steps = columns ? add(count, -1) : count;
  carried = runBySlots(0, steps, carried, step);
  if (!columns)
    return finishMath(carried);
  Value slot = WaitOp::create(rewriter, loc, ring, steps);
  return multiply(slot, carried[1], carried[0]);
}
