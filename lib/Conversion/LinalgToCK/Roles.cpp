//===- Roles.cpp - The problem that a loop nest computes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that stand side by side in every tensor become one letter. Further loops of the batch are
// space that a filter of one element runs over, and further loops of the input channels are a
// filter that covers the whole space.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Roles.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
/// A spatial dimension: loops over output and filter, either of which may be missing.
struct Window {
  int64_t inputDim = -1; // -1: loops that met dimensions of their own
  SmallVector<unsigned, 2> out, filter;
  int64_t stride = 1, dilation = 1;
  int64_t order = 0; // position in the input
};

class LoopSorter {
public:
  LoopSorter(ArrayRef<OperandAccess> tensors, ArrayRef<int64_t> sizes)
      : tensors(tensors), sizes(sizes), letters(sizes.size(), 0), inWindow(sizes.size(), false) {}

  Expected<LoopRoles> sort();

private:
  Error collectPlain(Role role);
  Error collectWindows();
  Error addTerm(Window &window, unsigned loop, int64_t coefficient);
  Error classify();
  Error group(char letter, ArrayRef<Role> roles);
  Error checkReversal();
  bool areNeighbours(unsigned first, unsigned second, Role role) const;
  std::string getLayout(Role role) const;
  LoopRoles makeRoles() const;

  bool isIn(unsigned loop, Role role) const { return positions[role].contains(loop); }
  int64_t getSize(ArrayRef<unsigned> loops) const {
    int64_t size = 1;
    for (unsigned loop : loops)
      size *= sizes[loop];
    return size;
  }

  ArrayRef<OperandAccess> tensors;
  ArrayRef<int64_t> sizes;
  llvm::SmallDenseMap<unsigned, int64_t> positions[3]; // of loops that run over a dimension
  SmallVector<char> letters;                           // of each loop, 0 for none
  SmallVector<bool> inWindow;
  SmallVector<Window, 3> windows;
  llvm::SmallDenseMap<char, SmallVector<unsigned, 2>> groups;
};
} // namespace

static StringRef getName(Role role) {
  constexpr StringLiteral names[] = {"input", "filter", "output"};
  return names[role];
}

bool ck::hasWindows(const OperandAccess &access, ArrayRef<int64_t> loopSizes) {
  return llvm::any_of(access.dims, [&](const DimAccess &dim) {
    return dim.terms.size() > 1 || (!dim.terms.empty() && dim.terms[0].second != 1) ||
           (dim.terms.empty() && dim.size != 1);
  });
}

/// Notes which loop runs over which dimension of a tensor without windows.
Error LoopSorter::collectPlain(Role role) {
  for (auto [index, dim] : llvm::enumerate(tensors[role].dims)) {
    if (dim.terms.empty() && dim.size == 1 && !dim.padded)
      continue;
    if (!dim.isPlain())
      return createStringError("expected one loop along dimension " + Twine(index) + " of the " +
                               getName(role));
    unsigned loop = dim.terms[0].first;
    if (!positions[role].try_emplace(loop, index).second && sizes[loop] != 1)
      return createStringError("loop " + Twine(loop) + " meets two dimensions of the " +
                               getName(role));
  }
  return Error::success();
}

Error LoopSorter::addTerm(Window &window, unsigned loop, int64_t coefficient) {
  bool isOut = isIn(loop, kOutput), isFilter = isIn(loop, kFilter);
  if (isOut == isFilter || inWindow[loop]) {
    if (sizes[loop] == 1)
      return Error::success();
    return createStringError("loop " + Twine(loop) + " moves a window, but is not one of either " +
                             "output or filter");
  }
  SmallVector<unsigned, 2> &loops = isOut ? window.out : window.filter;
  if (!loops.empty())
    return createStringError("two loops of the " + getName(isOut ? kOutput : kFilter) +
                             " move one window");
  loops.push_back(loop);
  (isOut ? window.stride : window.dilation) = coefficient;
  inWindow[loop] = true;
  return Error::success();
}

Error LoopSorter::collectWindows() {
  for (auto [index, dim] : llvm::enumerate(tensors[kInput].dims)) {
    bool isWindow = !dim.isPlain() && (!dim.terms.empty() || dim.size != 1 || dim.padded);
    if (!isWindow) {
      if (dim.terms.empty())
        continue;
      unsigned loop = dim.terms[0].first;
      if (!positions[kInput].try_emplace(loop, index).second && sizes[loop] != 1)
        return createStringError("loop " + Twine(loop) + " meets two dimensions of the input");
      continue;
    }
    Window window;
    window.inputDim = window.order = index;
    for (auto [loop, coefficient] : dim.terms)
      if (Error error = addTerm(window, loop, coefficient))
        return error;
    windows.push_back(std::move(window));
  }
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (inWindow[loop] && isIn(loop, kInput) && sizes[loop] != 1)
      return createStringError("loop " + Twine(loop) + " meets two dimensions of the input");
  return Error::success();
}

