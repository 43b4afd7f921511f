//===- Modifiers.cpp - Modifiers of vector ALU operands -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function treats one modifier for all lanes. They run only for instructions that carry it, so
// they are written for clarity; simple loops vectorize.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Number/Numeric.h"
#include <xmmintrin.h>

using namespace ckemu;

llvm::Error ckemu::refuse(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

static constexpr unsigned kFlushing = 0x8040; // DAZ and FTZ of MXCSR

FloatEnvironment::FloatEnvironment() : saved(_mm_getcsr()), changed(true) {
  _mm_setcsr(saved & ~(_MM_ROUND_MASK | kFlushing));
}

FloatEnvironment::FloatEnvironment(uint32_t mode, LaneType type) {
  if (isDefaultFloatMode(mode))
    return;
  static constexpr unsigned rounding[4] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN,
                                           _MM_ROUND_TOWARD_ZERO};
  changed = true;
  saved = _mm_getcsr();
  const unsigned field = type == LaneType::F32 ? mode & 3 : mode >> kModeRound16_64Shift & 3;
  _mm_setcsr((saved & ~(_MM_ROUND_MASK | kFlushing)) | rounding[field]);
}

FloatEnvironment::~FloatEnvironment() {
  if (changed)
    _mm_setcsr(saved);
}

template <typename T>
static T readLane(const uint32_t *const *rows, unsigned lane) {
  return detail::SourceRows<T>(rows)[lane];
}

/// The NaN that operand `i` hands on to a result of type T, if it is one.
template <typename T>
static bool nanOperand(LaneType type, const uint32_t *const *rows, unsigned lane, T &nan) {
  if (type == LaneType::F16 && isNan(readLane<half>(rows, lane)))
    return nan = static_cast<T>(static_cast<float>(quiet(readLane<half>(rows, lane)))), true;
  if (type == LaneType::F32 && isNan(readLane<float>(rows, lane)))
    return nan = static_cast<T>(quiet(readLane<float>(rows, lane))), true;
  if (type == LaneType::F64 && isNan(readLane<double>(rows, lane)))
    return nan = static_cast<T>(quiet(readLane<double>(rows, lane))), true;
  return false;
}

template <typename T>
static void canonicalize(const VectorRow &row, const LaneOperands &ops) {
  const LaneMask nans = detail::findNans<T>(ops.dst, ops.lanes) & ops.exec;
  if (LLVM_LIKELY(!nans))
    return;
  detail::ResultRows<T> results(ops.dst);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(nans >> lane & 1))
      continue;
    T nan = defaultNan<T>();
    for (unsigned i = 0; i < row.sources; ++i)
      if (nanOperand(row.src[i], ops.src[i], lane, nan))
        break;
    results.set(lane, nan);
  }
}

void ckemu::canonicalizeNans(const VectorRow &row, const LaneOperands &ops) {
  if (row.flags & OwnNans)
    return;
  if (row.dst == LaneType::F32)
    canonicalize<float>(row, ops);
  else if (row.dst == LaneType::F64)
    canonicalize<double>(row, ops);
  else if (row.dst == LaneType::F16)
    canonicalize<half>(row, ops);
}

template <typename T>
static void flushRows(Lanes *rows) {
  uint32_t *words[] = {rows[0].lane, sizeof(T) == 8 ? rows[1].lane : nullptr};
  detail::SourceRows<T> values(const_cast<const uint32_t *const *>(words));
  detail::ResultRows<T> results(words);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    results.set(lane, flushDenormal(values[lane]));
}

void ckemu::flushDenormals(uint32_t mode, LaneType type, bool results, Lanes *rows) {
  const unsigned shift = type == LaneType::F32 ? kModeDenorm32Shift : kModeDenorm16_64Shift;
  if (!isFloat(type) || (mode >> shift & (results ? 2 : 1)))
    return;
  if (type == LaneType::F32)
    flushRows<float>(rows);
  else if (type == LaneType::F64)
    flushRows<double>(rows);
  else
    flushRows<half>(rows);
}

