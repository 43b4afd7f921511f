//===- Diagnostics.h - MLIR diagnostics as errors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the compiler: passes and verifiers report through the context, the library returns
// llvm::Error; this is the bridge.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SERIALIZE_DIAGNOSTICS_H
#define CK_MLIR_SERIALIZE_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <string>

namespace mlir::ck {

/// Collects the errors of a context for the duration of a scope. A location in a file is kept as
/// "file:line:column: "; notes follow their error in parentheses.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context);

  /// The collected errors on one line, or `fallback` when there are none.
  llvm::Error takeError(const llvm::Twine &fallback);

private:
  void append(Diagnostic &diagnostic);

  std::mutex mutex; // passes of several threads may report
  std::string errors;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::ck

#endif // CK_MLIR_SERIALIZE_DIAGNOSTICS_H
