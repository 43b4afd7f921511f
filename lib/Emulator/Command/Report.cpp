//===- Report.cpp - The report of ck-emulate -*- C++ -*-===//
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

using namespace ckemu;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

uint64_t ckemu::sumCounts(const Object &instruction, llvm::StringRef field) {
  uint64_t sum = 0;
  if (const Array *counts = instruction.getArray(field))
    for (const Value &count : *counts)
      sum += uint64_t(count.getAsInteger().value_or(0));
  return sum;
}

static Object describe(const KernelRecord &kernel) {
  Object result{{"name", kernel.name},
                {"symbol", kernel.symbol},
                {"launches", int64_t(kernel.launches)},
                {"faults", int64_t(kernel.faults)},
                {"wave_instructions", int64_t(kernel.waveInstructions)},
                {"instructions", Object(kernel.instructions)},
                {"bytes_loaded", int64_t(kernel.bytesLoaded)},
                {"bytes_stored", int64_t(kernel.bytesStored)},
                {"lds_bank_conflicts", int64_t(kernel.bankConflicts)},
                {"emulated_seconds", kernel.seconds}};
  if (kernel.timedLaunches != 0) {
    result["timed_launches"] = int64_t(kernel.timedLaunches);
    result["modelled_us"] = kernel.modelledMicroseconds;
    result["modelled_bound"] = kernel.bound;
  }
  if (!kernel.profile.empty())
    result["profile"] = Array(kernel.profile);
  return result;
}

static Object describe(const FaultRecord &fault) {
  Object result(fault.details);
  result["kernel"] = fault.kernel;
  result["symbol"] = fault.symbol;
  result["count"] = int64_t(fault.count);
  result["grid"] = Array(fault.grid);
  result["block"] = Array(fault.block);
  Array frames;
  for (const SourceFrame &frame : fault.frames)
    frames.push_back(Object{{"function", frame.function},
                            {"file", frame.file},
                            {"line", int64_t(frame.line)},
                            {"column", int64_t(frame.column)}});
  result["source"] = std::move(frames);
  return result;
}

Object ckemu::makeReport(const EmulatedRun &run, const LaunchRecords &records) {
  Array kernels, faults, errors;
  for (const KernelRecord &kernel : records.kernels)
    kernels.push_back(describe(kernel));
  for (const FaultRecord &fault : records.faults)
    faults.push_back(describe(fault));
  for (const ErrorRecord &error : records.errors)
    errors.push_back(
        Object{{"call", error.call}, {"reason", error.reason}, {"count", int64_t(error.count)}});
  Object result{{"command", Array(run.command)},
                {"status", run.end.signal ? Value(nullptr) : Value(run.end.status)},
                {"signal", run.end.signal ? Value(run.end.signal) : Value(nullptr)},
                {"seconds", run.seconds},
                {"chip", records.chip},
                {"product", records.product},
                {"processes", int64_t(records.processes)},
                {"launches", int64_t(records.countLaunches())},
                {"kernels", std::move(kernels)},
                {"faults", std::move(faults)},
                {"errors", std::move(errors)},
                {"leaks", Array(records.leaks)}};
  if (records.isTimed())
    result["modelled_us"] = records.getModelledMicroseconds();
  return result;
}
