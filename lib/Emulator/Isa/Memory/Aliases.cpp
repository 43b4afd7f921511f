//===- Aliases.cpp - Instructions that gfx11 and gfx12 renamed -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most scalar and memory instructions of gfx9 exist on gfx11 and gfx12 under other names. The
// families say what they do; here are the pairs of names, and the few details that changed with
// them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ckemu;

namespace {
struct Name {
  const char *rdna, *cdna;
};
/// A d16 load: it keeps the other half of the register.
struct HalfLoad {
  const char *rdna, *cdna;
  MemoryFormat format;
};
} // namespace

static constexpr Name kScalarNames[] = {
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_and_not1_saveexec_b64", "s_andn2_saveexec_b64"},
    {"s_or_not1_saveexec_b64", "s_orn2_saveexec_b64"},
    {"s_and_not0_saveexec_b64", "s_andn1_saveexec_b64"},
    {"s_or_not0_saveexec_b64", "s_orn1_saveexec_b64"},
    {"s_and_not0_wrexec_b64", "s_andn1_wrexec_b64"},
    {"s_and_not1_wrexec_b64", "s_andn2_wrexec_b64"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"s_add_co_u32", "s_add_u32"},
    {"s_sub_co_u32", "s_sub_u32"},
    {"s_add_co_i32", "s_add_i32"},
    {"s_sub_co_i32", "s_sub_i32"},
    {"s_add_co_ci_u32", "s_addc_u32"},
    {"s_sub_co_ci_u32", "s_subb_u32"},
    {"s_addk_co_i32", "s_addk_i32"},
    {"s_load_b32", "s_load_dword"},
    {"s_load_b64", "s_load_dwordx2"},
    {"s_load_b128", "s_load_dwordx4"},
    {"s_load_b256", "s_load_dwordx8"},
    {"s_load_b512", "s_load_dwordx16"},
    {"s_buffer_load_b32", "s_buffer_load_dword"},
    {"s_buffer_load_b64", "s_buffer_load_dwordx2"},
    {"s_buffer_load_b128", "s_buffer_load_dwordx4"},
    {"s_buffer_load_b256", "s_buffer_load_dwordx8"},
    {"s_buffer_load_b512", "s_buffer_load_dwordx16"},
};

/// Behind "global_", "flat_", "scratch_" and "buffer_".
static constexpr Name kVectorNames[] = {
    {"load_b32", "load_dword"},
    {"load_b64", "load_dwordx2"},
    {"load_b96", "load_dwordx3"},
    {"load_b128", "load_dwordx4"},
    {"load_u8", "load_ubyte"},
    {"load_i8", "load_sbyte"},
    {"load_u16", "load_ushort"},
    {"load_i16", "load_sshort"},
    {"store_b32", "store_dword"},
    {"store_b64", "store_dwordx2"},
    {"store_b96", "store_dwordx3"},
    {"store_b128", "store_dwordx4"},
    {"store_b8", "store_byte"},
    {"store_b16", "store_short"},
    {"store_d16_hi_b8", "store_byte_d16_hi"},
    {"store_d16_hi_b16", "store_short_d16_hi"},
    {"atomic_swap_b32", "atomic_swap"},
    {"atomic_swap_b64", "atomic_swap_x2"},
    {"atomic_cmpswap_b32", "atomic_cmpswap"},
    {"atomic_cmpswap_b64", "atomic_cmpswap_x2"},
    {"atomic_add_u32", "atomic_add"},
    {"atomic_add_u64", "atomic_add_x2"},
    {"atomic_sub_u32", "atomic_sub"},
    {"atomic_sub_u64", "atomic_sub_x2"},
    {"atomic_min_i32", "atomic_smin"},
    {"atomic_min_i64", "atomic_smin_x2"},
    {"atomic_min_u32", "atomic_umin"},
    {"atomic_min_u64", "atomic_umin_x2"},
    {"atomic_max_i32", "atomic_smax"},
    {"atomic_max_i64", "atomic_smax_x2"},
    {"atomic_max_u32", "atomic_umax"},
    {"atomic_max_u64", "atomic_umax_x2"},
    {"atomic_and_b32", "atomic_and"},
    {"atomic_and_b64", "atomic_and_x2"},
    {"atomic_or_b32", "atomic_or"},
    {"atomic_or_b64", "atomic_or_x2"},
    {"atomic_xor_b32", "atomic_xor"},
    {"atomic_xor_b64", "atomic_xor_x2"},
    {"atomic_inc_u32", "atomic_inc"},
    {"atomic_inc_u64", "atomic_inc_x2"},
    {"atomic_dec_u32", "atomic_dec"},
    {"atomic_dec_u64", "atomic_dec_x2"},
    {"atomic_min_num_f32", "atomic_min_f32"},
    {"atomic_max_num_f32", "atomic_max_f32"},
};
static constexpr HalfLoad kVectorHalfLoads[] = {
    {"load_d16_u8", "load_ubyte_d16", {"", 1, Extend::KeepLow16}},
    {"load_d16_hi_u8", "load_ubyte_d16_hi", {"", 1, Extend::KeepHigh16}},
    {"load_d16_i8", "load_sbyte_d16", {"", 1, Extend::KeepLow16Sign}},
    {"load_d16_hi_i8", "load_sbyte_d16_hi", {"", 1, Extend::KeepHigh16Sign}},
    {"load_d16_b16", "load_short_d16", {"", 2, Extend::KeepLow16}},
    {"load_d16_hi_b16", "load_short_d16_hi", {"", 2, Extend::KeepHigh16}},
};

