//===- PrintfText.h - The text of a printf in a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel sends the format and its arguments as words of 64 bits: strings with their final zero
// begin at a word, every other argument is one word.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_PRINTFTEXT_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_PRINTFTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace ckemu {

/// What printf would print. Arguments that are missing, and conversions that C does not know, end
/// the text; %n prints nothing. Widths and precisions are at most 4096.
std::string formatPrintf(llvm::ArrayRef<uint64_t> words);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_PRINTFTEXT_H
