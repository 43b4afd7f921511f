//===- VectorRow.cpp - Operand fetch and write-back of the vector ALU -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings and modifiers, once for all vector instructions: sources are fetched into rows of 64
// lanes with selection, movement and sign modifiers applied, the row's lane function computes, and
// the result is written back under EXEC. Instructions without modifiers take a short way.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

static const VectorRow &rowOf(const Instruction *inst) {
  return *static_cast<const VectorRow *>(inst->extra.pointer);
}

/// Source `i`: printed after the destinations, or the destination itself.
static const Operand &sourceOperand(const Instruction *inst, const VectorRow &row, unsigned i) {
  if ((row.flags & DstIsSource) && i + 1u == row.sources)
    return inst->op(0);
  return inst->op(firstSource(row.flags) + i);
}

/// The carry or mask that the instruction reads, one bit per lane.
static LaneMask readLaneBits(const Wave &wave, const Instruction *inst, const VectorRow &row) {
  if (row.flags & CarryIn)
    return wave.scalar64(inst->op(inst->numOperands - 1));
  return row.flags & ReadsVcc ? wave.vcc() : 0;
}

static bool writesLaneBits(const VectorRow &row) {
  return row.dst == LaneType::None || (row.flags & CarryOut);
}

/// Writes the comparison or carry of the lanes in `bits`; the other lanes get 0.
static void writeLaneBits(Wave &wave, const Instruction *inst, const VectorRow &row,
                          LaneMask bits) {
  if (!(row.flags & ExecOnly))
    wave.setScalar64(inst->op(row.flags & CarryOut ? 1 : 0), bits);
  if (row.flags & (SetsExec | ExecOnly))
    wave.setExec(bits);
}

static void fetchPlain(const Wave &wave, const Instruction *inst, const VectorRow &row,
                       Lanes (&scratch)[3][kMaxWords], LaneOperands &ops) {
  for (unsigned i = 0; i < row.sources; ++i) {
    const Operand &operand = sourceOperand(inst, row, i);
    for (unsigned word = 0, words = wordsOf(row.src[i]); word < words; ++word)
      ops.src[i][word] = wave.vectorSource(operand, scratch[i][word], word).lane;
  }
  ops.bitsIn = readLaneBits(wave, inst, row);
  ops.exec = wave.exec();
  ops.mode = wave.mode;
  ops.lanes = wave.laneCount;
}

/// Integers without modifiers: computed in place when every lane is active.
static const Instruction *executePlainInteger(Wave &wave, const Instruction *inst) {
  const VectorRow &row = rowOf(inst);
  LaneOperands ops;
  Lanes scratch[3][kMaxWords], result[kMaxWords];
  fetchPlain(wave, inst, row, scratch, ops);
  const unsigned words = wordsOf(row.dst);
  const bool full = wave.isFull();
  for (unsigned word = 0; word < words; ++word)
    ops.dst[word] = full ? wave.vectorRegister(inst->op(0), word).lane : result[word].lane;
  row.run(ops);
  if (!full)
    for (unsigned word = 0; word < words; ++word)
      wave.commit(inst->op(0), result[word], word);
  if (writesLaneBits(row))
    writeLaneBits(wave, inst, row, ops.bitsOut & ops.exec);
  return inst + 1;
}

/// Floating point without modifiers. NaN results need their operands, so never in place.
static const Instruction *executePlainFloat(Wave &wave, const Instruction *inst) {
  if (LLVM_UNLIKELY(!isDefaultFloatMode(wave.mode)))
    return executeVectorGeneral(wave, inst);
  const VectorRow &row = rowOf(inst);
  LaneOperands ops;
  Lanes scratch[3][kMaxWords], result[2];
  fetchPlain(wave, inst, row, scratch, ops);
  ops.dst[0] = result[0].lane;
  ops.dst[1] = result[1].lane;
  row.run(ops);
  canonicalizeNans(row, ops);
  for (unsigned word = 0, words = wordsOf(row.dst); word < words; ++word)
    wave.commit(inst->op(0), result[word], word);
  if (writesLaneBits(row))
    writeLaneBits(wave, inst, row, ops.bitsOut & ops.exec);
  return inst + 1;
}

