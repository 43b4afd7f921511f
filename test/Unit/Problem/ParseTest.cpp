//===- ParseTest.cpp - Tests of the problem strings -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonical strings are fixed points, other spellings reach them, and every error names the key,
// the value and what was expected.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::HasSubstr;

/// The canonical string of `text`, or the error.
static std::string canonicalize(llvm::StringRef text) {
  llvm::Expected<Problem> problem = parseProblem(text);
  return problem ? toString(*problem) : "error: " + llvm::toString(problem.takeError());
}

TEST(ParseTest, CanonicalStringsAreFixedPoints) {
  for (const char *text :
       {"conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1",
        "conv_fwd:bf16:N=1,G=32,K=4,C=4,in=56x56,filter=3x3,stride=2,pad=1",
        "conv_bwd_data:f32:N=2,K=64,C=3,in=8x56x56,filter=3x7x7,stride=1x2x2,pad=1x3x3",
        "conv_fwd:i8:N=2,K=64,C=64,in=256,filter=2,dilation=4,pad=4:0,out_dtype=i8",
        "conv_fwd:fp8:N=1,K=1,C=1,in=3x4,filter=1x2,pad=0:1x2:3",
        "conv_fwd:fp8:N=1,K=1,C=1,in=3x4,filter=1x2,pad=1x2:3",
        "conv_fwd:f16:N=1,K=1,C=1,in=3x4,filter=1x2,layout=GNCHW_KYXGC_NGKHW",
        "conv_fwd:f16:N=1,K=1,C=1,in=3x4,filter=1x2,epilogue=bias+leaky_relu",
        "gemm:f16:M=100,N=203,K=77", "gemm:f16:M=1,N=32,K=8,preshuffle=32",
        "conv_fwd:i8:N=1,K=48,C=16,in=3x4,filter=1x2,preshuffle=16",
        "gemm:bf8:M=1,N=2,K=3,G=4,layout=ccr,out_dtype=f32"})
    EXPECT_EQ(canonicalize(text), text);
}

TEST(ParseTest, OtherSpellingsReachTheCanonicalString) {
  EXPECT_EQ(canonicalize("conv_fwd:f16:filter=3,pad=1x1,in=9x9,C=2,K=3,G=1,N=4,stride=1x1,"
                         "dilation=1,layout=NHWGC_GKYXC_NHWGK,out_dtype=f16"),
            "conv_fwd:f16:N=4,K=3,C=2,in=9x9,filter=3x3,pad=1");
  EXPECT_EQ(canonicalize("conv_bwd_weight:bf16:N=1,K=3,C=2,in=9x9x9,filter=3,pad=1:1,"
                         "layout=NDHWGC_GKZYXC_NDHWGK,out_dtype=f32"),
            "conv_bwd_weight:bf16:N=1,K=3,C=2,in=9x9x9,filter=3x3x3,pad=1");
  EXPECT_EQ(canonicalize("conv_fwd:f16:N=1,K=3,C=2,in=9x9,filter=3,pad=1:0x1:0"),
            "conv_fwd:f16:N=1,K=3,C=2,in=9x9,filter=3x3,pad=1:0");
  EXPECT_EQ(canonicalize("gemm:f16:K=1,N=2,M=3,layout=rcr"), "gemm:f16:M=3,N=2,K=1");
}

TEST(ParseTest, DefaultOutputTypes) {
  auto getOutDtype = [](llvm::StringRef op, llvm::StringRef dtype) {
    Problem problem =
        llvm::cantFail(parseProblem((op + ":" + dtype + ":N=1,K=1,C=1,in=3,filter=1").str()));
    return getName(getWrite(problem).type).str();
  };
  EXPECT_EQ(getOutDtype("conv_bwd_weight", "f16"), "f32");
  EXPECT_EQ(getOutDtype("conv_bwd_weight", "bf16"), "f32");
  EXPECT_EQ(getOutDtype("conv_bwd_data", "bf16"), "bf16");
  EXPECT_EQ(getOutDtype("conv_bwd_weight", "fp8"), "f16");
  EXPECT_EQ(getOutDtype("conv_fwd", "i8"), "i32");
  EXPECT_EQ(getOutDtype("conv_fwd", "f32"), "f32");
}

