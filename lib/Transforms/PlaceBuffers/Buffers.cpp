//===- Buffers.cpp - Who accesses the buffers of a function -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/PlaceBuffers/Buffers.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::ck;

static bool isMemRef(Value value) { return isa<BaseMemRefType>(value.getType()); }

static bool hasIdentityLayout(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getLayout().isIdentity();
}

bool ck::runsOnDevice(Operation *op) {
  auto problem = dyn_cast<ProblemOpInterface>(op);
  return isa<gpu::LaunchOp>(op) || (problem && isMemRef(problem.getWritten()));
}

bool ck::isView(Operation *op) {
  auto view = dyn_cast_or_null<ViewLikeOpInterface>(op);
  return view && op->getNumResults() == 1 && isMemRef(op->getResult(0)) &&
         isMemRef(view.getViewSource());
}

Value ck::getRoot(Value value) {
  Value root = value;
  while (isView(root.getDefiningOp()))
    root = cast<ViewLikeOpInterface>(root.getDefiningOp()).getViewSource();
  return hasIdentityLayout(root) ? root : value;
}

/// True if `value` has all elements of its root.
static bool coversRoot(Value value) {
  Value root = getRoot(value);
  while (value != root &&
         isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value == root;
}

SmallVector<Value> ck::getDeviceValues(Operation *op) {
  llvm::SetVector<Value> values(op->getOperands().begin(), op->getOperands().end());
  if (auto launch = dyn_cast<gpu::LaunchOp>(op))
    getUsedValuesDefinedAbove(launch.getBody(), values);
  SmallVector<Value> memrefs = values.takeVector();
  llvm::erase_if(memrefs, [](Value value) { return !isMemRef(value); });
  return memrefs;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Ops that hand on no name of a buffer, whatever they do to its elements.
static bool keepsNames(Operation *op) {
  if (isView(op) || runsOnDevice(op) || isa<func::ReturnOp, memref::DeallocOp>(op))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() > 0)
    return isa<linalg::LinalgOp>(op);
  return llvm::none_of(op->getResults(), isMemRef) && !isa<memref::StoreOp>(op) &&
         (isa<CallOpInterface>(op) || isa<MemoryEffectOpInterface>(op) || isMemoryEffectFree(op));
}

/// The sharing of a root by what defines it.
static Sharing getSharing(Value root) {
  Operation *op = root.getDefiningOp();
  if (!op || !hasIdentityLayout(root))
    return Sharing::Shared;
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return Sharing::Private;
  if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(op, get.getNameAttr());
    if (global && global.getConstant())
      return Sharing::Constant;
  }
  return Sharing::Shared;
}

void Buffers::addRoot(Value value) {
  if (isMemRef(value) && getRoot(value) == value)
    entries.insert({value, {value, getSharing(value)}});
}

/// Whoever gets a name of a buffer from `op` may use it later.
void Buffers::shareOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    std::optional<unsigned> number = isMemRef(operand) ? find(operand) : std::nullopt;
    if (number && (*this)[*number].sharing == Sharing::Private)
      (*this)[*number].sharing = Sharing::Shared;
  }
}

Buffers::Buffers(func::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    for (Value result : op->getResults())
      addRoot(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), [&](Value argument) { addRoot(argument); });
    return WalkResult::advance();
  });
  function.walk([&](Operation *op) {
    bool stores = isa<memref::StoreOp>(op) && isMemRef(op->getOperand(0));
    if (stores || !(keepsNames(op) || isa<memref::StoreOp>(op)))
      shareOperands(op);
  });
}

std::optional<unsigned> Buffers::find(Value value) const {
  const auto *it = entries.find(getRoot(value));
  if (it == entries.end())
    return std::nullopt;
  return it - entries.begin();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Buffers::addAccess(SmallVector<Access> &accesses, Value value, bool reads, bool writes,
                        bool whole) const {
  std::optional<unsigned> number = isMemRef(value) ? find(value) : std::nullopt;
  if (!number)
    return;
  auto *known = llvm::find_if(accesses, [&](Access &access) { return access.buffer == *number; });
  if (known == accesses.end()) {
    accesses.push_back({*number, reads, writes, whole});
    return;
  }
  known->reads |= reads;
  known->writes |= writes;
  known->whole |= whole;
}

bool Buffers::isUnknown(Operation *op) {
  if (isView(op) || isa<memref::DeallocOp, func::ReturnOp>(op) || isMemoryEffectFree(op))
    return false;
  return isa<CallOpInterface>(op) ||
         !(isa<MemoryEffectOpInterface>(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
}

/// True if `op` writes every element of `value`.
static bool writesWhole(Operation *op, Value value) {
  if (!coversRoot(value))
    return false;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == value && copy.getSource() != value;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && llvm::any_of(structured.getDpsInitsMutable(), [&](OpOperand &init) {
           return init.get() == value && !structured.payloadUsesValueFromOperand(&init) &&
                  structured.getMatchingIndexingMap(&init).isPermutation();
         });
}

/// Adds what `op` itself does.
void Buffers::addEffects(SmallVector<Access> &accesses, Operation *op) const {
  if (isView(op) || isa<memref::DeallocOp>(op))
    return;
  if (isa<func::ReturnOp>(op) || isUnknown(op)) {
    bool writes = !isa<func::ReturnOp>(op);
    for (Value operand : op->getOperands())
      addAccess(accesses, operand, /*reads=*/true, writes, /*whole=*/false);
    return;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (!reads && !writes)
      continue;
    if (Value value = effect.getValue())
      addAccess(accesses, value, reads, writes, writes && writesWhole(op, value));
    else
      for (Value operand : op->getOperands())
        addAccess(accesses, operand, reads, writes, /*whole=*/false);
  }
}

SmallVector<Access> Buffers::getHostAccesses(Operation *op) const {
  SmallVector<Access> accesses;
  addEffects(accesses, op);
  if (isa<linalg::LinalgOp>(op))
    return accesses;
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *nested) {
      if (runsOnDevice(nested)) {
        for (Access &access : getDeviceAccesses(nested))
          addAccess(accesses, (entries.begin() + access.buffer)->first, true, access.writes, false);
        return WalkResult::skip();
      }
      SmallVector<Access> inner;
      addEffects(inner, nested);
      for (Access &access : inner)
        addAccess(accesses, (entries.begin() + access.buffer)->first, access.reads, access.writes,
                  false);
      return WalkResult::advance();
    });
  return accesses;
}

SmallVector<Access> Buffers::getDeviceAccesses(Operation *op) const {
  SmallVector<Access> accesses;
  if (auto problem = dyn_cast<ProblemOpInterface>(op)) {
    for (Value factor : problem.getFactors())
      addAccess(accesses, factor, /*reads=*/true, /*writes=*/false, /*whole=*/false);
    for (Value d : problem.getDs())
      addAccess(accesses, d, /*reads=*/true, /*writes=*/false, /*whole=*/false);
    Value written = problem.getWritten();
    addAccess(accesses, written, /*reads=*/false, /*writes=*/true, coversRoot(written));
    return accesses;
  }
  for (Value value : getDeviceValues(op))
    addAccess(accesses, value, /*reads=*/false, /*writes=*/false, /*whole=*/false);
  cast<gpu::LaunchOp>(op).getBody().walk([&](Operation *nested) {
    SmallVector<Access> inner;
    addEffects(inner, nested);
    for (Access &access : inner)
      addAccess(accesses, (entries.begin() + access.buffer)->first, access.reads, access.writes,
                false);
  });
  return accesses;
}
