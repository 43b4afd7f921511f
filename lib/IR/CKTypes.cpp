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
    return emitError() << "expected the shape of the map's view dimensions ("
                       << map.getViewSizes() << "), got (" << shape << ")";
  if (!getDataType(elementType))
    return emitError() << "unsupported element type " << elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// AccType, FragmentType
//===----------------------------------------------------------------------===//

template <typename T>
static Type parseTileType(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShapedBody(parser, shape, elementType) || parser.parseGreater())
    return {};
  if (shape.size() != 2) {
    parser.emitError(loc, "expected 2 dimensions, got ") << shape.size();
    return {};
  }
  return T::get(parser.getContext(), shape, elementType);
}

template <typename T>
static void printTileType(AsmPrinter &printer, T type) {
  printer << "<";
  printShapedBody(printer, type.getShape(), type.getElementType());
  printer << ">";
}

Type AccType::parse(AsmParser &parser) { return parseTileType<AccType>(parser); }
void AccType::print(AsmPrinter &printer) const { printTileType(printer, *this); }
Type FragmentType::parse(AsmParser &parser) { return parseTileType<FragmentType>(parser); }
void FragmentType::print(AsmPrinter &printer) const { printTileType(printer, *this); }

//===----------------------------------------------------------------------===//
// RingType
//===----------------------------------------------------------------------===//

Type RingType::parse(AsmParser &parser) {
  int64_t slots = 0;
  SmallVector<FragmentType> tiles;
  SMLoc loc = parser.getCurrentLocation();
  auto parseTile = [&]() -> ParseResult {
    SmallVector<int64_t> shape;
    Type elementType;
    if (parseShapedBody(parser, shape, elementType))
      return failure();
    tiles.push_back(FragmentType::get(parser.getContext(), shape, elementType));
    return success();
  };
  if (parser.parseLess() || parser.parseInteger(slots) || parser.parseKeyword("x") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseTile) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<RingType>(loc, parser.getContext(), slots, tiles);
}

void RingType::print(AsmPrinter &printer) const {
  printer << "<" << getSlots() << " x [";
  llvm::interleaveComma(getTiles(), printer, [&](FragmentType tile) {
    printShapedBody(printer, tile.getShape(), tile.getElementType());
  });
  printer << "]>";
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots,
                               ArrayRef<FragmentType> tiles) {
  if (slots < 1)
    return emitError() << "slots must be at least 1, got " << slots;
  for (FragmentType tile : tiles)
    if (tile.getShape().size() != 2)
      return emitError() << "expected tiles of 2 dimensions, got " << tile.getShape().size();
  return success();
}
