//===- Buffers.h - Who accesses the buffers of a function -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to be known of a function before its buffers can be placed: which memref values are
// views of the same buffer, which buffers others may know under another name, and what each op does
// to them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_BUFFERS_H
#define CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Who else may know the memory of a buffer.
enum class Sharing {
  Private, ///< an allocation of the function that has no other name
  Shared,  ///< an argument, a variable, what calls or control flow hand on: any two may overlap
  Constant ///< a global constant: nobody writes it
};

struct Buffer {
  Value root; ///< what views of the buffer start from
  Sharing sharing = Sharing::Shared;
};

/// What an op does to a buffer.
struct Access {
  unsigned buffer;
  bool reads = false;
  bool writes = false;
  bool whole = false; ///< every element is written
};

/// True if `op` runs on the device: a problem or a `gpu.launch`.
bool runsOnDevice(Operation *op);

/// The value at the start of the views that lead to `value`, or `value` itself where that has a
/// layout which a copy to the device would not have.
Value getRoot(Value value);

/// True if `op` only gives another view of its operand.
bool isView(Operation *op);

/// The memrefs that device op `op` works on: the operands of a problem, or what the body of a
/// launch takes from outside.
SmallVector<Value> getDeviceValues(Operation *op);

/// The buffers of a function.
class Buffers {
public:
  explicit Buffers(func::FuncOp function);

  unsigned size() const { return entries.size(); }
  Buffer &operator[](unsigned number) { return (entries.begin() + number)->second; }
  /// The number of the buffer that `value` is a view of, or nothing where it is none of the
  /// function's.
  std::optional<unsigned> find(Value value) const;

  /// What a device op does.
  SmallVector<Access> getDeviceAccesses(Operation *op) const;
  /// What `op` and the ops in its regions do on the host.
  SmallVector<Access> getHostAccesses(Operation *op) const;
  /// True if `op` may write shared buffers that it does not name.
  static bool isUnknown(Operation *op);

private:
  void addRoot(Value value);
  void shareOperands(Operation *op);
  void addAccess(SmallVector<Access> &accesses, Value value, bool reads, bool writes,
                 bool whole) const;
  void addEffects(SmallVector<Access> &accesses, Operation *op) const;

  llvm::MapVector<Value, Buffer> entries;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_BUFFERS_H
