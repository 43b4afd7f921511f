//===- BufferFormat.cpp - Buffer accesses that convert elements -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// buffer_load_format_* takes the format of an element from the descriptor, tbuffer_load_format_*
// from the instruction. Formats of 8, 16 and 32 bits per component are implemented for loads, those
// of 32 bits for stores, where nothing is rounded.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/BufferFormat.h"
#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Machine/LaunchContext.h"

using namespace ckemu;

namespace {
enum class NumberKind : uint8_t { Unknown, Unorm, Snorm, Uint, Sint, Float };
/// The components of an element in memory; Unknown stands for formats that are not implemented.
struct ElementFormat {
  uint8_t components = 0, bits = 0;
  NumberKind kind = NumberKind::Unknown;
  unsigned bytes() const { return components * bits / 8u; }
};
} // namespace

/// BUF_DATA_FORMAT and BUF_NUM_FORMAT of gfx9.
static ElementFormat decodeCdna(unsigned data, unsigned number) {
  static constexpr NumberKind kinds[8] = {
      NumberKind::Unorm, NumberKind::Snorm, NumberKind::Unknown, NumberKind::Unknown,
      NumberKind::Uint,  NumberKind::Sint,  NumberKind::Unknown, NumberKind::Float};
  static constexpr uint8_t layouts[16][2] = {{0, 0},  {1, 8},  {1, 16}, {2, 8}, {1, 32}, {2, 16},
                                             {0, 0},  {0, 0},  {0, 0},  {0, 0}, {4, 8},  {2, 32},
                                             {4, 16}, {3, 32}, {4, 32}, {0, 0}};
  return {layouts[data & 15][0], layouts[data & 15][1], kinds[number & 7]};
}

/// BUF_FMT of gfx11 and gfx12: runs of formats with the same layout.
static ElementFormat decodeRdna(unsigned format) {
  constexpr NumberKind unknown = NumberKind::Unknown, unorm = NumberKind::Unorm,
                       snorm = NumberKind::Snorm, uint = NumberKind::Uint, sint = NumberKind::Sint,
                       number = NumberKind::Float;
  static constexpr NumberKind small[] = {unorm, snorm, unknown, unknown, uint, sint, number};
  static constexpr NumberKind wide[] = {uint, sint, number};
  struct Run {
    uint8_t first, count, components, bits;
    const NumberKind *kinds;
  };
  static constexpr Run runs[] = {{1, 6, 1, 8, small},  {7, 7, 1, 16, small},  {14, 6, 2, 8, small},
                                 {20, 3, 1, 32, wide}, {23, 7, 2, 16, small}, {42, 6, 4, 8, small},
                                 {48, 3, 2, 32, wide}, {51, 7, 4, 16, small}, {58, 3, 3, 32, wide},
                                 {61, 3, 4, 32, wide}};
  for (const Run &run : runs)
    if (format >= run.first && format < run.first + unsigned(run.count))
      return {run.components, run.bits, run.kinds[format - run.first]};
  return {};
}

static ElementFormat getFormat(const Wave &wave, const Instruction *inst, const Operand &resource) {
  const uint32_t word3 = wave.sgpr[resource.index + 3];
  const Isa isa = wave.launch->object.getChip().isa;
  if (inst->has(Modifier::Format)) {
    if (isCdna(isa))
      return decodeCdna(inst->encoding[0] >> 19 & 15, inst->encoding[0] >> 23 & 7);
    return decodeRdna(isa == Isa::Gfx12 ? inst->encoding[1] >> 23 & 0x7f
                                        : inst->encoding[0] >> 19 & 0x7f);
  }
  return isCdna(isa) ? decodeCdna(word3 >> 15 & 15, word3 >> 12 & 7) : decodeRdna(word3 >> 12 & 63);
}

/// Bits of component `index` of an element as the register gets them.
static uint32_t convert(const ElementFormat &format, uint32_t raw) {
  const unsigned unused = 32u - format.bits;
  const int32_t extended = int32_t(raw << unused) >> unused;
  const float largest = float((uint64_t(1) << format.bits) - 1);
  switch (format.kind) {
  case NumberKind::Unorm:
    return bitsOf(float(raw) / largest);
  case NumberKind::Snorm:
    return bitsOf(std::max(-1.0f, float(extended) / float((1 << (format.bits - 1)) - 1)));
  case NumberKind::Sint:
    return uint32_t(extended);
  case NumberKind::Float:
    return format.bits == 16 ? bitsOf(static_cast<float>(halfOf(uint16_t(raw)))) : raw;
  case NumberKind::Uint:
  case NumberKind::Unknown:
    break;
  }
  return raw;
}

/// Whether the element can be accessed; a fault that names the format otherwise.
static bool checkFormat(Wave &wave, const Instruction *inst, const ElementFormat &format,
                        bool isStore) {
  const bool isNorm = format.kind == NumberKind::Unorm || format.kind == NumberKind::Snorm;
  const bool isWrong = format.kind == NumberKind::Unknown || format.components == 0 ||
                       (isNorm && format.bits == 32) ||
                       (format.kind == NumberKind::Float && format.bits == 8);
  if (!isWrong && (!isStore || format.bits == 32))
    return true;
  wave.fault(inst, "the buffer format of " + llvm::Twine(unsigned(format.components)) +
                       " components of " + llvm::Twine(unsigned(format.bits)) +
                       " bits, or its kind of numbers, is not implemented here");
  return false;
}

