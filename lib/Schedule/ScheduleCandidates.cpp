//===- ScheduleCandidates.cpp - What selection chooses from -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCandidates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::SmallVector;

static int64_t getOddFactor(int64_t value) { return value / (value & -value); }

/// Sizes of five and seven times a power of two, which lie between others.
static constexpr int64_t kBetween[] = {160, 224};

/// The waves that share the rows of A (0) or the columns of B (1) by the request, or 1. If it has
/// only roles, all math waves, which may stand in any way.
static int64_t getWavesAlong(const ScheduleRequest &request, unsigned dim) {
  if (request.waves)
    return (*request.waves)[dim];
  return request.roles && request.roles->load > 0 ? request.roles->math : 1;
}

/// Sizes to try for M, N and K: powers of two and those between, and multiples of the odd factors
/// of numbers of waves that could not share those.
static std::array<SmallVector<int64_t>, 3> enumerateSizes(const ScheduleRequest &request,
                                                          const GemmShape &shape) {
  std::array<SmallVector<int64_t>, 3> sizes = {
      SmallVector<int64_t>{128, 64, 32, 256, 16, 96, 192, 48},
      {128, 64, 32, 256, 16, 96, 192, 48},
      {32, 64, 16, 128}};
  auto addMultiples = [](SmallVector<int64_t> &sizes, int64_t waves) {
    int64_t odd = getOddFactor(waves);
    if (odd == 1)
      return;
    for (int64_t unit : {64, 32, 16})
      sizes.push_back(odd * unit);
  };
  bool split = request.roles && request.roles->load > 0;
  for (unsigned dim : {0, 1}) {
    llvm::append_range(sizes[dim], kBetween);
    addMultiples(sizes[dim], getWavesAlong(request, dim));
  }
  if (split)
    addMultiples(sizes[2], request.roles->load);
  else if (request.waves)
    addMultiples(sizes[2], (*request.waves)[0] * (*request.waves)[1]);
  return sizes;
}

bool detail::isBetween(const std::array<int64_t, 3> &tile) {
  return llvm::is_contained(kBetween, tile[0]) || llvm::is_contained(kBetween, tile[1]);
}

/// Whether a tile is considered. Sizes between others are for the rounds of large tiles, which are
/// few: fewer compute units are without one of the last. On chips of CDNA1 and CDNA2 their estimate
/// is too short, and with short steps on all. Waves of the request may need them all the same.
static bool isUsual(const std::array<int64_t, 3> &tile, const ScheduleRequest &request,
                    const ChipInfo &chip) {
  constexpr int64_t kFewest = 16384, kShortestStep = 32;
  auto isAsked = [&](unsigned dim) {
    return getOddFactor(getWavesAlong(request, dim)) == getOddFactor(tile[dim]);
  };
  auto isPlain = [&](unsigned dim) {
    return !llvm::is_contained(kBetween, tile[dim]) || isAsked(dim);
  };
  return (isPlain(0) && isPlain(1)) || (tile[0] * tile[1] > kFewest && tile[2] >= kShortestStep &&
                                        !chip.name.starts_with("gfx90"));
}

/// Bytes of an element of `type` in LDS.
static int64_t getHeldBytes(DataType type, const ChipInfo &chip) {
  for (const MatrixInstruction &inst : chip.matrixInstructions)
    if (inst.aType == type)
      return getSizeInBytes(inst.heldType);
  return getSizeInBytes(type);
}

SmallVector<std::array<int64_t, 3>> detail::enumerateTiles(const ScheduleRequest &request,
                                                           const GemmShape &shape,
                                                           const ChipInfo &chip) {
  bool split = request.roles && request.roles->load > 0;
  bool mayBeWasteful = request.waves || request.mma || split;
  auto fits = [&](int64_t tile, int64_t size) {
    return mayBeWasteful || tile == 16 || tile / 2 < size;
  };
  SmallVector<std::array<int64_t, 3>> tiles;
  std::array<SmallVector<int64_t>, 3> sizes = enumerateSizes(request, shape);
  int64_t bytes = getHeldBytes(shape.aType, chip);
  for (int64_t k : sizes[2])
    for (int64_t m : sizes[0])
      for (int64_t n : sizes[1])
        if (2 * (m + (shape.bShuffled ? 0 : n)) * k * bytes <= chip.ldsBytes && fits(m, shape.m) &&
            fits(n, shape.n) && isUsual({m, n, k}, request, chip))
          tiles.push_back({m, n, k});
  return tiles;
}

/// All ways to stand `waves` waves over the tile.
static WaveShapes enumerateWaves(int64_t waves) {
  WaveShapes shapes;
  for (int64_t rows = 1; rows <= waves; ++rows)
    if (waves % rows == 0)
      shapes.push_back({rows, waves / rows});
  return shapes;
}

