//===- Packed.cpp - Packed instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two 16-bit operations in each register, seen as 128 lanes of 16 bits, and two 32-bit operations
// in each register pair. op_sel and op_sel_hi choose which part of a source feeds the low and the
// high result, neg_lo and neg_hi flip its sign.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

namespace {
/// A loop over the 16-bit halves of all lanes.
template <auto fn>
struct PackedMap;
template <typename R, typename... Args, R (*fn)(Args...)>
struct PackedMap<fn> {
  static constexpr unsigned kHalves = 2 * kLanes;
  template <typename T>
  static T get(const uint32_t *row, unsigned i) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char *>(row) + size_t(2) * i, 2);
    return value;
  }
  template <typename... Rows>
  __attribute__((flatten)) static void loop(uint32_t *result, Rows... rows) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned i = 0; i < kHalves; ++i) {
      const R value = fn(get<Args>(rows, i)...);
      std::memcpy(reinterpret_cast<char *>(result) + size_t(2) * i, &value, 2);
    }
  }
  template <size_t... index>
  static void unpack(LaneOperands &ops, std::index_sequence<index...>) {
    loop(ops.dst[0], ops.src[index][0]...);
  }
  static void run(LaneOperands &ops) { unpack(ops, std::index_sequence_for<Args...>()); }
};

/// A packed 16-bit instruction.
struct PackedRow {
  const char *name;
  LaneFunction run;
  LaneFunction saturating; ///< integers with clamp
  uint8_t sources;
  bool isFloat, dstIsSource;
};
} // namespace

template <auto fn>
static constexpr LaneFunction packed = PackedMap<fn>::run;

static const PackedRow &rowOf(const Instruction *inst) {
  return *static_cast<const PackedRow *>(inst->extra.pointer);
}
static uint8_t opSelHi(const Instruction *inst) {
  return inst->has(Modifier::OpSelHi) ? inst->mods.opSelHi : 7;
}

/// The lanes in which a half is NaN.
static LaneMask findNanHalves(const uint32_t *row) {
  uint8_t bytes[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    bytes[lane] = (row[lane] & 0x7fff) > 0x7c00 || (row[lane] >> 16 & 0x7fff) > 0x7c00;
  return packLaneBits(bytes);
}

/// Replaces the NaN results of the 128 halves as canonicalizeNans does.
static void canonicalizeHalves(const PackedRow &row, LaneOperands &ops) {
  if (LLVM_LIKELY(!(findNanHalves(ops.dst[0]) & ops.exec)))
    return;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned shift = 0; shift < 32; shift += 16) {
      if ((ops.dst[0][lane] >> shift & 0x7fff) <= 0x7c00)
        continue;
      uint32_t nan = 0x7e00;
      for (unsigned i = 0; i < row.sources; ++i) {
        const uint32_t bits = ops.src[i][0][lane] >> shift & 0xffff;
        if ((bits & 0x7fff) <= 0x7c00)
          continue;
        nan = bits | 0x200;
        break;
      }
      ops.dst[0][lane] = (ops.dst[0][lane] & ~(0xffffu << shift)) | nan << shift;
    }
}

/// Selected halves with their signs.
static void selectHalves(const Instruction *inst, const PackedRow &row, unsigned i,
                         const Lanes &source, Lanes &result) {
  const unsigned low = inst->mods.opSel >> i & 1 ? 16 : 0;
  const unsigned high = opSelHi(inst) >> i & 1 ? 16 : 0;
  const uint32_t signs = row.isFloat ? (inst->mods.negLo >> i & 1 ? 0x8000u : 0) |
                                           (inst->mods.negHi >> i & 1 ? 0x80000000u : 0)
                                     : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = ((source[lane] >> low & 0xffff) | (source[lane] >> high & 0xffff) << 16) ^ signs;
}

/// Splits halves into rows of one half each, to apply `fn` to both, and joins them.
template <class F>
static void forEachHalf(Lanes &packedRow, F fn) {
  Lanes low, high;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    low[lane] = packedRow[lane] & 0xffff;
    high[lane] = packedRow[lane] >> 16;
  }
  fn(low);
  fn(high);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    packedRow[lane] = (low[lane] & 0xffff) | high[lane] << 16;
}

