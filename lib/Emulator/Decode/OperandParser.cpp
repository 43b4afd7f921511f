//===- OperandParser.cpp - The text of an instruction to operands -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are separated by commas, modifiers follow the last operand separated by blanks; commas
// inside brackets and parentheses belong to the item.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/OperandParser.h"
#include "Emulator/Decode/AddressMap.h"
#include "Emulator/Decode/ModifierParser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace ckemu;
using llvm::StringRef;

uint32_t ConstantPool::getIndex(uint64_t value) {
  // ~0 and ~0 - 1 are the marker keys of DenseMap.
  uint32_t *slot = nullptr;
  if (value == ~0ull)
    slot = &allOnes;
  else if (value == ~0ull - 1)
    slot = &allOnesLess1;
  else
    slot = &indices.try_emplace(value, ~0u).first->second;
  if (*slot != ~0u)
    return *slot;
  *slot = uint32_t(pool.size());
  pool.resize(pool.size() + 2);
  broadcast(uint32_t(value), pool[*slot]);
  broadcast(uint32_t(value >> 32), pool[*slot + 1]);
  return *slot;
}

Encoding ckemu::splitMnemonic(StringRef text, StringRef &mnemonic, StringRef &rest) {
  text = text.trim();
  size_t blank = text.find_first_of(" \t");
  mnemonic = text.substr(0, blank);
  rest = blank == StringRef::npos ? StringRef() : text.substr(blank).trim();
  if (mnemonic.consume_back("_e32"))
    return Encoding::E32;
  if (mnemonic.consume_back("_e64"))
    return Encoding::E64;
  if (mnemonic.consume_back("_sdwa"))
    return Encoding::Sdwa;
  if (mnemonic.consume_back("_dpp")) {
    mnemonic.consume_back("_e64"); // VOP3 of gfx11 and gfx12
    return Encoding::Dpp;
  }
  return Encoding::Default;
}

/// Splits at `separator` outside of brackets, parentheses and bars.
static llvm::SmallVector<StringRef, 8> splitOutside(StringRef text, char separator) {
  llvm::SmallVector<StringRef, 8> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '[' || c == '(')
      ++depth;
    else if (c == ']' || c == ')')
      --depth;
    else if (c == separator && depth == 0) {
      parts.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin).trim());
  return parts;
}

/// Named scalar registers: slot and number of dwords.
static std::optional<std::pair<uint16_t, uint8_t>> findNamedScalar(StringRef name) {
  using Slot = std::pair<uint16_t, uint8_t>;
  return llvm::StringSwitch<std::optional<Slot>>(name)
      .Case("vcc", Slot(kVcc, 2))
      .Case("vcc_lo", Slot(kVcc, 1))
      .Case("vcc_hi", Slot(kVcc + 1, 1))
      .Case("exec", Slot(kExec, 2))
      .Case("exec_lo", Slot(kExec, 1))
      .Case("exec_hi", Slot(kExec + 1, 1))
      .Case("m0", Slot(kM0, 1))
      .Case("null", Slot(kNull, 2))
      .Cases({"scc", "src_scc"}, Slot(kScc, 1))
      .Case("flat_scratch", Slot(kFlatScratch, 2))
      .Case("flat_scratch_lo", Slot(kFlatScratch, 1))
      .Case("flat_scratch_hi", Slot(kFlatScratch + 1, 1))
      .Case("xnack_mask", Slot(kXnackMask, 2))
      .Case("xnack_mask_lo", Slot(kXnackMask, 1))
      .Case("xnack_mask_hi", Slot(kXnackMask + 1, 1))
      .Default(std::nullopt);
}

/// "v3", "v[0:3]", "v3.h", "s7", "a[4:7]", "ttmp5": sets kind, index, count and what half.
static bool parseRegister(StringRef text, Operand &op) {
  if (auto named = findNamedScalar(text)) {
    op.kind = OperandKind::Sgpr;
    op.index = named->first;
    op.count = named->second;
    return true;
  }
  unsigned base = 0, limit = 256;
  if (text.consume_front("ttmp")) {
    op.kind = OperandKind::Sgpr;
    base = kTtmp;
    limit = 16;
  } else if (text.consume_front("v")) {
    op.kind = OperandKind::Vgpr;
    if (text.consume_back(".l"))
      op.flags |= kOperandHalf;
    else if (text.consume_back(".h"))
      op.flags |= kOperandHalf | kOperandHigh;
  } else if (text.consume_front("a")) {
    op.kind = OperandKind::Agpr;
  } else if (text.consume_front("s")) {
    op.kind = OperandKind::Sgpr;
    limit = 106;
  } else {
    return false;
  }
  unsigned first = 0, last = 0;
  if (text.consume_front("[")) {
    if (!text.consume_back("]"))
      return false;
    auto [low, high] = text.split(':');
    if (low.getAsInteger(10, first))
      return false;
    if (high.empty())
      last = first;
    else if (high.getAsInteger(10, last))
      return false;
  } else {
    if (text.getAsInteger(10, first))
      return false;
    last = first;
  }
  if (last < first || last >= limit)
    return false;
  op.index = base + first;
  op.count = uint8_t(last - first + 1);
  return true;
}

/// The bits of an inline float.
static uint64_t convertFloat(double value, SourceType type) {
  llvm::APFloat number(value);
  bool lost = false;
  switch (type) {
  case SourceType::F16:
    number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lost);
    break;
  case SourceType::B32:
    number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
    break;
  case SourceType::B64:
  case SourceType::F64:
    break;
  }
  return number.bitcastToAPInt().getZExtValue();
}

