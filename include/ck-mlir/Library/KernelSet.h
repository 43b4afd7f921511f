//===- KernelSet.h - Declarations of kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set says which kernels a program will need, before it runs: problems or patterns of problems,
// chips, and axes of schedules.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIBRARY_KERNELSET_H
#define CK_MLIR_LIBRARY_KERNELSET_H

#include "ck-mlir/Kernel/KernelRequest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mlir::ck {

/// Keys, and the values that each of them takes.
using SetAxes = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// A kernel that a set declares.
struct Declaration {
  KernelRequest request; // canonical
  std::string layer;     // where it is used, for people; may be empty
};

/// A declaration for which there is no kernel.
struct Exclusion {
  Declaration declaration;
  std::string reason;
};

/// As JSON objects: the request's members and `layer`; and `reason`.
llvm::json::Object toJson(const Declaration &kernel);
llvm::json::Array toJson(llvm::ArrayRef<Exclusion> exclusions);

/// A set of kernels, made of a JSON object:
///
///   name         string
///   description  string, optional
///   chips        array of names; optional, gfx942
///   values       object of arrays of strings or numbers, optional: what stands for `{KEY}` in
///                problems; every combination is a problem
///   schedule     object of arrays of strings, optional: axes, the values of keys of a schedule
///                string; every combination is a schedule, an empty value leaves the key out
///   kernels      array of objects: `problem` (a string), `layer` (optional), and `chips`, `values`
///                and `schedule`, which go before those of the set
class KernelSet {
public:
  /// Reads a set; `what` names it in errors. Errors name the entry, the field and its value: a
  /// field that is missing, unknown or of a wrong type, a problem without patterns that is
  /// malformed, a `{KEY}` without values, an unknown chip or key of a schedule, more than
  /// `kMaxKernels` kernels. A combination of values that makes no problem is an exclusion. `values`
  /// go before those of the set and of its kernels; a key that these do not have is an error.
  static llvm::Expected<KernelSet> parse(const llvm::json::Value &value, const llvm::Twine &what,
                                         const SetAxes &values = {});
  /// Opens a set that is built in, by its name, or a file that ends in ".json".
  static llvm::Expected<KernelSet> open(llvm::StringRef nameOrPath, const SetAxes &values = {});

  static constexpr size_t kMaxKernels = 100000;

  const std::string &getName() const { return name; }
  const std::string &getDescription() const { return description; }
  /// All different kernels, in the order in which they are declared.
  llvm::ArrayRef<Declaration> getKernels() const { return kernels; }
  llvm::ArrayRef<Exclusion> getExclusions() const { return exclusions; }

  /// Takes the kernels for `chips` instead of those of the set. Error: an unknown chip.
  llvm::Error setChips(llvm::ArrayRef<std::string> chips);

private:
  friend class SetReader;
  KernelSet() = default;

  std::string name, description;
  std::vector<Declaration> kernels;
  std::vector<Exclusion> exclusions;
};

/// The names of the sets that are built in.
std::vector<std::string> getBuiltInSets();

} // namespace mlir::ck

#endif // CK_MLIR_LIBRARY_KERNELSET_H
