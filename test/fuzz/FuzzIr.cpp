//===- FuzzIr.cpp - IR of every rung -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a module. What parses and verifies is printed and parsed again, goes through one of
// our passes, whether it is in that pass's form or not, and from the rung that it is on through the
// rest of the ladder to a code object.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Serialize/Passes.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <unistd.h>

using namespace mlir;
using namespace mlir::ck;
using namespace ckfuzz;

static constexpr Form kForms[] = {Form::Problem, Form::ImplicitGemm, Form::Scheduled, Form::Grid,
                                  Form::Block,   Form::Lane,         Form::Rocdl};
static constexpr StringLiteral kPasses[] = {"ck-attach-target{chip=gfx1100}",
                                            "ck-conv-to-gemm",
                                            "ck-assign-schedule",
                                            "ck-gemm-to-grid",
                                            "ck-gemm-to-naive",
                                            "gpu.module(ck-expand-partition)",
                                            "gpu.module(ck-pipeline-block-gemm)",
                                            "gpu.module(ck-distribute-to-waves)",
                                            "ck-expand-math",
                                            "gpu.module(ck-lower-transforms)",
                                            "gpu.module(ck-lower-hints)",
                                            "ck-convert-to-rocdl",
                                            "ck-serialize-kernels"};
static constexpr StringLiteral kChips[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

/// Errors with which LLVM ends the process, and which are its own (docs/Testing.md).
static constexpr StringLiteral kUpstreamErrors[] = {
    "Do not know how to widen the result of this operator!"};

/// Called where LLVM would end the process.
static void endProcess(void *, const char *reason, bool) {
  llvm::errs() << "LLVM ERROR: " << reason << '\n';
  if (llvm::is_contained(kUpstreamErrors, StringRef(reason)))
    _exit(kUpstreamStatus);
  std::abort();
}

/// A context for the next input: one for many, since making one takes longer than most inputs.
static MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 500 == 0) {
    context = createContext();
    if (uses == 1) {
      registerAllPasses();
      llvm::install_fatal_error_handler(endProcess);
    }
  }
  return *context;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope());
  return text;
}

static void testRoundTrip(ModuleOp module) {
  const std::string text = print(module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, module.getContext());
  require(bool(again), "what was printed does not parse:\n" + text);
  require(print(*again) == text, "what was printed parses to another module:\n" + text);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  require(succeeded(writeBytecodeToFile(module, os)), "no bytecode of:\n" + text);
  again = parseSourceString<ModuleOp>(bytes, module.getContext());
  require(again && print(*again) == text, "the bytecode is another module:\n" + text);
}

static void testPass(ModuleOp module, StringRef pipeline) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  require(succeeded(parsePassPipeline(pipeline, manager)), "no pipeline " + pipeline.str());
  (void)manager.run(*copy);
}

static void testLadder(ModuleOp module, StringRef chip) {
  // From above: a module of kernels in the llvm dialect has no op that a problem may not have.
  for (Form form : llvm::reverse(kForms)) {
    if (failed(verifyForm(module, form)))
      continue;
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager manager(module.getContext());
    LoweringOptions options;
    options.chip = chip.str();
    buildLoweringPipeline(manager, form, Form::Rocdl, options);
    manager.addPass(createSerializeKernelsPass());
    const bool compiled = succeeded(manager.run(*copy));
    llvm::errs() << (compiled ? "compiled" : "refused") << " on rung " << int(form) << '\n';
    return;
  }
}

/// The IR of `text` on the rung `form`.
static std::string makeSeed(StringRef text, StringRef schedule, StringRef chip, Form form) {
  std::unique_ptr<MLIRContext> context = createContext();
  llvm::Expected<Problem> problem = parseProblem(text);
  require(bool(problem), "the seed is no problem");
  llvm::Expected<OwningOpRef<ModuleOp>> module = generateProblemIR(*context, *problem);
  require(bool(module), "no IR for the seed");
  PassManager manager(context.get());
  LoweringOptions options;
  options.chip = chip.str();
  options.schedule = schedule.str();
  buildLoweringPipeline(manager, Form::Problem, form, options);
  require(succeeded(manager.run(**module)), "the seed is not lowered");
  return print(**module);
}

std::vector<std::string> makeFuzzSeeds() {
  std::vector<std::string> seeds;
  for (Form form : kForms) {
    seeds.push_back(makeSeed("gemm:f16:M=40,N=32,K=48,epilogue=bias+gelu",
                             "tile=32x32x16,waves=1x1,mma=16x16x16", "gfx942", form));
    seeds.push_back(makeSeed("conv_bwd_data:bf16:N=1,K=8,C=16,in=7x7,filter=3x3,stride=2,pad=1",
                             "tile=16x16x32,waves=1x1,roles=1+1", "gfx1100", form));
    seeds.push_back(makeSeed("conv_bwd_weight:f16:N=2,K=16,C=16,in=9x9,filter=3x3",
                             "tile=16x16x32,waves=1x1,partition=stream_k:tree", "gfx1201", form));
  }
  return seeds;
}

/// True if `text` has a vector type of more elements than registers could ever hold, for which
/// upstream's parsers and lowerings allocate memory element by element (docs/Testing.md).
static bool hasHugeVector(StringRef text) {
  constexpr uint64_t kMaxElements = 1 << 20;
  for (size_t at = text.find("vector<"); at != StringRef::npos; at = text.find("vector<", at)) {
    at += StringRef("vector<").size();
    StringRef shape = text.substr(at);
    uint64_t elements = 1, size = 0;
    // consumeInteger() fails for what 64 bits cannot hold, and leaves the digits.
    while (!shape.consumeInteger(10, size) && shape.consume_front("x")) {
      elements = llvm::SaturatingMultiply(elements, size);
      if (elements > kMaxElements)
        return true;
    }
    if (!shape.empty() && llvm::isDigit(shape.front()))
      return true;
  }
  return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (hasHugeVector(text))
    return 0;
  MLIRContext &context = getContext();
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 0;
  testRoundTrip(*module);
  const size_t choice = size_t(llvm::xxh3_64bits(text));
  testPass(*module, kPasses[choice % std::size(kPasses)]);
  testLadder(*module, kChips[choice / 64 % std::size(kChips)]);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