/// Fetches with every modifier applied; returns the lanes that are written (DPP may drop some).
static LaneMask fetchModified(const Wave &wave, const Instruction *inst, const VectorRow &row,
                              Lanes (&rows)[3][kMaxWords], LaneOperands &ops) {
  LaneMask written = wave.exec();
  for (unsigned i = 0; i < row.sources; ++i) {
    const Operand &operand = sourceOperand(inst, row, i);
    const unsigned words = wordsOf(row.src[i]);
    for (unsigned word = 0; word < words; ++word) {
      const Lanes &source = wave.vectorSource(operand, rows[i][word], word);
      if (&source != &rows[i][word])
        rows[i][word] = source;
      ops.src[i][word] = rows[i][word].lane;
    }
    if (i == 0 && inst->form == Encoding::Dpp)
      written = moveLanes(inst->mods, wave.exec(), rows[0], words);
    if (!(row.flags & DstIsSource) || i + 1u < row.sources)
      applySourceModifiers(inst, row, i, operand, rows[i]);
    else if (operand.flags & kOperandHalf)
      selectHalf(operand, rows[i][0]);
    if (!(row.flags & RawBits))
      flushDenormals(wave.mode, row.src[i], /*results=*/false, rows[i]);
  }
  ops.bitsIn = readLaneBits(wave, inst, row);
  ops.exec = wave.exec();
  ops.mode = wave.mode;
  return written;
}

const Instruction *ckemu::executeVectorGeneral(Wave &wave, const Instruction *inst) {
  const VectorRow &row = rowOf(inst);
  LaneOperands ops;
  Lanes rows[3][kMaxWords], result[kMaxWords];
  const LaneMask written = fetchModified(wave, inst, row, rows, ops);
  const unsigned words = wordsOf(row.dst);
  for (unsigned word = 0; word < words; ++word)
    ops.dst[word] = result[word].lane;
  {
    FloatEnvironment environment(wave.mode, row.dst);
    const bool saturates = inst->has(Modifier::Clamp) && !isFloat(row.dst);
    (saturates ? row.saturating : row.run)(ops);
    if (isFloat(row.dst) && !(row.flags & RawBits)) {
      canonicalizeNans(row, ops);
      if (row.dst == LaneType::F16 && (wave.mode & kModeFp16Overflow))
        clampOverflownHalves(row, ops);
      applyOutputModifiers(inst, row.dst, wave.mode, result);
    }
  }
  if (words == 1)
    mergeDestination(inst, row, wave.vectorRegister(inst->op(0)), result[0]);
  for (unsigned word = 0; word < words; ++word)
    Wave::commitMasked(wave.vectorRegister(inst->op(0), word), result[word], written);
  if (writesLaneBits(row))
    writeLaneBits(wave, inst, row, ops.bitsOut & written);
  return inst + 1;
}

void ckemu::mergeHalf(const Instruction *inst, const Lanes &old, Lanes &result) {
  mergeDestination(inst, rowOf(inst), old, result);
}

/// True when the instruction needs none of the general handler's work.
static bool isPlain(const Instruction &inst, const VectorRow &row) {
  const ModifierSet harmless = modifiers(Modifier::OpSelHi);
  return (inst.mods.present & ~harmless) == 0 && inst.form != Encoding::Sdwa &&
         inst.form != Encoding::Dpp && !((row.flags & PartialDst) && is16Bit(row.dst));
}

/// True when its modifiers are those that VectorRow::modified executes.
static bool isSimplyModified(const Instruction &inst, const VectorRow &row) {
  const ModifierSet simple = modifiers(Modifier::OpSelHi, Modifier::OpSel, Modifier::SourceNeg,
                                       Modifier::SourceAbs, Modifier::Half);
  if ((inst.mods.present & ~simple) || inst.form == Encoding::Sdwa || inst.form == Encoding::Dpp)
    return false;
  const unsigned printed = row.sources - (row.flags & DstIsSource ? 1 : 0);
  for (unsigned i = 0; i < printed; ++i)
    if ((inst.op(firstSource(row.flags) + i).flags & kOperandHalf) && !is16Bit(row.src[i]))
      return false;
  return !(inst.op(0).flags & kOperandHalf) || is16Bit(row.dst);
}

/// VOP3 names a half twice, as v1.h and by op_sel; what the operands say is enough.
static void dropNamedHalves(Instruction &inst, const VectorRow &row) {
  const unsigned printed = row.sources - (row.flags & DstIsSource ? 1 : 0);
  for (unsigned i = 0; i < printed; ++i)
    if (inst.op(firstSource(row.flags) + i).flags & kOperandHalf)
      inst.mods.opSel &= uint8_t(~(1u << i));
  if (inst.op(0).flags & kOperandHalf)
    inst.mods.opSel &= uint8_t((1u << printed) - 1);
  if (inst.mods.opSel == 0)
    inst.mods.present &= ~modifierBit(Modifier::OpSel);
}