/// Selects a part of each lane, zero or sign extended.
static void selectPart(Lanes &row, SdwaSel sel, bool sext) {
  const bool isByte = sel <= SdwaSel::Byte3;
  if (sel == SdwaSel::Dword)
    return;
  const unsigned shift =
      isByte ? 8 * unsigned(sel) : 16 * (unsigned(sel) - unsigned(SdwaSel::Word0));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t part = row[lane] >> shift & (isByte ? 0xff : 0xffff);
    if (sext)
      part = isByte ? uint32_t(int32_t(int8_t(part))) : uint32_t(int32_t(int16_t(part)));
    row[lane] = part;
  }
}

void ckemu::selectHalf(const Operand &operand, Lanes &row) {
  selectPart(row, operand.flags & kOperandHigh ? SdwaSel::Word1 : SdwaSel::Word0, false);
}

void ckemu::applySourceModifiers(const Instruction *inst, const VectorRow &row, unsigned index,
                                 const Operand &operand, Lanes *rows) {
  const LaneType type = row.src[index];
  if (inst->form == Encoding::Sdwa && index < 2) {
    const SdwaSel sel = index == 0 ? inst->mods.src0Sel : inst->mods.src1Sel;
    selectPart(rows[0], sel, operand.flags & kOperandSext);
    if (sel == SdwaSel::Dword && (operand.flags & kOperandSext) && is16Bit(type))
      selectPart(rows[0], SdwaSel::Word0, true);
  }
  if (inst->has(Modifier::ByteSel) && index == 0)
    selectPart(rows[0], inst->mods.src0Sel, false);
  if (inst->has(Modifier::OpSel) && (inst->mods.opSel >> index & 1))
    selectPart(rows[0], SdwaSel::Word1, false);
  if (operand.flags & kOperandHalf)
    selectHalf(operand, rows[0]);
  if (!(operand.flags & (kOperandAbs | kOperandNeg)))
    return;
  const uint32_t sign = type == LaneType::F16 ? 0x8000u : 0x80000000u;
  Lanes &high = type == LaneType::F64 ? rows[1] : rows[0];
  const uint32_t keep = operand.flags & kOperandAbs ? ~sign : ~0u;
  const uint32_t flip = operand.flags & kOperandNeg ? sign : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    high[lane] = (high[lane] & keep) ^ flip;
}

/// The lane that `lane` reads under a DPP control, or -1 when there is none.
static int dppSource(const Modifiers &mods, int lane) {
  const int n = mods.dppArgument, row = lane & ~15, column = lane & 15;
  auto inRow = [&](int c) { return c >= 0 && c < 16 ? row + c : -1; };
  switch (mods.dppControl) {
  case DppControl::QuadPerm:
    return (lane & ~3) + (n >> (2 * (lane & 3)) & 3);
  case DppControl::RowShl:
    return inRow(column + n);
  case DppControl::RowShr:
    return inRow(column - n);
  case DppControl::RowRor:
    return row + ((column - n) & 15);
  case DppControl::WaveShl:
    return lane + 1 < int(kLanes) ? lane + 1 : -1;
  case DppControl::WaveRol:
    return (lane + 1) & 63;
  case DppControl::WaveShr:
    return lane - 1;
  case DppControl::WaveRor:
    return (lane - 1) & 63;
  case DppControl::RowMirror:
    return row + 15 - column;
  case DppControl::RowHalfMirror:
    return (lane & ~7) + 7 - (lane & 7);
  case DppControl::RowBcast: // 15: to the next row; 31: lane 31 to rows 2 and 3
    return n == 15 ? row - 1 : lane >= 32 ? 31 : -1;
  case DppControl::RowNewBcast:
  case DppControl::RowShare:
    return row + n;
  case DppControl::RowXmask:
    return row + (column ^ n);
  case DppControl::Dpp8:
    return (lane & ~7) + int(mods.offset >> (3 * (lane & 7)) & 7);
  case DppControl::None:
    break;
  }
  return lane;
}

