//===- Program.c - A C program that does everything the C API offers -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled as C11 with all warnings as errors. It uses MLIR's own C API on the same context, runs
// kernels on the emulator and compares their results with loops written here.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Chip.h"
#include "ck-mlir-c/Compiler.h"
#include "ck-mlir-c/IR.h"
#include "ck-mlir-c/Lower.h"
#include "ck-mlir-c/Report.h"
#include "ck-mlir-c/Runtime.h"
#include "ck-mlir-c/Weights.h"
#include "mlir-c/Pass.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends the program where `condition` does not hold.
static void check(bool condition, const char *text, int line) {
  if (condition)
    return;
  fprintf(stderr, "%s:%d: expected %s\nlast message: %s\n", __FILE__, line, text,
          ckMlirGetLastMessage());
  exit(1);
}
#define CHECK(condition) check((condition), #condition, __LINE__)
#define CHECK_OK(call) check((call) == CkMlirStatusSuccess, #call " to succeed", __LINE__)

//===----------------------------------------------------------------------===//
// Chips, dialect, attributes
//===----------------------------------------------------------------------===//

static void testChips(void) {
  bool found = false;
  CHECK(ckMlirGetNumChips() >= 5);
  for (size_t i = 0; i < ckMlirGetNumChips(); ++i)
    found = found || strcmp(ckMlirGetChipName(i), "gfx942") == 0;
  CHECK(found);
  CHECK(!ckMlirGetChipName(ckMlirGetNumChips()));
  CkMlirChip chip;
  CHECK_OK(ckMlirChipGet("gfx1100", &chip));
  CHECK(strcmp(ckMlirChipGetName(chip), "gfx1100") == 0);
  CHECK(ckMlirChipGetWaveSize(chip) == 32);
  CHECK(ckMlirChipHasWmma(chip) && !ckMlirChipHasMfma(chip));
  CkMlirText table;
  CHECK_OK(ckMlirCreateChipTable(&table));
  CHECK(strstr(ckMlirTextGetData(table), "\"matrix_instructions\""));
  CHECK(strlen(ckMlirTextGetData(table)) == ckMlirTextGetSize(table));
  ckMlirTextDestroy(table);
}

/// Appends what MLIR prints to a buffer of 1024 bytes.
static void append(MlirStringRef text, void *buffer) {
  char *end = (char *)buffer + strlen(buffer);
  CHECK((size_t)(end - (char *)buffer) + text.length < 1024);
  memcpy(end, text.data, text.length);
  end[text.length] = '\0';
}

/// Whether the attribute is printed as `text`.
static bool prints(MlirAttribute attribute, const char *text) {
  char printed[1024] = "";
  mlirAttributePrint(attribute, append, printed);
  return strcmp(printed, text) == 0;
}

static void testTarget(MlirContext context) {
  MlirAttribute target, parsed;
  CHECK_OK(ckMlirTargetAttrGet(context, "gfx950", &target));
  CHECK_OK(ckMlirAttributeParse(context, "#ck.target<\"gfx950\">", &parsed));
  CHECK(mlirAttributeEqual(target, parsed));
  CHECK(ckMlirAttributeIsATarget(target) && !ckMlirAttributeIsASchedule(target));
  CHECK(mlirStringRefEqual(ckMlirTargetAttrGetChip(target),
                           mlirStringRefCreateFromCString("gfx950")));
  CHECK(prints(target, "#ck.target<\"gfx950\">"));
}

