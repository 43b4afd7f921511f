//===- Profile.cpp - What ck-run --profile reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading, grouping by role, printing.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Profile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <map>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Instructions that the text shows per role and list; JSON has all.
static constexpr size_t kListed = 10;

MemoryCounts &MemoryCounts::operator+=(const MemoryCounts &other) {
  ldsBankConflicts += other.ldsBankConflicts;
  bytesLoaded += other.bytesLoaded;
  bytesStored += other.bytesStored;
  cacheLines += other.cacheLines;
  return *this;
}

double RoleProfile::getMatrixShare() const {
  int64_t matrix = 0;
  for (const auto &[name, count] : classes)
    if (name == "mfma" || name == "wmma")
      matrix += count;
  return executions == 0 ? 0.0 : double(matrix) / double(executions);
}

std::vector<InstructionProfile> RoleProfile::getConflicting() const {
  std::vector<InstructionProfile> result;
  llvm::copy_if(instructions, std::back_inserter(result),
                [](const auto &i) { return i.memory.ldsBankConflicts != 0; });
  llvm::sort(result, [](const auto &a, const auto &b) {
    return std::make_pair(-a.memory.ldsBankConflicts, a.pc) <
           std::make_pair(-b.memory.ldsBankConflicts, b.pc);
  });
  return result;
}

MemoryCounts KernelProfile::getMemory() const {
  MemoryCounts sum;
  for (const RoleProfile &role : roles)
    sum += role.memory;
  return sum;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error malformed() {
  return llvm::createStringError("the emulator returned no profile of the launch");
}

/// The sum of counts of the waves [first, first + count); 0 when the instruction has none.
static int64_t sumWaves(const llvm::json::Object &entry, StringRef name, int64_t first,
                        int64_t count) {
  const llvm::json::Array *values = entry.getArray(name);
  int64_t sum = 0;
  for (int64_t wave = first; values && wave < first + count; ++wave)
    if (size_t(wave) < values->size())
      sum += (*values)[size_t(wave)].getAsInteger().value_or(0);
  return sum;
}

/// Adds what the waves of `role` did with one instruction, if they executed it.
static Error addInstruction(const llvm::json::Object &entry, RoleProfile &role,
                            std::map<std::string, int64_t> &classes) {
  std::optional<int64_t> pc = entry.getInteger("pc"), offset = entry.getInteger("offset");
  std::optional<StringRef> text = entry.getString("text"), className = entry.getString("class");
  if (!pc || !offset || !text || !className || !entry.getArray("executions"))
    return malformed();
  auto sum = [&](StringRef name) { return sumWaves(entry, name, role.firstWave, role.numWaves); };
  InstructionProfile inst;
  inst.executions = sum("executions");
  if (inst.executions == 0)
    return Error::success();
  inst.pc = *pc;
  inst.offset = *offset;
  inst.text = text->trim().str();
  inst.className = className->str();
  inst.memory = {sum("lds_bank_conflicts"), sum("bytes_loaded"), sum("bytes_stored"),
                 sum("cache_lines")};
  role.executions += inst.executions;
  role.memory += inst.memory;
  classes[inst.className] += inst.executions;
  role.instructions.push_back(std::move(inst));
  return Error::success();
}

static Error readRole(const llvm::json::Array &instructions, RoleProfile &role) {
  std::map<std::string, int64_t> classes;
  for (const llvm::json::Value &value : instructions) {
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry)
      return malformed();
    if (Error error = addInstruction(*entry, role, classes))
      return error;
  }
  role.classes.assign(classes.begin(), classes.end());
  llvm::sort(role.instructions, [](const auto &a, const auto &b) {
    return std::make_pair(-a.executions, a.pc) < std::make_pair(-b.executions, b.pc);
  });
  return Error::success();
}

