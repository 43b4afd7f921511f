//===- BadInputTest.cpp - Tests of what the C API refuses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every mistake is a status with a message that names it; nothing is written then.
//
//===----------------------------------------------------------------------===//

#include "TwoKernelTest.h"
#include "ck-mlir-c/Chip.h"
#include "ck-mlir-c/IR.h"
#include "ck-mlir-c/Weights.h"

using testing::HasSubstr;
using testing::StartsWith;

static constexpr CkMlirCompileOptions kDefaults = {nullptr};

namespace {
class ProgramTest : public TwoKernelTest {
protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(open(CkMlirDeviceKindEmulator));
    ASSERT_EQ(ckMlirBufferCreate(device, 65536, &buffer), CkMlirStatusSuccess);
    pointer = static_cast<char *>(ckMlirBufferGetPointer(buffer));
  }
  void TearDown() override {
    ckMlirBufferDestroy(buffer);
    TwoKernelTest::TearDown();
  }

  CkMlirBuffer buffer = {nullptr};
  char *pointer = nullptr;
};

/// A context with the dialects, and what MLIR parses in it.
class ModuleTest : public testing::Test {
protected:
  void SetUp() override {
    context = mlirContextCreate();
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    ckMlirRegisterAllDialects(registry);
    mlirContextAppendDialectRegistry(context, registry);
    mlirDialectRegistryDestroy(registry);
  }
  void TearDown() override {
    if (module.ptr)
      mlirModuleDestroy(module);
    mlirContextDestroy(context);
  }

  void parse(const std::string &text) {
    module = mlirModuleCreateParse(context, mlirStringRefCreate(text.data(), text.size()));
    ASSERT_TRUE(module.ptr);
  }

  MlirContext context;
  MlirModule module = {nullptr};
  CkMlirProgram program = {nullptr};
};
} // namespace

//===----------------------------------------------------------------------===//
// Strings and chips
//===----------------------------------------------------------------------===//

TEST(BadStringTest, Problems) {
  CkMlirProgram program = {nullptr};
  EXPECT_INVALID(ckMlirCompileProblem("", kDefaults, &program), HasSubstr("OP:DTYPE"));
  EXPECT_INVALID(ckMlirCompileProblem("conv_fwd:f16:N=0", kDefaults, &program), HasSubstr("N"));
  EXPECT_INVALID(ckMlirCompileProblem("gemm:f17:M=1,N=1,K=1", kDefaults, &program),
                 HasSubstr("f17"));
  EXPECT_EQ(program.ptr, nullptr);
  CkMlirText text = {nullptr};
  EXPECT_INVALID(ckMlirCreateCanonicalProblem("gemm:f16:M=1", &text), HasSubstr("N"));
  EXPECT_EQ(text.ptr, nullptr);
}

TEST(BadStringTest, OptionsStayAsTheyWere) {
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  EXPECT_INVALID(ckMlirCompileOptionsSetChip(options, "gfx900"), HasSubstr("gfx900"));
  EXPECT_INVALID(ckMlirCompileOptionsSetSchedule(options, "tile=64x64"), HasSubstr("tile"));
  EXPECT_INVALID(ckMlirCompileOptionsSetResidents(options, -1),
                 "resident workgroups must be in [0, 2147483647], got -1");
  EXPECT_INVALID(ckMlirCompileOptionsSetTuningFile(options, nullptr),
                 "expected the name of a tuning file, got null");
  CkMlirProgram program;
  ASSERT_EQ(ckMlirCompileProblem(kProblem, options, &program), CkMlirStatusSuccess);
  EXPECT_STREQ(ckMlirProgramGetChip(program), "gfx942");
  ckMlirProgramDestroy(program);
  ckMlirCompileOptionsDestroy(options);
}

