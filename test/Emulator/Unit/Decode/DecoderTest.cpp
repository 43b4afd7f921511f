//===- DecoderTest.cpp - Machine code to decoded instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decoding keeps of an instruction, and malformed code and metadata, some of which crash the
// readers that LLVM offers.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/Decoder.h"
#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Load/KernelDescriptor.h"
#include "gtest/gtest.h"
#include <random>

using namespace ckemu;

static DecodedCode decode(const std::vector<uint32_t> &dwords, const char *chip = "gfx942") {
  CodeSection section;
  section.offset = 0x100;
  section.bytes = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(dwords.data()),
                                 dwords.size() * sizeof(dwords[0]));
  llvm::Expected<DecodedCode> code =
      decodeCode(section, **getChipModel(chip), getInstructionTable((*getChipModel(chip))->isa));
  if (!code) {
    ADD_FAILURE() << llvm::toString(code.takeError());
    return DecodedCode();
  }
  return std::move(*code);
}

TEST(Decoder, InstructionsAreInAddressOrder) {
  // v_add_u32_e32 v18, 0x1000, v18; s_cbranch_scc0 -3; s_endpgm
  DecodedCode code = decode({0x682424ff, 0x00001000, 0xbf84fffd, 0xbf810000});
  ASSERT_EQ(code.getInstructions().size(), 4u) << "three and the sentinel";
  const Instruction &add = code.getInstructions()[0];
  EXPECT_EQ(code.getText(&add), "v_add_u32_e32 v18, 0x1000, v18");
  EXPECT_EQ(add.size, 8);
  EXPECT_EQ(add.op(1).value, 0x1000u);
  EXPECT_EQ(code.find(0x100), &add);
  EXPECT_EQ(code.find(0x104), nullptr) << "the literal is no instruction";
  EXPECT_EQ(code.getInstructions()[1].target, &add);
  EXPECT_EQ(code.getDecodeError(&code.getInstructions()[2]), "");
  EXPECT_EQ(code.getDecodeError(&code.getInstructions()[3]),
            "execution ran past the end of the code");
}

TEST(Decoder, BranchOutOfTheCode) {
  DecodedCode code = decode({0xbf820100});
  EXPECT_EQ(code.getDecodeError(&code.getInstructions()[0]),
            "branch target is no instruction of the code object");
}

TEST(Decoder, EncodingsThatCrashLlvmAreErrors) {
  const std::vector<std::vector<uint32_t>> encodings = {
      {0xd2080054, 0x0021ff42}, // VOP3, source 1
      {0xd1cc5dc3, 0x13fc3056}, // VOP3, source 2
      {0xe8cf4a45, 0xffbb0c15}, // MTBUF, soffset
      {0xe130a42e, 0xff78e447}, // MUBUF, soffset
      {0x682424ff},             // VOP2 at the end of the code
      {0x93feff1e},             // SOP2 at the end of the code
      {0xd0ea00ff, 0x00021006}, // VOPC in VOP3, destination
      {0x680a0af9, 0x06000704}  // SDWA, destination selection 7
  };
  for (const std::vector<uint32_t> &dwords : encodings) {
    DecodedCode code = decode(dwords);
    EXPECT_NE(code.getDecodeError(&code.getInstructions()[0]).find("cannot decode the instruction"),
              llvm::StringRef::npos);
  }
}

TEST(Decoder, Gfx12EncodingsThatCrashLlvmAreErrors) {
  for (uint32_t encoding : {0xbe804effu, 0xbe804fffu, 0xbead50ffu, 0xbec551ffu, 0xbeb452ffu}) {
    DecodedCode code = decode({encoding, 0xef2362ff}, "gfx1201");
    EXPECT_NE(code.getDecodeError(&code.getInstructions()[0]).find("cannot decode the instruction"),
              llvm::StringRef::npos);
  }
}

/// 0xff is the number that LLVM 22 keeps for a literal that comes later.
TEST(Decoder, LiteralOfFusedMultiplyAdd) {
  struct Case {
    const char *chip;
    uint32_t encoding;
    const char *text;
  };
  const Case cases[] = {{"gfx90a", 0x2e020701, "v_madmk_f32 v1, v1, 0xff, v3"},
                        {"gfx90a", 0x30020701, "v_madak_f32 v1, v1, v3, 0xff"},
                        {"gfx942", 0x48020701, "v_madmk_f16 v1, v1, 0xff, v3"},
                        {"gfx950", 0x4a020701, "v_madak_f16 v1, v1, v3, 0xff"},
                        {"gfx1100", 0x58020701, "v_fmamk_f32 v1, v1, 0xff, v3"},
                        {"gfx1100", 0x580206ff, "v_fmamk_f32 v1, 0xff, 0xff, v3"},
                        {"gfx1100", 0x5a020701, "v_fmaak_f32 v1, v1, v3, 0xff"},
                        {"gfx1201", 0x6e020701, "v_fmamk_f16 v1.l, v1.l, 0xff, v3.l"},
                        {"gfx1201", 0x70020701, "v_fmaak_f16 v1.l, v1.l, v3.l, 0xff"}};
  for (const Case &c : cases) {
    SCOPED_TRACE(std::string(c.chip) + " " + c.text);
    DecodedCode code = decode({c.encoding, 0xff}, c.chip);
    const Instruction &inst = code.getInstructions()[0];
    EXPECT_EQ(code.getText(&inst), c.text);
    EXPECT_EQ(inst.size, 8);
    bool hasLiteral = false;
    for (const Operand &op : inst.operands)
      hasLiteral |= op.isConstant() && op.value == 0xff;
    EXPECT_TRUE(hasLiteral);
  }
}

