//===- Compiler.cpp - Problems, IR and programs in Python -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Chip.h, ck-mlir-c/Compiler.h, ck-mlir-c/Lower.h, ck-mlir-c/Report.h
// and ck-mlir-c/Weights.h.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "ck-mlir-c/Chip.h"
#include "ck-mlir-c/Lower.h"
#include "ck-mlir-c/Report.h"
#include "ck-mlir-c/Weights.h"

using namespace ckpy;
using Text = const std::string &;

CompileOptions ckpy::makeOptions(Text chip, Text schedule, int64_t residents, bool assembly,
                                 bool verify, Text tuning) {
  CkMlirCompileOptions created;
  check(ckMlirCompileOptionsCreate(&created));
  CompileOptions options(created);
  check(ckMlirCompileOptionsSetChip(options.get(), toC(chip)));
  check(ckMlirCompileOptionsSetSchedule(options.get(), toC(schedule)));
  check(ckMlirCompileOptionsSetResidents(options.get(), residents));
  check(ckMlirCompileOptionsSetEmitAssembly(options.get(), assembly));
  check(ckMlirCompileOptionsSetVerifyIR(options.get(), verify));
  check(ckMlirCompileOptionsSetTuningFile(options.get(), toC(tuning)));
  return options;
}

/// Compiles a problem string, or the text of a module.
static Program compile(Text source, bool isModule, Text chip, Text schedule, int64_t residents,
                       bool assembly, bool verify, Text tuning) {
  CompileOptions options = makeOptions(chip, schedule, residents, assembly, verify, tuning);
  return callInterruptibly<Program>([=] {
    CkMlirProgram program;
    check(isModule ? ckMlirCompileIR(toC(source), options.get(), &program)
                   : ckMlirCompileProblem(toC(source), options.get(), &program));
    return Program(program);
  });
}

/// A program that was compiled before.
static Program loadProgram(Text manifest, const nb::bytes &codeObject) {
  CkMlirProgram program;
  check(ckMlirProgramCreateFromManifest(toC(manifest), codeObject.data(), codeObject.size(),
                                        &program));
  return Program(program);
}

static std::string lower(Text ir, Text from, Text to, Text chip, Text schedule, int64_t residents,
                         bool verify) {
  CompileOptions options = makeOptions(chip, schedule, residents, false, verify);
  return callInterruptibly<std::string>([=] {
    return takeText([&](CkMlirText *text) {
      return ckMlirCreateLoweredIR(toC(ir), toC(from), toC(to), options.get(), text);
    });
  });
}

static std::string runPasses(Text ir, Text pipeline) {
  return callInterruptibly<std::string>([=] {
    return takeText(
        [&](CkMlirText *text) { return ckMlirCreateIRBehindPasses(toC(ir), toC(pipeline), text); });
  });
}

static std::string getReport(Text problem, Text chip, Text schedule, int device, int verification,
                             bool profile) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  auto work = [=] {
    return takeText([&](CkMlirText *text) {
      return ckMlirCreateRunReport(toC(problem), options.get(), CkMlirDeviceKind(device),
                                   CkMlirVerification(verification), profile, text);
    });
  };
  return callInterruptibly<std::string>(work, AtExit::Leave);
}

static std::string getModelledReport(Text problem, Text chip, Text schedule, int verification,
                                     Text trace) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  auto work = [=] {
    return takeText([&](CkMlirText *text) {
      return ckMlirCreateModelledReport(toC(problem), options.get(),
                                        CkMlirVerification(verification), /*profile=*/false,
                                        trace.empty() ? nullptr : toC(trace), text);
    });
  };
  return callInterruptibly<std::string>(work, AtExit::Leave);
}

static std::string getExplanation(Text problem, Text chip, Text schedule, int64_t others,
                                  bool modelled) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  auto work = [=] {
    return takeText([&](CkMlirText *text) {
      return ckMlirCreateExplanation(toC(problem), options.get(), others, modelled, text);
    });
  };
  return callInterruptibly<std::string>(work, AtExit::Leave);
}

