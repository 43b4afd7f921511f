//===- TimedCode.h - Decoded code as the model of time sees it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TRACE_TIMEDCODE_H
#define CK_MLIR_LIB_EMULATOR_TRACE_TIMEDCODE_H

#include "Emulator/Decode/Decoder.h"
#include "ck-mlir/Emulator/Timing.h"

namespace ckemu {

/// The instructions of `code`, which is for `chip`, in the same order.
std::vector<TimedInstruction> makeTimedCode(const DecodedCode &code, const ChipModel &chip);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TRACE_TIMEDCODE_H
