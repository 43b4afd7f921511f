//===- Compiler.cpp - Problems, options and programs in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Compiler.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Compiler.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Run/Partition.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Problems and options
//===----------------------------------------------------------------------===//

Outcome capi::withProblem(const char *problem, const void *place, llvm::StringRef what,
                          llvm::function_ref<Outcome(const Problem &)> body) {
  if (!problem || !place)
    return missing(problem ? "a place for the " + what : llvm::Twine("a problem string"));
  Expected<Problem> parsed = parseProblem(problem);
  return parsed ? body(*parsed) : invalid(parsed.takeError());
}

CkMlirStatus ckMlirCreateCanonicalProblem(const char *problem, CkMlirText *canonical) {
  return guard([&] {
    return withProblem(problem, canonical, "text", [&](const Problem &parsed) -> Outcome {
      *canonical = createText(toString(parsed));
      return {};
    });
  });
}

static CompileOptions *unwrap(CkMlirCompileOptions options) {
  return static_cast<CompileOptions *>(options.ptr);
}

CompileOptions capi::getOptions(CkMlirCompileOptions options) {
  return options.ptr ? *unwrap(options) : CompileOptions();
}

Outcome capi::checkOptions(const CompileOptions &options) {
  if (llvm::Error error = options.check())
    return invalid(std::move(error));
  return {};
}

CkMlirStatus ckMlirCompileOptionsCreate(CkMlirCompileOptions *options) {
  return guard([&]() -> Outcome {
    if (!options)
      return missing("a place for the options");
    options->ptr = new CompileOptions();
    return {};
  });
}

void ckMlirCompileOptionsDestroy(CkMlirCompileOptions options) { delete unwrap(options); }

/// Changes options by `set`, once they and `value`, a text where it is one, are there.
static CkMlirStatus setOption(CkMlirCompileOptions options,
                              llvm::function_ref<Outcome(CompileOptions &)> set) {
  return guard([&]() -> Outcome {
    if (!options.ptr)
      return missing("options");
    return set(*unwrap(options));
  });
}

CkMlirStatus ckMlirCompileOptionsSetChip(CkMlirCompileOptions options, const char *chip) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    if (!chip)
      return missing("the name of a chip");
    Expected<const ChipInfo *> info = getChip(chip);
    if (!info)
      return invalid(info.takeError());
    changed.chip = chip;
    return {};
  });
}

CkMlirStatus ckMlirCompileOptionsSetSchedule(CkMlirCompileOptions options, const char *schedule) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    if (!schedule)
      return missing("a schedule string");
    if (llvm::Error error = parseSchedule(schedule).takeError())
      return invalid(std::move(error));
    changed.schedule = schedule;
    return {};
  });
}

CkMlirStatus ckMlirCompileOptionsSetTuningFile(CkMlirCompileOptions options, const char *path) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    if (!path)
      return missing("the name of a tuning file");
    changed.tuningFile = path;
    return {};
  });
}

CkMlirStatus ckMlirCompileOptionsSetResidents(CkMlirCompileOptions options, int64_t residents) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    if (residents < 0 || residents > std::numeric_limits<int32_t>::max())
      return invalid("resident workgroups must be in [0, 2147483647], got " +
                     llvm::Twine(residents));
    changed.residents = residents;
    return {};
  });
}

CkMlirStatus ckMlirCompileOptionsSetEmitAssembly(CkMlirCompileOptions options, bool emitAssembly) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    changed.emitAssembly = emitAssembly;
    return {};
  });
}

