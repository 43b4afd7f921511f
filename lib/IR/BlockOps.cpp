//===- BlockOps.cpp - Rung 4: wave roles, the LDS ring, tiles in registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the block and lane ops.
//
//===----------------------------------------------------------------------===//

#include "IR/Notes.h"
#include "IR/Verify/RingProtocol.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ck;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Names and wave counts of the roles against the layout (C2, C3).
static LogicalResult verifyRoles(WaveSpecializeOp op) {
  SmallVector<RoleAttr> roles;
  for (Attribute attr : op.getRoles()) {
    auto role = dyn_cast<RoleAttr>(attr);
    if (!role)
      return op.emitOpError("expected #ck.role attributes in 'roles', got ") << attr;
    roles.push_back(role);
  }
  ArrayRef<int64_t> waves = op.getLayout().getWaves();
  int64_t math = waves[0] * waves[1];
  bool uniform = roles.size() == 1 && roles[0].getKind() == RoleKind::Uniform;
  bool split = roles.size() == 2 && roles[0].getKind() == RoleKind::Load &&
               roles[1].getKind() == RoleKind::Math;
  if (!uniform && !split)
    return op.emitOpError("expected roles [uniform] or [load, math], got ") << op.getRoles();
  if (roles.back().getWaves() != math)
    return op.emitOpError("expected ")
           << math << " waves of role '" << stringifyRoleKind(roles.back().getKind()) << "', got "
           << roles.back().getWaves();
  return success();
}

int64_t WaveSpecializeOp::getLoadWaves() {
  auto first = cast<RoleAttr>(getRoles()[0]);
  return first.getKind() == RoleKind::Load ? first.getWaves() : 0;
}

LogicalResult WaveSpecializeOp::verify() {
  if (getRegions().size() != getRoles().size()) // C1
    return emitOpError("expected one region per role, got ")
           << getRegions().size() << " regions and " << getRoles().size() << " roles";
  for (Region &region : getRegions())
    if (region.getArgumentTypes() != getCaptures().getTypes()) // C1
      return emitOpError("expected the captures (")
             << getCaptures().getTypes() << ") as arguments of each region, got ("
             << region.getArgumentTypes() << ")";
  return verifyRoles(*this);
}

/// Verifies who may use the rings of `op` how (C4).
static LogicalResult verifyRingUses(WaveSpecializeOp op) {
  if (op.getRegions().size() == 1)
    return success();
  for (Type type : op.getCaptures().getTypes())
    if (auto ring = dyn_cast<RingType>(type); ring && ring.getSlots() < 2)
      return op.emitOpError("expected a ring of at least 2 slots between two roles, got ") << ring;
  auto find = [](Region &region, auto isUse) {
    Operation *found = nullptr;
    region.walk([&](Operation *inner) {
      if (isUse(inner))
        found = inner;
    });
    return found;
  };
  auto refuse = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(op.getLoc()) << "the roles are specialized here";
    return diag;
  };
  if (Operation *reader = find(op.getRegions()[0],
                               llvm::IsaPred<WaitOp, ReleaseOp, MmaTileOp, ReadUnitOp, MmaUnitOp>))
    return refuse(reader->emitOpError("is for math waves, got role 'load'"));
  if (Operation *writer =
          find(op.getRegions()[1],
               llvm::IsaPred<AcquireOp, CommitOp, WriteTileOp, CopyTileOp, CommitCopiesOp>))
    return refuse(writer->emitOpError("is for load waves, got role 'math'"));
  return success();
}

/// Verifies that all accumulators have the layout of `op` (C3).
static LogicalResult verifyAccumulators(WaveSpecializeOp op) {
  Operation *other = nullptr;
  Type found;
  op.walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (auto acc = dyn_cast<AccType>(type); acc && acc.getLayout() != op.getLayout() && !other) {
        other = inner;
        found = type;
      }
  });
  if (!other)
    return success();
  InFlightDiagnostic diag = other->emitOpError("expected an accumulator of layout ")
                            << op.getLayout() << ", got " << found;
  diag.attachNote(op.getLoc()) << "the waves of that layout are specialized here";
  return diag;
}

LogicalResult WaveSpecializeOp::verifyRegions() {
  if (failed(verifyAccumulators(*this)) || failed(verifyRingUses(*this)))
    return failure();
  return verifyRingProtocol(*this); // C5, C6, C7
}

//===----------------------------------------------------------------------===//
// Cursors and tiles
//===----------------------------------------------------------------------===//

/// Verifies one entry of `list` per dimension of the cursor's view.
static LogicalResult verifyPerDimension(Operation *op, StringRef name, size_t count,
                                        ViewType view) {
  if (count == view.getShape().size())
    return success();
  return op->emitOpError("expected ")
         << view.getShape().size() << " entries in '" << name << "', got " << count;
}

