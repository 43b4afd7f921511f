//===- CompileTest.cpp - The driver as a library -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From problems and modules to programs, and the reasons for those that cannot be compiled.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <thread>

using namespace mlir;
using namespace mlir::ck;

static constexpr llvm::StringLiteral kProblem =
    "conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1";

static llvm::Expected<CompiledProgram> compile(llvm::StringRef text,
                                               const CompileOptions &options = {}) {
  llvm::Expected<Problem> problem = parseProblem(text);
  if (!problem)
    return problem.takeError();
  return compileProblem(*problem, options);
}

/// The error of a compilation that must fail.
static std::string getError(llvm::StringRef text, llvm::StringRef schedule = "",
                            llvm::StringRef chip = "gfx942") {
  CompileOptions options;
  options.chip = chip.str();
  options.schedule = schedule.str();
  llvm::Expected<CompiledProgram> program = compile(text, options);
  return program ? "compiled" : llvm::toString(program.takeError());
}

TEST(Compile, ProgramHasEverythingToLaunchIt) {
  CompileOptions options;
  options.schedule = "tile=64x64x32,waves=2x2,roles=uniform,partition=data_parallel";
  llvm::Expected<CompiledProgram> program = compile(kProblem, options);
  ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
  EXPECT_EQ(toString(program->problem), kProblem.str());
  EXPECT_EQ(program->chip, "gfx942");
  EXPECT_EQ(toString(program->schedule).find("tile=64x64x32,waves=2x2"), 0u);
  EXPECT_FALSE(program->codeObject.empty());
  EXPECT_TRUE(program->assembly.empty());
  ASSERT_EQ(program->kernels.size(), 1u);
  const KernelInfo &kernel = program->kernels.front();
  EXPECT_EQ(kernel.grid, (std::array<uint32_t, 3>{9, 1, 1})); // 1 x 9 tiles of 64x576
  EXPECT_EQ(kernel.block, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(kernel.arguments, (std::vector<std::string>{"x", "dy", "dw"}));
  EXPECT_EQ(kernel.ldsBytes, 2 * (64 + 64) * 32 * 2);
  EXPECT_EQ(kernel.scratchBytes, 0);
  EXPECT_EQ(kernel.vgprSpills, 0);
  EXPECT_EQ(kernel.sgprSpills, 0);
}

TEST(Compile, TimesAreThoseOfTheStages) {
  llvm::Expected<CompiledProgram> program = compile(kProblem);
  ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
  double sum = 0;
  std::vector<std::string> names;
  for (const auto &[name, milliseconds] : program->stages) {
    sum += milliseconds;
    names.push_back(name);
  }
  EXPECT_DOUBLE_EQ(program->getCompileMilliseconds(), sum);
  EXPECT_EQ(names, (std::vector<std::string>{"generate", "schedule", "distribute", "lower",
                                             "translate", "optimize", "codegen", "link"}));
}

TEST(Compile, ManifestNamesTensorsAndKernels) {
  CompileOptions options;
  options.schedule = "partition=data_parallel";
  llvm::Expected<CompiledProgram> program = compile(kProblem, options);
  ASSERT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
  llvm::json::Value manifest = program->toManifest();
  const llvm::json::Object &object = *manifest.getAsObject();
  EXPECT_EQ(*object.getString("problem"), kProblem);
  EXPECT_EQ(*object.getString("chip"), "gfx942");
  EXPECT_EQ(*object.getInteger("workspace_bytes"), 0);
  EXPECT_TRUE(object.getArray("zero_fill")->empty());
  ASSERT_EQ(object.getArray("tensors")->size(), 3u);
  const llvm::json::Object &output = *(*object.getArray("tensors"))[2].getAsObject();
  EXPECT_EQ(*output.getString("name"), "dw");
  EXPECT_EQ(*output.getString("access"), "write");
  EXPECT_EQ(*output.getInteger("bytes"), 64 * 3 * 3 * 64 * 4);
  ASSERT_EQ(object.getArray("kernels")->size(), 1u);
  const llvm::json::Object &kernel = *(*object.getArray("kernels"))[0].getAsObject();
  for (llvm::StringRef key : {"vgprs", "agprs", "sgprs", "lds_bytes", "scratch_bytes", "code_bytes",
                              "vgpr_spills", "sgpr_spills"})
    EXPECT_TRUE(kernel.getInteger(key).has_value()) << key.str();
}

TEST(Compile, SameProblemGivesSameBytes) {
  EXPECT_EQ(llvm::cantFail(compile(kProblem)).codeObject,
            llvm::cantFail(compile(kProblem)).codeObject);
}

TEST(Compile, ThreadsDoNotDisturbEachOther) {
  std::string expected = llvm::cantFail(compile(kProblem)).codeObject;
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&] { result = llvm::cantFail(compile(kProblem)).codeObject; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}

TEST(Compile, GeneratedIrDescribesTheProblem) {
  for (llvm::StringRef text :
       {kProblem, llvm::StringLiteral("conv_bwd_weight:f16:N=2,G=3,K=5,C=7,in=9x8,filter=3x2,"
                                      "stride=2x1,dilation=1x2,pad=1:0x2:1,out_dtype=f16")}) {
    std::unique_ptr<MLIRContext> context = createContext();
    auto module = generateProblemIR(*context, llvm::cantFail(parseProblem(text)));
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    llvm::Expected<Problem> problem = getProblemOfModule(**module);
    ASSERT_TRUE(static_cast<bool>(problem)) << llvm::toString(problem.takeError());
    EXPECT_EQ(toString(*problem), toString(llvm::cantFail(parseProblem(text))));
  }
}

TEST(CompileErrors, ChipsAndSchedules) {
  EXPECT_EQ(getError(kProblem, "", "gfx1").find("unknown chip 'gfx1'; expected one of"), 0u);
  EXPECT_EQ(getError("gemm:fp8:M=8,N=8,K=8", "mma=16x16x32", "gfx90a"),
            "gfx90a has no matrix instruction 16x16x32 for fp8; expected one of 32x32x8, 16x16x16, "
            "32x32x4, 16x16x8");
  EXPECT_EQ(getError(kProblem, "tile=1"), "tile must have 3 sizes separated by 'x', got '1'");
  std::string error = getError(kProblem, "tile=256x256x64");
  EXPECT_NE(error.find("131072 bytes of LDS, gfx942 has 65536"), std::string::npos) << error;
  error = getError(kProblem, "tile=96x64x32,waves=2x2,mma=32x32x8");
  EXPECT_NE(error.find("tile M must be a multiple of 2 waves x 32 = 64, got 96"), std::string::npos)
      << error;
}

/// A layout of which no two elements that a thread needs are neighbours: the first choice of a
/// schedule with these fields keeps too many masks and addresses.
static constexpr llvm::StringLiteral kScattered =
    "conv_bwd_data:f16:N=3,G=2,K=33,C=64,in=4x9x8,filter=2x3x2,dilation=2x1x2,pad=2x2x1:2,"
    "layout=CGNHWD_XKCZYG_KNDWHG";

TEST(Compile, ChoosesASmallerTileRatherThanSpilling) {
  CompileOptions options;
  options.schedule = "mma=32x32x8,roles=uniform,partition=data_parallel";
  llvm::Expected<CompiledProgram> program = compile(kScattered, options);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  for (const KernelInfo &kernel : program->kernels) {
    EXPECT_EQ(kernel.sgprSpills, 0);
    EXPECT_EQ(kernel.vgprSpills, 0);
    EXPECT_EQ(kernel.scratchBytes, 0);
  }
}

/// Two-stage Split-K and StreamK describe their workspace; the caller owns it.
TEST(Compile, WorkspaceIsDescribed) {
  CompileOptions options;
  options.schedule = "tile=64x64x32,roles=uniform,partition=stream_k:tree";
  options.residents = 5;
  llvm::Expected<CompiledProgram> program = compile(kProblem, options);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  // 9 tiles for 5 workgroups: 5 streams, each with a line of flags and a tile of 64x64 words.
  EXPECT_EQ(program->workspaceBytes, 5 * (128 + 64 * 64 * 4));
  EXPECT_EQ(program->workspaceZeroBytes, 5 * 128);
  EXPECT_EQ(program->residents, 5);
  EXPECT_FALSE(program->zeroFillOutput);
  EXPECT_EQ(program->kernels.front().arguments,
            (std::vector<std::string>{"x", "dy", "dw", "workspace"}));

  options.schedule = "tile=64x64x32,roles=uniform,partition=split_k:4:two_stage";
  program = compile(kProblem, options);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  ASSERT_EQ(program->kernels.size(), 2u);
  EXPECT_EQ(program->kernels[1].name, program->kernels[0].name + "_reduce");
  EXPECT_EQ(program->workspaceBytes, 4 * 9 * 64 * 64 * 4);
  EXPECT_EQ(program->workspaceZeroBytes, 0);
  EXPECT_EQ(program->slices, 4);

  options.schedule = "tile=64x64x32,roles=uniform,partition=split_k:4";
  program = compile(kProblem, options);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  EXPECT_TRUE(program->zeroFillOutput);
  EXPECT_EQ(program->workspaceBytes, 0);
}

TEST(CompileErrors, ResidentsOutOfRange) {
  CompileOptions options;
  options.residents = -1;
  llvm::Expected<CompiledProgram> program = compile(kProblem, options);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "resident workgroups must be in [0, 2147483647], got -1");
}