TEST(ParseTest, UnknownKeyListsTheKnownOnes) {
  EXPECT_EQ(canonicalize("gemm:f16:M=1,N=1,K=1,foo=2"),
            "error: unknown key 'foo' in 'gemm:f16:M=1,N=1,K=1,foo=2': expected one of M, N, K, G, "
            "layout, preshuffle, out_dtype, epilogue");
}

namespace {
struct BadProblem {
  const char *text;
  const char *message;
};
class ParseErrorTest : public testing::TestWithParam<BadProblem> {};
} // namespace

TEST_P(ParseErrorTest, NamesTheReason) {
  std::string result = canonicalize(GetParam().text);
  EXPECT_THAT(result, HasSubstr("error: "));
  EXPECT_THAT(result, HasSubstr(GetParam().message));
  EXPECT_THAT(result, HasSubstr(GetParam().text));
  EXPECT_EQ(result.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Structure, ParseErrorTest,
    testing::Values(
        BadProblem{"conv_fwd", "expected OP:DTYPE:key=value,..."},
        BadProblem{"conv_fwd:f16:", "expected OP:DTYPE:key=value,..."},
        BadProblem{"conv:f16:N=1", "unknown operation 'conv'"},
        BadProblem{"conv_fwd:f64:N=1", "unknown type 'f64'"},
        BadProblem{"conv_fwd:i32:N=1", "unknown type 'i32'"},
        BadProblem{"conv_fwd:f16:N=1,N=2", "key 'N' is given twice"},
        BadProblem{"conv_fwd:f16:N", "key 'N' has no value"},
        BadProblem{"conv_fwd:f16:N=1,", "unknown key ''"},
        BadProblem{"conv_fwd:f16:N=1,C=1,in=3,filter=1", "missing key 'K'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,filter=1", "missing key 'in'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3", "missing key 'filter'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3x3,filter=1x1x1", "key 'filter' has 3 values"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3x3x3x3,filter=1", "key 'in' has 4 sizes"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3x,filter=1", "expected a number, got ''"},
        BadProblem{"conv_fwd:f16:N=1.5,K=1,C=1,in=3,filter=1", "expected a number, got '1.5'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,pad=1:2:3", "got '2:3'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,out_dtype=f8", "unknown out_dtype 'f8'"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,epilogue=relu6",
                   "unknown epilogue 'relu6'"},
        BadProblem{"gemm:f16:M=1,N=1,K=1,epilogue=region", "'region' stands for one in IR"},
        BadProblem{"gemm:f16:M=1,N=1,K=1,epilogue=clamp(0,1", "expected ')' at the end"},
        BadProblem{"gemm:f16:M=2000000000,N=2000000000,K=1,epilogue=add(f32)",
                   "size of tensor 'add' overflows"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,layout=NWGC", "expected INPUT_FILTER"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,layout=NWGC_GKYC_NWGK",
                   "'layout' of the filter must be a permutation of GKXC, got 'GKYC'"},
        BadProblem{"gemm:f16:M=1,N=1,K=1,layout=rcc", "'layout' must be one of rcr, rrr"},
        BadProblem{"gemm:f16:M=1,N=32,K=8,preshuffle=8",
                   "'preshuffle' must be 16 or 32, or 0 for none, got 8"},
        BadProblem{"gemm:f16:M=1,N=40,K=8,preshuffle=16",
                   "'preshuffle' requires 'N' to be a multiple of 16, got 40"},
        BadProblem{"gemm:i8:M=1,N=32,K=24,preshuffle=32",
                   "'preshuffle' requires 'K' to be a multiple of 16 for i8, got 24"},
        BadProblem{"gemm:f16:M=1,N=32,K=8,layout=rrr,preshuffle=16",
                   "'preshuffle' requires a column-major B, as of 'layout' rcr or ccr, got 'rrr'"},
        BadProblem{"conv_fwd:f16:N=1,K=16,C=4,in=3,filter=1,preshuffle=16",
                   "'preshuffle' requires 'C' to be a multiple of 8 for f16, got 4"},
        BadProblem{"conv_fwd:f16:N=1,K=16,C=8,in=3,filter=1,layout=NWGC_GKCX_NWGK,preshuffle=16",
                   "'preshuffle' requires the filter layout GKXC, got 'GKCX'"},
        BadProblem{"conv_bwd_data:f16:N=1,K=16,C=8,in=3,filter=1,preshuffle=16",
                   "'preshuffle' is not supported for conv_bwd_data: expected conv_fwd or gemm"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, ParseErrorTest,
    testing::Values(
        BadProblem{"conv_fwd:f16:N=-1,K=1,C=1,in=3,filter=1", "'N' must be at least 1, got -1"},
        BadProblem{"conv_fwd:f16:N=1,K=0,C=1,in=3,filter=1", "'K' must be at least 1, got 0"},
        BadProblem{"gemm:f16:M=1,N=1,K=0", "'K' must be at least 1, got 0"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3x-3,filter=1", "'in' must be at least 1, got -3"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,stride=0",
                   "'stride' must be at least 1, got 0"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,pad=0:-1",
                   "'pad' must be at least 0, got -1"},
        BadProblem{"conv_fwd:f16:N=99999999999999999999,K=1,C=1,in=3,filter=1",
                   "key 'N' has a value that overflows 64 bits"},
        BadProblem{"conv_fwd:f16:N=4000000000,K=1,C=4000000000,in=3,filter=1",
                   "size of tensor 'x' overflows 64 bits"},
        BadProblem{"gemm:f32:M=3037000500,N=1,K=3037000500", "size of tensor 'a' overflows"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=5000000000,dilation=5000000000",
                   "the dilated filter along W overflows 64 bits"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=3,filter=1,pad=9223372036854775807",
                   "the padded input along W overflows 64 bits"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=1,filter=1,stride=9223372036854775807",
                   "coordinates are too large"},
        BadProblem{"conv_bwd_data:f16:N=1,K=1,C=1,in=3,filter=1,stride=4294967296,"
                   "dilation=4294967295",
                   "coordinates are too large"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1000,in=3x3,filter=1,pad=2000000000,stride=1000000000",
                   "coordinates are too large"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=9x2,filter=3x3",
                   "output size along W must be at least 1, got 0 from in 2, filter 3, stride 1, "
                   "dilation 1, pad 0:0"},
        BadProblem{"conv_fwd:f16:N=1,K=1,C=1,in=2x9,filter=3,stride=2",
                   "output size along H must be at least 1, got 0"},
        BadProblem{"conv_fwd:i8:N=1,K=1,C=1,in=3,filter=1,out_dtype=f16",
                   "'out_dtype' must be i8 or i32 for i8, got 'f16'"}));

// Whatever a user types gives a problem whose canonical string is a fixed point, or an error.
TEST(ParseTest, DamagedStringsAreErrorsOrProblems) {
  const std::string alphabet = "0123456789-x:,=_+()NGKCfip ";
  const std::string seeds[] = {
      "conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1:0x1,layout=NHWGC_GKYXC_NHWGK",
      "conv_bwd_data:i8:N=2,G=3,K=4,C=5,in=9,filter=3,stride=2,dilation=2,out_dtype=i32",
      "gemm:bf16:M=4,N=5,K=6,G=7,layout=rrr,epilogue=bias+clamp(-1,2)"};
  uint64_t state = 1;
  unsigned problems = 0, errors = 0;
  for (unsigned i = 0; i < 30000; ++i) {
    auto draw = [&](size_t count) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return size_t(state >> 33) % count;
    };
    std::string text = seeds[i % 3];
    for (size_t edits = 1 + draw(3); edits > 0; --edits) {
      size_t at = draw(text.size());
      if (draw(2))
        text[at] = alphabet[draw(alphabet.size())];
      else
        text.erase(at, 1 + draw(2));
    }
    std::string canonical = canonicalize(text);
    if (canonical.compare(0, 7, "error: ") == 0) {
      ++errors;
      ASSERT_EQ(canonical.find('\n'), std::string::npos) << text;
      continue;
    }
    ++problems;
    ASSERT_EQ(canonicalize(canonical), canonical) << text;
    ASSERT_GE(getReductionLength(llvm::cantFail(parseProblem(text))), 0) << text;
  }
  EXPECT_GT(problems, 300u);
  EXPECT_GT(errors, 1000u);
}