LaneMask ckemu::moveLanes(const Modifiers &mods, LaneMask exec, Lanes *rows, unsigned words) {
  LaneMask written = exec;
  uint8_t from[kLanes];
  LaneMask zero = 0;
  // dpp8 gives 0 for inactive lanes, as row controls do with bound_ctrl.
  const bool readsZero = mods.has(Modifier::BoundCtrl) || mods.dppControl == DppControl::Dpp8;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const LaneMask bit = LaneMask(1) << lane;
    const int source = dppSource(mods, int(lane));
    const bool valid = source >= 0 && (mods.has(Modifier::Fi) || exec >> source & 1);
    from[lane] = uint8_t(valid ? source : 0);
    if (!valid)
      zero |= bit;
    if ((!valid && !readsZero) || !(mods.rowMask >> (lane / 16) & 1) ||
        !(mods.bankMask >> (lane / 4 % 4) & 1))
      written &= ~bit;
  }
  for (unsigned word = 0; word < words; ++word) {
    const Lanes source = rows[word];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      rows[word][lane] = zero >> lane & 1 ? 0 : source[from[lane]];
  }
  return written;
}

static bool isInfiniteSource(const VectorRow &row, const LaneOperands &ops, unsigned i,
                             unsigned lane) {
  if (row.src[i] == LaneType::F16)
    return (ops.src[i][0][lane] & 0x7fff) == 0x7c00;
  return row.src[i] == LaneType::F32 && (ops.src[i][0][lane] & 0x7fffffff) == 0x7f800000;
}

void ckemu::clampOverflownHalves(const VectorRow &row, const LaneOperands &ops) {
  // What a reciprocal, root or logarithm (one source) or a division's fix-up (the second of three)
  // divides by. A product with a zero there is finite.
  const int divisor = row.sources == 1 ? 0 : row.sources == 3 ? 1 : -1;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t &result = ops.dst[0][lane];
    if ((result & 0x7fff) != 0x7c00)
      continue;
    bool keeps = divisor >= 0 && row.src[divisor] == LaneType::F16 &&
                 (ops.src[divisor][0][lane] & 0x7fff) == 0;
    for (unsigned i = 0; i < row.sources; ++i)
      keeps |= isInfiniteSource(row, ops, i, lane);
    result -= keeps ? 0 : 1; // the bits of the largest finite half
  }
}

template <typename T>
static void modifyOutput(Omod omod, bool clamp, bool dx10Clamp, Lanes *rows) {
  uint32_t *words[] = {rows[0].lane, sizeof(T) == 8 ? rows[1].lane : nullptr};
  detail::SourceRows<T> values(const_cast<const uint32_t *const *>(words));
  detail::ResultRows<T> results(words);
  const float factor = omod == Omod::Mul2 ? 2.0f : omod == Omod::Mul4 ? 4.0f : 0.5f;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    T value = values[lane];
    if (omod != Omod::None) {
      value = static_cast<T>(value * static_cast<T>(factor));
      value = isZero(value) ? fromBits<T>(0) : value; // not IEEE: -0 becomes +0
    }
    if (clamp) {
      if (isNan(value))
        value = dx10Clamp ? fromBits<T>(0) : value;
      else
        value = !(value > T(0)) ? T(0) : value > T(1) ? T(1) : value;
    }
    results.set(lane, value);
  }
}

void ckemu::applyOutputModifiers(const Instruction *inst, LaneType type, uint32_t mode,
                                 Lanes *rows) {
  flushDenormals(mode, type, /*results=*/true, rows);
  // Output scaling is ignored where it could not be exact: in IEEE mode or with denormal results.
  const unsigned shift = type == LaneType::F32 ? kModeDenorm32Shift : kModeDenorm16_64Shift;
  const bool scales = !(mode & kModeIeee) && !(mode >> shift & 2);
  const Omod omod = scales ? inst->mods.omod : Omod::None;
  const bool clamp = inst->has(Modifier::Clamp);
  if (omod == Omod::None && !clamp)
    return;
  const bool dx10Clamp = mode & kModeDx10Clamp;
  if (type == LaneType::F32)
    modifyOutput<float>(omod, clamp, dx10Clamp, rows);
  else if (type == LaneType::F64)
    modifyOutput<double>(omod, clamp, dx10Clamp, rows);
  else
    modifyOutput<half>(omod, clamp, dx10Clamp, rows);
  flushDenormals(mode, type, /*results=*/true, rows);
}