static void testSchedule(MlirContext context) {
  const char *text = "tile=64x128x32,waves=2x2,mma=32x32x8,roles=4+4,stages=3,partition=stream_k:"
                     "tree,mapping=8:64";
  MlirType f16 = mlirTypeParseGet(context, mlirStringRefCreateFromCString("f16"));
  MlirAttribute schedule;
  CHECK_OK(ckMlirScheduleAttrGet(context, text, f16, &schedule));
  CHECK(ckMlirAttributeIsASchedule(schedule) && !ckMlirAttributeIsATarget(schedule));
  int64_t tile[3], waves[2], mma[3];
  ckMlirScheduleAttrGetTile(schedule, tile);
  ckMlirScheduleAttrGetWaves(schedule, waves);
  ckMlirScheduleAttrGetMma(schedule, mma);
  CHECK(tile[0] == 64 && tile[1] == 128 && tile[2] == 32);
  CHECK(waves[0] == 2 && waves[1] == 2 && mma[0] == 32 && mma[2] == 8);
  CHECK(ckMlirScheduleAttrGetStages(schedule) == 3);
  CHECK(ckMlirScheduleAttrGetLoadWaves(schedule) == 4);
  int64_t mapping[2];
  ckMlirScheduleAttrGetMapping(schedule, mapping);
  CHECK(mapping[0] == 8 && mapping[1] == 64);
  CHECK(mlirTypeEqual(ckMlirScheduleAttrGetOperandType(schedule), f16));
  CkMlirText printed;
  CHECK_OK(ckMlirScheduleAttrCreateText(schedule, &printed));
  CHECK(strncmp(ckMlirTextGetData(printed), text, strlen(text)) == 0);
  ckMlirTextDestroy(printed);
  char ir[1024] = "";
  mlirAttributePrint(schedule, append, ir);
  MlirAttribute parsed;
  CHECK_OK(ckMlirAttributeParse(context, ir, &parsed));
  CHECK(mlirAttributeEqual(schedule, parsed));
}

static void testTransformMap(MlirContext context) {
  const char *text =
      "#ck.transform_map<(n: 2, h: 4) by [pad h 1 : 1, merge K = (n, h)] to (K: 12)>";
  MlirAttribute map;
  CHECK_OK(ckMlirAttributeParse(context, text, &map));
  CHECK(ckMlirAttributeIsATransformMap(map) && !ckMlirAttributeIsATarget(map));
  CHECK(ckMlirTransformMapAttrGetTensorRank(map) == 2);
  CHECK(ckMlirTransformMapAttrGetViewRank(map) == 1);
  CHECK(ckMlirTransformMapAttrGetTensorSize(map, 1) == 4);
  CHECK(ckMlirTransformMapAttrGetViewSize(map, 0) == 12);
  CHECK(ckMlirTransformMapAttrGetViewSize(map, 1) == 0);
  CHECK(mlirStringRefEqual(ckMlirTransformMapAttrGetTensorDim(map, 0),
                           mlirStringRefCreateFromCString("n")));
  CHECK(mlirStringRefEqual(ckMlirTransformMapAttrGetViewDim(map, 0),
                           mlirStringRefCreateFromCString("K")));
  CHECK(ckMlirTransformMapAttrGetNumSteps(map) == 2);
  CHECK(prints(map, text));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Whether a pipeline of our passes, which MLIR's C API parses and runs, makes GEMMs of a module.
static void testPasses(MlirContext context) {
  MlirModule module;
  CHECK_OK(ckMlirModuleCreateFromProblem(context, "gemm:f16:M=64,N=64,K=64", NULL, &module));
  CHECK_OK(ckMlirRegisterAllPasses());
  CHECK_OK(ckMlirRegisterAllPasses());
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirStringRef pipeline = mlirStringRefCreateFromCString(
      "builtin.module(ck-attach-target{chip=gfx90a},ck-conv-to-gemm)");
  char errors[1024] = "";
  CHECK(mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager), pipeline, append, errors)));
  MlirOperation op = mlirModuleGetOperation(module);
  CHECK(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, op)));
  MlirAttribute target =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("ck.target"));
  CHECK(prints(target, "#ck.target<\"gfx90a\">"));
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

/// A module gives the code object of its problem.
static void testModule(MlirContext context) {
  const char *problem = "conv_bwd_weight:f16:N=2,K=32,C=16,in=8x8,filter=3x3,pad=1";
  MlirModule module;
  CHECK_OK(ckMlirModuleCreateFromProblem(context, problem, "gfx942", &module));
  CkMlirProgram ofModule, ofProblem;
  CkMlirCompileOptions none = {NULL};
  CHECK_OK(ckMlirCompileModule(module, none, &ofModule));
  CHECK_OK(ckMlirCompileProblem(problem, none, &ofProblem));
  CHECK(strcmp(ckMlirProgramGetProblem(ofModule), ckMlirProgramGetProblem(ofProblem)) == 0);
  CHECK(strcmp(ckMlirProgramGetSchedule(ofModule), ckMlirProgramGetSchedule(ofProblem)) == 0);
  CkMlirBytes a = ckMlirProgramGetCodeObject(ofModule);
  CHECK(a.size > 4 && memcmp(a.data, "\177ELF", 4) == 0);
  ckMlirProgramDestroy(ofModule);
  ckMlirProgramDestroy(ofProblem);
  mlirModuleDestroy(module);
}

