//===- Pipelines.cpp - The ladder as pass pipelines -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rung is a list of passes and the form that they establish; every pipeline is a part of the
// same ladder.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Pipelines.h"
#include "Compiler/PipelineOptions.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ck;

void mlir::ck::addCleanup(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

static void addImplicitGemm(OpPassManager &manager, const LoweringOptions &options) {
  ConvToGemmPassOptions pass;
  pass.nameProblems = !options.tuningFile.empty();
  // Lanes that compute by themselves have no columns to fill. A string that is none is refused
  // later.
  llvm::Expected<ScheduleRequest> request = parseSchedule(options.schedule);
  if (!request)
    llvm::consumeError(request.takeError());
  else if (request->direct)
    pass.foldPositions = {0};
  manager.addPass(createConvToGemmPass(pass));
}

static void addScheduled(OpPassManager &manager, const LoweringOptions &options) {
  manager.addPass(createAssignSchedulePass({options.schedule, options.relief, options.residents,
                                            options.allocWorkspace, options.tuningFile}));
}

static void addGrid(OpPassManager &manager, const LoweringOptions &options) {
  manager.addPass(createGemmToGridPass({options.residents, options.allocWorkspace}));
}

static void addWorkgroup(OpPassManager &manager, const LoweringOptions &options) {
  manager.nest<gpu::GPUModuleOp>().addPass(createExpandPartitionPass());
}

static void addBlock(OpPassManager &manager, const LoweringOptions &options) {
  manager.nest<gpu::GPUModuleOp>().addPass(createPipelineBlockGemmPass());
}

static void addWave(OpPassManager &manager, const LoweringOptions &options) {
  auto &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createDistributeToWavesPass());
  kernels.addPass(createExpandDirectPass());
}

static void addArithmetic(OpPassManager &manager, const LoweringOptions &options) {
  manager.nest<gpu::GPUModuleOp>().addPass(createExpandMathPass());
}

/// The same behind a lowering that repeats constants and index computations for every copy and
/// read. Top-down, canonicalization takes up to three times as long to remove them, with the same
/// result. A second look, and one at blocks, would find nothing.
static void addCleanupFromBelow(OpPassManager &manager) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(false).setMaxIterations(1).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  manager.addPass(createCanonicalizerPass(config));
  manager.addPass(createCSEPass());
}

static void addLane(OpPassManager &manager, const LoweringOptions &options) {
  auto &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createLowerTransformsPass());
  addCleanupFromBelow(kernels);
}

static void addUpstream(OpPassManager &manager, const LoweringOptions &options) {
  manager.nest<gpu::GPUModuleOp>().addPass(createLowerHintsPass());
}

static void addRocdl(OpPassManager &manager, const LoweringOptions &options) {
  manager.addPass(createConvertToRocdlPass());
}

namespace {
/// A form, what establishes it from the form before, and how the form is described to users.
struct Rung {
  Form form;
  StringLiteral name;
  StringLiteral description;
  void (*addPasses)(OpPassManager &, const LoweringOptions &);
};
} // namespace

static constexpr Rung kRungs[] = {
    {Form::Problem, "problem", "Attach the target to a module of problems", nullptr},
    {Form::ImplicitGemm, "implicit-gemm", "Lower problems to GEMMs on views", addImplicitGemm},
    {Form::Scheduled, "scheduled", "Lower problems to scheduled GEMMs", addScheduled},
    {Form::Grid, "grid", "Lower problems to kernels that distribute tiles", addGrid},
    {Form::Workgroup, "workgroup", "Lower problems to the code of each workgroup", addWorkgroup},
    {Form::Block, "block", "Lower problems to block GEMMs in wave roles", addBlock},
    {Form::Wave, "wave", "Lower problems to vectors of lanes and their places in views", addWave},
    {Form::Arithmetic, "arithmetic", "Lower problems to lanes without functions", addArithmetic},
    {Form::Lane, "lane", "Lower problems to the code of each lane", addLane},
    {Form::Upstream, "upstream", "Lower problems to kernels of upstream's dialects", addUpstream},
    {Form::Rocdl, "rocdl", "Lower problems to the llvm and rocdl dialects", addRocdl},
};

static void addVerification(OpPassManager &manager, const Rung &rung,
                            const LoweringOptions &options) {
  if (options.verifyForms)
    manager.addPass(createVerifyFormPass({rung.name.str()}));
}

void mlir::ck::buildLoweringPipeline(OpPassManager &manager, Form from, Form to,
                                     const LoweringOptions &options) {
  for (const Rung &rung : kRungs) {
    if (rung.form > to)
      return;
    if (rung.form == Form::Problem && from == Form::Problem) {
      addVerification(manager, rung, options);
      manager.addPass(createAttachTargetPass({options.chip}));
    }
    if (rung.form <= from)
      continue;
    rung.addPasses(manager, options);
    if (options.extension)
      options.extension(rung.form, manager);
    addVerification(manager, rung, options);
  }
}

void mlir::ck::buildNaivePipeline(OpPassManager &manager, Form to, const LoweringOptions &options) {
  manager.addPass(createAttachTargetPass({options.chip}));
  manager.addPass(createConvToGemmPass({/*mergeGroups=*/1, /*foldPositions=*/{0}}));
  manager.addPass(createGemmToNaivePass());
  for (const Rung &rung : kRungs) {
    if (rung.form < Form::Wave || rung.form > to)
      continue;
    if (rung.form > Form::Wave)
      rung.addPasses(manager, options);
    addVerification(manager, rung, options);
  }
}

namespace {
/// Both pipelines for problems can check the forms on the way.
template <typename Base>
// NOLINTNEXTLINE(misc-multiple-inheritance): what options of MLIR inherit is counted
struct VerifyingPipelineOptions : Base {
  typename Base::template Option<bool> verifyForms{
      *this, "verify-forms", llvm::cl::desc("check the form of the module between the rungs"),
      llvm::cl::init(false)};

  LoweringOptions get() const {
    LoweringOptions options = Base::get();
    options.verifyForms = verifyForms;
    return options;
  }
};

using LoweringPipelineOptions = VerifyingPipelineOptions<KernelPipelineOptions>;
using CompilePipelineOptions = VerifyingPipelineOptions<BinaryPipelineOptions>;
} // namespace

void mlir::ck::registerPipelines() {
  for (const Rung &rung : kRungs) {
    Form form = rung.form;
    registerModulePipeline<LoweringPipelineOptions>(
        ("ck-lower-to-" + rung.name).str(), rung.description,
        [form](OpPassManager &manager, const LoweringPipelineOptions &options) {
          buildLoweringPipeline(manager, Form::Problem, form, options.get());
        });
  }
  registerModulePipeline<LoweringPipelineOptions>(
      "ck-lower-to-naive", "Lower problems to one work-item per element, the reference on a device",
      [](OpPassManager &manager, const LoweringPipelineOptions &options) {
        buildNaivePipeline(manager, Form::Lane, options.get());
      });
  registerModulePipeline<CompilePipelineOptions>(
      "ck-compile-pipeline", "Compile problems to a gpu.binary",
      [](OpPassManager &manager, const CompilePipelineOptions &options) {
        buildLoweringPipeline(manager, Form::Problem, Form::Rocdl, options.get());
        manager.addPass(createSerializeKernelsPass({options.format}));
      });
}