/// What the destination's component `index` selects: 0 and 1 are constants, 4 to 7 components.
static unsigned getSelection(const Wave &wave, const Instruction *inst, const Operand &resource,
                             unsigned index) {
  return wave.sgpr[resource.index + 3] >> (3 * index) & 7;
}

/// DST_SEL of format loads from the descriptor's format must name constants or components; what
/// tbuffer instructions and stores do with another order than x, y, z, w is not modelled.
static bool checkSelections(Wave &wave, const Instruction *inst, const Operand &resource,
                            unsigned count, bool inOrder) {
  for (unsigned i = 0; i < count; ++i) {
    const unsigned selection = getSelection(wave, inst, resource, i);
    if (inOrder ? selection == 4 + i : selection <= 1 || selection >= 4)
      continue;
    wave.fault(inst, "DST_SEL " + llvm::Twine(selection) + " of component " + llvm::Twine(i) +
                         " is not implemented");
    return false;
  }
  return true;
}

static const Instruction *executeLoad(Wave &wave, const Instruction *inst) {
  const Operand &resource = inst->op(2);
  const ElementFormat format = getFormat(wave, inst, resource);
  const unsigned count = unsigned(inst->extra.word);
  BufferAccess access;
  if (!checkFormat(wave, inst, format, /*isStore=*/false) ||
      !checkSelections(wave, inst, resource, count, inst->has(Modifier::Format)) ||
      !resolveBufferOperands(wave, inst, 1, format.bytes(), access))
    return nullptr;
  const LaneMask inRange = access.inRange[(format.bytes() + 3) / 4 - 1]; // all of it or nothing
  if (access.isPrivate || (inRange != wave.exec() && count > format.components))
    return wave.fault(inst, "components that the format lacks are not implemented out of range");
  Lanes rows[4] = {};
  if (!loadGlobal(wave, inst, access.addresses, inRange, format.bytes(), rows))
    return nullptr;
  const uint32_t one =
      format.kind == NumberKind::Uint || format.kind == NumberKind::Sint ? 1 : bitsOf(1.0f);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned selection = getSelection(wave, inst, resource, i), component = selection - 4;
    Lanes result;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned position = component * format.bits;
      const uint32_t mask = uint32_t((uint64_t(1) << format.bits) - 1);
      result[lane] = selection < 4 ? (selection ? one : 0)
                     : component >= format.components
                         ? (component == 3 ? one : 0)
                         : convert(format, rows[position / 32][lane] >> position % 32 & mask);
      if (!(inRange >> lane & 1))
        result[lane] = 0;
    }
    wave.commit(inst->op(0), result, i);
  }
  return inst + 1;
}

static const Instruction *executeStore(Wave &wave, const Instruction *inst) {
  const Operand &resource = inst->op(2);
  const ElementFormat format = getFormat(wave, inst, resource);
  const unsigned count = unsigned(inst->extra.word);
  BufferAccess access;
  if (!checkFormat(wave, inst, format, /*isStore=*/true) ||
      !checkSelections(wave, inst, resource, format.components, /*inOrder=*/true) ||
      !resolveBufferOperands(wave, inst, 1, format.bytes(), access))
    return nullptr;
  if (access.isPrivate || count != format.components)
    return wave.fault(inst, "expected as many components as the format has (" +
                                llvm::Twine(unsigned(format.components)) + ")");
  const Lanes *rows[4];
  for (unsigned i = 0; i < 4; ++i)
    rows[i] = &wave.vectorRegister(inst->op(0), i < count ? i : 0);
  return storeGlobal(wave, inst, access.addresses, access.inRange[count - 1], 4 * count, rows)
             ? inst + 1
             : nullptr;
}

/// Notes the number of components, which the name says.
template <unsigned count>
static llvm::Error prepare(Instruction &inst) {
  inst.extra.word = count;
  if (llvm::Error error = checkBufferOperands(inst, 4))
    return error;
  if (inst.op(0).isVector() && inst.op(0).count == count)
    return llvm::Error::success();
  return llvm::createStringError("expected a data operand of " + llvm::Twine(count) +
                                 " vector registers");
}

void ckemu::registerMemoryBufferFormat(InstructionTable &table) {
  static constexpr struct {
    const char *name;
    Prepare prepare;
  } widths[] = {{"x", prepare<1>}, {"xy", prepare<2>}, {"xyz", prepare<3>}, {"xyzw", prepare<4>}};
  constexpr ModifierSet accepted =
      kCacheModifiers | modifiers(Modifier::Offset, Modifier::Offen, Modifier::Idxen);
  for (const auto &width : widths)
    for (const bool isTyped : {false, true}) {
      const std::string prefix = isTyped ? "tbuffer_" : "buffer_";
      OpcodeInfo info{executeLoad,  InstructionClass::Vmem, accepted, SourceType::B32,
                      kAnyOperands, width.prepare,          nullptr};
      info.effect = Effect::LoadsParts;
      info.facts = describeAccess(MemoryAction::Load, MemorySpace::Buffer, 4);
      if (isTyped)
        info.accepts |= modifiers(Modifier::Format);
      table.add(prefix + "load_format_" + width.name, info);
      info.handler = executeStore;
      info.effect = Effect::StoresFirst;
      // The model of time reads one dword of the data, however many components there are.
      info.facts = describeAccess(MemoryAction::Store, MemorySpace::Buffer, 4);
      table.add(prefix + "store_format_" + width.name, info);
    }
}
