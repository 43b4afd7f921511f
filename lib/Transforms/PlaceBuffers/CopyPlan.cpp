//===- CopyPlan.cpp - Which copies between host and device a function needs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. Loops are visited until their state settles; only the copies of the last visit
// count. Where paths meet of which one leaves a buffer on the host and the other on the device, the
// buffer is marked to be brought to the host at the ends of the regions, and the analysis starts
// over.
//
//===----------------------------------------------------------------------===//

#include "Transforms/PlaceBuffers/CopyPlan.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

static bool hasDeviceOps(Operation *op) {
  return op
      ->walk([&](Operation *nested) {
        return nested != op && runsOnDevice(nested) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if the regions of `op` are control flow that the plan follows.
static bool isStructured(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op) &&
         llvm::all_of(op->getRegions(),
                      [](Region &region) { return region.empty() || region.hasOneBlock(); });
}

CopyPlan::CopyPlan(func::FuncOp function, Buffers &buffers)
    : buffers(buffers), onHost(buffers.size()), onDevice(buffers.size()) {
  if (!function.getBody().hasOneBlock()) {
    addTemporaries(function);
    return;
  }
  function.walk([&](Operation *op) {
    if (op != function && op->getNumRegions() > 0 && !runsOnDevice(op) && hasDeviceOps(op))
      regionOps.insert(op);
  });
  do {
    changed = false;
    copies.clear();
    deviceCopies.clear();
    State state(buffers.size());
    visitBlock(function.getBody().front(), state);
  } while (changed);
}

void CopyPlan::addTemporaries(Operation *op) {
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (!runsOnDevice(nested))
      return WalkResult::advance();
    temporaries.insert(nested);
    return WalkResult::skip();
  });
}

/// Makes one side of a buffer hold its contents.
void CopyPlan::planCopy(State &state, unsigned buffer, bool toDevice, Operation *anchor,
                        bool before) {
  Validity &validity = state[buffer];
  bool &side = toDevice ? validity.device : validity.host;
  if (side)
    return;
  copies.push_back({anchor, before, toDevice, buffer});
  side = true;
}

void CopyPlan::visitBlock(Block &block, State &state) {
  visitDefinitions(block.getArguments(), state);
  for (Operation &op : block)
    visitOp(&op, state);
}

/// What an allocation of the function holds at first is nobody's business.
void CopyPlan::visitDefinitions(ValueRange values, State &state) {
  for (Value value : values)
    if (std::optional<unsigned> number = buffers.find(value))
      if (buffers[*number].root == value)
        state[*number] = {true, buffers[*number].sharing == Sharing::Private};
}

void CopyPlan::visitOp(Operation *op, State &state) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (runsOnDevice(op))
    visitDeviceOp(op, state);
  else if (regionOps.contains(op) && isStructured(op))
    visitRegions(op, state);
  else if (!copy || !visitCopy(copy, state))
    visitHostOp(op, state);
  visitDefinitions(op->getResults(), state);
}

/// Others that may overlap with `buffer` were written on the host.
void CopyPlan::writeShared(unsigned buffer, State &state) {
  if (buffers[buffer].sharing != Sharing::Shared)
    return;
  for (unsigned other = 0; other < buffers.size(); ++other)
    if (other != buffer && buffers[other].sharing == Sharing::Shared)
      state[other] = {true, false};
}

/// What others may know under another name goes to the host at once.
void CopyPlan::writeOnDevice(unsigned buffer, Operation *op, State &state) {
  state[buffer] = {false, true};
  if (buffers[buffer].sharing != Sharing::Shared)
    return;
  planCopy(state, buffer, /*toDevice=*/false, op, /*before=*/false);
  writeShared(buffer, state);
}

void CopyPlan::visitDeviceOp(Operation *op, State &state) {
  SmallVector<Access> accesses = buffers.getDeviceAccesses(op);
  for (const Access &access : accesses) {
    onDevice.set(access.buffer);
    if (access.reads || (access.writes && !access.whole))
      planCopy(state, access.buffer, /*toDevice=*/true, op, /*before=*/true);
  }
  for (const Access &access : accesses)
    if (access.writes)
      writeOnDevice(access.buffer, op, state);
}

/// A copy of what only the device holds is made there, if both sides are contiguous.
bool CopyPlan::visitCopy(memref::CopyOp op, State &state) {
  std::optional<unsigned> source = buffers.find(op.getSource()),
                          target = buffers.find(op.getTarget());
  auto isContiguous = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && type.getLayout().isIdentity();
  };
  if (!source || !target || source == target || state[*source].host ||
      !isContiguous(op.getSource()) || !isContiguous(op.getTarget()))
    return false;
  bool whole = llvm::any_of(buffers.getHostAccesses(op), [&](const Access &access) {
    return access.buffer == *target && access.whole;
  });
  if (!whole)
    planCopy(state, *target, /*toDevice=*/true, op, /*before=*/true);
  onDevice.set(*source);
  onDevice.set(*target);
  deviceCopies.insert(op);
  writeOnDevice(*target, op, state);
  return true;
}