template <bool modified>
static const Instruction *executePacked(Wave &wave, const Instruction *inst) {
  const PackedRow &row = rowOf(inst);
  const bool special = row.isFloat && !isDefaultFloatMode(wave.mode);
  if (LLVM_UNLIKELY(special && (wave.mode & kModeFp16Overflow)))
    return wave.fault(inst, "FP16_OVFL of MODE is not implemented for packed operations");
  LaneOperands ops;
  Lanes scratch[3], selected[3], result;
  for (unsigned i = 0; i < row.sources; ++i) {
    const bool isDst = row.dstIsSource && i + 1u == row.sources;
    const Lanes &source = wave.vectorSource(isDst ? inst->op(0) : inst->op(1 + i), scratch[i]);
    ops.src[i][0] = source.lane;
    if (!modified && !special)
      continue;
    selected[i] = source;
    if (modified && !isDst)
      selectHalves(inst, row, i, source, selected[i]);
    if (special)
      forEachHalf(selected[i], [&](Lanes &half) {
        flushDenormals(wave.mode, LaneType::F16, /*results=*/false, &half);
      });
    ops.src[i][0] = selected[i].lane;
  }
  ops.dst[0] = result.lane;
  ops.exec = wave.exec();
  ops.mode = wave.mode;
  {
    FloatEnvironment environment(row.isFloat ? wave.mode : 0xf0, LaneType::F16);
    const bool saturates = inst->has(Modifier::Clamp) && !row.isFloat;
    (saturates ? row.saturating : row.run)(ops);
    if (row.isFloat) {
      canonicalizeHalves(row, ops);
      if (special || inst->has(Modifier::Clamp))
        forEachHalf(result, [&](Lanes &half) {
          applyOutputModifiers(inst, LaneType::F16, wave.mode, &half);
        });
    }
  }
  wave.commit(inst->op(0), result);
  return inst + 1;
}

