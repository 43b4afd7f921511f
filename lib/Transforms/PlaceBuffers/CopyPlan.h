//===- CopyPlan.h - Which copies between host and device a function needs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow over the structured control flow of a function: of every buffer it is known
// whether the host's memory and the device's hold its contents, and a copy is planned where an op
// needs the side that does not.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_COPYPLAN_H
#define CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_COPYPLAN_H

#include "Transforms/PlaceBuffers/Buffers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// A copy of a whole buffer before or behind an op.
struct PlannedCopy {
  Operation *anchor;
  bool before;
  bool toDevice;
  unsigned buffer;
};

class CopyPlan {
public:
  CopyPlan(func::FuncOp function, Buffers &buffers);

  /// In the order in which they are inserted.
  ArrayRef<PlannedCopy> getCopies() const { return copies; }
  /// Copies of the program's between buffers that the device holds.
  ArrayRef<memref::CopyOp> getDeviceCopies() const { return deviceCopies.getArrayRef(); }
  /// Device ops in control flow that is not followed: they get copies of their own, and the buffers
  /// stay on the host.
  ArrayRef<Operation *> getTemporaries() const { return temporaries.getArrayRef(); }
  bool isUsedOnHost(unsigned buffer) const { return onHost.test(buffer); }
  bool isUsedOnDevice(unsigned buffer) const { return onDevice.test(buffer); }

private:
  /// Which sides hold the contents of a buffer; at least one does.
  struct Validity {
    bool host = true, device = false;
    bool operator==(const Validity &other) const {
      return host == other.host && device == other.device;
    }
  };
  using State = SmallVector<Validity>;

  void planCopy(State &state, unsigned buffer, bool toDevice, Operation *anchor, bool before);
  void visitBlock(Block &block, State &state);
  void visitOp(Operation *op, State &state);
  void visitDefinitions(ValueRange values, State &state);
  void visitDeviceOp(Operation *op, State &state);
  bool visitCopy(memref::CopyOp op, State &state);
  void visitHostOp(Operation *op, State &state);
  void visitRegions(Operation *op, State &state);
  void visitRegion(Operation *op, Region &region, State &state);
  void preload(Operation *loop, State &state);
  void writeOnDevice(unsigned buffer, Operation *op, State &state);
  void writeShared(unsigned buffer, State &state);
  bool isOutside(unsigned buffer, Operation *op);
  void meet(Operation *op, State &into, const State &other);
  void addTemporaries(Operation *op);

  Buffers &buffers;
  SmallVector<PlannedCopy> copies;
  llvm::SetVector<memref::CopyOp> deviceCopies;
  llvm::SetVector<Operation *> temporaries;
  llvm::SetVector<Operation *> regionOps;                  // with device ops in them, followed
  DenseMap<Operation *, llvm::SetVector<unsigned>> synced; // on the host where regions meet
  bool changed = false;
  llvm::BitVector onHost, onDevice;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_PLACEBUFFERS_COPYPLAN_H