static std::string getPartitions(Text problem, Text chip, Text schedule, int64_t computeUnits,
                                 int64_t occupancy, bool picture) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  return callInterruptibly<std::string>([=] {
    return takeText([&](CkMlirText *text) {
      auto create = picture ? ckMlirCreatePartitionPicture : ckMlirCreatePartitionReport;
      return create(toC(problem), options.get(), computeUnits, occupancy, text);
    });
  });
}

/// (name, type, layout, shape, bytes, is written) of every tensor.
static nb::list getTensors(const Program &program) {
  nb::list tensors;
  for (size_t i = 0; i < ckMlirProgramGetNumTensors(program.get()); ++i) {
    CkMlirTensor tensor = ckMlirProgramGetTensor(program.get(), i);
    nb::list shape;
    for (size_t dim = 0; dim < tensor.rank; ++dim)
      shape.append(tensor.shape[dim]);
    tensors.append(nb::make_tuple(tensor.name, tensor.type, tensor.layout, nb::tuple(shape),
                                  tensor.bytes, tensor.isWritten));
  }
  return tensors;
}

static std::vector<std::string> getForms() {
  std::vector<std::string> forms;
  for (size_t i = 0; i < ckMlirGetNumForms(); ++i)
    forms.emplace_back(ckMlirGetFormName(i));
  return forms;
}

void ckpy::bindCompiler(nb::module_ &module) {
  nb::class_<Program>(module, "Program")
      .def("code_object",
           [](const Program &program) {
             CkMlirBytes bytes = ckMlirProgramGetCodeObject(program.get());
             return nb::bytes(bytes.data, bytes.size);
           })
      .def("manifest", [](const Program &p) { return ckMlirProgramGetManifest(p.get()); })
      .def("assembly", [](const Program &p) { return ckMlirProgramGetAssembly(p.get()); })
      .def("problem", [](const Program &p) { return ckMlirProgramGetProblem(p.get()); })
      .def("chip", [](const Program &p) { return ckMlirProgramGetChip(p.get()); })
      .def("schedule", [](const Program &p) { return ckMlirProgramGetSchedule(p.get()); })
      .def("workspace_bytes",
           [](const Program &p) { return ckMlirProgramGetWorkspaceBytes(p.get()); })
      .def("workspace_zero_bytes",
           [](const Program &p) { return ckMlirProgramGetWorkspaceZeroBytes(p.get()); })
      .def("compile_milliseconds",
           [](const Program &p) { return ckMlirProgramGetCompileMilliseconds(p.get()); })
      .def("tensors", getTensors);
  module.def("compile", compile);
  module.def("load_program", loadProgram);
  module.def("lower", lower);
  module.def("run_passes", runPasses);
  module.def("run_report", getReport);
  module.def("modelled_report", getModelledReport);
  module.def("explanation", getExplanation);
  module.def("partitions", getPartitions);
  module.def("forms", getForms);
  module.def("chip_table", [] { return takeText(ckMlirCreateChipTable); });
  module.def("canonical_problem", [](Text problem) {
    return takeText(
        [&](CkMlirText *text) { return ckMlirCreateCanonicalProblem(toC(problem), text); });
  });
  module.def("shuffle_weights",
             [](Text problem, uintptr_t plain, uintptr_t shuffled, size_t bytes) {
               check(ckMlirShuffleWeights(toC(problem), reinterpret_cast<const void *>(plain),
                                          bytes, reinterpret_cast<void *>(shuffled), bytes));
             });
  module.def("problem_ir", [](Text problem, Text chip) {
    CompileOptions options = makeOptions(chip, "", 0);
    return takeText(
        [&](CkMlirText *text) { return ckMlirCreateProblemIR(toC(problem), options.get(), text); });
  });
}
