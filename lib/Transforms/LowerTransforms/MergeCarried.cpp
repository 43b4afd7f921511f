//===- MergeCarried.cpp - Carry equal values once -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that start as equals are taken for equal until an iteration is seen to treat them
// differently, which can part others that were thought equal: the classes are refined until all
// hold. CSE and canonicalization know only what is equal already.
//
//===----------------------------------------------------------------------===//

#include "Transforms/LowerTransforms/MergeCarried.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Classes of the values that a loop carries, by their numbers.
class CarriedClasses {
public:
  explicit CarriedClasses(scf::ForOp loop) : loop(loop) {
    llvm::MapVector<Value, unsigned> first; // by initial value
    for (auto [i, init] : llvm::enumerate(loop.getInitArgs()))
      leaders.push_back(first.insert({init, unsigned(i)}).first->second);
  }

  /// Refines the classes until the values of each have equal successors.
  void refine() {
    while (refineOnce())
      ;
  }

  /// The first of the class of value `number`.
  unsigned getLeader(unsigned number) const { return leaders[number]; }

private:
  bool refineOnce();
  bool areEqual(Value a, Value b);
  bool areEqualResults(OpResult a, OpResult b);

  scf::ForOp loop;
  SmallVector<unsigned> leaders;
  llvm::DenseMap<std::pair<Value, Value>, bool> known; // while the classes are what they are
};
} // namespace

/// Parts classes whose values have different successors; false if there are none.
bool CarriedClasses::refineOnce() {
  known.clear();
  SmallVector<unsigned> next(leaders);
  for (unsigned i = 0; i < leaders.size(); ++i) {
    auto hasEqualSuccessor = [&](unsigned other) {
      return leaders[other] == leaders[i] && next[other] == other &&
             areEqual(loop.getYieldedValues()[other], loop.getYieldedValues()[i]);
    };
    auto candidates = llvm::seq(0u, i);
    auto found = llvm::find_if(candidates, hasEqualSuccessor);
    next[i] = found == candidates.end() ? i : *found;
  }
  const bool changed = next != leaders;
  leaders = std::move(next);
  return changed;
}

bool CarriedClasses::areEqual(Value a, Value b) {
  if (a == b)
    return true;
  auto aCarried = dyn_cast<BlockArgument>(a), bCarried = dyn_cast<BlockArgument>(b);
  if (aCarried || bCarried) {
    if (!aCarried || !bCarried || aCarried.getOwner() != loop.getBody() ||
        bCarried.getOwner() != loop.getBody())
      return false;
    const unsigned first = loop.getNumInductionVars();
    if (aCarried.getArgNumber() < first || bCarried.getArgNumber() < first)
      return false;
    return leaders[aCarried.getArgNumber() - first] == leaders[bCarried.getArgNumber() - first];
  }
  auto [place, isNew] = known.insert({{a, b}, false});
  if (!isNew)
    return place->second;
  const bool equal = areEqualResults(cast<OpResult>(a), cast<OpResult>(b));
  known[{a, b}] = equal;
  return equal;
}

/// True for results of the same pure operation in the body of the loop on equal operands.
bool CarriedClasses::areEqualResults(OpResult a, OpResult b) {
  Operation *aOp = a.getOwner(), *bOp = b.getOwner();
  if (a.getResultNumber() != b.getResultNumber() || aOp->getBlock() != loop.getBody() ||
      bOp->getBlock() != loop.getBody() || aOp->getName() != bOp->getName() ||
      aOp->getNumRegions() > 0 || !isPure(aOp) || aOp->getResultTypes() != bOp->getResultTypes() ||
      aOp->getDiscardableAttrDictionary() != bOp->getDiscardableAttrDictionary() ||
      aOp->getPropertiesAsAttribute() != bOp->getPropertiesAsAttribute() ||
      aOp->getNumOperands() != bOp->getNumOperands())
    return false;
  return llvm::all_of_zip(aOp->getOperands(), bOp->getOperands(),
                          [&](Value x, Value y) { return areEqual(x, y); });
}

void ck::mergeCarriedValues(RewriterBase &rewriter, scf::ForOp loop) {
  CarriedClasses classes(loop);
  classes.refine();
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (unsigned leader = classes.getLeader(i); leader != i) {
      rewriter.replaceAllUsesWith(loop.getRegionIterArgs()[i], loop.getRegionIterArgs()[leader]);
      rewriter.replaceAllUsesWith(loop.getResult(i), loop.getResult(leader));
    }
}
