//===- TransformTest.cpp - Steps of a map that C++ code makes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The written form cannot have too few dimensions or values, a call can.
//
//===----------------------------------------------------------------------===//

#include "MapTest.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::test;

/// The error of a step of `from` and `into` dimensions, or "ok".
static std::string check(TransformKind kind, size_t from, size_t into, ArrayRef<int64_t> values) {
  std::unique_ptr<MLIRContext> context = makeContext();
  std::string message = "ok";
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  SmallVector<StringAttr> consumed(from, StringAttr::get(context.get(), "a"));
  SmallVector<StringAttr> produced(into, StringAttr::get(context.get(), "b"));
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context.get())); };
  (void)TransformAttr::getChecked(function_ref<InFlightDiagnostic()>(emitError), context.get(),
                                  kind, ArrayRef(consumed), ArrayRef(produced), values);
  return message;
}

TEST(Transform, StepsHaveTheValuesOfTheirKind) {
  EXPECT_EQ(check(TransformKind::Embed, 1, 2, {3, 4, 1, 1, 0}), "ok");
  EXPECT_EQ(check(TransformKind::Embed, 1, 2, {3, 4, 1, 1}),
            "expected 5 values in a step of kind 'embed', got 4");
  EXPECT_EQ(check(TransformKind::Unmerge, 1, 2, {3}),
            "expected 2 values in a step of kind 'unmerge', got 1");
  EXPECT_EQ(check(TransformKind::Pad, 1, 1, {}),
            "expected 2 values in a step of kind 'pad', got 0");
}

TEST(Transform, StepsHaveTheDimensionsOfTheirKind) {
  EXPECT_EQ(check(TransformKind::Merge, 3, 1, {}), "ok");
  EXPECT_EQ(check(TransformKind::Pass, 0, 1, {}),
            "expected 1 consumed dimensions in a step of kind 'pass', got 0");
  EXPECT_EQ(check(TransformKind::Merge, 2, 2, {}),
            "expected 1 produced dimensions in a step of kind 'merge', got 2");
  EXPECT_EQ(check(TransformKind::Freeze, 1, 1, {0}),
            "expected 0 produced dimensions in a step of kind 'freeze', got 1");
}
