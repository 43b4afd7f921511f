//===- ModifierParser.h - Modifiers in the text of an instruction -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_MODIFIERPARSER_H
#define CK_MLIR_LIB_EMULATOR_DECODE_MODIFIERPARSER_H

#include "Emulator/Decode/Instruction.h"
#include <string>

namespace ckemu {

/// Parses one word such as `offset:16`, `offen`, `op_sel:[0,1]` or `quad_perm:[0,1,2,3]` into
/// `mods`; false when it is not a modifier or its value is malformed.
bool parseModifier(llvm::StringRef word, Modifiers &mods);

/// "clamp, op_sel": the names of a set for messages.
std::string describeModifiers(ModifierSet set);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_MODIFIERPARSER_H
