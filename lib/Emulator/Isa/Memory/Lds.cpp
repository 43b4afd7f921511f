//===- Lds.cpp - LDS instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores and atomics of the local data share, in all widths and with two offsets. Addresses
// are bytes from the begin of the workgroup's LDS. Lane exchange through the LDS hardware
// (ds_bpermute and its kin) is in CrossLane.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Families.h"
#include "Emulator/Isa/Memory/FlatAddress.h"
#include "Emulator/Isa/Memory/MemoryFormat.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

static const MemoryFormat &formatOf(const Instruction *inst) {
  return *static_cast<const MemoryFormat *>(inst->extra.pointer);
}

static void resolve(Wave &wave, const Operand &address, uint32_t offset, Lanes &offsets) {
  const Lanes &base = wave.vectorRegister(address);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets[lane] = base[lane] + offset;
}

/// ds_read dst, address
static const Instruction *executeRead(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  Lanes offsets;
  resolve(wave, inst->op(1), uint32_t(inst->mods.offset), offsets);
  const LaneMask lanes = wave.exec();
  if (isPlain(format))
    return loadLds(wave, inst, offsets, lanes, format.size, &wave.vectorRegister(inst->op(0)))
               ? inst + 1
               : nullptr;
  Lanes value = {};
  if (!loadLds(wave, inst, offsets, lanes, format.size, &value))
    return nullptr;
  writeLoaded(wave, inst->op(0), format, value, lanes);
  return inst + 1;
}

/// ds_write address, data
static const Instruction *executeWrite(Wave &wave, const Instruction *inst) {
  const MemoryFormat &format = formatOf(inst);
  Lanes offsets;
  resolve(wave, inst->op(0), uint32_t(inst->mods.offset), offsets);
  const StoreRows data(wave, inst->op(1), format);
  return storeLds(wave, inst, offsets, wave.exec(), format.size, data.rows) ? inst + 1 : nullptr;
}

/// ds_read2 dst, address: two elements at offsets counted in `unit` bytes.
template <unsigned size, unsigned unit>
static const Instruction *executeRead2(Wave &wave, const Instruction *inst) {
  Lanes first, second, values[4];
  resolve(wave, inst->op(1), inst->mods.offset0 * unit, first);
  resolve(wave, inst->op(1), inst->mods.offset1 * unit, second);
  constexpr unsigned words = size / 4;
  if (!loadLds(wave, inst, first, wave.exec(), size, values) ||
      !loadLds(wave, inst, second, wave.exec(), size, values + words))
    return nullptr;
  for (unsigned i = 0; i < 2 * words; ++i)
    wave.commit(inst->op(0), values[i], i);
  return inst + 1;
}

/// ds_write2 address, data0, data1
template <unsigned size, unsigned unit>
static const Instruction *executeWrite2(Wave &wave, const Instruction *inst) {
  Lanes first, second;
  resolve(wave, inst->op(0), inst->mods.offset0 * unit, first);
  resolve(wave, inst->op(0), inst->mods.offset1 * unit, second);
  auto store = [&](const Lanes &offsets, const Operand &op) {
    const Lanes *rows[] = {&wave.vectorRegister(op), &wave.vectorRegister(op, size / 4 - 1)};
    return storeLds(wave, inst, offsets, wave.exec(), size, rows);
  };
  return store(first, inst->op(1)) && store(second, inst->op(2)) ? inst + 1 : nullptr;
}

/// ds_wrxchg2 dst, address, data0, data1: stores both elements and returns the old ones.
template <typename T, unsigned unit>
static const Instruction *executeExchange2(Wave &wave, const Instruction *inst) {
  T old[2][kLanes];
  for (unsigned i = 0; i < 2; ++i) {
    Lanes offsets;
    resolve(wave, inst->op(1), (i ? inst->mods.offset1 : inst->mods.offset0) * unit, offsets);
    const AtomicData<T> data(wave, inst->op(2 + i));
    auto exchange = [&](T, unsigned lane) { return data.values[lane]; };
    if (!updateLds<T>(wave, inst, offsets, wave.exec(), exchange, old[i]))
      return nullptr;
  }
  Operand second = inst->op(0);
  second.index += sizeof(T) / 4;
  writeAtomicResult(wave, inst->op(0), old[0], wave.exec());
  writeAtomicResult(wave, second, old[1], wave.exec());
  return inst + 1;
}

