//===- Distribution.h - What the parts of ck-distribute-to-waves share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution is one conversion whose patterns stand in a file per family: copies between
// global memory, registers and LDS; the matrix instructions and the store of their results.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_DISTRIBUTION_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_DISTRIBUTION_H

#include "Transforms/IntMath.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::distribution {

/// Copies that a lane starts between products.
struct CopiesBeside {
  int64_t count = 0;
  bool areAwaited = false; // by the next step already, in which copies of the other operand go on
};

/// Where the lanes of a workgroup stand and how its tiles lie in registers and LDS.
struct Config {
  const ChipInfo *chip = nullptr;
  AccLayoutAttr layout;
  const MatrixInstruction *mma = nullptr; // of the layout
  int64_t loadWaves = 0;                  // 0 where all waves load and multiply
  bool async = false;                     // some tile is copied without registers
  int64_t kPack = 1;                      // consecutive K elements of an LDS unit
  int64_t threads = 64;                   // that copy operands, the first of the workgroup
  /// Slots of acquires and waits, where known.
  llvm::DenseMap<Operation *, std::optional<int64_t>> slots;
  /// Products that follow a read of the next unit, with the copies of a lane between them.
  llvm::DenseMap<Operation *, CopiesBeside> besideReads;
  // Index values that dominate the kernel's body; the wave's place is that of math waves.
  Value thread, lane, wave, mathWave, waveRow, waveColumn;
  /// Of tiles along K: the run of their units, and where the row that a lane holds lies in its
  /// block by its own part of the unit.
  int64_t unitRun = 1;
  Value laneRow;

  /// True if loads and matrix instructions belong to different waves.
  bool hasLoadWaves() const { return loadWaves > 0; }
  int64_t getMathWaves() const { return layout.getWaves()[0] * layout.getWaves()[1]; }

  /// Dimension of the tile (0: rows, 1: columns) along which the accumulators of a lane lie. The
  /// matrix instructions hold rows; with A and B exchanged, columns.
  unsigned getAccDim() const { return static_cast<unsigned>(layout.getAlong()); }
  int64_t getBlockSize(unsigned dim) const { return dim == 0 ? mma->m : mma->n; }
  /// Consecutive K elements of one row that a lane holds at once: an LDS unit for one or more
  /// matrix instructions, or the several units that one needs.
  int64_t getHeldK() const { return std::max(kPack, mma->kPerLane); }
  /// Micro tiles of `fragment` that one thread moves.
  int64_t getPasses(FragmentType fragment) const;
  /// Vector type of one load of `fragment`, and the loads of one micro tile.
  VectorType getLoadType(FragmentType fragment) const;
  int64_t getLoadsPerPass(FragmentType fragment) const;
  /// K units of a step of `ring`.
  int64_t getUnits(RingType ring) const;
  /// Rows of a block of operand `dim` that a lane holds: one, or of an outer product those of its
  /// accumulators.
  int64_t getRows(unsigned dim) const;
  /// Vectors of operand `dim` that a lane holds of a unit of `ring`.
  int64_t getUnitVectors(RingType ring, unsigned dim) const;
  /// True if lanes can hold `fragment`, of B, as the matrix instruction takes it from them.
  bool canHold(FragmentType fragment) const;
  /// Of a held fragment: blocks of the matrix instruction that a wave has, and vectors of a lane
  /// for each. These are in the order of K.
  int64_t getHeldBlocks(FragmentType fragment) const;
  int64_t getHeldLoads(FragmentType fragment) const;
  /// The first K element of vector `index` of a block of a held fragment, from that of vector 0.
  int64_t getHeldOffset(int64_t index) const;
  /// Reads of LDS by which a lane gets a unit of a row of `fragment`.
  int64_t getUnitReads(FragmentType fragment) const;
  /// Loads of a tile's consecutive elements: a row of an async tile, or of a transposed one a K.
  int64_t getLanesOfRow(FragmentType fragment) const;
  /// LDS bytes and memref of a tile: [k / kPack][rows][kPack], of an async one
  /// [rows][k / kPack][kPack], of a transposed one [k x rows].
  int64_t getTileBytes(FragmentType fragment) const;
  /// LDS bytes of all slots of a ring.
  int64_t getRingBytes(RingType ring) const;
  MemRefType getTileMemRef(FragmentType fragment) const;
  /// Units of K of one row that neighbouring lanes load where memory runs along K: 64 bytes, which
  /// a first level cache takes in a cycle. 1 where memory runs along the rows.
  int64_t getUnitRun(FragmentType fragment) const;
  /// Micro tiles of neighbouring rows that neighbouring lanes load where memory runs along the
  /// rows: 64 bytes as well. 1 where memory runs along K.
  int64_t getRowRun(FragmentType fragment) const;
  /// Rows of a tile whose units of one K fill 32 banks of LDS once, or fewer if it has not as many.
  int64_t getBankRows(FragmentType fragment) const;
  /// Where memory runs along the rows, row r lies at r ^ (r / 8 mod swizzle). 8 rows of 16 bytes
  /// fill the banks once, and neighbouring lanes write rows that are a micro tile apart: as many
  /// different permutations of 8 rows spread them over all banks. Not for outer products, of which
  /// a lane reads 8 rows itself, and writes are few beside the multiply-adds.
  int64_t getSwizzle(FragmentType fragment) const;
};

