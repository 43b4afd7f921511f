//===- KernelOutline.h - Move GEMMs into kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GEMM becomes a kernel of tiles or one of single elements; what both ways need stands here: the
// parts, their views inside of the kernel, and the launch.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_OUTLINEKERNELS_KERNELOUTLINE_H
#define CK_MLIR_LIB_TRANSFORMS_OUTLINEKERNELS_KERNELOUTLINE_H

#include "ck-mlir/IR/CK.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The view that a `ck.gemm` or `ck.fill` writes, its D operands and its epilogue.
TypedValue<ViewType> getResultView(Operation *part);
OperandRange getDs(Operation *part);
Region &getEpilogue(Operation *part);

/// Whether the function around `op` can be given an argument for a workspace: it must have no
/// calls, which would have to pass it.
bool canHaveWorkspace(Operation *op);

/// Emits an error at `op` if its function cannot be given the workspace that `what` needs.
LogicalResult verifyWorkspace(Operation *op, const Twine &what);

/// Emits an error at `op` for a number of resident workgroups that is none; 0 stands for one on
/// every compute unit.
LogicalResult verifyResidents(Operation *op, int64_t residents);

/// Moves `op`, a `ck.gemm` or `ck.gemm_table` of form `scheduled` whose lanes compute by
/// themselves, into a kernel of `kernels`, as `outlineGemm` does.
FailureOr<gpu::GPUFuncOp> outlineDirect(RewriterBase &rewriter, Operation *op,
                                        gpu::GPUModuleOp kernels, StringRef name,
                                        bool allocWorkspace);

/// The kernel of a `ck.gemm`, or of the GEMMs and fills of a `ck.gemm_table`, in the making.
class KernelOutline {
public:
  /// Fails with an error where a view is not made by `ck.transform`.
  static FailureOr<KernelOutline> create(Operation *op);

  /// The GEMM, or the GEMMs and fills of the table.
  ArrayRef<Operation *> getParts() const { return parts; }

  /// Zeroes `tensor` in front of the launches.
  void zero(RewriterBase &rewriter, Value tensor) const;

  /// Passes a workspace of `words` to the kernels, behind the tensors of the views, and zeroes the
  /// first `flagWords` in front of the launches. It is an argument of the host function, whose
  /// caller owns it, or with `allocate` allocated around the op. Fails with an error where the
  /// function cannot have the argument that `what` needs.
  FailureOr<Value> createWorkspace(RewriterBase &rewriter, int64_t words, int64_t flagWords,
                                   bool allocate, const Twine &what);

  /// Builds a kernel for `workgroups` of `threads` with the views in it, leaves `rewriter` behind
  /// them, and launches it in front of the op once `build` has built the body there. Fails with an
  /// error for more workgroups than a grid can have.
  FailureOr<gpu::GPUFuncOp> run(RewriterBase &rewriter, gpu::GPUModuleOp kernels, StringRef name,
                                int64_t workgroups, int64_t threads, function_ref<void()> build);
  /// Erases the op after its last launch.
  void finish(RewriterBase &rewriter);

  /// The value in the kernel that stands for a view, or for a tensor, outside.
  Value getInner(Value outside) const { return mapping.lookup(outside); }

private:
  explicit KernelOutline(Operation *op) : op(op) {}
  LogicalResult collectView(Value view);
  void sortTensors();
  void zeroFlags(RewriterBase &rewriter, Value workspace, int64_t words) const;
  void buildLaunch(RewriterBase &rewriter, gpu::GPUFuncOp kernel, int64_t workgroups,
                   int64_t threads);

  Operation *op;
  SmallVector<Operation *> parts;
  llvm::SetVector<Value> views; // made by ck.transform
  SmallVector<Value> tensors;   // of the views, in the order of the kernel's arguments
  IRMapping mapping;            // views and tensors to those in the kernel
};

/// Makes a kernel of every `ck.gemm` and `ck.gemm_table` of `module`, with `fills` also of every
/// `ck.fill` that stands alone, by `outline`, which gets its op, the `gpu.module` for the module's
/// chip and the kernel's name: that of the function, with `suffix` and, where there are several, a
/// number.
LogicalResult outlineKernels(
    ModuleOp module, StringRef suffix, bool fills,
    function_ref<LogicalResult(RewriterBase &, Operation *, gpu::GPUModuleOp, StringRef)> outline);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_OUTLINEKERNELS_KERNELOUTLINE_H
