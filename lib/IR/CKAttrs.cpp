//===- CKAttrs.cpp - Attributes of the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text forms and verifiers of all attributes but the transform maps (TransformMap.cpp).
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/CK.h"
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

//===----------------------------------------------------------------------===//
// ScheduleAttr, PartitionAttr, RoleAttr
//===----------------------------------------------------------------------===//

/// The schedule with every field of `request`, or an error naming the first missing one.
static llvm::Expected<Schedule> getComplete(const ScheduleRequest &request) {
  auto missing = [](StringRef field) {
    return llvm::createStringError("schedule requires '" + field + "'");
  };
  Schedule schedule;
  if (!request.tile)
    return missing("tile");
  if (!request.waves)
    return missing("waves");
  if (!request.mma)
    return missing("mma");
  if (!request.roles)
    return missing("roles");
  if (!request.stages)
    return missing("stages");
  if (!request.partition)
    return missing("partition");
  schedule.tile = *request.tile;
  schedule.waves = *request.waves;
  schedule.mma = *request.mma;
  schedule.roles = *request.roles;
  schedule.stages = *request.stages;
  schedule.partition = *request.partition;
  schedule.deterministic = request.deterministic.value_or(false);
  schedule.hints = request.hints;
  return schedule;
}

static llvm::Expected<Schedule> parseComplete(StringRef text) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(text);
  if (!request)
    return request.takeError();
  return getComplete(*request);
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef text) {
  llvm::Expected<Schedule> schedule = parseComplete(text);
  if (!schedule)
    return emitError() << llvm::toString(schedule.takeError());
  return success();
}

Schedule ScheduleAttr::getValue() const { return llvm::cantFail(parseComplete(getText())); }

ScheduleAttr ScheduleAttr::get(MLIRContext *context, const Schedule &schedule) {
  return ScheduleAttr::get(context, StringRef(toString(schedule)));
}

LogicalResult PartitionAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef text) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(("partition=" + text).str());
  if (!request)
    return emitError() << llvm::toString(request.takeError());
  return success();
}

Partition PartitionAttr::getValue() const {
  return *llvm::cantFail(parseSchedule(("partition=" + getText()).str())).partition;
}

PartitionAttr PartitionAttr::get(MLIRContext *context, const Partition &partition) {
  return get(context, toString(partition));
}

Attribute RoleAttr::parse(AsmParser &parser, Type) {
  std::string name;
  int64_t waves = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeywordOrString(&name) || parser.parseComma() ||
      parser.parseInteger(waves) || parser.parseGreater())
    return {};
  return parser.getChecked<RoleAttr>(loc, parser.getContext(), name, waves);
}

void RoleAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << ", " << getWaves() << ">";
}

LogicalResult RoleAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                               int64_t waves) {
  if (name != "uniform" && name != "load" && name != "math")
    return emitError() << "expected role 'uniform', 'load' or 'math', got '" << name << "'";
  if (waves < 1)
    return emitError() << "waves must be at least 1, got " << waves;
  return success();
}
