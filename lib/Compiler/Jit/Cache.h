//===- Cache.h - Programs that were compiled -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One compilation for equal requests, however many threads make them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_COMPILER_JIT_CACHE_H
#define CK_MLIR_LIB_COMPILER_JIT_CACHE_H

#include "Compiler/Jit/Specialization.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <list>
#include <mutex>

#pragma GCC visibility push(hidden)
namespace mlir::ck::jit {

/// Keeps the `capacity` programs that were called last. Those that run are never taken away.
class Cache {
public:
  using Compile = llvm::function_ref<std::unique_ptr<Specialization>()>;

  explicit Cache(size_t capacity) : capacity(capacity) {}

  /// What `key` stands for. `compile` is called by the first thread that asks for it, while others
  /// with the same key wait; it returns no null pointer.
  std::shared_ptr<const Specialization> get(llvm::StringRef key, Compile compile);

  /// Forgets everything; what runs lives on until it returns.
  void clear();

private:
  struct Entry {
    std::string key;
    std::once_flag once;
    std::unique_ptr<Specialization> program;
  };

  std::shared_ptr<Entry> find(llvm::StringRef key);

  size_t capacity;
  std::mutex mutex;
  std::list<std::shared_ptr<Entry>> entries; // the one that was called last is first
};

} // namespace mlir::ck::jit
#pragma GCC visibility pop

#endif // CK_MLIR_LIB_COMPILER_JIT_CACHE_H