Expected<KernelProfile> mlir::ck::readProfile(const llvm::json::Object &statistics,
                                              const Roles &roles) {
  const llvm::json::Object *object = statistics.getObject("profile");
  const llvm::json::Array *instructions = object ? object->getArray("instructions") : nullptr;
  std::optional<int64_t> waves = object ? object->getInteger("waves_per_group") : std::nullopt;
  std::optional<int64_t> line = object ? object->getInteger("cache_line_bytes") : std::nullopt;
  if (!instructions || !waves || !line)
    return malformed();
  KernelProfile profile;
  profile.cacheLineBytes = *line;
  auto addRole = [&](StringRef name, int64_t first, int64_t count) {
    RoleProfile role;
    role.name = name.str();
    role.firstWave = first;
    role.numWaves = count;
    profile.roles.push_back(std::move(role));
  };
  if (roles.load > 0 && roles.load + roles.math == *waves) {
    addRole("load", 0, roles.load);
    addRole("math", roles.load, roles.math);
  } else {
    addRole("uniform", 0, *waves);
  }
  for (RoleProfile &role : profile.roles)
    if (Error error = readRole(*instructions, role))
      return error;
  return profile;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeMemory(llvm::json::OStream &json, const MemoryCounts &memory) {
  json.attribute("lds_bank_conflicts", memory.ldsBankConflicts);
  json.attribute("bytes_loaded", memory.bytesLoaded);
  json.attribute("bytes_stored", memory.bytesStored);
  json.attribute("cache_lines", memory.cacheLines);
}

static void writeInstructions(llvm::json::OStream &json, llvm::ArrayRef<InstructionProfile> list,
                              const RoleProfile &role) {
  for (const InstructionProfile &inst : list)
    json.object([&] {
      json.attribute("pc", inst.pc);
      json.attribute("offset", inst.offset);
      json.attribute("text", inst.text);
      json.attribute("class", inst.className);
      json.attribute("count", inst.executions);
      json.attribute("share", double(inst.executions) / double(role.executions));
      writeMemory(json, inst.memory);
      if (inst.stallCycles) {
        json.attribute("modelled_stall_cycles", *inst.stallCycles);
        json.attribute("modelled_stall_reason", inst.stallReason);
      }
    });
}

static void writeRole(llvm::json::OStream &json, const RoleProfile &role) {
  json.object([&] {
    json.attribute("name", role.name);
    json.attribute("first_wave", role.firstWave);
    json.attribute("waves", role.numWaves);
    json.attribute("wave_instructions", role.executions);
    json.attributeObject("instructions", [&] {
      for (const auto &[name, count] : role.classes)
        json.attribute(name, count);
    });
    json.attribute("mfma_share", role.getMatrixShare());
    writeMemory(json, role.memory);
    json.attributeArray("hottest", [&] {
      writeInstructions(json, llvm::ArrayRef(role.instructions).take_front(kListed), role);
    });
    json.attributeArray("conflicting",
                        [&] { writeInstructions(json, role.getConflicting(), role); });
  });
}

void mlir::ck::writeJson(llvm::json::OStream &json, StringRef kernel, const KernelProfile &profile,
                         int64_t minimumBytes) {
  MemoryCounts memory = profile.getMemory();
  json.object([&] {
    json.attribute("name", kernel);
    writeMemory(json, memory);
    json.attribute("minimum_bytes", minimumBytes);
    json.attribute("cache_line_bytes", profile.cacheLineBytes);
    json.attributeArray("roles", [&] {
      for (const RoleProfile &role : profile.roles)
        writeRole(json, role);
    });
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static double getPercent(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * double(part) / double(whole);
}

static void printPlace(llvm::raw_ostream &os, const InstructionProfile &inst) {
  os << llvm::format("pc 0x%llx (+0x%llx): ", (unsigned long long)inst.pc,
                     (unsigned long long)inst.offset)
     << inst.text;
  if (inst.stallCycles.value_or(0) > 0)
    os << llvm::format("  [modelled: waits %.1f cycles, ", *inst.stallCycles) << inst.stallReason
       << ']';
  os << '\n';
}

static void printRole(llvm::raw_ostream &os, const RoleProfile &role) {
  os << "  role    " << role.name << ", waves " << role.firstWave << " to "
     << role.firstWave + role.numWaves - 1 << ": " << role.executions << " wave instructions";
  StringRef separator = ": ";
  for (const auto &[name, count] : role.classes) {
    os << separator << count << ' ' << name
       << llvm::format(" (%.1f %%)", getPercent(count, role.executions));
    separator = ", ";
  }
  os << llvm::format("\n          matrix share %.1f %%\n", 100.0 * role.getMatrixShare());
  os << "          " << role.memory.bytesLoaded << " B loaded, " << role.memory.bytesStored
     << " B stored, " << role.memory.cacheLines << " cache lines touched\n";
  std::vector<InstructionProfile> conflicting = role.getConflicting();
  os << "          " << role.memory.ldsBankConflicts << " LDS bank conflicts"
     << (conflicting.empty() ? "\n" : " in\n");
  for (const InstructionProfile &inst : llvm::ArrayRef(conflicting).take_front(kListed)) {
    os << llvm::format("%14lld           ", (long long)inst.memory.ldsBankConflicts);
    printPlace(os, inst);
  }
  if (conflicting.size() > kListed)
    os << "              and " << conflicting.size() - kListed << " more instructions\n";
  os << "          hottest instructions\n";
  for (const InstructionProfile &inst : llvm::ArrayRef(role.instructions).take_front(kListed)) {
    os << llvm::format("%14lld  %5.2f %%  ", (long long)inst.executions,
                       getPercent(inst.executions, role.executions));
    printPlace(os, inst);
  }
}

void mlir::ck::printText(llvm::raw_ostream &os, StringRef kernel, const KernelProfile &profile,
                         int64_t minimumBytes) {
  MemoryCounts memory = profile.getMemory();
  int64_t moved = memory.bytesLoaded + memory.bytesStored;
  os << "profile   " << kernel << ": " << moved << " B moved, "
     << llvm::format("%.2f", minimumBytes == 0 ? 0.0 : double(moved) / double(minimumBytes))
     << " times the minimum of " << minimumBytes << " B; " << memory.cacheLines
     << " cache lines of " << profile.cacheLineBytes << " B touched\n";
  for (const RoleProfile &role : profile.roles)
    printRole(os, role);
}
