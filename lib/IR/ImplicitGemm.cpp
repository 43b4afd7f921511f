//===- ImplicitGemm.cpp - Transform maps of a problem's implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the formula of the problem (Problem.h) with input coordinate
// in = out * stride + filter * dilation - pad per spatial dimension. Composable Kernel cuts strided
// backward-data by the same residues, but makes one GEMM of each.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ImplicitGemm.h"
#include "IR/MapBuilder.h"
#include "IR/PositionClass.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ck;
using ck::detail::MapBuilder;
using ck::detail::Names;
using ck::detail::PositionClass;

namespace {
/// The GEMMs of one convolution. Tensor dimensions carry their layout letters in lower case, GEMM
/// dimensions are G, M, N and K; the two digits of a merged group are gm (in M) and gn (in N).
class ConvMaps {
public:
  ConvMaps(MLIRContext *context, const ConvProblem &problem, const GemmColumns &columns)
      : builder(context), problem(problem), merged(columns.mergedGroups),
        folded(columns.foldedPositions), joins(columns.joinsChannels),
        outputSize(problem.getOutputSize()), space(lastOf({"d", "h", "w"})),
        taps(lastOf({"z", "y", "x"})), outputs(lastOf({"do", "ho", "wo"})),
        residues(lastOf({"zr", "yr", "xr"})), positions(lastOf({"dp", "hp", "wp"})),
        used(lastOf({"zt", "yt", "xt"})) {}

  ImplicitGemmPart buildForward() const;
  ImplicitGemmPart buildBackwardWeight() const;
  SmallVector<ImplicitGemmPart> buildBackwardData() const;

private:
  Names lastOf(ArrayRef<StringRef> names) const {
    Names result;
    for (StringRef name : names.take_back(problem.getRank()))
      result.push_back(name.str());
    return result;
  }

  /// Groups to the batch dimension and, where they are merged, to `digit`.
  void addGroups(MapBuilder::Map &map, StringRef batch, StringRef digit) const {
    if (merged == 1)
      map.pass("g", batch);
    else
      map.unmerge("g", {batch.str(), digit.str()}, {problem.g / merged, merged});
  }
  /// The same for tensors with channels C: where these are joined there is one group.
  void addGroupsWithChannels(MapBuilder::Map &map, StringRef digit) const {
    if (joins)
      map.broadcast("G", 1);
    else
      addGroups(map, "G", digit);
  }
  /// The same for the result, which has the digit in M and in N.
  void addResultGroups(MapBuilder::Map &map, StringRef batch) const {
    addGroups(map, batch, "gi");
    if (merged != 1)
      map.diagonal("gi", "gm", "gn");
  }
  Names withGroup(StringRef digit, Names head, const Names &tail = {}) const {
    if (merged != 1)
      head.push_back(digit.str());
    head.append(tail.begin(), tail.end());
    return head;
  }
  static Names concat(Names head, const Names &tail) {
    head.append(tail.begin(), tail.end());
    return head;
  }

  /// The map of a tensor with channels C, which are part of its last dimension where they join it.
  MapBuilder::Map startWithChannels(const TensorDesc &tensor) const;
  /// What channels C are in the taps: nothing where they join these.
  Names besideTaps() const { return joins ? Names() : Names{"c"}; }
  /// Input space to (filter tap, output position) per dimension.
  void embedSpace(MapBuilder::Map &map) const;
  /// The same three spaces of a forward part whose columns are neighbouring output positions and
  /// whose rows have the taps of all of them.
  void foldSpace(MapBuilder::Map &input, MapBuilder::Map &filter, MapBuilder::Map &output) const;
  /// The part of backward-data where every dimension's positions are those of a class.
  ImplicitGemmPart buildPositions(ArrayRef<PositionClass> classes) const;
  /// Adds the maps of A and B to such a part.
  void multiplyPositions(ImplicitGemmPart &part, ArrayRef<PositionClass> classes) const;
  /// What backward-data has in the batch; folded residues are columns instead.
  Names batchOfPositions() const { return folded.empty() ? concat({"go"}, residues) : Names{"go"}; }
  Names columnsOf(StringRef channel) const {
    return withGroup("gn", {}, concat(folded.empty() ? Names() : residues, {channel.str()}));
  }

