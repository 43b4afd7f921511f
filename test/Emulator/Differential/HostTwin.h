//===- HostTwin.h - What the lanes of a wave do to each other ---*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host runs a program step by step, each step for all work-items of a group. Between steps,
// these functions do what a cross-lane builtin does, written from the instruction set references.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_DIFFERENTIAL_HOSTTWIN_H
#define CK_MLIR_TEST_DIFFERENTIAL_HOSTTWIN_H

#include "Portable.h"

#define MAX_ITEMS 256

/// How a program is run; the layout is known to Runner.cpp.
typedef struct {
  U32 wave; ///< lanes of a wave
  U32 rdna; ///< 11 and 12 on gfx11 and gfx12, 0 on gfx9
} Machine;
typedef void (*RunFunction)(const Machine *machine, U64 *out, const U64 *in, U64 *acc, U8 *mem);
/// A program with what its launch needs; the layout is known to Runner.cpp.
typedef struct {
  const char *name;
  const char *inputs; ///< kind of each input value of a work-item: one of "iuhfd"
  U32 groups, size;   ///< workgroups and their work-items
  U32 outputs;        ///< values per work-item
  U32 memory;         ///< bytes of `mem` per work-item
  RunFunction run;
} Program;

/// The operands and results of a builtin that a group executes, by work-item.
typedef struct {
  U32 wave, rdna, size;
  U8 active[MAX_ITEMS];
  U32 a[MAX_ITEMS], b[MAX_ITEMS], r[MAX_ITEMS];
  U64 wide[MAX_ITEMS];
} Exchange;

/// All work-items of the group in a program.
#define EACH_LANE for (U32 i = 0, tid = 0, gid = group * SIZE; i < SIZE; ++i, ++tid, ++gid)
#define EACH(x, i) for (U32 i = 0; i < (x)->size; ++i)
static inline U32 first_of(const Exchange *x, U32 i) { return i / x->wave * x->wave; }
/// Whether `lane` of the wave of item `i` exists and is active.
static inline bool is_active(const Exchange *x, U32 i, U32 lane) {
  U32 at = first_of(x, i) + lane;
  return lane < x->wave && at < x->size && x->active[at];
}
static inline U32 value_of(const Exchange *x, U32 i, U32 lane) {
  return is_active(x, i, lane) ? x->a[first_of(x, i) + lane] : 0;
}
static inline U64 active_mask(const Exchange *x, U32 i) {
  U64 mask = 0;
  for (U32 lane = 0; lane < x->wave; ++lane)
    mask |= (U64)is_active(x, i, lane) << lane;
  return mask;
}

