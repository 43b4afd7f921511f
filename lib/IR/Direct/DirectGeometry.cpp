//===- DirectGeometry.cpp - Results as lanes of direct kernels have them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/DirectGeometry.h"
#include "IR/Direct/LaneSteps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::detail;

std::array<int64_t, 3> DirectGeometry::getOffset(DirectView view, const DirectPlace &place) const {
  const int64_t batch = place.group / merged * residues, inner = place.group % merged;
  const int64_t position = place.row * columns + place.column;
  const int64_t row = inner * groupStep + position * positionStep;
  const int64_t column = inner * channels + place.channel;
  switch (view) {
  case DirectView::A:
    return {batch, row, place.k};
  case DirectView::B:
    return {batch, column, place.k};
  case DirectView::C:
    return {batch, row, column};
  }
  llvm_unreachable("all views handled");
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

llvm::Expected<DirectViews> DirectViews::create(Operation *part) {
  if (auto gemm = dyn_cast<GemmOp>(part); gemm && gemm.getOmitPadding())
    return llvm::createStringError("lanes do not leave out the products of padding");
  SmallVector<Value> values; // A and B if there are any, D operands, C
  if (auto gemm = dyn_cast<GemmOp>(part))
    values = {gemm.getA(), gemm.getB()};
  if (auto gemm = dyn_cast<DirectGemmOp>(part); gemm && gemm.getA())
    values = {gemm.getA(), gemm.getB()};
  if (auto sum = dyn_cast<DirectSumOp>(part))
    values = {sum.getA(), sum.getB()};
  const bool multiplies = !values.empty();
  llvm::TypeSwitch<Operation *>(part).Case<GemmOp, FillOp, DirectGemmOp, DirectSumOp>([&](auto op) {
    llvm::append_range(values, op.getDs());
    values.push_back(op.getC());
  });
  DirectViews views;
  for (Value view : values) {
    llvm::Expected<ViewAnalysis> found = analyzeView(cast<ViewType>(view.getType()));
    if (!found)
      return found.takeError();
    views.ds.push_back(std::move(*found));
  }
  views.c = views.ds.pop_back_val();
  if (multiplies) {
    views.a = std::move(views.ds[0]);
    views.b = std::move(views.ds[1]);
    views.ds.erase(views.ds.begin(), views.ds.begin() + 2);
  }
  return views;
}

std::optional<std::pair<const Digit *, const Digit *>>
ck::detail::findDiagonal(const ViewAnalysis &c) {
  for (const RangeCheck &check : c.checks) {
    const Digit *rows = nullptr, *columns = nullptr;
    for (auto [digit, coefficient] : llvm::zip_equal(c.digits, check.form.coefficients)) {
      if (coefficient == 1 && digit.dim == 1)
        rows = &digit;
      if (coefficient == -1 && digit.dim == 2)
        columns = &digit;
    }
    if (check.size == 1 && rows && columns)
      return std::pair(rows, columns);
  }
  return std::nullopt;
}

/// Splits the rows of a group where any of the views does.
static llvm::Error splitPositions(const DirectViews &views, int64_t positions,
                                  DirectGeometry &geometry) {
  llvm::SmallVector<int64_t> borders = {positions};
  const int64_t step = geometry.positionStep;
  auto collect = [&](const ViewAnalysis &analysis) {
    for (const Digit &digit : analysis.digits)
      if (digit.dim == 1 && digit.divisor > step && digit.divisor < positions * step)
        borders.push_back(digit.divisor / step);
  };
  if (views.a)
    collect(*views.a);
  collect(views.c);
  llvm::for_each(views.ds, collect);
  llvm::sort(borders);
  borders.erase(llvm::unique(borders), borders.end());
  for (size_t i = 1; i < borders.size(); ++i)
    if (borders[i] % borders[i - 1] != 0)
      return llvm::createStringError("views split rows at " + llvm::Twine(borders[i - 1]) +
                                     " and at " + llvm::Twine(borders[i]));
  geometry.columns = borders[0];
  geometry.lines = borders.size() > 1 ? borders[1] / borders[0] : 1;
  geometry.planes = positions / (geometry.columns * geometry.lines);
  return llvm::Error::success();
}

/// The neighbours in K that neither `a` nor `b`, which have `depth`, splits, at most as many as
/// four lanes load at once.
static int64_t findRun(const ViewAnalysis &a, const ViewAnalysis &b, int64_t depth) {
  const int64_t bits = a.view.getElementType().getIntOrFloatBitWidth();
  int64_t run = std::gcd(depth, 4 * kMaxAccessBytes * 8 / bits);
  for (const ViewAnalysis *view : {&a, &b})
    for (const Digit &digit : view->digits)
      if (digit.dim == 2 && digit.divisor > 1)
        run = std::gcd(run, digit.divisor);
  return std::max<int64_t>(1, run);
}

llvm::Expected<DirectGeometry> DirectViews::getGeometry() const {
  DirectGeometry geometry;
  ArrayRef<int64_t> sizes = c.view.getShape();
  int64_t positions = sizes[1];
  geometry.channels = sizes[2];
  if (auto diagonal = findDiagonal(c)) {
    const int64_t merged = diagonal->first->size;
    geometry.merged = merged;
    positions = sizes[1] / merged;
    geometry.groupStep = diagonal->first->divisor;
    geometry.positionStep = geometry.groupStep == 1 ? merged : 1;
    geometry.channels = diagonal->second->divisor;
  }
  geometry.depth = a ? a->view.getShape()[2] : 0;
  if (a)
    geometry.run = findRun(*a, *b, geometry.depth);
  // Residues of strides may be as far apart as groups, but they decide what lies in the image.
  const unsigned slowest = c.getDigitsOf(0).front();
  const bool isChecked = llvm::any_of(
      c.checks, [&](const RangeCheck &check) { return check.form.coefficients[slowest] != 0; });
  const int64_t groupStride = geometry.merged * geometry.channels;
  const bool areGroups =
      sizes[0] == 1 || (!isChecked && c.offset.coefficients[slowest] == groupStride);
  geometry.residues = areGroups ? c.digits[slowest].divisor : sizes[0];
  geometry.batchGroups = sizes[0] / geometry.residues;
  if (llvm::Error error = splitPositions(*this, positions, geometry))
    return std::move(error);
  return geometry;
}

//===----------------------------------------------------------------------===//
// Places of lanes
//===----------------------------------------------------------------------===//

bool ck::detail::carries(const ViewAnalysis &analysis, unsigned dim, int64_t unit, int64_t span) {
  return span > 1 && llvm::any_of(analysis.digits, [&](const Digit &digit) {
           if (digit.dim != dim || digit.divisor <= unit)
             return false;
           const int64_t units = digit.divisor / unit;
           return digit.divisor % unit != 0 || (units % span != 0 && span % units != 0);
         });
}

llvm::Error DirectViews::checkDigits(const DirectGeometry &geometry, const DirectTile &tile) const {
  const int64_t groups = geometry.getGroupsOf(tile);
  const int64_t inner = std::min(groups, geometry.merged);
  const int64_t columns = inner * geometry.getChannelsOf(tile);
  auto carriesIn = [&](const ViewAnalysis &view, std::optional<unsigned> columnDim, bool hasRows) {
    return carries(view, 0, geometry.residues, groups / inner) ||
           (hasRows && carries(view, 1, geometry.groupStep, inner)) ||
           (columnDim && carries(view, *columnDim, 1, columns));
  };
  const bool hasCarries =
      (a && carriesIn(*a, std::nullopt, true)) || (b && carriesIn(*b, 1, false)) ||
      carriesIn(c, 2, true) ||
      llvm::any_of(ds, [&](const ViewAnalysis &d) { return carriesIn(d, 2, true); });
  if (hasCarries)
    return llvm::createStringError("direct=" + toString(tile) +
                                   " needs groups and channels that views split at its multiples");
  return llvm::Error::success();
}

/// The steps along the dimensions of `view`.
static LaneSteps getLaneSteps(DirectView view, const DirectGeometry &geometry,
                              const DirectTile &tile) {
  LaneSteps steps;
  const int64_t groups = geometry.getGroupsOf(tile), channels = geometry.getChannelsOf(tile);
  const int64_t inner = std::min(groups, geometry.merged);
  steps.add(0, 1, geometry.residues);
  steps.add(0, geometry.residues * (groups / inner), geometry.residues * geometry.batchGroups);
  if (view != DirectView::B) {
    steps.add(1, inner * geometry.groupStep, geometry.merged * geometry.groupStep);
    auto addPositions = [&](int64_t step, int64_t end) {
      steps.add(1, step * geometry.positionStep, end * geometry.positionStep);
    };
    const int64_t plane = geometry.lines * geometry.columns;
    addPositions(tile.columns, geometry.columns);
    addPositions(tile.rows * geometry.columns, plane);
    addPositions(plane, geometry.planes * plane);
  }
  if (view != DirectView::A) {
    const unsigned dim = view == DirectView::B ? 1 : 2;
    steps.add(dim, inner * geometry.channels, geometry.merged * geometry.channels);
    steps.add(dim, channels, geometry.channels);
  }
  if (view != DirectView::C)
    steps.add(2, geometry.getLaneRun(tile), geometry.run);
  return steps;
}

int64_t ck::detail::getAlignment(const ViewAnalysis &analysis, const LaneSteps &steps,
                                 int64_t most) {
  int64_t alignment = most;
  for (auto [digit, coefficient] : llvm::zip_equal(analysis.digits, analysis.offset.coefficients)) {
    int64_t unit = 0; // of which all values of the digit are multiples
    for (auto [step, end] : steps.ofDims[digit.dim]) {
      // Multiples that end below the digit do not reach it, and steps beyond do not change it.
      if (end <= digit.divisor ||
          (digit.modulus != 0 && step % (digit.divisor * digit.modulus) == 0))
        continue;
      unit = std::gcd(unit, step % digit.divisor == 0 ? step / digit.divisor : 1);
    }
    alignment = std::gcd(alignment, unit * coefficient);
  }
  return alignment;
}

int64_t ck::getDirectAlignment(const ViewAnalysis &analysis, DirectView view,
                               const DirectGeometry &geometry, const DirectTile &tile,
                               int64_t most) {
  return getAlignment(analysis, getLaneSteps(view, geometry, tile), most);
}

int64_t ck::getDirectLoadAlignment(const ViewAnalysis &analysis, DirectView view,
                                   const DirectGeometry &geometry, const DirectTile &tile) {
  const int64_t bits = analysis.view.getElementType().getIntOrFloatBitWidth();
  const int64_t alignment =
      getDirectAlignment(analysis, view, geometry, tile, kMaxAccessBytes * 8 / bits);
  // All of a vector that passes the end of the tensor reads as zero. Only what lanes load beyond
  // the last position can be there.
  const bool hasTails = geometry.columns % tile.columns != 0 || geometry.lines % tile.rows != 0;
  return hasTails ? std::gcd(alignment, analysis.numElements) : alignment;
}

/// How good `count` blocks of `blockBytes` are for `threads` of a workgroup: lanes that work, in
/// whole lines.
static double rateBlocks(int64_t count, int64_t total, int64_t blockBytes, int64_t threads) {
  constexpr double kLineBytes = 128;
  const int64_t lanes = threads / count * count;
  const double active = double(lanes) / double(threads);
  const double lines = count == total ? 1 : double(count * blockBytes) / kLineBytes;
  return active * std::min(1.0, lines);
}

DirectBlocks ck::getDirectBlocks(const DirectGeometry &geometry, const DirectTile &tile,
                                 int64_t elementBytes, const std::optional<ViewAnalysis> &b) {
  // More lanes share them where several have the same column.
  const int64_t mostWeightBytes = tile.getLanesOfColumn() > 1 ? 20480 : 16384;
  const int64_t channels = geometry.channels;
  int64_t ofChannel = geometry.depth;
  if (tile.mfma && b && geometry.getGroups() > 1) {
    // A residue of a strided backward-data has few taps, but LDS gets all of them.
    const int64_t ofGroup = b->getMove(b->offset, geometry.getOffset(DirectView::B, {.group = 1}));
    ofChannel = std::max(ofChannel, ofGroup / channels);
  }
  DirectBlocks blocks;
  blocks.total = geometry.getGroups() * channels / tile.channels;
  blocks.neighbours = std::max<int64_t>(1, tile.mfma);
  const int64_t threads = kDirectThreads / blocks.neighbours, together = tile.getLanesOfColumn();
  double best = 0;
  for (int64_t count = together; count <= std::min<int64_t>(blocks.total, threads);
       count += together) {
    const int64_t own = count * tile.channels;
    if (blocks.total % count != 0 || (own % channels != 0 && channels % own != 0) ||
        (count > together && own * ofChannel * elementBytes > mostWeightBytes))
      continue;
    const double rate = rateBlocks(count, blocks.total, tile.channels * elementBytes, threads);
    if (rate < best)
      continue;
    best = rate;
    blocks.ofGroup = count;
  }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// The least and the largest distance that `form` is moved by along dimension `dim`, up to `size`.
static std::pair<int64_t, int64_t> getReach(const ViewAnalysis &analysis, unsigned dim,
                                            int64_t size) {
  int64_t low = 0, high = 0;
  for (auto [digit, coefficient] : llvm::zip_equal(analysis.digits, analysis.offset.coefficients)) {
    if (digit.dim != dim || digit.divisor >= size)
      continue;
    const int64_t values = std::min(digit.size, size / digit.divisor);
    (coefficient < 0 ? low : high) += coefficient * (values - 1);
  }
  return {low, high};
}

/// Whether the columns are channels of groups and nothing else, as the taps of backward-weight are,
/// and equal distances in memory are between all neighbouring channels of a group, and between all
/// neighbouring groups.
static bool areLinear(const ViewAnalysis &b, const DirectGeometry &geometry,
                      const DirectWeights &weights) {
  for (const Digit &digit : b.digits)
    if (digit.size > 1 &&
        ((digit.dim == 1 && digit.divisor > 1 && digit.divisor != geometry.channels) ||
         (digit.dim == 0 && digit.divisor > geometry.residues)))
      return false;
  const int64_t batch = b.getMove(b.offset, {geometry.residues, 0, 0});
  return b.checks.empty() && b.view.getShape()[1] == geometry.merged * geometry.channels &&
         (geometry.batchGroups == 1 || batch == geometry.merged * weights.groupStride) &&
         weights.groupStride >= 0 && weights.channelStride >= 0;
}

/// Gives `weights` blocks of `channels` consecutive channels, `stride` elements apart, if blocks
/// follow each other and each holds all weights of its channels; `low` and `high` are the ends of
/// K.
static bool addBlocks(DirectWeights &weights, const DirectGeometry &geometry, int64_t channels,
                      int64_t low, int64_t high) {
  const int64_t ofGroup = std::min(channels, geometry.channels), groups = channels / ofGroup;
  const bool isWhole = channels >= geometry.channels;
  const int64_t block = isWhole ? groups * weights.groupStride : channels * weights.channelStride;
  const int64_t last =
      high + (groups - 1) * weights.groupStride + (ofGroup - 1) * weights.channelStride;
  const bool isRegular = isWhole || geometry.getGroups() == 1 ||
                         weights.groupStride == geometry.channels * weights.channelStride;
  if (geometry.residues > 1 || !isRegular || low < 0 || last >= block)
    return false;
  weights.block = block;
  weights.blockChannels = channels;
  return true;
}

/// Leaves gaps between the blocks of `own` channels in LDS: `pitch` from one to the next.
static void addGaps(DirectWeights &weights, int64_t pitch, int64_t own) {
  weights.pitch = pitch;
  weights.first = 0;
  weights.size = own / weights.blockChannels * pitch;
  weights.copyVector = std::gcd(weights.copyVector, std::gcd(weights.block, pitch));
}

int64_t DirectWeights::getLdsElements() const {
  return llvm::alignTo(size, kDirectThreads * copyVector);
}

int64_t DirectWeights::getLdsPlace(int64_t group, int64_t channel, int64_t channels) const {
  if (pitch == 0)
    return group * groupStride + channel * channelStride;
  const int64_t number = group * channels + channel;
  return number / blockChannels * pitch + number % blockChannels * channelStride;
}

/// Leaves gaps between blocks of weights where they help: `own` channels of a workgroup, vectors of
/// at most `most` elements, and K from `low` to `high`.
static llvm::Error spaceBlocks(DirectWeights &weights, const DirectGeometry &geometry,
                               const DirectTile &tile, int64_t own, int64_t most, int64_t low,
                               int64_t high) {
  constexpr int64_t kDword = 4;
  const bool isNarrow = weights.readVector * (kMaxAccessBytes / most) < kDword;
  if (addBlocks(weights, geometry, tile.channels, low, high)) {
    if (isNarrow) {
      // The backend sees what is aligned; the end of a block may be odd.
      weights.readVector = 1;
      addGaps(weights, llvm::alignTo(weights.block, most), own);
    } else if (tile.getLanesOfColumn() == 1 && weights.block % (2 * weights.readVector) == 0) {
      // Neighbouring lanes would meet in few banks.
      addGaps(weights, weights.block + weights.readVector, own);
    }
  } else if (isNarrow) {
    return llvm::createStringError("direct=" + toString(tile) +
                                   " needs weights of a lane that begin at whole dwords");
  } else if (own > geometry.channels &&
             addBlocks(weights, geometry, geometry.channels, low, high) &&
             weights.block % (2 * weights.readVector) == 0) {
    // Neighbouring groups would: each begins behind the banks of the lanes of the one before.
    addGaps(weights, weights.block + llvm::alignTo(geometry.channels, weights.readVector), own);
  }
  return llvm::Error::success();
}

llvm::Expected<DirectWeights> ck::getDirectWeights(const ViewAnalysis &b,
                                                   const DirectGeometry &geometry,
                                                   const DirectTile &tile,
                                                   const DirectBlocks &blocks) {
  DirectWeights weights;
  auto getDistance = [&](const DirectPlace &place) {
    return b.getMove(b.offset, geometry.getOffset(DirectView::B, place));
  };
  if (geometry.getGroups() > 1)
    weights.groupStride = getDistance({.group = 1});
  if (geometry.channels > 1)
    weights.channelStride = getDistance({.channel = 1});
  if (!areLinear(b, geometry, weights))
    return llvm::createStringError(
        "direct=" + toString(tile) +
        " needs weights whose channels and groups are equally far apart");
  const auto [lowK, highK] = getReach(b, 2, geometry.depth);
  const auto [lowResidue, highResidue] = getReach(b, 0, geometry.residues);

  // Of the workgroup.
  const int64_t own = blocks.ofGroup * tile.channels;
  const int64_t channels = std::min(own, geometry.channels), groups = own / channels;
  const int64_t most = kMaxAccessBytes / getSizeInBytes(*getDataType(b.view.getElementType()));
  // A vector that passes the end of the tensor would read as zero, all of it.
  weights.copyVector = std::gcd(most, b.numElements);
  if (blocks.total > blocks.ofGroup) {
    weights.copyVector = std::gcd(weights.copyVector, groups * weights.groupStride);
    if (geometry.channels > channels)
      weights.copyVector = std::gcd(weights.copyVector, channels * weights.channelStride);
  }
  const int64_t begin = b.offset.constant + lowK + lowResidue;
  weights.first = begin / weights.copyVector * weights.copyVector;
  weights.size = begin - weights.first + (groups - 1) * weights.groupStride +
                 (channels - 1) * weights.channelStride + highK - lowK + highResidue - lowResidue +
                 1;
  weights.readVector = getDirectAlignment(b, DirectView::B, geometry, tile, most);
  const int64_t low = b.offset.constant + lowK, high = b.offset.constant + highK;
  if (llvm::Error error = spaceBlocks(weights, geometry, tile, own, most, low, high))
    return std::move(error);
  if (weights.pitch == 0)
    weights.size = llvm::alignTo(weights.size, weights.readVector);
  return weights;
}

int64_t ck::getWeightPlace(const ViewAnalysis &b, const DirectGeometry &geometry,
                           const DirectTile &tile, const DirectWeights &weights, int64_t element,
                           int64_t k) {
  DirectPlace place = geometry.getElement(tile, element);
  place.k = k;
  return b.offset.constant - weights.first +
         b.getMove(b.offset, geometry.getOffset(DirectView::B, place));
}

int64_t ck::getRowWidth(const ViewAnalysis &b, const DirectGeometry &geometry,
                        const DirectTile &tile, const DirectWeights &weights) {
  int64_t width = std::min(weights.readVector, kMfmaVector);
  width = std::gcd(width, std::gcd(weights.channelStride, weights.pitch));
  const int64_t depth = geometry.getLaneDepth(tile);
  for (int64_t number = 0; number < depth && width > 1; number += kMfmaVector)
    for (int64_t element = 0; element < tile.channels; element += kMfmaVector) {
      const int64_t k = geometry.getLaneK(tile, number);
      const int64_t first = getWeightPlace(b, geometry, tile, weights, element, k);
      width = std::gcd(width, first);
      for (int64_t i = 1; i < width; ++i)
        if (getWeightPlace(b, geometry, tile, weights, element, k + i) != first + i)
          width = 1;
    }
  return width;
}

int64_t ck::getKStride(const ViewAnalysis &view) {
  return view.getMove(view.offset, std::array<int64_t, 3>{0, 0, 1});
}

ViewType ck::getLinearView(ViewType view) {
  MLIRContext *context = view.getContext();
  TransformMapAttr map = view.getMap();
  ArrayRef<StringAttr> dims = map.getTensorDims();
  auto into = StringAttr::get(context, "E");
  const int64_t elements = ShapedType::getNumElements(map.getTensorSizes());
  auto kind = dims.size() == 1 ? TransformKind::Pass : TransformKind::Merge;
  auto step =
      TransformAttr::get(context, kind, dims, ArrayRef<StringAttr>{into}, ArrayRef<int64_t>());
  return ViewType::get(
      view.getElementType(),
      TransformMapAttr::get(context, dims, map.getTensorSizes(), ArrayRef<TransformAttr>{step},
                            ArrayRef<StringAttr>{into}, ArrayRef<int64_t>{elements}));
}
