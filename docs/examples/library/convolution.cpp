//===- convolution.cpp - Declares, builds, selects and runs kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: convolution forward|backward-data|backward-weight 1|2|3
//
// The way of a kernel through a program, in six steps: several kernels are declared for a
// convolution of 1 to 3 dimensions, those that the chip can have are built in parallel, one is
// selected, run on the GPU or the emulator, verified against the reference, and timed.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Convolution.h"
#include "Launch.h"
#include "ck-mlir/Library/Registry.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static constexpr llvm::StringLiteral kChip = "gfx942"; // where there is no GPU

/// "conv_fwd:f16:N=2,G=2,K=16,C=16,in=8x8,filter=3x3,pad=1" for a direction and 2 dimensions; ""
/// for a direction or a number that there is not.
static std::string getProblem(llvm::StringRef direction, llvm::StringRef dims) {
  llvm::StringRef op = llvm::StringSwitch<llvm::StringRef>(direction)
                           .Case("forward", "conv_fwd")
                           .Case("backward-data", "conv_bwd_data")
                           .Case("backward-weight", "conv_bwd_weight")
                           .Default("");
  llvm::StringRef sizes = llvm::StringSwitch<llvm::StringRef>(dims)
                              .Case("1", "in=64,filter=3,pad=1")
                              .Case("2", "in=8x8,filter=3x3,pad=1")
                              .Case("3", "in=4x4x4,filter=3x3x3,pad=1")
                              .Default("");
  if (op.empty() || sizes.empty())
    return "";
  return (op + ":f16:N=2,G=2,K=16,C=16," + sizes).str();
}

/// Step 1: every combination of the schedules' fields is a kernel; "" leaves one to the compiler.
static Expected<KernelSet> declare(llvm::StringRef problem, llvm::StringRef chip) {
  llvm::json::Object axes{{"tile", llvm::json::Array{"", "32x32x32", "8x8x8"}},
                          {"partition", llvm::json::Array{"data_parallel", "stream_k:tree"}}};
  llvm::json::Object set{{"name", "example"},
                         {"chips", llvm::json::Array{chip}},
                         {"schedule", std::move(axes)},
                         {"kernels", llvm::json::Array{llvm::json::Object{{"problem", problem}}}}};
  return KernelSet::parse(std::move(set), "the set of the example");
}

/// Step 2: compiles what is missing on all cores.
static void build(Registry &registry) {
  llvm::DefaultThreadPool pool;
  registry.build([&](std::function<void()> task) { pool.async(std::move(task)); });
  llvm::outs() << "build: " << registry.getKernels().size() << " kernels, "
               << registry.getExclusions().size() << " excluded\n";
  for (const Exclusion &exclusion : registry.getExclusions())
    llvm::outs() << "  " << exclusion.declaration.request.schedule << ": " << exclusion.reason
                 << "\n";
}

/// Step 3: the best by the compiler's estimate.
static Expected<KernelRequest> select(const Registry &registry, llvm::StringRef problem,
                                      llvm::StringRef chip) {
  Expected<Selection> selection = registry.select(problem, chip, *createEstimateRanker());
  if (!selection)
    return selection.takeError();
  if (selection->candidates.empty())
    return createStringError("no kernel is applicable");
  const Candidate &best = selection->candidates.front();
  llvm::outs() << "select: " << best.schedule << "\n  " << best.rank.why << "\n";
  return best.request;
}

/// Steps 4 to 6.
static Error launch(KernelLibrary &library, const Device &device, const KernelRequest &request) {
  Expected<Problem> problem = parseProblem(request.problem);
  if (!problem)
    return problem.takeError();
  int64_t range = getExactIntRange(*problem); // of whole numbers whose sums are exact
  std::vector<TensorData> reads;
  for (const TensorDesc &tensor : getReads(*problem))
    reads.emplace_back(tensor).fill(InitKind::Int, /*seed=*/1, range);
  Expected<std::shared_ptr<const LoadedKernel>> kernel = library.load(device, request);
  if (!kernel)
    return kernel.takeError();
  Expected<example::Launch> launch = example::Launch::create(device, *kernel, reads);
  if (!launch)
    return launch.takeError();
  Expected<TensorData> result = launch->compute();
  if (!result)
    return result.takeError();
  Expected<TensorData> reference = computeReference(*problem, reads);
  if (!reference)
    return reference.takeError();
  if (Error error = example::verify(*problem, *result, *reference, /*isExact=*/range > 0))
    return error;
  Expected<example::LaunchTime> time = launch->measure(/*launches=*/20);
  if (!time)
    return time.takeError();
  example::printTime(*problem, *time);
  return Error::success();
}

static Error run(llvm::StringRef problem) {
  Expected<Device> device = example::openDevice(kChip);
  if (!device)
    return device.takeError();
  llvm::StringRef chip = device->getArchitecture();
  llvm::outs() << problem << " on " << device->getName() << "\n";
  Expected<KernelSet> set = declare(problem, chip);
  if (!set)
    return set.takeError();
  LibraryOptions options; // no folder: the kernels are kept in memory
  Expected<std::unique_ptr<KernelLibrary>> library = KernelLibrary::create(options);
  if (!library)
    return library.takeError();
  Registry registry(**library);
  registry.add(*set);
  build(registry);
  Expected<KernelRequest> best = select(registry, problem, chip);
  return best ? launch(**library, *device, *best) : best.takeError();
}

int main(int argc, char **argv) {
  std::string problem = argc == 3 ? getProblem(argv[1], argv[2]) : "";
  if (problem.empty()) {
    llvm::errs() << "usage: convolution forward|backward-data|backward-weight 1|2|3\n";
    return 2;
  }
  if (Error error = run(problem)) {
    llvm::errs() << "convolution: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
