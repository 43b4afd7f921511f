//===- CKTypes.cpp - Types of the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text forms and verifiers of the types.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/CK.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ck;

#define GET_TYPEDEF_CLASSES
#include "ck-mlir/IR/CKTypes.cpp.inc"

void CKDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ck-mlir/IR/CKTypes.cpp.inc"
      >();
}

/// `64x32xf16`
static ParseResult parseShapedBody(AsmParser &parser, SmallVectorImpl<int64_t> &shape,
                                   Type &elementType) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(elementType));
}

/// The sizes of a tile can be those of one.
static LogicalResult verifyTile(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (size < 0 || size > kMaxScheduleSize)
      return emitError() << "sizes of a tile must be in [0, " << kMaxScheduleSize << "], got "
                         << size;
  return success();
}

static void printShapedBody(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  for (int64_t size : shape)
    printer << size << "x";
  printer << elementType;
}

//===----------------------------------------------------------------------===//
// ViewType
//===----------------------------------------------------------------------===//

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  TransformMapAttr map;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShapedBody(parser, shape, elementType) || parser.parseComma() ||
      parser.parseAttribute(map) || parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(loc, parser.getContext(), shape, elementType, map);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printShapedBody(printer, getShape(), getElementType());
  printer << ", " << getMap() << ">";
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType, TransformMapAttr map) {
  if (shape != map.getViewSizes())
    return emitError() << "expected the shape of the map's view dimensions (" << map.getViewSizes()
                       << "), got (" << shape << ")";
  if (!getDataType(elementType))
    return emitError() << "unsupported element type " << elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// AccType
//===----------------------------------------------------------------------===//

Type AccType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  AccLayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShapedBody(parser, shape, elementType) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<AccType>(loc, parser.getContext(), shape, elementType, layout);
}

void AccType::print(AsmPrinter &printer) const {
  printer << "<";
  printShapedBody(printer, getShape(), getElementType());
  printer << ", " << getLayout() << ">";
}

AccType AccType::get(ArrayRef<int64_t> shape, AccLayoutAttr layout) {
  return get(layout.getContext(), shape, getAccumulatorType(layout.getMma().getOperandType()),
             layout);
}

LogicalResult AccType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                              Type elementType, AccLayoutAttr layout) {
  if (shape.size() != 2)
    return emitError() << "expected 2 dimensions, got " << shape.size();
  for (unsigned dim : {0, 1})
    if (shape[dim] % layout.getUnit(dim) != 0)
      return emitError() << "expected a multiple of " << layout.getWaves()[dim] << " waves x "
                         << layout.getMma().getSizes()[dim] << (dim == 0 ? " rows" : " columns")
                         << ", got " << shape[dim];
  if (Type expected = getAccumulatorType(layout.getMma().getOperandType()); elementType != expected)
    return emitError() << "expected elements of " << expected << " for operands of "
                       << layout.getMma().getOperandType() << ", got " << elementType;
  return verifyTile(emitError, shape);
}

//===----------------------------------------------------------------------===//
// FragmentType
//===----------------------------------------------------------------------===//

Type FragmentType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, microTile;
  Type elementType;
  StringRef along;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShapedBody(parser, shape, elementType) || parser.parseComma() ||
      parser.parseDimensionList(microTile, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  FragmentPath path = FragmentPath::Staged;
  for (FragmentPath other : {FragmentPath::Held, FragmentPath::Async})
    if (path == FragmentPath::Staged &&
        succeeded(parser.parseOptionalKeyword(stringifyFragmentPath(other))))
      path = other;
  if (parser.parseKeyword("along") || parser.parseKeyword(&along) || parser.parseGreater())
    return {};
  if (along != "rows" && along != "k") {
    parser.emitError(loc, "expected 'along rows' or 'along k', got '") << along << "'";
    return {};
  }
  return parser.getChecked<FragmentType>(loc, parser.getContext(), shape, elementType, microTile,
                                         along == "k", path);
}

void FragmentType::print(AsmPrinter &printer) const {
  printer << "<";
  printShapedBody(printer, getShape(), getElementType());
  printer << ", " << getMicroTile()[0] << "x" << getMicroTile()[1];
  if (getPath() != FragmentPath::Staged)
    printer << " " << stringifyFragmentPath(getPath());
  printer << " along " << (getAlongK() ? "k" : "rows") << ">";
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, Type elementType,
                                   ArrayRef<int64_t> microTile, bool alongK, FragmentPath path) {
  if (shape.size() != 2 || microTile.size() != 2)
    return emitError() << "expected 2 dimensions of tile and micro tile, got " << shape.size()
                       << " and " << microTile.size();
  for (int i : {0, 1})
    if (microTile[i] < 1 || shape[i] % microTile[i] != 0)
      return emitError() << "expected a micro tile that divides " << shape[0] << "x" << shape[1]
                         << ", got " << microTile[0] << "x" << microTile[1];
  if (path == FragmentPath::Async && !alongK && microTile[1] != 1)
    return emitError() << "expected micro tiles of one k along rows of a fragment that is async";
  if (path == FragmentPath::Held && !alongK)
    return emitError() << "expected micro tiles of one row along k of a fragment that is held";
  if (path != FragmentPath::Staged && alongK && microTile[0] != 1)
    return emitError() << "expected micro tiles of one row along k of a fragment that is "
                       << stringifyFragmentPath(path);
  return verifyTile(emitError, shape);
}

//===----------------------------------------------------------------------===//
// RingType
//===----------------------------------------------------------------------===//

int64_t RingType::getPeriod() const { return std::lcm(getSlots(), getSlots() + getMore()); }

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots,
                               int64_t more, ArrayRef<FragmentType> tiles) {
  if (slots < 1)
    return emitError() << "slots must be at least 1, got " << slots;
  if (slots > kMaxScheduleSize)
    return emitError() << "slots must be at most " << kMaxScheduleSize << ", got " << slots;
  if (more < 0 || more > (tiles.size() > 1 ? 1 : 0))
    return emitError() << "expected at most one more slot of the last of several tiles, got "
                       << more << " of " << tiles.size() << " tiles";
  for (FragmentType tile : tiles)
    if (tile.isHeld())
      return emitError() << "expected tiles of fragments that go to LDS, got " << tile;
  return success();
}
