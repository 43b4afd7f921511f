//===- PassInputTest.cpp - Passes on modules of every form -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that finds nothing that it knows leaves a module as it is, and nobody hears of it. So each
// takes modules of its own form, and refuses those of all others with a reason.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/IR/Form.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::ck;

namespace {
/// A pass, and the forms of modules that it takes.
struct PassInput {
  const char *pass;
  std::vector<Form> taken;
};

/// A test that runs passes; `Test` is the class of GoogleTest.
template <class Test>
class PassRunner : public Test {
protected:
  static void SetUpTestSuite() {
    static bool registered = (registerAllPasses(), true);
    (void)registered;
  }

  /// A problem whose kernel has a function, a partial tile and hints, in `form`.
  OwningOpRef<ModuleOp> make(Form form) {
    Problem problem = llvm::cantFail(parseProblem("gemm:f16:M=64,N=64,K=128,epilogue=gelu"));
    OwningOpRef<ModuleOp> module = llvm::cantFail(generateProblemIR(*context, problem));
    LoweringOptions options;
    options.schedule = "tile=64x64x32,roles=4+4,hints=priority";
    options.verifyForms = true;
    PassManager manager(context.get());
    buildLoweringPipeline(manager, Form::Problem, form, options);
    EXPECT_TRUE(succeeded(manager.run(*module)));
    return module;
  }

  /// What `pass` emits on `module`; nothing if it takes it.
  std::string run(ModuleOp module, const std::string &pass) {
    PassManager manager(context.get());
    EXPECT_TRUE(succeeded(parsePassPipeline(pass, manager)));
    DiagnosticCollector diagnostics(context.get());
    if (succeeded(manager.run(module)))
      return "";
    return llvm::toString(diagnostics.takeError("a pass failed without a diagnostic"));
  }

  std::unique_ptr<MLIRContext> context = createContext();
};

using PassRun = PassRunner<testing::Test>;
using PassInputTest = PassRunner<testing::TestWithParam<PassInput>>;
} // namespace

TEST_P(PassInputTest, TakesItsFormsAndRefusesAllOthers) {
  for (StringRef name : getFormNames()) {
    Form form = *parseForm(name);
    OwningOpRef<ModuleOp> module = make(form);
    std::string message = run(*module, GetParam().pass);
    if (llvm::is_contained(GetParam().taken, form)) {
      EXPECT_EQ(message, "") << GetParam().pass << " on " << name.str();
      continue;
    }
    bool isReason = StringRef(message).contains("' to run before") ||
                    StringRef(message).contains("which comes after it") ||
                    StringRef(message).contains("got only kernels of other forms");
    EXPECT_TRUE(isReason) << GetParam().pass << " on " << name.str() << ": '" << message << "'";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ladder, PassInputTest,
    testing::Values(PassInput{"ck-conv-to-gemm",
                              {Form::Problem, Form::ImplicitGemm, Form::Scheduled}},
                    PassInput{"ck-assign-schedule", {Form::ImplicitGemm, Form::Scheduled}},
                    PassInput{"ck-gemm-to-grid", {Form::Scheduled}},
                    PassInput{"ck-gemm-to-naive", {Form::ImplicitGemm, Form::Scheduled}},
                    PassInput{"ck-expand-partition", {Form::Grid}},
                    PassInput{"ck-pipeline-block-gemm", {Form::Workgroup}},
                    PassInput{"ck-distribute-to-waves", {Form::Block}},
                    PassInput{"ck-lower-transforms", {Form::Arithmetic}},
                    PassInput{"ck-lower-hints", {Form::Lane, Form::Upstream}},
                    PassInput{"ck-convert-to-rocdl", {Form::Upstream}},
                    PassInput{"ck-serialize-kernels", {Form::Rocdl}}),
    [](const testing::TestParamInfo<PassInput> &info) {
      std::string name = info.param.pass;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

// A binary has nothing that any pass but the last could take.
TEST_F(PassRun, RefusesBinaries) {
  OwningOpRef<ModuleOp> module = make(Form::Rocdl);
  ASSERT_EQ(run(*module, "ck-serialize-kernels"), "");
  EXPECT_EQ(run(*module, "ck-serialize-kernels"), "");
  for (const char *pass :
       {"ck-conv-to-gemm", "ck-assign-schedule", "ck-gemm-to-grid", "ck-gemm-to-naive",
        "ck-expand-partition", "ck-pipeline-block-gemm", "ck-distribute-to-waves",
        "ck-lower-transforms", "ck-lower-hints", "ck-convert-to-rocdl"})
    EXPECT_TRUE(StringRef(run(*module, pass)).contains("got only kernels of other forms")) << pass;
}

// Host code of other dialects is a module of every form.
TEST_F(PassRun, TakesModulesWithoutProblems) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context.get()));
  for (const char *pass :
       {"ck-attach-target", "ck-conv-to-gemm", "ck-assign-schedule", "ck-gemm-to-grid",
        "ck-expand-partition", "ck-pipeline-block-gemm", "ck-distribute-to-waves",
        "ck-lower-transforms", "ck-lower-hints", "ck-convert-to-rocdl", "ck-serialize-kernels"})
    EXPECT_EQ(run(*module, pass), "") << pass;
}
