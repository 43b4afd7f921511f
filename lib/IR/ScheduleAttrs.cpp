//===- ScheduleAttrs.cpp - Attributes of schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the fields of a schedule are written in the IR, and what each must be by itself. Whether they
// go together on a chip is the business of ck-assign-schedule. The text that tools take and print
// is another one (ScheduleText.cpp): it is a key, here it is structure.
//
//===----------------------------------------------------------------------===//

#include "IR/ScheduleFields.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ck;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

ParseResult ck::parseSizes(AsmParser &parser, SmallVectorImpl<int64_t> &sizes) {
  return parser.parseDimensionList(sizes, /*allowDynamic=*/false, /*withTrailingX=*/false);
}

void ck::printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  llvm::interleave(sizes, printer.getStream(), "x");
}

ParseResult ck::parseMma(AsmParser &parser, MmaAttr &mma) { return parser.parseAttribute(mma); }

void ck::printMma(AsmPrinter &printer, MmaAttr mma) { printer << mma; }

ParseResult ck::parseRoles(AsmParser &parser, Roles &roles) {
  if (succeeded(parser.parseOptionalKeyword("uniform")))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("load")))
    return parser.emitError(loc, "expected 'uniform' or 'load N + math N'");
  return failure(parser.parseInteger(roles.load) || parser.parsePlus() ||
                 parser.parseKeyword("math") || parser.parseInteger(roles.math));
}

void ck::printRoles(AsmPrinter &printer, const Roles &roles) {
  if (roles == Roles())
    printer << "uniform";
  else
    printer << "load " << roles.load << " + math " << roles.math;
}

/// `3`, or `2 + 3` for rows and columns
ParseResult ck::parseStages(AsmParser &parser, Stages &stages) {
  if (parser.parseInteger(stages.rows))
    return failure();
  stages.columns = stages.rows;
  if (failed(parser.parseOptionalPlus()))
    return success();
  return parser.parseInteger(stages.columns);
}

void ck::printStages(AsmPrinter &printer, const Stages &stages) {
  printer << stages.rows;
  if (!stages.isEven())
    printer << " + " << stages.columns;
}

/// `<8>`, `<auto>` or either with `, two_stage`
static ParseResult parseSplitK(AsmParser &parser, SplitK &splitK) {
  if (parser.parseLess())
    return failure();
  if (failed(parser.parseOptionalKeyword("auto")) && parser.parseInteger(splitK.factor))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("two_stage"))
      return failure();
    splitK.twoStage = true;
  }
  return parser.parseGreater();
}

/// `<linear>`, `<tree>` or either with `, persistent`, or `<parallel>`
static ParseResult parseStreamK(AsmParser &parser, StreamK &streamK) {
  if (parser.parseLess())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("parallel"))) {
    streamK.reduction = Reduction::Parallel;
    return parser.parseGreater();
  }
  if (succeeded(parser.parseOptionalKeyword("tree")))
    streamK.reduction = Reduction::Tree;
  else if (failed(parser.parseOptionalKeyword("linear")))
    return parser.emitError(loc, "expected reduction 'linear', 'tree' or 'parallel'");
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("persistent"))
      return failure();
    streamK.persistent = true;
  }
  return parser.parseGreater();
}

ParseResult ck::parsePartition(AsmParser &parser, Partition &partition) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("data_parallel"))) {
    partition = DataParallel();
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("split_k")))
    return parseSplitK(parser, partition.emplace<SplitK>());
  if (succeeded(parser.parseOptionalKeyword("stream_k")))
    return parseStreamK(parser, partition.emplace<StreamK>());
  return parser.emitError(loc, "expected partition 'data_parallel', 'split_k' or 'stream_k'");
}

void ck::printPartition(AsmPrinter &printer, const Partition &partition) {
  auto visitor = llvm::makeVisitor([&](const DataParallel &) { printer << "data_parallel"; },
                                   [&](const SplitK &splitK) {
                                     printer << "split_k<";
                                     if (splitK.factor == 0)
                                       printer << "auto";
                                     else
                                       printer << splitK.factor;
                                     printer << (splitK.twoStage ? ", two_stage>" : ">");
                                   },
                                   [&](const StreamK &streamK) {
                                     printer << "stream_k<" << toString(streamK.reduction)
                                             << (streamK.persistent ? ", persistent>" : ">");
                                   });
  std::visit(visitor, partition);
}

