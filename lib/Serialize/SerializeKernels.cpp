//===- SerializeKernels.cpp - The serializer as a pass -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin pass over serializeGpuModule, so that ck-opt ends its ladder with the very bytes that the
// driver writes.
//
//   gpu.module @kernels [#rocdl.target<chip = "gfx942">] { llvm.func @k() attributes {rocdl.kernel}
//   }
//     -> gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "\7FELF...">]
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Form.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Serialize/Serialize.h"

namespace mlir::ck {
#define GEN_PASS_DEF_SERIALIZEKERNELSPASS
#include "ck-mlir/Serialize/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
struct SerializeKernelsPass final : ck::impl::SerializeKernelsPassBase<SerializeKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerSerializationTranslations(registry);
  }

  LogicalResult serialize(gpu::GPUModuleOp module) {
    SerializeOptions options;
    options.emitAssembly = format == "isa";
    options.emitObject = format == "object";
    options.emitCodeObject = format == "binary";
    llvm::Expected<SerializedModule> serialized = serializeGpuModule(module, options);
    if (!serialized)
      return module.emitError() << "failed to serialize gpu.module @" << module.getName() << ": "
                                << llvm::toString(serialized.takeError());
    for (const KernelResources &kernel : serialized->kernels)
      numCodeBytes += kernel.codeBytes;
    replaceByBinary(module, *serialized);
    return success();
  }

  void runOnOperation() override {
    if (format != "isa" && format != "object" && format != "binary") {
      getOperation().emitError() << "'format' must be isa, object or binary, got '" << format
                                 << "'";
      return signalPassFailure();
    }
    if (failed(verifyInput(getOperation(), Form::Rocdl)))
      return signalPassFailure();
    auto modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules)
      if (failed(serialize(module)))
        return signalPassFailure();
  }
};
} // namespace