/// Gives each loop outside of windows the letter of the tensors that it appears in.
Error LoopSorter::classify() {
  constexpr char kLetters[2][2][2] = {{{0, 0}, {0, 'K'}}, {{0, 'N'}, {'C', 'G'}}};
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    if (inWindow[loop])
      continue;
    letters[loop] = kLetters[isIn(loop, kInput)][isIn(loop, kFilter)][isIn(loop, kOutput)];
    if (!letters[loop] && sizes[loop] != 1)
      return createStringError("loop " + Twine(loop) + " appears in less than two tensors");
  }
  for (char letter : StringRef("NCKG")) {
    bool isSized = llvm::any_of(llvm::seq<unsigned>(sizes.size()), [&](unsigned loop) {
      return letters[loop] == letter && sizes[loop] != 1;
    });
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (letters[loop] == letter && sizes[loop] == 1 && std::exchange(isSized, true))
        letters[loop] = 0; // stands for nothing beside loops of more than one element
  }
  return Error::success();
}

/// True if nothing stands between the dimensions of two loops.
bool LoopSorter::areNeighbours(unsigned first, unsigned second, Role role) const {
  int64_t from = positions[role].lookup(first), to = positions[role].lookup(second);
  if (from > to)
    return false;
  for (int64_t i = from + 1; i < to; ++i) {
    const DimAccess &dim = tensors[role].dims[i];
    bool isNothing = dim.size == 1 && !dim.padded;
    if (!isNothing)
      return false;
  }
  return true;
}

/// Merges the loops of `letter`, which appear in the tensors of `roles`.
Error LoopSorter::group(char letter, ArrayRef<Role> roles) {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (letters[loop] == letter)
      loops.push_back(loop);
  llvm::sort(loops, [&](unsigned a, unsigned b) {
    return positions[roles[0]].lookup(a) < positions[roles[0]].lookup(b);
  });
  SmallVector<SmallVector<unsigned, 2>> parts;
  for (unsigned loop : loops) {
    if (parts.empty() || !llvm::all_of(roles, [&](Role role) {
          return areNeighbours(parts.back().back(), loop, role);
        }))
      parts.emplace_back();
    parts.back().push_back(loop);
  }
  if (parts.empty())
    return Error::success();
  // Innermost channels are what a kernel loads side by side.
  unsigned kept = letter == 'C' ? parts.size() - 1 : 0;
  if (parts.size() > 1 && letter != 'N' && letter != 'C')
    return createStringError("the loops of " + Twine(letter == 'K' ? "output channels" : "groups") +
                             " do not stand side by side");
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (index == kept) {
      groups[letter] = part;
      continue;
    }
    Window window;
    window.order = positions[kInput].lookup(part[0]);
    (letter == 'N' ? window.out : window.filter) = part;
    for (unsigned loop : part)
      letters[loop] = 0;
    windows.push_back(std::move(window));
  }
  return Error::success();
}

/// Only dimensions that windows move over may be read from their end, and those of the filter only.
Error LoopSorter::checkReversal() {
  for (Role role : {kInput, kFilter, kOutput})
    for (auto [index, dim] : llvm::enumerate(tensors[role].dims)) {
      bool isFilter =
          role == kFilter && llvm::any_of(windows, [&, i = index](const Window &window) {
            return window.inputDim >= 0 && !window.filter.empty() &&
                   positions[kFilter].lookup(window.filter[0]) == int64_t(i);
          });
      if (dim.flipped && dim.size != 1 && !isFilter)
        return createStringError("dimension " + Twine(index) + " of the " + getName(role) +
                                 " is reversed");
    }
  return Error::success();
}

std::string LoopSorter::getLayout(Role role) const {
  std::string layout;
  StringRef spatial = StringRef(role == kFilter ? "ZYX" : "DHW").take_back(windows.size());
  auto getLetter = [&](int64_t dim) -> char {
    for (auto [index, window] : llvm::enumerate(windows)) {
      ArrayRef<unsigned> loops = role == kFilter ? window.filter : window.out;
      if (role == kInput ? window.inputDim == dim : false)
        return spatial[index];
      if (role == kInput && window.inputDim < 0)
        loops = window.out.empty() ? window.filter : window.out;
      if ((role != kInput || window.inputDim < 0) && llvm::any_of(loops, [&](unsigned loop) {
            auto found = positions[role].find(loop);
            return found != positions[role].end() && found->second == dim;
          }))
        return spatial[index];
    }
    for (auto [loop, position] : positions[role])
      if (position == dim && letters[loop])
        return letters[loop];
    return 0;
  };
  for (int64_t dim = 0; dim < int64_t(tensors[role].dims.size()); ++dim)
    if (char letter = getLetter(dim); letter && layout.find(letter) == std::string::npos)
      layout += letter;
  return layout;
}