static llvm::Error preparePacked(Instruction &inst) {
  const PackedRow &row = rowOf(&inst);
  if (inst.numOperands != row.sources + (row.dstIsSource ? 0 : 1))
    return refuse("unexpected number of operands");
  if (inst.form == Encoding::Sdwa || inst.form == Encoding::Dpp)
    return refuse("SDWA and DPP are not implemented for packed operations");
  if (!row.isFloat && (inst.mods.negLo || inst.mods.negHi))
    return refuse("neg_lo and neg_hi require floating-point sources");
  if (!row.isFloat && inst.has(Modifier::Clamp) && !row.saturating)
    return refuse("clamp is not implemented for this instruction");
  const uint8_t all = uint8_t((1u << row.sources) - 1);
  const bool modified =
      inst.mods.opSel || (opSelHi(&inst) & all) != all || inst.mods.negLo || inst.mods.negHi;
  inst.handler = modified ? executePacked<true> : executePacked<false>;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// 32-bit pairs
//===----------------------------------------------------------------------===//

/// The word of a source that feeds the low or the high result.
static const Lanes &selectWord(const Wave &wave, const Instruction *inst, unsigned i, bool high,
                               Lanes &scratch) {
  const unsigned word = (high ? opSelHi(inst) : inst->mods.opSel) >> i & 1;
  const Lanes &source = wave.vectorSource(inst->op(1 + i), scratch, word);
  if (!((high ? inst->mods.negHi : inst->mods.negLo) >> i & 1))
    return source;
  const Lanes copy = source;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    scratch[lane] = copy[lane] ^ 0x80000000u;
  return scratch;
}

static const Instruction *executePackedFloat(Wave &wave, const Instruction *inst) {
  const VectorRow &row = *static_cast<const VectorRow *>(inst->extra.pointer);
  const bool special = !isDefaultFloatMode(wave.mode);
  Lanes result[2];
  for (unsigned half = 0; half < 2; ++half) {
    LaneOperands ops;
    Lanes scratch[3], flushed[3];
    for (unsigned i = 0; i < row.sources; ++i) {
      ops.src[i][0] = selectWord(wave, inst, i, half, scratch[i]).lane;
      if (!special)
        continue;
      std::memcpy(flushed[i].lane, ops.src[i][0], sizeof(Lanes));
      flushDenormals(wave.mode, LaneType::F32, /*results=*/false, &flushed[i]);
      ops.src[i][0] = flushed[i].lane;
    }
    ops.dst[0] = result[half].lane;
    ops.exec = wave.exec();
    ops.mode = wave.mode;
    FloatEnvironment environment(wave.mode, LaneType::F32);
    row.run(ops);
    canonicalizeNans(row, ops);
    if (special || inst->has(Modifier::Clamp))
      applyOutputModifiers(inst, LaneType::F32, wave.mode, &result[half]);
  }
  wave.commit(inst->op(0), result[0], 0);
  wave.commit(inst->op(0), result[1], 1);
  return inst + 1;
}

namespace {
/// A pair without clamp, while MODE says what the host does by default.
template <auto fn>
struct PairMap;
template <typename... Args, float (*fn)(Args...)>
struct PairMap<fn> {
  using Map = detail::LaneMap<fn>;

  static detail::ModifiedRows<float> fetch(const Wave &wave, const Instruction *inst, unsigned i,
                                           bool high, Lanes &scratch) {
    const unsigned word = (high ? opSelHi(inst) : inst->mods.opSel) >> i & 1;
    const bool negates = (high ? inst->mods.negHi : inst->mods.negLo) >> i & 1;
    return {wave.vectorSource(inst->op(1 + i), scratch, word).lane, nullptr, 0, ~0u,
            negates ? 1u << 31 : 0u};
  }
  template <size_t... index>
  static const Instruction *run(Wave &wave, const Instruction *inst,
                                std::index_sequence<index...>) {
    Lanes scratch[sizeof...(Args)], result[2];
    LaneMask nans = 0;
    for (unsigned half = 0; half < 2; ++half) {
      uint32_t *dst[2] = {result[half].lane, nullptr};
      Map::compute(wave.laneCount, detail::ResultRows<float>(dst),
                   fetch(wave, inst, index, half, scratch[index])...);
      nans |= detail::findNans<float>(dst, wave.laneCount);
    }
    if (LLVM_UNLIKELY(nans & wave.exec()))
      return executePackedFloat(wave, inst);
    wave.commit(inst->op(0), result[0], 0);
    wave.commit(inst->op(0), result[1], 1);
    return inst + 1;
  }
  static const Instruction *execute(Wave &wave, const Instruction *inst) {
    if (LLVM_UNLIKELY(!isDefaultFloatMode(wave.mode)))
      return executePackedFloat(wave, inst);
    return run(wave, inst, std::index_sequence_for<Args...>());
  }
};
} // namespace

/// v_pk_mov_b32: the low result is a word of the first source, the high one of the second.
static const Instruction *executePackedMove(Wave &wave, const Instruction *inst) {
  Lanes scratch[2], result[2];
  for (unsigned i = 0; i < 2; ++i)
    result[i] = wave.vectorSource(inst->op(1 + i), scratch[i], inst->mods.opSel >> i & 1);
  wave.commit(inst->op(0), result[0], 0);
  wave.commit(inst->op(0), result[1], 1);
  return inst + 1;
}

/// The high word of a constant is not documented; compilers select the low one twice.
static llvm::Error checkPairSources(Instruction &inst) {
  for (unsigned i = 1; i < inst.numOperands; ++i) {
    const Operand &op = inst.op(i);
    if (op.isConstant() ? op.value == 0 : op.count == 2)
      continue;
    const bool selectsHigh = (inst.mods.opSel | opSelHi(&inst)) >> (i - 1) & 1;
    if (selectsHigh)
      return refuse("the high word of a source that has only one is not defined");
  }
  return llvm::Error::success();
}
static llvm::Error preparePair(Instruction &inst) {
  if (inst.has(Modifier::Clamp))
    inst.handler = executePackedFloat;
  return checkPairSources(inst);
}
static llvm::Error prepareMove(Instruction &inst) {
  inst.mods.opSelHi = inst.mods.opSel;
  inst.mods.present |= modifierBit(Modifier::OpSelHi);
  return checkPairSources(inst);
}

static uint16_t multiplyLow(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b); }
template <typename T>
static T multiplyAdd(T a, T b, T c) {
  return static_cast<T>(uint32_t(int32_t(a)) * uint32_t(int32_t(b)) + uint32_t(int32_t(c)));
}
template <typename T>
static T shiftLeft(T n, T a) {
  return static_cast<T>(a << (n & 15));
}
template <typename T>
static T shiftRight(T n, T a) {
  return static_cast<T>(a >> (n & 15));
}
template <typename T>
static T saturate(int64_t value) {
  constexpr int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}
template <typename T>
static T addSaturated(T a, T b) {
  return saturate<T>(int32_t(a) + b);
}
template <typename T>
static T subtractSaturated(T a, T b) {
  return saturate<T>(int32_t(a) - b);
}
template <typename T>
static T multiplyAddSaturated(T a, T b, T c) {
  return saturate<T>(int64_t(a) * b + c);
}
template <LaneFunction quietly, LaneFunction ieee>
static void byIeeeMode(LaneOperands &ops) {
  (ops.mode & kModeIeee ? ieee : quietly)(ops);
}

