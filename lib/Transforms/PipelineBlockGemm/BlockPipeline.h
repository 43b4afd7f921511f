//===- BlockPipeline.h - The software pipeline of a block GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// scf's loop pipeliner moves ops between iterations of one loop; here the two halves of the loop
// belong to roles that may be different waves, so the pipeline is built from acquire, commit, wait
// and release.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_PIPELINEBLOCKGEMM_BLOCKPIPELINE_H
#define CK_MLIR_LIB_TRANSFORMS_PIPELINEBLOCKGEMM_BLOCKPIPELINE_H

#include "Transforms/IntMath.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/IR/PatternMatch.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Builds what the waves of one role do for a block GEMM, in its place. Steps of the ring count
/// from 0, the first K step of the block GEMM.
class BlockPipeline {
public:
  /// `columns` is the fragment of B that math waves hold, or null if B goes through `ring` as A
  /// does. They load it when the wait of the step before is passed:
  ///
  ///   ... wait(i); load B(i + 1); mma(i); release(i) ...
  BlockPipeline(RewriterBase &rewriter, BlockGemmOp gemm, Value ring, FragmentType columns);

  /// Loads and multiplies; returns the accumulator. Loads of a step are in flight while the step
  /// before is multiplied:
  ///
  ///   load(0); write(0)
  ///   for i = 0 .. n - 2 { load(i + 1); wait(i); mma(i); release(i); write(i + 1) }
  ///   wait(n - 1); mma(n - 1); release(n - 1)
  Value buildUniform();

  /// Loads. Loads of a step are issued before the commit of the step before, so that math waves
  /// hide their latency:
  ///
  ///   load(0)
  ///   for i = 0 .. n - 2 { acquire(i); write(i); load(i + 1); commit(i) }
  ///   acquire(n - 1); write(n - 1); commit(n - 1)
  void buildLoad();

  /// Copies tiles of an async ring of s slots, s - 1 steps ahead:
  ///
  ///   copy(0) ... copy(s - 2)
  ///   for i = 0 .. n - s { commit_copies(i); copy(i + s - 1) }
  ///   for i = n - s + 1 .. n - 1 { commit_copies(i) }
  void buildCopies();

  /// Copies and multiplies; returns the accumulator. In each iteration of `buildCopies`, between
  /// the commit and the copies, waits for the step that it multiplies. With reads ahead, the copies
  /// follow the reads of the units that they are issued beside: those of operands with two slots
  /// the first, else those of A and B different ones. If B has more slots than A, its copies
  /// are as many steps further ahead, and end as many steps earlier.
  Value buildUniformCopies();

  /// Multiplies; returns the accumulator. The loop is unrolled by the slots of the ring: the slot
  /// of every wait is known, and its address part of the instructions that read it.
  ///
  ///   for i = 0 .. n - 1 { wait(i); mma(i); release(i) }
  ///
  /// With reads ahead, of u units:
  ///
  ///   wait(0); read(0, 0); read(0, 1); mma(0, 0) ... mma(0, u - 2)
  ///   for i = 1 .. n - 1 { wait(i); read(i, 0); mma(i - 1, u - 1); read(i, 1); mma(i, 0) ... }
  ///   mma(n - 1, u - 1)
  Value buildMath();

private:
  using Values = SmallVector<Value>;
  /// What happens in a step, from what it carries to what the next one does.
  using StepBody = function_ref<Values(Value step, ValueRange carried)>;

  bool readsAhead() const { return schedule.reads == Reads::Ahead; }
  int64_t getSlots(size_t operand) const {
    return cast<RingType>(ring.getType()).getSlots(operand);
  }
  int64_t getPeriod() const { return cast<RingType>(ring.getType()).getPeriod(); }
  Value add(Value index, int64_t value);
  Value makeCursor(Value view, Value tile, FragmentType type);
  /// Cursors of the operands that go through the ring, and of those that are held: none or B's.
  Values makeCursors();
  Values makeHeldCursors();
  Values advance(ValueRange cursors);
  Values load(ValueRange cursors);
  Values acquireAhead(size_t operands, Value step);
  bool copiesAtOnce(size_t operand) const;
  void copyPart(ValueRange cursors, ValueRange slots, int64_t part, int64_t parts);
  void copyOperand(Value cursor, Value slot, size_t operand);
  Values startCopies();
  Value getCopyingSteps(size_t operand, int64_t least);
  Value acquireAndWrite(ValueRange fragments, Value step);
  Value multiply(Value slot, Value held, Value acc);
  /// What a loop over steps carries of math: the accumulator, and of B what is held and the cursor
  /// of the next step.
  Values startMath();
  Values multiplyStep(Value step, ValueRange carried);
  /// `beside(u, n)` does the part u of n of what else happens in a step.
  Values multiplySlot(Value slot, ValueRange carried,
                      function_ref<void(int64_t, int64_t)> beside = nullptr);
  Value finishMath(ValueRange carried);
  bool writesBySlots();
  Values runBySlots(int64_t begin, Value end, Values carried, StepBody body);
  Values runSteps(Value begin, Value end, int64_t unroll, Values carried, StepBody body);

  RewriterBase &rewriter;
  Location loc;
  IntMath math;
  BlockGemmOp gemm;
  Value ring;
  Schedule schedule;
  ArrayRef<FragmentType> tiles; // of the ring
  FragmentType columns;         // that are held, or null
  const MatrixInstruction *mma; // of the accumulators
  bool sharesSimds;             // whether a SIMD has several waves
  bool sharesVectorUnit;        // whether matrix instructions run where vector instructions do
  Value count;                  // K steps
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_PIPELINEBLOCKGEMM_BLOCKPIPELINE_H
