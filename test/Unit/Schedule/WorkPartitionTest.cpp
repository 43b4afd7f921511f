//===- WorkPartitionTest.cpp - The arithmetic of sharing work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Closed forms against counting.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkPartition.h"
#include "gtest/gtest.h"
#include <numeric>
#include <vector>

using namespace mlir::ck;

static std::vector<int64_t> toVector(llvm::ArrayRef<int64_t> values) {
  return std::vector<int64_t>(values.begin(), values.end());
}

TEST(WorkPartition, TilesAreNumberedGroupsSlowest) {
  WorkShape shape{3, 4, 5, 1};
  int64_t tile = 0;
  for (int64_t group = 0; group < 3; ++group)
    for (int64_t row = 0; row < 4; ++row)
      for (int64_t column = 0; column < 5; ++column)
        EXPECT_EQ(shape.getTile(tile++), (std::array<int64_t, 3>{group, row, column}));
  EXPECT_EQ(shape.getTiles(), tile);
}

/// By walking: down the columns of a window, on to the next column, then to the next window.
TEST(WorkPartition, WindowsAreWalkedDownTheirColumns) {
  for (int64_t rows = 1; rows <= 9; ++rows)
    for (int64_t columns = 1; columns <= 5; ++columns)
      for (int64_t window = 1; window <= 11; ++window) {
        WorkShape shape{2, rows, columns, 1};
        int64_t tile = 0;
        for (int64_t group = 0; group < 2; ++group)
          for (int64_t first = 0; first < rows; first += window)
            for (int64_t column = 0; column < columns; ++column)
              for (int64_t row = first; row < std::min(first + window, rows); ++row)
                ASSERT_EQ(shape.getTile(tile++, window),
                          (std::array<int64_t, 3>{group, row, column}))
                    << rows << "x" << columns << " in windows of " << window;
      }
}

/// Item i goes to XCD i % xcds.
TEST(WorkPartition, ChunksOfAnXcdAreNeighbours) {
  for (int64_t xcds : {1, 2, 3, 8})
    for (int64_t total = 1; total <= 200; ++total)
      for (int64_t chunk : {1, 2, 3, 5, 8, 64, 65536}) {
        std::vector<int64_t> items(total, -1);
        for (int64_t item = 0; item < total; ++item) {
          int64_t tile = getChunkedTile(total, chunk, xcds, item);
          ASSERT_TRUE(tile >= 0 && tile < total && items[tile] < 0)
              << item << " of " << total << " has tile " << tile << " with chunks of " << chunk;
          items[tile] = item;
        }
        // XCDs change at the borders of chunks, and where the rest begins and is dealt out.
        int64_t changes = 0;
        for (int64_t tile = 1; tile < total; ++tile)
          changes += items[tile] % xcds != items[tile - 1] % xcds;
        int64_t wholeBlocks = total / (xcds * chunk), rest = total % (xcds * chunk);
        int64_t pieces = wholeBlocks * xcds + std::min(rest, xcds);
        ASSERT_EQ(changes, xcds == 1 ? 0 : pieces - 1) << total << " in chunks of " << chunk;
      }
}

