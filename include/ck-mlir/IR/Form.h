//===- Form.h - The normal forms of the lowering -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between passes: each takes a module of one form and leaves one of the next.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_FORM_H
#define CK_MLIR_IR_FORM_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// The normal forms of the lowering in the order of the ladder, see docs/Lowering.md.
enum class Form {
  Problem,
  ImplicitGemm,
  Scheduled,
  Grid,
  Workgroup,
  Block,
  Wave,
  Arithmetic,
  Lane,
  Upstream,
  Rocdl
};

/// The name of `form`, such as "implicit-gemm".
StringRef getName(Form form);

/// The names of all forms in their order.
SmallVector<StringRef> getFormNames();

/// The form of a name, or nothing.
std::optional<Form> parseForm(StringRef name);

/// Checks `module` against `form`; emits an error at the first op that violates it.
LogicalResult verifyForm(ModuleOp module, Form form);

/// Checks what a pass that takes `form` requires of `root`, a module, a gpu.module or a function:
/// ops of this dialect belong to the form, and none is in a nested module. Kernels of other
/// compilers, without such ops, are left alone; but a module of nothing but kernels that are not of
/// the form is an error. Emits it at the first op that violates this, with the pass that has to run
/// before.
LogicalResult verifyInput(Operation *root, Form form);

} // namespace mlir::ck

#endif // CK_MLIR_IR_FORM_H
