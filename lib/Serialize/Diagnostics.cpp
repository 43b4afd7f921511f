//===- Diagnostics.cpp - MLIR diagnostics as errors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An error is one line: users of the tools read it on stderr, users of the library in a status.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ck;

mlir::ck::DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        append(diagnostic);
        return success();
      }) {}

/// The message with line ends as spaces, so that quoted IR stays on the line.
static std::string toOneLine(const Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  llvm::replace(text, '\n', ' ');
  return text;
}

void mlir::ck::DiagnosticCollector::append(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::raw_string_ostream os(errors);
  os << (errors.empty() ? "" : "; ");
  if (auto location = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    os << location.getFilename().getValue() << ':' << location.getLine() << ':'
       << location.getColumn() << ": ";
  os << toOneLine(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    if (!llvm::StringRef(note.str()).starts_with("see current operation"))
      os << " (" << toOneLine(note) << ')';
}

llvm::Error mlir::ck::DiagnosticCollector::takeError(const llvm::Twine &fallback) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text = errors.empty() ? fallback.str() : std::move(errors);
  errors.clear();
  return llvm::createStringError(text);
}
