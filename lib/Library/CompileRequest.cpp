//===- CompileRequest.cpp - Requests become kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompileRequest.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Compiler/ProblemSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using llvm::Expected;

/// The launch of `kernel`, whose arguments are among `tensors`, or the workspace behind these.
static ImageLaunch makeLaunch(const KernelInfo &kernel, llvm::ArrayRef<TensorDesc> tensors) {
  ImageLaunch launch;
  launch.kernel = kernel.name;
  launch.grid = kernel.grid;
  launch.block = kernel.block;
  launch.argumentNames = kernel.arguments;
  for (const std::string &name : kernel.arguments) {
    const auto *tensor =
        llvm::find_if(tensors, [&](const TensorDesc &tensor) { return tensor.name == name; });
    launch.arguments.push_back(tensor - tensors.begin());
  }
  launch.vgprs = kernel.vgprs;
  launch.agprs = kernel.agprs;
  launch.sgprs = kernel.sgprs;
  launch.ldsBytes = kernel.ldsBytes;
  launch.scratchBytes = kernel.scratchBytes;
  launch.codeBytes = kernel.codeBytes;
  return launch;
}

KernelImage mlir::ck::makeImage(const CompiledProgram &program) {
  KernelImage image;
  image.problem = toString(program.problem);
  image.chip = program.chip;
  image.schedule = toString(program.schedule);
  llvm::append_range(image.tensors, getReads(program.problem));
  image.tensors.push_back(getWrite(program.problem));
  for (const KernelInfo &kernel : program.kernels)
    image.launches.push_back(makeLaunch(kernel, image.tensors));
  image.workspaceBytes = program.workspaceBytes;
  image.workspaceAlignment = CompiledProgram::kWorkspaceAlignment;
  image.workspaceZeroBytes = program.workspaceZeroBytes;
  image.zeroFill = program.zeroFillOutput;
  image.manifest = llvm::formatv("{0:2}\n", program.toManifest()).str();
  image.codeObject = program.codeObject;
  return image;
}

KernelRequest mlir::ck::makeKernelRequest(llvm::StringRef problem, const CompileOptions &options) {
  return {problem.str(), options.chip, options.schedule, options.residents};
}

Expected<Problem> mlir::ck::getProblem(const KernelRequest &request) {
  if (!request.isModule())
    return parseProblem(request.problem);
  Expected<ProblemSource> source = ProblemSource::parseModule(request.problem);
  if (!source)
    return source.takeError();
  return source->getProblem();
}

static Expected<CompiledProgram> compile(const KernelRequest &request) {
  CompileOptions options;
  options.chip = request.chip;
  options.schedule = request.schedule;
  options.residents = request.residents;
  if (request.isModule()) {
    Expected<ProblemSource> source = ProblemSource::parseModule(request.problem);
    return source ? source->compile(options) : source.takeError();
  }
  Expected<Problem> problem = parseProblem(request.problem);
  return problem ? compileProblem(*problem, options) : problem.takeError();
}

Expected<KernelImage> mlir::ck::compileRequest(const KernelRequest &request) {
  Expected<CompiledProgram> program = compile(request);
  if (!program)
    return program.takeError();
  return makeImage(*program);
}