static void mergeSdwa(const Modifiers &mods, const Lanes &old, Lanes &result) {
  if (mods.dstSel == SdwaSel::Dword)
    return;
  const bool isByte = mods.dstSel <= SdwaSel::Byte3;
  const unsigned shift =
      isByte ? 8 * unsigned(mods.dstSel) : 16 * (unsigned(mods.dstSel) - unsigned(SdwaSel::Word0));
  const uint32_t mask = isByte ? 0xff : 0xffff;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t part = result[lane] & mask;
    const uint32_t placed = part << shift;
    if (mods.dstUnused == SdwaUnused::Preserve) {
      result[lane] = (old[lane] & ~(mask << shift)) | placed;
    } else {
      const bool negative = part >> (isByte ? 7 : 15) & 1;
      const bool extend = mods.dstUnused == SdwaUnused::Sext && negative;
      const uint64_t above = ~uint64_t(0) << (shift + (isByte ? 8 : 16));
      result[lane] = placed | (extend ? uint32_t(above) : 0);
    }
  }
}

void ckemu::mergeDestination(const Instruction *inst, const VectorRow &row, const Lanes &old,
                             Lanes &result) {
  if (inst->form == Encoding::Sdwa)
    return mergeSdwa(inst->mods, old, result);
  const uint8_t half = inst->op(0).flags;
  if (!(half & kOperandHalf) && (!(row.flags & PartialDst) || !is16Bit(row.dst)))
    return;
  const bool high =
      half & kOperandHigh || (inst->has(Modifier::OpSel) && (inst->mods.opSel >> row.sources & 1));
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = high ? (old[lane] & 0xffff) | result[lane] << 16
                        : (old[lane] & 0xffff0000) | (result[lane] & 0xffff);
}

llvm::Error ckemu::checkVectorModifiers(const Instruction &inst, const VectorRow &row) {
  if (inst.has(Modifier::Clamp) && !isFloat(row.dst) && !row.saturating)
    return refuse("clamp is not implemented for this instruction");
  if (inst.has(Modifier::Omod) && !isFloat(row.dst))
    return refuse("mul: and div: require a floating-point result");
  const unsigned first = firstSource(row.flags);
  const unsigned printed = row.flags & DstIsSource ? row.sources - 1 : row.sources;
  for (unsigned i = 0; i < printed; ++i) {
    const Operand &operand = inst.op(first + i);
    const bool allowed = isFloat(row.src[i]) || (row.flags & AnyModifiers);
    if ((operand.flags & (kOperandNeg | kOperandAbs)) && !allowed)
      return refuse("neg and abs require a floating-point source");
    if (inst.has(Modifier::OpSel) && (inst.mods.opSel >> i & 1) && !is16Bit(row.src[i]))
      return refuse("op_sel requires a 16-bit source");
  }
  if (inst.has(Modifier::OpSel)) {
    const bool high = inst.mods.opSel >> row.sources & 1;
    if (high && !((row.flags & PartialDst) && is16Bit(row.dst)))
      return refuse("op_sel of the destination requires a 16-bit result");
  }
  const bool selectsPart = wordsOf(row.dst) > 1 && inst.mods.dstSel != SdwaSel::Dword;
  if (inst.form == Encoding::Sdwa &&
      (selectsPart || wordsOf(row.src[0]) > 1 || wordsOf(row.src[1]) > 1))
    return refuse("SDWA requires 32-bit operands");
  return llvm::Error::success();
}

llvm::Error ckemu::prepareVectorSource(Instruction &inst) {
  return inst.op(1).isVector() ? llvm::Error::success()
                               : refuse("expected a vector register source");
}
