//===- Roofline.cpp - The least time that a problem can take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Roofline.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Roofline.h"
#include "Schedule/TimeModel/ChipRates.h"

using namespace mlir::ck;

Roofline mlir::ck::getRoofline(const Problem &problem, const ChipInfo &chip) {
  const detail::ChipRates &rates = detail::getChipRates(chip);
  const auto reads = getReads(problem);
  const int64_t size = getSizeInBytes(reads.front().type);
  const double macs = size == 1 ? rates.macs8 : size == 2 ? rates.macs16 : rates.macs32;
  auto bytes = double(getWrite(problem).getSizeInBytes());
  for (const TensorDesc &tensor : reads)
    bytes += double(tensor.getSizeInBytes());
  const double gigabytes = bytes <= rates.mallBytes ? rates.mallGigabytes : rates.memoryGigabytes;
  constexpr double kFlopsOfMac = 2, kBytesPerMicrosecond = 1e3; // at 1 GB/s
  Roofline roofline;
  roofline.matrix = getFlops(problem) / kFlopsOfMac /
                    (macs * double(chip.simdsPerCu * chip.numCus) * rates.clockMHz);
  roofline.memory = bytes / (gigabytes * kBytesPerMicrosecond);
  return roofline;
}
