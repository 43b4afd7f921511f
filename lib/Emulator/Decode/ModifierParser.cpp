//===- ModifierParser.cpp - Modifiers in the text of an instruction -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names follow LLVM's AMDGPU modifier syntax (AMDGPUModifierSyntax in LLVM's documentation).
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/ModifierParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace ckemu;
using llvm::StringRef;

static std::optional<Modifier> findFlag(StringRef word) {
  return llvm::StringSwitch<std::optional<Modifier>>(word)
      .Case("offen", Modifier::Offen)
      .Case("idxen", Modifier::Idxen)
      .Case("sc0", Modifier::Sc0)
      .Case("sc1", Modifier::Sc1)
      .Case("nt", Modifier::Nt)
      .Case("glc", Modifier::Glc)
      .Case("slc", Modifier::Slc)
      .Case("dlc", Modifier::Dlc)
      .Case("scc", Modifier::Scc)
      .Case("lds", Modifier::Lds)
      .Case("gds", Modifier::Gds)
      .Case("tfe", Modifier::Tfe)
      .Case("clamp", Modifier::Clamp)
      .Default(std::nullopt);
}

/// "[1,0,1]" to bits 0b101; elements are 0 or 1.
static bool parseBits(StringRef text, uint8_t &bits) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  bits = 0;
  unsigned position = 0;
  for (StringRef element : llvm::split(text, ',')) {
    element = element.trim();
    if ((element != "0" && element != "1") || position == 8)
      return false;
    bits |= uint8_t(element == "1") << position++;
  }
  return true;
}

/// A permutation of 2^bits lanes, `bits` bits for each of them: quad_perm, dpp8.
template <typename T>
static bool parsePermutation(StringRef text, unsigned bits, T &argument) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  argument = 0;
  const unsigned lanes = 1u << bits;
  unsigned position = 0;
  for (StringRef element : llvm::split(text, ',')) {
    unsigned lane = 0;
    if (element.trim().getAsInteger(10, lane) || lane >= lanes || position == lanes)
      return false;
    argument |= T(lane << bits * position++);
  }
  return position == lanes;
}

static std::optional<SdwaSel> findSel(StringRef text) {
  return llvm::StringSwitch<std::optional<SdwaSel>>(text)
      .Case("BYTE_0", SdwaSel::Byte0)
      .Case("BYTE_1", SdwaSel::Byte1)
      .Case("BYTE_2", SdwaSel::Byte2)
      .Case("BYTE_3", SdwaSel::Byte3)
      .Case("WORD_0", SdwaSel::Word0)
      .Case("WORD_1", SdwaSel::Word1)
      .Case("DWORD", SdwaSel::Dword)
      .Default(std::nullopt);
}

static bool parseSdwa(StringRef name, StringRef value, Modifiers &mods) {
  if (name == "dst_unused") {
    auto unused = llvm::StringSwitch<std::optional<SdwaUnused>>(value)
                      .Case("UNUSED_PAD", SdwaUnused::Pad)
                      .Case("UNUSED_SEXT", SdwaUnused::Sext)
                      .Case("UNUSED_PRESERVE", SdwaUnused::Preserve)
                      .Default(std::nullopt);
    if (!unused)
      return false;
    mods.dstUnused = *unused;
    mods.present |= modifierBit(Modifier::DstUnused);
    return true;
  }
  unsigned byte = 0;
  if (name == "byte_sel" && !value.getAsInteger(10, byte) && byte < 4) {
    mods.src0Sel = SdwaSel(byte);
    mods.present |= modifierBit(Modifier::ByteSel);
    return true;
  }
  std::optional<SdwaSel> sel = findSel(value);
  if (!sel)
    return false;
  auto set = [&](SdwaSel &field, Modifier bit) {
    field = *sel;
    mods.present |= modifierBit(bit);
    return true;
  };
  if (name == "dst_sel")
    return set(mods.dstSel, Modifier::DstSel);
  if (name == "src0_sel")
    return set(mods.src0Sel, Modifier::Src0Sel);
  if (name == "src1_sel")
    return set(mods.src1Sel, Modifier::Src1Sel);
  return false;
}

static DppControl findDpp(StringRef name) {
  return llvm::StringSwitch<DppControl>(name)
      .Case("row_shl", DppControl::RowShl)
      .Case("row_shr", DppControl::RowShr)
      .Case("row_ror", DppControl::RowRor)
      .Case("wave_shl", DppControl::WaveShl)
      .Case("wave_rol", DppControl::WaveRol)
      .Case("wave_shr", DppControl::WaveShr)
      .Case("wave_ror", DppControl::WaveRor)
      .Case("row_mirror", DppControl::RowMirror)
      .Case("row_half_mirror", DppControl::RowHalfMirror)
      .Case("row_bcast", DppControl::RowBcast)
      .Case("row_newbcast", DppControl::RowNewBcast)
      .Case("row_share", DppControl::RowShare)
      .Case("row_xmask", DppControl::RowXmask)
      .Default(DppControl::None);
}

static bool parseDpp(StringRef name, StringRef value, Modifiers &mods) {
  if (name == "quad_perm") {
    mods.dppControl = DppControl::QuadPerm;
    if (!parsePermutation(value, 2, mods.dppArgument))
      return false;
  } else if (name == "dpp8") {
    mods.dppControl = DppControl::Dpp8;
    if (!parsePermutation(value, 3, mods.offset))
      return false;
  } else {
    DppControl control = findDpp(name);
    if (control == DppControl::None)
      return false;
    mods.dppControl = control;
    if (!value.empty() && value.getAsInteger(0, mods.dppArgument))
      return false;
  }
  mods.present |= modifierBit(Modifier::Dpp);
  return true;
}