TEST(BadStringTest, WhatIsNotSupported) {
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  ASSERT_EQ(ckMlirCompileOptionsSetSchedule(options, "tile=96x96x32,waves=2x2,mma=32x32x16"),
            CkMlirStatusSuccess);
  CkMlirProgram program = {nullptr};
  EXPECT_FAILURE(ckMlirCompileProblem(kProblem, options, &program), CkMlirStatusUnsupported,
                 HasSubstr("tile M must be a multiple of 2 waves x 32 = 64, got 96"));
  EXPECT_EQ(program.ptr, nullptr);
  ckMlirCompileOptionsDestroy(options);
}

TEST(BadStringTest, TuningFiles) {
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  ASSERT_EQ(ckMlirCompileOptionsSetTuningFile(options, "/none"), CkMlirStatusSuccess);
  CkMlirProgram program = {nullptr};
  EXPECT_FAILURE(ckMlirCompileProblem(kProblem, options, &program), CkMlirStatusUnsupported,
                 "cannot read '/none': No such file or directory");
  int64_t bytes = 0;
  EXPECT_INVALID(ckMlirGetWorkspaceBytes(kProblem, options, &bytes, nullptr),
                 "cannot read '/none': No such file or directory");
  EXPECT_EQ(program.ptr, nullptr);
  ckMlirCompileOptionsDestroy(options);
}

TEST(BadStringTest, Chips) {
  CkMlirChip chip = {nullptr};
  EXPECT_INVALID(ckMlirChipGet("gfx1", &chip), HasSubstr("gfx1"));
  EXPECT_EQ(chip.ptr, nullptr);
  EXPECT_STREQ(ckMlirChipGetName(chip), "");
}

TEST(BadStringTest, ShuffledWeights) {
  std::vector<char> plain(512), shuffled(512);
  auto shuffle = [&](const char *problem, size_t bytes) {
    return ckMlirShuffleWeights(problem, plain.data(), bytes, shuffled.data(), shuffled.size());
  };
  EXPECT_INVALID(shuffle("gemm:f16:M=1,N=32,K=8,preshuffle=17", 512),
                 HasSubstr("'preshuffle' must be 16 or 32"));
  EXPECT_INVALID(shuffle("gemm:f16:M=1,N=32,K=8", 512),
                 "expected a problem with the key 'preshuffle', got 'gemm:f16:M=1,N=32,K=8'");
  EXPECT_INVALID(shuffle("gemm:f16:M=1,N=32,K=8,preshuffle=16", 511),
                 "expected 512 bytes of plain weights 'b', got 511");
  EXPECT_INVALID(shuffle(nullptr, 512), "expected a problem string, got null");
  EXPECT_INVALID(ckMlirShuffleWeights("", nullptr, 0, shuffled.data(), 0),
                 "expected weights, got null");
  EXPECT_INVALID(ckMlirShuffleWeights("", plain.data(), 0, nullptr, 0),
                 "expected a place for the shuffled weights, got null");
}

TEST(BadStringTest, PartitionReports) {
  CkMlirText json = {nullptr};
  EXPECT_INVALID(ckMlirCreatePartitionReport(kProblem, kDefaults, -1, 1, &json),
                 "compute units must be in [0, 65536], got -1");
  EXPECT_INVALID(ckMlirCreatePartitionReport(kProblem, kDefaults, 0, 0, &json),
                 "workgroups on a compute unit must be in [1, 65536], got 0");
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  ckMlirCompileOptionsSetSchedule(options, "partition=split_k:4");
  EXPECT_INVALID(ckMlirCreatePartitionReport(kProblem, options, 0, 1, &json),
                 HasSubstr("expected none in the schedule, got 'split_k:4'"));
  EXPECT_EQ(json.ptr, nullptr);
  ckMlirCompileOptionsDestroy(options);
}

//===----------------------------------------------------------------------===//
// Null
//===----------------------------------------------------------------------===//

