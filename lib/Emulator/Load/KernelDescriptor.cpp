//===- KernelDescriptor.cpp - What a code object says about a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit positions are those of llvm/Support/AMDHSAKernelDescriptor.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/KernelDescriptor.h"
#include "Emulator/Decode/Instruction.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Load/MetadataNode.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include <cstring>

using namespace ckemu;
namespace hsa = llvm::amdhsa;

/// Bytes that a kernel with preloaded arguments has before its real entry, for firmware without
/// support for preloading.
static constexpr uint64_t kPreloadPrologue = 256;

/// Bytes of arguments that are accepted, so that malformed numbers cannot ask for all memory.
static constexpr uint32_t kMaxArgumentBytes = 1 << 20;

static void readRegisters(const hsa::kernel_descriptor_t &raw, const ChipModel &chip,
                          KernelDescriptor &result) {
  uint32_t granulated =
      AMDHSA_BITS_GET(raw.compute_pgm_rsrc1, hsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT);
  uint32_t total = (granulated + 1) * chip.encodingGranule * chip.waveSize / result.waveSize;
  if (!chip.unifiedRegisters) {
    result.numVgprs = total;
    return;
  }
  uint32_t accumOffset =
      (AMDHSA_BITS_GET(raw.compute_pgm_rsrc3, hsa::COMPUTE_PGM_RSRC3_GFX90A_ACCUM_OFFSET) + 1) * 4;
  result.numVgprs = std::min({total, accumOffset, 256u});
  result.numAgprs = std::min(total - result.numVgprs, 256u);
}

static void readUserSgprs(const hsa::kernel_descriptor_t &raw, KernelDescriptor &result) {
  uint32_t properties = raw.kernel_code_properties;
  auto has = [&](uint32_t mask) { return (properties & mask) != 0; };
  result.privateSegmentBuffer = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
  result.dispatchPtr = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR);
  result.queuePtr = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR);
  result.kernargPtr = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
  result.dispatchId = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID);
  result.flatScratchInit = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT);
  result.privateSegmentSize = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE);
  result.waveSize = has(hsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32) ? 32 : 64;
  result.usesDynamicStack = has(hsa::KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK);
  uint32_t preload = raw.kernarg_preload;
  result.preloadLength = AMDHSA_BITS_GET(preload, hsa::KERNARG_PRELOAD_SPEC_LENGTH);
  result.preloadOffset = AMDHSA_BITS_GET(preload, hsa::KERNARG_PRELOAD_SPEC_OFFSET);
}

/// The bits of DX10_CLAMP and IEEE mean something else on gfx12, which always clamps NaN to 0.
static uint32_t readClampMode(uint32_t rsrc1, const ChipModel &chip) {
  if (chip.isa == Isa::Gfx12)
    return kModeDx10Clamp;
  return AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP) << 8 |
         AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_IEEE_MODE) << 9;
}

static void readSystemRegisters(uint32_t rsrc1, uint32_t rsrc2, const ChipModel &chip,
                                KernelDescriptor &result) {
  result.mode = AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32) |
                AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_16_64) << 2 |
                AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32) << 4 |
                AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64) << 6 |
                readClampMode(rsrc1, chip);
  if (!isCdna(chip.isa))
    result.wholeUnit = AMDHSA_BITS_GET(rsrc1, hsa::COMPUTE_PGM_RSRC1_GFX10_PLUS_WGP_MODE);
  result.userSgprCount = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT);
  result.workgroupId[0] = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X);
  result.workgroupId[1] = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y);
  result.workgroupId[2] = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z);
  result.privateSegment = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT);
  result.workItemIds = AMDHSA_BITS_GET(rsrc2, hsa::COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID);
}

