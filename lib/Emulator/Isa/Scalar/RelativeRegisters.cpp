//===- RelativeRegisters.cpp - Registers that M0 chooses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves of scalar registers relative to M0, and, on gfx90a, gfx942 and gfx950, a mode in which
// vector register numbers are relative to it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

/// SGPR-to-SGPR moves whose source or destination index is increased by M0.
template <bool wide, bool relativeSource>
static const Instruction *executeMoveRelative(Wave &wave, const Instruction *inst) {
  Operand dst = inst->op(0), src = inst->op(1);
  (relativeSource ? src : dst).index += wave.m0();
  if (!dst.isScalar() || dst.index + wide >= kSgprCount ||
      (src.isScalar() && src.index + wide >= kSgprCount))
    return wave.fault(inst, "relative register index must be in [0, 101], got M0 = " +
                                llvm::Twine(wave.m0()));
  if (wide)
    wave.setScalar64(dst, wave.scalar64(src));
  else
    wave.setScalar32(dst, wave.scalar32(src));
  return inst + 1;
}

namespace {
/// Bits of s_set_gpr_idx_on's immediate: which operands are relative.
enum RelativeOperand : uint32_t { kRelativeDst = 8 };
} // namespace

/// Executes one vector instruction with M0 added to the numbers of the registers that `relative`
/// selects. Returns false when it cannot or must not be executed that way.
static bool executeRelative(Wave &wave, const Instruction *inst, uint32_t relative) {
  Instruction moved = *inst;
  const uint32_t distance = wave.m0() & 0xff;
  for (unsigned i = 0; i < moved.numOperands; ++i) {
    const bool selected = i == 0 ? relative & kRelativeDst : relative >> (i - 1) & 1;
    if (!selected || !moved.operands[i].isVector())
      continue;
    moved.operands[i].index += distance;
    const uint32_t limit = moved.operands[i].kind == OperandKind::Agpr
                               ? wave.numAgprs
                               : std::min(wave.numVgprs + wave.numAgprs, 256u);
    if (moved.operands[i].index + moved.operands[i].count > limit) {
      wave.fault(inst, "relative register number must be below " + llvm::Twine(limit) + ", got " +
                           llvm::Twine(moved.operands[i].index));
      return false;
    }
  }
  return moved.handler(wave, &moved) == &moved + 1;
}

static const Instruction *executeRelativeOff(Wave &, const Instruction *inst) { return inst + 1; }

/// Executes the instructions up to s_set_gpr_idx_off, the vector instructions among them with
/// relative registers. Compilers put straight code there, so that anything else is refused.
static const Instruction *executeRelativeOn(Wave &wave, const Instruction *inst) {
  const uint32_t relative = inst->encoding[0] >> 8 & 15;
  wave.sgpr[kM0] = (wave.m0() & ~0xf0ffu) | (wave.scalar32(inst->op(0)) & 0xff) | relative << 12;
  for (++inst; inst->handler != executeRelativeOff; ++inst) {
    if (inst->kind == InstructionClass::Valu) {
      if (!executeRelative(wave, inst, relative))
        return nullptr;
    } else if (inst->kind != InstructionClass::Salu || inst->handler(wave, inst) != inst + 1) {
      return wave.fault(inst, "expected a vector or scalar instruction or s_set_gpr_idx_off after "
                              "s_set_gpr_idx_on");
    }
  }
  return inst + 1;
}

void ckemu::registerScalarRelativeRegisters(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler, SourceType type, int8_t numOperands) {
    OpcodeInfo info{handler, InstructionClass::Salu, 0, type, numOperands};
    info.facts.numbersRegisters = true;
    table.add(name, info);
  };
  add("s_movrels_b32", executeMoveRelative<false, true>, SourceType::B32, 2);
  add("s_movrels_b64", executeMoveRelative<true, true>, SourceType::B64, 2);
  add("s_movreld_b32", executeMoveRelative<false, false>, SourceType::B32, 2);
  add("s_movreld_b64", executeMoveRelative<true, false>, SourceType::B64, 2);
  add("s_set_gpr_idx_on", executeRelativeOn, SourceType::B32, kAnyOperands);
  add("s_set_gpr_idx_off", executeRelativeOff, SourceType::B32, 0);
}