static inline void twin_readfirstlane(Exchange *x) {
  EACH(x, i) {
    if (x->active[i])
      x->r[i] = value_of(x, i, (U32)__builtin_ctzl(active_mask(x, i)));
  }
}
static inline void twin_readlane(Exchange *x, U32 lane) {
  EACH(x, i)
  x->r[i] = x->a[first_of(x, i) + lane];
}
/// Waves of 64 lanes on gfx11 permute within their halves.
static inline void twin_bpermute(Exchange *x) {
  EACH(x, i) {
    U32 own = i - first_of(x, i), lane = x->b[i] >> 2 & (x->wave - 1);
    if (x->rdna == 11)
      lane = (lane & 31) | (own & 32);
    x->r[i] = value_of(x, i, lane);
  }
}
/// The address is lane * 4 ^ flip.
static inline void twin_permute(Exchange *x, U32 flip) {
  EACH(x, i)
  x->r[i] = value_of(x, i, (i - first_of(x, i)) ^ flip);
}
static inline void twin_swizzle(Exchange *x, U32 pattern) {
  EACH(x, i) {
    U32 own = i - first_of(x, i), lane = own & ~31u;
    if (pattern & 0x8000)
      lane = (own & ~3u) | (pattern >> (2 * (own & 3)) & 3);
    else
      lane |= (((own & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    x->r[i] = value_of(x, i, lane);
  }
}
/// The lane that a DPP control reads, or -1 where there is none.
static inline I32 dpp_source(U32 own, U32 control, U32 rdna) {
  U32 row = own & ~15u, in = own & 15, n = control & 15;
  if (control <= 0xff)
    return (I32)((own & ~3u) | (control >> (2 * (own & 3)) & 3));
  switch (control >> 4) {
  case 0x10: // row_shl
    return in + n < 16 ? (I32)(own + n) : -1;
  case 0x11: // row_shr
    return in >= n ? (I32)(own - n) : -1;
  case 0x12: // row_ror
    return (I32)(row | ((in - n) & 15));
  case 0x13: // wave_shl:1, wave_rol:1, wave_shr:1, wave_ror:1
    if (n == 0)
      return own < 63 ? (I32)own + 1 : -1;
    if (n == 4)
      return (I32)((own + 1) & 63);
    return n == 8 ? (I32)own - 1 : (I32)((own - 1) & 63);
  case 0x14:
    if (n == 0) // row_mirror
      return (I32)(row | (15 - in));
    if (n == 1) // row_half_mirror
      return (I32)((own & ~7u) | (7 - (own & 7)));
    if (n == 2) // row_bcast:15
      return own < 16 ? -1 : (I32)row - 1;
    return own < 32 ? -1 : 31; // row_bcast:31
  case 0x15:                   // row_share, row_newbcast
    return (I32)(row | n);
  default: // row_xmask
    return (I32)(own ^ n);
  }
}
/// `b` are the old values.
static inline void twin_dpp(Exchange *x, U32 control, U32 rows, U32 banks, bool zero) {
  EACH(x, i) {
    U32 own = i - first_of(x, i);
    I32 lane = dpp_source(own, control, x->rdna);
    x->r[i] = x->b[i];
    if (!(rows >> (own / 16) & 1) || !(banks >> (own % 16 / 4) & 1))
      continue;
    if (lane >= 0 && is_active(x, i, (U32)lane))
      x->r[i] = value_of(x, i, (U32)lane);
    else if (zero)
      x->r[i] = 0;
  }
}
static inline void twin_dpp8(Exchange *x, U32 select) {
  EACH(x, i) {
    U32 own = i - first_of(x, i);
    x->r[i] = value_of(x, i, (own & ~7u) | (select >> (3 * (own & 7)) & 7));
  }
}
/// v_permlane16_b32 and, with `other`, v_permlanex16_b32; `b` are the old values.
static inline void twin_permlane16(Exchange *x, U32 low, U32 high, bool other, bool zero) {
  EACH(x, i) {
    U32 own = i - first_of(x, i), in = own & 15;
    U32 lane = (own & ~15u) | ((in < 8 ? low : high) >> (4 * (in & 7)) & 15);
    lane ^= other ? 16 : 0;
    x->r[i] = is_active(x, i, lane) ? value_of(x, i, lane) : zero ? 0 : x->b[i];
  }
}
static inline void twin_permlane64(Exchange *x) {
  EACH(x, i)
  x->r[i] = x->wave == 64 ? value_of(x, i, (i - first_of(x, i)) ^ 32) : x->a[i];
}
static inline void twin_ballot(Exchange *x) {
  EACH(x, i) {
    x->wide[i] = 0;
    for (U32 lane = 0; lane < x->wave; ++lane)
      x->wide[i] |= (U64)(value_of(x, i, lane) & 1) << lane;
  }
}
/// Bits of the mask in `wide` below the own lane, and `b`.
static inline void twin_mbcnt(Exchange *x) {
  EACH(x, i) {
    U32 own = i - first_of(x, i);
    x->r[i] = (U32)__builtin_popcountl(x->wide[i] & (((U64)1 << own) - 1)) + x->b[i];
  }
}
static inline void twin_reduce(Exchange *x, char operation) {
  EACH(x, i) {
    U32 sum = operation == '&' || operation == '<' ? ~0u : 0;
    for (U32 lane = 0; lane < x->wave; ++lane) {
      if (!is_active(x, i, lane))
        continue;
      U32 v = value_of(x, i, lane);
      sum = operation == '<'   ? (v < sum ? v : sum)
            : operation == '>' ? (v > sum ? v : sum)
            : operation == '&' ? (v & sum)
            : operation == '|' ? (v | sum)
            : operation == '^' ? (v ^ sum)
                               : v + sum;
    }
    x->r[i] = sum;
  }
}

#endif // CK_MLIR_TEST_DIFFERENTIAL_HOSTTWIN_H