static void testIR(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ck__(), registry);
  CHECK_OK(ckMlirRegisterAllDialects(registry));
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  CHECK(!mlirDialectIsNull(mlirContextGetOrLoadDialect(
      context, mlirDialectHandleGetNamespace(mlirGetDialectHandle__ck__()))));
  testTarget(context);
  testSchedule(context);
  testTransformMap(context);
  testPasses(context);
  testModule(context);
  mlirContextDestroy(context);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A program with memory for its tensors.
typedef struct Run {
  CkMlirProgram program;
  CkMlirBuffer buffers[3], workspace; // two inputs and the result
  size_t bytes[3];
} Run;

static Run prepare(CkMlirDevice device, const char *problem, const char *schedule,
                   int64_t residents) {
  Run run;
  CkMlirCompileOptions options;
  CHECK_OK(ckMlirCompileOptionsCreate(&options));
  CHECK_OK(ckMlirCompileOptionsSetChip(options, ckMlirDeviceGetChip(device)));
  CHECK_OK(ckMlirCompileOptionsSetSchedule(options, schedule));
  CHECK_OK(ckMlirCompileOptionsSetResidents(options, residents));
  CHECK_OK(ckMlirCompileOptionsSetVerifyIR(options, true));
  CHECK_OK(ckMlirCompileProblem(problem, options, &run.program));
  ckMlirCompileOptionsDestroy(options);
  CHECK(ckMlirProgramGetNumTensors(run.program) == 3);
  CHECK(strstr(ckMlirProgramGetManifest(run.program), "\"workspace_bytes\""));
  CHECK(strcmp(ckMlirProgramGetAssembly(run.program), "") == 0);
  for (size_t i = 0; i < 3; ++i) {
    CkMlirTensor tensor = ckMlirProgramGetTensor(run.program, i);
    CHECK(tensor.isWritten == (i == 2));
    run.bytes[i] = (size_t)tensor.bytes;
    CHECK_OK(ckMlirBufferCreate(device, run.bytes[i], &run.buffers[i]));
  }
  CHECK_OK(ckMlirBufferCreate(device, (size_t)ckMlirProgramGetWorkspaceBytes(run.program),
                              &run.workspace));
  return run;
}

/// Launches twice, for the zeros that a program needs must come with every launch, then relies on
/// the zeros that launches leave in the workspace, and reads the result to `result`. Frees
/// everything.
static void execute(CkMlirDevice device, Run run, const void *a, const void *b, void *result) {
  CHECK_OK(ckMlirBufferCopyFromHost(run.buffers[0], a, run.bytes[0]));
  CHECK_OK(ckMlirBufferCopyFromHost(run.buffers[1], b, run.bytes[1]));
  memset(result, 0xff, run.bytes[2]);
  CHECK_OK(ckMlirBufferCopyFromHost(run.buffers[2], result, run.bytes[2]));
  CkMlirStream stream;
  CkMlirExecutable executable;
  CHECK_OK(ckMlirStreamCreate(device, &stream));
  CHECK_OK(ckMlirExecutableLoad(device, run.program, &executable));
  ckMlirProgramDestroy(run.program);
  void *pointers[3];
  for (size_t i = 0; i < 3; ++i)
    pointers[i] = ckMlirBufferGetPointer(run.buffers[i]);
  for (int i = 0; i < 2; ++i)
    CHECK_OK(ckMlirExecutableLaunch(executable, ckMlirStreamGetHandle(stream), pointers, 3,
                                    ckMlirBufferGetPointer(run.workspace),
                                    ckMlirBufferGetSize(run.workspace)));
  CHECK_OK(ckMlirExecutableLaunchZeroed(executable, ckMlirStreamGetHandle(stream), pointers, 3,
                                        ckMlirBufferGetPointer(run.workspace),
                                        ckMlirBufferGetSize(run.workspace)));
  CHECK_OK(ckMlirStreamSynchronize(stream));
  CHECK_OK(ckMlirBufferCopyToHost(run.buffers[2], result, run.bytes[2]));
  ckMlirExecutableDestroy(executable);
  ckMlirStreamDestroy(stream);
  for (size_t i = 0; i < 3; ++i)
    ckMlirBufferDestroy(run.buffers[i]);
  ckMlirBufferDestroy(run.workspace);
}