/// Random bytes with many literals, sub-dword and lane-movement forms among the first sources.
TEST(Decoder, RandomBytesAreInstructionsOrErrors) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    std::mt19937 random(1);
    std::vector<uint32_t> dwords(60000);
    for (uint32_t &dword : dwords) {
      static constexpr uint32_t sources[] = {0xff, 0xfe, 0xf9, 0xfa, 0xe9, 0xea};
      dword = uint32_t(random());
      if (random() % 2)
        dword = (dword & ~0x1ffu) | sources[random() % 6];
      if (random() % 4 == 0)
        dword = (dword & 0x00ffffff) | 0xbe000000;
      if (random() % 4 == 0)
        dword &= 0xff; // small numbers, as literals behind the instruction before
    }
    DecodedCode code = decode(dwords, chip);
    size_t decoded = 0;
    for (const Instruction &inst : code.getInstructions())
      decoded += code.getDecodeError(&inst).empty();
    EXPECT_GT(decoded, 1000u) << chip;
  }
}

/// Two functions, of which the first ends before the filling, and a third that the second runs
/// into.
TEST(CodeRegions, EndWhereControlDoes) {
  const uint32_t move = 0x7e000280, endProgram = 0xbf810000, nop = 0xbf800000;
  const std::vector<uint32_t> dwords = {move, endProgram, nop, move, move, endProgram};
  CodeSection section;
  section.offset = 0x100;
  section.bytes = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(dwords.data()), 24);
  const CodeRegions regions({section}, {0x100, 0x10c, 0x110, 0x118}, {0x110, 0x400}, Isa::Gfx942);
  EXPECT_EQ(regions.getRegion(0x104).offset, 0x100u);
  EXPECT_EQ(regions.getRegion(0x104).getEnd(), 0x10cu);
  EXPECT_EQ(regions.getRegion(0x10c).offset, 0x10cu);
  EXPECT_EQ(regions.getRegion(0x10c).getEnd(), 0x118u);
  EXPECT_TRUE(regions.contains(0x114));
  EXPECT_FALSE(regions.contains(0x118));
  EXPECT_EQ(regions.getTakenAddresses(), llvm::ArrayRef<uint64_t>({0x110}))
      << "what data point to, when it is code";
}

/// A call forwards, with a literal that counts from behind s_getpc_b64.
TEST(CodeRegions, TargetsOfAddedLiterals) {
  for (auto [isa, getPc] :
       {std::pair(Isa::Gfx90a, 0xbe841c00u), std::pair(Isa::Gfx12, 0xbe844700u)}) {
    // s_getpc_b64 s[4:5]; s_add_u32 s4, s4, 0x18; s_addc_u32 s5, s5, 0; s_nop; ...
    const std::vector<uint32_t> dwords = {getPc,      0x8004ff04, 0x18,
                                          0x82058005, 0xbf800000, 0xbf800000,
                                          0xbf800000, 0xbf800000, 0xbf800000};
    CodeSection section;
    section.bytes = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(dwords.data()), 36);
    const CodeRegions regions({section}, {0, 0x1c}, {}, isa);
    EXPECT_EQ(regions.getTargets(0), (std::vector<uint64_t>{0x1c, 0x20}));
    EXPECT_EQ(regions.getTakenAddresses(), llvm::ArrayRef<uint64_t>({0x1c, 0x20}));
  }
}

TEST(Decoder, UnknownProcessor) {
  ChipModel chip = **getChipModel("gfx942");
  chip.name = "gfx9999";
  llvm::Expected<DecodedCode> code = decodeCode({}, chip, getInstructionTable(chip.isa));
  ASSERT_FALSE(bool(code));
  EXPECT_EQ(llvm::toString(code.takeError()), "unknown processor 'gfx9999'");
}

TEST(KernelMetadata, Malformed) {
  const std::string documents[] = {"",
                                   "\xc1",
                                   std::string("\x81\x80\x00", 3), // a map as a key
                                   "\x91\x01",
                                   "\xdf\xff\xff\xff\xff",
                                   std::string(100, '\x91')};
  for (const std::string &document : documents) {
    auto kernels = parseKernelMetadata(document);
    if (kernels)
      EXPECT_TRUE(kernels->empty());
    else
      EXPECT_FALSE(llvm::toString(kernels.takeError()).empty());
  }
}
