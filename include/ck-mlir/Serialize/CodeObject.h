//===- CodeObject.h - What a code object says about its kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers, LDS and code size are read back from the ELF file that the device will load, not from
// what the compiler meant to do.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SERIALIZE_CODEOBJECT_H
#define CK_MLIR_SERIALIZE_CODEOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::ck {

/// What a kernel takes of the chip, by its metadata (AMDGPUUsage, "Code Object V5 Metadata").
struct KernelResources {
  std::string name;
  int64_t vgprs = 0; // registers of a lane; AGPRs included on chips with a unified file
  int64_t agprs = 0;
  int64_t sgprs = 0;
  int64_t ldsBytes = 0;     // static, of a workgroup
  int64_t scratchBytes = 0; // of a work-item
  int64_t vgprSpills = 0;
  int64_t sgprSpills = 0;
  int64_t kernargBytes = 0;
  int64_t maxThreads = 0; // of a workgroup
  int64_t codeBytes = 0;  // size of the kernel's symbol
};

/// The kernels of an AMDGPU code object in the order of its metadata. Errors: not an ELF file, not
/// for AMDGPU, truncated, no or malformed metadata, a kernel without code.
llvm::Expected<std::vector<KernelResources>> readKernelResources(llvm::StringRef codeObject);

} // namespace mlir::ck

#endif // CK_MLIR_SERIALIZE_CODEOBJECT_H
