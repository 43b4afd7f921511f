//===- ReportTest.cpp - Tests of ck-run's reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON fields are those of the interface, text reports say what happened.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <limits>
#include <set>

using namespace mlir::ck;
using testing::HasSubstr;

static RunReport makeReport(RunStatus status) {
  RunReport report;
  report.name = "layer1";
  report.problem = "gemm:f16:M=4,N=4,K=4";
  report.chip = "gfx942";
  report.device = "emulator";
  report.status = status;
  report.compileMs = 12.5;
  report.emulatedSeconds = 0.25;
  report.maxAbsError = 0;
  report.maxRelError = 0;
  report.rtol = 0;
  report.atol = 0;
  report.mismatches = 0;
  report.elements = 16;
  report.workspaceBytes = 0;
  KernelReport kernel;
  kernel.launch.kernel = "gemm_0";
  kernel.launch.grid = {2, 3, 1};
  kernel.instructions = {{"mfma", 8}, {"valu", 20}};
  kernel.ldsBankConflicts = 5;
  report.kernels.push_back(kernel);
  return report;
}

template <typename Printed>
static llvm::json::Value toJson(const Printed &printed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printJson(os, printed);
  return llvm::cantFail(llvm::json::parse(text));
}

static std::set<std::string> getKeys(const llvm::json::Object &object) {
  std::set<std::string> keys;
  for (const auto &entry : object)
    keys.insert(llvm::StringRef(entry.first).str());
  return keys;
}

TEST(RunReportTest, JsonFieldsAreThoseOfTheInterface) {
  llvm::json::Value value = toJson(makeReport(RunStatus::Ok));
  const llvm::json::Object &object = *value.getAsObject();
  EXPECT_EQ(getKeys(object),
            (std::set<std::string>{"problem", "chip", "device", "schedule", "status", "reason",
                                   "compile_ms", "run_ms", "max_abs_error", "max_rel_error", "rtol",
                                   "atol", "mismatches", "kernels", "workspace_bytes",
                                   "emulated_seconds"}));
  EXPECT_EQ(object.getString("status"), llvm::StringRef("ok"));
  EXPECT_EQ(object.getNumber("compile_ms"), 12.5);
  EXPECT_TRUE(object.getNull("run_ms").has_value());
  const llvm::json::Object &kernel = *(*object.getArray("kernels"))[0].getAsObject();
  EXPECT_EQ(
      getKeys(kernel),
      (std::set<std::string>{"name", "grid", "block", "vgprs", "agprs", "sgprs", "lds_bytes",
                             "scratch_bytes", "code_bytes", "instructions", "lds_bank_conflicts"}));
  EXPECT_EQ(*kernel.getArray("grid"), (llvm::json::Array{2, 3, 1}));
  EXPECT_EQ(kernel.getObject("instructions")->getInteger("valu"), 20);
}

TEST(RunReportTest, NumbersThatAreNotFiniteAreNull) {
  RunReport report = makeReport(RunStatus::Mismatch);
  report.maxAbsError = std::numeric_limits<double>::infinity();
  llvm::json::Value value = toJson(report);
  EXPECT_TRUE(value.getAsObject()->getNull("max_abs_error").has_value());
}

TEST(RunReportTest, ManyReportsAreAnArray) {
  std::vector<RunReport> reports(3, makeReport(RunStatus::Ok));
  EXPECT_EQ(toJson(llvm::ArrayRef<RunReport>(reports)).getAsArray()->size(), 3u);
}

TEST(RunReportTest, Text) {
  RunReport report = makeReport(RunStatus::Ok);
  auto getText = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    printText(os, report);
    return text;
  };
  EXPECT_THAT(getText(), HasSubstr("chip      gfx942 (emulator)\n"));
  EXPECT_THAT(getText(), HasSubstr("gemm_0: grid 2x3, block 1\n"));
  EXPECT_THAT(getText(), HasSubstr("executed 8 mfma, 20 valu; 5 LDS bank conflicts\n"));
  EXPECT_THAT(getText(), HasSubstr("result    ok: 16 elements, equality, max abs error 0"));
  report.status = RunStatus::Mismatch;
  report.mismatches = 3;
  report.reason = "c[g=0]: expected 1, got 2";
  EXPECT_THAT(getText(), HasSubstr("MISMATCH: 3 of 16 elements, equality"));
  EXPECT_THAT(getText(), HasSubstr("first c[g=0]: expected 1, got 2\n"));
  report.mismatches.reset();
  report.status = RunStatus::Ran;
  EXPECT_THAT(getText(), HasSubstr("result    ran: 16 elements, not verified\n"));
}

TEST(RunReportTest, TableAndExitStatus) {
  RunReport ok = makeReport(RunStatus::Ok), mismatch = makeReport(RunStatus::Mismatch),
            unsupported = makeReport(RunStatus::Unsupported), error = makeReport(RunStatus::Error);
  unsupported.reason = "fp8 is not supported";
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(os, {ok, mismatch, unsupported, error});
  EXPECT_THAT(text, HasSubstr("layer1   ok             12 ms    0.25 s          0\n"));
  EXPECT_THAT(text, HasSubstr("  fp8 is not supported\n"));
  EXPECT_THAT(text, HasSubstr("4 problems: 1 ok, 1 mismatch, 1 unsupported, 1 error\n"));
  RunReport ran = makeReport(RunStatus::Ran);
  text.clear();
  printTable(os, {ok, ran});
  EXPECT_THAT(text, HasSubstr("layer1   ran  "));
  EXPECT_THAT(text, HasSubstr("2 problems: 1 ok, 1 ran, 0 mismatch, 0 unsupported, 0 error\n"));
  EXPECT_EQ(toJson(ran).getAsObject()->getString("status"), llvm::StringRef("ran"));
  EXPECT_EQ(getExitStatus({ok, ran}), 0);
  EXPECT_EQ(getExitStatus({ok, ok}), 0);
  EXPECT_EQ(getExitStatus({ok, mismatch}), 1);
  EXPECT_EQ(getExitStatus({unsupported, mismatch}), 2);
  EXPECT_EQ(getExitStatus({error, ok}), 2);
}
