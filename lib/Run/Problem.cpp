//===- Problem.cpp - One problem from its text to its report -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a run in order; the first that fails ends it with its reason in the report.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Problem.h"
#include "Run/Execute.h"
#include "Run/Npy.h"
#include "Run/Verify.h"
#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Compiler/ProblemSource.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Runtime/Environment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unistd.h>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Expected<const ChipInfo *> mlir::ck::getRunChip(const RunOptions &options) {
  Expected<const ChipInfo *> info = getChip(getEmulatorChip());
  if (!info)
    return createStringError("CK_EMULATOR_CHIP: " + llvm::toString(info.takeError()));
  if (options.chip)
    return getChip(*options.chip);
  return info;
}

Expected<std::pair<Device, std::string>> mlir::ck::openRunDevice(const RunOptions &options) {
  Expected<const ChipInfo *> info = getRunChip(options);
  if (!info)
    return info.takeError();
  if (options.device != DeviceChoice::Emulator && !options.checks && !options.profile &&
      !options.time) {
    std::string whyNone;
    Expected<std::optional<Device>> gpu = Device::findHip(whyNone);
    if (!gpu)
      return gpu.takeError();
    if (*gpu && (!options.chip || (*gpu)->getArchitecture() == *options.chip)) {
      std::string chip = (*gpu)->getArchitecture().str();
      return std::make_pair(std::move(**gpu), std::move(chip));
    }
    if (options.device == DeviceChoice::Hip)
      return *gpu ? createStringError("the GPU is a " + (*gpu)->getArchitecture() +
                                      ", cannot run code for " + *options.chip)
                  : createStringError(whyNone);
  }
  std::string chip = (*info)->name.str();
  Expected<Device> device = Device::openEmulator(chip);
  if (!device)
    return device.takeError();
  // The waves of the compiler's own kernels pass the same barriers.
  if (options.checks || getVariable("CK_EMULATOR_CHECKS").empty())
    if (Error error = device->getApi().setVariable(
            "CK_EMULATOR_CHECKS", options.checks.value_or(true) ? "on,barriers" : "off"))
      return std::move(error);
  return std::make_pair(std::move(*device), std::move(chip));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Refuses problems whose tensors would exhaust the memory of the host: host and device copy of
/// each tensor (the emulator's device memory is the host's) and the reference's copies as numbers.
static Error checkHostMemory(const Problem &problem) {
  double bytes = 0;
  for (const TensorDesc &desc : getReads(problem))
    bytes += 2.0 * desc.getSizeInBytes() + 4.0 * desc.getNumElements();
  bytes += 3.0 * getWrite(problem).getSizeInBytes();
  double memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  if (bytes <= memory)
    return Error::success();
  return createStringError("the problem needs " + Twine(uint64_t(bytes / 1048576)) +
                           " MiB of host memory, the machine has " +
                           Twine(uint64_t(memory / 1048576)) + " MiB");
}

/// Fills the tensors that are read, from files where the user named some.
static Expected<std::vector<TensorData>>
makeReads(const Problem &problem, const RunOptions &options, Fp8Format fp8, int64_t intRange) {
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem))
    reads.emplace_back(desc, fp8).fill(options.init, options.seed, std::max<int64_t>(1, intRange));
  for (const auto &[name, path] : options.inputs) {
    auto tensor = llvm::find_if(
        reads, [&, name = name](const TensorData &t) { return t.getDesc().name == name; });
    if (tensor == reads.end())
      return createStringError(
          "unknown tensor '" + name + "' for --input: expected one of " +
          llvm::join(llvm::map_range(reads, [](const TensorData &t) { return t.getDesc().name; }),
                     ", "));
    if (Error error = readNpy(path, *tensor))
      return error;
  }
  return reads;
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

/// True if slices are rounded to the type of the result before they are added.
static bool roundsSlices(const CompiledProgram &program) {
  return addsInMemory(program.schedule.partition) && program.slices > 1 &&
         getSizeInBytes(getWrite(program.problem).type) < 4;
}

namespace {
/// Collects the report while the steps run.
class ProblemRun {
public:
  ProblemRun(const Device &device, StringRef chip, const RunOptions &options, StringRef text)
      : device(device), options(options), text(text) {
    report.problem = text.str();
    report.chip = chip.str();
    report.device = device.isEmulated() ? "emulator" : "hip";
  }

  RunReport take() { return std::move(report); }

  void run() {
    if (Error error = readInput())
      return fail(RunStatus::Error, std::move(error));
    if (Error error = compile())
      return fail(RunStatus::Unsupported, std::move(error));
    if (Error error = load())
      return fail(RunStatus::Error, std::move(error));
    if (Error error = executeAndVerify())
      return fail(RunStatus::Error, std::move(error));
  }

private:
  Error readInput();
  /// Compiles for one workgroup on each compute unit, as schedules are chosen.
  Error compile();
  Error load();
  Error executeAndVerify();
  Error verify(llvm::ArrayRef<TensorData> reads, const TensorData &result, int64_t intRange);

