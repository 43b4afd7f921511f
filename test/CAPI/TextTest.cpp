//===- TextTest.cpp - Tests of IR and reports as text in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ck-mlir-c/Lower.h and ck-mlir-c/Report.h give and refuse.
//
//===----------------------------------------------------------------------===//

#include "Status.h"
#include "ck-mlir-c/Lower.h"
#include "ck-mlir-c/Report.h"
#include <fstream>
#include <functional>

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

static constexpr const char *kProblem = "gemm:f16:M=64,N=64,K=64";
static constexpr CkMlirCompileOptions kDefaults = {nullptr};

/// The text that `create` makes.
static std::string take(const std::function<CkMlirStatus(CkMlirText *)> &create) {
  CkMlirText text = {nullptr};
  EXPECT_EQ(create(&text), CkMlirStatusSuccess) << ckMlirGetLastMessage();
  std::string result = ckMlirTextGetData(text);
  ckMlirTextDestroy(text);
  return result;
}

static std::string getProblemIR() {
  return take([](CkMlirText *text) { return ckMlirCreateProblemIR(kProblem, kDefaults, text); });
}

static std::string lower(const std::string &ir, const char *from, const char *to) {
  return take([&](CkMlirText *text) {
    return ckMlirCreateLoweredIR(ir.c_str(), from, to, kDefaults, text);
  });
}

// Every form is reached at once and from the one above.
TEST(LowerTest, Forms) {
  std::string problem = getProblemIR(), above = problem;
  const char *from = "problem";
  for (size_t i = 0; i < ckMlirGetNumForms(); ++i) {
    const char *form = ckMlirGetFormName(i);
    above = lower(above, from, form);
    EXPECT_EQ(lower(problem, "problem", form), above) << form;
    from = form;
  }
  EXPECT_STREQ(from, "rocdl");
  EXPECT_THAT(above, HasSubstr("llvm.func"));
  EXPECT_EQ(ckMlirGetFormName(ckMlirGetNumForms()), nullptr);
}

TEST(LowerTest, Passes) {
  std::string ir = getProblemIR();
  std::string changed = take([&](CkMlirText *text) {
    return ckMlirCreateIRBehindPasses(
        ir.c_str(), "builtin.module(ck-attach-target{chip=gfx1100},canonicalize)", text);
  });
  EXPECT_THAT(changed, HasSubstr("#ck.target<\"gfx1100\">"));
}

TEST(LowerTest, CompileIR) {
  CkMlirProgram program;
  ASSERT_EQ(ckMlirCompileIR(getProblemIR().c_str(), kDefaults, &program), CkMlirStatusSuccess)
      << ckMlirGetLastMessage();
  EXPECT_STREQ(ckMlirProgramGetProblem(program), kProblem);
  EXPECT_GT(ckMlirProgramGetCodeObject(program).size, 0u);
  ckMlirProgramDestroy(program);
}

TEST(LowerTest, Refused) {
  CkMlirText text = {nullptr};
  std::string ir = getProblemIR();
  EXPECT_INVALID(ckMlirCreateProblemIR("gemm:f16:M=64", kDefaults, &text), HasSubstr("N"));
  EXPECT_INVALID(ckMlirCreateLoweredIR(ir.c_str(), "problem", "wrong", kDefaults, &text),
                 AllOf(StartsWith("expected a form (problem, "), HasSubstr("got 'wrong'")));
  EXPECT_INVALID(ckMlirCreateLoweredIR(ir.c_str(), "grid", "problem", kDefaults, &text),
                 "expected a form at or below 'grid', got 'problem'");
  EXPECT_INVALID(ckMlirCreateLoweredIR("module {", "problem", "grid", kDefaults, &text),
                 StartsWith("ir:1:"));
  EXPECT_INVALID(ckMlirCreateLoweredIR(ir.c_str(), "rocdl", "rocdl", kDefaults, &text),
                 HasSubstr("rocdl"));
  EXPECT_INVALID(ckMlirCreateIRBehindPasses(ir.c_str(), "builtin.module(wrong)", &text),
                 HasSubstr("'wrong'"));
  for (const char *pipeline : {"builtin.module(func.func(ck-compile-pipeline{chip=gfx942}))",
                               "builtin.module(gpu.module(ck-lower-to-grid))",
                               "builtin.module(any(ck-bufferize-program))"})
    EXPECT_INVALID(ckMlirCreateIRBehindPasses(ir.c_str(), pipeline, &text),
                   HasSubstr("is for builtin.module, got "));
  EXPECT_INVALID(ckMlirCreateIRBehindPasses(ir.c_str(), "func.func(cse)", &text),
                 "expected a pipeline of builtin.module, got one of func.func");
  EXPECT_FAILURE(
      ckMlirCreateIRBehindPasses(ir.c_str(), "builtin.module(ck-attach-target{chip=gfx1})", &text),
      CkMlirStatusUnsupported, HasSubstr("gfx1"));
  CkMlirProgram program = {nullptr};
  EXPECT_INVALID(ckMlirCompileIR("module {}", kDefaults, &program), HasSubstr("problem"));
  EXPECT_INVALID(ckMlirCompileIR("module", kDefaults, &program), StartsWith("ir:1:"));
  EXPECT_EQ(text.ptr, nullptr);
  EXPECT_EQ(program.ptr, nullptr);
}

