//===- WorkPlanTest.cpp - Properties of all small work plans -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exhaustive over small launches: every K step is computed once, every tile has one owner, what
// contributors say about each other is true, and no order of execution hangs.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace mlir::ck;

static std::vector<Partition> getPartitions() {
  std::vector<Partition> partitions = {DataParallel()};
  for (int64_t factor : {0, 1, 2, 3, 5, 20})
    partitions.emplace_back(SplitK{factor, factor != 3});
  partitions.emplace_back(SplitK{4, false});
  for (Reduction reduction : {Reduction::Linear, Reduction::Tree})
    for (bool persistent : {false, true})
      partitions.emplace_back(StreamK{reduction, persistent});
  partitions.emplace_back(StreamK{Reduction::Parallel});
  return partitions;
}

static WorkPlan makePlan(llvm::ArrayRef<WorkShape> gemms, const Partition &partition,
                         int64_t residents, const WorkgroupMapping &mapping = {},
                         int64_t xcds = 1) {
  return llvm::cantFail(WorkPlan::create(gemms, partition, residents, xcds, mapping));
}

/// gemm, group, row, column
static std::array<int64_t, 4> getTileOf(const WorkItem &item) {
  return {item.gemm, item.group, item.row, item.column};
}

static bool isShared(const WorkPlan &plan) { return hasStreams(plan.getPartition()); }

/// What is wrong with the K steps of one tile, whose items are in their order.
static std::string checkSteps(const WorkPlan &plan, llvm::ArrayRef<const WorkItem *> items) {
  int64_t kSteps = plan.getGemms()[items[0]->gemm].kSteps, position = 0;
  for (const WorkItem *item : items) {
    if (item->kBegin != position)
      return "K steps that are left out or computed twice";
    if (item->kBegin == item->kEnd && kSteps != 0)
      return "an item without K steps";
    position = item->kEnd;
  }
  return position == kSteps ? "" : "K steps that are left out at the end";
}

/// What is wrong with the sums of one tile, whose items are in the order of contributors.
static std::string checkContributors(const WorkPlan &plan, llvm::ArrayRef<const WorkItem *> items) {
  const bool hasAdders = plan.getAdders() > 0 && items.size() > 1;
  for (auto [index, item] : llvm::enumerate(items)) {
    if (item->contributor != int64_t(index) || item->contributors != int64_t(items.size()))
      return "a wrong number of contributors";
    bool handsOn = isShared(plan) ? hasAdders || index != 0
                                  : hasSecondStage(plan.getPartition()) && items.size() > 1;
    if ((item->partial >= 0) != handsOn)
      return "a partial tile of the wrong contributor";
    std::vector<int64_t> waits;
    if (isShared(plan) && !hasAdders)
      for (int64_t partner : getPartners(index, items.size(), plan.getReduction()))
        waits.push_back(items[partner]->partial);
    if (waits != std::vector<int64_t>(item->waits.begin(), item->waits.end()))
      return "a wrong list of waits";
  }
  return "";
}

/// How many workgroups add each tile that streams share: all are resident at the same time.
static int64_t countAdders(const WorkPlan &plan) {
  const int64_t places = plan.getResidents() / plan.getStreamSplit().dealtTiles;
  return places >= 8 ? 8 : places >= 4 ? 4 : places >= 2 ? 2 : 1;
}

/// What is wrong with the sums of one tile that others add, who stand in the order of their
/// numbers.
static std::string checkAdders(const WorkPlan &plan, llvm::ArrayRef<const WorkItem *> adders,
                               llvm::ArrayRef<const WorkItem *> contributors) {
  if (contributors.size() == 1)
    return adders.empty() ? "" : "an adder of a whole tile";
  if (int64_t(adders.size()) != countAdders(plan))
    return "a wrong number of adders";
  for (auto [index, adder] : llvm::enumerate(adders)) {
    if (adder->adder != int64_t(index) || adder->kBegin != adder->kEnd || adder->partial >= 0)
      return "an adder with other work";
    if (!llvm::equal(adder->waits, llvm::map_range(contributors, [](const WorkItem *item) {
                       return item->partial;
                     })))
      return "an adder that does not add all sums in order";
  }
  return "";
}

