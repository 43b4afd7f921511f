//===- Summary.cpp - The summary of ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Report.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <tuple>

using namespace ckemu;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// Kernels, instructions of a profile and calls that are listed; the report has all.
static constexpr size_t kListedKernels = 10, kListedInstructions = 5, kListedErrors = 5;
/// Longest name of a kernel in the table.
static constexpr size_t kNameWidth = 40;

static std::string count(uint64_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// The kernels that took the longest, by the model if launches were timed.
static std::vector<const KernelRecord *> sortKernels(const LaunchRecords &records) {
  std::vector<const KernelRecord *> kernels;
  kernels.reserve(records.kernels.size());
  for (const KernelRecord &kernel : records.kernels)
    kernels.push_back(&kernel);
  llvm::sort(kernels, [](const KernelRecord *a, const KernelRecord *b) {
    return std::make_tuple(-a->modelledMicroseconds, b->waveInstructions, a->symbol) <
           std::make_tuple(-b->modelledMicroseconds, a->waveInstructions, b->symbol);
  });
  return kernels;
}

static std::string shorten(const std::string &name) {
  return name.size() <= kNameWidth ? name : name.substr(0, kNameWidth - 3) + "...";
}

static void addKernels(std::string &text, const LaunchRecords &records) {
  std::vector<const KernelRecord *> kernels = sortKernels(records);
  if (kernels.empty())
    return;
  size_t width = 6;
  for (const KernelRecord *kernel : kernels)
    width = std::max(width, shorten(kernel->name).size());
  const bool isTimed = records.isTimed();
  auto addRow = [&](std::string name, const std::string &launches, const std::string &instructions,
                    const std::string &time, const std::string &bound) {
    name.resize(width, ' ');
    text += llvm::formatv("  {0}  {1,8}  {2,17}", name, launches, instructions);
    text += isTimed ? llvm::formatv("  {0,11}  {1}\n", time, bound).str() : "\n";
  };
  addRow("kernel", "launches", "wave instructions", "modelled us", "bound by");
  for (const KernelRecord *kernel : llvm::ArrayRef(kernels).take_front(kListedKernels))
    addRow(shorten(kernel->name), std::to_string(kernel->launches),
           std::to_string(kernel->waveInstructions),
           kernel->timedLaunches ? llvm::formatv("{0:f1}", kernel->modelledMicroseconds).str() : "",
           kernel->bound);
  if (kernels.size() > kListedKernels)
    text += "  and " + count(kernels.size() - kListedKernels, "more kernel") + "\n";
}

/// The instructions that were executed most often.
static void addProfile(std::string &text, const KernelRecord &kernel) {
  std::vector<const Object *> instructions;
  uint64_t all = 0;
  for (const Value &value : kernel.profile) {
    instructions.push_back(value.getAsObject());
    all += sumCounts(*value.getAsObject(), "executions");
  }
  llvm::sort(instructions, [](const Object *a, const Object *b) {
    return std::make_pair(sumCounts(*b, "executions"), a->getInteger("pc")) <
           std::make_pair(sumCounts(*a, "executions"), b->getInteger("pc"));
  });
  if (all != 0)
    text += "  hottest instructions of " + kernel.name + ":\n";
  for (const Object *each : llvm::ArrayRef(instructions).take_front(kListedInstructions)) {
    const uint64_t executions = sumCounts(*each, "executions");
    text +=
        llvm::formatv("    {0,5:f1} %  +{1:x}  {2}", 100.0 * double(executions) / double(all),
                      each->getInteger("offset").value_or(0), each->getString("text").value_or(""));
    if (const uint64_t conflicts = sumCounts(*each, "lds_bank_conflicts"))
      text += ", " + count(conflicts, "cycle") + " of bank conflicts";
    text += "\n";
  }
}

static std::string describeSize(const Array &size) {
  std::string text;
  for (const Value &value : size)
    text += (text.empty() ? "" : "x") + std::to_string(value.getAsInteger().value_or(0));
  return text;
}

static void addDisassembly(std::string &text, const FaultRecord &fault) {
  const Array *lines = fault.details.getArray("disassembly");
  const std::optional<int64_t> offset = fault.details.getInteger("offset");
  for (const Value &value : lines ? *lines : Array()) {
    const Object *line = value.getAsObject();
    const std::optional<int64_t> at = line ? line->getInteger("offset") : std::nullopt;
    if (at)
      text += llvm::formatv("    {0} +{1:x}  {2}\n", at == offset ? ">" : " ", *at,
                            line->getString("text").value_or(""));
  }
}

static void addFault(std::string &text, const FaultRecord &fault, const EmulateOptions &options) {
  text += "  fault in " + fault.kernel;
  if (!fault.frames.empty())
    text += " at " + describePlace(fault.frames.front());
  const llvm::StringRef reason = fault.reason;
  text += ": " + (options.explain ? fault.message : reason.split('\n').first.str());
  if (fault.count > 1)
    text += " (" + count(fault.count, "time") + ")";
  text += "\n";
  if (options.explain) {
    text += llvm::formatv("    grid {0}, block {1}\n", describeSize(fault.grid),
                          describeSize(fault.block));
    for (const SourceFrame &frame : fault.frames)
      text += llvm::formatv("    in {0} at {1}\n",
                            frame.function.empty() ? "a function" : frame.function,
                            describePlace(frame));
  }
  if (options.explain || options.disassemble)
    addDisassembly(text, fault);
}

static void addErrors(std::string &text, const LaunchRecords &records) {
  for (const ErrorRecord &error : llvm::ArrayRef(records.errors).take_front(kListedErrors)) {
    text += "  failed call " + error.call + ": " +
            llvm::StringRef(error.reason).split('\n').first.str();
    text += error.count > 1 ? " (" + count(error.count, "time") + ")\n" : "\n";
  }
  if (records.errors.size() > kListedErrors)
    text += "  and " + count(records.errors.size() - kListedErrors, "more failed call") + "\n";
  for (const std::string &leak : records.leaks)
    text += "  leaks: " + llvm::StringRef(leak).split('\n').first.str() + "\n";
}

std::string ckemu::summarize(const EmulateOptions &options, const LaunchRecords &records) {
  if (records.processes == 0)
    return "the program made no HIP call on the emulator\n";
  const uint64_t launches = records.countLaunches();
  std::string text =
      llvm::formatv("{0} ({1}): {2} launch{3} of {4}", records.chip, records.product, launches,
                    launches == 1 ? "" : "es", count(records.kernels.size(), "kernel"));
  if (records.isTimed())
    text += llvm::formatv(", {0:f1} us modelled, not measured", records.getModelledMicroseconds());
  if (const uint64_t faults = records.countFaults())
    text += ", " + count(faults, "fault");
  if (const uint64_t errors = records.countErrors())
    text += ", " + count(errors, "failed call");
  text += records.leaks.empty() ? "\n" : ", leaks\n";
  addKernels(text, records);
  for (const KernelRecord *kernel : sortKernels(records))
    addProfile(text, *kernel);
  for (const FaultRecord &fault : records.faults)
    addFault(text, fault, options);
  addErrors(text, records);
  return text;
}