void CopyPlan::visitHostOp(Operation *op, State &state) {
  if (regionOps.contains(op))
    addTemporaries(op);
  for (const Access &access : buffers.getHostAccesses(op)) {
    onHost.set(access.buffer);
    if (access.reads || !access.whole)
      planCopy(state, access.buffer, /*toDevice=*/false, op, /*before=*/true);
    if (!access.writes)
      continue;
    state[access.buffer] = {true, false};
    writeShared(access.buffer, state);
  }
  bool unknown = Buffers::isUnknown(op);
  if (op->getNumRegions() > 0 && !isa<linalg::LinalgOp>(op))
    op->walk([&](Operation *nested) { unknown |= nested != op && Buffers::isUnknown(nested); });
  if (!unknown)
    return;
  for (unsigned buffer = 0; buffer < buffers.size(); ++buffer)
    if (buffers[buffer].sharing == Sharing::Shared)
      state[buffer] = {true, false};
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// True if `buffer` lives longer than one run of a region of `op`.
bool CopyPlan::isOutside(unsigned buffer, Operation *op) {
  return !op->isAncestor(buffers[buffer].root.getParentBlock()->getParentOp());
}

/// What holds on two paths; buffers of the regions of `op` are none of them.
void CopyPlan::meet(Operation *op, State &into, const State &other) {
  for (unsigned buffer = 0; buffer < into.size(); ++buffer) {
    if (!isOutside(buffer, op))
      continue;
    Validity &validity = into[buffer];
    validity.host &= other[buffer].host;
    validity.device &= other[buffer].device;
    if (validity.host || validity.device)
      continue;
    changed |= synced[op].insert(buffer);
    validity.host = true;
  }
}

/// Uploads in front of a loop what device ops in it read and nobody in it writes on the host.
void CopyPlan::preload(Operation *loop, State &state) {
  llvm::BitVector read(buffers.size()), written(buffers.size());
  bool writesShared = false;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == loop)
      return WalkResult::advance();
    bool device = runsOnDevice(op);
    if (!device && op->getNumRegions() > 0 && !isa<linalg::LinalgOp>(op))
      return WalkResult::advance();
    for (const Access &access :
         device ? buffers.getDeviceAccesses(op) : buffers.getHostAccesses(op)) {
      if (device && access.reads)
        read.set(access.buffer);
      if (!device && access.writes)
        written.set(access.buffer);
      writesShared |= access.writes && buffers[access.buffer].sharing == Sharing::Shared;
    }
    writesShared |= !device && Buffers::isUnknown(op);
    return device ? WalkResult::skip() : WalkResult::advance();
  });
  auto mayBeWritten = [&](unsigned buffer) {
    bool isShared = buffers[buffer].sharing == Sharing::Shared;
    return written.test(buffer) || (writesShared && isShared);
  };
  for (unsigned buffer : read.set_bits())
    if (!mayBeWritten(buffer) && isOutside(buffer, loop))
      planCopy(state, buffer, /*toDevice=*/true, loop, /*before=*/true);
}

void CopyPlan::visitRegion(Operation *op, Region &region, State &state) {
  visitBlock(region.front(), state);
  if (auto it = synced.find(op); it != synced.end())
    for (unsigned buffer : it->second)
      planCopy(state, buffer, /*toDevice=*/false, region.front().getTerminator(), /*before=*/true);
}

void CopyPlan::visitRegions(Operation *op, State &state) {
  if (auto it = synced.find(op); it != synced.end())
    for (unsigned buffer : it->second)
      planCopy(state, buffer, /*toDevice=*/false, op, /*before=*/true);
  bool loops = isa<LoopLikeOpInterface>(op);
  if (loops)
    preload(op, state);
  State entry = state;
  while (true) {
    size_t numCopies = copies.size();
    llvm::SetVector<memref::CopyOp> oldDeviceCopies = deviceCopies;
    std::optional<State> merged;
    for (Region &region : op->getRegions()) {
      State end = entry;
      if (!region.empty())
        visitRegion(op, region, end);
      if (merged)
        meet(op, *merged, end);
      else
        merged = std::move(end);
    }
    for (unsigned buffer = 0; buffer < buffers.size(); ++buffer)
      if (!isOutside(buffer, op))
        (*merged)[buffer] = entry[buffer];
    if (!loops) {
      state = std::move(*merged);
      return;
    }
    State next = entry;
    meet(op, next, *merged);
    if (next == entry) {
      state = std::move(entry);
      return;
    }
    entry = std::move(next);
    copies.truncate(numCopies);
    deviceCopies = std::move(oldDeviceCopies);
  }
}