static std::string checkTiles(const WorkPlan &plan, llvm::ArrayRef<WorkItem> items) {
  std::map<std::array<int64_t, 4>, std::vector<const WorkItem *>> tiles, adders;
  for (const WorkItem &item : items)
    (item.adder >= 0 ? adders : tiles)[getTileOf(item)].push_back(&item);
  if (int64_t(tiles.size()) != plan.getTiles())
    return "a tile without owner";
  for (auto &[tile, contributors] : tiles) {
    const WorkShape &gemm = plan.getGemms()[tile[0]];
    if (tile[1] >= gemm.groups || tile[2] >= gemm.rows || tile[3] >= gemm.columns)
      return "a tile that does not exist";
    llvm::sort(contributors, [](const WorkItem *a, const WorkItem *b) {
      return std::tie(a->kBegin, a->contributor) < std::tie(b->kBegin, b->contributor);
    });
    if (std::string error = checkSteps(plan, contributors); !error.empty())
      return error;
    // Streams within tiles have the parts of K that suit their XCDs.
    llvm::sort(contributors, [](const WorkItem *a, const WorkItem *b) {
      return a->contributor < b->contributor;
    });
    if (std::string error = checkContributors(plan, contributors); !error.empty())
      return error;
    if (plan.getAdders() == 0 && adders.empty())
      continue;
    if (std::string error = checkAdders(plan, adders[tile], contributors); !error.empty())
      return error;
  }
  return "";
}

/// Partial tiles: inside the workspace, never two in one place; one for each workgroup and a
/// receiver that runs later if they are handed over within the launch.
static std::string checkPartials(const WorkPlan &plan, llvm::ArrayRef<WorkItem> items) {
  std::vector<int64_t> senders(plan.getPartialTiles(), -1), waits(plan.getPartialTiles(), 0);
  std::vector<int64_t> stored(plan.getGridSize(), 0);
  int64_t used = 0;
  for (const WorkItem &item : items) {
    if (item.partial < 0)
      continue;
    if (item.partial >= plan.getPartialTiles() || senders[item.partial] != -1)
      return "a partial tile outside the workspace or stored twice";
    senders[item.partial] = item.workgroup;
    ++used;
    if (++stored[item.workgroup] > 1)
      return "a workgroup with two partial tiles";
  }
  // Each wave has a flag of its own, and each adder has other waves.
  const int64_t readers = plan.getAdders() > 0 ? countAdders(plan) : 1;
  if (!isShared(plan))
    return used == plan.getPartialTiles() ? "" : "a partial tile that nobody stores";
  for (const WorkItem &item : items)
    for (int64_t partial : item.waits) {
      if (senders[partial] < 0 || ++waits[partial] > readers)
        return "a wait without its own signal";
      if (senders[partial] >= item.workgroup)
        return "a wait for a workgroup that is dispatched later";
    }
  return llvm::count(waits, readers) == used ? "" : "a signal that nobody waits for";
}

namespace {
/// Runs the workgroups of a plan, of which `residents` are resident at a time, in random order,
/// dispatched in the order of their numbers or, with `shuffle`, in any: a workgroup adds its own K
/// steps to an item, then what it waits for, and hands on or stores.
class Simulation {
public:
  Simulation(const WorkPlan &plan, int64_t residents, unsigned seed, bool shuffle)
      : plan(plan), residents(residents), random(seed), sums(plan.getPartialTiles(), -1),
        order(plan.getGridSize()) {
    std::iota(order.begin(), order.end(), 0);
    if (shuffle)
      std::shuffle(order.begin(), order.end(), random);
  }

  std::string run() {
    while (next < plan.getGridSize() || !running.empty()) {
      while (int64_t(running.size()) < residents && next < plan.getGridSize())
        running.push_back({plan.getWork(order[next++])});
      // All of them in random order; without progress of any, nothing will ever happen.
      std::shuffle(running.begin(), running.end(), random);
      bool progress = false;
      for (Workgroup &workgroup : running)
        progress |= step(workgroup);
      if (!progress)
        return "a deadlock";
      llvm::erase_if(running, [](const Workgroup &w) { return w.item == w.items.size(); });
    }
    return error;
  }

private:
  struct Workgroup {
    std::vector<WorkItem> items;
    size_t item = 0, waits = 0; // done so far
    int64_t sum = 0;
  };

