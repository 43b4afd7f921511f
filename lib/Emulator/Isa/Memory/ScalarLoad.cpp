//===- ScalarLoad.cpp - Scalar memory instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads into SGPRs from an address pair or a buffer descriptor, clocks, and cache control, which
// has no effect because the emulator has no caches.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/Fence.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Memory/ScalarAddress.h"
#include "Emulator/Memory/LaneMemory.h"
#include <chrono>

using namespace ckemu;

/// What bytes without a value read as: a NaN in every floating-point type.
static constexpr uint32_t kUnknown = 0xffadffad;

/// Dword of which the bytes in the bits of `known` hold values.
static uint32_t readPartly(const uint8_t *bytes, unsigned known) {
  uint32_t result = kUnknown;
  for (unsigned i = 0; i < 4; ++i)
    if (known >> i & 1)
      result = (result & ~(0xffu << 8 * i)) | uint32_t(bytes[i]) << 8 * i;
  return result;
}

/// Loads `count` dwords (up to 16), each at once as the hardware does: another workgroup may write
/// them. False after a fault.
static bool loadDwords(Wave &wave, const Instruction *inst, uint64_t address, unsigned count) {
  uint64_t known = checkGlobalScalar(wave, inst, address, 4 * count);
  if (known == 0)
    return false;
  const auto *dwords = reinterpret_cast<const uint32_t *>(address & ~uint64_t(3));
  uint32_t *to = &wave.sgpr[inst->op(0).index];
  for (unsigned i = 0; i < count; ++i, known >>= 4)
    to[i] = (known & 15) == 15
                ? __atomic_load_n(dwords + i, __ATOMIC_RELAXED)
                : readPartly(reinterpret_cast<const uint8_t *>(dwords + i), unsigned(known & 15));
  return true;
}

static const Instruction *executeLoad(Wave &wave, const Instruction *inst) {
  if (inst->op(0).index == kNull)
    return inst + 1;
  const uint64_t address = wave.scalar64(inst->op(1)) + uint64_t(scalarOffset(wave, inst));
  return loadDwords(wave, inst, address, inst->op(0).count) ? inst + 1 : nullptr;
}

/// Loads of one or two bytes, of gfx12; T says which and whether they are signed.
template <typename T>
static const Instruction *loadSmall(Wave &wave, const Instruction *inst, uint64_t address) {
  if (!checkGlobalScalar(wave, inst, address, sizeof(T)))
    return nullptr;
  address &= ~uint64_t(sizeof(T) - 1);
  const T value = __atomic_load_n(reinterpret_cast<const T *>(address), __ATOMIC_RELAXED);
  wave.setScalar32(inst->op(0), uint32_t(int32_t(value)));
  return inst + 1;
}

template <typename T>
static const Instruction *executeSmallLoad(Wave &wave, const Instruction *inst) {
  return loadSmall<T>(wave, inst, wave.scalar64(inst->op(1)) + uint64_t(scalarOffset(wave, inst)));
}

template <typename T>
static const Instruction *executeSmallBufferLoad(Wave &wave, const Instruction *inst) {
  const ScalarBuffer buffer(wave, inst->op(1));
  const uint64_t offset = uint64_t(scalarOffset(wave, inst)), first = offset & ~(sizeof(T) - 1);
  if (first < buffer.size && buffer.size - first >= sizeof(T))
    return loadSmall<T>(wave, inst, buffer.base + offset);
  wave.setScalar32(inst->op(0), 0);
  return inst + 1;
}

/// Dwords out of the descriptor's range read 0.
static const Instruction *executeBufferLoad(Wave &wave, const Instruction *inst) {
  if (inst->op(0).index == kNull)
    return inst + 1;
  const auto [base, size] = ScalarBuffer(wave, inst->op(1));
  const uint64_t offset = uint64_t(scalarOffset(wave, inst)), first = offset & ~uint64_t(3);
  const unsigned count = inst->op(0).count;
  const uint64_t available = first < size ? (size - first) / 4 : 0;
  const unsigned inRange = available < count ? unsigned(available) : count;
  if (inRange && !loadDwords(wave, inst, base + offset, inRange))
    return nullptr;
  for (unsigned i = inRange; i < count; ++i)
    wave.sgpr[inst->op(0).index + i] = 0;
  return inst + 1;
}

/// A clock of `ticksPerSecond`; programs can only measure with it.
template <int64_t ticksPerSecond>
static const Instruction *executeClock(Wave &wave, const Instruction *inst) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  wave.setScalar64(inst->op(0), uint64_t(nanoseconds / (1000000000 / ticksPerSecond)));
  return inst + 1;
}

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

/// The facts of loads: their result is a function of what lies in memory.
static constexpr InstructionFacts describeLoad() {
  InstructionFacts facts = describeReplacement();
  facts.action = MemoryAction::Load;
  return facts;
}

static void addLoad(InstructionTable &table, const std::string &name, Handler handler) {
  table.add(name, {handler, InstructionClass::Smem, kCacheModifiers | modifiers(Modifier::Offset),
                   SourceType::B64, 3, nullptr, nullptr, Effect::Unknown, describeLoad()});
}

/// What gfx12 has beside the loads of whole dwords.
static void addGfx12(InstructionTable &table) {
  auto addLoads = [&](const std::string &type, Handler load, Handler bufferLoad) {
    addLoad(table, "s_load_" + type, load);
    addLoad(table, "s_buffer_load_" + type, bufferLoad);
  };
  addLoads("u8", executeSmallLoad<uint8_t>, executeSmallBufferLoad<uint8_t>);
  addLoads("i8", executeSmallLoad<int8_t>, executeSmallBufferLoad<int8_t>);
  addLoads("u16", executeSmallLoad<uint16_t>, executeSmallBufferLoad<uint16_t>);
  addLoads("i16", executeSmallLoad<int16_t>, executeSmallBufferLoad<int16_t>);
  addLoads("b96", executeLoad, executeBufferLoad);
  for (const char *name : {"s_prefetch_data", "s_prefetch_inst", "s_prefetch_data_pc_rel",
                           "s_prefetch_inst_pc_rel", "s_buffer_prefetch_data"})
    table.add(name, {executeNothing, InstructionClass::Smem,
                     kCacheModifiers | modifiers(Modifier::Offset), SourceType::B64});
}

void ckemu::registerMemoryScalarLoad(InstructionTable &table) {
  if (table.getIsa() == Isa::Gfx12)
    addGfx12(table);
  for (const char *count : {"", "x2", "x4", "x8", "x16"}) {
    addLoad(table, std::string("s_load_dword") + count, executeLoad);
    addLoad(table, std::string("s_buffer_load_dword") + count, executeBufferLoad);
  }
  auto add = [&](const char *name, Handler handler, int8_t numOperands,
                 const InstructionFacts &facts = {}) {
    table.add(name, {handler, InstructionClass::Smem, 0, SourceType::B64, numOperands, nullptr,
                     nullptr, Effect::Unknown, facts});
  };
  add("s_memtime", executeClock<1000000000>, 1);
  add("s_memrealtime", executeClock<100000000>, 1);
  for (const char *name : {"s_dcache_inv", "s_dcache_inv_vol", "s_gl1_inv"})
    add(name, executeAcquire, 0, describeTiming(TimingClass::Invalidate));
  for (const char *name : {"s_dcache_wb", "s_dcache_wb_vol"})
    add(name, executeRelease, 0, describeTiming(TimingClass::WriteBack));
}
