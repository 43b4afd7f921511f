//===- KernelDescriptor.h - What a code object says about a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the 64-byte kernel descriptor (NAME.kd) and the AMDGPU metadata note.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_KERNELDESCRIPTOR_H
#define CK_MLIR_LIB_EMULATOR_LOAD_KERNELDESCRIPTOR_H

#include "Emulator/Chip/ChipModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace ckemu {

/// One entry of the kernel argument segment.
struct KernelArgument {
  uint32_t offset = 0;
  uint32_t size = 0;
  std::string kind; ///< value_kind of the metadata: "by_value", "global_buffer", "hidden_..."

  bool isHidden() const { return llvm::StringRef(kind).starts_with("hidden_"); }
};

/// A kernel as the metadata note describes it.
struct KernelMetadata {
  std::string name;
  std::string symbol; ///< "NAME.kd"
  std::vector<KernelArgument> arguments;
  uint32_t kernargSize = 0;
  uint32_t maxGroupSize = 1024;
  uint32_t requiredGroupSize[3] = {0, 0, 0}; ///< 0: any
  uint32_t sgprs = 0, vgprs = 0, agprs = 0;
  uint32_t sgprSpills = 0, vgprSpills = 0;
  uint32_t waveSize = 64;
};

/// The set-up that the descriptor asks for.
struct KernelDescriptor {
  /// In the image, behind the prologue for firmware that does not preload arguments.
  uint64_t entryOffset = 0;
  uint32_t ldsBytes = 0;
  uint32_t privateBytes = 0; ///< per lane
  uint32_t kernargSize = 0;
  uint32_t numVgprs = 0; ///< allocated VGPRs (without AGPRs)
  uint32_t numAgprs = 0;
  uint32_t mode = 0; ///< initial MODE, see ModeBits
  uint32_t userSgprCount = 0;
  bool privateSegmentBuffer = false, dispatchPtr = false, queuePtr = false, kernargPtr = false,
       dispatchId = false, flatScratchInit = false, privateSegmentSize = false;
  uint32_t preloadLength = 0, preloadOffset = 0; ///< dwords
  bool workgroupId[3] = {false, false, false};
  bool privateSegment = false; ///< private memory is used; before gfx942 also an SGPR of its offset
  unsigned workItemIds = 0;    ///< 0: x, 1: x y, 2: x y z
  uint32_t waveSize = 64;
  bool wholeUnit = true; ///< false in the CU mode of RDNA: one half of a WGP
  bool usesDynamicStack = false;
};

/// Parses the 64 bytes of a descriptor that lies at `descriptorOffset` of the image.
llvm::Expected<KernelDescriptor> parseKernelDescriptor(llvm::ArrayRef<uint8_t> bytes,
                                                       uint64_t descriptorOffset,
                                                       const ChipModel &chip);

/// Parses the msgpack document of an NT_AMDGPU_METADATA note.
llvm::Expected<std::vector<KernelMetadata>> parseKernelMetadata(llvm::StringRef document);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_KERNELDESCRIPTOR_H