  bool step(Workgroup &workgroup) {
    const WorkItem &item = workgroup.items[workgroup.item];
    if (workgroup.waits < item.waits.size()) {
      int64_t sum = sums[item.waits[workgroup.waits]];
      if (sum < 0)
        return false;
      workgroup.sum += sum;
      ++workgroup.waits;
      return true;
    }
    int64_t sum = workgroup.sum + item.kEnd - item.kBegin;
    if (item.partial >= 0)
      sums[item.partial] = sum;
    else if (isShared(plan) && sum != plan.getGemms()[item.gemm].kSteps)
      error = "an incomplete sum of an owner";
    ++workgroup.item;
    workgroup.sum = workgroup.waits = 0;
    return true;
  }

  const WorkPlan &plan;
  int64_t residents;
  std::mt19937 random;
  std::vector<int64_t> sums; // by partial tile; -1 while the flag is not set
  std::vector<Workgroup> running;
  std::vector<int64_t> order; // of dispatch
  int64_t next = 0;
  std::string error;
};
} // namespace

/// How much the busiest and the idlest stream may differ, and what the other workgroups do.
static std::string checkBalance(const WorkPlan &plan, llvm::ArrayRef<WorkItem> items) {
  std::vector<int64_t> iterations(plan.getGridSize(), 0);
  for (const WorkItem &item : items)
    iterations[item.workgroup] += std::max<int64_t>(item.kEnd - item.kBegin, 1);
  if (plan.getGridSize() > 0 && llvm::is_contained(iterations, 0))
    return "a workgroup without work";
  bool shares = plan.getStreamSplit().streams != 0;
  if (!shares)
    return "";
  llvm::ArrayRef<int64_t> streams = iterations;
  if (!std::get<StreamK>(plan.getPartition()).persistent)
    streams = streams.drop_front(plan.getStreamSplit().wholeTiles).drop_back(plan.getAdders());
  auto [least, most] = std::minmax_element(streams.begin(), streams.end());
  if (plan.getStreamSplit().dealtTiles > 0 && plan.getStreamSplit().wholeTiles == 0) {
    const int64_t longest = getLongestStream(plan.getStreamSplit());
    return *most == longest ? "" : "a longest stream of another length";
  }
  if (plan.getStreamSplit().dealtTiles > 0)
    return "";
  return *most - *least <= 1 ? "" : "workgroups that differ by more than one iteration";
}

static std::string check(const WorkPlan &plan, unsigned seed) {
  std::vector<WorkItem> items = enumerateWork(plan);
  if (!llvm::is_sorted(
          items, [](const WorkItem &a, const WorkItem &b) { return a.workgroup < b.workgroup; }))
    return "items out of order";
  for (auto function : {checkTiles, checkPartials, checkBalance})
    if (std::string error = function(plan, items); !error.empty())
      return error;
  if (!isShared(plan))
    return "";
  // In order whatever the number of residents; in any order if all streams can be resident.
  for (int64_t residents : {int64_t(1), int64_t(2), plan.getGridSize()})
    if (std::string error = Simulation(plan, residents, seed, false).run(); !error.empty())
      return error + " with " + std::to_string(residents) + " resident workgroups";
  int64_t streams = std::max<int64_t>(plan.getStreamSplit().streams, 1) + plan.getAdders();
  if (std::string error = Simulation(plan, streams, seed, true).run(); !error.empty())
    return error + " with " + std::to_string(streams) + " resident workgroups in random order";
  return "";
}

static std::string describe(const WorkPlan &plan) {
  std::string text = toString(plan.getPartition()) + " W=" + std::to_string(plan.getResidents());
  for (const WorkShape &gemm : plan.getGemms())
    text += " " + std::to_string(gemm.getTiles()) + "x" + std::to_string(gemm.kSteps);
  return text;
}

