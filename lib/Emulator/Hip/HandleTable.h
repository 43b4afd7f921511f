//===- HandleTable.h - Handles given to programs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle is the address of an object. Objects of destroyed handles stay for a while, so that
// their addresses are not given out again and a use after the end is recognized as such.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_HANDLETABLE_H
#define CK_MLIR_LIB_EMULATOR_HIP_HANDLETABLE_H

#include "llvm/Support/FormatVariadic.h"
#include <deque>
#include <memory>
#include <set>
#include <string>

namespace ckemu::hip {

/// The live and the recently destroyed objects of one kind. Not thread-safe.
template <class T>
class HandleTable {
public:
  /// `kind` and `ended` are for messages: "module", "unloaded".
  HandleTable(const char *kind, const char *ended) : kind(kind), ended(ended) {}

  T *add(std::unique_ptr<T> object) {
    live.insert(object.get());
    return object.release();
  }
  bool contains(const T *handle) const { return live.count(const_cast<T *>(handle)) != 0; }
  size_t size() const { return live.size(); }

  /// Ends `handle`, which must be live.
  void destroy(T *handle) {
    live.erase(handle);
    destroyed.insert(handle);
    order.emplace_back(handle);
    if (order.size() <= kRemembered)
      return;
    destroyed.erase(order.front().get());
    order.pop_front();
  }
  /// The live objects.
  const std::set<T *> &getLive() const { return live; }

  /// Why `handle`, which is not live, is none.
  std::string explain(const T *handle) const {
    if (!handle)
      return llvm::formatv("the {0} is null", kind);
    uint64_t address = reinterpret_cast<uint64_t>(handle);
    if (destroyed.count(handle))
      return llvm::formatv("the {0} {1:x} was {2} before", kind, address, ended);
    return llvm::formatv("{0:x} is no {1}", address, kind);
  }

private:
  static constexpr size_t kRemembered = 1 << 16;
  const char *kind, *ended;
  std::set<T *> live;
  std::set<const T *> destroyed;
  std::deque<std::unique_ptr<T>> order; ///< of destruction
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_HANDLETABLE_H