TEST(NullTest, Compiler) {
  CkMlirProgram program = {nullptr};
  CkMlirText text = {nullptr};
  EXPECT_INVALID(ckMlirCompileProblem(nullptr, kDefaults, &program),
                 "expected a problem string, got null");
  EXPECT_INVALID(ckMlirCompileProblem(kProblem, kDefaults, nullptr),
                 "expected a place for the program, got null");
  EXPECT_INVALID(ckMlirCreateCanonicalProblem(nullptr, &text), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCompileOptionsCreate(nullptr), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCompileOptionsSetChip(kDefaults, "gfx942"), "expected options, got null");
  EXPECT_INVALID(ckMlirCreatePartitionReport(nullptr, kDefaults, 0, 1, &text),
                 HasSubstr("got null"));
  EXPECT_INVALID(ckMlirChipGet(nullptr, nullptr), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirCreateChipTable(nullptr), HasSubstr("got null"));
  EXPECT_EQ(ckMlirProgramGetCodeObject(program).size, 0u);
  EXPECT_STREQ(ckMlirProgramGetManifest(program), "");
  EXPECT_EQ(ckMlirProgramGetNumTensors(program), 0u);
  EXPECT_STREQ(ckMlirProgramGetTensor(program, 0).name, "");
  EXPECT_EQ(ckMlirProgramGetKernel(program, 7).numArguments, 0u);
  EXPECT_STREQ(ckMlirTextGetData(text), "");
  ckMlirProgramDestroy(program);
  ckMlirTextDestroy(text);
  ckMlirCompileOptionsDestroy(kDefaults);
}

