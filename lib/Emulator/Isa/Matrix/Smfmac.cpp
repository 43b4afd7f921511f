//===- Smfmac.cpp - Products of sparse matrices -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// V_SMFMAC_*: D += A B, where two of every four consecutive k of A are zero and not stored. With
// size rows, groups = 64 / size, group = lane / size:
//
//   B(k, n)   lane size * group + n holds its elements in chunks of as many k as four registers
//             hold (8 of 16 bits, 16 of 8 bits): chunk c is of k = chunk (group + groups c) on.
//   A(i, k)   the lane of the same group holds half as many elements: two for each four of B.
//   index     two bits per element of A, element 0 lowest: which of the four it is. 16-bit
//             elements use 8 bits for four registers of B and 8-bit ones 16, so that a register
//             holds several sets; abid names the set when cbsz is 0.
//
// (CDNA4 reference, section 7.5; D is as that of MFMA.) Accumulated in ascending k of the chunks.
// What is not stored takes no part, so that infinities of B meet no zeros.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/Families.h"
#include "Emulator/Isa/Matrix/MatrixBlocks.h"

using namespace ckemu;
using namespace ckemu::matrix;

/// ElementA and ElementB say how the registers hold A and B; B has twice as many per lane.
template <class ElementA, class ElementB, unsigned size>
static const Instruction *executeSmfmac(Wave &wave, const Instruction *inst) {
  using T = typename ElementA::Value;
  constexpr unsigned stored = ElementA::perLane, groups = kLanes / size;
  constexpr unsigned indexBits = 2 * stored;
  if (LLVM_UNLIKELY(!isModeModelled(wave)))
    return wave.fault(inst, "FP16_OVFL of MODE is not implemented for matrix instructions");
  const DefaultFloatEnvironment environment(wave);
  Plane<T> a[stored], b[2 * stored];
  ElementA::unpack(&wave.vectorRegister(inst->op(1)), a);
  ElementB::unpack(&wave.vectorRegister(inst->op(2)), b);
  const Lanes &indices = wave.vectorRegister(inst->op(3));
  const unsigned shift = indexBits == 32 || inst->mods.cbsz ? 0 : indexBits * inst->mods.abid;
  Lanes *d = &wave.vectorRegister(inst->op(0));
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned vectors = size / VectorOf<T>::length;
  for (unsigned m = 0; m < size; ++m) {
    Vector sums[1][vectors];
    readRows<size>(d, 1, m, sums);
    for (unsigned group = 0; group < groups; ++group) {
      const uint32_t index = indices[size * group + m] >> shift;
      for (unsigned j = 0; j < stored; ++j) {
        Vector columns[vectors];
        std::memcpy(columns, &b[j / 2 * 4 + (index >> (2 * j) & 3)].lane[size * group],
                    sizeof(columns));
        for (unsigned v = 0; v < vectors; ++v)
          addMultiples<ElementA::isExact>(a[j].lane[size * group + m], columns[v], sums[0][v]);
      }
    }
    writeRows<size>(sums, m, d);
  }
  return inst + 1;
}

namespace {
/// One instruction: its registers and the sets of indices in one register.
struct SmfmacRow {
  const char *name;
  Handler handler;
  uint8_t wordsA, wordsD, sets;
  MatrixShape shape;
};
} // namespace

static llvm::Error prepareSmfmac(Instruction &inst) {
  const SmfmacRow &row = *static_cast<const SmfmacRow *>(inst.extra.pointer);
  const Operand &index = inst.op(3);
  if (llvm::Error error = checkRegisters(inst, row.wordsD, row.wordsA, 2 * unsigned(row.wordsA),
                                         index.kind == OperandKind::Vgpr && index.count == 1,
                                         " and one of indices"))
    return error;
  if (row.sets > 1 && inst.mods.cbsz == 0 && inst.mods.abid >= row.sets)
    return refuse("abid must name one of " + llvm::Twine(unsigned(row.sets)) +
                  " sets of indices, got " + llvm::Twine(unsigned(inst.mods.abid)));
  return llvm::Error::success();
}

template <class A, class B, unsigned size>
static constexpr SmfmacRow smfmac(const char *name) {
  constexpr MatrixShape shape = {size, size, 2 * A::perLane * kLanes / size, A::type,
                                 /*isSparse=*/true};
  return {name, executeSmfmac<A, B, size>, A::words, size * size / kLanes, 16 / A::perLane, shape};
}