llvm::Expected<KernelDescriptor> ckemu::parseKernelDescriptor(llvm::ArrayRef<uint8_t> bytes,
                                                              uint64_t descriptorOffset,
                                                              const ChipModel &chip) {
  hsa::kernel_descriptor_t raw;
  if (bytes.size() < sizeof(raw))
    return llvm::createStringError("expected a kernel descriptor of 64 bytes, got %zu",
                                   bytes.size());
  std::memcpy(&raw, bytes.data(), sizeof(raw));
  KernelDescriptor result;
  result.ldsBytes = raw.group_segment_fixed_size;
  result.privateBytes = raw.private_segment_fixed_size;
  result.kernargSize = raw.kernarg_size;
  if (result.kernargSize > kMaxArgumentBytes)
    return llvm::createStringError("argument bytes must be in [0, " +
                                   llvm::Twine(kMaxArgumentBytes) + "], got " +
                                   llvm::Twine(result.kernargSize));
  readUserSgprs(raw, result);
  if (result.waveSize < chip.waveSize)
    return llvm::createStringError("waves of " + llvm::Twine(result.waveSize) +
                                   " lanes do not exist on " + chip.name);
  readRegisters(raw, chip, result);
  readSystemRegisters(raw.compute_pgm_rsrc1, raw.compute_pgm_rsrc2, chip, result);
  result.entryOffset = descriptorOffset + uint64_t(raw.kernel_code_entry_byte_offset);
  if (result.preloadLength > 0)
    result.entryOffset += kPreloadPrologue;
  if (result.privateSegmentBuffer && chip.architectedFlatScratch)
    return llvm::createStringError("a private segment buffer is not used on " + chip.name);
  return result;
}

static KernelMetadata readKernel(const MetadataNode &map) {
  KernelMetadata kernel;
  map.read(".name", kernel.name);
  map.read(".symbol", kernel.symbol);
  map.read(".kernarg_segment_size", kernel.kernargSize);
  map.read(".max_flat_workgroup_size", kernel.maxGroupSize);
  map.read(".sgpr_count", kernel.sgprs);
  map.read(".vgpr_count", kernel.vgprs);
  map.read(".agpr_count", kernel.agprs);
  map.read(".sgpr_spill_count", kernel.sgprSpills);
  map.read(".vgpr_spill_count", kernel.vgprSpills);
  map.read(".wavefront_size", kernel.waveSize);
  const MetadataNode *size = map.find(".reqd_workgroup_size");
  if (size && size->elements.size() == 3)
    for (unsigned i = 0; i < 3; ++i)
      kernel.requiredGroupSize[i] = uint32_t(size->elements[i].number);
  if (const MetadataNode *arguments = map.find(".args"))
    for (const MetadataNode &argument : arguments->elements) {
      KernelArgument &added = kernel.arguments.emplace_back();
      argument.read(".offset", added.offset);
      argument.read(".size", added.size);
      argument.read(".value_kind", added.kind);
    }
  return kernel;
}

static llvm::Error checkArguments(const KernelMetadata &kernel) {
  uint64_t end = kernel.kernargSize;
  for (const KernelArgument &argument : kernel.arguments)
    end = std::max<uint64_t>(end, uint64_t(argument.offset) + argument.size);
  if (end <= kMaxArgumentBytes)
    return llvm::Error::success();
  return llvm::createStringError("argument bytes must be in [0, " + llvm::Twine(kMaxArgumentBytes) +
                                 "], got " + llvm::Twine(end) + ", in kernel '" +
                                 shortenKernelName(kernel.name) + "'");
}

llvm::Expected<std::vector<KernelMetadata>> ckemu::parseKernelMetadata(llvm::StringRef document) {
  llvm::Expected<MetadataNode> root = parseMetadata(document);
  if (!root)
    return root.takeError();
  std::vector<KernelMetadata> result;
  if (const MetadataNode *kernels = root->find("amdhsa.kernels"))
    for (const MetadataNode &node : kernels->elements) {
      result.push_back(readKernel(node));
      if (llvm::Error error = checkArguments(result.back()))
        return std::move(error);
    }
  return result;
}