/// Verifies a vector that one lane moves from or to a view.
static LogicalResult verifyLaneVector(Operation *op, VectorType vector, ViewType view) {
  if (vector.getElementType() != view.getElementType()) // C1
    return op->emitOpError("expected elements of ")
           << view.getElementType() << ", got " << vector.getElementType();
  constexpr int64_t kMaxBytes = 16;
  int64_t bytes = vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  if (vector.getRank() != 1 || !llvm::isPowerOf2_64(bytes) || bytes > kMaxBytes) // C2
    return op->emitOpError("expected a vector of rank 1 and 1, 2, 4, 8 or 16 bytes, got ")
           << vector;
  return success();
}

LogicalResult CursorOp::verify() {
  if (failed(verifyPerDimension(*this, "coordinates", getCoordinates().size(),
                                getView().getType()))) // C1
    return failure();
  if (getCursor().getType().getView() != getView().getType()) // C2
    return noteOrigins(emitOpError("expected a cursor of the view"), {{"the view", getView()}});
  return success();
}

LogicalResult AdvanceOp::verify() {
  for (int64_t step : getStep())
    if (step < 0) // C1
      return emitOpError("'step' must not be negative, got ") << step;
  return verifyPerDimension(*this, "step", getStep().size(), getCursor().getType().getView());
}

OpFoldResult AdvanceOp::fold(FoldAdaptor) {
  bool stays = llvm::all_of(getStep(), [](int64_t step) { return step == 0; });
  return stays ? getCursor() : Value();
}

/// Two steps are one.
LogicalResult AdvanceOp::canonicalize(AdvanceOp op, PatternRewriter &rewriter) {
  auto before = op.getCursor().getDefiningOp<AdvanceOp>();
  if (!before)
    return failure();
  SmallVector<int64_t> sum;
  for (auto [first, second] : llvm::zip_equal(before.getStep(), op.getStep())) {
    sum.push_back(0);
    if (llvm::AddOverflow(first, second, sum.back()))
      return failure();
  }
  rewriter.replaceOpWithNewOp<AdvanceOp>(op, op.getResult().getType(), before.getCursor(), sum);
  return success();
}

LogicalResult LoadTileOp::verify() {
  if (getCursor().getType().getFragment() != getFragment().getType()) // C1
    return noteOrigins(emitOpError("expected a cursor of ")
                           << getFragment().getType() << ", got " << getCursor().getType(),
                       {{"the cursor", getCursor()}});
  return success();
}

/// Verifies that `operand` is a tile of `slot`.
static LogicalResult verifyOperand(Operation *op, SlotType slot, uint64_t operand) {
  size_t tiles = slot.getRing().getTiles().size();
  if (operand < tiles)
    return success();
  return op->emitOpError("operand must be in [0, ") << int64_t(tiles) - 1 << "], got " << operand;
}

LogicalResult WriteTileOp::verify() {
  if (failed(verifyOperand(*this, getSlot().getType(), getOperand()))) // C1
    return failure();
  FragmentType tile = getSlot().getType().getRing().getTiles()[getOperand()],
               fragment = getFragment().getType();
  Type held = tile.getElementType(), given = fragment.getElementType();
  bool extends = isa<FloatType>(held) && isa<FloatType>(given) &&
                 given.getIntOrFloatBitWidth() < held.getIntOrFloatBitWidth(); // C2
  auto converted =
      FragmentType::get(getContext(), fragment.getShape(), extends ? held : given,
                        fragment.getMicroTile(), fragment.getAlongK(), fragment.getPath());
  if (tile != converted) // C1, C2
    return noteOrigins(emitOpError("expected a fragment of type ")
                           << tile << (extends ? ", or of narrower floats" : "") << ", got "
                           << fragment,
                       {{"the slot", getSlot()}, {"the fragment", getFragment()}});
  return success();
}

LogicalResult CopyTileOp::verify() {
  if (failed(verifyOperand(*this, getSlot().getType(), getOperand()))) // C1
    return failure();
  FragmentType tile = getSlot().getType().getRing().getTiles()[getOperand()];
  if (!tile.isAsync()) // C2
    return noteOrigins(emitOpError("expected a tile that is async, got ") << tile,
                       {{"the slot", getSlot()}});
  if (getCursor().getType().getFragment() != tile) // C1
    return noteOrigins(emitOpError("expected a cursor of ")
                           << tile << ", got " << getCursor().getType(),
                       {{"the slot", getSlot()}, {"the cursor", getCursor()}});
  return success();
}

LogicalResult CommitCopiesOp::verify() {
  int64_t slots = getRing().getType().getSlots();
  if (int64_t(getAhead()) < slots) // C1
    return success();
  return emitOpError("'ahead' must be in [0, ") << slots - 1 << "], got " << getAhead();
}

/// The accumulator is the last operand, whether there are columns or not.
LogicalResult MmaTileOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                          ValueRange operands, DictionaryAttr, OpaqueProperties,
                                          RegionRange, SmallVectorImpl<Type> &types) {
  if (operands.size() < 2)
    return failure();
  types.push_back(operands.back().getType());
  return success();
}

