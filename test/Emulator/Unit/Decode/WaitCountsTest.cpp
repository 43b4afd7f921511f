//===- WaitCountsTest.cpp - What waves wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words are those that LLVM's assembler makes of the text beside them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/WaitCounts.h"
#include "Emulator/Decode/Decoder.h"
#include "Emulator/Isa/InstructionTables.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ckemu;
using testing::ElementsAre;

static constexpr unsigned kAny = WaitCounts::kAny;

/// Limits of loads, stores, LDS and scalar loads of the wait `dword`.
static std::vector<unsigned> decode(llvm::StringRef chipName, uint32_t dword,
                                    llvm::StringRef text) {
  const ChipModel &chip = **getChipModel(chipName);
  CodeSection section;
  section.offset = 0x100;
  section.bytes = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&dword), sizeof(dword));
  const DecodedCode code = llvm::cantFail(decodeCode(section, chip, getInstructionTable(chip.isa)));
  const Instruction &inst = code.getInstructions()[0];
  EXPECT_EQ(code.getText(&inst).trim(), text);
  const WaitCounts counts = decodeWait(inst, chip);
  return {counts.loads, counts.stores, counts.lds, counts.scalar};
}

TEST(WaitCounts, OfCdnaHaveOneCounterForLoadsAndStores) {
  EXPECT_THAT(decode("gfx942", 0xbf8c4374, "s_waitcnt vmcnt(20) lgkmcnt(3)"),
              ElementsAre(20, 20, 3, 3));
  EXPECT_THAT(decode("gfx90a", 0xbf8cc07f, "s_waitcnt lgkmcnt(0)"), ElementsAre(kAny, kAny, 0, 0));
}

TEST(WaitCounts, OfGfx11HaveOneForStores) {
  EXPECT_THAT(decode("gfx1100", 0xbf895037, "s_waitcnt vmcnt(20) lgkmcnt(3)"),
              ElementsAre(20, kAny, 3, 3));
  EXPECT_THAT(decode("gfx1100", 0xbc7c0003, "s_waitcnt_vscnt null, 0x3"),
              ElementsAre(kAny, 3, kAny, kAny));
  EXPECT_THAT(decode("gfx1100", 0xbf8a0000, "s_wait_idle"), ElementsAre(0, 0, 0, 0));
}

TEST(WaitCounts, OfGfx12AreInstructionsOfTheirOwn) {
  EXPECT_THAT(decode("gfx1201", 0xbfc00005, "s_wait_loadcnt 0x5"),
              ElementsAre(5, kAny, kAny, kAny));
  EXPECT_THAT(decode("gfx1201", 0xbfc10002, "s_wait_storecnt 0x2"),
              ElementsAre(kAny, 2, kAny, kAny));
  EXPECT_THAT(decode("gfx1201", 0xbfc60001, "s_wait_dscnt 0x1"), ElementsAre(kAny, kAny, 1, kAny));
  EXPECT_THAT(decode("gfx1201", 0xbfc70000, "s_wait_kmcnt 0x0"), ElementsAre(kAny, kAny, kAny, 0));
  EXPECT_THAT(decode("gfx1201", 0xbfc80503, "s_wait_loadcnt_dscnt 0x503"),
              ElementsAre(5, kAny, 3, kAny));
  EXPECT_THAT(decode("gfx1201", 0xbfc90503, "s_wait_storecnt_dscnt 0x503"),
              ElementsAre(kAny, 5, 3, kAny));
  EXPECT_THAT(decode("gfx1201", 0xbfc40000, "s_wait_expcnt 0x0"),
              ElementsAre(kAny, kAny, kAny, kAny))
      << "nothing that the emulator counts";
}