  MapBuilder builder;
  const ConvProblem &problem;
  int64_t merged;
  SmallVector<int64_t, 3> folded; // positions of each spatial dimension, or none
  bool joins;                     // channels with the last spatial dimension
  SmallVector<int64_t, 3> outputSize;
  Names space, taps, outputs;
  // The digits of folded dimensions and of those of backward-data.
  Names residues, positions, used;
};
} // namespace

MapBuilder::Map ConvMaps::startWithChannels(const TensorDesc &tensor) const {
  if (!joins)
    return builder.start(tensor);
  Names dims;
  SmallVector<int64_t> sizes;
  for (auto [letter, size] : llvm::zip_equal(tensor.layout, tensor.shape)) {
    if (letter == 'G')
      continue;
    if (letter == 'C') {
      sizes.back() *= size;
      continue;
    }
    dims.push_back(std::string(1, llvm::toLower(letter)));
    sizes.push_back(size);
  }
  return builder.start(dims, sizes);
}

void ConvMaps::embedSpace(MapBuilder::Map &map) const {
  const size_t joined = joins ? space.size() - 1 : space.size();
  for (size_t i = 0; i < joined; ++i)
    map.pad(space[i], problem.padLeft[i], problem.padRight[i]);
  for (size_t i = 0; i < joined; ++i)
    map.embed(space[i], {taps[i], outputs[i]}, {problem.filter[i], outputSize[i]},
              {problem.dilation[i], problem.stride[i]});
  if (!joins)
    return;
  const auto [front, back] = getRowPadding(problem);
  const int64_t c = problem.c, left = problem.padLeft.back() * c + front;
  const int64_t row = front + problem.filter.back() * c + back, step = problem.stride.back() * c;
  const int64_t reach = (outputSize.back() - 1) * step + row;
  map.pad(space.back(), left, std::max<int64_t>(reach - left - problem.in.back() * c, 0));
  map.embed(space.back(), {taps.back(), outputs.back()}, {row, outputSize.back()}, {1, step});
}

void ConvMaps::foldSpace(MapBuilder::Map &input, MapBuilder::Map &filter,
                         MapBuilder::Map &output) const {
  for (auto [i, count] : llvm::enumerate(folded)) {
    // A position further on meets a tap so much later.
    const int64_t step = count == 1 ? 1 : problem.stride[i] / problem.dilation[i];
    const int64_t more = (count - 1) * step, taps = problem.filter[i] + more;
    const int64_t rows = llvm::divideCeil(outputSize[i], count);
    const int64_t last = (rows - 1) * count * problem.stride[i] + (taps - 1) * problem.dilation[i];
    input.pad(space[i], problem.padLeft[i],
              std::max<int64_t>(last + 1 - problem.padLeft[i] - problem.in[i], 0));
    input.embed(space[i], {used[i], positions[i]}, {taps, rows},
                {problem.dilation[i], count * problem.stride[i]});
    filter.pad(this->taps[i], more, more);
    filter.embed(this->taps[i], {residues[i], used[i]}, {count, taps}, {-step, 1}, more);
    output.pad(space[i], 0, rows * count - outputSize[i]);
    output.embed(space[i], {positions[i], residues[i]}, {rows, count}, {count, 1});
  }
}