TEST(NullTest, Runtime) {
  CkMlirDevice device = {nullptr};
  CkMlirBuffer buffer = {nullptr};
  CkMlirStream stream = {nullptr};
  CkMlirExecutable executable = {nullptr};
  EXPECT_INVALID(ckMlirDeviceOpen(CkMlirDeviceKindAuto, nullptr, nullptr), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirDeviceOpen(CkMlirDeviceKind(7), nullptr, &device),
                 "kind of device must be in [0, 2], got 7");
  EXPECT_INVALID(ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx1", &device), HasSubstr("gfx1"));
  EXPECT_INVALID(ckMlirBufferCreate(device, 4, &buffer), "expected a device, got null");
  EXPECT_INVALID(ckMlirStreamCreate(device, &stream), "expected a device, got null");
  EXPECT_INVALID(ckMlirExecutableLoad(device, {nullptr}, &executable),
                 "expected a device, got null");
  EXPECT_INVALID(ckMlirDeviceSetVariable(device, "CK_EMULATOR_CHECKS", "on"),
                 "expected a device, got null");
  EXPECT_INVALID(ckMlirBufferCopyToHost(buffer, nullptr, 0), "expected a buffer, got null");
  EXPECT_INVALID(ckMlirBufferZero(buffer, 0), "expected a buffer, got null");
  EXPECT_INVALID(ckMlirStreamSynchronize(stream), "expected a stream, got null");
  EXPECT_INVALID(ckMlirExecutableLaunch(executable, nullptr, nullptr, 0, nullptr, 0),
                 "expected an executable, got null");
  EXPECT_EQ(ckMlirStreamGetHandle(stream), nullptr);
  EXPECT_STREQ(ckMlirDeviceGetChip(device), "");
  ckMlirDeviceDestroy(device);
  ckMlirBufferDestroy(buffer);
  ckMlirStreamDestroy(stream);
  ckMlirExecutableDestroy(executable);
}

TEST(NullTest, IR) {
  MlirAttribute attribute = {nullptr};
  MlirModule module = {nullptr};
  CkMlirProgram program = {nullptr};
  EXPECT_INVALID(ckMlirRegisterAllDialects({nullptr}), HasSubstr("got null"));
  EXPECT_INVALID(ckMlirModuleCreateFromProblem({nullptr}, kProblem, nullptr, &module),
                 "expected a context, got null");
  EXPECT_INVALID(ckMlirCompileModule(module, kDefaults, &program), "expected a module, got null");
  EXPECT_INVALID(ckMlirAttributeParse({nullptr}, "1", &attribute), "expected a context, got null");
  EXPECT_INVALID(ckMlirTargetAttrGet({nullptr}, nullptr, &attribute), HasSubstr("got null"));
  EXPECT_FALSE(ckMlirAttributeIsATarget(attribute));
  EXPECT_FALSE(ckMlirAttributeIsATransformMap(attribute));
  EXPECT_EQ(ckMlirScheduleAttrGetStages(attribute), 0);
  int64_t mapping[2] = {1, 1};
  ckMlirScheduleAttrGetMapping(attribute, mapping);
  EXPECT_EQ(mapping[0] + mapping[1], 0);
  EXPECT_EQ(ckMlirTransformMapAttrGetViewRank(attribute), 0);
  EXPECT_EQ(ckMlirTargetAttrGetChip(attribute).length, 0u);
}

//===----------------------------------------------------------------------===//
// Modules and attributes
//===----------------------------------------------------------------------===//

TEST_F(ModuleTest, MustHoldOneProblem) {
  parse("module {}");
  EXPECT_INVALID(ckMlirCompileModule(module, kDefaults, &program),
                 "expected one ck problem operation in the module, got 0");
  mlirModuleDestroy(module);
  std::string gemm = "ck.batched_gemm ins(%a, %b : memref<1x32x32xf16>, memref<1x32x32xf16>) "
                     "outs(%c : memref<1x32x32xf16>) layout \"rcr\"\n";
  parse("func.func @f(%a: memref<1x32x32xf16>, %b: memref<1x32x32xf16>, %c: memref<1x32x32xf16>) "
        "{\n" +
        gemm + gemm + "return }");
  EXPECT_INVALID(ckMlirCompileModule(module, kDefaults, &program),
                 "expected one ck problem operation in the module, got 2");
  EXPECT_EQ(program.ptr, nullptr);
}

TEST_F(ModuleTest, Attributes) {
  MlirAttribute attribute = {nullptr};
  EXPECT_INVALID(ckMlirAttributeParse(context, "#ck.target<", &attribute),
                 HasSubstr("unbalanced '<'"));
  EXPECT_INVALID(ckMlirAttributeParse(context, "#ck.target<\"gfx1\">", &attribute),
                 HasSubstr("gfx1"));
  EXPECT_INVALID(ckMlirTargetAttrGet(context, "gfx1", &attribute), HasSubstr("gfx1"));
  EXPECT_INVALID(ckMlirAttributeParse(context,
                                      "#ck.transform_map<(n: 2) by [merge K = (n, h)] to (K: 2)>",
                                      &attribute),
                 HasSubstr("h"));
  MlirType f16 = mlirTypeParseGet(context, mlirStringRefCreateFromCString("f16"));
  MlirType i1 = mlirTypeParseGet(context, mlirStringRefCreateFromCString("i1"));
  std::string whole =
      "tile=64x64x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel";
  EXPECT_INVALID(ckMlirScheduleAttrGet(context, "tile=64x64x32", f16, &attribute),
                 "a schedule attribute requires 'waves', got 'tile=64x64x32'");
  EXPECT_INVALID(ckMlirScheduleAttrGet(context, "tile=64", f16, &attribute), HasSubstr("tile"));
  EXPECT_INVALID(ckMlirScheduleAttrGet(context, whole.c_str(), i1, &attribute),
                 HasSubstr("expected operands of f16"));
  EXPECT_EQ(attribute.ptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, Tensors) {
  void *tensors[] = {pointer, nullptr, pointer};
  EXPECT_INVALID(ckMlirExecutableLaunch(executable, nullptr, tensors, 2, pointer, 65536),
                 "expected pointers of 3 tensors, got 2");
  EXPECT_INVALID(ckMlirExecutableLaunch(executable, nullptr, nullptr, 3, pointer, 65536),
                 "expected the pointers of the tensors, got null");
  EXPECT_INVALID(ckMlirExecutableLaunch(executable, nullptr, tensors, 3, pointer, 65536),
                 StartsWith("expected device memory for tensor "));
}

TEST_F(ProgramTest, Workspaces) {
  void *tensors[] = {pointer, pointer, pointer};
  int64_t bytes = ckMlirProgramGetWorkspaceBytes(program);
  ASSERT_GT(bytes, 0);
  EXPECT_INVALID(
      ckMlirExecutableLaunch(executable, nullptr, tensors, 3, pointer, size_t(bytes) - 1),
      "the workspace must have at least " + std::to_string(bytes) + " bytes, got " +
          std::to_string(bytes - 1));
  EXPECT_INVALID(
      ckMlirExecutableLaunch(executable, nullptr, tensors, 3, pointer + 64, size_t(bytes)),
      StartsWith("the workspace must be aligned to 128 bytes, got address 0x"));
  EXPECT_INVALID(ckMlirExecutableLaunch(executable, nullptr, tensors, 3, nullptr, 0),
                 HasSubstr("got 0"));
}

TEST_F(ProgramTest, AnotherChip) {
  CkMlirCompileOptions options;
  ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
  ckMlirCompileOptionsSetChip(options, "gfx1100");
  CkMlirProgram other;
  ASSERT_EQ(ckMlirCompileProblem(kProblem, options, &other), CkMlirStatusSuccess);
  CkMlirExecutable loaded = {nullptr};
  EXPECT_INVALID(ckMlirExecutableLoad(device, other, &loaded),
                 "expected a kernel for gfx942, the chip of the device, got one for gfx1100");
  EXPECT_EQ(loaded.ptr, nullptr);
  ckMlirProgramDestroy(other);
  ckMlirCompileOptionsDestroy(options);
  CkMlirDevice second = {nullptr};
  EXPECT_FAILURE(ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx1100", &second),
                 CkMlirStatusDeviceError, HasSubstr("the emulator already runs as gfx942"));
}

TEST_F(ProgramTest, CopiesAreWhole) {
  char byte = 0;
  EXPECT_INVALID(ckMlirBufferCopyFromHost(buffer, &byte, 1),
                 "expected the 65536 bytes of the buffer, got 1");
  EXPECT_INVALID(ckMlirBufferCopyToHost(buffer, nullptr, 65536),
                 "expected memory of the host, got null");
  EXPECT_INVALID(ckMlirBufferZero(buffer, 65537),
                 "expected at most 65536 bytes, the size of the buffer, got 65537");
}

TEST_F(ProgramTest, FaultsOfKernelsAreErrorsOfTheDevice) {
  void *tensors[] = {pointer, pointer, &device}; // memory of the host
  CkMlirStream stream;
  ASSERT_EQ(ckMlirStreamCreate(device, &stream), CkMlirStatusSuccess);
  CkMlirStatus launched =
      ckMlirExecutableLaunch(executable, ckMlirStreamGetHandle(stream), tensors, 3, pointer, 65536);
  CkMlirStatus status =
      launched == CkMlirStatusSuccess ? ckMlirStreamSynchronize(stream) : launched;
  EXPECT_EQ(status, CkMlirStatusDeviceError);
  EXPECT_THAT(std::string(ckMlirGetLastMessage()), HasSubstr("failed: hipError"));
  ckMlirStreamDestroy(stream);
}

TEST_F(ProgramTest, Variables) {
  EXPECT_INVALID(ckMlirDeviceSetVariable(device, "CK_EMULATOR_COLOUR", "red"),
                 "the emulator has no variable CK_EMULATOR_COLOUR");
}

TEST(StatusTest, Names) {
  EXPECT_STREQ(ckMlirStatusGetName(CkMlirStatusSuccess), "success");
  EXPECT_STREQ(ckMlirStatusGetName(CkMlirStatusDeviceError), "device error");
  EXPECT_STREQ(ckMlirStatusGetName(CkMlirStatus(99)), "unknown status");
}
