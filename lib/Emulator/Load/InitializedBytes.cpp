//===- InitializedBytes.cpp - Bytes that were written -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One bit per byte. Words are shared by host threads, so that they change by atomic operations, and
// only when they must.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/InitializedBytes.h"
#include <algorithm>
#include <sys/mman.h>

using namespace ckemu;

InitializedBytes::InitializedBytes(uint64_t size) : size(size), mapSize((size / 64 + 1) * 8) {
  void *map = mmap(nullptr, mapSize, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  words = map == MAP_FAILED ? nullptr : static_cast<uint64_t *>(map);
  complete = !words;
}

InitializedBytes::~InitializedBytes() {
  if (words)
    munmap(words, mapSize);
}

void InitializedBytes::mark(uint64_t offset, uint64_t bytes) {
  if (isComplete())
    return;
  if (offset == 0 && bytes == size) {
    complete = true;
    return;
  }
  while (bytes) {
    const unsigned first = unsigned(offset % 64);
    const unsigned count = unsigned(std::min<uint64_t>(bytes, 64 - first));
    uint64_t &word = words[offset / 64];
    const uint64_t mask = getMask(first, count);
    if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & mask) != mask)
      __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
    offset += count;
    bytes -= count;
  }
}

uint64_t InitializedBytes::getMarks(uint64_t offset, unsigned bytes) const {
  if (isComplete())
    return getMask(0, bytes);
  const unsigned first = unsigned(offset % 64);
  uint64_t result = __atomic_load_n(&words[offset / 64], __ATOMIC_RELAXED) >> first;
  if (first + bytes > 64)
    result |= __atomic_load_n(&words[offset / 64 + 1], __ATOMIC_RELAXED) << (64 - first);
  return result & getMask(0, bytes);
}
