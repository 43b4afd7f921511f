//===- Verify.h - What ck-run compares results with -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of the host is independent of the compiler, the one of the device is fast enough
// for whole networks on a GPU; both are judged by the same tolerances.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_RUN_VERIFY_H
#define CK_MLIR_LIB_RUN_VERIFY_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Reference/Compare.h"
#include "ck-mlir/Runtime/Device.h"
#include "mlir/IR/BuiltinOps.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// A problem that has been run and what is known about it.
struct VerifyRequest {
  const Problem &problem;
  mlir::ModuleOp module; // that the problem was read from; null for a problem string
  llvm::StringRef chip;
  const Schedule &schedule; // that it was run with
  llvm::ArrayRef<TensorData> reads;
  const TensorData &result;
  int64_t slices = 1;     // of the K steps of a tile, at most
  bool exactSums = false; // every order of summation gives the same accumulators
  int64_t intRange = 0;   // of the whole numbers in `reads`, if sums are exact
};

/// What came out, and what was allowed.
struct Verification {
  Comparison comparison;
  Tolerance tolerance;
};

/// Compares with lib/Reference.
llvm::Expected<Verification> verifyOnHost(const VerifyRequest &request);

/// Compares with the naive kernel, compiled for the same chip and run on `device`.
llvm::Expected<Verification> verifyOnDevice(const VerifyRequest &request, const Device &device);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_RUN_VERIFY_H
