//===- TouchedLines.h - Which lines the lanes of an access touch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a vector access makes of the addresses of its lanes before it goes to a cache.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_TOUCHEDLINES_H
#define CK_MLIR_LIB_EMULATOR_TRACE_TOUCHEDLINES_H

#include "Emulator/Decode/Lanes.h"
#include "ck-mlir/Emulator/Trace.h"
#include "llvm/ADT/ArrayRef.h"

namespace ckemu {

/// Appends to `lines` the distinct lines that `size` (1 to 16) bytes from addresses[i] + shift on
/// touch, for every lane i of `lanes`. Returns TraceAccess::addressCycles.
unsigned findTouchedLines(const Lanes64 &addresses, uint64_t shift, LaneMask lanes, unsigned size,
                          std::vector<TraceLine> &lines);

/// Counts for each of `lines`, which findTouchedLines has found, the dwords that the lanes change.
void countChangedDwords(const Lanes64 &addresses, uint64_t shift, LaneMask lanes, unsigned size,
                        llvm::MutableArrayRef<TraceLine> lines);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_TOUCHEDLINES_H
