//===- OperandParserTest.cpp - The text of an instruction to operands -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms that LLVM's printer uses, and the ones it must not be understood as.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/OperandParser.h"
#include "gtest/gtest.h"

using namespace ckemu;

static Instruction parse(llvm::StringRef text, SourceType type = SourceType::B32) {
  static ConstantPool constants;
  Instruction inst;
  if (llvm::Error error = parseOperands(text, type, constants, inst))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return inst;
}

static std::string parseError(llvm::StringRef text) {
  ConstantPool constants;
  Instruction inst;
  return llvm::toString(parseOperands(text, SourceType::B32, constants, inst));
}

TEST(OperandParser, Registers) {
  Instruction inst = parse("v[2:17], a4, s[0:3], vcc, exec_hi, m0");
  ASSERT_EQ(inst.numOperands, 6);
  EXPECT_EQ(inst.op(0).kind, OperandKind::Vgpr);
  EXPECT_EQ(inst.op(0).index, 2u);
  EXPECT_EQ(inst.op(0).count, 16);
  EXPECT_EQ(inst.op(1).kind, OperandKind::Agpr);
  EXPECT_EQ(inst.op(2).count, 4);
  EXPECT_EQ(inst.op(3).index, unsigned(kVcc));
  EXPECT_EQ(inst.op(3).count, 2);
  EXPECT_EQ(inst.op(4).index, unsigned(kExec + 1));
  EXPECT_EQ(inst.op(5).index, unsigned(kM0));
}

TEST(OperandParser, ConstantsFollowTheSourceType) {
  EXPECT_EQ(parse("1.0").op(0).value, 0x3f800000u);
  EXPECT_EQ(parse("1.0", SourceType::F16).op(0).value, 0x3c00u);
  EXPECT_EQ(parse("-2.0", SourceType::F64).op(0).value, 0xc000000000000000u);
  EXPECT_EQ(parse("0x40100000", SourceType::F64).op(0).value, 0x4010000000000000u);
  EXPECT_EQ(parse("0x80000000", SourceType::B64).op(0).value, 0x80000000u);
  EXPECT_EQ(parse("-1", SourceType::B64).op(0).value, ~0ull);
  EXPECT_EQ(parse("0.15915494").op(0).value, 0x3e22f983u);
  EXPECT_EQ(parse("-16").op(0).flags, 0);
}

TEST(OperandParser, SourceModifiers) {
  Instruction inst = parse("v0, -v1, |v2|, -|s3|, neg(v4), sext(v5)");
  EXPECT_EQ(inst.op(0).flags, 0);
  EXPECT_EQ(inst.op(1).flags, kOperandNeg);
  EXPECT_EQ(inst.op(2).flags, kOperandAbs);
  EXPECT_EQ(inst.op(3).flags, kOperandNeg | kOperandAbs);
  EXPECT_EQ(inst.op(4).flags, kOperandNeg);
  EXPECT_EQ(inst.op(5).flags, kOperandSext);
  EXPECT_TRUE(inst.has(Modifier::SourceNeg) && inst.has(Modifier::SourceAbs) &&
              inst.has(Modifier::SourceSext));
}

TEST(OperandParser, Modifiers) {
  Instruction inst = parse("v[0:3], v8, s[0:3], 0 offen offset:16 sc0 nt");
  EXPECT_EQ(inst.numOperands, 4);
  EXPECT_EQ(inst.mods.offset, 16);
  EXPECT_EQ(inst.mods.present,
            modifiers(Modifier::Offen, Modifier::Offset, Modifier::Sc0, Modifier::Nt));
  EXPECT_EQ(parse("v0, v[2:3], off offset:-4096").mods.offset, -4096);
  inst = parse("v0, v1, v2 op_sel:[0,1] op_sel_hi:[1,0] clamp mul:2");
  EXPECT_EQ(inst.mods.opSel, 2);
  EXPECT_EQ(inst.mods.opSelHi, 1);
  EXPECT_EQ(inst.mods.omod, Omod::Mul2);
  inst = parse("v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0x3 bound_ctrl:1");
  EXPECT_EQ(inst.mods.dppControl, DppControl::QuadPerm);
  EXPECT_EQ(inst.mods.dppArgument, 3 | 2 << 2 | 1 << 4);
  EXPECT_EQ(inst.mods.bankMask, 3);
  inst = parse("v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1");
  EXPECT_EQ(inst.mods.dstSel, SdwaSel::Byte1);
  EXPECT_EQ(inst.mods.dstUnused, SdwaUnused::Preserve);
  EXPECT_EQ(inst.mods.src0Sel, SdwaSel::Word1);
}

TEST(OperandParser, NothingIsSkipped) {
  EXPECT_EQ(parseError("v0, q1"), "unknown operand 'q1'");
  EXPECT_EQ(parseError("v0, v256"), "unknown operand 'v256'");
  EXPECT_EQ(parseError("v0, v[3:1]"), "unknown operand 'v[3:1]'");
  EXPECT_EQ(parseError("v0, v1 wobble:3"), "unknown modifier 'wobble:3'");
  EXPECT_EQ(parseError("v0, v1 op_sel:[0,2]"), "unknown modifier 'op_sel:[0,2]'");
  EXPECT_EQ(parseError("v0, v1, v2, v3, v4, v5, v6"), "expected at most 6 operands, got more");
}

TEST(OperandParser, Mnemonics) {
  llvm::StringRef mnemonic, rest;
  EXPECT_EQ(splitMnemonic("v_add_f32_e32 v0, v1, v2", mnemonic, rest), Encoding::E32);
  EXPECT_EQ(mnemonic, "v_add_f32");
  EXPECT_EQ(rest, "v0, v1, v2");
  EXPECT_EQ(splitMnemonic("s_endpgm", mnemonic, rest), Encoding::Default);
  EXPECT_EQ(mnemonic, "s_endpgm");
  EXPECT_TRUE(rest.empty());
}
