//===- Differences.cpp - Sums of absolute differences -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of bytes, also of four bytes at each of four places (quads), of halves and of dwords.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

static U32 absoluteDifference(U32 a, U32 b) { return a > b ? a - b : b - a; }

template <bool masked>
static U32 sumDifferences(U32 a, U32 b, U32 sum) {
  for (unsigned i = 0; i < 32; i += 8) {
    const U32 x = a >> i & 0xff, y = b >> i & 0xff;
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}

static U32 sadBytesHigh(U32 a, U32 b, U32 c) { return (sumDifferences<false>(a, b, 0) << 16) + c; }

static U32 sadWords(U32 a, U32 b, U32 c) {
  return absoluteDifference(a & 0xffff, b & 0xffff) + absoluteDifference(a >> 16, b >> 16) + c;
}

static U32 sadDword(U32 a, U32 b, U32 c) { return absoluteDifference(a, b) + c; }

template <bool masked>
static U64 sumDifferences16(U64 a, U32 b, U64 c) {
  U64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= U64(U16(sumDifferences<masked>(U32(a >> (8 * i)), b, U16(c >> (16 * i)))))
              << (16 * i);
  return result;
}

static void sumDifferences32(LaneOperands &ops) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U64 a = ops.src[0][0][lane] | U64(ops.src[0][1][lane]) << 32;
    U32 sums[4];
    for (unsigned i = 0; i < 4; ++i)
      sums[i] = sumDifferences<true>(U32(a >> (8 * i)), ops.src[1][0][lane], ops.src[2][i][lane]);
    for (unsigned i = 0; i < 4; ++i)
      ops.dst[i][lane] = sums[i];
  }
}

static constexpr VectorRow rows[] = {
    vectorRow<sumDifferences<false>>("v_sad_u8"),
    vectorRow<sumDifferences<true>>("v_msad_u8"),
    vectorRow<sadBytesHigh>("v_sad_hi_u8"),
    vectorRow<sadWords>("v_sad_u16"),
    vectorRow<sadDword>("v_sad_u32"),
    vectorRow<sumDifferences16<false>>("v_qsad_pk_u16_u8"),
    vectorRow<sumDifferences16<true>>("v_mqsad_pk_u16_u8"),
    {"v_mqsad_u32_u8",
     sumDifferences32,
     nullptr,
     NoFlags,
     3,
     LaneType::B128,
     {LaneType::B64, LaneType::B32, LaneType::B128}},
};

void ckemu::registerVectorDifferences(InstructionTable &table) { addVectorRows(table, rows); }
