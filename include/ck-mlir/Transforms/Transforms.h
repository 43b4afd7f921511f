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

#include "ck-mlir/IR/Form.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir::ck {
class TuningTable;

/// Replaces a convolution or matrix product on memrefs by views and a `ck.gemm`, or a
/// `ck.gemm_table` where it takes several. `mergedGroups` groups of a convolution become one GEMM;
/// 0 chooses. `foldedPositions` and `joinsChannels` are those of `GemmColumns`, for problems that
/// can have them; without `foldedPositions` both are chosen. Emits an error at `op` for what is not
/// supported, before anything is changed.
FailureOr<Operation *>
convertConvToGemm(RewriterBase &rewriter, ProblemOpInterface op, int64_t mergedGroups = 0,
                  std::optional<ArrayRef<int64_t>> foldedPositions = std::nullopt,
                  bool joinsChannels = false);

/// Completes `request` for `op`, a `ck.gemm` or `ck.gemm_table`, on `chip` and sets the schedule on
/// its GEMMs, with the layout of accumulators and the way of results; those of a table share
/// schedule and layout. Emits an error with the reason at `op` if it cannot be generated for
/// `residents` resident workgroups (0: one on every compute unit). A workspace is another argument
/// of the function, or with `allocWorkspace` an allocation in it. The schedule that `table` has for
/// the attribute `ck.problem` of `op` is taken where `findTuned` returns it; the attribute is
/// removed.
LogicalResult assignSchedule(Operation *op, const ScheduleRequest &request, const ChipInfo &chip,
                             int64_t residents = 0, bool allocWorkspace = false,
                             const TuningTable *table = nullptr);

/// Moves `op`, a `ck.gemm` or `ck.gemm_table` of form `scheduled`, into a kernel of `kernels` and
/// launches it from its place, with a workspace as in `assignSchedule`.
FailureOr<gpu::GPUFuncOp> outlineGemm(RewriterBase &rewriter, Operation *op,
                                      gpu::GPUModuleOp kernels, StringRef name,
                                      int64_t residents = 0, bool allocWorkspace = false);

/// Moves `op`, a `ck.gemm` or `ck.gemm_table`, into a kernel of `kernels` with one work-item for
/// every element of the result and launches it from its place.
FailureOr<gpu::GPUFuncOp> outlineNaive(RewriterBase &rewriter, Operation *op,
                                       gpu::GPUModuleOp kernels, StringRef name);

/// Replaces `distribute` by the code of one workgroup. Emits an error for partitions that are not
/// supported.
LogicalResult expandPartition(RewriterBase &rewriter, DistributeOp distribute);

/// Moves the body of `kernel`, which must be of form `workgroup`, into wave roles and pipelines its
/// block GEMMs; false if it works on no accumulators.
FailureOr<bool> pipelineBlockGemm(RewriterBase &rewriter, gpu::GPUFuncOp kernel);

/// Replaces every `ck.direct_gemm` of `kernel` by the code of one lane.
LogicalResult expandDirect(RewriterBase &rewriter, gpu::GPUFuncOp kernel);

/// Distributes the tiles of `kernel` to waves and lanes of `chip`.
LogicalResult distributeToWaves(gpu::GPUFuncOp kernel, const ChipInfo &chip);

/// Patterns that replace functions of f32, scalars or vectors, by arithmetic within 2 units in the
/// last place: the `math` ops exp, exp2, expm1, log, log2, log10, log1p, rsqrt, tanh, erf, erfc,
/// sin, cos, powf, and the activations `ck.gelu`, `ck.silu` and `ck.sigmoid`; and floor and ceil
/// exactly.
void populateExpandMathPatterns(RewritePatternSet &patterns);

/// Lowers cursors, loads and stores of `kernel` to buffer accesses.
LogicalResult lowerTransforms(gpu::GPUFuncOp kernel, const ChipInfo &chip);

/// Turns the hints in `kernel` into those of LLVM's scheduler and of the hardware.
void lowerHints(RewriterBase &rewriter, gpu::GPUFuncOp kernel);

/// Gives every buffer that problems on memrefs or `gpu.launch` ops of `function` work on a twin on
/// the device, with the copies between the two that the program needs. Emits an error at an op
/// whose buffer has a layout that cannot be copied.
LogicalResult placeBuffers(func::FuncOp function);

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_TRANSFORMS_H
