//===- Traffic.h - What a launch moves between caches and memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the model of time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_TIMEMODEL_TRAFFIC_H
#define CK_MLIR_LIB_SCHEDULE_TIMEMODEL_TRAFFIC_H

#include "Schedule/TimeModel/ChipRates.h"
#include "Schedule/TimeModel/StepModel.h"
#include "ck-mlir/Schedule/TimeModel.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// Rows and columns of tiles; of the rows, how many follow none of the others.
struct TileSet {
  double rows = 0, columns = 0;
  double pieces = 1;
};

/// Of how many different rows and columns of tiles those workgroups are that run at the same time
/// on an XCD of `xcds`, `count` of them, when a GEMM has `work` tiles and `slices` workgroups each.
TileSet getConcurrentTiles(const WorkShape &work, const WorkgroupMapping &mapping, double count,
                           double xcds);

/// The workgroups that compute a GEMM.
struct GemmWorkgroups {
  double count = 0, atATime = 0;
  double scattered = 0;   ///< share of the K steps in which they are at different steps
  double streamSteps = 0; ///< of each workgroup in these
  double sideBySide = 1;  ///< slices that go round the XCDs
  double unknown = 0;     ///< share of the operands that does not fit into the MALL with the rest
};

/// Bytes of the operands of one GEMM in the tiles of a schedule.
struct OperandTraffic {
  double operands;    ///< of the tensors
  double row, column; ///< of the tensors for a row and a column of tiles
  double halo;        ///< of rows before those of a row of tiles that it needs as well
  /// How often the views have these, at different K steps.
  double rowReturns, columnReturns;
  double rowSharers, columnSharers; ///< groups that have elements in the same lines
  double lines, needed; ///< of a K step of a tile: of whole lines, and without what others need
  double result;        ///< of the results of a tile
};
OperandTraffic getOperandTraffic(const Schedule &schedule, const GemmShape &shape,
                                 const ChipInfo &chip);

/// Bytes from the MALL, or from memory where there is none, to the L2s for one GEMM.
double estimateMisses(const WorkgroupMapping &mapping, const OperandTraffic &traffic,
                      const WorkShape &work, const GemmWorkgroups &workgroups, const ChipInfo &chip,
                      const TimeModelConstants &constants);

/// Of the rate of the memory, what launches reach that move more than the MALL holds.
constexpr double kMemoryShare = 0.8;

/// How a launch goes through the memory of its tensors, once.
struct MemoryWalk {
  double bytes;
  double rounds;  ///< of workgroups, which go through their own parts of the memory side by side
  double ordered; ///< share of the bytes that lie in the order of K
  double slices;  ///< of K, which are gone through side by side
};

/// The share of the bytes that comes from memory when the MALL, of `size` bytes, holds the end of
/// them as the launch begins. What comes takes the place of what was used longest ago.
double getMissedShare(const MemoryWalk &walk, double size);

/// Of the K steps of one GEMM, how large a share has which operands from memory, when the caches
/// hold what fits of them as the launch begins and when they hold nothing.
struct OperandSources {
  BySource<double> cached, fromMemory;
  double again = 0; ///< bytes of operands that come from memory more than once
};

/// Workgroups that run at the same time need the same operands at the same time.
OperandSources getSources(const WorkgroupMapping &mapping, const OperandTraffic &traffic,
                          const WorkShape &work, const GemmWorkgroups &workgroups,
                          const ChipInfo &chip);

/// Bytes of the operands of one GEMM and of its result.
double getOperandBytes(const GemmShape &shape);
double getResultBytes(const GemmShape &shape);
/// Of the operands of one GEMM, those that lie in the order of K.
double getBytesAlongK(const GemmShape &shape);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_TIMEMODEL_TRAFFIC_H
