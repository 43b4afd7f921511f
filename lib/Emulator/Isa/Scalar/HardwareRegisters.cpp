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
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace ckemu;

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
/// Bits of gfx12's MODE without influence on results: SCALAR_PREFETCH_EN and DISABLE_PERF.
static constexpr uint32_t kIdleMode = 1u << 24 | 1u << 27;

namespace {
/// What a write to a hardware register of gfx12 does.
enum class WriteEffect : uint8_t {
  None,    ///< nothing that results depend on, or the register is read-only in programs
  Results, ///< results would depend on it
  Traps    ///< it may enable exceptions, which are not modelled; 0 enables none
};
struct WrittenRegister {
  unsigned id;
  const char *name;
  WriteEffect effect;
  uint32_t bits = ~0u; ///< those that have the effect; the others have none
};
} // namespace

/// All registers of gfx12 but MODE.
static constexpr WrittenRegister kWrittenRegisters[] = {
    {2, "WAVE_STATUS", WriteEffect::None},
    {4, "WAVE_STATE_PRIV", WriteEffect::Results, 1u << 9}, // SCC
    {5, "WAVE_GPR_ALLOC", WriteEffect::Results},
    {6, "WAVE_LDS_ALLOC", WriteEffect::Results},
    {7, "IB_STS", WriteEffect::None},
    {10, "PERF_SNAPSHOT_DATA", WriteEffect::None},
    {11, "PERF_SNAPSHOT_PC_LO", WriteEffect::None},
    {12, "PERF_SNAPSHOT_PC_HI", WriteEffect::None},
    {15, "PERF_SNAPSHOT_DATA1", WriteEffect::None},
    {16, "PERF_SNAPSHOT_DATA2", WriteEffect::None},
    {17, "WAVE_EXCP_FLAG_PRIV", WriteEffect::None},
    {18, "WAVE_EXCP_FLAG_USER", WriteEffect::None},
    {19, "WAVE_TRAP_CTRL", WriteEffect::Traps},
    {20, "WAVE_SCRATCH_BASE_LO", WriteEffect::Results},
    {21, "WAVE_SCRATCH_BASE_HI", WriteEffect::Results},
    {23, "WAVE_HW_ID1", WriteEffect::None},
    {24, "WAVE_HW_ID2", WriteEffect::None},
    {26, "WAVE_SCHED_MODE", WriteEffect::None},
    {29, "SHADER_CYCLES_LO", WriteEffect::None},
    {30, "SHADER_CYCLES_HI", WriteEffect::None},
    {31, "WAVE_DVGPR_ALLOC_LO", WriteEffect::Results},
    {32, "WAVE_DVGPR_ALLOC_HI", WriteEffect::Results}};

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

/// The register of gfx12 called `id`, or null.
static const WrittenRegister *findWritten(unsigned id) {
  const auto *found =
      llvm::find_if(kWrittenRegisters, [&](const WrittenRegister &row) { return row.id == id; });
  return found == std::end(kWrittenRegisters) ? nullptr : found;
}

/// Refuses writes of gfx12 on which results would depend.
static llvm::Error checkWrite(Instruction &inst) {
  const HardwareField field(inst.simm16());
  if (field.id == kModeRegister)
    return llvm::Error::success();
  const WrittenRegister *found = findWritten(field.id);
  if (!found)
    return llvm::createStringError("expected a hardware register that exists, got number " +
                                   llvm::Twine(field.id));
  if (found->effect != WriteEffect::Results || !(field.mask << field.offset & found->bits))
    return llvm::Error::success();
  return llvm::createStringError("writing hardware register " + llvm::Twine(found->name) +
                                 (found->bits == ~0u ? "" : " (SCC)") + " is not implemented");
}

/// Writes a register of gfx12 that is not MODE and that checkWrite accepts.
static const Instruction *setOtherRegister(Wave &wave, const Instruction *inst, uint32_t value) {
  const HardwareField field(inst->simm16());
  const WrittenRegister *found = findWritten(field.id);
  if (found->effect == WriteEffect::Traps && (value & field.mask))
    return wave.fault(inst, "enabling exceptions in hardware register " + llvm::Twine(found->name) +
                                " is not implemented, got 0x" +
                                llvm::Twine::utohexstr(value & field.mask));
  return inst + 1;
}

template <Isa isa>
static const Instruction *setRegister(Wave &wave, const Instruction *inst, uint32_t value) {
  const HardwareField field(inst->simm16());
  if (isa == Isa::Gfx12 && field.id != kModeRegister)
    return setOtherRegister(wave, inst, value);
  if (field.id != kModeRegister)
    return wave.fault(inst,
                      "writing hardware register " + llvm::Twine(field.id) + " is not implemented");
  const uint32_t mask = field.mask << field.offset & ~hiddenMode(isa);
  const uint32_t mode = (wave.mode & ~mask) | (value << field.offset & mask);
  if ((mode ^ wave.mode) & ~(kModelledMode | (isa == Isa::Gfx12 ? kIdleMode : 0)))
    return wave.fault(inst, llvm::Twine("bits of MODE above 9 but ") +
                                (isa == Isa::Gfx12 ? "23, 24 and 27" : "23") +
                                " are not implemented, got 0x" + llvm::Twine::utohexstr(mode));
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
  auto add = [&](const char *name, Handler handler, Prepare prepare) {
    table.add(name, {handler, InstructionClass::Salu, 0, SourceType::B32, 2, prepare});
  };
  const Prepare prepare = isa == Isa::Gfx12 ? checkWrite : nullptr;
  add("s_getreg_b32", executeGetRegister<isa>, nullptr);
  add("s_setreg_b32", executeSetRegister<isa>, prepare);
  add("s_setreg_imm32_b32", executeSetRegister<isa>, prepare);
}

void ckemu::registerScalarHardwareRegisters(InstructionTable &table) {
  if (table.getIsa() == Isa::Gfx12)
    addHardwareRegisters<Isa::Gfx12>(table);
  else if (table.getIsa() == Isa::Gfx11)
    addHardwareRegisters<Isa::Gfx11>(table);
  else
    addHardwareRegisters<Isa::Gfx942>(table);
}
