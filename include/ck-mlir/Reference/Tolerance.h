//===- Tolerance.h - How far a result may be from the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composable Kernel's error model: the unit roundoff of the compute, output and accumulation types,
// the last one times the number of accumulations.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_TOLERANCE_H
#define CK_MLIR_REFERENCE_TOLERANCE_H

#include "ck-mlir/Problem/Problem.h"

namespace mlir::ck {

/// |result - reference| <= atol + rtol * |reference| passes; both 0 demands equality.
struct Tolerance {
  double rtol = 0, atol = 0;
};

/// max(0.5 * 2^-mantissa(compute), 0.5 * 2^-mantissa(out), 0.5 * 2^-mantissa(acc) * accumulations);
/// 0 when one of the types is an integer.
double getRelativeTolerance(DataType compute, DataType out, DataType acc, int64_t accumulations);

/// The same with every term times |maxValue|, the largest magnitude of the result.
double getAbsoluteTolerance(DataType compute, DataType out, DataType acc, double maxValue,
                            int64_t accumulations);

/// The tolerance of a problem whose reference has the largest magnitude `maxValue`. The GEMM-K is
/// the number of accumulations. With `splitK` > 1 partial results are added in the output type.
Tolerance getTolerance(const Problem &problem, double maxValue, int64_t splitK = 1);

/// The tolerance of a problem with a chain of steps, from the largest magnitudes of its sums and of
/// each operand. The error of the accumulation (GEMM-K roundings of f32) goes through the steps:
/// each scales it by the largest slope of its function and adds its own roundings, 2 units in the
/// last place for gelu, silu, sigmoid and tanh, half a unit for other arithmetic. At the end come
/// the roundings of result and reference to the output type.
Tolerance getEpilogueTolerance(const Problem &problem, double maxSum,
                               llvm::ArrayRef<double> maxOperands, int64_t splitK = 1);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_TOLERANCE_H
