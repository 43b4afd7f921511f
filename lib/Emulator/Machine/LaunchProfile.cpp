//===- LaunchProfile.cpp - What each wave of the workgroups did, by instruction -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and JSON.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/LaunchProfile.h"

using namespace ckemu;

void LaunchProfile::add(const LaunchProfile &other) {
  for (size_t i = 0; i < executions.size(); ++i) {
    executions[i] += other.executions[i];
    counters[i] += other.counters[i];
  }
}

uint64_t LaunchProfile::countExecutions(size_t instruction) const {
  uint64_t sum = 0;
  for (unsigned wave = 0; wave < numWaves; ++wave)
    sum += executions[wave * numInstructions + instruction];
  return sum;
}

llvm::json::Value LaunchProfile::toJson(const CodeObject &object, const Kernel &kernel) const {
  const DecodedKernel &decoded = object.decode(kernel);
  const DecodedCode &code = decoded.code;
  llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  llvm::json::Array entries;
  for (size_t i = 0; i < numInstructions; ++i) {
    if (countExecutions(i) == 0)
      continue;
    const Instruction &inst = instructions[i];
    auto list = [&](auto get) {
      llvm::json::Array values;
      for (unsigned wave = 0; wave < numWaves; ++wave)
        values.push_back(int64_t(get(wave * numInstructions + i)));
      return values;
    };
    llvm::json::Object entry{{"pc", int64_t(inst.offset)},
                             {"offset", int64_t(inst.offset) - int64_t(decoded.entry->offset)},
                             {"text", code.getText(&inst)},
                             {"class", getInstructionClassName(inst.kind)},
                             {"executions", list([&](size_t at) { return executions[at]; })}};
    auto addCounter = [&](const char *name, uint64_t WaveCounters::*member) {
      bool any = false;
      for (unsigned wave = 0; wave < numWaves; ++wave)
        any |= counters[wave * numInstructions + i].*member != 0;
      if (any)
        entry[name] = list([&](size_t at) { return counters[at].*member; });
    };
    addCounter("lds_bank_conflicts", &WaveCounters::ldsBankConflicts);
    addCounter("bytes_loaded", &WaveCounters::bytesLoaded);
    addCounter("bytes_stored", &WaveCounters::bytesStored);
    addCounter("cache_lines", &WaveCounters::cacheLines);
    entries.push_back(std::move(entry));
  }
  return llvm::json::Object{{"waves_per_group", int64_t(numWaves)},
                            {"cache_line_bytes", int64_t(kCacheLineBytes)},
                            {"instructions", std::move(entries)}};
}