static bool parseAperture(StringRef text, uint64_t &value) {
  constexpr uint64_t kLow = 0xffffffffu;
  auto found = llvm::StringSwitch<std::optional<uint64_t>>(text)
                   .Case("src_shared_base", kSharedApertureBase)
                   .Case("src_shared_limit", kSharedApertureBase | kLow)
                   .Case("src_private_base", kPrivateApertureBase)
                   .Case("src_private_limit", kPrivateApertureBase | kLow)
                   .Default(std::nullopt);
  value = found.value_or(0);
  return found.has_value();
}

/// Integers, hexadecimal literals, inline floats, apertures.
static bool parseConstant(StringRef text, SourceType type, Operand &op) {
  op.kind = OperandKind::Constant;
  op.count = type == SourceType::B64 || type == SourceType::F64 ? 2 : 1;
  if (parseAperture(text, op.value)) {
    op.count = 2;
    return true;
  }
  bool wide = text.consume_front("lit64(");
  if (wide || text.consume_front("lit("))
    if (!text.consume_back(")"))
      return false;
  if (text.starts_with("-0x")) {
    int64_t negative = 0;
    if (text.getAsInteger(0, negative))
      return false;
    op.value = uint64_t(negative);
    return true;
  }
  if (text.starts_with("0x")) {
    if (text.getAsInteger(0, op.value))
      return false;
    if (type == SourceType::F64 && !wide && op.value <= 0xffffffffu)
      op.value <<= 32;
    return true;
  }
  int64_t integer = 0;
  if (!text.getAsInteger(10, integer)) {
    op.value = uint64_t(integer);
    return true;
  }
  double number = 0;
  if (text.getAsDouble(number, /*AllowInexact=*/true))
    return false;
  op.value = convertFloat(number, type);
  return true;
}

/// Takes -x, |x|, neg(x), abs(x), sext(x) off `text`.
static StringRef stripSourceModifiers(StringRef text, uint8_t &flags) {
  auto isNumber = [](StringRef s) { return !s.empty() && (llvm::isDigit(s[0]) || s[0] == '.'); };
  if (text.starts_with("-") && !isNumber(text.drop_front())) {
    flags |= kOperandNeg;
    text = text.drop_front();
  } else if (text.starts_with("neg(") && text.ends_with(")")) {
    flags |= kOperandNeg;
    text = text.drop_front(4).drop_back();
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    flags |= kOperandAbs;
    text = text.drop_front().drop_back();
  } else if (text.starts_with("abs(") && text.ends_with(")")) {
    flags |= kOperandAbs;
    text = text.drop_front(4).drop_back();
  }
  if (text.starts_with("sext(") && text.ends_with(")")) {
    flags |= kOperandSext;
    text = text.drop_front(5).drop_back();
  }
  return text;
}

static llvm::Error parseOperand(StringRef text, SourceType type, ConstantPool &constants,
                                Instruction &inst) {
  if (inst.numOperands == kMaxOperands)
    return llvm::createStringError("expected at most %u operands, got more", kMaxOperands);
  Operand &op = inst.operands[inst.numOperands++];
  op = Operand();
  if (text == "off") {
    op.kind = OperandKind::Off;
    return llvm::Error::success();
  }
  if (text.starts_with("hwreg(")) {
    op.kind = OperandKind::Constant;
    op.count = 1;
    op.value = uint16_t(inst.simm16());
  } else if (text.starts_with("gpr_idx(")) { // s_set_gpr_idx_on: the second source's field
    op.kind = OperandKind::Constant;
    op.count = 1;
    op.value = inst.encoding[0] >> 8 & 0xff;
  } else {
    StringRef name = stripSourceModifiers(text, op.flags);
    if (!parseRegister(name, op) && !parseConstant(name, type, op))
      return llvm::createStringError("unknown operand '" + text + "'");
  }
  if (op.kind == OperandKind::Constant)
    op.index = constants.getIndex(op.value);
  if (op.flags & kOperandNeg)
    inst.mods.present |= modifierBit(Modifier::SourceNeg);
  if (op.flags & kOperandAbs)
    inst.mods.present |= modifierBit(Modifier::SourceAbs);
  if (op.flags & kOperandSext)
    inst.mods.present |= modifierBit(Modifier::SourceSext);
  if (op.flags & kOperandHalf)
    inst.mods.present |= modifierBit(Modifier::Half);
  return llvm::Error::success();
}

llvm::Error ckemu::parseOperands(StringRef rest, SourceType type, ConstantPool &constants,
                                 Instruction &inst) {
  if (rest.empty())
    return llvm::Error::success();
  llvm::SmallVector<StringRef, 8> items = splitOutside(rest, ',');
  for (StringRef item : items) {
    // Modifiers follow the last operand; some printers separate them by a comma as well.
    for (auto [number, word] : llvm::enumerate(splitOutside(item, ' '))) {
      if (word.empty())
        continue;
      if (word.starts_with("offset:swizzle(")) { // DS encodings hold the pattern as the offset
        inst.mods.offset = inst.encoding[0] & 0xffff;
        inst.mods.present |= modifierBit(Modifier::Offset);
        continue;
      }
      if (parseModifier(word, inst.mods))
        continue;
      if (number > 0)
        return llvm::createStringError("unknown modifier '" + word + "'");
      if (llvm::Error error = parseOperand(word, type, constants, inst))
        return error;
    }
  }
  return llvm::Error::success();
}
