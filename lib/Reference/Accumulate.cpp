//===- Accumulate.cpp - The innermost loop of the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All time is spent here, so the loop is compiled for several instruction sets; the loader picks
// the widest that the host has.
//
//===----------------------------------------------------------------------===//

#include "Reference/Accumulate.h"

using namespace mlir::ck;

#if defined(__x86_64__) && defined(__ELF__)
#define CK_FOR_EVERY_HOST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CK_FOR_EVERY_HOST
#endif

CK_FOR_EVERY_HOST
void mlir::ck::addLongScaledRow(double *__restrict sums, float factor, const float *__restrict row,
                                int64_t length) {
  double wide = factor;
  for (int64_t i = 0; i < length; ++i)
    sums[i] += wide * double(row[i]);
}

CK_FOR_EVERY_HOST
void mlir::ck::addLongScaledRow(int64_t *__restrict sums, int32_t factor,
                                const int32_t *__restrict row, int64_t length) {
  int64_t wide = factor;
  for (int64_t i = 0; i < length; ++i)
    sums[i] += wide * int64_t(row[i]);
}
