//===- Isas.cpp - HSA: instruction sets -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one instruction set, that of the emulated chip.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hsa/Runtime.h"
#include <array>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hsa;

/// "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-".
static std::string getIsaName(const ChipModel &chip) {
  return "amdgcn-amd-amdhsa--" + chip.name.str() + chip.targetFeatures.str();
}

CK_HSA_EXPORT hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent,
                                                  hsa_status_t (*callback)(hsa_isa_t, void *),
                                                  void *data) {
  return call("hsa_agent_iterate_isas", [&](const Options &) {
    if (!callback)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (agent.handle != kHostAgent && agent.handle != kDeviceAgent)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    return agent.handle == kDeviceAgent ? callback(hsa_isa_t{kIsaHandle}, data)
                                        : HSA_STATUS_SUCCESS;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa) {
  return call("hsa_isa_from_name", [&](const Options &options) {
    if (!name || !isa)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const std::string ours = getIsaName(*options.chip);
    if (ours != name)
      return fail("hsa_isa_from_name", HSA_STATUS_ERROR_INVALID_ISA_NAME,
                  "expected " + ours + ", got '" + name + "'");
    isa->handle = kIsaHandle;
    return HSA_STATUS_SUCCESS;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute,
                                                void *value) {
  return call("hsa_isa_get_info_alt", [&](const Options &options) {
    if (isa.handle != kIsaHandle)
      return HSA_STATUS_ERROR_INVALID_ISA;
    if (!value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const ChipModel &chip = *options.chip;
    const std::string name = getIsaName(chip);
    switch (unsigned(attribute)) {
    case HSA_ISA_INFO_NAME_LENGTH:
      return answer<uint32_t>(value, uint32_t(name.size() + 1));
    case HSA_ISA_INFO_NAME:
      std::memcpy(value, name.c_str(), name.size() + 1);
      return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
      return answer<uint32_t>(value, 1);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
      return answer<uint32_t>(value, chip.waveSize);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
      return answer<uint32_t>(value, chip.wavesPerSimd * chip.simdsPerUnit);
    case HSA_ISA_INFO_MACHINE_MODELS: // of HSA_MACHINE_MODEL_SMALL and LARGE
      return answer(value, std::array<bool, 2>{false, true});
    case HSA_ISA_INFO_PROFILES: // of HSA_PROFILE_BASE and FULL
      return answer(value, std::array<bool, 2>{true, false});
    case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES: // of the default, to zero and to nearest
    case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
      return answer(value, std::array<bool, 3>{false, false, true});
    case HSA_ISA_INFO_FAST_F16_OPERATION:
      return answer(value, true);
    case HSA_ISA_INFO_WORKGROUP_MAX_DIM: {
      const uint16_t dimensions[3] = {kMaxGroupItems, kMaxGroupItems, kMaxGroupItems};
      std::memcpy(value, dimensions, sizeof(dimensions));
      return HSA_STATUS_SUCCESS;
    }
    case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
      return answer<uint32_t>(value, kMaxGroupItems);
    case HSA_ISA_INFO_GRID_MAX_DIM:
      return answer(value, hsa_dim3_t{UINT32_MAX, UINT32_MAX, UINT32_MAX});
    case HSA_ISA_INFO_GRID_MAX_SIZE:
      return answer<uint64_t>(value, UINT64_MAX);
    case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
      return answer<uint32_t>(value, 0);
    default:
      return fail("hsa_isa_get_info_alt", HSA_STATUS_ERROR_INVALID_ARGUMENT,
                  "attribute " + std::to_string(unsigned(attribute)) + " is not known");
    }
  });
}

CK_HSA_EXPORT hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index,
                                            void *value) {
  return index == 0 ? hsa_isa_get_info_alt(isa, attribute, value) : HSA_STATUS_ERROR_INVALID_INDEX;
}

CK_HSA_EXPORT hsa_status_t hsa_isa_compatible(hsa_isa_t codeObject, hsa_isa_t agent, bool *result) {
  return call("hsa_isa_compatible", [&](const Options &) {
    if (codeObject.handle != kIsaHandle || agent.handle != kIsaHandle)
      return HSA_STATUS_ERROR_INVALID_ISA;
    return result ? answer(result, true) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_isa_iterate_wavefronts(
    hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t, void *), void *data) {
  return call("hsa_isa_iterate_wavefronts", [&](const Options &) {
    if (isa.handle != kIsaHandle)
      return HSA_STATUS_ERROR_INVALID_ISA;
    return callback ? callback(hsa_wavefront_t{kWavefrontHandle}, data)
                    : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wavefront,
                                                  hsa_wavefront_info_t attribute, void *value) {
  return call("hsa_wavefront_get_info", [&](const Options &options) {
    if (wavefront.handle != kWavefrontHandle)
      return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
    if (attribute != HSA_WAVEFRONT_INFO_SIZE || !value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return answer<uint32_t>(value, options.chip->waveSize);
  });
}
