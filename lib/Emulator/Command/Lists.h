//===- Lists.h - What the emulator executes and refuses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists that ck-emulate prints, one entry a line.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_LISTS_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_LISTS_H

#include "Emulator/Command/EmulatorLibrary.h"

namespace ckemu {

/// Chips and products.
llvm::Expected<std::string> listChips(const EmulatorLibrary &library);
/// "executed hipMalloc", "refused hipArrayCreate".
llvm::Expected<std::string> listFunctions(const EmulatorLibrary &library);
/// "executed v_add_f32", "refused image_load".
llvm::Expected<std::string> listInstructions(const EmulatorLibrary &library, llvm::StringRef chip);

/// The mnemonics of the instructions that `chip` has, without suffixes of encodings, in ascending
/// order: LLVM's.
llvm::Expected<std::vector<std::string>> getMnemonics(llvm::StringRef chip);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_LISTS_H
