//===- WorkPlan.cpp - The work of every workgroup of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works workgroup by workgroup, as a kernel does: nothing is found by looking at the others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Error checkGemm(const WorkShape &gemm, size_t index) {
  auto fail = [&](const Twine &what, int64_t value, const char *expected) {
    return createStringError(what + " of GEMM " + Twine(index) + " must be " + expected + ", got " +
                             Twine(value));
  };
  if (gemm.groups < 1)
    return fail("groups", gemm.groups, "positive");
  if (gemm.rows < 1)
    return fail("tile rows", gemm.rows, "positive");
  if (gemm.columns < 1)
    return fail("tile columns", gemm.columns, "positive");
  if (gemm.kSteps < 0)
    return fail("K steps", gemm.kSteps, "non-negative");
  return Error::success();
}

/// Numbers of workgroups, of iterations and of their products with a factor stay in 64 bits.
static Error checkIterations(ArrayRef<WorkShape> gemms) {
  constexpr uint64_t limit = uint64_t(1) << 62;
  uint64_t sum = 0;
  for (const WorkShape &gemm : gemms) {
    uint64_t product = gemm.groups;
    for (int64_t factor : {gemm.rows, gemm.columns, gemm.getTileIterations()})
      product = llvm::SaturatingMultiply<uint64_t>(product, factor);
    sum = llvm::SaturatingAdd(sum, product);
  }
  if (sum > limit)
    return createStringError("expected at most 2^62 iterations in a launch");
  return Error::success();
}

