//===- TestModules.h - gpu.modules for the serializer's tests -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hand-written modules of the last rung, as small as each test allows.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_COMPILER_TESTMODULES_H
#define CK_MLIR_TEST_UNIT_COMPILER_TESTMODULES_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Serialize/Serialize.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::ck {

/// A kernel @k around `body`, which may use %out and %lane.
inline std::string makeKernel(llvm::StringRef body, llvm::StringRef chip = "gfx942",
                              llvm::StringRef globals = "") {
  return ("gpu.module @kernels [#rocdl.target<O = 3, chip = \"" + chip + "\">] {\n" + globals +
          "\n  llvm.func @k(%out: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, "
          "rocdl.flat_work_group_size = \"64,64\"} {\n    %lane = rocdl.workitem.id.x : i32\n" +
          body + "\n    llvm.return\n  }\n}")
      .str();
}

/// Stores the lane id.
inline constexpr llvm::StringLiteral kStoreLane =
    "%p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
    "llvm.store %lane, %p : i32, !llvm.ptr<1>";

/// Serializes the gpu.module in `text`.
inline llvm::Expected<SerializedModule> serializeText(const std::string &text,
                                                      const SerializeOptions &options = {}) {
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context.get());
  EXPECT_TRUE(module) << text;
  if (!module)
    return llvm::createStringError("the test's module does not parse");
  return serializeGpuModule(*module->getOps<gpu::GPUModuleOp>().begin(), options);
}

/// The error of a module that must not serialize.
inline std::string getSerializeError(const std::string &text) {
  llvm::Expected<SerializedModule> serialized = serializeText(text);
  return serialized ? "serialized" : llvm::toString(serialized.takeError());
}

} // namespace mlir::ck

#endif // CK_MLIR_TEST_UNIT_COMPILER_TESTMODULES_H