TEST(WorkPlan, SharesEverySingleGemm) {
  for (int64_t tiles = 1; tiles <= 40; ++tiles)
    for (int64_t kSteps = 0; kSteps <= 12; ++kSteps)
      for (int64_t residents = 1; residents <= 16; ++residents)
        for (const Partition &partition : getPartitions()) {
          // Groups, rows and columns, so that tiles of all three kinds occur.
          WorkShape shape{1, 1, tiles, kSteps};
          for (int64_t divisor : {2, 3})
            if (shape.columns % divisor == 0) {
              std::swap(shape.groups, shape.rows);
              shape.rows *= divisor;
              shape.columns /= divisor;
            }
          WorkPlan plan = makePlan({shape}, partition, residents);
          ASSERT_EQ(check(plan, tiles), "") << describe(plan);
        }
}

TEST(WorkPlan, SharesTables) {
  std::mt19937 random(7);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 3000; ++i) {
    std::vector<WorkShape> gemms(draw(2, 4));
    bool uniform = draw(0, 3) == 0;
    int64_t kSteps = draw(0, 9);
    for (WorkShape &gemm : gemms)
      gemm = {draw(1, 2), draw(1, 3), draw(1, 4), uniform ? kSteps : draw(0, 9)};
    int64_t residents = draw(1, 24);
    for (const Partition &partition : getPartitions()) {
      WorkPlan plan = makePlan(gemms, partition, residents);
      ASSERT_EQ(check(plan, i), "") << describe(plan);
    }
  }
}

/// Every mapping is a permutation of the tiles, on grids smaller than a window or a chunk as well.
TEST(WorkPlan, MapsEveryGrid) {
  for (int64_t rows = 1; rows <= 6; ++rows)
    for (int64_t columns = 1; columns <= 6; ++columns)
      for (int64_t residents : {3, 8})
        for (WorkgroupMapping mapping : {WorkgroupMapping{4, 1}, WorkgroupMapping{1, 3},
                                         WorkgroupMapping{2, 4}, WorkgroupMapping{32, 64}})
          for (const Partition &partition : getPartitions()) {
            // The second GEMM has another remainder, and begins in the middle of a round of XCDs.
            std::vector<WorkShape> gemms = {{1, rows, columns, 5}, {2, columns, 1, 5}};
            WorkPlan plan = makePlan(gemms, partition, residents, mapping, 8);
            ASSERT_EQ(check(plan, rows), "") << describe(plan) << " mapping=" << toString(mapping)
                                             << " of " << rows << "x" << columns;
          }
}

/// Tiles that XCDs have at the same time are those of few rows and columns: 8192x8192 in tiles of
/// 256x256 on 8 XCDs of 32 compute units.
TEST(WorkPlan, MappingsShareOperandsInAnXcd) {
  auto countOperands = [](const WorkgroupMapping &mapping) {
    WorkPlan plan = makePlan({{1, 32, 32, 128}}, DataParallel(), 256, mapping, 8);
    std::set<int64_t> rows, columns;
    for (int64_t workgroup = 0; workgroup < 256; workgroup += 8) {
      rows.insert(plan.getWork(workgroup).front().row);
      columns.insert(plan.getWork(workgroup).front().column);
    }
    return rows.size() + columns.size();
  };
  EXPECT_EQ(countOperands({1, 1}), 8u + 4u);
  EXPECT_EQ(countOperands({8, 64}), 8u + 4u);
  EXPECT_EQ(countOperands({1, 64}), 1u + 32u);
  EXPECT_EQ(countOperands({32, 64}), 32u + 1u);
}

/// 19 x 18 tiles on 304 compute units: one whole tile for each, and 38 tiles are shared.
/// An XCD has the slices with the same remainder, of all tiles if they are as many as the XCDs.
TEST(WorkPlan, SlicesGoRoundTheXcds) {
  for (auto [slices, slicesOfXcd, tilesOfXcd] :
       {std::array<size_t, 3>{8, 1, 12}, {16, 2, 12}, {4, 1, 6}, {6, 3, 3}}) {
    WorkPlan plan = makePlan({{1, 4, 3, 32}}, SplitK{int64_t(slices), true}, 256, {}, 8);
    std::set<int64_t> seenSlices, tiles;
    for (int64_t workgroup = 3; workgroup < plan.getGridSize(); workgroup += 8) {
      const WorkItem item = plan.getWork(workgroup).front();
      seenSlices.insert(item.contributor);
      tiles.insert(item.row * 3 + item.column);
    }
    EXPECT_EQ(seenSlices.size(), slicesOfXcd) << slices;
    EXPECT_EQ(tiles.size(), tilesOfXcd) << slices;
  }
}