ParseResult ck::parseMapping(AsmParser &parser, WorkgroupMapping &mapping) {
  SMLoc loc = parser.getCurrentLocation();
  bool hasWindow = succeeded(parser.parseOptionalKeyword("window"));
  if (hasWindow && parser.parseInteger(mapping.window))
    return failure();
  if (hasWindow && failed(parser.parseOptionalPlus()))
    return success();
  if (failed(parser.parseOptionalKeyword("chunk")))
    return parser.emitError(loc, "expected 'window N', 'chunk N' or 'window N + chunk N'");
  return parser.parseInteger(mapping.chunk);
}

void ck::printMapping(AsmPrinter &printer, const WorkgroupMapping &mapping) {
  if (mapping.window != 1 || mapping.chunk == 1)
    printer << "window " << mapping.window << (mapping.chunk == 1 ? "" : " + ");
  if (mapping.chunk != 1)
    printer << "chunk " << mapping.chunk;
}

ParseResult ck::parseFlag(AsmParser &parser, bool &flag) {
  SMLoc loc = parser.getCurrentLocation();
  flag = succeeded(parser.parseOptionalKeyword("true"));
  if (!flag && failed(parser.parseOptionalKeyword("false")))
    return parser.emitError(loc, "expected 'true' or 'false'");
  return success();
}

void ck::printFlag(AsmPrinter &printer, bool flag) { printer << (flag ? "true" : "false"); }

ParseResult ck::parseHints(AsmParser &parser, std::optional<Hints> &hints) {
  hints.emplace();
  if (succeeded(parser.parseOptionalKeyword("none")))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  hints->loads = succeeded(parser.parseOptionalKeyword("loads"));
  if (hints->loads && failed(parser.parseOptionalPlus()))
    return success();
  hints->priority = true;
  if (failed(parser.parseOptionalKeyword("priority")))
    return parser.emitError(loc, "expected 'none', 'loads', 'priority' or 'loads + priority'");
  return success();
}

void ck::printHints(AsmPrinter &printer, const std::optional<Hints> &hints) {
  Hints value = hints.value_or(Hints());
  if (value.loads)
    printer << (value.priority ? "loads + priority" : "loads");
  else
    printer << (value.priority ? "priority" : "none");
}

ParseResult ck::parseCopies(AsmParser &parser, Copies &copies) {
  SMLoc loc = parser.getCurrentLocation();
  copies = Copies::Staged;
  if (succeeded(parser.parseOptionalKeyword("staged")))
    return success();
  copies = Copies::Async;
  if (failed(parser.parseOptionalKeyword("async")))
    return parser.emitError(loc, "expected 'staged' or 'async'");
  return success();
}

void ck::printCopies(AsmPrinter &printer, Copies copies) { printer << toString(copies); }

ParseResult ck::parseReads(AsmParser &parser, Reads &reads) {
  SMLoc loc = parser.getCurrentLocation();
  reads = Reads::Step;
  if (succeeded(parser.parseOptionalKeyword("step")))
    return success();
  reads = Reads::Ahead;
  if (failed(parser.parseOptionalKeyword("ahead")))
    return parser.emitError(loc, "expected 'step' or 'ahead'");
  return success();
}

void ck::printReads(AsmPrinter &printer, Reads reads) { printer << toString(reads); }

//===----------------------------------------------------------------------===//
// MmaAttr, AccLayoutAttr, ShuffleAttr
//===----------------------------------------------------------------------===//

Attribute MmaAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> sizes;
  Type operandType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(sizes, /*allowDynamic=*/false) ||
      parser.parseType(operandType) || parser.parseGreater())
    return {};
  return parser.getChecked<MmaAttr>(loc, parser.getContext(), ArrayRef<int64_t>(sizes),
                                    operandType);
}

void MmaAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printSizes(printer, getSizes());
  printer << "x" << getOperandType() << ">";
}

/// Verifies `count` sizes that a schedule can have.
static LogicalResult verifySizes(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                 ArrayRef<int64_t> sizes, size_t count) {
  if (sizes.size() != count)
    return emitError() << "expected " << count << " sizes in '" << name << "', got "
                       << sizes.size();
  for (int64_t size : sizes)
    if (size < 1 || size > kMaxScheduleSize)
      return emitError() << "sizes in '" << name << "' must be in [1, " << kMaxScheduleSize
                         << "], got " << size;
  return success();
}

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes,
                              Type operandType) {
  std::optional<DataType> type = getDataType(operandType);
  if (!type || *type == DataType::I32)
    return emitError() << "expected operands of f16, bf16, f32, i8 or an 8-bit float, got "
                       << operandType;
  return verifySizes(emitError, "mma", sizes, 3);
}

