//===- MemoryWave.cpp - Runs assembly with memory on the waves of a workgroup -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemoryWave.h.
//
//===----------------------------------------------------------------------===//

#include "MemoryWave.h"
#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/InitialState.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ckemu;
using namespace ckemu::test;

MemoryWave::MemoryWave(const std::string &chip, unsigned numWaves)
    : chip(chip), registers(512 * numWaves), codes(numWaves) {
  const ChipModel &model = **getChipModel(chip);
  options.chip = &model;
  options.checks.uninitialized = options.checks.races = false; // the tests write from outside
  options.checks.barriers = false;                             // and end waves
  auto file = llvm::MemoryBuffer::getFile(CK_EMPTY_KERNEL_FOLDER "/Empty.O1." + chip + ".hsaco");
  EXPECT_TRUE(bool(file)) << "no code object for " << chip;
  auto loaded =
      CodeObject::load((*file)->getBuffer(), model, getInstructionTable(model.isa), table);
  EXPECT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  object = std::move(*loaded);
  auto allocated = table.allocate(kBytes, "device allocation", /*host=*/false, 1 << 20);
  EXPECT_TRUE(bool(allocated)) << llvm::toString(allocated.takeError());
  address = *allocated;
  for (unsigned i = 0; i < kBytes; ++i)
    memory()[i] = byteAt(i);
  LaunchShape shape;
  shape.groupSize[0] = numWaves * model.waveSize;
  shape.dynamicLds = kLdsBytes;
  launch = std::make_unique<LaunchContext>(*object, *object->findKernel("empty"), shape, options,
                                           table.getSnapshot());
  launch->privateBytes = kPrivateBytes;
  initializeWorkgroup(group, *launch, 0);
  for (unsigned i = 0; i < numWaves; ++i) {
    Wave &each = group.waves[i];
    std::memset(each.sgpr, 0, sizeof(uint32_t) * kSgprCount);
    each.vgprs = &registers[512 * i];
    each.agprs = &registers[512 * i + 256];
    each.numVgprs = each.numAgprs = 256;
    each.mode = 0x3f0;
  }
  for (unsigned i = 0; i < kLdsBytes; ++i)
    wave().lds[i] = byteAt(i);
}

/// Runs to the sentinel, a barrier or a fault. Faults are failures of the test.
void MemoryWave::step(Wave &wave, const Instruction *inst) {
  const unsigned index = wave.waveInGroup;
  const Instruction *end = &codes[index]->getInstructions().back();
  wave.applyMode();
  while (inst != end) {
    const llvm::StringRef error = codes[index]->getDecodeError(inst);
    ASSERT_TRUE(error.empty()) << codes[index]->getText(inst).str() << ": " << error.str();
    const Instruction *next = inst->handler(wave, inst);
    ASSERT_NE(wave.state, WaveState::Faulted) << launch->getFault().message;
    if (!next)
      return;
    inst = next;
  }
  wave.pc = nullptr;
}

void MemoryWave::run(const std::string &source, unsigned index) {
  const std::vector<uint8_t> bytes = assemble(source, chip);
  CodeSection section;
  section.bytes = bytes;
  llvm::Expected<DecodedCode> code =
      decodeCode(section, **getChipModel(chip), getInstructionTable((*getChipModel(chip))->isa));
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  codes[index] = std::make_unique<DecodedCode>(std::move(*code));
  group.waves[index].constants = codes[index]->getConstants();
  step(group.waves[index], codes[index]->getInstructions().begin());
}

void MemoryWave::resume(unsigned index) {
  ASSERT_EQ(group.waves[index].state, WaveState::Running);
  step(group.waves[index], group.waves[index].pc);
}