static bool parseList(StringRef name, StringRef value, Modifiers &mods) {
  auto set = [&](uint8_t &field, Modifier bit) {
    mods.present |= modifierBit(bit);
    return parseBits(value, field);
  };
  if (name == "op_sel")
    return set(mods.opSel, Modifier::OpSel);
  if (name == "op_sel_hi")
    return set(mods.opSelHi, Modifier::OpSelHi);
  if (name == "neg_lo")
    return set(mods.negLo, Modifier::NegLo);
  if (name == "neg_hi")
    return set(mods.negHi, Modifier::NegHi);
  if (name == "neg")
    return set(mods.negLo, Modifier::Neg);
  return false;
}

/// Memory hints of gfx12, `th:TH_ATOMIC_RETURN` and `scope:SCOPE_DEV`, and the format of MTBUF.
static bool parseMemoryHint(StringRef name, StringRef value, Modifiers &mods) {
  if (name == "th" && value.starts_with("TH_")) {
    mods.present |= modifierBit(Modifier::Th);
    if (value.starts_with("TH_ATOMIC_") && value.contains("RETURN"))
      mods.present |= modifierBit(Modifier::Glc);
    return true;
  }
  if (name == "scope") {
    auto scope = llvm::StringSwitch<std::optional<MemoryScope>>(value)
                     .Case("SCOPE_CU", MemoryScope::Unit)
                     .Case("SCOPE_SE", MemoryScope::Engine)
                     .Case("SCOPE_DEV", MemoryScope::Device)
                     .Case("SCOPE_SYS", MemoryScope::System)
                     .Default(std::nullopt);
    mods.scope = scope.value_or(MemoryScope::Unit);
    mods.present |= modifierBit(Modifier::Scope);
    return scope.has_value();
  }
  mods.present |= name == "format" ? modifierBit(Modifier::Format) : 0;
  return name == "format";
}

static bool parseNumber(StringRef name, StringRef value, Modifiers &mods) {
  int32_t number = 0;
  uint32_t unsignedNumber = 0;
  if (value.getAsInteger(0, number)) {
    if (value.getAsInteger(0, unsignedNumber))
      return false;
    number = int32_t(unsignedNumber);
  }
  auto set = [&](auto &field, Modifier bit) {
    field = std::decay_t<decltype(field)>(number);
    mods.present |= modifierBit(bit);
    return int64_t(field) == int64_t(number);
  };
  uint8_t flag = 0;
  if (name == "offset")
    return set(mods.offset, Modifier::Offset);
  if (name == "offset0")
    return set(mods.offset0, Modifier::Offset0);
  if (name == "offset1")
    return set(mods.offset1, Modifier::Offset1);
  if (name == "cbsz")
    return set(mods.cbsz, Modifier::Cbsz);
  if (name == "abid")
    return set(mods.abid, Modifier::Abid);
  if (name == "blgp")
    return set(mods.blgp, Modifier::Blgp);
  if (name == "row_mask")
    return set(mods.rowMask, Modifier::RowMask);
  if (name == "bank_mask")
    return set(mods.bankMask, Modifier::BankMask);
  if (name == "bitop3")
    return set(mods.bitop3, Modifier::BitOp3);
  if (name == "bound_ctrl") // printed as :0 or :1 by chip; either means that it is set
    return set(flag, Modifier::BoundCtrl);
  if (name == "fi")
    return set(flag, Modifier::Fi);
  return false;
}

bool ckemu::parseModifier(StringRef word, Modifiers &mods) {
  if (std::optional<Modifier> flag = findFlag(word)) {
    mods.present |= modifierBit(*flag);
    return true;
  }
  auto omod = llvm::StringSwitch<Omod>(word)
                  .Case("mul:2", Omod::Mul2)
                  .Case("mul:4", Omod::Mul4)
                  .Case("div:2", Omod::Div2)
                  .Default(Omod::None);
  if (omod != Omod::None) {
    mods.omod = omod;
    mods.present |= modifierBit(Modifier::Omod);
    return true;
  }
  auto [name, value] = word.split(':');
  if (value.starts_with("swizzle("))
    return false;
  return parseDpp(name, value, mods) || parseList(name, value, mods) ||
         parseSdwa(name, value, mods) || parseMemoryHint(name, value, mods) ||
         parseNumber(name, value, mods);
}

std::string ckemu::describeModifiers(ModifierSet set) {
  static constexpr llvm::StringLiteral names[] = {"offset",
                                                  "offset0",
                                                  "offset1",
                                                  "offen",
                                                  "idxen",
                                                  "sc0",
                                                  "sc1",
                                                  "nt",
                                                  "glc",
                                                  "slc",
                                                  "dlc",
                                                  "scc",
                                                  "lds",
                                                  "gds",
                                                  "tfe",
                                                  "clamp",
                                                  "omod",
                                                  "op_sel",
                                                  "op_sel_hi",
                                                  "neg_lo",
                                                  "neg_hi",
                                                  "neg",
                                                  "cbsz",
                                                  "abid",
                                                  "blgp",
                                                  "dpp",
                                                  "row_mask",
                                                  "bank_mask",
                                                  "bound_ctrl",
                                                  "fi",
                                                  "dst_sel",
                                                  "dst_unused",
                                                  "src0_sel",
                                                  "src1_sel",
                                                  "byte_sel",
                                                  "bitop3",
                                                  "th",
                                                  "scope",
                                                  "format",
                                                  "-source",
                                                  "|source|",
                                                  "sext(source)",
                                                  "halves of registers"};
  static_assert(std::size(names) == unsigned(Modifier::Half) + 1);
  std::string result;
  for (unsigned i = 0; i < std::size(names); ++i)
    if (set >> i & 1)
      result += (result.empty() ? "" : ", ") + names[i].str();
  return result;
}