static constexpr Name kLdsNames[] = {
    {"ds_load_b32", "ds_read_b32"},
    {"ds_load_b64", "ds_read_b64"},
    {"ds_load_b96", "ds_read_b96"},
    {"ds_load_b128", "ds_read_b128"},
    {"ds_load_u8", "ds_read_u8"},
    {"ds_load_i8", "ds_read_i8"},
    {"ds_load_u16", "ds_read_u16"},
    {"ds_load_i16", "ds_read_i16"},
    {"ds_load_2addr_b32", "ds_read2_b32"},
    {"ds_load_2addr_b64", "ds_read2_b64"},
    {"ds_load_2addr_stride64_b32", "ds_read2st64_b32"},
    {"ds_load_2addr_stride64_b64", "ds_read2st64_b64"},
    {"ds_store_b8", "ds_write_b8"},
    {"ds_store_b16", "ds_write_b16"},
    {"ds_store_b8_d16_hi", "ds_write_b8_d16_hi"},
    {"ds_store_b16_d16_hi", "ds_write_b16_d16_hi"},
    {"ds_store_b32", "ds_write_b32"},
    {"ds_store_b64", "ds_write_b64"},
    {"ds_store_b96", "ds_write_b96"},
    {"ds_store_b128", "ds_write_b128"},
    {"ds_store_2addr_b32", "ds_write2_b32"},
    {"ds_store_2addr_b64", "ds_write2_b64"},
    {"ds_store_2addr_stride64_b32", "ds_write2st64_b32"},
    {"ds_store_2addr_stride64_b64", "ds_write2st64_b64"},
    {"ds_min_num_f32", "ds_min_f32"},
    {"ds_min_num_rtn_f32", "ds_min_rtn_f32"},
    {"ds_max_num_f32", "ds_max_f32"},
    {"ds_max_num_rtn_f32", "ds_max_rtn_f32"},
    {"ds_min_num_f64", "ds_min_f64"},
    {"ds_min_num_rtn_f64", "ds_min_rtn_f64"},
    {"ds_max_num_f64", "ds_max_f64"},
    {"ds_max_num_rtn_f64", "ds_max_rtn_f64"},
};
static constexpr HalfLoad kLdsHalfLoads[] = {
    {"ds_load_u8_d16", "ds_read_u8_d16", {"", 1, Extend::KeepLow16}},
    {"ds_load_u8_d16_hi", "ds_read_u8_d16_hi", {"", 1, Extend::KeepHigh16}},
    {"ds_load_i8_d16", "ds_read_i8_d16", {"", 1, Extend::KeepLow16Sign}},
    {"ds_load_i8_d16_hi", "ds_read_i8_d16_hi", {"", 1, Extend::KeepHigh16Sign}},
    {"ds_load_u16_d16", "ds_read_u16_d16", {"", 2, Extend::KeepLow16}},
    {"ds_load_u16_d16_hi", "ds_read_u16_d16_hi", {"", 2, Extend::KeepHigh16}},
};

