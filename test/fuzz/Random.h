//===- Random.h - Random choices of the fuzzers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A seed must draw the same input everywhere; what std's distributions draw, each library decides
// for itself.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_FUZZ_RANDOM_H
#define CK_MLIR_TEST_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <random>

namespace ckfuzz {

/// Draws the same numbers for the same seed.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  uint64_t next() { return engine(); }
  /// A number in [0, limit); 0 when `limit` is 0.
  size_t below(size_t limit) { return limit == 0 ? 0 : engine() % limit; }
  /// True once in `n` times.
  bool oneIn(size_t n) { return below(n) == 0; }
  /// An element of a container that is not empty.
  template <class Container>
  const auto &pick(const Container &container) {
    return *(std::begin(container) + below(std::size(container)));
  }

private:
  std::mt19937_64 engine;
};

} // namespace ckfuzz

#endif // CK_MLIR_TEST_FUZZ_RANDOM_H