TEST(CompileErrors, SchedulesThatSpill) {
  std::string error = getError(kScattered, "tile=64x64x64,waves=2x2,mma=32x32x8,roles=uniform,"
                                           "partition=data_parallel,mapping=1");
  EXPECT_NE(error.find("scalar and 0 vector registers with schedule tile=64x64x64"),
            std::string::npos)
      << error;
}

/// The error of a module that is no problem.
static std::string getModuleError(llvm::StringRef text) {
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context.get());
  EXPECT_TRUE(module) << text.str();
  llvm::Expected<CompiledProgram> program = compileModule(*module, CompileOptions());
  return program ? "compiled" : llvm::toString(program.takeError());
}

TEST(CompileErrors, ModulesWithoutOneProblem) {
  EXPECT_EQ(getModuleError("module {}"), "expected one ck problem operation in the module, got 0");
}

/// A convolution between the given arguments of a function.
static std::string makeModule(llvm::StringRef arguments, llvm::StringRef x, llvm::StringRef dy,
                              llvm::StringRef dw) {
  return ("func.func @f(" + arguments + ") {\n  %a = memref.alloc() : memref<1x8x3x3x8xf32>\n" +
          "  ck.conv_bwd_weight ins(" + x + ", " + dy +
          " : memref<2x8x8x1x8xf16>, memref<2x8x8x1x8xf16>) outs(" + dw +
          " : memref<1x8x3x3x8xf32>) layout <NHWGC, GKYXC, NHWGK> strides [1, 1] dilations [1, 1] "
          "pad_low [1, 1] pad_high [1, 1]\n  return\n}")
      .str();
}

TEST(CompileErrors, TensorsMustBeDifferentArguments) {
  std::string arguments =
      "%x: memref<2x8x8x1x8xf16>, %dy: memref<2x8x8x1x8xf16>, %dw: memref<1x8x3x3x8xf32>";
  EXPECT_EQ(getModuleError(makeModule(arguments, "%x", "%dy", "%dw")), "compiled");
  EXPECT_EQ(getModuleError(makeModule(arguments, "%x", "%x", "%dw")),
            "expected different tensors for x and dy, got the same argument");
  EXPECT_EQ(getModuleError(makeModule(arguments, "%x", "%dy", "%a")),
            "expected tensor dw to be an argument of a func.func");
}

TEST(CompileErrors, MissingFile) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = parseModuleFile(*context, "/nonexistent/problem.mlir");
  ASSERT_FALSE(static_cast<bool>(module));
  EXPECT_EQ(llvm::toString(module.takeError()).find("cannot read '/nonexistent/problem.mlir'"), 0u);
}
