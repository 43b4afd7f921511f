//===- PlaceBuffers.cpp - Put the buffers of kernels on the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's gpu passes leave it to the program where its memrefs are. Here each buffer that a
// kernel touches gets a twin on the device, and the copies between the two are those that the
// program needs.
//
//===----------------------------------------------------------------------===//

#include "Transforms/PlaceBuffers/CopyPlan.h"
#include "Transforms/VerifyBuffers.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::ck {
#define GEN_PASS_DEF_PLACEBUFFERSPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Rewrites a function as its plan says.
class Placement {
public:
  Placement(func::FuncOp function, Buffers &buffers, const CopyPlan &plan)
      : buffers(buffers), plan(plan), builder(function.getContext()), twins(buffers.size()) {}

  void run(func::FuncOp function);

private:
  bool isOnDeviceAlone(unsigned buffer);
  void moveToDevice(unsigned buffer);
  void createTwin(unsigned buffer);
  void createCopy(const PlannedCopy &copy);
  void replaceCopy(memref::CopyOp copy);
  void replaceValues(Operation *op);
  void replaceTemporarily(Operation *op);
  void freeTwin(unsigned buffer);
  Value allocate(Location loc, Value like);
  Value getDeviceValue(Value value);

  Buffers &buffers;
  const CopyPlan &plan;
  OpBuilder builder;
  SmallVector<Value> twins; // null: none
};
} // namespace

/// True if the host has no business with `buffer`.
bool Placement::isOnDeviceAlone(unsigned buffer) {
  return buffers[buffer].root.getDefiningOp<memref::AllocOp>() && !plan.isUsedOnHost(buffer) &&
         buffers[buffer].sharing == Sharing::Private &&
         llvm::none_of(plan.getCopies(),
                       [&](const PlannedCopy &copy) { return copy.buffer == buffer; });
}

/// Device memory of the type of `like`, which is there already.
Value Placement::allocate(Location loc, Value like) {
  auto type = cast<MemRefType>(like.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, like, dim));
  return gpu::AllocOp::create(builder, loc, type, /*asyncToken=*/Type(), ValueRange(), sizes,
                              ValueRange())
      .getMemref();
}

/// Allocates `buffer` on the device instead of the host.
void Placement::moveToDevice(unsigned buffer) {
  auto alloc = buffers[buffer].root.getDefiningOp<memref::AllocOp>();
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user)) {
      builder.setInsertionPoint(user);
      gpu::DeallocOp::create(builder, user->getLoc(), /*asyncToken=*/Type(), ValueRange(), alloc);
      user->erase();
    }
  builder.setInsertionPoint(alloc);
  auto onDevice = gpu::AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                       /*asyncToken=*/Type(), ValueRange(), alloc.getDynamicSizes(),
                                       ValueRange());
  alloc.replaceAllUsesWith(onDevice.getMemref());
  alloc.erase();
}

void Placement::createTwin(unsigned buffer) {
  Value root = buffers[buffer].root;
  builder.setInsertionPointAfterValue(root);
  twins[buffer] = allocate(root.getLoc(), root);
}

/// Frees a twin together with its buffer, or at the end of the block.
void Placement::freeTwin(unsigned buffer) {
  Block *block = twins[buffer].getParentBlock();
  Operation *end = block->getTerminator();
  for (Operation *user : buffers[buffer].root.getUsers())
    if (isa<memref::DeallocOp>(user) && user->getBlock() == block)
      end = user;
  builder.setInsertionPoint(end);
  gpu::DeallocOp::create(builder, end->getLoc(), /*asyncToken=*/Type(), ValueRange(),
                         twins[buffer]);
}

void Placement::createCopy(const PlannedCopy &copy) {
  if (copy.before)
    builder.setInsertionPoint(copy.anchor);
  else
    builder.setInsertionPointAfter(copy.anchor);
  Value host = buffers[copy.buffer].root, device = twins[copy.buffer];
  gpu::MemcpyOp::create(builder, copy.anchor->getLoc(), /*asyncToken=*/Type(), ValueRange(),
                        copy.toDevice ? device : host, copy.toDevice ? host : device);
}

/// The view of the twin that `value` is of its root; made in front of the insertion point.
Value Placement::getDeviceValue(Value value) {
  std::optional<unsigned> number = buffers.find(value);
  if (!number || !twins[*number])
    return value; // allocated on the device
  if (value == buffers[*number].root)
    return twins[*number];
  Operation *view = value.getDefiningOp();
  Value source = cast<ViewLikeOpInterface>(view).getViewSource();
  IRMapping mapping;
  mapping.map(source, getDeviceValue(source));
  return builder.clone(*view, mapping)->getResult(0);
}

void Placement::replaceCopy(memref::CopyOp copy) {
  builder.setInsertionPoint(copy);
  Value source = getDeviceValue(copy.getSource()), target = getDeviceValue(copy.getTarget());
  gpu::MemcpyOp::create(builder, copy.getLoc(), /*asyncToken=*/Type(), ValueRange(), target,
                        source);
  copy.erase();
}

