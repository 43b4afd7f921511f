//===- ProfileTest.cpp - Tests of ck-run --profile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts per wave become counts per role.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Profile.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

/// Two waves that load and two that compute.
static const char kStatistics[] = R"({"profile": {
  "waves_per_group": 4, "cache_line_bytes": 128, "instructions": [
    {"pc": 256, "offset": 0, "text": "\tglobal_load_dword v1, v0, s[0:1]", "class": "vmem",
     "executions": [5, 6, 0, 0], "bytes_loaded": [1280, 1536, 0, 0], "cache_lines": [10, 12, 0, 0]},
    {"pc": 264, "offset": 8, "text": "\tds_write_b32 v2, v1", "class": "lds",
     "executions": [5, 6, 0, 0], "lds_bank_conflicts": [3, 0, 0, 0]},
    {"pc": 272, "offset": 16, "text": "\tv_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], 0",
     "class": "mfma", "executions": [0, 0, 30, 30]},
    {"pc": 280, "offset": 24, "text": "\ts_endpgm", "class": "other",
     "executions": [1, 1, 10, 10]}]}})";

static KernelProfile read(Roles roles) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(kStatistics);
  EXPECT_TRUE(bool(value));
  llvm::Expected<KernelProfile> profile = readProfile(*value->getAsObject(), roles);
  EXPECT_TRUE(bool(profile));
  return std::move(*profile);
}

TEST(RunProfileTest, LoadAndMathWaves) {
  KernelProfile profile = read({2, 2});
  ASSERT_EQ(profile.roles.size(), 2u);
  const RoleProfile &load = profile.roles[0], &math = profile.roles[1];
  EXPECT_EQ(load.name, "load");
  EXPECT_EQ(load.executions, 24);
  EXPECT_EQ(load.getMatrixShare(), 0.0);
  EXPECT_EQ(load.memory.bytesLoaded, 2816);
  EXPECT_EQ(load.memory.cacheLines, 22);
  ASSERT_EQ(load.getConflicting().size(), 1u);
  EXPECT_EQ(load.getConflicting()[0].text, "ds_write_b32 v2, v1");
  EXPECT_EQ(load.getConflicting()[0].memory.ldsBankConflicts, 3);
  EXPECT_EQ(math.name, "math");
  EXPECT_EQ(math.firstWave, 2);
  EXPECT_EQ(math.executions, 80);
  EXPECT_EQ(math.getMatrixShare(), 0.75);
  ASSERT_EQ(math.instructions.size(), 2u);
  EXPECT_EQ(math.instructions[0].pc, 272);
  EXPECT_EQ(math.instructions[0].executions, 60);
  EXPECT_EQ(profile.getMemory().bytesLoaded, 2816);
}

TEST(RunProfileTest, OtherWavesThanTheRolesAreUniform) {
  for (Roles roles : {Roles{0, 4}, Roles{2, 4}}) {
    KernelProfile profile = read(roles);
    ASSERT_EQ(profile.roles.size(), 1u);
    EXPECT_EQ(profile.roles[0].name, "uniform");
    EXPECT_EQ(profile.roles[0].numWaves, 4);
    EXPECT_EQ(profile.roles[0].executions, 104);
    EXPECT_EQ(profile.roles[0].instructions[0].className, "mfma");
  }
}

TEST(RunProfileTest, TextAndJsonHaveTheSame) {
  KernelProfile profile = read({2, 2});
  std::string text, json;
  llvm::raw_string_ostream textStream(text), jsonStream(json);
  printText(textStream, "kernel", profile, 1408);
  llvm::json::OStream writer(jsonStream);
  writeJson(writer, "kernel", profile, 1408);
  writer.flush();
  EXPECT_NE(text.find("2816 B moved, 2.00 times the minimum of 1408 B"), std::string::npos) << text;
  EXPECT_NE(text.find("  role    math, waves 2 to 3: 80 wave instructions: 60 mfma (75.0 %)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("60  75.00 %  pc 0x110 (+0x10): v_mfma"), std::string::npos) << text;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  ASSERT_TRUE(bool(value));
  const llvm::json::Object &kernel = *value->getAsObject();
  EXPECT_EQ(kernel.getInteger("minimum_bytes"), 1408);
  EXPECT_EQ(kernel.getInteger("bytes_loaded"), 2816);
  const llvm::json::Object &math = *(*kernel.getArray("roles"))[1].getAsObject();
  EXPECT_EQ(math.getNumber("mfma_share"), 0.75);
  EXPECT_EQ((*math.getArray("hottest"))[0].getAsObject()->getInteger("count"), 60);
}

TEST(RunProfileTest, StatisticsWithoutAProfile) {
  llvm::Expected<KernelProfile> profile = readProfile(llvm::json::Object(), Roles());
  ASSERT_FALSE(bool(profile));
  EXPECT_EQ(llvm::toString(profile.takeError()), "the emulator returned no profile of the launch");
}