  void fail(RunStatus status, Error error) {
    report.status = status;
    report.reason = llvm::toString(std::move(error));
    // Reports are lines.
    llvm::replace(report.reason, '\n', ' ');
  }

  const Device &device;
  const RunOptions &options;
  StringRef text;
  std::optional<ProblemSource> source;
  CompiledProgram program;
  std::optional<LoadedKernel> kernel; // of `program`
  RunReport report;
};
} // namespace

Error ProblemRun::readInput() {
  Expected<ProblemSource> opened = ProblemSource::open(text);
  if (!opened)
    return opened.takeError();
  source.emplace(std::move(*opened));
  const Problem &problem = source->getProblem();
  report.problem = toString(problem);
  report.flops = getFlops(problem);
  for (const TensorDesc &desc : getReads(problem))
    report.minimumBytes += desc.getSizeInBytes();
  report.minimumBytes += getWrite(problem).getSizeInBytes();
  report.elements = getWrite(problem).getNumElements();
  return Error::success();
}

Error ProblemRun::compile() {
  if (Error error = checkHostMemory(source->getProblem()))
    return error;
  CompileOptions compileOptions;
  compileOptions.chip = report.chip;
  compileOptions.schedule = options.schedule;
  compileOptions.tuningFile = options.tuningFile;
  compileOptions.extension = options.extension;
  compileOptions.residents = device.getNumCus();
  Expected<CompiledProgram> compiled = source->compile(compileOptions);
  if (!compiled)
    return compiled.takeError();
  program = std::move(*compiled);
  report.schedule = toString(program.schedule);
  report.compileMs = program.getCompileMilliseconds();
  report.workspaceBytes = program.workspaceBytes;
  return Error::success();
}

Error ProblemRun::load() {
  auto image = std::make_shared<const KernelImage>(makeImage(program));
  report.kernels.clear();
  for (const ImageLaunch &launch : image->launches)
    report.kernels.push_back({launch, {}, std::nullopt, std::nullopt});
  Expected<LoadedKernel> loaded = LoadedKernel::load(device, std::move(image));
  if (!loaded)
    return loaded.takeError();
  kernel.emplace(std::move(*loaded));
  return Error::success();
}

Error ProblemRun::executeAndVerify() {
  const Problem &problem = source->getProblem();
  int64_t intRange = getExactIntRange(problem);
  Fp8Format fp8 =
      llvm::cantFail(getChip(report.chip))->fp8 == Fp8Kind::Fnuz ? Fp8Format::FNUZ : Fp8Format::OCP;
  Expected<std::vector<TensorData>> reads = makeReads(problem, options, fp8, intRange);
  if (!reads)
    return reads.takeError();
  TensorData result(getWrite(problem), fp8);
  Expected<Execution> execution =
      execute(device, *kernel, *reads, result, options, program.schedule.roles);
  if (!execution)
    return execution.takeError();
  report.kernels = std::move(execution->kernels);
  report.runMs = execution->milliseconds;
  report.emulatedSeconds = execution->emulatedSeconds;
  report.timing = std::move(execution->timing);
  if (report.timing)
    report.roofline = getRoofline(problem, *llvm::cantFail(getChip(report.chip)));
  if (!options.output.empty())
    if (Error error = writeNpy(options.output, result))
      return error;
  if (options.verify == VerifyMode::None) {
    report.status = RunStatus::Ran;
    return Error::success();
  }
  return verify(*reads, result, intRange);
}

Error ProblemRun::verify(llvm::ArrayRef<TensorData> reads, const TensorData &result,
                         int64_t intRange) {
  VerifyRequest request{
      source->getProblem(), source->getModule(), report.chip, program.schedule, reads, result};
  request.slices = program.slices;
  request.exactSums = options.init == InitKind::Int && intRange > 0 && options.inputs.empty() &&
                      !roundsSlices(program);
  request.intRange = intRange;
  bool onDevice = options.verify == VerifyMode::Device;
  Expected<Verification> verification =
      onDevice ? verifyOnDevice(request, device) : verifyOnHost(request);
  if (!verification)
    return verification.takeError();
  const Comparison &comparison = verification->comparison;
  report.reference = onDevice ? "device" : "cpu";
  report.maxAbsError = comparison.maxAbsError;
  report.maxRelError = comparison.maxRelError;
  report.rtol = verification->tolerance.rtol;
  report.atol = verification->tolerance.atol;
  report.mismatches = comparison.mismatches;
  if (!comparison.passed()) {
    report.status = RunStatus::Mismatch;
    report.reason = comparison.firstMismatch;
  }
  return Error::success();
}

RunReport mlir::ck::runProblem(const Device &device, StringRef chip, const RunOptions &options,
                               StringRef text) {
  ProblemRun run(device, chip, options, text);
  run.run();
  return run.take();
}