LogicalResult MmaTileOp::verify() {
  SmallVector<FragmentType> tiles(getSlot().getType().getRing().getTiles());
  ArrayRef<int64_t> acc = getAcc().getType().getShape();
  if (Value columns = getColumns()) { // C2
    auto held = cast<FragmentType>(columns.getType());
    if (tiles.size() != 1 || !held.isHeld())
      return noteOrigins(emitOpError("expected a slot of one tile and columns that are held, got ")
                             << getSlot().getType() << " and " << held,
                         {{"the slot", getSlot()}, {"the fragment", columns}});
    tiles.push_back(held);
  }
  bool fits = tiles.size() == 2 && tiles[0].getElementType() == tiles[1].getElementType() &&
              tiles[0].getShape()[1] == tiles[1].getShape()[1] &&
              tiles[0].getShape()[0] == acc[0] && tiles[1].getShape()[0] == acc[1];
  if (fits) // C1, C2
    return success();
  InFlightDiagnostic diag =
      getColumns()
          ? emitOpError("expected a tile MxK, columns NxK and an accumulator MxN, got ")
          : emitOpError("expected a slot of two tiles MxK and NxK and an accumulator MxN, got ");
  diag << getSlot().getType();
  if (getColumns())
    diag << ", " << getColumns().getType();
  diag << " and " << getAcc().getType();
  return noteOrigins(std::move(diag), {{"the slot", getSlot()}, {"the accumulator", getAcc()}});
}

LogicalResult MmaUnitOp::verify() {
  ArrayRef<FragmentType> tiles = getUnit().getType().getRing().getTiles();
  ArrayRef<int64_t> acc = getAcc().getType().getShape();
  if (tiles.size() == 2 && tiles[0].getShape()[0] == acc[0] && tiles[1].getShape()[0] == acc[1])
    return success();
  return noteOrigins(
      emitOpError("expected a unit of two tiles MxK and NxK and an accumulator MxN, got ")
          << getUnit().getType() << " and " << getAcc().getType(), // C1
      {{"the unit", getUnit()}, {"the accumulator", getAcc()}});
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  ViewType view = getCursor().getType().getView();
  if (failed(verifyPerDimension(*this, "offset", getOffset().size(), view)))
    return failure();
  return verifyLaneVector(*this, cast<VectorType>(getValue().getType()), view);
}

LogicalResult IsInsideOp::verify() {
  if (getCursor().getType().getFragment()) // C1
    return emitOpError("expected the cursor of a lane, got ") << getCursor().getType();
  return success();
}

LogicalResult CopyOp::verify() {
  ViewType view = getCursor().getType().getView();
  auto lds = getLds().getType();
  if (failed(verifyPerDimension(*this, "offset", getOffset().size(), view))) // C1
    return failure();
  if (lds.getElementType() != view.getElementType()) // C1
    return emitOpError("expected LDS of ")
           << view.getElementType() << ", got " << lds.getElementType();
  if (int64_t(getIndices().size()) != lds.getRank()) // C1
    return emitOpError("expected ")
           << lds.getRank() << " indices of " << lds << ", got " << getIndices().size();
  int64_t bytes = getWidth() * lds.getElementTypeBitWidth() / 8;
  if (bytes != 4 && bytes != 16) // C2
    return emitOpError("expected a width of 4 or 16 bytes, got ")
           << getWidth() << " elements of " << lds.getElementType();
  return success();
}

LogicalResult StoreOp::verify() {
  ViewType view = getCursor().getType().getView();
  if (failed(verifyPerDimension(*this, "offset", getOffset().size(), view)))
    return failure();
  auto type = cast<VectorType>(getValue().getType());
  int64_t bits = type.getElementTypeBitWidth();
  bool pairs = bits == 16 && type.getNumElements() % 2 == 0;
  if (getAtomic() && bits != 32 && !pairs) // C2
    return emitOpError("expected elements of 4 bytes, or of 2 bytes by twos, for 'atomic', got ")
           << type;
  if (getAtomic() && getWriteThrough()) // C3
    return emitOpError("expected 'atomic' or 'write_through', got both");
  return verifyLaneVector(*this, type, view);
}

//===----------------------------------------------------------------------===//
// Sums that waves share
//===----------------------------------------------------------------------===//

/// Verifies that `parts` waves of those that hold `acc` can share a sum (C1).
static LogicalResult verifyParts(Operation *op, AccType acc, int64_t parts) {
  const int64_t waves = acc.getLayout().getWaves()[0] * acc.getLayout().getWaves()[1];
  if (parts > 1 && waves % parts == 0)
    return success();
  return op->emitOpError("expected more than one part, which divide the ")
         << waves << " waves of the accumulators, got " << parts;
}

LogicalResult SumPartialsOp::verify() { return verifyParts(*this, getAcc(), int64_t(getParts())); }

LogicalResult GatherSumOp::verify() {
  return verifyParts(*this, getResult().getType(), int64_t(getParts()));
}

#define GET_OP_CLASSES
#include "ck-mlir/IR/CKOps.cpp.inc"