/// Streams within tiles: an XCD has neighbouring parts of all tiles, and no part twice.
TEST(WorkPlan, StreamsOfAnXcdHaveTheSamePartOfK) {
  for (auto [tiles, partsOfXcd] : {std::array<int64_t, 2>{16, 5}, {19, 2}, {7, 9}}) {
    const int64_t steps = 608;
    WorkPlan plan = makePlan({{1, 1, tiles, steps}}, StreamK{Reduction::Tree, false}, 304, {}, 8);
    ASSERT_EQ(check(plan, 1), "");
    ASSERT_EQ(plan.getStreamSplit().dealtTiles, tiles);
    for (int64_t xcd = 0; xcd < 8; ++xcd) {
      int64_t first = steps, last = 0;
      for (int64_t workgroup = xcd; workgroup < 304; workgroup += 8) {
        const WorkItem item = plan.getWork(workgroup).front();
        first = std::min(first, item.kBegin);
        last = std::max(last, item.kEnd);
      }
      EXPECT_LE(last - first, steps * partsOfXcd * tiles / 304 + 2) << tiles << " tiles";
    }
  }
}

/// As many workgroups for each tile as there is room for, eight at most, behind all others; across
/// tiles a tree.
TEST(WorkPlan, AddersStandBehindStreams) {
  WorkPlan plan = makePlan({{1, 2, 2, 40}}, StreamK{Reduction::Parallel}, 12);
  EXPECT_EQ(plan.getGridSize(), 12 + 2 * 4);
  EXPECT_EQ(plan.getAdders(), 8);
  EXPECT_EQ(makePlan({{1, 1, 1, 40}}, StreamK{Reduction::Parallel}, 12).getAdders(), 8);
  const WorkItem item = plan.getWork(12 + 4 * 1 + 3).front(); // the second one of the last tile
  EXPECT_EQ(item.adder, 1);
  EXPECT_EQ(item.row * 2 + item.column, 3);
  EXPECT_EQ(llvm::ArrayRef<int64_t>(item.waits), llvm::ArrayRef<int64_t>({9, 10, 11}));
  WorkPlan across = makePlan({{1, 2, 4, 40}}, StreamK{Reduction::Parallel}, 12);
  EXPECT_EQ(across.getGridSize(), 12);
  EXPECT_EQ(across.getAdders(), 0);
  EXPECT_EQ(across.getReduction(), Reduction::Tree);
}

TEST(WorkPlan, LargeLaunch) {
  for (Reduction reduction : {Reduction::Linear, Reduction::Tree})
    for (bool persistent : {false, true}) {
      WorkPlan plan = makePlan({{1, 19, 18, 625}}, StreamK{reduction, persistent}, 304);
      EXPECT_EQ(check(plan, 1), "");
      EXPECT_EQ(plan.getGridSize(), persistent ? 304 : 608);
      EXPECT_EQ(plan.getWorkspaceBytes(128 * 128), 304 * 128 + 304 * 65536);
    }
}

TEST(WorkPlan, GridSizes) {
  WorkShape shape{1, 2, 5, 6}; // 10 tiles
  EXPECT_EQ(makePlan({shape}, DataParallel(), 4).getGridSize(), 10);
  EXPECT_EQ(makePlan({shape}, SplitK{3}, 4).getGridSize(), 30);
  // 8 whole tiles, 2 shared by 4 streams.
  EXPECT_EQ(makePlan({shape}, StreamK{Reduction::Linear, false}, 4).getGridSize(), 12);
  EXPECT_EQ(makePlan({shape}, StreamK{Reduction::Linear, true}, 4).getGridSize(), 4);
  // Full rounds: nothing is shared.
  EXPECT_EQ(makePlan({shape}, StreamK{Reduction::Linear, false}, 5).getGridSize(), 10);
  EXPECT_EQ(makePlan({shape}, StreamK{Reduction::Linear, true}, 5).getGridSize(), 5);
  // Too little to share.
  EXPECT_EQ(makePlan({shape}, StreamK{Reduction::Linear, true}, 61).getGridSize(), 10);
}