LoopRoles LoopSorter::makeRoles() const {
  LoopRoles roles;
  roles.loops = groups;
  ConvProblem &problem = roles.problem;
  auto size = [&](char letter) { return getSize(groups.lookup(letter)); };
  std::tie(problem.n, problem.g, problem.k, problem.c) =
      std::make_tuple(size('N'), size('G'), size('K'), size('C'));
  for (const Window &window : windows) {
    const DimAccess *dim = window.inputDim < 0 ? nullptr : &tensors[kInput].dims[window.inputDim];
    int64_t out = getSize(window.out), filter = getSize(window.filter);
    int64_t filterDim =
        window.filter.size() == 1 ? positions[kFilter].lookup(window.filter[0]) : int64_t(-1);
    problem.in.push_back(dim ? dim->size : out * filter);
    problem.filter.push_back(filter);
    problem.stride.push_back(window.stride);
    problem.dilation.push_back(window.dilation);
    problem.padLeft.push_back(dim ? dim->padLow : 0);
    roles.out.push_back(out);
    roles.spacing.push_back(dim ? dim->spacing : 1);
    roles.filterDims.push_back(filterDim);
    roles.flipped.push_back(filterDim >= 0 && tensors[kFilter].dims[filterDim].flipped);
    roles.inputDims.push_back(window.inputDim);
  }
  problem.inLayout = getLayout(kInput);
  problem.filterLayout = getLayout(kFilter);
  problem.outLayout = getLayout(kOutput);
  return roles;
}

Expected<LoopRoles> LoopSorter::sort() {
  for (Role role : {kFilter, kOutput})
    if (Error error = collectPlain(role))
      return std::move(error);
  if (Error error = collectWindows())
    return std::move(error);
  if (Error error = classify())
    return std::move(error);
  const std::pair<char, SmallVector<Role, 3>> classes[] = {{'N', {kInput, kOutput}},
                                                           {'C', {kInput, kFilter}},
                                                           {'K', {kFilter, kOutput}},
                                                           {'G', {kInput, kFilter, kOutput}}};
  for (const auto &[letter, roles] : classes)
    if (Error error = group(letter, roles))
      return std::move(error);
  if (Error error = checkReversal())
    return std::move(error);
  if (windows.size() > 3)
    return createStringError("expected at most 3 spatial dimensions, got " + Twine(windows.size()));
  bool isProduct = windows.empty();
  if (isProduct)
    windows.emplace_back();
  llvm::sort(windows, [](const Window &a, const Window &b) { return a.order < b.order; });
  LoopRoles roles = makeRoles();
  roles.isProduct = isProduct;
  return roles;
}

Expected<LoopRoles> ck::sortLoops(ArrayRef<OperandAccess> tensors, ArrayRef<int64_t> loopSizes) {
  return LoopSorter(tensors, loopSizes).sort();
}

std::string ck::completeLayout(StringRef layout, StringRef letters) {
  std::string result = layout.str();
  bool isFilter = letters.contains('K') && letters.contains('C');
  auto insert = [&](char letter, size_t position) { result.insert(position, 1, letter); };
  auto has = [&](char letter) { return result.find(letter) != std::string::npos; };
  auto after = [&](char letter, size_t otherwise) {
    return has(letter) ? result.find(letter) + 1 : otherwise;
  };
  if (letters.contains('N') && !has('N'))
    insert('N', 0);
  // Letters that go behind N come in the order of `letters` when the last goes first.
  std::string order = letters.str();
  if (!isFilter)
    std::reverse(order.begin(), order.end());
  for (char letter : order) {
    if (has(letter) || letter == 'G')
      continue;
    if (letter == 'K' || letter == 'C')
      insert(letter,
             isFilter && letter == 'C' ? result.size() : after('G', isFilter ? 0 : result.size()));
    else if (isFilter)
      insert(letter, has('C') ? result.find('C') : result.size());
    else
      insert(letter, after('N', 0));
  }
  if (!has('G') && letters.contains('G'))
    insert('G', isFilter ? 0 : result.find(letters.contains('K') ? 'K' : 'C'));
  return result;
}