Expected<WorkPlan> WorkPlan::create(ArrayRef<WorkShape> gemms, const Partition &partition,
                                    int64_t residents, int64_t xcds,
                                    const WorkgroupMapping &mapping) {
  if (gemms.empty())
    return createStringError("expected at least one GEMM in a launch");
  if (residents < 1)
    return createStringError("resident workgroups must be positive, got " + Twine(residents));
  auto *splitK = std::get_if<SplitK>(&partition);
  if (splitK && splitK->factor < 0)
    return createStringError("slices must be positive, or 0 for auto, got " +
                             Twine(splitK->factor));
  for (int64_t size : {mapping.window, mapping.chunk, xcds})
    if (size < 1)
      return createStringError("window, chunk and XCDs must be positive, got " + Twine(size));
  for (auto [index, gemm] : llvm::enumerate(gemms))
    if (Error error = checkGemm(gemm, index))
      return error;
  if (Error error = checkIterations(gemms))
    return error;

  WorkPlan plan;
  plan.gemms.assign(gemms.begin(), gemms.end());
  plan.partition = partition;
  plan.residents = residents;
  plan.mapping = mapping;
  plan.xcds = xcds;
  plan.slices = resolveSlices(gemms, splitK ? splitK->factor : 1, residents);
  plan.split = hasStreams(partition) ? splitStreams(gemms, residents, xcds)
                                     : StreamSplit{plan.getTiles(), 0, 0};
  return plan;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t WorkPlan::getTiles() const {
  int64_t tiles = 0;
  for (const WorkShape &gemm : gemms)
    tiles += gemm.getTiles();
  return tiles;
}

Reduction WorkPlan::getReduction() const {
  const Reduction reduction = std::get<StreamK>(partition).reduction;
  const bool across = reduction == Reduction::Parallel && split.dealtTiles == 0;
  return across ? Reduction::Tree : reduction;
}

int64_t WorkPlan::getAddersOfTile() const {
  if (!hasStreams(partition) || getReduction() != Reduction::Parallel)
    return 0;
  // A tile has two streams at least, so that there is a place for one.
  return std::min<int64_t>(llvm::bit_floor(uint64_t(residents / split.dealtTiles)), kMostAdders);
}

int64_t WorkPlan::getGridSize() const {
  auto *streamK = std::get_if<StreamK>(&partition);
  if (!streamK) {
    int64_t workgroups = 0;
    for (auto [gemm, count] : llvm::zip_equal(gemms, slices))
      workgroups += gemm.getTiles() * count;
    return workgroups;
  }
  if (streamK->persistent)
    return split.streams != 0 ? split.streams : std::min(split.wholeTiles, residents);
  return split.wholeTiles + split.streams + getAdders();
}

int64_t WorkPlan::getPartialTiles() const {
  if (hasStreams(partition))
    return split.streams;
  if (!hasSecondStage(partition))
    return 0;
  int64_t partials = 0;
  for (auto [gemm, count] : llvm::zip_equal(gemms, slices))
    partials += count > 1 ? gemm.getTiles() * count : 0;
  return partials;
}

int64_t WorkPlan::getFlagBytes() const { return kFlagBytes * split.streams; }

int64_t WorkPlan::getPartialBytes(int64_t tileElements) {
  return llvm::alignTo(4 * tileElements, 128);
}

int64_t WorkPlan::getWorkspaceBytes(int64_t tileElements) const {
  return getFlagBytes() + getPartialTiles() * getPartialBytes(tileElements);
}

//===----------------------------------------------------------------------===//
// The work of a workgroup
//===----------------------------------------------------------------------===//

static WorkItem makeItem(int64_t workgroup, int64_t gemm, const WorkShape &shape, int64_t tile,
                         int64_t window) {
  WorkItem item;
  item.workgroup = workgroup;
  item.gemm = gemm;
  auto [group, row, column] = shape.getTile(tile, window);
  item.group = group;
  item.row = row;
  item.column = column;
  return item;
}

void WorkPlan::addSlicedWork(int64_t workgroup, std::vector<WorkItem> &items) const {
  int64_t first = 0, firstPartial = 0;
  for (auto [index, gemm] : llvm::enumerate(gemms)) {
    int64_t tiles = gemm.getTiles(), count = slices[index];
    int64_t local = workgroup - first;
    if (local < tiles * count) {
      auto [tile, slice] = getTileSlice(tiles, count, mapping.chunk, xcds, local);
      WorkItem item = makeItem(workgroup, index, gemm, tile, mapping.window);
      item.contributor = slice;
      item.contributors = count;
      item.kBegin = getDealtBegin(gemm.kSteps, count, item.contributor);
      item.kEnd = getDealtBegin(gemm.kSteps, count, item.contributor + 1);
      if (hasSecondStage(partition) && count > 1)
        item.partial = firstPartial + slice * tiles +
                       (item.group * gemm.rows + item.row) * gemm.columns + item.column;
      items.push_back(std::move(item));
      return;
    }
    first += tiles * count;
    firstPartial += count > 1 ? tiles * count : 0;
  }
}

void WorkPlan::addWholeTile(int64_t workgroup, int64_t tile, std::vector<WorkItem> &items) const {
  tile = getChunkedTile(split.wholeTiles, mapping.chunk, xcds, tile);
  for (auto [index, gemm] : llvm::enumerate(gemms)) {
    if (tile < gemm.getTiles()) {
      WorkItem item = makeItem(workgroup, index, gemm, tile, mapping.window);
      item.kEnd = gemm.kSteps;
      items.push_back(std::move(item));
      return;
    }
    tile -= gemm.getTiles();
  }
}

void WorkPlan::addStreamWithinTile(int64_t workgroup, int64_t stream,
                                   std::vector<WorkItem> &items) const {
  const WorkShape &gemm = gemms.front();
  const int64_t streams = split.streams, tiles = split.dealtTiles;
  const int64_t tile = getDealtPart(streams, tiles, stream);
  const int64_t owner = getDealtBegin(streams, tiles, tile),
                end = getDealtBegin(streams, tiles, tile + 1), contributors = end - owner;
  const int64_t behind = workgroup + stream + 1; // the workgroup behind that of stream 0
  const int64_t part = getSharedPart(behind - end, behind - owner, xcds, workgroup);
  WorkItem item = makeItem(workgroup, 0, gemm, split.wholeTiles + tile, mapping.window);
  item.kBegin = getDealtBegin(gemm.kSteps, contributors, part);
  item.kEnd = getDealtBegin(gemm.kSteps, contributors, part + 1);
  addHandovers(item, stream, owner, contributors);
  items.push_back(std::move(item));
}

void WorkPlan::addSums(int64_t workgroup, int64_t adder, std::vector<WorkItem> &items) const {
  const int64_t tile = adder % split.dealtTiles;
  const int64_t first = getDealtBegin(split.streams, split.dealtTiles, tile),
                end = getDealtBegin(split.streams, split.dealtTiles, tile + 1);
  WorkItem item = makeItem(workgroup, 0, gemms.front(), split.wholeTiles + tile, mapping.window);
  item.contributors = end - first;
  item.adder = adder / split.dealtTiles;
  for (int64_t stream = first; stream < end; ++stream)
    item.waits.push_back(stream);
  items.push_back(std::move(item));
}

void WorkPlan::addHandovers(WorkItem &item, int64_t stream, int64_t owner,
                            int64_t contributors) const {
  const Reduction reduction = getReduction();
  item.contributor = stream - owner;
  item.contributors = contributors;
  if (!item.isOwner() || reduction == Reduction::Parallel)
    item.partial = stream;
  if (reduction == Reduction::Parallel)
    return;
  for (int64_t partner : getPartners(item.contributor, item.contributors, reduction))
    item.waits.push_back(owner + partner);
}

void WorkPlan::addStream(int64_t workgroup, int64_t stream, std::vector<WorkItem> &items) const {
  if (split.dealtTiles > 0)
    return addStreamWithinTile(workgroup, stream, items);
  int64_t total = split.sharedIterations, streams = split.streams;
  int64_t begin = getStreamBegin(total, streams, stream);
  int64_t end = getStreamBegin(total, streams, stream + 1);
  // Whole tiles exist only if all GEMMs have the same K steps.
  int64_t first = -split.wholeTiles * gemms.front().getTileIterations(); // iteration of the GEMM
  for (auto [index, gemm] : llvm::enumerate(gemms)) {
    int64_t perTile = gemm.getTileIterations(), gemmEnd = first + gemm.getTiles() * perTile;
    while (begin < std::min(end, gemmEnd)) {
      int64_t tile = (begin - first) / perTile;
      int64_t tileBegin = first + tile * perTile, tileEnd = tileBegin + perTile;
      int64_t owner = getStreamOf(total, streams, tileBegin);
      WorkItem item = makeItem(workgroup, index, gemm, tile, mapping.window);
      item.kBegin = begin - tileBegin;
      item.kEnd = std::min(std::min(end, tileEnd) - tileBegin, gemm.kSteps);
      addHandovers(item, stream, owner, getStreamOf(total, streams, tileEnd - 1) - owner + 1);
      items.push_back(std::move(item));
      begin = tileEnd;
    }
    first = gemmEnd;
  }
}

std::vector<WorkItem> WorkPlan::getWork(int64_t workgroup) const {
  std::vector<WorkItem> items;
  auto *streamK = std::get_if<StreamK>(&partition);
  if (!streamK) {
    addSlicedWork(workgroup, items);
    return items;
  }
  int64_t position = workgroup; // among the workgroups with a stream
  if (streamK->persistent) {
    for (int64_t tile = workgroup; tile < split.wholeTiles; tile += getGridSize())
      addWholeTile(workgroup, tile, items);
  } else {
    if (workgroup < split.wholeTiles)
      addWholeTile(workgroup, workgroup, items);
    position -= split.wholeTiles;
  }
  if (position >= 0 && position < split.streams)
    addStream(workgroup, split.streams - 1 - position, items);
  else if (position >= split.streams && getAdders() > 0)
    addSums(workgroup, position - split.streams, items);
  return items;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

std::vector<WorkItem> mlir::ck::enumerateWork(const WorkPlan &plan) {
  std::vector<WorkItem> items;
  for (int64_t workgroup = 0, end = plan.getGridSize(); workgroup < end; ++workgroup)
    for (WorkItem &item : plan.getWork(workgroup))
      items.push_back(std::move(item));
  return items;
}

std::vector<Handover> mlir::ck::enumerateHandovers(const WorkPlan &plan) {
  std::vector<WorkItem> items = enumerateWork(plan);
  llvm::DenseMap<int64_t, int64_t> senders; // workgroup of every partial tile
  for (const WorkItem &item : items)
    if (item.partial >= 0)
      senders[item.partial] = item.workgroup;
  std::vector<Handover> handovers;
  for (const WorkItem &item : items)
    for (int64_t partial : item.waits)
      handovers.push_back({senders.lookup(partial), item.workgroup, partial});
  return handovers;
}
