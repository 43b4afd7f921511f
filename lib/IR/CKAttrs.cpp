//===- CKAttrs.cpp - Attributes of the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text forms and verifiers of all attributes but the transform maps (TransformMap.cpp) and what
// schedules are made of (ScheduleAttrs.cpp).
//
//===----------------------------------------------------------------------===//

#include "IR/ScheduleFields.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ck;

#include "ck-mlir/IR/CKEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ck-mlir/IR/CKAttrs.cpp.inc"

void CKDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ck-mlir/IR/CKAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef chip) {
  llvm::Expected<const ChipInfo *> info = ck::getChip(chip);
  if (!info)
    return emitError() << llvm::toString(info.takeError());
  return success();
}

const ChipInfo &TargetAttr::getInfo() const { return **ck::getChip(getChip()); }

//===----------------------------------------------------------------------===//
// ConvLayoutAttr
//===----------------------------------------------------------------------===//

Attribute ConvLayoutAttr::parse(AsmParser &parser, Type) {
  std::string input, filter, output;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeywordOrString(&input) || parser.parseComma() ||
      parser.parseKeywordOrString(&filter) || parser.parseComma() ||
      parser.parseKeywordOrString(&output) || parser.parseGreater())
    return {};
  return parser.getChecked<ConvLayoutAttr>(loc, parser.getContext(), input, filter, output);
}

void ConvLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << getInput() << ", " << getFilter() << ", " << getOutput() << ">";
}

/// True if `text` is a permutation of `letters`.
static bool isPermutation(StringRef text, StringRef letters) {
  std::string a = text.str(), b = letters.str();
  llvm::sort(a);
  llvm::sort(b);
  return a == b;
}

LogicalResult ConvLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef input,
                                     StringRef filter, StringRef output) {
  if (input.size() < 4 || input.size() > 6)
    return emitError() << "expected 4 to 6 dimensions in input layout, got '" << input << "'";
  size_t rank = input.size() - 3;
  std::string space = StringRef("DHW").take_back(rank).str();
  std::string taps = StringRef("ZYX").take_back(rank).str();
  std::pair<StringRef, std::string> expected[] = {
      {input, "NGC" + space}, {filter, "GKC" + taps}, {output, "NGK" + space}};
  for (auto &[layout, letters] : expected)
    if (!isPermutation(layout, letters))
      return emitError() << "expected a permutation of '" << letters << "' in layout, got '"
                         << layout << "'";
  return success();
}
