//===- HostcallTest.cpp - What kernels ask the host to do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// printf in kernels, by a device side that is written here as AMD's device library has it.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <cstring>

static uint64_t pack(const char *text) {
  uint64_t word = 0;
  std::memcpy(&word, text, std::min(std::strlen(text), sizeof(word)));
  return word;
}

TEST(Hostcalls, Printf) {
  DeviceModule module(CK_HOSTCALLS_CODE);
  DeviceArray<uint64_t> answers(std::vector<uint64_t>(512, 99));
  testing::internal::CaptureStdout();
  const hipError_t code = module.launch("print_some", 4, 128, pack("text"), answers.get());
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_HIP(code);
  const std::vector<uint64_t> lengths = answers.read();
  for (unsigned item = 0; item < 512; ++item) {
    const std::string line = std::to_string(item) + " of text\n";
    EXPECT_EQ(lengths[item], item % 50 == 0 ? line.size() : 99) << item;
    const size_t place = ("\n" + printed).find("\n" + line);
    EXPECT_EQ(place != std::string::npos, item % 50 == 0) << item << " in " << printed;
  }
  // The lanes of a wave in their order.
  EXPECT_LT(("\n" + printed).find("\n0 of"), printed.find("\n50 of"));
}

TEST(Hostcalls, Memory) {
  DeviceModule module(CK_HOSTCALLS_CODE);
  DeviceArray<uint64_t> answer(std::vector<uint64_t>{99});
  testing::internal::CaptureStderr();
  const hipError_t code = module.launch("ask_for_memory", 1, 1, answer.get());
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "kernel 'ask_for_memory' asks for memory: malloc in kernels is not implemented"),
            std::string::npos);
  EXPECT_HIP(code);
  EXPECT_EQ(answer.read(), (std::vector<uint64_t>{0}));
}

TEST(Hostcalls, Faults) {
  DeviceModule module(CK_HOSTCALLS_CODE);
  DeviceArray<uint64_t> answer(1);
  EXPECT_EQ(module.launch("ask_for_unknown", 1, 1, answer.get()), hipErrorLaunchFailure);
  expectMessage("hostcall service 77 is not implemented");
  EXPECT_EQ(module.launch("continue_nothing", 1, 1, answer.get()), hipErrorLaunchFailure);
  expectMessage("a hostcall continues message 12345, which has not begun");
}