CkMlirStatus ckMlirCompileOptionsSetVerifyIR(CkMlirCompileOptions options, bool verifyIR) {
  return setOption(options, [&](CompileOptions &changed) -> Outcome {
    changed.verify = verifyIR;
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// A program with everything that getters point to.
struct Program {
  explicit Program(std::shared_ptr<const KernelImage> given);

  std::shared_ptr<const KernelImage> image;
  std::string assembly;
  double compileMilliseconds = 0;
  std::vector<std::string> types; // of the tensors
  std::vector<std::vector<const char *>> arguments;
};
} // namespace

Program::Program(std::shared_ptr<const KernelImage> given) : image(std::move(given)) {
  for (const TensorDesc &tensor : image->tensors)
    types.push_back(getName(tensor.type).str());
  for (const ImageLaunch &kernel : image->launches) {
    arguments.emplace_back();
    for (const std::string &argument : kernel.argumentNames)
      arguments.back().push_back(argument.c_str());
  }
}

static const Program *unwrap(CkMlirProgram program) {
  return static_cast<const Program *>(program.ptr);
}

CkMlirProgram capi::createProgram(std::shared_ptr<const KernelImage> image) {
  return {new Program(std::move(image))};
}

Outcome capi::createProgram(const CompiledProgram &compiled, CkMlirProgram &program) {
  auto created =
      std::make_unique<Program>(std::make_shared<const KernelImage>(makeImage(compiled)));
  created->assembly = compiled.assembly;
  created->compileMilliseconds = compiled.getCompileMilliseconds();
  program.ptr = created.release();
  return {};
}

const std::shared_ptr<const KernelImage> &capi::getImage(CkMlirProgram program) {
  return unwrap(program)->image;
}

CkMlirStatus ckMlirCompileProblem(const char *problem, CkMlirCompileOptions options,
                                  CkMlirProgram *program) {
  return guard([&] {
    return withProblem(problem, program, "program", [&](const Problem &parsed) -> Outcome {
      Expected<CompiledProgram> compiled = compileProblem(parsed, getOptions(options));
      if (!compiled)
        return unsupported(compiled.takeError());
      return createProgram(*compiled, *program);
    });
  });
}

CkMlirStatus ckMlirProgramCreateFromManifest(const char *manifest, const void *codeObject,
                                             size_t bytes, CkMlirProgram *program) {
  return guard([&]() -> Outcome {
    if (!manifest || (!codeObject && bytes > 0) || !program)
      return missing(!manifest ? "a manifest"
                     : program ? "a code object"
                               : "a place for the program");
    Expected<KernelImage> image =
        KernelImage::parse(manifest, std::string(static_cast<const char *>(codeObject), bytes));
    if (!image)
      return invalid(image.takeError());
    *program = createProgram(std::make_shared<const KernelImage>(std::move(*image)));
    return {};
  });
}

CkMlirStatus ckMlirGetWorkspaceBytes(const char *problem, CkMlirCompileOptions options,
                                     int64_t *bytes, CkMlirText *schedule) {
  return guard([&] {
    return withProblem(problem, bytes, "bytes", [&](const Problem &parsed) -> Outcome {
      CompileOptions compile = getOptions(options);
      if (Outcome outcome = checkOptions(compile); outcome.status != CkMlirStatusSuccess)
        return outcome;
      Expected<ScheduledWork> work = scheduleProblem(parsed, compile);
      if (!work)
        return unsupported(work.takeError());
      *bytes = work->workspaceBytes;
      if (schedule)
        *schedule = createText(toString(work->schedule));
      return {};
    });
  });
}

void ckMlirProgramDestroy(CkMlirProgram program) { delete unwrap(program); }

CkMlirBytes ckMlirProgramGetCodeObject(CkMlirProgram program) {
  if (!program.ptr)
    return {nullptr, 0};
  const std::string &bytes = getImage(program)->codeObject;
  return {bytes.data(), bytes.size()};
}

const char *ckMlirProgramGetManifest(CkMlirProgram program) {
  return program.ptr ? getImage(program)->manifest.c_str() : "";
}

const char *ckMlirProgramGetAssembly(CkMlirProgram program) {
  return program.ptr ? unwrap(program)->assembly.c_str() : "";
}

const char *ckMlirProgramGetProblem(CkMlirProgram program) {
  return program.ptr ? getImage(program)->problem.c_str() : "";
}

const char *ckMlirProgramGetChip(CkMlirProgram program) {
  return program.ptr ? getImage(program)->chip.c_str() : "";
}

const char *ckMlirProgramGetSchedule(CkMlirProgram program) {
  return program.ptr ? getImage(program)->schedule.c_str() : "";
}

int64_t ckMlirProgramGetWorkspaceBytes(CkMlirProgram program) {
  return program.ptr ? getImage(program)->workspaceBytes : 0;
}

int64_t ckMlirProgramGetWorkspaceAlignment(CkMlirProgram program) {
  return program.ptr ? getImage(program)->workspaceAlignment : 0;
}

int64_t ckMlirProgramGetWorkspaceZeroBytes(CkMlirProgram program) {
  return program.ptr ? getImage(program)->workspaceZeroBytes : 0;
}

double ckMlirProgramGetCompileMilliseconds(CkMlirProgram program) {
  return program.ptr ? unwrap(program)->compileMilliseconds : 0;
}

size_t ckMlirProgramGetNumTensors(CkMlirProgram program) {
  return program.ptr ? getImage(program)->tensors.size() : 0;
}

CkMlirTensor ckMlirProgramGetTensor(CkMlirProgram program, size_t index) {
  if (index >= ckMlirProgramGetNumTensors(program))
    return {"", "", "", nullptr, 0, 0, false, false};
  const KernelImage &image = *getImage(program);
  const TensorDesc &tensor = image.tensors[index];
  bool isWritten = index + 1 == image.tensors.size();
  return {tensor.name.c_str(),
          unwrap(program)->types[index].c_str(),
          tensor.layout.c_str(),
          tensor.shape.data(),
          tensor.shape.size(),
          tensor.getSizeInBytes(),
          isWritten,
          isWritten && image.zeroFill};
}

CkMlirStatus ckMlirProgramCheckArray(CkMlirProgram program, size_t index, const char *type,
                                     const int64_t *shape, const int64_t *strides, size_t rank) {
  return guard([&]() -> Outcome {
    if (!program.ptr || !type || (rank > 0 && (!shape || !strides)))
      return missing(!program.ptr ? "a program" : !type ? "a type" : "sizes and strides");
    const KernelImage &image = *getImage(program);
    if (index >= image.tensors.size())
      return invalid("number of a tensor must be in [0, " + llvm::Twine(image.tensors.size() - 1) +
                     "], got " + llvm::Twine(index));
    std::optional<DataType> parsed = parseDataType(type);
    if (!parsed)
      return invalid("expected tensor " + image.tensors[index].name + " to have the type " +
                     getName(image.tensors[index].type) + ", got '" + type + "'");
    if (llvm::Error error = image.checkArray(
            index, {*parsed, llvm::ArrayRef(shape, rank), llvm::ArrayRef(strides, rank)}))
      return invalid(std::move(error));
    return {};
  });
}

size_t ckMlirProgramGetNumKernels(CkMlirProgram program) {
  return program.ptr ? getImage(program)->launches.size() : 0;
}

CkMlirKernel ckMlirProgramGetKernel(CkMlirProgram program, size_t index) {
  if (index >= ckMlirProgramGetNumKernels(program))
    return {"", {0, 0, 0}, {0, 0, 0}, nullptr, 0, 0, 0, 0, 0, 0};
  const ImageLaunch &kernel = getImage(program)->launches[index];
  const std::vector<const char *> &arguments = unwrap(program)->arguments[index];
  return {kernel.kernel.c_str(),
          {kernel.grid[0], kernel.grid[1], kernel.grid[2]},
          {kernel.block[0], kernel.block[1], kernel.block[2]},
          arguments.data(),
          arguments.size(),
          kernel.vgprs,
          kernel.agprs,
          kernel.sgprs,
          kernel.ldsBytes,
          kernel.codeBytes};
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

/// A place on a device must be in [least, 65536].
static Outcome checkPlaces(llvm::StringRef what, int64_t count, int64_t least) {
  if (count >= least && count <= 65536)
    return {};
  return invalid(what + " must be in [" + llvm::Twine(least) + ", 65536], got " +
                 llvm::Twine(count));
}

/// The reports for `problem` on a device.
static Expected<PartitionReports> reportOnDevice(const Problem &problem,
                                                 const CompileOptions &options,
                                                 int64_t computeUnits, int64_t occupancy) {
  Expected<ScheduledWork> work = scheduleProblem(problem, options);
  if (!work)
    return work.takeError();
  const ChipInfo &chip = *llvm::cantFail(getChip(options.chip));
  return reportPartitions(std::move(*work), chip, computeUnits > 0 ? computeUnits : chip.numCus,
                          occupancy);
}

Outcome capi::reportPartitions(
    const char *problem, CkMlirCompileOptions options, int64_t computeUnits, int64_t occupancy,
    llvm::function_ref<void(llvm::raw_ostream &, const PartitionReports &)> print,
    CkMlirText *text) {
  return withProblem(problem, text, "text", [&](const Problem &parsed) -> Outcome {
    CompileOptions compile = getOptions(options);
    for (Outcome outcome : {checkOptions(compile), checkPlaces("compute units", computeUnits, 0),
                            checkPlaces("workgroups on a compute unit", occupancy, 1)})
      if (outcome.status != CkMlirStatusSuccess)
        return outcome;
    if (std::optional<Partition> partition =
            llvm::cantFail(parseSchedule(compile.schedule)).partition)
      return invalid("the report compares all partitions: expected none in the schedule, got '" +
                     toString(*partition) + "'");
    Expected<PartitionReports> reports = reportOnDevice(parsed, compile, computeUnits, occupancy);
    if (!reports)
      return unsupported(reports.takeError());
    std::string printed;
    llvm::raw_string_ostream os(printed);
    print(os, *reports);
    *text = createText(std::move(printed));
    return {};
  });
}

CkMlirStatus ckMlirCreatePartitionReport(const char *problem, CkMlirCompileOptions options,
                                         int64_t computeUnits, int64_t occupancy,
                                         CkMlirText *json) {
  return guard([&]() -> Outcome {
    auto print = [](llvm::raw_ostream &os, const PartitionReports &reports) {
      printJson(os, reports);
    };
    return reportPartitions(problem, options, computeUnits, occupancy, print, json);
  });
}
