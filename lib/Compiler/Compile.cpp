//===- Compile.cpp - The compiler driver -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem or rung-0 IR -> ladder -> serializer, with the time of every stage and what the host
// needs to launch the kernels.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "ck-mlir/Serialize/Serialize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include <chrono>

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// Milliseconds since its construction.
class Stopwatch {
public:
  double getMilliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// One compilation of a rung-0 module.
class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options, int64_t relief,
              std::optional<Problem> given)
      : module(module), options(options), relief(relief), given(std::move(given)) {}

  Expected<CompiledProgram> run();

private:
  Error readProblem();
  Error lower();
  Error runPasses(StringRef stage,
                  function_ref<void(OpPassManager &, const LoweringOptions &)> addPasses);
  Error readPlan();
  void readWorkspace();
  Error readZeroFills();
  Error readLaunches();
  Error readLaunch(gpu::LaunchFuncOp launch);
  Error serialize();

  ModuleOp module;
  const CompileOptions &options;
  int64_t relief;               // of registers, see ScheduleRequest
  std::optional<Problem> given; // that the module was generated from; names the epilogue's steps
  CompiledProgram program;
  SmallVector<std::string> argumentNames; // of the host function: tensor names
};
} // namespace

/// The argument number of `value` in its function; an error names the tensor that is none.
static Expected<unsigned> getArgumentNumber(Value value, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return createStringError("expected tensor " + name + " to be an argument of a func.func");
  return argument.getArgNumber();
}

Error Compilation::readProblem() {
  Expected<Problem> problem = given ? *given : getProblemOfModule(module);
  if (!problem)
    return problem.takeError();
  program.problem = *problem;
  ProblemOpInterface op;
  module.walk([&](ProblemOpInterface found) { op = found; });
  SmallVector<Value> reads = op.getFactors();
  llvm::append_range(reads, op.getDs());
  SmallVector<std::pair<Value, TensorDesc>> tensors;
  for (auto [value, tensor] : llvm::zip_equal(reads, getReads(*problem)))
    tensors.push_back({value, tensor});
  tensors.push_back({op.getWritten(), getWrite(*problem)});
  for (auto &[value, tensor] : tensors) {
    Expected<unsigned> number = getArgumentNumber(value, tensor.name);
    if (!number)
      return number.takeError();
    if (argumentNames.size() <= *number)
      argumentNames.resize(*number + 1);
    if (!argumentNames[*number].empty())
      return createStringError("expected different tensors for " + argumentNames[*number] +
                               " and " + tensor.name + ", got the same argument");
    argumentNames[*number] = tensor.name;
  }
  return Error::success();
}

Error Compilation::runPasses(
    StringRef stage, function_ref<void(OpPassManager &, const LoweringOptions &)> addPasses) {
  Stopwatch watch;
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verify);
  addPasses(manager,
            {options.chip, options.schedule, /*verifyForms=*/options.verify, relief,
             options.residents, options.extension, /*allocWorkspace=*/false, options.tuningFile});
  DiagnosticCollector diagnostics(module.getContext());
  if (failed(manager.run(module)))
    return diagnostics.takeError("failed to lower the problem");
  program.stages.emplace_back(stage.str(), watch.getMilliseconds());
  return Error::success();
}

Error Compilation::lower() {
  if (options.naive)
    return runPasses("lower", [](OpPassManager &manager, const LoweringOptions &lowering) {
      buildNaivePipeline(manager, Form::Rocdl, lowering);
    });
  auto climb = [](Form from, Form to) {
    return [=](OpPassManager &manager, const LoweringOptions &lowering) {
      buildLoweringPipeline(manager, from, to, lowering);
    };
  };
  if (Error error = runPasses("schedule", climb(Form::Problem, Form::Scheduled)))
    return error;
  module.walk([&](GemmOp gemm) { program.schedule = getAssignedSchedule(gemm); });
  if (Error error = runPasses("distribute", climb(Form::Scheduled, Form::Grid)))
    return error;
  if (Error error = readPlan())
    return error;
  return runPasses("lower", climb(Form::Grid, Form::Rocdl));
}

