//===- Notes.h - Where the other end of an error is -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand that does not fit is wrong where it is used or where it comes from: verifiers name
// both.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_NOTES_H
#define CK_MLIR_LIB_IR_NOTES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Value.h"
#include <initializer_list>
#include <utility>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// `diagnostic` with a note where each of `values`, named as in the assembly of the op, is defined.
inline InFlightDiagnostic
noteOrigins(InFlightDiagnostic diagnostic,
            std::initializer_list<std::pair<llvm::StringRef, Value>> values) {
  for (auto [name, value] : values)
    diagnostic.attachNote(value.getLoc()) << name << " is defined here";
  return diagnostic;
}

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_NOTES_H