/// What HipKittens and Tensile document: chunks of 2 on 2 XCDs, and one piece for each XCD.
TEST(WorkPartition, ChunksSpelledOut) {
  auto list = [](int64_t total, int64_t chunk, int64_t xcds) {
    std::vector<int64_t> tiles;
    for (int64_t item = 0; item < total; ++item)
      tiles.push_back(getChunkedTile(total, chunk, xcds, item));
    return tiles;
  };
  EXPECT_EQ(list(8, 2, 2), std::vector<int64_t>({0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_EQ(list(7, 2, 2), std::vector<int64_t>({0, 2, 1, 3, 4, 6, 5}));
  EXPECT_EQ(list(7, 100, 3), std::vector<int64_t>({0, 3, 5, 1, 4, 6, 2}));
  EXPECT_EQ(list(5, 1, 8), std::vector<int64_t>({0, 1, 2, 3, 4}));
}

TEST(WorkPartition, DealsEvenly) {
  for (int64_t total = 0; total <= 60; ++total)
    for (int64_t parts = 1; parts <= 20; ++parts) {
      EXPECT_EQ(getDealtBegin(total, parts, 0), 0);
      EXPECT_EQ(getDealtBegin(total, parts, parts), total);
      for (int64_t part = 0; part < parts; ++part) {
        int64_t begin = getDealtBegin(total, parts, part);
        int64_t end = getDealtBegin(total, parts, part + 1);
        EXPECT_EQ(end - begin, total / parts + (part < total % parts));
        if (parts <= total)
          for (int64_t item = begin; item < end; ++item)
            EXPECT_EQ(getDealtPart(total, parts, item), part);
      }
    }
}

TEST(WorkPartition, SpreadsWhatStreamsHaveMore) {
  for (int64_t total = 1; total <= 60; ++total)
    for (int64_t streams = 1; streams <= total; ++streams) {
      EXPECT_EQ(getStreamBegin(total, streams, 0), 0);
      EXPECT_EQ(getStreamBegin(total, streams, streams), total);
      for (int64_t stream = 0; stream < streams; ++stream) {
        int64_t begin = getStreamBegin(total, streams, stream);
        int64_t end = getStreamBegin(total, streams, stream + 1);
        EXPECT_EQ(begin, stream * total / streams);
        EXPECT_LE(end - begin, (total + streams - 1) / streams);
        EXPECT_GE(end - begin, total / streams);
        for (int64_t item = begin; item < end; ++item)
          EXPECT_EQ(getStreamOf(total, streams, item), stream);
      }
    }
  // Beyond 31 bits, the first streams have more.
  const int64_t large = (int64_t(1) << 22) + 1;
  EXPECT_EQ(getStreamBegin(large, 512, 1), large / 512 + 1);
  EXPECT_EQ(getStreamBegin(large, 512, 511), 511 * (large / 512) + 1);
  EXPECT_EQ(getStreamOf(large, 512, large / 512), 0);
  EXPECT_EQ(getStreamOf(large, 512, large / 512 + 1), 1);
}

TEST(WorkPartition, ResolvesSlices) {
  using Shapes = std::vector<WorkShape>;
  auto resolve = [](const Shapes &gemms, int64_t factor, int64_t workgroups) {
    return toVector(resolveSlices(gemms, factor, workgroups));
  };
  using Slices = std::vector<int64_t>;
  // 256 channels, 3x3, tiles of 128x128 on 304 compute units with two workgroups each.
  EXPECT_EQ(resolve({{1, 2, 18, 10000}}, 0, 608), Slices({16}));
  EXPECT_EQ(resolve({{1, 2, 18, 5}}, 0, 608), Slices({5}));
  EXPECT_EQ(resolve({{1, 1, 1, 10000}}, 0, 608), Slices({128}));
  EXPECT_EQ(resolve({{1, 1, 1, 10000}}, 200, 608), Slices({200}));
  EXPECT_EQ(resolve({{1, 19, 18, 10000}}, 0, 304), Slices({1}));
  // A table with a fill: every GEMM is limited by its own K steps, auto counts all tiles.
  EXPECT_EQ(resolve({{1, 1, 4, 8}, {1, 1, 2, 3}, {1, 1, 2, 0}}, 4, 7), Slices({4, 3, 1}));
  EXPECT_EQ(resolve({{1, 1, 4, 8}, {1, 1, 2, 3}, {1, 1, 2, 0}}, 0, 43), Slices({5, 3, 1}));
}

/// What remains after the full rounds is shared; where that would be too little for each of the
/// streams, by the published rule together with one full round.
TEST(WorkPartition, SplitsStreamsOfOneGemm) {
  for (int64_t tiles = 1; tiles <= 60; ++tiles)
    for (int64_t steps = 1; steps <= 12; ++steps)
      for (int64_t workgroups = 1; workgroups <= 80; workgroups += workgroups / 20 + 1) {
        int64_t remainder = tiles % workgroups;
        int64_t shared = 0;
        if (remainder != 0 && 32 * remainder >= workgroups && remainder * steps >= 2 * workgroups)
          shared = remainder;
        else if (remainder != 0)
          shared = tiles > workgroups ? workgroups + remainder : tiles;
        if (shared * steps < workgroups)
          shared = 0;
        StreamSplit split = splitStreams({{1, 1, tiles, steps}}, workgroups, /*xcds=*/1);
        EXPECT_EQ(split.wholeTiles, tiles - shared);
        EXPECT_EQ(split.sharedIterations, shared * steps);
        EXPECT_EQ(split.streams, shared ? workgroups : 0);
        if (split.dealtTiles > 0) {
          EXPECT_EQ(split.dealtTiles, shared);
          EXPECT_LE(8 * getLongestStream(split), 9 * ((shared * steps - 1) / workgroups + 1));
        }
        if (shared) {
          EXPECT_EQ(split.wholeTiles % workgroups, 0) << "whole tiles come in full rounds";
        }
      }
}

/// By their XCDs, then by their numbers, from the last part on.
TEST(WorkPartition, SharesPartsByXcds) {
  for (int64_t xcds : {1, 2, 8})
    for (int64_t first = 0; first <= 20; ++first)
      for (int64_t count = 1; count <= 40; ++count) {
        std::vector<std::pair<int64_t, int64_t>> order;
        for (int64_t workgroup = first; workgroup < first + count; ++workgroup)
          order.push_back({workgroup % xcds, workgroup});
        std::sort(order.begin(), order.end());
        for (int64_t i = 0; i < count; ++i)
          ASSERT_EQ(getSharedPart(first, first + count, xcds, order[i].second), count - 1 - i);
      }
}

/// Within tiles where each has two streams and, on one XCD or beside whole tiles, none gets much
/// longer; never in tables.
TEST(WorkPartition, KeepsStreamsWithinTiles) {
  for (int64_t xcds : {1, 8}) {
    EXPECT_EQ(splitStreams({{1, 4, 4, 196}}, 304, xcds).dealtTiles, 16);
    EXPECT_EQ(splitStreams({{1, 4, 4, 196}}, 304, xcds).streams, 304);
    EXPECT_EQ(getLongestStream(splitStreams({{1, 4, 4, 196}}, 304, xcds)), 11);
    EXPECT_EQ(splitStreams({{1, 10, 10, 64}}, 304, xcds).dealtTiles, 100); // 22 instead of 22
    EXPECT_EQ(splitStreams({{1, 20, 10, 64}}, 304, xcds).dealtTiles, 0);
    EXPECT_EQ(splitStreams({{1, 2, 4, 196}, {1, 2, 4, 196}}, 304, xcds).dealtTiles, 0);
  }
  EXPECT_EQ(splitStreams({{1, 11, 10, 64}}, 304, /*xcds=*/1).dealtTiles, 0); // 32 instead of 24
  EXPECT_EQ(splitStreams({{1, 11, 10, 64}}, 304, /*xcds=*/8).dealtTiles, 110);
  EXPECT_EQ(splitStreams({{1, 32, 32, 64}}, 304, /*xcds=*/8).dealtTiles, 0); // 32 instead of 24
}

TEST(WorkPartition, SplitsStreamsOfTables) {
  // Equal K steps: as one GEMM of 10 tiles.
  StreamSplit equal = splitStreams({{1, 2, 3, 7}, {2, 1, 2, 7}}, 4, /*xcds=*/8);
  EXPECT_EQ(equal.wholeTiles, 8);
  EXPECT_EQ(equal.sharedIterations, 2 * 7);
  // Different ones: all of them, a tile without K steps counts as one iteration.
  StreamSplit different = splitStreams({{1, 1, 8, 4}, {1, 1, 4, 2}, {1, 1, 4, 0}}, 4, /*xcds=*/8);
  EXPECT_EQ(different.wholeTiles, 0);
  EXPECT_EQ(different.streams, 4);
  EXPECT_EQ(different.sharedIterations, 32 + 8 + 4);
  // Fewer iterations than workgroups.
  EXPECT_EQ(splitStreams({{1, 1, 2, 4}, {1, 1, 2, 2}}, 13, /*xcds=*/8).streams, 0);
  EXPECT_EQ(splitStreams({{1, 1, 2, 4}, {1, 1, 2, 2}}, 12, /*xcds=*/8).streams, 12);
}

TEST(WorkPartition, LinearReductionGoesToTheOwner) {
  EXPECT_EQ(toVector(getPartners(0, 4, Reduction::Linear)), std::vector<int64_t>({1, 2, 3}));
  EXPECT_EQ(toVector(getPartners(0, 1, Reduction::Linear)), std::vector<int64_t>());
  EXPECT_EQ(toVector(getPartners(2, 4, Reduction::Linear)), std::vector<int64_t>());
  EXPECT_EQ(getReceiver(3, Reduction::Linear), 0);
}

TEST(WorkPartition, PartialsInFlightFitIntoRegisters) {
  EXPECT_EQ(getPartialsInFlight(4), 8);
  EXPECT_EQ(getPartialsInFlight(16), 4);
  EXPECT_EQ(getPartialsInFlight(24), 2);
  EXPECT_EQ(getPartialsInFlight(256), 1);
}

/// Every contributor but the owner is taken once, by its receiver, and the tree is flat.
TEST(WorkPartition, TreeReductionIsComplete) {
  EXPECT_EQ(toVector(getPartners(0, 4, Reduction::Tree)), std::vector<int64_t>({1, 2, 3}));
  EXPECT_EQ(toVector(getPartners(0, 20, Reduction::Tree)),
            std::vector<int64_t>({1, 2, 3, 4, 5, 6, 7, 8, 16}));
  EXPECT_EQ(toVector(getPartners(16, 20, Reduction::Tree)), std::vector<int64_t>({17, 18, 19}));
  EXPECT_EQ(toVector(getPartners(4, 20, Reduction::Tree)), std::vector<int64_t>());
  for (int64_t contributors = 1; contributors <= 130; ++contributors) {
    std::vector<int64_t> receivers(contributors, -1), depth(contributors, 0);
    for (int64_t contributor = contributors - 1; contributor >= 0; --contributor)
      for (int64_t partner : getPartners(contributor, contributors, Reduction::Tree)) {
        ASSERT_GT(partner, contributor);
        ASSERT_LT(partner, contributors);
        EXPECT_EQ(receivers[partner], -1);
        receivers[partner] = contributor;
        depth[contributor] = std::max(depth[contributor], depth[partner] + 1);
      }
    EXPECT_EQ(receivers[0], -1);
    for (int64_t contributor = 1; contributor < contributors; ++contributor)
      EXPECT_EQ(receivers[contributor], getReceiver(contributor, Reduction::Tree));
    // Waits that follow each other: one less than the levels where few are on the last one.
    EXPECT_LE(depth[0], getTreeLevels(contributors));
    EXPECT_GE(depth[0], getTreeLevels(contributors) - 1);
    if (contributors == 8 || contributors == 64)
      EXPECT_EQ(depth[0], contributors == 8 ? 1 : 2);
  }
}
