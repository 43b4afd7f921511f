//===- Traffic.cpp - What a launch moves between caches and memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups that run at the same time on an XCD go through K together, so that its L2 fetches once
// what several of them need.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/Traffic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir::ck;
using namespace mlir::ck::detail;

/// `count` neighbouring tiles in windows of `height` rows.
static TileSet getRegion(const WorkShape &work, double height, double count) {
  const double rows = double(work.rows), columns = double(work.columns);
  height = std::min(height, rows);
  const double width = std::ceil(count / height);
  if (width <= columns)
    return {std::min(height, count), width};
  return {std::min(rows, height * std::ceil(width / columns)), columns};
}

/// The first `count` tiles of one XCD when it has chunks of neighbouring ones.
static TileSet countChunks(const WorkShape &work, const WorkgroupMapping &mapping, int64_t count,
                           int64_t xcds) {
  llvm::SmallDenseSet<int64_t, 64> rows, columns;
  const int64_t total = work.rows * work.columns;
  for (int64_t i = 0; i < count && i * xcds < total; ++i) {
    const int64_t tile = getChunkedTile(total, mapping.chunk, xcds, i * xcds);
    const auto [group, row, column] = work.getTile(tile, mapping.window);
    rows.insert(row);
    columns.insert(column);
  }
  const auto pieces = llvm::count_if(rows, [&](int64_t row) { return !rows.contains(row - 1); });
  return {double(rows.size()), double(columns.size()), double(pieces)};
}

TileSet detail::getConcurrentTiles(const WorkShape &work, const WorkgroupMapping &mapping,
                                   double count, double xcds) {
  const double window = double(mapping.window), chunk = double(mapping.chunk);
  if (xcds == 1 || chunk >= count)
    return getRegion(work, window, count);
  const TileSet all = getRegion(work, window, count * xcds);
  if (chunk > 1)
    return countChunks(work, mapping, int64_t(count), int64_t(xcds));
  // An XCD has every eighth tile: of the faster dimension those at a distance that divides both.
  const bool alongRows = mapping.window > 1;
  const int64_t fast = alongRows ? std::min(mapping.window, work.rows) : work.columns;
  const double share = double(std::gcd(fast, int64_t(xcds)));
  TileSet own = all;
  double &dimension = alongRows ? own.rows : own.columns;
  dimension = std::max(1.0, dimension / share);
  own.rows = std::min(own.rows, count);
  own.columns = std::min(own.columns, count);
  own.pieces = own.rows < all.rows ? own.rows : 1;
  return own;
}

/// How often a view has an element of its tensor.
static double getReuse(double viewElements, int64_t elements) {
  return elements > 0 ? std::max(1.0, viewElements / double(elements)) : 1;
}

/// Bytes of the tensor of an operand, of which the view has `viewElements`.
static double getTensorBytes(double viewElements, int64_t elements, DataType type) {
  return viewElements / getReuse(viewElements, elements) * double(getSizeInBytes(type));
}

static double getABytes(const GemmShape &shape) {
  return getTensorBytes(double(shape.g) * double(shape.m) * double(shape.k), shape.aElements,
                        shape.aType);
}

static double getBBytes(const GemmShape &shape) {
  return getTensorBytes(double(shape.g) * double(shape.n) * double(shape.k), shape.bElements,
                        shape.bType);
}

double detail::getOperandBytes(const GemmShape &shape) {
  return getABytes(shape) + getBBytes(shape);
}

double detail::getBytesAlongK(const GemmShape &shape) {
  return (shape.aContiguousK ? 0 : getABytes(shape)) + (shape.bContiguousK ? 0 : getBBytes(shape));
}

double detail::getResultBytes(const GemmShape &shape) {
  return double(shape.g) * double(shape.m) * double(shape.n) * double(getSizeInBytes(shape.cType));
}

/// Groups whose elements lie in the same lines as those of a tile with `size` rows or columns.
/// Along the dimension that is contiguous, these or K, `run` elements lie side by side, or all; the
/// next row along the other one begins `pitch` elements further, or far away.
static double countSharers(const GemmShape &shape, bool contiguousK, int64_t run, int64_t pitch,
                           int64_t size, double elementBytes) {
  constexpr double kLineBytes = 128;
  if (shape.g == 1 || (contiguousK && (run == 0 || run == shape.k)))
    return 1;
  int64_t together = run == 0 ? size : std::min(run, size);
  if (contiguousK) // rows side by side are those of merged groups, with as many channels in as out
    together = pitch == run ? std::max(run, shape.n) : run;
  return std::clamp(kLineBytes / (double(together) * elementBytes), 1.0, double(shape.g));
}