/// The row of LDS at which the unit `unit` of K of row `row` lies where memory runs along K: row r
/// of unit u lies at r ^ (u mod run).
inline Value permuteRow(const IntMath &math, Value row, Value unit, int64_t run) {
  return arith::XOrIOp::create(math.builder, math.loc, row, math.rem(unit, run));
}

/// The row of LDS at which row `row` lies where memory runs along the rows.
inline Value swizzleRow(const IntMath &math, Value row, int64_t swizzle) {
  if (swizzle == 1)
    return row;
  return arith::XOrIOp::create(math.builder, math.loc, row, math.rem(math.div(row, 8), swizzle));
}

/// Where unit `unit` of K of row `row` of an async fragment lies in its row of LDS, and which unit
/// lies there: a permutation that is its own inverse. Lanes that take one unit of neighbouring rows
/// meet all banks. Rows of a block of the matrix instruction tell permutations apart.
Value permuteUnit(const IntMath &math, const Config &config, FragmentType fragment, Value unit,
                  Value row);

/// A transposing read: rows that 16 lanes cover, and K elements of a row that each of them gets.
inline constexpr int64_t kTransposedRows = 16, kTransposedElements = 4;
/// Rows of a transposed tile within which its blocks of 16 rows are permuted.
inline constexpr int64_t kPermutedRows = 128;

/// Where part `part`, 8 rows, of the rows of K element `k` of a transposed tile lies in LDS.
Value permutePart(const IntMath &math, const Config &config, FragmentType fragment, Value part,
                  Value k);

/// Waits for this wave's LDS accesses and for the other waves of the workgroup.
void createBarrier(OpBuilder &builder, Location loc, const Config &config);

/// A cursor for each load of the async fragment of `op`.
SmallVector<Value> makeAsyncCursors(const IntMath &math, const Config &config, CursorOp op,
                                    CursorType laneType);

/// `value`, of which the optimizer sees nothing.
Value hideFromOptimizer(const IntMath &math, Value value);

/// The lane in its wave, found in a way that has nothing in common with `Config::lane`: what is
/// computed from that one in front of the main loop and again behind it is live in the loop.
Value findLane(const IntMath &math, const ChipInfo &chip);

/// Puts the bodies of the roles of `specialize` into the kernel, behind the lane ids, which are
/// stored in `config`.
void enterRoles(WaveSpecializeOp specialize, Config &config);

/// A pattern that knows the configuration.
template <typename Op>
struct TilePattern : OpConversionPattern<Op> {
  TilePattern(const TypeConverter &converter, MLIRContext *context, const Config &config)
      : OpConversionPattern<Op>(converter, context), config(config) {}
  const Config &config;
};

/// Cursors, fragments, the ring and its slots.
void populateCopyPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                          const Config &config);
/// Copies from global memory to LDS without registers.
void populateAsyncPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                           const Config &config);
/// Accumulators and matrix instructions.
void populateMmaPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                         const Config &config);
/// Emits an error at `op` if the lanes of `config` cannot shuffle its results through its ring.
LogicalResult verifyShuffle(StoreTileOp op, const Config &config);
/// The store of a tile through its epilogue.
void populateStorePatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                           const Config &config);

/// Sums that workgroups leave for each other.
void populatePartialPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                             const Config &config);

/// Emits an error at `op` if the sums do not fit into its ring.
LogicalResult verifySum(SumPartialsOp op, const Config &config);
/// Such sums that the waves of a workgroup share.
void populateSumPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                         const Config &config);

/// Number of lane cursors that stand for a tile cursor: one per load, or one per micro tile where
/// its loads lie in one run of the view; of a held fragment one per block. 0 if there is no way to
/// address it.
int64_t getNumLaneCursors(CursorType type, const Config &config);

} // namespace mlir::ck::distribution

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_DISTRIBUTION_H
