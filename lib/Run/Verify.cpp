//===- Verify.cpp - What ck-run compares results with -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Run/Verify.h"
#include "Run/Execute.h"
#include "Run/Region.h"
#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Compiler/ProblemSource.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Reference/Convolution.h"
#include "ck-mlir/Reference/Tolerance.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;

/// The problem with operands as precise as the matrix instruction takes them: xf32 has as many bits
/// of mantissa as f16.
static Problem getComputed(const VerifyRequest &request) {
  Problem problem = request.problem;
  DataType &type = std::visit([](auto &p) -> DataType & { return p.dtype; }, problem);
  const MatrixInstruction *inst =
      llvm::cantFail(getChip(request.chip))->findMatrixInstruction(request.schedule.mma, type);
  if (inst && inst->reducedPrecision)
    type = DataType::F16;
  return problem;
}

/// What follows from the magnitudes of result, sums and operands. Nothing is known of the slopes of
/// a region: it is taken to change the errors of the sums by as much as their magnitudes.
static Tolerance chooseTolerance(const VerifyRequest &request, const TensorData &reference,
                                 double maxSum) {
  Problem problem = getComputed(request);
  int64_t slices = request.slices;
  if (getEpilogueSteps(problem).empty()) {
    Tolerance tolerance = getTolerance(problem, getMaxMagnitude(reference), slices);
    bool isRegion = std::visit([](const auto &p) { return !p.epilogue.empty(); }, problem);
    if (isRegion && isInteger(reference.getDesc().type))
      tolerance.atol = 1; // numbers on both sides of a half
    return tolerance;
  }
  llvm::SmallVector<double> maxOperands;
  for (const TensorData &operand : request.reads.drop_front(2))
    maxOperands.push_back(getMaxMagnitude(operand));
  return getEpilogueTolerance(problem, maxSum, maxOperands, slices);
}

/// The epilogue of the module, if it has one.
static Expected<EpilogueFunction> getRegion(mlir::ModuleOp module) {
  EpilogueFunction none;
  if (!module)
    return none;
  ProblemOpInterface op;
  module.walk([&](ProblemOpInterface found) { op = found; });
  return op.getEpilogue().empty() ? none : makeRegionFunction(op.getEpilogue());
}

Expected<Verification> mlir::ck::verifyOnHost(const VerifyRequest &request) {
  Expected<EpilogueFunction> region = getRegion(request.module);
  if (!region)
    return region.takeError();
  double maxSum = 0;
  Expected<TensorData> reference =
      computeReference(request.problem, request.reads, *region, &maxSum);
  if (!reference)
    return reference.takeError();
  Verification verification;
  if (!request.exactSums || !isEpilogueExact(request.problem, request.intRange))
    verification.tolerance = chooseTolerance(request, *reference, maxSum);
  verification.comparison = compare(request.result, *reference, verification.tolerance);
  return verification;
}

//===----------------------------------------------------------------------===//
// On the device
//===----------------------------------------------------------------------===//

/// Runs the naive kernel of `problem`, or of `module` if it is not null.
static Expected<TensorData> runNaive(const Device &device, llvm::StringRef chip,
                                     const Problem &problem, mlir::ModuleOp module,
                                     llvm::ArrayRef<TensorData> reads) {
  CompileOptions options;
  options.chip = chip.str();
  options.naive = true;
  Expected<CompiledProgram> program = compileSource(problem, module, options);
  if (!program)
    return createStringError("the reference of the device: " + llvm::toString(program.takeError()));
  Expected<LoadedKernel> kernel =
      LoadedKernel::load(device, std::make_shared<KernelImage>(makeImage(*program)));
  if (!kernel)
    return kernel.takeError();
  TensorData result(getWrite(problem), reads[0].getFp8Format());
  Expected<Execution> execution = execute(device, *kernel, reads, result);
  if (!execution)
    return execution.takeError();
  return result;
}

/// The largest magnitude of the accumulators: those of the problem without its epilogue.
static Expected<double> findMaxSum(const VerifyRequest &request, const Device &device) {
  Problem sums = request.problem;
  std::visit(
      [](auto &problem) {
        problem.epilogue.clear();
        problem.outDtype = isInteger(problem.dtype) ? DataType::I32 : DataType::F32;
      },
      sums);
  Expected<TensorData> result =
      runNaive(device, request.chip, sums, mlir::ModuleOp(), request.reads.take_front(2));
  if (!result)
    return result.takeError();
  return getMaxMagnitude(*result);
}

Expected<Verification> mlir::ck::verifyOnDevice(const VerifyRequest &request,
                                                const Device &device) {
  Expected<TensorData> reference =
      runNaive(device, request.chip, request.problem, request.module, request.reads);
  if (!reference)
    return reference.takeError();
  Verification verification;
  // Equal accumulators have equal results: the epilogue is the same code.
  if (!request.exactSums) {
    double maxSum = 0;
    if (!getEpilogueSteps(request.problem).empty()) {
      Expected<double> found = findMaxSum(request, device);
      if (!found)
        return found.takeError();
      maxSum = *found;
    }
    verification.tolerance = chooseTolerance(request, *reference, maxSum);
  }
  verification.comparison = compare(request.result, *reference, verification.tolerance);
  return verification;
}
