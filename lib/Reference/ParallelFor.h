//===- ParallelFor.h - A loop over all host cores -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is plain loops; this is the only place where it knows of threads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_REFERENCE_PARALLELFOR_H
#define CK_MLIR_LIB_REFERENCE_PARALLELFOR_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace mlir::ck {

/// Calls `body(i)` for every 0 <= i < count, each once, on all cores. Bodies must not depend on
/// each other. Indices are handed out in blocks, so that small bodies are cheap.
template <typename Body>
void parallelFor(int64_t count, const Body &body) {
  int64_t threads = std::max<int64_t>(1, std::thread::hardware_concurrency());
  int64_t block = std::max<int64_t>(1, std::min<int64_t>(1024, count / (8 * threads)));
  std::atomic<int64_t> next{0};
  auto work = [&] {
    for (int64_t begin; (begin = next.fetch_add(block)) < count;)
      for (int64_t i = begin, end = std::min(begin + block, count); i < end; ++i)
        body(i);
  };
  std::vector<std::thread> helpers;
  for (int64_t i = 1; i < std::min(threads, count); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace mlir::ck

#endif // CK_MLIR_LIB_REFERENCE_PARALLELFOR_H