static constexpr SmfmacRow rows[] = {
    smfmac<F16<4>, F16<8>, 16>("v_smfmac_f32_16x16x32_f16"),
    smfmac<F16<4>, F16<8>, 32>("v_smfmac_f32_32x32x16_f16"),
    smfmac<Bf16<4>, Bf16<8>, 16>("v_smfmac_f32_16x16x32_bf16"),
    smfmac<Bf16<4>, Bf16<8>, 32>("v_smfmac_f32_32x32x16_bf16"),
    smfmac<I8<8>, I8<16>, 16>("v_smfmac_i32_16x16x64_i8"),
    smfmac<I8<8>, I8<16>, 32>("v_smfmac_i32_32x32x32_i8"),
};

static constexpr SmfmacRow gfx950Rows[] = {
    smfmac<F16<8>, F16<16>, 16>("v_smfmac_f32_16x16x64_f16"),
    smfmac<F16<8>, F16<16>, 32>("v_smfmac_f32_32x32x32_f16"),
    smfmac<Bf16<8>, Bf16<16>, 16>("v_smfmac_f32_16x16x64_bf16"),
    smfmac<Bf16<8>, Bf16<16>, 32>("v_smfmac_f32_32x32x32_bf16"),
    smfmac<I8<16>, I8<32>, 16>("v_smfmac_i32_16x16x128_i8"),
    smfmac<I8<16>, I8<32>, 32>("v_smfmac_i32_32x32x64_i8"),
    smfmac<F8<widenOcpFp8, 16>, F8<widenOcpFp8, 32>, 16>("v_smfmac_f32_16x16x128_fp8_fp8"),
    smfmac<F8<widenOcpFp8, 16>, F8<widenOcpBf8, 32>, 16>("v_smfmac_f32_16x16x128_fp8_bf8"),
    smfmac<F8<widenOcpBf8, 16>, F8<widenOcpFp8, 32>, 16>("v_smfmac_f32_16x16x128_bf8_fp8"),
    smfmac<F8<widenOcpBf8, 16>, F8<widenOcpBf8, 32>, 16>("v_smfmac_f32_16x16x128_bf8_bf8"),
    smfmac<F8<widenOcpFp8, 16>, F8<widenOcpFp8, 32>, 32>("v_smfmac_f32_32x32x64_fp8_fp8"),
    smfmac<F8<widenOcpFp8, 16>, F8<widenOcpBf8, 32>, 32>("v_smfmac_f32_32x32x64_fp8_bf8"),
    smfmac<F8<widenOcpBf8, 16>, F8<widenOcpFp8, 32>, 32>("v_smfmac_f32_32x32x64_bf8_fp8"),
    smfmac<F8<widenOcpBf8, 16>, F8<widenOcpBf8, 32>, 32>("v_smfmac_f32_32x32x64_bf8_bf8"),
};

/// 8-bit floats of gfx942, without infinities and negative zero, and those of the OCP on gfx950.
template <float (*fp8)(uint32_t), float (*bf8)(uint32_t)>
static constexpr SmfmacRow byteRows[] = {
    smfmac<F8<fp8, 8>, F8<fp8, 16>, 16>("v_smfmac_f32_16x16x64_fp8_fp8"),
    smfmac<F8<fp8, 8>, F8<bf8, 16>, 16>("v_smfmac_f32_16x16x64_fp8_bf8"),
    smfmac<F8<bf8, 8>, F8<fp8, 16>, 16>("v_smfmac_f32_16x16x64_bf8_fp8"),
    smfmac<F8<bf8, 8>, F8<bf8, 16>, 16>("v_smfmac_f32_16x16x64_bf8_bf8"),
    smfmac<F8<fp8, 8>, F8<fp8, 16>, 32>("v_smfmac_f32_32x32x32_fp8_fp8"),
    smfmac<F8<fp8, 8>, F8<bf8, 16>, 32>("v_smfmac_f32_32x32x32_fp8_bf8"),
    smfmac<F8<bf8, 8>, F8<fp8, 16>, 32>("v_smfmac_f32_32x32x32_bf8_fp8"),
    smfmac<F8<bf8, 8>, F8<bf8, 16>, 32>("v_smfmac_f32_32x32x32_bf8_bf8"),
};

static void addRows(InstructionTable &table, llvm::ArrayRef<SmfmacRow> rows) {
  for (const SmfmacRow &row : rows) {
    InstructionFacts facts = describeMatrix(row.shape);
    facts.addsToFirst = true;
    table.add(row.name,
              {row.handler, InstructionClass::Mfma, modifiers(Modifier::Cbsz, Modifier::Abid),
               SourceType::B32, 4, prepareSmfmac, &row, Effect::Changes, facts});
  }
}

void ckemu::registerMatrixSmfmac(InstructionTable &table) {
  addRows(table, rows);
  if (table.getIsa() == Isa::Gfx942)
    return addRows(table, byteRows<widenFp8, widenBf8>);
  addRows(table, gfx950Rows);
  addRows(table, byteRows<widenOcpFp8, widenOcpBf8>);
}
