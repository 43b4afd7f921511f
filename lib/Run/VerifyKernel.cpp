//===- VerifyKernel.cpp - Whether a compiled kernel is right -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VerifyKernel.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/VerifyKernel.h"
#include "Run/Execute.h"
#include "Run/Verify.h"
#include "ck-mlir/Compiler/WorkShapes.h"

using namespace mlir::ck;
using llvm::Expected;

/// The most slices that the K steps of a tile are cut into.
static int64_t getSlices(const ScheduledWork &work, const ChipInfo &chip) {
  const auto *split = std::get_if<SplitK>(&work.schedule.partition);
  if (!split)
    return 1;
  llvm::SmallVector<int64_t> slices = resolveSlices(work.gemms, split->factor, chip.numCus);
  return *llvm::max_element(slices);
}

Expected<Comparison> mlir::ck::verifyKernel(const Device &device,
                                            const std::shared_ptr<const KernelImage> &image,
                                            uint64_t seed) {
  Expected<Problem> problem = parseProblem(image->problem);
  if (!problem)
    return problem.takeError();
  CompileOptions options;
  options.chip = image->chip;
  options.schedule = image->schedule;
  Expected<ScheduledWork> work = scheduleProblem(*problem, options);
  if (!work)
    return work.takeError();
  Expected<LoadedKernel> kernel = LoadedKernel::load(device, image);
  if (!kernel)
    return kernel.takeError();
  const ChipInfo &chip = *llvm::cantFail(getChip(image->chip));
  Fp8Format fp8 = chip.fp8 == Fp8Kind::Fnuz ? Fp8Format::FNUZ : Fp8Format::OCP;
  int64_t range = getExactIntRange(*problem);
  std::vector<TensorData> reads;
  for (const TensorDesc &tensor : getReads(*problem))
    reads.emplace_back(tensor, fp8).fill(InitKind::Int, seed, std::max<int64_t>(1, range));
  TensorData result(getWrite(*problem), fp8);
  Expected<Execution> execution = execute(device, *kernel, reads, result);
  if (!execution)
    return execution.takeError();
  VerifyRequest request{*problem, mlir::ModuleOp(), image->chip, work->schedule, reads, result};
  request.slices = getSlices(*work, chip);
  bool roundsSlices = addsInMemory(work->schedule.partition) && request.slices > 1 &&
                      getSizeInBytes(getWrite(*problem).type) < 4;
  request.exactSums = range > 0 && !roundsSlices;
  request.intRange = range;
  Expected<Verification> verification = verifyOnHost(request);
  if (!verification)
    return verification.takeError();
  return verification->comparison;
}
