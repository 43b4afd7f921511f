//===- Environment.h - Variables that choose the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An empty variable counts as none everywhere, so that a shell can undo what it exported.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_ENVIRONMENT_H
#define CK_MLIR_RUNTIME_ENVIRONMENT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::ck {

/// The value of a variable of the environment; `defaultValue` if it is unset or empty.
std::string getVariable(llvm::StringRef name, llvm::StringRef defaultValue = "");

/// The chip that the emulator is where nothing else names one: CK_EMULATOR_CHIP without a product
/// behind a colon, else gfx942. The name is not checked.
std::string getEmulatorChip();
/// `chip` with the product of CK_EMULATOR_CHIP ("gfx942:mi308x") where that is one of this chip.
std::string getEmulatorProduct(llvm::StringRef chip);

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_ENVIRONMENT_H