TEST(WorkPlan, WorkspaceSizes) {
  std::vector<WorkShape> gemms = {{1, 1, 4, 8}, {1, 1, 2, 3}, {1, 1, 3, 0}};
  auto getBytes = [&](const Partition &partition) {
    return makePlan(gemms, partition, 5).getWorkspaceBytes(64 * 32);
  };
  EXPECT_EQ(getBytes(DataParallel()), 0);
  EXPECT_EQ(getBytes(SplitK{4}), 0);
  // 4 slices of 4 tiles, 3 of 2; what has one slice needs no workspace.
  EXPECT_EQ(getBytes(SplitK{4, true}), (16 + 6) * 8192);
  EXPECT_EQ(getBytes(SplitK{1, true}), 0);
  EXPECT_EQ(getBytes(StreamK{Reduction::Tree, false}), 5 * 128 + 5 * 8192);
}

/// The order in which sums are handed over, spelled out: 2 tiles of 8 steps for 5 streams.
TEST(WorkPlan, Handovers) {
  auto list = [](Reduction reduction) {
    std::vector<std::array<int64_t, 3>> result;
    WorkPlan plan = makePlan({{1, 1, 1, 8}, {1, 1, 1, 8}}, StreamK{reduction, true}, 5);
    for (const Handover &handover : enumerateHandovers(plan))
      result.push_back({handover.from, handover.to, handover.partial});
    return result;
  };
  // Streams begin at 0 3 6 9 12; workgroup 4 has stream 0 and owns tile 0, which streams 1 and 2
  // end; workgroup 2 has stream 2 and owns tile 1, which streams 3 and 4 end.
  using Handovers = std::vector<std::array<int64_t, 3>>;
  const Handovers expected = {{1, 2, 3}, {0, 2, 4}, {3, 4, 1}, {2, 4, 2}};
  EXPECT_EQ(list(Reduction::Linear), expected);
  EXPECT_EQ(list(Reduction::Tree), expected);
}

TEST(WorkPlan, Errors) {
  auto getError = [](llvm::ArrayRef<WorkShape> gemms, int64_t residents, int64_t factor = 1) {
    llvm::Expected<WorkPlan> plan = WorkPlan::create(gemms, SplitK{factor}, residents, /*xcds=*/1);
    return plan ? "created" : llvm::toString(plan.takeError());
  };
  EXPECT_EQ(getError({}, 4), "expected at least one GEMM in a launch");
  EXPECT_EQ(getError({{1, 1, 1, 1}}, 0), "resident workgroups must be positive, got 0");
  EXPECT_EQ(getError({{1, 1, 1, 1}}, 1, -1), "slices must be positive, or 0 for auto, got -1");
  EXPECT_EQ(
      llvm::toString(WorkPlan::create({{1, 1, 1, 1}}, DataParallel(), 1, 8, {8, 0}).takeError()),
      "window, chunk and XCDs must be positive, got 0");
  EXPECT_EQ(getError({{0, 1, 1, 1}}, 1), "groups of GEMM 0 must be positive, got 0");
  EXPECT_EQ(getError({{1, 1, 1, 1}, {1, 0, 1, 1}}, 1),
            "tile rows of GEMM 1 must be positive, got 0");
  EXPECT_EQ(getError({{1, 1, -2, 1}}, 1), "tile columns of GEMM 0 must be positive, got -2");
  EXPECT_EQ(getError({{1, 1, 1, -1}}, 1), "K steps of GEMM 0 must be non-negative, got -1");
  EXPECT_EQ(getError({{int64_t(1) << 31, int64_t(1) << 31, 2, 1}}, 1),
            "expected at most 2^62 iterations in a launch");
}
