//===- Statistics.cpp - What a launch counted -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Statistics.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/Statistics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace ckemu;

std::array<uint64_t, kNumInstructionClasses>
LaunchStatistics::countByClass(const DecodedCode &code) const {
  std::array<uint64_t, kNumInstructionClasses> result{};
  llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  for (size_t i = 0; i < executions.size(); ++i)
    result[unsigned(instructions[i].kind)] += executions[i];
  return result;
}

uint64_t LaunchStatistics::countAll() const {
  return std::accumulate(executions.begin(), executions.end(), uint64_t(0));
}

std::string LaunchStatistics::toJson(const CodeObject &object, const Kernel &kernel) const {
  llvm::json::Object classes;
  auto counts = countByClass(object.decode(kernel).code);
  for (unsigned i = 0; i < kNumInstructionClasses; ++i)
    classes[getInstructionClassName(InstructionClass(i))] = int64_t(counts[i]);
  const KernelMetadata &metadata = kernel.metadata;
  llvm::json::Object result{
      {"kernel", metadata.name},
      {"chip", object.getChip().name},
      {"grid", llvm::json::Array{shape.groups[0], shape.groups[1], shape.groups[2]}},
      {"block", llvm::json::Array{shape.groupSize[0], shape.groupSize[1], shape.groupSize[2]}},
      {"waves", int64_t(waves)},
      {"instructions", std::move(classes)},
      {"wave_instructions", int64_t(countAll())},
      {"lds_bank_conflicts", int64_t(ldsBankConflicts)},
      {"bytes_loaded", int64_t(bytesLoaded)},
      {"bytes_stored", int64_t(bytesStored)},
      {"vgprs", metadata.vgprs},
      {"agprs", metadata.agprs},
      {"sgprs", metadata.sgprs},
      {"lds_bytes", kernel.descriptor.ldsBytes + shape.dynamicLds},
      {"scratch_bytes", kernel.descriptor.privateBytes},
      {"code_bytes", kernel.codeBytes},
      {"vgpr_spills", metadata.vgprSpills},
      {"sgpr_spills", metadata.sgprSpills},
      {"seconds", seconds}};
  if (!profile.isEmpty())
    result["profile"] = profile.toJson(object, kernel);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(result));
  return text;
}
