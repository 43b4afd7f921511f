//===- Environment.cpp - Variables that choose the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Environment.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Environment.h"
#include "llvm/Support/Process.h"

using llvm::StringRef;

std::string mlir::ck::getVariable(StringRef name, StringRef defaultValue) {
  std::string value = llvm::sys::Process::GetEnv(name).value_or("");
  return value.empty() ? defaultValue.str() : value;
}

static std::string getEmulatedProduct() {
  return mlir::ck::getVariable("CK_EMULATOR_CHIP", "gfx942");
}

std::string mlir::ck::getEmulatorChip() {
  return StringRef(getEmulatedProduct()).split(':').first.str();
}

std::string mlir::ck::getEmulatorProduct(StringRef chip) {
  return getEmulatorChip() == chip ? getEmulatedProduct() : chip.str();
}
