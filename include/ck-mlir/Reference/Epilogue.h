//===- Epilogue.h - Epilogues on the reference's sums -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge of epilogues: every step from its formula in double, before the one rounding to the
// output type.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_EPILOGUE_H
#define CK_MLIR_REFERENCE_EPILOGUE_H

#include "ck-mlir/Reference/TensorData.h"
#include <functional>

namespace mlir::ck {

/// An output element before its rounding, from its sum and one element of every operand in order.
using EpilogueFunction = std::function<double(double sum, llvm::ArrayRef<double> operands)>;

/// The steps in double. Convert rounds as `encode` does. With `integerSums` (operands of i8) the
/// chain starts from the sum rounded to f32, as it does in kernels.
EpilogueFunction makeEpilogueFunction(llvm::ArrayRef<EpilogueStep> steps, bool integerSums,
                                      Fp8Format fp8 = Fp8Format::FNUZ);

/// An epilogue that finds the operands' elements by itself.
class ElementEpilogue {
public:
  /// `operands` are those of `problem`, whose written tensor is `write`; both must outlive this.
  ElementEpilogue(const TensorDesc &write, llvm::ArrayRef<TensorData> operands,
                  EpilogueFunction function);

  /// The value of element `index`, in memory order of the written tensor, from its sum.
  double apply(double sum, int64_t index) const;

private:
  /// Where element `index` of the result finds its element of one operand:
  /// (index / groupStride % groups) * channels + index / channelStride % channels, or `index`.
  struct Access {
    bool perChannel;
    int64_t groups, groupStride, channels, channelStride;
  };

  llvm::ArrayRef<TensorData> operands;
  llvm::SmallVector<Access, 2> accesses;
  EpilogueFunction function;
};

/// True if the epilogue of `problem` computes in f32 without rounding when its operands are whole
/// numbers in [-intRange, intRange] and all sums are exact. False for a region.
bool isEpilogueExact(const Problem &problem, int64_t intRange);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_EPILOGUE_H