/// How the row's constants become bits; integers of all widths alike.
static SourceType constantType(const VectorRow &row) {
  SourceType type = SourceType::B32;
  for (LaneType source : row.src) {
    if (source == LaneType::F64)
      return SourceType::F64;
    if (source == LaneType::F16)
      type = SourceType::F16;
    else if (source == LaneType::B64)
      type = SourceType::B64;
  }
  return type;
}

/// A 32-bit literal was read as the high dword of a double; sources of 32 bits (the exponent of
/// v_ldexp_f64, the classes of v_cmp_class_f64) take it from there. VOP3 of gfx11 has literals.
static void narrowLiterals(Instruction &inst, const VectorRow &row) {
  constexpr unsigned kVop3WithLiteral = 12;
  if (inst.size != kVop3WithLiteral)
    return;
  for (unsigned i = 0; i < row.sources; ++i) {
    Operand &op = inst.op(firstSource(row.flags) + i);
    if (wordsOf(row.src[i]) != 1 || !op.isConstant() || uint32_t(op.value) != 0)
      continue;
    ++op.index; // the pair's high dword
    op.value >>= 32;
  }
}

static Effect getEffect(const Instruction &inst, const VectorRow &row) {
  const Operand &result = inst.op(0);
  if (row.flags & (SetsExec | ExecOnly))
    return Effect::Unknown;
  if (row.dst == LaneType::None)
    return result.isScalar() ? Effect::SetsScalar : Effect::Unknown;
  if (!result.isVector())
    return Effect::Unknown;
  if (row.flags & CarryOut)
    return isPlain(inst, row) && inst.op(1).isScalar() ? Effect::SetsTwo : Effect::Unknown;
  return isPlain(inst, row) && !(row.flags & DstIsSource) ? Effect::Sets : Effect::Changes;
}

llvm::Error ckemu::prepareVector(Instruction &inst) {
  const VectorRow &row = rowOf(&inst);
  const unsigned printed = firstSource(row.flags) + row.sources -
                           (row.flags & DstIsSource ? 1 : 0) + (row.flags & CarryIn ? 1 : 0);
  if (inst.numOperands != printed)
    return refuse("expected " + llvm::Twine(printed) + " operands, got " +
                  llvm::Twine(unsigned(inst.numOperands)));
  if (inst.has(Modifier::Half))
    dropNamedHalves(inst, row);
  if (constantType(row) == SourceType::F64)
    narrowLiterals(inst, row);
  if (llvm::Error error = checkVectorModifiers(inst, row))
    return error;
  inst.effect = getEffect(inst, row);
  if (!isPlain(inst, row))
    inst.handler =
        row.modified && isSimplyModified(inst, row) ? row.modified : executeVectorGeneral;
  else if (row.plain)
    inst.handler = row.plain;
  else
    inst.handler = usesFloatMode(row) ? executePlainFloat : executePlainInteger;
  return llvm::Error::success();
}

/// Comparisons of doubles are as fast as others.
static bool computesDoubles(const VectorRow &row) {
  return row.dst == LaneType::F64 ||
         (row.dst != LaneType::None && llvm::is_contained(row.src, LaneType::F64));
}

InstructionFacts ckemu::describeRow(const VectorRow &row, TimingClass timing) {
  const bool isOrdinary = timing == TimingClass::Valu;
  InstructionFacts facts =
      describeTiming(isOrdinary && computesDoubles(row) ? TimingClass::Double : timing);
  facts.addsToFirst = row.flags & DstIsSource;
  facts.readsVcc = row.flags & ReadsVcc;
  facts.writesExec = row.flags & (SetsExec | ExecOnly);
  return facts;
}

void ckemu::addVectorRows(InstructionTable &table, llvm::ArrayRef<VectorRow> rows,
                          TimingClass timing) {
  constexpr ModifierSet accepted = modifiers(
      Modifier::Clamp, Modifier::Omod, Modifier::OpSel, Modifier::SourceNeg, Modifier::SourceAbs,
      Modifier::SourceSext, Modifier::Dpp, Modifier::RowMask, Modifier::BankMask,
      Modifier::BoundCtrl, Modifier::Fi, Modifier::DstSel, Modifier::DstUnused, Modifier::Src0Sel,
      Modifier::Src1Sel, Modifier::ByteSel, Modifier::Half);
  for (const VectorRow &row : rows) {
    OpcodeInfo info;
    info.handler = executeVectorGeneral;
    info.kind = InstructionClass::Valu;
    info.accepts = accepted;
    info.sourceType = constantType(row);
    info.prepare = prepareVector;
    info.data = &row;
    info.facts = describeRow(row, timing);
    table.add(row.name, info);
  }
}