/// An update without (`address, data...`) or with (`dst, address, data...`) the old value returned.
template <typename T, bool returns, class F>
static const Instruction *update(Wave &wave, const Instruction *inst, F fn) {
  Lanes offsets;
  resolve(wave, inst->op(returns), uint32_t(inst->mods.offset), offsets);
  T old[kLanes];
  if (!updateLds<T>(wave, inst, offsets, wave.exec(), fn, old))
    return nullptr;
  if (returns)
    writeAtomicResult(wave, inst->op(0), old, wave.exec());
  return inst + 1;
}

template <typename T, bool returns>
static const Instruction *executeAtomic(Wave &wave, const Instruction *inst) {
  const auto &operation = *static_cast<const AtomicOperation *>(inst->extra.pointer);
  const AtomicData<T> data(wave, inst->op(returns + 1));
  const DefaultFloatEnvironment environment(wave);
  return update<T, returns>(wave, inst, [&](T memory, unsigned lane) -> T {
    if constexpr (sizeof(T) == 8)
      return operation.update64(memory, data.values[lane]);
    else
      return operation.update32(memory, data.values[lane]);
  });
}

// Operations with two data operands.
template <typename T>
static T compareSwap(T memory, T expected, T data) {
  return memory == expected ? data : memory;
}
template <typename T, typename Float>
static T compareSwapFloat(T memory, T expected, T data) {
  return detail::bitCast<Float>(memory) == detail::bitCast<Float>(expected) ? data : memory;
}
template <typename T>
static T maskedOr(T memory, T mask, T data) {
  return (memory & ~mask) | data;
}
template <typename T>
static T wrap(T memory, T bound, T data) {
  return memory >= bound ? memory - bound : memory + data;
}

template <typename T, T (*fn)(T, T, T), bool returns>
static const Instruction *executeAtomic2(Wave &wave, const Instruction *inst) {
  const AtomicData<T> first(wave, inst->op(returns + 1)), second(wave, inst->op(returns + 2));
  return update<T, returns>(wave, inst, [&](T memory, unsigned lane) {
    return fn(memory, first.values[lane], second.values[lane]);
  });
}

static llvm::Error checkRead(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(0), (formatOf(&inst).size + 3) / 4);
}
static llvm::Error checkWrite(Instruction &inst) {
  return checkRegisterCount(inst, inst.op(1), (formatOf(&inst).size + 3) / 4);
}

static constexpr MemoryFormat kReads[] = {
    {"read_b32", 4, Extend::Zero},         {"read_b64", 8, Extend::Zero},
    {"read_b96", 12, Extend::Zero},        {"read_b128", 16, Extend::Zero},
    {"read_u8", 1, Extend::Zero},          {"read_u16", 2, Extend::Zero},
    {"read_i8", 1, Extend::Sign},          {"read_i16", 2, Extend::Sign},
    {"read_u8_d16", 1, Extend::Low16},     {"read_u8_d16_hi", 1, Extend::High16},
    {"read_i8_d16", 1, Extend::Low16Sign}, {"read_i8_d16_hi", 1, Extend::High16Sign},
    {"read_u16_d16", 2, Extend::Low16},    {"read_u16_d16_hi", 2, Extend::High16},
};
static constexpr MemoryFormat kWrites[] = {
    {"write_b32", 4, Extend::Zero},         {"write_b64", 8, Extend::Zero},
    {"write_b96", 12, Extend::Zero},        {"write_b128", 16, Extend::Zero},
    {"write_b8", 1, Extend::Zero},          {"write_b16", 2, Extend::Zero},
    {"write_b8_d16_hi", 1, Extend::High16}, {"write_b16_d16_hi", 2, Extend::High16},
};