ImplicitGemmPart ConvMaps::buildForward() const {
  ImplicitGemmPart part;
  auto input = startWithChannels(problem.getInput());
  auto filter = startWithChannels(problem.getFilter());
  auto output = builder.start(problem.getOutput());
  if (folded.empty())
    embedSpace(input);
  else
    foldSpace(input, filter, output);
  if (joins)
    filter.pad(taps.back(), getRowPadding(problem).first, getRowPadding(problem).second);
  const Names &rows = folded.empty() ? outputs : positions,
              &reducedTaps = folded.empty() ? taps : used;
  addGroupsWithChannels(input, "gm");
  input.merge(withGroup("gm", concat({"n"}, rows)), "M")
      .merge(concat(reducedTaps, besideTaps()), "K");
  part.a = input.finish({"G", "M", "K"});

  addGroupsWithChannels(filter, "gn");
  Names channels = columnsOf("k"), reduced = concat(reducedTaps, besideTaps());
  if (problem.preshuffle != 0) {
    channels.push_back("ki");
    reduced.push_back("ci");
  }
  filter.merge(channels, "N").merge(reduced, "K");
  part.b = filter.finish({"G", "N", "K"});
  part.padsFilter = llvm::any_of(folded, [](int64_t positions) { return positions > 1; }) ||
                    (joins && getRowPadding(problem) != std::pair<int64_t, int64_t>(0, 0));

  addResultGroups(output, "G");
  output.merge(withGroup("gm", concat({"n"}, folded.empty() ? space : positions)), "M");
  output.merge(columnsOf("k"), "N");
  part.c = output.finish({"G", "M", "N"});

  auto perChannel = builder.start({"g", "k"}, {problem.g, problem.k});
  addGroups(perChannel, "G", "gn");
  for (auto [name, positions] : llvm::zip(residues, folded))
    perChannel.broadcast(name, positions);
  perChannel.merge(columnsOf("k"), "N").broadcast("M", part.c.getViewSizes()[1]);
  part.channels = perChannel.finish({"G", "M", "N"});
  return part;
}

ImplicitGemmPart ConvMaps::buildBackwardWeight() const {
  ImplicitGemmPart part;
  auto output = builder.start(problem.getOutput());
  addGroups(output, "G", "gm");
  output.merge(withGroup("gm", {}, {"k"}), "M").merge(concat({"n"}, space), "K");
  part.a = output.finish({"G", "M", "K"});

  auto input = startWithChannels(problem.getInput());
  embedSpace(input);
  addGroupsWithChannels(input, "gn");
  input.merge(withGroup("gn", taps, besideTaps()), "N").merge(concat({"n"}, outputs), "K");
  part.b = input.finish({"G", "N", "K"});

  auto filter = startWithChannels(problem.getFilter());
  if (joins)
    filter.pad(taps.back(), getRowPadding(problem).first, getRowPadding(problem).second)
        .broadcast("G", 1);
  else
    addResultGroups(filter, "G");
  filter.merge(withGroup("gm", {}, {"k"}), "M").merge(withGroup("gn", taps, besideTaps()), "N");
  part.c = filter.finish({"G", "M", "N"});

  auto channels = builder.start({"g", "k"}, {problem.g, problem.k});
  addGroups(channels, "G", "gm");
  channels.merge(withGroup("gm", {}, {"k"}), "M").broadcast("N", part.c.getViewSizes()[2]);
  part.channels = channels.finish({"G", "M", "N"});
  return part;
}

//===----------------------------------------------------------------------===//
// Backward-data
//===----------------------------------------------------------------------===//

ImplicitGemmPart ConvMaps::buildPositions(ArrayRef<PositionClass> classes) const {
  ImplicitGemmPart part;
  const bool multiplies = llvm::all_of(classes, [](const PositionClass &c) { return c.taps > 0; });
  auto input = builder.start(problem.getInput());
  for (auto [i, c] : llvm::enumerate(classes)) {
    int64_t reach = c.first + (c.residues - 1) * c.residueStep + (c.positions - 1) * c.positionStep;
    int64_t left = std::max<int64_t>(-c.first, 0);
    int64_t right = std::max<int64_t>(reach + 1 - problem.in[i], 0);
    input.pad(space[i], left, right)
        .embed(space[i], {residues[i], positions[i]}, {c.residues, c.positions},
               {c.residueStep, c.positionStep}, left + c.first);
  }
  addResultGroups(input, "go");
  input.merge(batchOfPositions(), "G").merge(withGroup("gm", concat({"n"}, positions)), "M");
  part.c = input.merge(columnsOf("c"), "N").finish({"G", "M", "N"});

  auto channels = builder.start({"g", "c"}, {problem.g, problem.c});
  addGroups(channels, "go", "gn");
  for (auto [i, c] : llvm::enumerate(classes))
    channels.broadcast(residues[i], c.residues);
  channels.merge(batchOfPositions(), "G").merge(columnsOf("c"), "N");
  part.channels = channels.broadcast("M", part.c.getViewSizes()[1]).finish({"G", "M", "N"});
  if (multiplies)
    multiplyPositions(part, classes);
  return part;
}

