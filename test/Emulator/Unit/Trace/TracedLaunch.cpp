//===- TracedLaunch.cpp - Launches kernels and keeps their traces -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TracedLaunch.h.
//
//===----------------------------------------------------------------------===//

#include "TracedLaunch.h"
#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/ArgumentSegment.h"
#include "Emulator/Launch/Scheduler.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <numeric>

using namespace ckemu;
using namespace ckemu::test;

TracedLaunch::TracedLaunch(const std::string &chip) {
  const ChipModel &model = **getChipModel(chip);
  options.chip = &model;
  options.computeUnits = 4;
  options.checks = *Checks::parse("off"); // the tests write from outside
  const std::string path = CK_TRACE_CODE_FOLDER "/Trace.O1." + chip + ".hsaco";
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(file)) << path;
  auto loaded =
      CodeObject::load((*file)->getBuffer(), model, getInstructionTable(model.isa), memory);
  EXPECT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  object = std::move(*loaded);
}

uint32_t *TracedLaunch::allocate(size_t count) {
  auto address = memory.allocate(count * 4, "test buffer", /*host=*/false, uint64_t(1) << 30);
  EXPECT_TRUE(bool(address)) << llvm::toString(address.takeError());
  auto *pointer = reinterpret_cast<uint32_t *>(*address);
  std::memset(pointer, 0, count * 4);
  return pointer;
}

void TracedLaunch::run(const std::string &name, unsigned groups, unsigned items,
                       std::vector<const void *> pointers, std::vector<uint32_t> integers,
                       LaunchRecorder::Choose choose, bool executesOthers,
                       LaunchRecorder::Extend extend) {
  const Kernel *kernel = object->findKernel(name);
  ASSERT_NE(kernel, nullptr) << name;
  std::vector<uint8_t> bytes(pointers.size() * 8 + integers.size() * 4);
  std::memcpy(bytes.data(), pointers.data(), pointers.size() * 8);
  if (!integers.empty())
    std::memcpy(bytes.data() + pointers.size() * 8, integers.data(), integers.size() * 4);
  LaunchShape shape;
  shape.groups[0] = groups;
  shape.groupSize[0] = items;
  ArgumentSegment segment(*kernel, shape, bytes, /*hostcalls=*/0);
  memory.addExternal(segment.getBegin(), segment.getSize(), "arguments", /*writable=*/false);
  decoded = &object->decode(*kernel);
  LaunchContext launch(*object, *kernel, shape, options, memory.getSnapshot());
  segment.describe(launch);
  launch.privateBytes = kernel->descriptor.privateBytes;
  std::vector<uint64_t> all(groups);
  std::iota(all.begin(), all.end(), uint64_t(0));
  if (!choose)
    choose = [&](uint64_t) { return RecordedGroups{all}; };
  RecordedGroups chosen;
  auto note = [&](uint64_t instructions) { return chosen = choose(instructions); };
  TraceStore store;
  const auto code = RecordedCode::inspect(getCode(), launch.decoded.entry, kernel->codeBytes);
  if (!computesAll)
    launch.dispensable = object->findDispensable(*kernel, code.synchronizes);
  launch.recorder =
      std::make_shared<LaunchRecorder>(code, std::vector<uint64_t>(launch.snapshot->size(), 0),
                                       store, note, executesOthers, std::move(extend));
  statistics = runWorkgroups(launch, getResidentGroups(*object, *kernel, shape, options));
  EXPECT_FALSE(launch.hasStopped()) << launch.getFault().message;
  memory.removeExternal(segment.getBegin());
  store.close();
  glimpses = *store.takeGlimpses(chosen.glimpses);
  traces.clear();
  for (uint64_t group = 0; group < groups; ++group)
    traces.push_back(store.take(group));
}

const Instruction &TracedLaunch::getInstruction(const WaveTrace &trace, uint32_t position) const {
  for (const TraceRun &run : trace.runs) {
    const uint32_t size = run.last - run.first + 1;
    if (position < size)
      return getCode().getInstructions()[run.first + position];
    position -= size;
  }
  ADD_FAILURE() << "the trace has no instruction " << position;
  return getCode().getInstructions().front();
}

llvm::StringRef TracedLaunch::getText(const WaveTrace &trace, uint32_t position) const {
  return getCode().getText(&getInstruction(trace, position)).ltrim();
}

unsigned TracedLaunch::count(const WaveTrace &trace, llvm::StringRef mnemonic) const {
  unsigned result = 0;
  for (const TraceRun &run : trace.runs)
    for (uint32_t i = run.first; i <= run.last; ++i)
      result += getCode().getText(&getCode().getInstructions()[i]).ltrim().starts_with(mnemonic);
  return result;
}