namespace {
/// Adds rows with the properties that all LDS instructions share.
struct LdsTable {
  InstructionTable &table;
  void add(const std::string &name, Handler handler, int8_t numOperands,
           ModifierSet accepted = modifiers(Modifier::Offset), Prepare prepare = nullptr,
           const void *data = nullptr, Effect effect = Effect::Unknown,
           const InstructionFacts &facts = {}) {
    table.add("ds_" + name, {handler, InstructionClass::Lds, accepted, SourceType::B32, numOperands,
                             prepare, data, effect, facts});
  }
  void addUpdate(const std::string &name, Handler handler, int8_t numOperands, unsigned bytes,
                 bool returns, ModifierSet accepted = modifiers(Modifier::Offset),
                 const AtomicOperation *operation = nullptr) {
    InstructionFacts facts = describeAccess(MemoryAction::Atomic, MemorySpace::Lds, bytes);
    facts.returns = returns;
    facts.addsFloats = operation && operation->isOfFloats;
    add(name, handler, numOperands, accepted, nullptr, operation, Effect::Unknown, facts);
  }
  template <unsigned bytes, unsigned stride>
  void addPair(const std::string &kind, const std::string &type) {
    constexpr ModifierSet two = modifiers(Modifier::Offset0, Modifier::Offset1);
    auto describe = [](MemoryAction action) {
      return describeAccess(action, MemorySpace::Lds, 2 * bytes);
    };
    using Value = std::conditional_t<bytes == 8, uint64_t, uint32_t>;
    add("read2" + kind + type, executeRead2<bytes, stride>, 2, two, nullptr, nullptr, Effect::Loads,
        describe(MemoryAction::Load));
    // The model of time counts one of the two accesses.
    addUpdate("wrxchg2" + kind + "_rtn" + type, executeExchange2<Value, stride>, 4, bytes,
              /*returns=*/true, two);
    add("write2" + kind + type, executeWrite2<bytes, stride>, 3, two, nullptr, nullptr,
        Effect::StoresBehind, describe(MemoryAction::Store));
  }
  void addPairs() {
    addPair<4, 4>("", "_b32");
    addPair<8, 8>("", "_b64");
    addPair<4, 256>("st64", "_b32");
    addPair<8, 512>("st64", "_b64");
  }
  /// "add_u32" also as "add_rtn_u32"; names that contain "rtn" exist in that form only.
  void addAtomic(const AtomicOperation &operation) {
    const std::string name = operation.name;
    auto addForm = [&](const std::string &formName, bool returns) {
      const Handler handler =
          operation.isWide()
              ? (returns ? executeAtomic<uint64_t, true> : executeAtomic<uint64_t, false>)
              : (returns ? executeAtomic<uint32_t, true> : executeAtomic<uint32_t, false>);
      addUpdate(formName, handler, returns ? 3 : 2, operation.isWide() ? 8 : 4, returns,
                modifiers(Modifier::Offset), &operation);
    };
    if (name.find("_rtn") != std::string::npos)
      return addForm(name, true);
    const size_t type = name.rfind('_');
    addForm(name, false);
    addForm(name.substr(0, type) + "_rtn" + name.substr(type), true);
  }
  template <typename T, T (*fn)(T, T, T)>
  void addAtomic2(const std::string &operation, const std::string &type) {
    addUpdate(operation + "_" + type, executeAtomic2<T, fn, false>, 3, sizeof(T), false);
    addUpdate(operation + "_rtn_" + type, executeAtomic2<T, fn, true>, 4, sizeof(T), true);
  }
};
} // namespace

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

void ckemu::registerMemoryLds(InstructionTable &table) {
  LdsTable lds{table};
  constexpr ModifierSet offset = modifiers(Modifier::Offset);
  for (const MemoryFormat &format : kReads)
    lds.add(format.name, executeRead, 2, offset, checkRead, &format, getLoadEffect(format),
            describeAccess(MemoryAction::Load, MemorySpace::Lds, format.size));
  for (const MemoryFormat &format : kWrites)
    lds.add(format.name, executeWrite, 2, offset, checkWrite, &format, Effect::StoresBehind,
            describeAccess(MemoryAction::Store, MemorySpace::Lds, format.size));
  lds.addPairs();
  for (const AtomicOperation &operation : getLdsAtomics())
    lds.addAtomic(operation);
  lds.addAtomic2<uint32_t, compareSwap<uint32_t>>("cmpst", "b32");
  lds.addAtomic2<uint64_t, compareSwap<uint64_t>>("cmpst", "b64");
  lds.addAtomic2<uint32_t, compareSwapFloat<uint32_t, float>>("cmpst", "f32");
  lds.addAtomic2<uint64_t, compareSwapFloat<uint64_t, double>>("cmpst", "f64");
  lds.addAtomic2<uint32_t, maskedOr<uint32_t>>("mskor", "b32");
  lds.addAtomic2<uint64_t, maskedOr<uint64_t>>("mskor", "b64");
  lds.addUpdate("wrap_rtn_b32", executeAtomic2<uint32_t, wrap<uint32_t>, true>, 4, 4, true);
  lds.add("nop", executeNothing, 0);
}
