//===- HsaTest.cpp - The HSA runtime before HIP -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs ask libhsa-runtime64.so before they use HIP.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"
#include <cstdlib>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <string>
#include <vector>

namespace {
class Hsa : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("CK_EMULATOR_CHIP", "gfx90a:mi210", 1);
    ASSERT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS); }

  /// The agents of a type.
  static std::vector<hsa_agent_t> getAgents(hsa_device_type_t type) {
    std::vector<hsa_agent_t> agents, result;
    auto add = [](hsa_agent_t agent, void *data) {
      static_cast<std::vector<hsa_agent_t> *>(data)->push_back(agent);
      return HSA_STATUS_SUCCESS;
    };
    EXPECT_EQ(hsa_iterate_agents(add, &agents), HSA_STATUS_SUCCESS);
    for (hsa_agent_t agent : agents) {
      hsa_device_type_t found;
      EXPECT_EQ(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &found), HSA_STATUS_SUCCESS);
      if (found == type)
        result.push_back(agent);
    }
    return result;
  }
  template <class T, class Attribute>
  static T get(hsa_agent_t agent, Attribute attribute) {
    T value = {};
    EXPECT_EQ(hsa_agent_get_info(agent, hsa_agent_info_t(attribute), &value), HSA_STATUS_SUCCESS);
    return value;
  }
};
} // namespace

TEST(HsaInit, References) {
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(hsa_iterate_agents(nullptr, nullptr), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

TEST_F(Hsa, Agents) {
  ASSERT_EQ(getAgents(HSA_DEVICE_TYPE_CPU).size(), 1u);
  ASSERT_EQ(getAgents(HSA_DEVICE_TYPE_GPU).size(), 1u);
  const hsa_agent_t device = getAgents(HSA_DEVICE_TYPE_GPU)[0];
  char name[64];
  EXPECT_EQ(hsa_agent_get_info(device, HSA_AGENT_INFO_NAME, name), HSA_STATUS_SUCCESS);
  EXPECT_STREQ(name, "gfx90a");
  EXPECT_EQ(get<uint32_t>(device, HSA_AGENT_INFO_WAVEFRONT_SIZE), 64u);
  EXPECT_EQ(get<uint32_t>(device, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), 104u);
  EXPECT_EQ(get<uint32_t>(device, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY), 1700u);
  int value = 0;
  EXPECT_EQ(hsa_agent_get_info(device, hsa_agent_info_t(9999), &value),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_agent_get_info({77}, HSA_AGENT_INFO_NAME, name), HSA_STATUS_ERROR_INVALID_AGENT);
}

TEST_F(Hsa, InstructionSet) {
  const hsa_agent_t device = getAgents(HSA_DEVICE_TYPE_GPU)[0];
  auto keep = [](hsa_isa_t isa, void *data) {
    *static_cast<hsa_isa_t *>(data) = isa;
    return HSA_STATUS_SUCCESS;
  };
  hsa_isa_t isa = {0}, named = {0};
  EXPECT_EQ(hsa_agent_iterate_isas(device, keep, &isa), HSA_STATUS_SUCCESS);
  uint32_t length = 0;
  EXPECT_EQ(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length), HSA_STATUS_SUCCESS);
  std::string name(length, '\0');
  EXPECT_EQ(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()), HSA_STATUS_SUCCESS);
  EXPECT_EQ(name.c_str(), std::string("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"));
  EXPECT_EQ(hsa_isa_from_name(name.c_str(), &named), HSA_STATUS_SUCCESS);
  EXPECT_EQ(named.handle, isa.handle);
  EXPECT_EQ(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx942", &named),
            HSA_STATUS_ERROR_INVALID_ISA_NAME);
}

TEST_F(Hsa, Memory) {
  auto keep = [](hsa_amd_memory_pool_t pool, void *data) {
    *static_cast<hsa_amd_memory_pool_t *>(data) = pool;
    return HSA_STATUS_SUCCESS;
  };
  hsa_amd_memory_pool_t pool = {0};
  EXPECT_EQ(hsa_amd_agent_iterate_memory_pools(getAgents(HSA_DEVICE_TYPE_GPU)[0], keep, &pool),
            HSA_STATUS_SUCCESS);
  size_t size = 0;
  EXPECT_EQ(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size),
            HSA_STATUS_SUCCESS);
  EXPECT_EQ(size, size_t(64) << 30);
}

TEST_F(Hsa, SystemAndStatus) {
  uint16_t major = 0;
  EXPECT_EQ(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major), HSA_STATUS_SUCCESS);
  EXPECT_EQ(major, 1);
  const char *text = nullptr;
  EXPECT_EQ(hsa_status_string(HSA_STATUS_ERROR_INVALID_ISA, &text), HSA_STATUS_SUCCESS);
  EXPECT_EQ(std::string(text).find("HSA_STATUS_ERROR_INVALID_ISA: "), 0u);
  EXPECT_EQ(hsa_status_string(hsa_status_t(0x7777), &text), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_F(Hsa, RefusesTheRest) {
  testing::internal::CaptureStderr();
  hsa_signal_t signal;
  EXPECT_EQ(hsa_signal_create(0, 0, nullptr, &signal), HSA_STATUS_ERROR);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("hsa_signal_create: is not implemented"),
            std::string::npos);
}
