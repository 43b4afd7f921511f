//===- Serialize.h - From gpu.module to a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of the ladder: LLVM and ROCDL dialect in, the bytes of an AMDGPU code object out,
// in process: no program is started, and nothing in the module may abort the process.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SERIALIZE_SERIALIZE_H
#define CK_MLIR_SERIALIZE_SERIALIZE_H

#include "ck-mlir/Serialize/CodeObject.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include <memory>

namespace mlir::ck {

/// Milliseconds per stage, in order.
using StageTimes = std::vector<std::pair<std::string, double>>;

/// The result of a serialization.
struct SerializedModule {
  std::string assembly;                 // with `emitAssembly`
  std::string object;                   // relocatable ELF file, with `emitObject`
  std::string codeObject;               // loadable ELF file, with `emitCodeObject`
  std::vector<KernelResources> kernels; // of the code object
  StageTimes stages;                    // translate, optimize, (assembly), (codegen), (link)
};

struct SerializeOptions {
  bool emitAssembly = false;
  bool emitObject = false;
  bool emitCodeObject = true;
};

/// Serializes `module`, which must hold LLVM and ROCDL dialect only and carry one #rocdl.target.
/// Its context needs the translations of `registerSerializationTranslations`. Errors: another
/// dialect left, an intrinsic that the chip does not have, LDS over the limit, an undefined symbol.
/// May be called from several threads on modules of different contexts.
llvm::Expected<SerializedModule> serializeGpuModule(gpu::GPUModuleOp module,
                                                    const SerializeOptions &options);

/// The only #rocdl.target of `module`, or an error.
llvm::Expected<ROCDL::ROCDLTargetAttr> getRocdlTarget(gpu::GPUModuleOp module);

/// Replaces `module` by a gpu.binary of the same name that holds the code object of `serialized`,
/// or else its object, or else its assembly.
gpu::BinaryOp replaceByBinary(gpu::GPUModuleOp module, const SerializedModule &serialized);

/// Registers the translations to LLVM IR that `serializeGpuModule` needs.
void registerSerializationTranslations(DialectRegistry &registry);

} // namespace mlir::ck

#endif // CK_MLIR_SERIALIZE_SERIALIZE_H