/// Exchanges of LDS. Like stores, they get data for others, and read them behind their issue.
static constexpr Name kExchanges[] = {
    {"ds_storexchg_rtn_b32", "ds_wrxchg_rtn_b32"},
    {"ds_storexchg_rtn_b64", "ds_wrxchg_rtn_b64"},
    {"ds_storexchg_2addr_rtn_b32", "ds_wrxchg2_rtn_b32"},
    {"ds_storexchg_2addr_rtn_b64", "ds_wrxchg2_rtn_b64"},
    {"ds_storexchg_2addr_stride64_rtn_b32", "ds_wrxchg2st64_rtn_b32"},
    {"ds_storexchg_2addr_stride64_rtn_b64", "ds_wrxchg2st64_rtn_b64"},
};

/// Compare-and-store of LDS has the new value before the expected one, unlike gfx9's.
static constexpr Name kCompareStores[] = {
    {"ds_cmpstore_b32", "ds_cmpst_b32"},         {"ds_cmpstore_b64", "ds_cmpst_b64"},
    {"ds_cmpstore_f32", "ds_cmpst_f32"},         {"ds_cmpstore_f64", "ds_cmpst_f64"},
    {"ds_cmpstore_rtn_b32", "ds_cmpst_rtn_b32"}, {"ds_cmpstore_rtn_b64", "ds_cmpst_rtn_b64"},
    {"ds_cmpstore_rtn_f32", "ds_cmpst_rtn_f32"}, {"ds_cmpstore_rtn_f64", "ds_cmpst_rtn_f64"},
};

static llvm::Error swapLastOperands(Instruction &inst) {
  std::swap(inst.op(inst.numOperands - 1u), inst.op(inst.numOperands - 2u));
  return llvm::Error::success();
}

namespace {
/// What differs from what the table says about the old name.
struct Change {
  const MemoryFormat *format = nullptr;
  Prepare prepare = nullptr;
  bool fetches = false, readsDataLate = false;
};
} // namespace

/// Adds `rdna` with what the table says about `cdna`; nothing when that does not exist.
static void addName(InstructionTable &table, const std::string &rdna, const std::string &cdna,
                    const Change &change = {}) {
  const OpcodeInfo *known = table.lookup(cdna);
  if (!known)
    return;
  OpcodeInfo info = *known;
  if (change.format) {
    info.data = change.format;
    info.facts.loadedPart = getLoadedPart(*change.format);
  }
  if (change.prepare)
    info.prepare = change.prepare;
  info.facts.fetches |= change.fetches;
  info.facts.readsDataLate |= change.readsDataLate;
  table.add(rdna, info);
}

void ckemu::registerMemoryAliases(InstructionTable &table) {
  for (const Name &name : llvm::concat<const Name>(kScalarNames, kLdsNames))
    addName(table, name.rdna, name.cdna);
  for (const std::string space : {"global_", "flat_", "scratch_", "buffer_"}) {
    for (const Name &name : kVectorNames)
      addName(table, space + name.rdna, space + name.cdna);
    for (const HalfLoad &load : kVectorHalfLoads)
      addName(table, space + load.rdna, space + load.cdna, {&load.format});
  }
  for (const HalfLoad &load : kLdsHalfLoads)
    addName(table, load.rdna, load.cdna, {&load.format});
  for (const Name &name : kExchanges)
    addName(table, name.rdna, name.cdna,
            {nullptr, nullptr, /*fetches=*/true, /*readsDataLate=*/true});
  for (const Name &name : kCompareStores)
    addName(table, name.rdna, name.cdna,
            {nullptr, swapLastOperands, /*fetches=*/false, /*readsDataLate=*/true});
}
