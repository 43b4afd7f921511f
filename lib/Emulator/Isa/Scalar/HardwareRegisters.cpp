//===- HardwareRegisters.cpp - Scalar instructions with a 16-bit immediate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves, additions and products with an immediate, hardware registers, calls, and the mode in which
// vector register numbers are relative to M0. Comparisons with an immediate are in Sopc.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"
#include <chrono>

using namespace mlir::ck::emulator;

namespace {
/// The field of a hardware register that hwreg(id, offset, size) names.
struct HardwareField {
  unsigned id, offset;
  uint32_t mask;
  explicit HardwareField(int16_t immediate)
      : id(uint16_t(immediate) & 63), offset(uint16_t(immediate) >> 6 & 31),
        mask(uint32_t((uint64_t(1) << ((uint16_t(immediate) >> 11) + 1)) - 1)) {}
};
} // namespace

static constexpr unsigned kModeRegister = 1, kXccIdRegister = 20;
/// gfx11: 20 bits of the clock; gfx12: its low and high dword.
static constexpr unsigned kCyclesRegister = 29, kCyclesHighRegister = 30;
/// The part of MODE that the emulator models: rounding, denormals, DX10_CLAMP, IEEE, FP16_OVFL.
static constexpr uint32_t kModelledMode = 0x3ff | kModeFp16Overflow;

/// gfx12 has no DX10_CLAMP and IEEE in MODE, although the emulator keeps them.
static uint32_t hiddenMode(Isa isa) { return isa == Isa::Gfx12 ? kModeDx10Clamp | kModeIeee : 0; }

/// The clock registers of `isa`, if `id` is one.
static bool readClock(Isa isa, unsigned id, uint32_t &value) {
  if (isCdna(isa) || id < kCyclesRegister || id > kCyclesHighRegister ||
      (id == kCyclesHighRegister && isa == Isa::Gfx11))
    return false;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto ticks = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  value = uint32_t(id == kCyclesHighRegister ? ticks >> 32
                   : isa == Isa::Gfx11       ? ticks & 0xfffff
                                             : ticks);
  return true;
}

template <Isa isa>
static const Instruction *executeGetRegister(Wave &wave, const Instruction *inst) {
  const HardwareField field(inst->simm16());
  uint32_t value = 0;
  if (field.id == kModeRegister)
    value = wave.mode & ~hiddenMode(isa);
  // The emulated device is one XCC, number 0.
  else if (!readClock(isa, field.id, value) && (!isCdna(isa) || field.id != kXccIdRegister))
    return wave.fault(inst, "hardware register " + llvm::Twine(field.id) + " is not implemented");
  wave.setScalar32(inst->op(0), value >> field.offset & field.mask);
  return inst + 1;
}

template <Isa isa>
static const Instruction *setRegister(Wave &wave, const Instruction *inst, uint32_t value) {
  const HardwareField field(inst->simm16());
  if (field.id != kModeRegister)
    return wave.fault(inst,
                      "writing hardware register " + llvm::Twine(field.id) + " is not implemented");
  const uint32_t mask = field.mask << field.offset & ~hiddenMode(isa);
  const uint32_t mode = (wave.mode & ~mask) | (value << field.offset & mask);
  if ((mode ^ wave.mode) & ~kModelledMode)
    return wave.fault(inst, "bits of MODE above 9 but 23 are not implemented, got 0x" +
                                llvm::Twine::utohexstr(mode));
  wave.mode = mode;
  wave.applyMode();
  return inst + 1;
}
/// The immediate form prints its operands as `hwreg(...), value`.
template <Isa isa>
static const Instruction *executeSetRegister(Wave &wave, const Instruction *inst) {
  return setRegister<isa>(wave, inst, wave.scalar32(inst->op(1)));
}

template <Isa isa>
static void addHardwareRegisters(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler) {
    table.add(name, {handler, InstructionClass::Salu, 0, SourceType::B32, 2});
  };
  add("s_getreg_b32", executeGetRegister<isa>);
  add("s_setreg_b32", executeSetRegister<isa>);
  add("s_setreg_imm32_b32", executeSetRegister<isa>);
}

void mlir::ck::emulator::registerScalarHardwareRegisters(InstructionTable &table) {
  if (table.getIsa() == Isa::Gfx12)
    addHardwareRegisters<Isa::Gfx12>(table);
  else if (table.getIsa() == Isa::Gfx11)
    addHardwareRegisters<Isa::Gfx11>(table);
  else
    addHardwareRegisters<Isa::Gfx942>(table);
}
