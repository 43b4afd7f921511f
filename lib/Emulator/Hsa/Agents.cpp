//===- Agents.cpp - HSA: devices and their memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two agents, the host and the emulated chip, each with a pool of memory that programs can ask
// about, but not allocate from.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hsa/Runtime.h"
#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace ckemu;
using namespace ckemu::hsa;

static constexpr size_t kNameBytes = 64, kUuidBytes = 21;

CK_HSA_EXPORT hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *),
                                              void *data) {
  return call("hsa_iterate_agents", [&](const Options &) {
    if (!callback)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint64_t handle : {kHostAgent, kDeviceAgent})
      if (hsa_status_t status = callback(hsa_agent_t{handle}, data); status != HSA_STATUS_SUCCESS)
        return status;
    return HSA_STATUS_SUCCESS;
  });
}

/// Writes `text`, cut to fit, and zeros behind it to the `size` bytes at `value`.
static hsa_status_t answerText(void *value, const std::string &text, size_t size = kNameBytes) {
  std::memset(value, 0, size);
  std::memcpy(value, text.data(), std::min(text.size(), size - 1));
  return HSA_STATUS_SUCCESS;
}

/// What both agents have.
static hsa_status_t getCommonInfo(const Options &options, bool isDevice, unsigned attribute,
                                  void *value) {
  const ChipModel &chip = *options.chip;
  switch (attribute) {
  case HSA_AGENT_INFO_NAME:
    return answerText(value, isDevice ? chip.name.str() : "host");
  case HSA_AGENT_INFO_VENDOR_NAME:
    return answerText(value, isDevice ? "AMD" : "CPU");
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return answerText(value, isDevice ? chip.product->deviceName.str() : "host");
  case HSA_AGENT_INFO_FEATURE:
    return answer(value, isDevice ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : hsa_agent_feature_t(0));
  case HSA_AGENT_INFO_MACHINE_MODEL:
    return answer(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_AGENT_INFO_PROFILE:
    return answer(value, isDevice ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
  case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
  case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return answer(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_AGENT_INFO_NODE:
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
    return answer<uint32_t>(value, isDevice);
  case HSA_AGENT_INFO_DEVICE:
    return answer(value, isDevice ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
  case HSA_AGENT_INFO_VERSION_MAJOR:
  case HSA_AGENT_INFO_VERSION_MINOR:
    return answer<uint16_t>(value, 1);
  case HSA_AGENT_INFO_EXTENSIONS:
    std::memset(value, 0, 128);
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_CACHE_SIZE: {
    const uint32_t sizes[4] = {0, isDevice ? uint32_t(chip.product->l2Bytes) : 0, 0, 0};
    std::memcpy(value, sizes, sizeof(sizes));
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    return answer<uint32_t>(value, isDevice ? options.computeUnits
                                            : uint32_t(sysconf(_SC_NPROCESSORS_ONLN)));
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

/// What only the chip has: it executes kernels.
static hsa_status_t getDeviceInfo(const Options &options, unsigned attribute, void *value) {
  const ChipModel &chip = *options.chip;
  switch (attribute) {
  case HSA_AGENT_INFO_FAST_F16_OPERATION:
    return answer(value, true);
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    return answer<uint32_t>(value, chip.waveSize);
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM: {
    const uint16_t dimensions[3] = {kMaxGroupItems, kMaxGroupItems, kMaxGroupItems};
    std::memcpy(value, dimensions, sizeof(dimensions));
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    return answer<uint32_t>(value, kMaxGroupItems);
  case HSA_AGENT_INFO_GRID_MAX_DIM:
    return answer(value, hsa_dim3_t{UINT32_MAX, UINT32_MAX, UINT32_MAX});
  case HSA_AGENT_INFO_GRID_MAX_SIZE:
    return answer<uint32_t>(value, UINT32_MAX);
  case HSA_AGENT_INFO_ISA:
    return answer(value, hsa_isa_t{kIsaHandle});
  case HSA_AGENT_INFO_QUEUES_MAX: // there are only those of HIP
  case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
  case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
  case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
  case HSA_AMD_AGENT_INFO_CHIP_ID:
  case HSA_AMD_AGENT_INFO_BDFID:
  case HSA_AMD_AGENT_INFO_DOMAIN:
  case HSA_AMD_AGENT_INFO_ASIC_REVISION:
    return answer<uint32_t>(value, 0);
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
    return answer<uint32_t>(value, 128);
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    return answer<uint32_t>(value, chip.product->clockMHz);
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
    return answer<uint32_t>(value, chip.product->memoryBusBits);
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
    return answer<uint32_t>(value, chip.product->memoryClockMHz);
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    return answer<uint32_t>(value, chip.wavesPerSimd * chip.simdsPerUnit);
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
    return answer<uint32_t>(value, chip.simdsPerUnit);
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return answer(value, true);
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
    return answer<uint32_t>(value, options.computeUnits);
  case HSA_AMD_AGENT_INFO_UUID:
    return answerText(value, "GPU-" + chip.name.str(), kUuidBytes);
  default:
    return fail("hsa_agent_get_info", HSA_STATUS_ERROR_INVALID_ARGUMENT,
                "attribute " + std::to_string(attribute) + " is not known");
  }
}

CK_HSA_EXPORT hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute,
                                              void *value) {
  return call("hsa_agent_get_info", [&](const Options &options) {
    if (agent.handle != kHostAgent && agent.handle != kDeviceAgent)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool isDevice = agent.handle == kDeviceAgent;
    const hsa_status_t common = getCommonInfo(options, isDevice, attribute, value);
    return common == HSA_STATUS_SUCCESS || !isDevice ? common
                                                     : getDeviceInfo(options, attribute, value);
  });
}

CK_HSA_EXPORT hsa_status_t hsa_agent_extension_supported(uint16_t, hsa_agent_t, uint16_t, uint16_t,
                                                         bool *result) {
  return call("hsa_agent_extension_supported", [&](const Options &) {
    return result ? answer(result, false) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *), void *data) {
  return call("hsa_amd_agent_iterate_memory_pools", [&](const Options &) {
    if (agent.handle != kHostAgent && agent.handle != kDeviceAgent)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return callback({agent.handle == kHostAgent ? kHostPool : kDevicePool}, data);
  });
}

CK_HSA_EXPORT hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool,
                                                        hsa_amd_memory_pool_info_t attribute,
                                                        void *value) {
  return call("hsa_amd_memory_pool_get_info", [&](const Options &options) {
    if ((pool.handle != kHostPool && pool.handle != kDevicePool) || !value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool isDevice = pool.handle == kDevicePool;
    switch (attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
      return answer(value, HSA_AMD_SEGMENT_GLOBAL);
    case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
      return answer<uint32_t>(value, isDevice ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED
                                              : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
      return answer<size_t>(value, isDevice ? options.chip->product->memoryBytes
                                            : size_t(sysconf(_SC_PHYS_PAGES)) *
                                                  size_t(sysconf(_SC_PAGESIZE)));
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
      return answer(value, false);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
      return answer<size_t>(value, 0);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  });
}
