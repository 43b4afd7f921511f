//===- Transforms.h - The transformations as functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes do, callable without a pass manager.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_TRANSFORMS_H
#define CK_MLIR_TRANSFORMS_TRANSFORMS_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Replaces a convolution on memrefs by views and a GEMM. Emits an error at `conv` for what is not
/// supported, before anything is changed.
FailureOr<GemmOp> convertConvToGemm(RewriterBase &rewriter, ConvOpInterface conv);

/// Completes `schedule` (possibly empty) for `gemm` on `chip` and sets it on the op. Emits an error
/// with the reason at `gemm` if it cannot be generated.
LogicalResult assignSchedule(GemmOp gemm, StringRef schedule, const ChipInfo &chip);

/// Moves a scheduled GEMM into a kernel of `kernels` and launches it from its place.
FailureOr<gpu::GPUFuncOp> outlineGemm(RewriterBase &rewriter, GemmOp gemm, gpu::GPUModuleOp kernels,
                                      StringRef name);

/// Replaces `distribute` by the code of one workgroup. Emits an error for partitions that are not
/// supported.
LogicalResult expandPartition(RewriterBase &rewriter, DistributeOp distribute);

/// Moves the body of `kernel` into wave roles and pipelines its block GEMM; false if it has none.
FailureOr<bool> pipelineBlockGemm(RewriterBase &rewriter, gpu::GPUFuncOp kernel);

/// Distributes the tiles of `kernel` to waves and lanes of `chip`.
LogicalResult distributeToWaves(gpu::GPUFuncOp kernel, const ChipInfo &chip);

/// Lowers cursors, loads and stores of `kernel` to buffer accesses.
LogicalResult lowerTransforms(gpu::GPUFuncOp kernel, const ChipInfo &chip);

/// The normal forms of the lowering, see docs/Lowering.md.
enum class Form { Problem, ImplicitGemm, Scheduled, Grid, Block, Lane, Rocdl };

/// The form of a name such as "implicit-gemm", or nothing.
std::optional<Form> parseForm(StringRef name);

/// Checks `module` against `form`; emits an error at the first op that violates it.
LogicalResult verifyForm(ModuleOp module, Form form);

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_TRANSFORMS_H
