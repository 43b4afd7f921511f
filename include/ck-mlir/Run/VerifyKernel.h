//===- VerifyKernel.h - Whether a compiled kernel is right -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels come from caches and archives, too; they are judged as they are, without being compiled
// again.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_VERIFYKERNEL_H
#define CK_MLIR_RUN_VERIFYKERNEL_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Reference/Compare.h"
#include "ck-mlir/Runtime/Device.h"
#include <memory>

namespace mlir::ck {

/// Runs a kernel on whole numbers of `seed` and compares its result with lib/Reference: exactly
/// where sums are exact, otherwise within the tolerance of the problem. Errors: the kernel is for
/// another chip, of a module whose epilogue no problem string can say, or the device fails.
llvm::Expected<Comparison>
verifyKernel(const Device &device, const std::shared_ptr<const KernelImage> &image, uint64_t seed);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_VERIFYKERNEL_H
