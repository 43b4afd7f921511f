//===- KernelPass.h - Passes over kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline nests these passes in gpu.module. On a whole module they see as well what no pass has
// moved into a kernel yet, and refuse it.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_KERNELPASS_H
#define CK_MLIR_LIB_TRANSFORMS_KERNELPASS_H

#include "ck-mlir/IR/Form.h"

#pragma GCC visibility push(hidden)
namespace mlir::ck {

/// A pass that takes the kernels of a gpu.module, or of all those of a module, in `form`.
template <typename PassBase, Form form>
class KernelPass : public PassBase {
public:
  using PassBase::PassBase;

  void runOnOperation() final {
    Operation *root = this->getOperation();
    if (failed(verifyInput(root, form)))
      return this->signalPassFailure();
    WalkResult result =
        root->walk([&](gpu::GPUFuncOp kernel) -> WalkResult { return runOnKernel(kernel); });
    if (result.wasInterrupted())
      this->signalPassFailure();
  }

protected:
  virtual LogicalResult runOnKernel(gpu::GPUFuncOp kernel) = 0;

private:
  bool canScheduleOn(RegisteredOperationName name) const final {
    return name.getStringRef() == gpu::GPUModuleOp::getOperationName() ||
           name.getStringRef() == ModuleOp::getOperationName();
  }
};

} // namespace mlir::ck
#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_KERNELPASS_H