/// Reads how work is distributed.
Error Compilation::readPlan() {
  Error error = Error::success();
  module.walk([&](DistributeOp distribute) {
    Expected<WorkPlan> plan = distribute.getPlan();
    if (!plan) {
      error = llvm::joinErrors(std::move(error), plan.takeError());
      return;
    }
    program.residents = std::max(program.residents, plan->getResidents());
    for (int64_t slices : plan->getSlices())
      program.slices = std::max(program.slices, slices);
  });
  return error;
}

/// Reads which argument of the host function is the workspace.
void Compilation::readWorkspace() {
  BlockArgument argument = findWorkspace(module, program.workspaceBytes);
  if (!argument)
    return;
  unsigned number = argument.getArgNumber();
  argumentNames.resize(std::max<size_t>(argumentNames.size(), number + 1));
  argumentNames[number] = "workspace";
}

/// Reads what is zeroed before the launches.
Error Compilation::readZeroFills() {
  Error error = Error::success();
  module.walk([&](gpu::MemsetOp memset) {
    Value tensor = memset.getDst();
    auto type = cast<MemRefType>(tensor.getType());
    while (Operation *op = tensor.getDefiningOp()) {
      if (!isa<memref::CastOp, memref::SubViewOp>(op))
        break;
      tensor = op->getOperand(0);
    }
    Expected<unsigned> number = getArgumentNumber(tensor, "of a gpu.memset");
    if (!number) {
      error = llvm::joinErrors(std::move(error), number.takeError());
      return;
    }
    if (argumentNames[*number] == "workspace")
      program.workspaceZeroBytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    else
      program.zeroFillOutput = true;
  });
  return error;
}

/// The three constant sizes of a launch.
static Expected<std::array<uint32_t, 3>> getConstants(gpu::KernelDim3 sizes) {
  std::array<uint32_t, 3> result;
  const Value values[] = {sizes.x, sizes.y, sizes.z};
  for (auto [size, value] : llvm::zip_equal(result, values)) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return createStringError("expected a launch of constant size");
    if (!constant.isIntN(32))
      return createStringError("sizes of a launch must be in [1, 4294967295], got " +
                               llvm::toString(constant, 10, /*Signed=*/true));
    size = constant.getZExtValue();
  }
  return result;
}

Error Compilation::readLaunch(gpu::LaunchFuncOp launch) {
  KernelInfo kernel;
  kernel.name = launch.getKernelName().str();
  Expected<std::array<uint32_t, 3>> grid = getConstants(launch.getGridSizeOperandValues());
  if (!grid)
    return grid.takeError();
  Expected<std::array<uint32_t, 3>> block = getConstants(launch.getBlockSizeOperandValues());
  if (!block)
    return block.takeError();
  kernel.grid = *grid;
  kernel.block = *block;
  for (Value operand : launch.getKernelOperands()) {
    Expected<unsigned> number = getArgumentNumber(operand, kernel.name);
    if (!number)
      return number.takeError();
    kernel.arguments.push_back(argumentNames[*number]);
  }
  program.kernels.push_back(std::move(kernel));
  return Error::success();
}

Error Compilation::readLaunches() {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (Error error = readLaunch(launch))
      return error;
  return Error::success();
}

