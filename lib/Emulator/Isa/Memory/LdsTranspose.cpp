//===- LdsTranspose.cpp - Transposing reads of LDS and loads into it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx950's ds_read_*_tr_*: 16 lanes together read rows of 16 elements, each lane a part of one row
// at its own address, and each gets one column. With n elements per lane, element j of lane i is
// element i % n of what lane j * 16 / n + i / n read (CDNA4 reference, section 11.4: "each lane
// holds consecutive M or N values"; one instruction covers n rows for each 16 lanes). EXEC must be
// all ones and addresses aligned to the data; those of 96 bits to 128.
//
// Loads into LDS: lane l writes at M0 + the instruction's offset + 4 l, with three and four dwords
// + 16 l, where the fourth is left alone (CDNA4 reference, section 9.1.9). Bytes and words are
// extended to a dword.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/LdsTranspose.h"
#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include <cstring>

using namespace ckemu;

static constexpr unsigned kRowLanes = 16;

/// Element j of `bits` bits of a lane's words.
static uint32_t getElement(const Lanes *rows, unsigned lane, unsigned bits, unsigned j) {
  const unsigned word = j * bits / 32, shift = j * bits % 32;
  const bool splits = shift + bits > 32;
  const uint64_t both = rows[word][lane] | uint64_t(splits ? rows[word + 1][lane] : 0) << 32;
  return uint32_t(both >> shift) & uint32_t((1u << bits) - 1);
}

/// What the lanes get of `rows`.
template <unsigned bits, unsigned words>
static void transpose(const Lanes *rows, Lanes *result) {
  constexpr unsigned elements = 32 * words / bits, lanesOfRow = kRowLanes / elements;
  for (unsigned i = 0; i < words; ++i)
    result[i] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned first = lane - lane % kRowLanes, column = lane % kRowLanes;
    for (unsigned j = 0; j < elements; ++j) {
      const unsigned from = first + j * lanesOfRow + column / elements;
      const uint64_t element = getElement(rows, from, bits, column % elements);
      const unsigned word = j * bits / 32, shift = j * bits % 32;
      result[word][lane] |= uint32_t(element << shift);
      if (shift + bits > 32)
        result[word + 1][lane] |= uint32_t(element << shift >> 32);
    }
  }
}

/// The same of elements that the host has a type for, in 64 bits of each lane: those of 16 lanes,
/// one after the other, are rows of 16, and element j of lane i is element i of row j.
template <typename Element>
static void transposeWhole(const Lanes *rows, Lanes *result) {
  constexpr unsigned perWord = sizeof(uint32_t) / sizeof(Element), perLane = 2 * perWord;
  // Vectors are of lanes.
#pragma clang loop vectorize(disable) unroll(disable)
  for (unsigned first = 0; first < kLanes; first += kRowLanes) {
    uint64_t parts[kRowLanes];
    for (unsigned i = 0; i < kRowLanes; ++i)
      parts[i] = rows[0][first + i] | uint64_t(rows[1][first + i]) << 32;
    Element all[perLane][kRowLanes];
    std::memcpy(all, parts, sizeof(parts));
    for (unsigned word = 0; word < 2; ++word)
#pragma clang loop vectorize(assume_safety)
      for (unsigned i = 0; i < kRowLanes; ++i) {
        uint32_t value = 0;
        for (unsigned j = 0; j < perWord; ++j)
          value |= uint32_t(all[word * perWord + j][i]) << (8 * sizeof(Element) * j);
        result[word][first + i] = value;
      }
  }
}
template <>
void transpose<16, 2>(const Lanes *rows, Lanes *result) {
  transposeWhole<uint16_t>(rows, result);
}
template <>
void transpose<8, 2>(const Lanes *rows, Lanes *result) {
  transposeWhole<uint8_t>(rows, result);
}

template <unsigned bits, unsigned words>
static const Instruction *executeTransposingRead(Wave &wave, const Instruction *inst) {
  constexpr uint32_t alignment = words == 2 ? 8 : 16;
  if (wave.exec() != ~LaneMask(0))
    return wave.fault(inst, "expected all lanes active for a transposing read");
  const Lanes &base = wave.vectorRegister(inst->op(1));
  Lanes offsets, rows[words], result[words];
  uint32_t all = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    offsets[lane] = base[lane] + uint32_t(inst->mods.offset);
    all |= offsets[lane];
  }
  for (unsigned lane = 0; all % alignment && lane < kLanes; ++lane)
    if (offsets[lane] % alignment)
      return wave.fault(inst, "lane " + llvm::Twine(lane) + ": address must be a multiple of " +
                                  llvm::Twine(alignment) + ", got " + llvm::Twine(offsets[lane]));
  if (!loadLds(wave, inst, offsets, wave.exec(), 4 * words, rows))
    return nullptr;
  if (wave.skipsData(inst))
    return inst + 1;
  transpose<bits, words>(rows, result);
  for (unsigned i = 0; i < words; ++i)
    wave.commit(inst->op(0), result[i], i);
  return inst + 1;
}

template <unsigned words>
static llvm::Error checkTransposingRead(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(0), words);
}