TEST(LowerTest, Null) {
  CkMlirText text = {nullptr};
  CkMlirProgram program = {nullptr};
  EXPECT_INVALID(ckMlirCreateProblemIR(nullptr, kDefaults, &text), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCreateProblemIR(kProblem, kDefaults, nullptr), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCreateLoweredIR(nullptr, "grid", "grid", kDefaults, &text),
                 HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCreateLoweredIR("module {}", nullptr, "grid", kDefaults, &text),
                 "expected the name of a form, got null");
  EXPECT_INVALID(ckMlirCreateIRBehindPasses("module {}", nullptr, &text), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCompileIR(nullptr, kDefaults, &program), HasSubstr("got null"));
}

// The verdict of a run, which the reference makes, and counts of the emulator.
TEST(ReportTest, Run) {
  auto report = [](bool profile) {
    return take([&](CkMlirText *text) {
      return ckMlirCreateRunReport(kProblem, kDefaults, CkMlirDeviceKindEmulator,
                                   CkMlirVerificationCpu, profile, text);
    });
  };
  EXPECT_THAT(report(true), AllOf(HasSubstr("\"status\": \"ok\""), HasSubstr("\"roles\"")));
  EXPECT_THAT(report(false),
              AllOf(HasSubstr("\"status\": \"ok\""), testing::Not(HasSubstr("\"roles\""))));
}

TEST(ReportTest, Picture) {
  std::string svg = take([](CkMlirText *text) {
    return ckMlirCreatePartitionPicture("gemm:f16:M=256,N=256,K=4096", kDefaults, 8, 1, text);
  });
  EXPECT_THAT(svg, AllOf(StartsWith("<svg"), HasSubstr("stream_k")));
}

TEST(ReportTest, Refused) {
  CkMlirText text = {nullptr};
  EXPECT_INVALID(ckMlirCreateRunReport("gemm", kDefaults, CkMlirDeviceKindEmulator,
                                       CkMlirVerificationCpu, false, &text),
                 HasSubstr("gemm"));
  EXPECT_INVALID(ckMlirCreateRunReport(kProblem, kDefaults, CkMlirDeviceKindHip,
                                       CkMlirVerificationCpu, true, &text),
                 "a profile requires the emulator, got a GPU");
  EXPECT_INVALID(ckMlirCreateRunReport(kProblem, kDefaults, CkMlirDeviceKindEmulator,
                                       static_cast<CkMlirVerification>(3), false, &text),
                 "kind of verification must be in [0, 2], got 3");
  EXPECT_INVALID(ckMlirCreatePartitionPicture(kProblem, kDefaults, -1, 1, &text),
                 "compute units must be in [0, 65536], got -1");
  EXPECT_INVALID(ckMlirCreatePartitionPicture(nullptr, kDefaults, 0, 1, &text),
                 HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCreateRunReport(kProblem, kDefaults, CkMlirDeviceKindEmulator,
                                       CkMlirVerificationCpu, false, nullptr),
                 HasSubstr("got null"));
  EXPECT_EQ(text.ptr, nullptr);
}

TEST(ReportTest, Explanations) {
  CkMlirText text = {nullptr};
  EXPECT_INVALID(ckMlirCreateExplanation(nullptr, kDefaults, 5, false, &text),
                 "expected a problem string, got null");
  EXPECT_INVALID(ckMlirCreateExplanation(kProblem, kDefaults, 5, false, nullptr),
                 "expected a place for the text, got null");
  EXPECT_INVALID(ckMlirCreateExplanation("gemm", kDefaults, 5, false, &text), HasSubstr("gemm"));
  EXPECT_INVALID(ckMlirCreateExplanation(kProblem, kDefaults, -1, false, &text),
                 "number of other tiles must be in [0, 1000], got -1");
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  ckMlirCompileOptionsSetSchedule(options, "tile=100x100x100");
  EXPECT_FAILURE(ckMlirCreateExplanation(kProblem, options, 5, false, &text),
                 CkMlirStatusUnsupported, HasSubstr("tile"));
  ckMlirCompileOptionsSetSchedule(options, "");
  const std::string path = testing::TempDir() + "explained.tuning";
  std::ofstream(path) << R"({"format":"ck-mlir tuning","version":1,"chip":"gfx942"})" << '\n';
  ckMlirCompileOptionsSetTuningFile(options, path.c_str());
  EXPECT_INVALID(
      ckMlirCreateExplanation(kProblem, options, 5, false, &text),
      "a choice without a tuning file is explained: expected none in the options, got '" + path +
          "'");
  std::remove(path.c_str());
  EXPECT_EQ(text.ptr, nullptr);
  ckMlirCompileOptionsDestroy(options);
}
