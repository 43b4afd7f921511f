//===- LdsAddresses.cpp - Addresses beyond the offsets of LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is the sum of a global variable in LDS, of a value times a constant, and of a
// constant. Accesses with the same variable and multiple are sorted by the last constant; each run
// of them that the offsets of instructions cover gets an address. This is hidden from LLVM, which
// would add the constants up again otherwise.
//
//===----------------------------------------------------------------------===//

#include "Serialize/LdsAddresses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>
#include <tuple>

using namespace llvm;

namespace {
constexpr int64_t kOffsetBytes = 65536; ///< of the offset of an instruction

/// What accesses have in common: `variable` + `value` * `scale`, in bytes.
using Common = std::tuple<Value *, Value *, int64_t>;

struct Access {
  Use *pointer;   ///< of the instruction
  int64_t offset; ///< constant bytes beyond what accesses have in common
};
} // namespace

/// The address operand of `instruction` if that reads or writes LDS by lanes.
static Use *findLdsPointer(Instruction &instruction) {
  Use *pointer = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    pointer = &load->getOperandUse(LoadInst::getPointerOperandIndex());
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    pointer = &store->getOperandUse(StoreInst::getPointerOperandIndex());
  else if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    switch (call->getIntrinsicID()) {
    case Intrinsic::amdgcn_ds_read_tr16_b64:
    case Intrinsic::amdgcn_ds_read_tr8_b64:
      pointer = &call->getArgOperandUse(0);
      break;
    default:
      break;
    }
  if (!pointer || pointer->get()->getType()->getPointerAddressSpace() != AMDGPUAS::LOCAL_ADDRESS)
    return nullptr;
  return pointer;
}

/// Moves constants that are added to `value` to `offset`, and those it is shifted by to `scale`.
static void moveConstants(Value *&value, int64_t &scale, int64_t &offset) {
  using namespace PatternMatch;
  Value *inner = nullptr;
  const APInt *constant = nullptr;
  while (true) {
    if (match(value, m_AddLike(m_Value(inner), m_APInt(constant))))
      offset += constant->getSExtValue() * scale;
    else if (match(value, m_Shl(m_Value(inner), m_APInt(constant))) && constant->ult(16))
      scale <<= constant->getZExtValue();
    else
      return;
    value = inner;
  }
}

/// Takes the address of an access apart; nullopt if it is not a sum of that form.
static std::optional<std::pair<Common, int64_t>> takeApart(Value *pointer,
                                                           const DataLayout &layout) {
  const unsigned width = layout.getIndexSizeInBits(AMDGPUAS::LOCAL_ADDRESS);
  SmallMapVector<Value *, APInt, 4> multiples;
  APInt constant(width, 0);
  while (auto *address = dyn_cast<GEPOperator>(pointer)) {
    if (!address->collectOffset(layout, width, multiples, constant))
      return std::nullopt;
    pointer = address->getPointerOperand();
  }
  if (!isa<GlobalVariable>(pointer) || multiples.size() != 1)
    return std::nullopt;
  auto [value, factor] = multiples.front();
  int64_t scale = factor.getSExtValue(), offset = constant.getSExtValue();
  moveConstants(value, scale, offset);
  const auto *definition = dyn_cast<Instruction>(value);
  if (!value->getType()->isIntegerTy(width) || (definition && definition->isTerminator()))
    return std::nullopt;
  return std::pair(Common(pointer, value, scale), offset);
}

/// The address `offset` bytes beyond what accesses have in common, in a register.
static Value *createAddress(const Common &common, int64_t offset, Function &function) {
  auto [variable, value, scale] = common;
  std::optional<BasicBlock::iterator> place = function.getEntryBlock().getFirstInsertionPt();
  if (auto *definition = dyn_cast<Instruction>(value))
    place = definition->getInsertionPointAfterDef();
  IRBuilder<> builder(function.getContext());
  builder.SetInsertPoint(*place);
  Type *type = value->getType();
  Value *bytes = builder.CreateMul(value, ConstantInt::get(type, scale));
  bytes = builder.CreateAdd(bytes, ConstantInt::getSigned(type, offset));
  InlineAsm *hidden = InlineAsm::get(FunctionType::get(type, {type}, /*isVarArg=*/false),
                                     /*AsmString=*/"", /*Constraints=*/"=v,0",
                                     /*hasSideEffects=*/false);
  return builder.CreatePtrAdd(variable, builder.CreateCall(hidden, {bytes}));
}

/// Rewrites the accesses that have `common` in common.
static void shareAddresses(const Common &common, MutableArrayRef<Access> accesses,
                           Function &function) {
  llvm::sort(accesses, [](const Access &a, const Access &b) { return a.offset < b.offset; });
  if (accesses.back().offset < kOffsetBytes)
    return;
  Value *address = nullptr;
  int64_t first = 0;
  for (const Access &access : accesses) {
    if (!address || access.offset - first >= kOffsetBytes) {
      first = access.offset;
      address = createAddress(common, first, function);
    }
    IRBuilder<> builder(cast<Instruction>(access.pointer->getUser()));
    Value *old = access.pointer->get();
    access.pointer->set(builder.CreatePtrAdd(address, builder.getInt32(access.offset - first)));
    RecursivelyDeleteTriviallyDeadInstructions(old);
  }
}

void mlir::ck::shareLdsAddresses(Function &function) {
  MapVector<Common, SmallVector<Access>> groups;
  for (Instruction &instruction : instructions(function))
    if (Use *pointer = findLdsPointer(instruction))
      if (auto parts = takeApart(pointer->get(), function.getDataLayout()))
        groups[parts->first].push_back({pointer, parts->second});
  for (auto &[common, accesses] : groups)
    shareAddresses(common, accesses, function);
}