const MatrixInstruction *MmaAttr::find(const ChipInfo &chip) const {
  return chip.findMatrixInstruction({getSizes()[0], getSizes()[1], getSizes()[2]},
                                    *getDataType(getOperandType()));
}

LogicalResult AccLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int64_t> waves, MmaAttr mma, AccDim along) {
  if (along == AccDim::Columns && mma.getSizes()[0] != mma.getSizes()[1])
    return emitError() << "expected a square matrix instruction with 'along = columns', got "
                       << mma;
  return verifySizes(emitError, "waves", waves, 2);
}

LogicalResult ShuffleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> blocks, int64_t width) {
  if (failed(verifySizes(emitError, "blocks", blocks, 2)))
    return failure();
  return verifySizes(emitError, "width", {width}, 1);
}

//===----------------------------------------------------------------------===//
// PartitionAttr, WorkgroupMappingAttr, RoleAttr, ScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult PartitionAttr::verify(function_ref<InFlightDiagnostic()> emitError, Partition value) {
  auto *splitK = std::get_if<SplitK>(&value);
  if (splitK && (splitK->factor < 0 || splitK->factor > kMaxScheduleSize))
    return emitError() << "slices of 'split_k' must be in [1, " << kMaxScheduleSize
                       << "], or auto, got " << splitK->factor;
  return success();
}

LogicalResult WorkgroupMappingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                           int64_t window, int64_t chunk, int64_t xcds) {
  if (failed(verifySizes(emitError, "window", {window}, 1)) ||
      failed(verifySizes(emitError, "chunk", {chunk}, 1)))
    return failure();
  return verifySizes(emitError, "xcds", {xcds}, 1); // C1
}

LogicalResult DirectAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t channels,
                                 int64_t columns, int64_t rows, int64_t slices, int64_t mfma) {
  if (failed(verifySizes(emitError, "direct", {channels, columns, rows}, 3))) // C1
    return failure();
  if (mfma != 0 && mfma != 4 && mfma != 16) // C2
    return emitError() << "mfma must be 4 or 16, or 0 without matrix instructions, got " << mfma;
  return slices == 0 ? success() : verifySizes(emitError, "slices", {slices}, 1); // C1
}

LogicalResult RoleAttr::verify(function_ref<InFlightDiagnostic()> emitError, RoleKind kind,
                               int64_t waves) {
  if (waves < 1)
    return emitError() << "waves must be at least 1, got " << waves;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> tile, ArrayRef<int64_t> waves, MmaAttr mma,
                                   Roles roles, Stages stages, Partition partition,
                                   WorkgroupMapping mapping, bool deterministic,
                                   std::optional<Hints> hints, Copies copies, Reads reads) {
  if (failed(verifySizes(emitError, "tile", tile, 3)) ||
      failed(verifySizes(emitError, "waves", waves, 2)))
    return failure();
  if (!(roles == Roles()) && failed(verifySizes(emitError, "roles", {roles.load, roles.math}, 2)))
    return failure();
  if (failed(verifySizes(emitError, "stages", {stages.rows, stages.columns}, 2)))
    return failure();
  if (failed(verifySizes(emitError, "mapping", {mapping.window, mapping.chunk}, 2)))
    return failure();
  return PartitionAttr::verify(emitError, partition);
}

Schedule ScheduleAttr::getValue() const {
  Schedule schedule;
  llvm::copy(getTile(), schedule.tile.begin());
  llvm::copy(getWaves(), schedule.waves.begin());
  llvm::copy(getMma().getSizes(), schedule.mma.begin());
  schedule.roles = getRoles();
  schedule.stages = getStages();
  schedule.partition = getPartition();
  schedule.mapping = getMapping();
  schedule.deterministic = getDeterministic();
  schedule.hints = getHints();
  schedule.copies = getCopies();
  schedule.reads = getReads();
  return schedule;
}

ScheduleAttr ScheduleAttr::get(const Schedule &schedule, Type operandType) {
  return get(operandType.getContext(), schedule.tile, schedule.waves,
             MmaAttr::get(schedule.mma, operandType), schedule.roles, schedule.stages,
             schedule.partition, schedule.mapping, schedule.deterministic, schedule.hints,
             schedule.copies, schedule.reads);
}