static half minimum3Nan(half a, half b, half c) { return minimumNan(minimumNan(a, b), c); }
static half maximum3Nan(half a, half b, half c) { return maximumNan(maximumNan(a, b), c); }

using I16 = int16_t;
using U16 = uint16_t;

static constexpr PackedRow rows[] = {
    {"v_pk_add_f16", packed<add<half>>, nullptr, 2, true, false},
    {"v_pk_mul_f16", packed<multiply<half>>, nullptr, 2, true, false},
    {"v_pk_fma_f16", packed<fmaHalf>, nullptr, 3, true, false},
    {"v_pk_fmac_f16", packed<fmaHalf>, nullptr, 3, true, true},
    {"v_pk_min_f16", byIeeeMode<packed<minimum<half, false>>, packed<minimum<half, true>>>, nullptr,
     2, true, false},
    {"v_pk_max_f16", byIeeeMode<packed<maximum<half, false>>, packed<maximum<half, true>>>, nullptr,
     2, true, false},
    {"v_pk_minimum3_f16", packed<minimum3Nan>, nullptr, 3, true, false},
    {"v_pk_maximum3_f16", packed<maximum3Nan>, nullptr, 3, true, false},
    {"v_pk_minimum_f16", packed<minimumNan<half>>, nullptr, 2, true, false},
    {"v_pk_maximum_f16", packed<maximumNan<half>>, nullptr, 2, true, false},
    {"v_pk_add_u16", packed<add<U16>>, packed<addSaturated<U16>>, 2, false, false},
    {"v_pk_add_i16", packed<add<I16>>, packed<addSaturated<I16>>, 2, false, false},
    {"v_pk_sub_u16", packed<subtract<U16>>, packed<subtractSaturated<U16>>, 2, false, false},
    {"v_pk_sub_i16", packed<subtract<I16>>, packed<subtractSaturated<I16>>, 2, false, false},
    {"v_pk_mul_lo_u16", packed<multiplyLow>, nullptr, 2, false, false},
    {"v_pk_mad_u16", packed<multiplyAdd<U16>>, packed<multiplyAddSaturated<U16>>, 3, false, false},
    {"v_pk_mad_i16", packed<multiplyAdd<I16>>, packed<multiplyAddSaturated<I16>>, 3, false, false},
    {"v_pk_min_u16", packed<minimumOf<U16>>, nullptr, 2, false, false},
    {"v_pk_max_u16", packed<maximumOf<U16>>, nullptr, 2, false, false},
    {"v_pk_min_i16", packed<minimumOf<I16>>, nullptr, 2, false, false},
    {"v_pk_max_i16", packed<maximumOf<I16>>, nullptr, 2, false, false},
    {"v_pk_lshlrev_b16", packed<shiftLeft<U16>>, nullptr, 2, false, false},
    {"v_pk_lshrrev_b16", packed<shiftRight<U16>>, nullptr, 2, false, false},
    {"v_pk_ashrrev_i16", packed<shiftRight<I16>>, nullptr, 2, false, false},
};

template <auto fn>
static constexpr VectorRow pairRow(const char *name) {
  return withPlain(vectorRow<fn>(name), PairMap<fn>::execute);
}

static constexpr VectorRow pairRows[] = {
    pairRow<add<float>>("v_pk_add_f32"),
    pairRow<multiply<float>>("v_pk_mul_f32"),
    pairRow<fma32>("v_pk_fma_f32"),
};

static InstructionFacts describePacked(const PackedRow &row) {
  InstructionFacts facts;
  facts.addsToFirst = row.dstIsSource;
  return facts;
}

void ckemu::registerVectorPacked(InstructionTable &table) {
  constexpr ModifierSet accepted = modifiers(Modifier::OpSel, Modifier::OpSelHi, Modifier::NegLo,
                                             Modifier::NegHi, Modifier::Clamp);
  for (const PackedRow &row : rows)
    table.add(row.name, {executePacked<true>, InstructionClass::Valu, accepted,
                         row.isFloat ? SourceType::F16 : SourceType::B32, kAnyOperands,
                         preparePacked, &row, Effect::Changes, describePacked(row)});
  for (const VectorRow &row : pairRows)
    table.add(row.name, {row.plain, InstructionClass::Valu, accepted, SourceType::B32,
                         int8_t(row.sources + 1), preparePair, &row, Effect::Changes,
                         describeRow(row, TimingClass::Packed)});
  table.add("v_pk_mov_b32", {executePackedMove, InstructionClass::Valu,
                             modifiers(Modifier::OpSel, Modifier::OpSelHi), SourceType::B32, 3,
                             prepareMove, nullptr, Effect::Changes});
}