/// A small integer that depends on `i`.
static int getValue(int i) { return (i * 7 + i / 5) % 9 - 4; }

/// C = A * B on bytes, A row by row, B column by column, sums of 32 bits.
static void testGemm(CkMlirDevice device, const char *schedule, int64_t residents,
                     bool needsWorkspace) {
  enum { M = 40, N = 48, K = 256 };
  static int8_t a[M * K], b[N * K];
  static int32_t c[M * N];
  for (int i = 0; i < M * K; ++i)
    a[i] = (int8_t)getValue(i);
  for (int i = 0; i < N * K; ++i)
    b[i] = (int8_t)getValue(i + 3);
  Run run = prepare(device, "gemm:i8:M=40,N=48,K=256", schedule, residents);
  CHECK(run.bytes[0] == sizeof(a) && run.bytes[1] == sizeof(b) && run.bytes[2] == sizeof(c));
  CHECK((ckMlirProgramGetWorkspaceBytes(run.program) > 0) == needsWorkspace);
  CHECK(ckMlirProgramGetWorkspaceAlignment(run.program) > 0);
  execute(device, run, a, b, c);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      int32_t sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[m * K + k] * b[n * K + k];
      CHECK(c[m * N + n] == sum);
    }
}

/// The same product with B shuffled ahead of time.
static void testShuffledGemm(CkMlirDevice device) {
  enum { M = 24, N = 64, K = 96 };
  static const char *const problem = "gemm:i8:M=24,N=64,K=96,preshuffle=32";
  static int8_t a[M * K], b[N * K], shuffled[N * K];
  static int32_t c[M * N];
  for (int i = 0; i < M * K; ++i)
    a[i] = (int8_t)getValue(i);
  for (int i = 0; i < N * K; ++i)
    b[i] = (int8_t)getValue(i + 3);
  CHECK_OK(ckMlirShuffleWeights(problem, b, sizeof(b), shuffled, sizeof(shuffled)));
  Run run = prepare(device, problem, "", 0);
  CHECK(run.bytes[1] == sizeof(shuffled));
  execute(device, run, a, shuffled, c);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      int32_t sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[m * K + k] * b[n * K + k];
      CHECK(c[m * N + n] == sum);
    }
}

/// A convolution in f32, whose slices are added up in memory.
static void testConvolution(CkMlirDevice device) {
  enum { C = 32, H = 5, K = 16, R = 3 };
  static float x[H * H * C], w[K * R * R * C], y[H * H * K];
  for (int i = 0; i < H * H * C; ++i)
    x[i] = (float)getValue(i);
  for (int i = 0; i < K * R * R * C; ++i)
    w[i] = (float)getValue(i + 1);
  Run run = prepare(device, "conv_fwd:f32:N=1,K=16,C=32,in=5x5,filter=3x3,pad=1",
                    "partition=split_k:4", ckMlirDeviceGetComputeUnits(device));
  CHECK(ckMlirProgramGetTensor(run.program, 2).zeroFill);
  CkMlirTensor input = ckMlirProgramGetTensor(run.program, 0);
  CHECK(strcmp(input.layout, "NHWGC") == 0 && strcmp(input.type, "f32") == 0);
  CHECK(input.rank == 5 && input.shape[1] == H && input.shape[4] == C);
  CkMlirKernel kernel = ckMlirProgramGetKernel(run.program, 0);
  CHECK(kernel.numArguments == 3 && kernel.block[0] >= 64 && kernel.grid[0] > 1);
  CHECK(strcmp(kernel.arguments[0], input.name) == 0);
  execute(device, run, x, w, y);
  for (int h = 0; h < H; ++h)
    for (int v = 0; v < H; ++v)
      for (int k = 0; k < K; ++k) {
        float sum = 0;
        for (int r = 0; r < R; ++r)
          for (int s = 0; s < R; ++s)
            for (int c = 0; c < C; ++c) {
              int row = h + r - 1, column = v + s - 1;
              if (row >= 0 && row < H && column >= 0 && column < H)
                sum += x[(row * H + column) * C + c] * w[((k * R + r) * R + s) * C + c];
            }
        CHECK(y[(h * H + v) * K + k] == sum);
      }
}