static void replaceValue(Operation *op, Value from, Value to) {
  from.replaceUsesWithIf(to, [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
}

void Placement::replaceValues(Operation *op) {
  builder.setInsertionPoint(op);
  for (Value value : getDeviceValues(op))
    replaceValue(op, value, getDeviceValue(value));
}

/// Gives `op` device memory for itself.
void Placement::replaceTemporarily(Operation *op) {
  Location loc = op->getLoc();
  SmallVector<Access> accesses = buffers.getDeviceAccesses(op);
  for (Value value : getDeviceValues(op)) {
    builder.setInsertionPoint(op);
    Value device = allocate(loc, value);
    gpu::MemcpyOp::create(builder, loc, /*asyncToken=*/Type(), ValueRange(), device, value);
    replaceValue(op, value, device);
    builder.setInsertionPointAfter(op);
    auto writes = [&](const Access &access) {
      return access.writes && access.buffer == *buffers.find(value);
    };
    auto problem = dyn_cast<ProblemOpInterface>(op);
    if (problem ? problem.getWritten() == device : llvm::any_of(accesses, writes))
      builder.setInsertionPointAfter(
          gpu::MemcpyOp::create(builder, loc, /*asyncToken=*/Type(), ValueRange(), value, device));
    gpu::DeallocOp::create(builder, loc, /*asyncToken=*/Type(), ValueRange(), device);
  }
}

/// Gives the function one name for every global, at its start, where all its uses see it.
static void hoistGlobals(func::FuncOp function) {
  DenseMap<StringAttr, memref::GetGlobalOp> first;
  Block &entry = function.getBody().front();
  SmallVector<memref::GetGlobalOp> gets;
  function.walk([&](memref::GetGlobalOp get) { gets.push_back(get); });
  for (memref::GetGlobalOp get : gets) {
    auto [it, inserted] = first.insert({get.getNameAttr().getAttr(), get});
    if (inserted) {
      get->moveBefore(&entry, entry.begin());
      continue;
    }
    get.replaceAllUsesWith(it->second.getResult());
    get.erase();
  }
}

void Placement::run(func::FuncOp function) {
  SmallVector<Operation *> deviceOps;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!runsOnDevice(op))
      return WalkResult::advance();
    deviceOps.push_back(op);
    return WalkResult::skip();
  });
  SmallVector<unsigned> moved;
  for (unsigned buffer = 0; buffer < buffers.size(); ++buffer) {
    if (!plan.isUsedOnDevice(buffer))
      continue;
    if (isOnDeviceAlone(buffer))
      moved.push_back(buffer);
    else
      createTwin(buffer);
  }
  for (const PlannedCopy &copy : plan.getCopies())
    createCopy(copy);
  for (Operation *op : plan.getTemporaries())
    replaceTemporarily(op);
  for (Operation *op : deviceOps)
    if (!llvm::is_contained(plan.getTemporaries(), op))
      replaceValues(op);
  for (memref::CopyOp copy : plan.getDeviceCopies())
    replaceCopy(copy);
  for (unsigned buffer = 0; buffer < buffers.size(); ++buffer)
    if (twins[buffer])
      freeTwin(buffer);
  for (unsigned buffer : moved)
    moveToDevice(buffer);
}

/// Emits an error for a value that a launch cannot have on the device.
static LogicalResult verifyLayouts(Operation *op) {
  for (Value value : getDeviceValues(op)) {
    auto type = dyn_cast<MemRefType>(getRoot(value).getType());
    if (!type || !type.getLayout().isIdentity())
      return op->emitOpError("cannot copy a buffer of type ")
             << getRoot(value).getType() << " to the device: expected the identity layout";
  }
  return success();
}

LogicalResult ck::placeBuffers(func::FuncOp function) {
  bool found = false;
  WalkResult valid = function.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (!runsOnDevice(op))
      return WalkResult::advance();
    found = true;
    return failed(verifyLayouts(op)) ? WalkResult::interrupt() : WalkResult::skip();
  });
  if (valid.wasInterrupted() || !found)
    return failure(valid.wasInterrupted());
  hoistGlobals(function);
  Buffers buffers(function);
  CopyPlan plan(function, buffers);
  Placement(function, buffers, plan).run(function);
  return success();
}

namespace {
struct PlaceBuffersPass final : ck::impl::PlaceBuffersPassBase<PlaceBuffersPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void PlaceBuffersPass::runOnOperation() {
  WalkResult buffers = getOperation().walk(
      [](ProblemOpInterface problem) -> WalkResult { return verifyBuffers(problem); });
  if (buffers.wasInterrupted() || failed(verifyInput(getOperation(), Form::Problem)) ||
      failed(placeBuffers(getOperation())))
    signalPassFailure();
}