/// Elements that a tile of `rows` rows needs beside its share of A's tensor: the pixels around its
/// own that the filter reaches.
static double getHalo(const GemmShape &shape, double returns, double rows) {
  const double share = double(shape.k) / returns; // of a row
  return std::clamp(double(shape.aSpan) - share, 0.0, rows * (double(shape.k) - share));
}

OperandTraffic detail::getOperandTraffic(const Schedule &schedule, const GemmShape &shape,
                                         const ChipInfo &chip) {
  const ChipRates &rates = getChipRates(chip);
  const double bytes = double(getSizeInBytes(shape.aType)), k = double(shape.k);
  OperandTraffic traffic;
  traffic.operands = getOperandBytes(shape);
  traffic.rowReturns = getReuse(double(shape.g) * double(shape.m) * k, shape.aElements);
  traffic.columnReturns = getReuse(double(shape.g) * double(shape.n) * k, shape.bElements);
  traffic.halo = getHalo(shape, traffic.rowReturns, double(schedule.tile[0])) * bytes;
  // Rows that have a slot less wait for the next cache a little more often: of two orders of tiles
  // that miss as much, the one that misses columns is faster.
  const double waits = schedule.stages.isEven() ? 1 : 1.02;
  traffic.row = waits * double(schedule.tile[0]) * k * bytes / traffic.rowReturns;
  traffic.column = double(schedule.tile[1]) * k * bytes / traffic.columnReturns;
  traffic.rowSharers =
      countSharers(shape, shape.aContiguousK, shape.aRun, shape.aPitch, schedule.tile[0], bytes);
  traffic.columnSharers =
      countSharers(shape, shape.bContiguousK, shape.bRun, shape.bPitch, schedule.tile[1], bytes);
  traffic.lines = getFillBytes(schedule, shape, Keeps::Nothing, rates);
  traffic.needed = getFillBytes(schedule, shape, Keeps::All, rates);
  traffic.result =
      double(schedule.tile[0] * schedule.tile[1]) * double(getSizeInBytes(shape.cType));
  return traffic;
}

/// Of `count` tiles at a distance of `stride`.
static TileSet getStridedTiles(const WorkShape &work, const WorkgroupMapping &mapping, double count,
                               int64_t stride) {
  if (stride == 0)
    return {1, 1};
  // Tiles follow each other along one dimension of a window, then along the other one.
  const bool alongRows = mapping.window > 1;
  const int64_t fast = alongRows ? std::min(mapping.window, work.rows) : work.columns;
  const int64_t slow = alongRows ? work.columns : work.rows;
  const double inFast = std::min(count, double(fast / std::gcd(stride, fast)));
  const double inSlow =
      std::min({count, double(slow), std::ceil(count * double(stride) / double(fast))});
  return alongRows ? TileSet{inFast, inSlow} : TileSet{inSlow, inFast};
}

/// What streams fetch of all that they need. An XCD has every eighth stream. If one of them and the
/// `apart`-th after it begin at the same step of a tile, then so do all of these, and fetch once
/// what they share. If they begin some steps later, they find what the first has fetched if the L2
/// still has it after these steps of all streams, which share nothing at first. Tiles of different
/// groups never share.
static double getFetchedByStreams(const WorkgroupMapping &mapping, const OperandTraffic &traffic,
                                  const WorkShape &work, const GemmWorkgroups &workgroups,
                                  const ChipInfo &chip, const TimeModelConstants &c) {
  const auto xcds = double(chip.numXcds), steps = double(work.getTileIterations());
  const double perXcd = std::min(workgroups.count, workgroups.atATime) / xcds;
  const double kept = c.l2Holds * getChipRates(chip).l2Bytes / (perXcd * traffic.lines);
  for (double apart = 1; apart * 2 <= perXcd; ++apart) {
    const double distance = apart * xcds * workgroups.streamSteps;
    const double stride = std::round(distance / steps);
    const double drift = std::abs(distance - stride * steps);
    if (drift > std::min(kept, workgroups.streamSteps))
      continue;
    const double count = perXcd / apart;
    const double groups = std::clamp(std::ceil(count * stride / double(work.rows * work.columns)),
                                     1.0, std::min(count, double(work.groups)));
    const TileSet set = getStridedTiles(work, mapping, count / groups, int64_t(stride));
    const double fetched = groups * (set.rows * traffic.row + set.columns * traffic.column) /
                           (count * (traffic.row + traffic.column));
    const double late = drift / workgroups.streamSteps; // that nobody has fetched before
    return std::min(1.0, fetched + late * (1 - fetched));
  }
  return 1;
}