static void testReport(void) {
  CkMlirCompileOptions none = {NULL};
  CkMlirText report, canonical;
  CHECK_OK(ckMlirCreatePartitionReport("gemm:f16:M=512,N=512,K=4096", none, 0, 1, &report));
  CHECK(strstr(ckMlirTextGetData(report), "\"stream_k:tree:persistent\""));
  CHECK(strstr(ckMlirTextGetData(report), "\"compute_units\": 304"));
  ckMlirTextDestroy(report);
  CHECK_OK(ckMlirCreateCanonicalProblem("gemm:f16:K=4096,N=512,M=512", &canonical));
  CHECK(strncmp(ckMlirTextGetData(canonical), "gemm:f16:M=512,N=512,K=4096", 27) == 0);
  ckMlirTextDestroy(canonical);
}

static void testExplanation(void) {
  CkMlirCompileOptions none = {NULL};
  CkMlirText explanation;
  CHECK_OK(ckMlirCreateExplanation("gemm:f16:M=64,N=64,K=64", none, 2, true, &explanation));
  CHECK(strstr(ckMlirTextGetData(explanation), "\"parts_us\""));
  CHECK(strstr(ckMlirTextGetData(explanation), "\"modelled_us\""));
  ckMlirTextDestroy(explanation);
}

static void testTexts(void) {
  CkMlirCompileOptions none = {NULL};
  CkMlirText ir, lane, verdict;
  CHECK_OK(ckMlirCreateProblemIR("gemm:f16:M=64,N=64,K=64", none, &ir));
  CHECK_OK(ckMlirCreateLoweredIR(ckMlirTextGetData(ir), "problem", "lane", none, &lane));
  CHECK(strstr(ckMlirTextGetData(lane), "amdgpu.mfma"));
  CHECK_OK(ckMlirCreateRunReport("gemm:f16:M=64,N=64,K=64", none, CkMlirDeviceKindEmulator,
                                 CkMlirVerificationCpu, false, &verdict));
  CHECK(strstr(ckMlirTextGetData(verdict), "\"status\": \"ok\""));
  ckMlirTextDestroy(ir);
  ckMlirTextDestroy(lane);
  ckMlirTextDestroy(verdict);
}

static void testDevice(void) {
  CkMlirDevice device;
  CHECK_OK(ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx942", &device));
  CHECK(ckMlirDeviceIsEmulated(device));
  CHECK(strcmp(ckMlirDeviceGetChip(device), "gfx942") == 0);
  CHECK(strlen(ckMlirDeviceGetName(device)) > 0 && ckMlirDeviceGetComputeUnits(device) > 0);
  CHECK_OK(ckMlirDeviceSetVariable(device, "CK_EMULATOR_SCHEDULE", "random:3"));
  testGemm(device, "partition=data_parallel", 0, false);
  testGemm(device, "partition=split_k:4:two_stage", 0, true);
  testGemm(device, "tile=32x32x32,partition=stream_k:tree", 3, true);
  testShuffledGemm(device);
  testConvolution(device);
  CkMlirText statistics;
  CHECK_OK(ckMlirDeviceCreateLaunchStatistics(device, &statistics));
  CHECK(strstr(ckMlirTextGetData(statistics), "\"lds_bank_conflicts\""));
  ckMlirTextDestroy(statistics);
  ckMlirDeviceDestroy(device);
}

int main(void) {
  CHECK(strlen(ckMlirGetVersion()) >= 5);
  CHECK(strcmp(ckMlirGetLastMessage(), "") == 0);
  testChips();
  testIR();
  testReport();
  testExplanation();
  testTexts();
  testDevice();
  printf("passed\n");
  return 0;
}
