//===- EpilogueTest.cpp - Tests of the chains of steps -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonical texts are fixed points, defaults are left out, every error names the step and what was
// expected, and the operands follow from the steps.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::ElementsAre;
using testing::HasSubstr;

/// The canonical text of `text` for an f16 output, or the error.
static std::string canonicalize(llvm::StringRef text) {
  auto steps = parseEpilogue(text, DataType::F16);
  return steps ? toString(*steps, DataType::F16) : "error: " + llvm::toString(steps.takeError());
}

TEST(EpilogueTest, CanonicalTextsAreFixedPoints) {
  for (const char *text :
       {"", "bias", "bias+relu", "bias(f16)+scale(bf16)+add(f32)+bilinear(0.5,-2)",
        "bilinear(2,1,f32)", "clamp(-1,1)", "clamp(0,1e+10)", "gelu+silu+sigmoid+tanh",
        "leaky_relu(0.1)", "convert(bf16)+relu", "add(fp8)+add(i8)"})
    EXPECT_EQ(canonicalize(text), text);
}

TEST(EpilogueTest, DefaultsAreLeftOut) {
  EXPECT_EQ(canonicalize("bias(f32)+scale(f32)+add(f16)+bilinear(1,1,f16)"),
            "bias+scale+add+bilinear");
  EXPECT_EQ(canonicalize("bilinear(f16)+clamp(0,6)+leaky_relu(0.01)+convert(f16)"),
            "bilinear+clamp+leaky_relu+convert");
  EXPECT_EQ(canonicalize("bilinear(1.0,2e0)+clamp(-0.5,0.25)"), "bilinear(1,2)+clamp(-0.5,0.25)");
}

TEST(EpilogueTest, ReadsTheNamesOfComposableKernel) {
  EXPECT_EQ(canonicalize("PassThrough"), "");
  EXPECT_EQ(canonicalize("Relu+Gelu+Silu+Sigmoid+Tanh+TanH"), "relu+gelu+silu+sigmoid+tanh+tanh");
  EXPECT_EQ(canonicalize("MultiDAdd"), "add");
  EXPECT_EQ(canonicalize("bias+MultiDAdd(3)+PassThrough+Relu"), "bias+add+add+add+relu");
  EXPECT_EQ(canonicalize("MultiDAdd(2,f32)+MultiDAdd(bf16)"), "add(f32)+add(f32)+add(bf16)");
}

TEST(EpilogueTest, ConstantsAreF32) {
  auto steps = llvm::cantFail(parseEpilogue("leaky_relu(0.1)", DataType::F16));
  EXPECT_EQ(steps[0].constants[0], 0.1f);
}

TEST(EpilogueTest, ErrorsNameTheStep) {
  std::pair<const char *, const char *> cases[] = {
      {"relu6", "unknown epilogue 'relu6': expected one of bias, scale, add,"},
      {"bias+", "unknown epilogue ''"},
      {"region", "unknown epilogue 'region'"},
      {"relu(1)", "epilogue 'relu' takes no parameters, got 'relu(1)'"},
      {"clamp(1,2", "expected ')' at the end of epilogue 'clamp(1,2'"},
      {"clamp(1)", "epilogue 'clamp(1)' has 1 constants, not 2: expected clamp(LOW,HIGH)"},
      {"clamp(2,1)", "epilogue 'clamp(2,1)' has a low bound above the high one"},
      {"clamp(0,x)", "epilogue 'clamp(0,x)' has the malformed constant 'x'"},
      {"leaky_relu(nan)", "malformed constant 'nan'"},
      {"leaky_relu(1e300)", "malformed constant '1e300'"},
      {"bias(f64)", "epilogue 'bias(f64)' has 1 constants, not 0: expected bias(TYPE)"},
      {"bias()", "expected bias(TYPE)"},
      {"PassThrough(1)", "unknown epilogue 'PassThrough'"},
      {"Relu(1)", "epilogue 'Relu' takes no parameters, got 'Relu(1)'"},
      {"MultiDAdd(0)", "epilogue 'MultiDAdd(0)' has malformed parameters: expected "
                       "MultiDAdd(COUNT,TYPE) with a count in [1, 64]"},
      {"MultiDAdd(65)", "a count in [1, 64]"},
      {"MultiDAdd(2,3)", "malformed parameters"},
      {"MultiDAdd(f32,2)", "malformed parameters"},
      {"MultiDAdd(2,)", "malformed parameters"},
      {"MultiDAdd()", "malformed parameters"},
      {"MultiDAdd(2", "expected ')' at the end of epilogue 'MultiDAdd(2'"},
      {"bilinear(f32,1,2)", "expected bilinear(ALPHA,BETA,TYPE)"}};
  for (auto [text, message] : cases)
    EXPECT_THAT(canonicalize(text), HasSubstr(message)) << text;
}

TEST(EpilogueTest, OperandsAreNumberedFromTheirSecondUse) {
  auto steps = llvm::cantFail(parseEpilogue("add+relu+bias+add+add", DataType::F16));
  EXPECT_THAT(getOperandNames(steps), ElementsAre("add", "bias", "add1", "add2"));
}

/// Name, type, layout and sizes of the operands of `text`.
static std::vector<std::string> describeOperands(llvm::StringRef text) {
  std::vector<std::string> result;
  for (const TensorDesc &tensor : getEpilogueOperands(llvm::cantFail(parseProblem(text)))) {
    std::string line = tensor.name + ":" + getName(tensor.type).str() + ":" + tensor.layout;
    for (int64_t size : tensor.shape)
      line += ":" + std::to_string(size);
    result.push_back(line);
  }
  return result;
}

TEST(EpilogueTest, OperandsFollowTheWrittenTensor) {
  EXPECT_THAT(describeOperands("conv_fwd:f16:N=2,G=3,K=4,C=5,in=6,filter=1,epilogue=bias+add"),
              ElementsAre("bias:f32:GK:3:4", "add:f16:NWGK:2:6:3:4"));
  EXPECT_THAT(
      describeOperands("conv_bwd_data:f16:N=2,G=3,K=4,C=5,in=6,filter=1,epilogue=scale(f16)"),
      ElementsAre("scale:f16:GC:3:5"));
  EXPECT_THAT(
      describeOperands("conv_bwd_weight:f16:N=2,G=3,K=4,C=5,in=6,filter=1,epilogue=bias+bilinear"),
      ElementsAre("bias:f32:GK:3:4", "bilinear:f32:GKXC:3:4:1:5"));
  EXPECT_THAT(describeOperands("gemm:bf16:M=2,N=3,K=4,G=5,epilogue=bias+add"),
              ElementsAre("bias:f32:GN:5:3", "add:bf16:GMN:5:2:3"));
}

TEST(EpilogueTest, ReadsEndWithTheOperands) {
  Problem problem = llvm::cantFail(parseProblem("gemm:f16:M=2,N=3,K=4,epilogue=bias+relu+add"));
  std::vector<std::string> names;
  for (const TensorDesc &tensor : getReads(problem))
    names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "bias", "add"));
}

TEST(EpilogueTest, StandsInProblemStrings) {
  std::string text = "gemm:f16:M=2,N=3,K=4,epilogue=bias(f32)+clamp(-1,1)+add,out_dtype=f32";
  Problem problem = llvm::cantFail(parseProblem(text));
  EXPECT_EQ(toString(problem), "gemm:f16:M=2,N=3,K=4,out_dtype=f32,epilogue=bias+clamp(-1,1)+add");
}