/// `estimateMisses` of tiles in windows that are all equally high, without what is missed at least.
static double estimateMissesOfWindows(const WorkgroupMapping &mapping,
                                      const OperandTraffic &traffic, const WorkShape &work,
                                      const GemmWorkgroups &workgroups, const ChipInfo &chip,
                                      const TimeModelConstants &c) {
  const ChipRates &rates = getChipRates(chip);
  const double xcds = double(chip.numXcds), tiles = double(work.getTiles());
  const double perXcd = std::max(1.0, std::min(workgroups.count, workgroups.atATime) / xcds);
  const double slices = std::max(1.0, workgroups.count / tiles);
  // Slices of a tile go through different parts of K.
  const double xcdsOfSlice = xcds / workgroups.sideBySide;
  const double concurrent = std::min(perXcd, std::max(1.0, tiles / xcdsOfSlice));
  // Groups of all that runs on the chip, and of the chunks that one XCD has of it.
  const auto ofGroup = double(work.rows * work.columns), chunk = double(mapping.chunk);
  const double ofChunk = std::max(1.0, std::floor(chunk / ofGroup));
  const double groups = std::clamp(std::min(std::ceil(concurrent * xcdsOfSlice / ofGroup),
                                            std::ceil(concurrent / chunk) * ofChunk),
                                   1.0, std::min(concurrent, double(work.groups)));
  TileSet set = getConcurrentTiles(work, mapping, concurrent / groups, xcdsOfSlice);
  set.rows *= groups;
  set.columns *= groups;
  set.pieces *= groups;
  const double used = std::min(xcdsOfSlice, tiles);
  const double rounds = std::max(1.0, workgroups.count / slices / (used * concurrent));
  // Filters come back to the same pixels at other K steps, and find those that the L2 still has.
  auto getBytes = [&](double count, double bytes, double returns) {
    const double kept = c.l2Returns * rates.l2Bytes / (count * bytes);
    return count * bytes * (1 + std::max(0.0, 1 - kept) * (returns - 1));
  };
  // Whole lines are fetched, with elements of groups that are on other XCDs.
  const double together = xcds == 1 ? groups : std::min(groups, ofChunk);
  double misses =
      rounds * used *
      (std::max(1.0, traffic.rowSharers / together) *
           (getBytes(set.rows, traffic.row, traffic.rowReturns) + set.pieces * traffic.halo) +
       std::max(1.0, traffic.columnSharers / together) *
           getBytes(set.columns, traffic.column, traffic.columnReturns));
  // Of a line a step may need a part only; the L2 has the rest for the next ones if all lines and
  // results of the workgroups that run together fit.
  const double held =
      traffic.lines * (set.rows * set.columns > 0 ? (set.rows + set.columns) / 2 : 1) +
      concurrent * traffic.result;
  const double lost = std::max(0.0, 1 - c.l2Holds * rates.l2Bytes / held);
  misses *= 1 + lost * (traffic.lines / traffic.needed - 1);
  const double apart = tiles * double(work.getTileIterations()) * traffic.lines;
  if (workgroups.scattered > 0) {
    const double fetched = getFetchedByStreams(mapping, traffic, work, workgroups, chip, c) * apart;
    // Of what other groups have of their lines they find nothing, unlike tiles that go through it
    // together.
    const double rest = work.groups > 1 ? 1 - traffic.needed / traffic.lines : 0;
    const double share = c.scatterShare + rest * (1 - c.scatterShare);
    const double more = std::min(share * (apart - misses), fetched - misses);
    misses += workgroups.scattered * std::max(0.0, more);
  }
  if (traffic.operands <= c.l2Keeps * rates.l2Bytes)
    misses = std::min(misses, xcdsOfSlice * traffic.operands);
  return misses;
}

double detail::estimateMisses(const WorkgroupMapping &mapping, const OperandTraffic &traffic,
                              const WorkShape &work, const GemmWorkgroups &workgroups,
                              const ChipInfo &chip, const TimeModelConstants &c) {
  const int64_t rest = work.rows % std::min(mapping.window, work.rows);
  double misses = 0;
  for (int64_t rows : {work.rows - rest, rest}) {
    if (rows == 0)
      continue;
    WorkShape part = work;
    part.rows = rows;
    GemmWorkgroups own = workgroups;
    own.count *= double(rows) / double(work.rows);
    misses += estimateMissesOfWindows(mapping, traffic, part, own, chip, c);
  }
  return std::max(misses, traffic.operands);
}

/// Of how many rows and columns of tiles `count` workgroups of the whole chip are.
static TileSet getTilesAtATime(const WorkShape &work, const WorkgroupMapping &mapping, double count,
                               double xcds) {
  const auto window = double(mapping.window), chunk = double(mapping.chunk);
  if (xcds == 1 || chunk * xcds <= count)
    return getRegion(work, window, count);
  // Each XCD begins in a chunk of its own.
  const TileSet own = getRegion(work, window, std::max(1.0, count / xcds));
  const double bands = chunk * xcds / (std::min(window, double(work.rows)) * double(work.columns));
  const double apart = std::clamp(std::ceil(bands), 1.0, xcds);
  return {std::min(double(work.rows), apart * own.rows),
          std::min(double(work.columns), xcds / apart * own.columns)};
}

