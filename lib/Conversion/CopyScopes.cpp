//===- CopyScopes.cpp - What tells reads of LDS from copies to it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Conversion/CopyScopes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

static constexpr unsigned kLds = 3; // address space

/// Gives the accesses of `kernel` the scope `reads`, apart from the scope `copies`.
static void addScopes(LLVM::LLVMFuncOp kernel, ArrayAttr reads, ArrayAttr copies) {
  kernel.walk([&](LLVM::AliasAnalysisOpInterface op) {
    if (isa<ROCDL::RawPtrBufferLoadLdsOp>(op)) {
      op.setAliasScopes(copies);
      return;
    }
    bool isLds = llvm::any_of(op.getAccessedOperands(), [](Value pointer) {
      auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
      return type && type.getAddressSpace() == kLds;
    });
    if (!isLds)
      return;
    op.setAliasScopes(reads);
    op.setNoAliasScopes(copies);
  });
}

void ck::addCopyScopes(Operation *root) {
  MLIRContext *context = root->getContext();
  root->walk([&](LLVM::LLVMFuncOp kernel) {
    WalkResult found =
        kernel.walk([](ROCDL::RawPtrBufferLoadLdsOp) { return WalkResult::interrupt(); });
    if (!found.wasInterrupted())
      return;
    auto domain = LLVM::AliasScopeDomainAttr::get(context, /*id=*/kernel.getNameAttr(),
                                                  /*description=*/StringAttr());
    auto makeScope = [&](StringRef name) {
      Attribute scope = LLVM::AliasScopeAttr::get(context, /*id=*/StringAttr::get(context, name),
                                                  domain, /*description=*/StringAttr());
      return ArrayAttr::get(context, scope);
    };
    addScopes(kernel, makeScope("reads"), makeScope("copies"));
  });
}