/// Two dwords of 8 aligned bytes, each replaced by bits 30 to 0 of the data where bit 31 says so.
static const Instruction *executeConditionalExchange(Wave &wave, const Instruction *inst) {
  const Lanes &base = wave.vectorRegister(inst->op(1));
  const Operand &data = inst->op(2);
  uint32_t old[2][kLanes] = {};
  for (unsigned i = 0; i < 2; ++i) {
    const Lanes values = wave.vectorRegister(data, i);
    Lanes offsets;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      offsets[lane] = ((base[lane] + uint32_t(inst->mods.offset)) & 0xfff8u) + 4 * i;
    auto exchange = [&](uint32_t memory, unsigned lane) {
      return values[lane] >> 31 ? values[lane] & 0x7fffffff : memory;
    };
    if (!updateLds<uint32_t>(wave, inst, offsets, wave.exec(), exchange, old[i]))
      return nullptr;
  }
  for (unsigned i = 0; i < 2; ++i) {
    Lanes result;
    std::memcpy(result.lane, old[i], sizeof(result));
    wave.commit(inst->op(0), result, i);
  }
  return inst + 1;
}

bool ckemu::storeLoadedToLds(Wave &wave, const Instruction *inst, const MemoryFormat &format,
                             Lanes (&values)[4]) {
  const unsigned stride = format.size > 4 ? 16 : 4;
  if (format.extend == Extend::Sign)
    for (uint32_t &value : values[0].lane)
      value = uint32_t(format.size == 1 ? int32_t(int8_t(value)) : int32_t(int16_t(value)));
  Lanes offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets[lane] = wave.m0() + uint32_t(inst->mods.offset) + stride * lane;
  const Lanes *rows[] = {&values[0], &values[1], &values[2], &values[3]};
  return storeLds(wave, inst, offsets, wave.exec(), format.size < 4 ? 4 : format.size, rows);
}

/// global_load_lds_*: the address as that of other global loads.
static const Instruction *executeGlobalLoad(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = *static_cast<const MemoryFormat *>(inst->extra.pointer);
  Lanes64 addresses;
  resolveGlobal(wave, inst, 0, addresses);
  Lanes values[4] = {};
  if (!loadGlobal(wave, inst, addresses, wave.exec(), format.size, values))
    return nullptr;
  return storeLoadedToLds(wave, inst, format, values) ? inst + 1 : nullptr;
}
static const Instruction *executeScratchLoad(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = *static_cast<const MemoryFormat *>(inst->extra.pointer);
  Lanes addresses, values[4] = {};
  resolveScratch(wave, inst, 0, addresses);
  if (!loadScratch(wave, inst, addresses, wave.exec(), format.size, values))
    return nullptr;
  return storeLoadedToLds(wave, inst, format, values) ? inst + 1 : nullptr;
}

void ckemu::registerMemoryLdsTranspose(InstructionTable &table) {
  constexpr ModifierSet offset = modifiers(Modifier::Offset);
  auto addLds = [&](const char *name, Handler handler, int8_t operands, Prepare prepare,
                    Effect effect, const InstructionFacts &facts) {
    table.add(name, {handler, InstructionClass::Lds, offset, SourceType::B32, operands, prepare,
                     nullptr, effect, facts});
  };
  InstructionFacts exchange = describeAccess(MemoryAction::Atomic, MemorySpace::Lds, 8);
  exchange.returns = true;
  addLds("ds_condxchg32_rtn_b64", executeConditionalExchange, 3, checkTransposingRead<2>,
         Effect::Unknown, exchange);
  if (table.getIsa() == Isa::Gfx950) {
    auto addRead = [&](const char *name, Handler handler, Prepare prepare) {
      // The model of time counts a dword, although two or three are read.
      addLds(name, handler, 2, prepare, Effect::LoadsParts,
             describeAccess(MemoryAction::Load, MemorySpace::Lds, 4));
    };
    addRead("ds_read_b64_tr_b16", executeTransposingRead<16, 2>, checkTransposingRead<2>);
    addRead("ds_read_b64_tr_b8", executeTransposingRead<8, 2>, checkTransposingRead<2>);
    addRead("ds_read_b64_tr_b4", executeTransposingRead<4, 2>, checkTransposingRead<2>);
    addRead("ds_read_b96_tr_b6", executeTransposingRead<6, 3>, checkTransposingRead<3>);
  }
  for (const MemoryFormat &format : getLoadFormats()) {
    if (format.extend > Extend::Sign || format.size == 8)
      continue; // halves and pairs of dwords are not loaded into LDS
    auto add = [&](const char *prefix, MemorySpace space, Handler handler) {
      table.add(std::string(prefix) + "_load_lds_" + format.name,
                {handler, InstructionClass::Vmem, kCacheModifiers | offset, SourceType::B32, 2,
                 nullptr, &format, Effect::LoadsToLds,
                 describeAccess(MemoryAction::Load, space, format.size)});
    };
    add("global", MemorySpace::Global, executeGlobalLoad);
    add("scratch", MemorySpace::Scratch, executeScratchLoad);
  }
}
