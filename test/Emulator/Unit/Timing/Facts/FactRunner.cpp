//===- FactRunner.cpp - Runs the kernels of facts -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembles the kernels of a chip at once with clang, executes them with a recorder, and has the
// traces timed. Buffers lie at addresses of their own choice, so that results do not depend on
// where the host has memory.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/ArgumentSegment.h"
#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Launch/Scheduler.h"
#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "Fact.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace ckemu;
using namespace ckemu::test;

const char *ckemu::test::getUnit(Quantity quantity) {
  switch (quantity) {
  case Quantity::Cycles:
    return "cycles";
  case Quantity::Nanoseconds:
    return "ns";
  case Quantity::BytesPerCycle:
    return "bytes/cycle";
  case Quantity::Gigabytes:
    return "GB/s";
  case Quantity::Teraflops:
    break;
  }
  return "TFLOPS";
}

std::string ckemu::test::repeat(unsigned count, const std::string &text) {
  return llvm::formatv("\n.rept {0}\n{1}\n.endr\n", count, text);
}

/// A kernel with the body `body`; all take the buffer and the number of turns.
static std::string makeKernel(const Fact &fact, const std::string &name, const std::string &body) {
  const bool isCdna = llvm::StringRef(fact.chip).starts_with("gfx9");
  const char *loads = isCdna ? "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s8, s[0:1], 0x8\n"
                             : "s_load_b64 s[4:5], s[0:1], 0x0\ns_load_b32 s8, s[0:1], 0x8\n";
  const char *wait = fact.chip == "gfx1201" ? "s_wait_kmcnt 0\n" : "s_waitcnt lgkmcnt(0)\n";
  const char *end =
      fact.chip == "gfx1201" ? "s_wait_loadcnt 0\n" : "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  return llvm::formatv(".text\n.globl {0}\n.p2align 8\n.type {0},@function\n{0}:\n{1}{2}{3}\n"
                       ".p2align 6\n.L{0}:\n{4}\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\n"
                       "s_cbranch_scc1 .L{0}\n{5}s_endpgm\n.size {0}, .-{0}\n"
                       ".rodata\n.p2align 6\n.amdhsa_kernel {0}\n"
                       ".amdhsa_group_segment_fixed_size {6}\n.amdhsa_kernarg_size 16\n"
                       ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                       ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_next_free_vgpr 128\n"
                       ".amdhsa_next_free_sgpr 32\n{7}.end_amdhsa_kernel\n",
                       name, loads, wait, fact.setup, body, end, fact.ldsBytes,
                       isCdna ? ".amdhsa_accum_offset 128\n" : ".amdhsa_wavefront_size32 1\n");
}

static std::string makeMetadata(const Fact &fact, const std::string &name) {
  return llvm::formatv(
      "  - {{.name: {0}, .symbol: {0}.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, "
      ".group_segment_fixed_size: {1}, .private_segment_fixed_size: 0, .wavefront_size: {2}, "
      ".sgpr_count: 32, .vgpr_count: 128, .max_flat_workgroup_size: 1024, .args: ["
      "{{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}, "
      "{{.offset: 8, .size: 4, .value_kind: by_value}]}\n",
      name, fact.ldsBytes, llvm::StringRef(fact.chip).starts_with("gfx9") ? 64 : 32);
}

/// The name of the kernel of `other`.
static std::string getOtherName(const Fact &fact) { return fact.name + "_other"; }

/// The code object of all kernels of `chip`.
static std::unique_ptr<llvm::MemoryBuffer> assemble(const std::string &chip,
                                                    const std::vector<Fact> &facts) {
  std::string code = ".amdgcn_target \"amdgcn-amd-amdhsa--" + chip + "\"\n";
  std::string metadata = ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\n"
                         "amdhsa.target: amdgcn-amd-amdhsa--" +
                         chip + "\namdhsa.kernels:\n";
  for (const Fact &fact : facts) {
    if (fact.chip != chip)
      continue;
    code += makeKernel(fact, fact.name, fact.body);
    metadata += makeMetadata(fact, fact.name);
    if (fact.other.empty())
      continue;
    code += makeKernel(fact, getOtherName(fact), fact.other);
    metadata += makeMetadata(fact, getOtherName(fact));
  }
  llvm::SmallString<64> source, object;
  int descriptor = -1;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("facts", "s", descriptor, source));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("facts", "hsaco", object));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true)
      << code << metadata << "...\n.end_amdgpu_metadata\n";
  const std::string processor = "-mcpu=" + chip;
  const llvm::StringRef arguments[] = {CK_FACTS_CLANG, "-target", "amdgcn-amd-amdhsa",
                                       processor,      "-x",      "assembler",
                                       source,         "-o",      object};
  EXPECT_EQ(llvm::sys::ExecuteAndWait(CK_FACTS_CLANG, arguments), 0) << source.c_str();
  auto file = llvm::MemoryBuffer::getFile(object);
  EXPECT_TRUE(bool(file));
  EXPECT_FALSE(llvm::sys::fs::remove(object));
  EXPECT_FALSE(llvm::sys::fs::remove(source));
  return file ? std::move(*file) : nullptr;
}

struct FactRunner::State {
  const ChipModel *chip = nullptr;
  MemoryTable memory;
  std::unique_ptr<CodeObject> object;

  LaunchTiming measure(const Fact &fact, const std::string &name, unsigned turns);
  LaunchTiming launch(const Fact &fact, const std::string &name, unsigned turns, char *buffer);
};