Error Compilation::serialize() {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(modules))
    return createStringError("expected one gpu.module after the lowering");
  SerializeOptions serializeOptions;
  serializeOptions.emitAssembly = options.emitAssembly;
  Expected<SerializedModule> serialized = serializeGpuModule(*modules.begin(), serializeOptions);
  if (!serialized)
    return serialized.takeError();
  llvm::append_range(program.stages, serialized->stages);
  program.codeObject = std::move(serialized->codeObject);
  program.assembly = std::move(serialized->assembly);

  llvm::StringMap<KernelResources> metadata;
  for (KernelResources &kernel : serialized->kernels)
    metadata[kernel.name] = kernel;
  for (KernelInfo &kernel : program.kernels) {
    auto it = metadata.find(kernel.name);
    if (it == metadata.end())
      return createStringError("the code object has no kernel '" + kernel.name + "'");
    static_cast<KernelResources &>(kernel) = it->second;
  }
  return Error::success();
}

Expected<CompiledProgram> Compilation::run() {
  program.chip = options.chip;
  if (Error error = readProblem())
    return std::move(error);
  if (Error error = lower())
    return std::move(error);
  readWorkspace();
  if (Error error = readZeroFills())
    return std::move(error);
  if (Error error = readLaunches())
    return std::move(error);
  if (Error error = serialize())
    return std::move(error);
  return std::move(program);
}

Error CompileOptions::check() const {
  if (residents < 0 || residents > std::numeric_limits<int32_t>::max())
    return createStringError("resident workgroups must be in [0, 2147483647], got " +
                             llvm::Twine(residents));
  if (Error error = getChip(chip).takeError())
    return error;
  if (!tuningFile.empty())
    if (Error error = openTuningFile(tuningFile, chip).takeError())
      return error;
  return parseSchedule(schedule).takeError();
}

/// Success if no kernel of `program` keeps registers in memory.
static Error checkSpills(const CompiledProgram &program) {
  for (const KernelInfo &kernel : program.kernels)
    if (kernel.sgprSpills > 0 || kernel.vgprSpills > 0 || kernel.scratchBytes > 0)
      return createStringError("kernel '" + kernel.name + "' spills " +
                               llvm::Twine(kernel.sgprSpills) + " scalar and " +
                               llvm::Twine(kernel.vgprSpills) + " vector registers with schedule " +
                               toString(program.schedule) + "; use more waves or a smaller tile");
  return Error::success();
}

/// Registers are allocated last, and the estimate that schedules are chosen by may be wrong for
/// unusual layouts. Then the best schedule that needs fewer of them is chosen.
static Expected<CompiledProgram> compile(ModuleOp module, const CompileOptions &options,
                                         const std::optional<Problem> &given) {
  Error spills = Error::success();
  std::string tried;
  constexpr int64_t kAttempts = 6;
  for (int64_t relief = 0; relief < kAttempts; ++relief) {
    OwningOpRef<ModuleOp> copy = module.clone();
    Expected<CompiledProgram> program = Compilation(*copy, options, relief, given).run();
    if (!program && !spills)
      return program.takeError();
    if (!program) {
      llvm::consumeError(program.takeError());
      break;
    }
    if (toString(program->schedule) == tried)
      continue;
    llvm::consumeError(std::move(spills));
    spills = checkSpills(*program);
    if (!spills)
      return program;
    tried = toString(program->schedule);
  }
  return std::move(spills);
}

Expected<CompiledProgram> mlir::ck::compileModule(ModuleOp module, const CompileOptions &options) {
  if (Error error = options.check())
    return std::move(error);
  return compile(module, options, std::nullopt);
}

Expected<CompiledProgram> mlir::ck::compileProblem(const Problem &problem,
                                                   const CompileOptions &options) {
  if (Error error = options.check())
    return std::move(error);
  Stopwatch watch;
  std::unique_ptr<MLIRContext> context = createContext();
  bool fnuz = (*getChip(options.chip))->fp8 == Fp8Kind::Fnuz;
  Expected<OwningOpRef<ModuleOp>> module = generateProblemIR(*context, problem, fnuz);
  if (!module)
    return module.takeError();
  double generateTime = watch.getMilliseconds();
  Expected<CompiledProgram> program = compile(**module, options, problem);
  if (program)
    program->stages.insert(program->stages.begin(), {"generate", generateTime});
  return program;
}