double detail::getMissedShare(const MemoryWalk &walk, double size) {
  if (walk.bytes <= size)
    return 0;
  // The end from `lost` on lies there, and what is missed takes the place of its begin. A round
  // that begins everywhere fills one set after the other; what a set has no room for takes the
  // place of other lines of this launch.
  constexpr int kPieces = 32;
  const double capacity = size / walk.bytes, rounds = std::max(1.0, walk.rounds);
  double lost = 1 - capacity, missed = 0;
  for (int i = 0; i < kPieces; ++i) {
    const double used = (double(i) + 0.5) / kPieces, begin = std::floor(used * rounds) / rounds;
    const double width = std::min(1 / rounds, 1 - begin);
    // The parts of K that slices have are each read from the begin.
    const double ofSlices = std::ceil(lost * walk.slices - (used - begin) / width) / walk.slices;
    const double ordered = walk.ordered * std::clamp(ofSlices, 0.0, 1.0);
    const double others = (1 - walk.ordered) * std::clamp((lost - begin) / width, 0.0, 1.0);
    missed += (ordered + others) / kPieces;
    lost += (ordered + others * std::clamp((capacity - begin) / width, 0.0, 1.0)) / kPieces;
  }
  return missed;
}

/// Of operands that were fetched before, the share that the MALL has lost since then if `bytes`
/// were moved through it: all if that is a quarter more than it has.
static double getLost(double bytes, const ChipRates &rates) {
  return rates.mallBytes > 0 ? std::clamp(4 * (bytes / rates.mallBytes - 1), 0.0, 1.0) : 0;
}

namespace {
/// The share of rounds in which the rows and the columns of the tiles are new, and of the others
/// that in which the MALL has lost them.
struct Returns {
  double rows, columns, both;
  double lostRows, lostColumns;
};
} // namespace

static Returns getReturns(const TileSet &set, double rounds, const OperandTraffic &traffic,
                          const WorkShape &work, const ChipRates &rates) {
  const auto rows = double(work.rows), columns = double(work.columns);
  Returns result;
  result.rows = std::min(1.0, rows / (set.rows * rounds));
  result.columns = std::min(1.0, columns / (set.columns * rounds));
  // In the first round both are new.
  result.both = std::max(1 / rounds, result.rows + result.columns - 1);
  // Rows come back in the next round, and columns when all others have been there.
  auto getBytes = [&](double width) {
    return set.rows * traffic.row + width * traffic.column + set.rows * width * traffic.result;
  };
  result.lostRows = getLost(getBytes(set.columns), rates);
  result.lostColumns = getLost(getBytes(columns), rates);
  return result;
}

OperandSources detail::getSources(const WorkgroupMapping &mapping, const OperandTraffic &traffic,
                                  const WorkShape &work, const GemmWorkgroups &workgroups,
                                  const ChipInfo &chip) {
  const double slices = std::max(1.0, workgroups.count / double(work.getTiles()));
  const auto tiles = double(work.rows * work.columns); // of one of its groups
  const double atATime =
      std::clamp(std::min(workgroups.count, workgroups.atATime) / slices, 1.0, tiles);
  const TileSet set = getTilesAtATime(work, mapping, atATime, double(chip.numXcds));
  const double rounds = tiles / atATime;
  const Returns returns = getReturns(set, rounds, traffic, work, getChipRates(chip));
  const double rowsAgain = (1 - returns.rows) * returns.lostRows,
               columnsAgain = (1 - returns.columns) * returns.lostColumns;
  OperandSources result;
  result.again = double(work.groups) * rounds *
                 (rowsAgain * set.rows * traffic.row + columnsAgain * set.columns * traffic.column);
  // Filters come back to the same pixels.
  const double row = 1 / traffic.rowReturns, column = 1 / traffic.columnReturns;
  auto getShares = [&](double unknown) {
    const double rows = returns.rows * unknown + rowsAgain,
                 columns = returns.columns * unknown + columnsAgain;
    const double both = std::max(returns.both * unknown, rows + columns - 1);
    BySource<double> shares;
    shares[1] = (rows - both) * row + both * row * (1 - column);
    shares[2] = (columns - both) * column + both * column * (1 - row);
    shares[3] = both * row * column;
    shares[0] = std::max(0.0, 1 - shares[1] - shares[2] - shares[3]);
    return shares;
  };
  result.cached = getShares(workgroups.unknown);
  result.fromMemory = getShares(1);
  return result;
}
