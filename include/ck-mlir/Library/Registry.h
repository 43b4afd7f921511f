//===- Registry.h - Kernels that were declared -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are declared, compiled where they are missing, and chosen from when a problem comes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIBRARY_REGISTRY_H
#define CK_MLIR_LIBRARY_REGISTRY_H

#include "ck-mlir/Library/KernelLibrary.h"
#include "ck-mlir/Library/KernelSet.h"
#include "ck-mlir/Library/Ranker.h"
#include <atomic>

namespace mlir::ck {

/// Runs a task now or later, in any thread; must run every task.
using Executor = std::function<void(std::function<void()>)>;

/// Is told how many of how many tasks are done, and which one was the last; by one thread at a
/// time.
using Progress = std::function<void(size_t done, size_t total, llvm::StringRef last)>;

/// A kernel that can be launched for a problem.
struct Candidate {
  KernelRequest request; // for that problem
  std::string schedule;  // complete
  bool isDeclared;       // for this problem; otherwise for one of the same operation and types
  std::string layer;
  Rank rank;
};

/// What can be launched for a problem, the best first.
struct Selection {
  std::vector<Candidate> candidates;
  std::vector<Exclusion> exclusions; // declared, but not applicable

  /// An object with `candidates`, each with `request`, `schedule`, `declared`, `layer`, `cost` and
  /// `why`, and `excluded`.
  llvm::json::Object toJson() const;
};

/// Declarations over a library, which keeps the kernels.
class Registry {
public:
  /// `library` must live as long as the registry.
  explicit Registry(KernelLibrary &library) : library(library) {}

  /// Adds what a set, or an archive that is a layer of the library, declares.
  void add(const KernelSet &set);
  void add(const KernelArchive &archive);

  /// Forgets the kernels that `isWanted` does not want.
  void keep(llvm::function_ref<bool(const Declaration &)> isWanted);

  llvm::ArrayRef<Declaration> getKernels() const { return kernels; }
  /// What has no kernel, with the reason: found by `add`, `validate` and `build`.
  llvm::ArrayRef<Exclusion> getExclusions() const { return exclusions; }

  /// An object with `kernels` and `excluded`.
  llvm::json::Object toJson() const;

  /// Schedules every kernel for its chip without generating code; those that are not legal become
  /// exclusions.
  void validate(const Executor &executor, const Progress &progress = nullptr);
  /// Compiles what is missing; what the compiler refuses becomes an exclusion. Returns when all
  /// tasks have been run.
  void build(const Executor &executor, const Progress &progress = nullptr);

  /// Ends the call of `validate`, `build` or `writeArchive` that runs in another thread, or the
  /// next one if none runs, as soon as the tasks that have begun are done. Kernels whose tasks had
  /// not begun stay as they are.
  void cancel() { isCancelled = true; }

  /// Ranks the kernels for `problem` on `chip`: those that are declared for it, and the schedules
  /// of those of the same operation and types. Errors: the problem is malformed, the chip unknown,
  /// nothing is declared for them, or a ranker fails.
  llvm::Expected<Selection> select(llvm::StringRef problem, llvm::StringRef chip,
                                   const Ranker &ranker) const;

  /// Writes all kernels, compiled if they are missing, as one archive. Error: a kernel cannot be
  /// compiled, the file cannot be written, or this was cancelled.
  llvm::Error writeArchive(llvm::StringRef path, llvm::StringRef name);

private:
  using Check = std::function<llvm::Error(const Declaration &)>;
  void forAll(const Executor &executor, const Progress &progress, const Check &check);

  KernelLibrary &library;
  std::atomic<bool> isCancelled = false;
  std::vector<Declaration> kernels;
  std::vector<Exclusion> exclusions;
};

} // namespace mlir::ck

#endif // CK_MLIR_LIBRARY_REGISTRY_H