SmallVector<RoleCandidate> detail::enumerateRoles(const ScheduleRequest &request,
                                                  const ChipInfo &chip, bool plain,
                                                  int64_t mostMath) {
  SmallVector<RoleCandidate> candidates;
  auto addSplit = [&](const Roles &roles) {
    bool fixed = request.waves && (*request.waves)[0] * (*request.waves)[1] != roles.math;
    if (request.roles || !fixed)
      candidates.push_back(
          {roles.load, {request.waves ? WaveShapes{*request.waves} : enumerateWaves(roles.math)}});
  };
  if (request.roles && request.roles->load > 0) {
    addSplit(*request.roles);
    return candidates;
  }
  if (request.waves)
    candidates.push_back({0, {{*request.waves}}});
  else if (plain) // One wave for each SIMD of a CU if the tile can be divided so.
    candidates.push_back(
        {0, {{{2, 2}, {1, 4}, {4, 1}}, {{1, 2}, {2, 1}}, {{1, 1}}, {{2, 4}, {4, 2}}, {{4, 4}}}});
  else
    for (int64_t waves : {4, 2, 1, 8, 16})
      candidates.push_back({0, {enumerateWaves(waves)}});
  if (!request.roles)
    for (const Roles &roles :
         {Roles{4, 4}, Roles{4, 2}, Roles{2, 4}, Roles{8, 4}, Roles{4, 8}, Roles{8, 8}})
      if (roles.math <= mostMath && (!plain || roles == Roles{4, 4} || roles == Roles{4, 8}))
        addSplit(roles);
  return candidates;
}

SmallVector<std::array<int64_t, 3>>
detail::enumerateInstructions(const ScheduleRequest &request, DataType type, const ChipInfo &chip) {
  if (request.mma)
    return {*request.mma};
  SmallVector<std::array<int64_t, 3>> mmas;
  for (const MatrixInstruction &inst : chip.matrixInstructions)
    if (inst.aType == type && !inst.reducedPrecision)
      mmas.push_back({inst.m, inst.n, inst.k});
  return mmas;
}

/// Whether a path is considered that no field of the request excludes. Slots more than two hide the
/// latency of copies that no register waits for, and of steps that begin with loads. Copies of that
/// kind without reads ahead were not the fastest for any of 50 problems.
static bool isUsual(const DataPath &path, const ScheduleRequest &request) {
  const bool isAsync = path.copies == Copies::Async, isAhead = path.reads == Reads::Ahead;
  if (isAsync && !isAhead && !request.reads)
    return false;
  const int64_t most = isAsync ? 4 : isAhead ? 3 : 2;
  return request.stages || path.stages.columns <= most;
}

/// Numbers of slots, of which the first is taken where the estimate sees no difference. With two,
/// copies that no register waits for have less than a step for their latency.
static SmallVector<Stages, 4> getSlotNumbers(Copies copies, Reads reads) {
  if (copies != Copies::Async)
    return {2, 3, 4};
  if (reads != Reads::Ahead)
    return {3, 2, 4};
  return {3, {2, 3}, 2, 4};
}

bool detail::fitsEvenly(Schedule schedule, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip) {
  if (schedule.stages.isEven())
    return false;
  schedule.stages = schedule.stages.columns;
  return llvm::all_of(shapes, [&](const GemmShape &shape) {
    return chip.findMatrixInstruction(schedule.mma, shape.aType) &&
           getLdsBytes(schedule, shape, chip) <= chip.ldsBytes;
  });
}

SmallVector<DataPath> detail::enumeratePaths(const ScheduleRequest &request, const ChipInfo &chip,
                                             bool plain) {
  const Copies plainCopies = request.copies.value_or(Copies::Staged);
  const Reads plainReads = request.reads.value_or(Reads::Step);
  const Stages plainStages = request.stages.value_or(Stages());
  if (plain)
    return {{plainCopies, plainReads, plainStages}};
  SmallVector<DataPath> paths;
  for (Copies copies : {Copies::Staged, Copies::Async})
    for (Reads reads : {Reads::Step, Reads::Ahead})
      for (Stages stages : getSlotNumbers(copies, reads)) {
        const bool isOpen = request.copies.value_or(copies) == copies &&
                            request.reads.value_or(reads) == reads &&
                            request.stages.value_or(stages) == stages;
        const bool exists = copies == Copies::Staged || chip.asyncCopyBytes > 0;
        if (isOpen && exists && isUsual({copies, reads, stages}, request))
          paths.push_back({copies, reads, stages});
      }
  if (paths.empty())
    paths.push_back({plainCopies, plainReads, plainStages});
  return paths;
}