void ConvMaps::multiplyPositions(ImplicitGemmPart &part, ArrayRef<PositionClass> classes) const {
  auto output = builder.start(problem.getOutput());
  for (auto [i, c] : llvm::enumerate(classes)) {
    int64_t first = c.firstOutput - (c.taps - 1) * c.tapOutputStep;
    int64_t left = std::max<int64_t>(-first, 0);
    int64_t last = c.firstOutput + (c.positions - 1) * c.outputStep;
    int64_t right = std::max<int64_t>(last + 1 - outputSize[i], 0);
    // Taps in falling order, so that both coordinates rise.
    output.pad(space[i], left, right)
        .embed(space[i], {used[i], positions[i]}, {c.taps, c.positions},
               {c.tapOutputStep, c.outputStep}, left + first);
    if (folded.empty())
      output.broadcast(residues[i], c.residues);
  }
  addGroups(output, "go", "gm");
  output.merge(batchOfPositions(), "G").merge(withGroup("gm", concat({"n"}, positions)), "M");
  part.a = output.merge(concat(used, {"k"}), "K").finish({"G", "M", "K"});

  auto filter = builder.start(problem.getFilter());
  for (auto [i, c] : llvm::enumerate(classes)) {
    int64_t slowest = c.firstTap + (c.taps - 1) * c.tapStep; // of the first residue
    int64_t left = std::max<int64_t>(-c.firstTap, 0);
    int64_t right = std::max<int64_t>(slowest + c.residues - problem.filter[i], 0);
    part.padsFilter |= left > 0 || right > 0;
    filter.pad(taps[i], left, right)
        .embed(taps[i], {residues[i], used[i]}, {c.residues, c.taps}, {1, -c.tapStep},
               left + slowest);
  }
  addGroups(filter, "go", "gn");
  filter.merge(batchOfPositions(), "G").merge(columnsOf("c"), "N");
  part.b = filter.merge(concat(used, {"k"}), "K").finish({"G", "N", "K"});
}

SmallVector<ImplicitGemmPart> ConvMaps::buildBackwardData() const {
  SmallVector<ck::detail::DimPositions, 3> dims;
  for (unsigned i = 0; i < problem.getRank(); ++i)
    dims.push_back(ck::detail::getDimPositions(problem, i, folded.empty() ? 0 : folded[i]));
  SmallVector<ImplicitGemmPart> parts;
  for (const std::vector<PositionClass> &classes : ck::detail::getPositionParts(dims))
    parts.push_back(buildPositions(classes));
  return parts;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

ImplicitGemm ck::getImplicitGemm(MLIRContext *context, const ConvProblem &problem,
                                 const GemmColumns &columns) {
  ConvMaps maps(context, problem, columns);
  switch (problem.direction) {
  case ConvDirection::Forward:
    return {{maps.buildForward()}};
  case ConvDirection::BackwardData:
    return {maps.buildBackwardData()};
  case ConvDirection::BackwardWeight:
    return {{maps.buildBackwardWeight()}};
  }
  llvm_unreachable("all directions handled");
}

ImplicitGemm ck::getImplicitGemm(MLIRContext *context, const GemmProblem &problem) {
  MapBuilder builder(context);
  auto pass = [&](const TensorDesc &tensor, StringRef row, StringRef column) {
    auto map = builder.start(tensor);
    return map.pass("g", "G")
        .pass(row.lower(), row)
        .pass(column.lower(), column)
        .finish({"G", row.str(), column.str()});
  };
  ImplicitGemmPart part;
  part.a = pass(problem.getA(), "M", "K");
  if (problem.preshuffle == 0)
    part.b = pass(problem.getB(), "N", "K");
  else
    part.b = builder.start(problem.getB())
                 .pass("g", "G")
                 .merge({"n", "ni"}, "N")
                 .merge({"k", "ki"}, "K")
                 .finish({"G", "N", "K"});
  part.c = pass(problem.getC(), "M", "N");
  auto channels = builder.start({"g", "n"}, {problem.g, problem.n});
  part.channels =
      channels.pass("g", "G").pass("n", "N").broadcast("M", problem.m).finish({"G", "M", "N"});
  return {{part}};
}
