//===- StartOrder.cpp - Which workgroup starts next -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See StartOrder.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/StartOrder.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

using namespace ckemu;

StartOrder::StartOrder(uint64_t total, std::optional<uint64_t> shuffleSeed,
                       LaunchRecorder *recorder)
    : total(total), recorder(recorder) {
  if (!shuffleSeed)
    return;
  shuffled.resize(total);
  std::iota(shuffled.begin(), shuffled.end(), uint64_t(0));
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(*shuffleSeed));
  // The first one tells which are to be recorded.
  if (recorder)
    std::iter_swap(shuffled.begin(), llvm::find(shuffled, uint64_t(0)));
}

std::optional<uint64_t> StartOrder::takeNext() {
  if (!resumed.empty()) {
    const uint64_t id = resumed.front();
    resumed.pop_front();
    return id;
  }
  while (position < total) {
    const uint64_t id = shuffled.empty() ? position : shuffled[position];
    ++position;
    if (!recorder || recorder->executes(id))
      return id;
    leftOut.push_back(id);
  }
  return std::nullopt;
}

std::optional<uint64_t> StartOrder::takeLeftOut(uint64_t waiting) {
  if (leftOut.empty())
    return std::nullopt;
  // The next below, else the highest of all.
  auto comesLater = [&](uint64_t a, uint64_t b) {
    const bool isBelowA = a < waiting, isBelowB = b < waiting;
    return isBelowA != isBelowB ? isBelowB : a < b;
  };
  auto next = llvm::max_element(leftOut, comesLater);
  const uint64_t id = *next;
  leftOut.erase(next);
  return id;
}

bool StartOrder::resume() {
  if (!recorder || !recorder->settle())
    return false;
  auto isWanted = [&](uint64_t id) { return recorder->executes(id); };
  llvm::copy_if(leftOut, std::back_inserter(resumed), isWanted);
  llvm::erase_if(leftOut, isWanted);
  return true;
}