FactRunner::FactRunner(const std::string &chip, const std::vector<Fact> &facts)
    : state(std::make_unique<State>()) {
  state->chip = *getChipModel(chip);
  auto file = assemble(chip, facts);
  auto loaded = CodeObject::load(file->getBuffer(), *state->chip,
                                 getInstructionTable(state->chip->isa), state->memory);
  EXPECT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  state->object = std::move(*loaded);
}
FactRunner::~FactRunner() = default;

/// A launch with the buffer `buffer`.
LaunchTiming FactRunner::State::launch(const Fact &fact, const std::string &name, unsigned turns,
                                       char *buffer) {
  const Kernel *kernel = object->findKernel(name);
  if (!kernel) {
    ADD_FAILURE() << "no kernel " << name;
    return {};
  }
  uint8_t bytes[16] = {};
  std::memcpy(bytes, &buffer, 8);
  std::memcpy(bytes + 8, &turns, 4);
  LaunchShape shape;
  shape.groups[0] = fact.groups;
  shape.groupSize[0] = fact.waves * chip->waveSize;
  Options options;
  options.chip = chip;
  options.computeUnits = fact.computeUnits ? fact.computeUnits : chip->product->computeUnits;
  options.checks = *Checks::parse("off"); // kernels read what nothing wrote
  ArgumentSegment segment(*kernel, shape, bytes, /*hostcalls=*/0);
  memory.addExternal(segment.getBegin(), segment.getSize(), "arguments", /*writable=*/false);
  LaunchContext context(*object, *kernel, shape, options, memory.getSnapshot());
  segment.describe(context);
  const unsigned groupsPerUnit = getResidentGroups(*object, *kernel, shape, options);
  TimedLaunch timed;
  std::vector<uint64_t> shifts, all(fact.groups);
  for (const Allocation &allocation : *context.snapshot) {
    const bool isBuffer = allocation.begin == reinterpret_cast<uint64_t>(buffer);
    const uint64_t begin = uint64_t(isBuffer ? 1 : shifts.size() + 2) << 40;
    const AddressRange range = {begin, begin + allocation.size};
    timed.allocations.push_back(range);
    if (fact.isResident && isBuffer)
      timed.resident.push_back({range});
    shifts.push_back(begin - allocation.begin);
  }
  std::iota(all.begin(), all.end(), uint64_t(0));
  TraceStore store;
  context.recorder = std::make_shared<LaunchRecorder>(
      RecordedCode::inspect(context.getCode(), context.decoded.entry, kernel->codeBytes), shifts,
      store, [&](uint64_t) { return RecordedGroups{all}; }, /*executesOthers=*/true);
  runWorkgroups(context, groupsPerUnit);
  EXPECT_FALSE(context.hasStopped()) << name << ": " << context.getFault().message;
  memory.removeExternal(segment.getBegin());
  store.close();
  const std::vector<TimedInstruction> code = makeTimedCode(context.getCode(), *chip);
  timed.code = &code;
  timed.chip = chip;
  timed.parameters = llvm::cantFail(getTimingParameters(*chip, fact.parameters));
  timed.computeUnits = options.computeUnits;
  timed.groupsPerUnit = std::max(1u, groupsPerUnit / options.computeUnits);
  timed.wavesPerGroup = fact.waves;
  timed.waveSize = chip->waveSize;
  timed.numGroups = fact.groups;
  const GroupSample sample = chooseSample(timed, 1, /*full=*/true);
  LaunchTiming timing = timeLaunch(timed, sample, store);
  EXPECT_TRUE(timing.isComplete) << name;
  return timing;
}

/// Pointers from one line of 128 bytes to another, through all of them in a random order.
static void makeChain(char *buffer, unsigned numLines) {
  std::vector<unsigned> order(numLines);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (unsigned i = 0; i < numLines; ++i) {
    char *next = buffer + 128ull * order[(i + 1) % numLines];
    std::memcpy(buffer + 128ull * order[i], &next, sizeof(next));
  }
}

/// A launch with a buffer of its own.
LaunchTiming FactRunner::State::measure(const Fact &fact, const std::string &name, unsigned turns) {
  auto address = memory.allocate(fact.bufferBytes, "buffer", /*host=*/false, uint64_t(1) << 40);
  if (!address) {
    ADD_FAILURE() << llvm::toString(address.takeError());
    return {};
  }
  char *buffer = reinterpret_cast<char *>(*address);
  if (fact.chainLines)
    makeChain(buffer, fact.chainLines);
  LaunchTiming timing = launch(fact, name, turns, buffer);
  MemoryTable::unmap(llvm::cantFail(memory.remove(*address)));
  return timing;
}

double FactRunner::run(const Fact &fact) {
  double cycles = 0, microseconds = 0;
  auto addTurns = [&](const std::string &name, double sign) {
    const LaunchTiming longer = state->measure(fact, name, 2 * fact.turns);
    const LaunchTiming shorter = state->measure(fact, name, fact.turns);
    cycles += sign * (longer.cycles - shorter.cycles);
    microseconds += sign * (longer.microseconds - shorter.microseconds);
  };
  addTurns(fact.name, 1);
  if (!fact.other.empty())
    addTurns(getOtherName(fact), -1);
  const double perWave = fact.turns * fact.perTurn;
  const double all = perWave * fact.waves * fact.groups;
  switch (fact.quantity) {
  case Quantity::Cycles:
    return cycles / perWave;
  case Quantity::Nanoseconds:
    return microseconds / perWave * 1e3;
  case Quantity::BytesPerCycle:
    return perWave * fact.waves / cycles;
  case Quantity::Gigabytes:
    return all / microseconds / 1e3;
  case Quantity::Teraflops:
    break;
  }
  return all / microseconds;
}
