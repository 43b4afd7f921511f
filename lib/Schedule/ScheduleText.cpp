//===- ScheduleText.cpp - The text form of schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical print is the tuning key and what users type after --schedule=, so both directions
// live beside each other.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// A positive number of the value of `key`.
static Expected<int64_t> parseNumber(StringRef key, StringRef text) {
  int64_t value = 0;
  if (text.getAsInteger(10, value))
    return createStringError(key + " must be a number, got '" + text + "'");
  if (value < 1 || value > kMaxScheduleSize)
    return createStringError(key + " must be in [1, " + Twine(kMaxScheduleSize) + "], got " + text);
  return value;
}

/// `N` sizes separated by 'x'.
template <size_t N>
static Expected<std::array<int64_t, N>> parseSizes(StringRef key, StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, 'x');
  if (parts.size() != N)
    return createStringError(key + " must have " + Twine(N) + " sizes separated by 'x', got '" +
                             text + "'");
  std::array<int64_t, N> sizes;
  for (auto [size, part] : llvm::zip(sizes, parts)) {
    Expected<int64_t> number = parseNumber(key, part);
    if (!number)
      return number.takeError();
    size = *number;
  }
  return sizes;
}

static StringRef printHints(const Hints &hints) {
  if (hints.loads)
    return hints.priority ? "loads+priority" : "loads";
  return hints.priority ? "priority" : "none";
}

/// The numbers of `first` + `second`, for `key`.
template <typename T>
static Expected<T> parseSum(StringRef key, StringRef first, StringRef second) {
  Expected<int64_t> a = parseNumber(key, first);
  if (!a)
    return a.takeError();
  Expected<int64_t> b = parseNumber(key, second);
  if (!b)
    return b.takeError();
  return T{*a, *b};
}

/// `3` for both operands, or those of rows and of columns as in `2+3`.
static Expected<Stages> parseStages(StringRef text) {
  auto [rows, columns] = text.split('+');
  return parseSum<Stages>("stages", rows, text.contains('+') ? columns : rows);
}

/// `uniform` or `LOAD+MATH`.
static Expected<Roles> parseRoles(StringRef text) {
  if (text == "uniform")
    return Roles();
  auto [load, math] = text.split('+');
  if (math.empty())
    return createStringError("roles must be 'uniform' or LOAD+MATH as in '4+4', got '" + text +
                             "'");
  return parseSum<Roles>("roles", load, math);
}

static Error makePartitionError(StringRef text) {
  return createStringError("partition must be data_parallel, split_k:FACTOR, split_k:auto, "
                           "split_k:FACTOR:two_stage, split_k:auto:two_stage, stream_k:linear, "
                           "stream_k:tree, stream_k:linear:persistent, "
                           "stream_k:tree:persistent or stream_k:parallel, got '" +
                           text + "'");
}

static Expected<Partition> parseSplitK(llvm::ArrayRef<StringRef> parts, StringRef text) {
  if (parts.size() < 2 || parts.size() > 3 || (parts.size() == 3 && parts[2] != "two_stage"))
    return makePartitionError(text);
  bool twoStage = parts.size() == 3;
  if (parts[1] == "auto")
    return SplitK{/*factor=*/0, twoStage};
  Expected<int64_t> factor = parseNumber("partition", parts[1]);
  if (!factor)
    return factor.takeError();
  return SplitK{*factor, twoStage};
}

static Expected<Partition> parseStreamK(llvm::ArrayRef<StringRef> parts, StringRef text) {
  if (parts.size() == 2 && parts[1] == "parallel")
    return StreamK{Reduction::Parallel};
  bool knownReduction = parts.size() > 1 && (parts[1] == "linear" || parts[1] == "tree");
  if (!knownReduction || parts.size() > 3 || (parts.size() == 3 && parts[2] != "persistent"))
    return makePartitionError(text);
  return StreamK{parts[1] == "tree" ? Reduction::Tree : Reduction::Linear,
                 /*persistent=*/parts.size() == 3};
}

static Expected<Partition> parsePartition(StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, ':');
  if (text == "data_parallel")
    return DataParallel();
  if (parts[0] == "split_k")
    return parseSplitK(parts, text);
  if (parts[0] == "stream_k")
    return parseStreamK(parts, text);
  return makePartitionError(text);
}

/// `WINDOW` or `WINDOW:CHUNK`.
static Expected<WorkgroupMapping> parseMapping(StringRef text) {
  WorkgroupMapping mapping;
  auto [window, chunk] = text.split(':');
  if (window.empty() || (chunk.empty() && text.contains(':')) || chunk.contains(':'))
    return createStringError("mapping must be WINDOW or WINDOW:CHUNK as in '8:64', got '" + text +
                             "'");
  Expected<int64_t> rows = parseNumber("mapping", window);
  if (!rows)
    return rows.takeError();
  mapping.window = *rows;
  if (chunk.empty())
    return mapping;
  Expected<int64_t> tiles = parseNumber("mapping", chunk);
  if (!tiles)
    return tiles.takeError();
  mapping.chunk = *tiles;
  return mapping;
}

static Expected<Hints> parseHints(StringRef text) {
  for (const Hints &hints :
       {Hints{false, false}, Hints{true, false}, Hints{false, true}, Hints{true, true}})
    if (text == printHints(hints))
      return hints;
  return createStringError("hints must be none, loads, priority or loads+priority, got '" + text +
                           "'");
}

static Expected<Copies> parseCopies(StringRef text) {
  for (Copies copies : {Copies::Staged, Copies::Async})
    if (text == toString(copies))
      return copies;
  return createStringError("copies must be staged or async, got '" + text + "'");
}

static Expected<Reads> parseReads(StringRef text) {
  for (Reads reads : {Reads::Step, Reads::Ahead})
    if (text == toString(reads))
      return reads;
  return createStringError("reads must be step or ahead, got '" + text + "'");
}

/// `CHANNELSxCOLUMNSxROWS`, or this and `:SLICES`; `:mfma4` or `:mfma16` may follow both.
static Expected<DirectTile> parseDirect(StringRef key, StringRef text) {
  const int64_t mfma = text.consume_back(":mfma4") ? 4 : text.consume_back(":mfma16") ? 16 : 0;
  auto [tile, slices] = text.split(':');
  Expected<std::array<int64_t, 3>> sizes = parseSizes<3>(key, tile);
  if (!sizes)
    return sizes.takeError();
  DirectTile direct{(*sizes)[0], (*sizes)[1], (*sizes)[2]};
  direct.mfma = mfma;
  if (tile.size() == text.size())
    return direct;
  Expected<int64_t> count = parseNumber(key, slices);
  if (!count)
    return count.takeError();
  direct.slices = *count;
  return direct;
}

static Expected<bool> parseBool(StringRef key, StringRef text) {
  if (text != "true" && text != "false")
    return createStringError(key + " must be true or false, got '" + text + "'");
  return text == "true";
}

/// Stores a parsed value in an unset field; a field that is set already is an error.
template <typename T>
static Error assign(StringRef key, std::optional<T> &field, Expected<T> value) {
  if (!value)
    return value.takeError();
  if (field)
    return createStringError("schedule key '" + key + "' is given twice");
  field = *value;
  return Error::success();
}

static Error parseField(ScheduleRequest &request, StringRef key, StringRef value) {
  if (key == "tile")
    return assign(key, request.tile, parseSizes<3>(key, value));
  if (key == "waves")
    return assign(key, request.waves, parseSizes<2>(key, value));
  if (key == "mma")
    return assign(key, request.mma, parseSizes<3>(key, value));
  if (key == "roles")
    return assign(key, request.roles, parseRoles(value));
  if (key == "stages")
    return assign(key, request.stages, parseStages(value));
  if (key == "partition")
    return assign(key, request.partition, parsePartition(value));
  if (key == "mapping")
    return assign(key, request.mapping, parseMapping(value));
  if (key == "deterministic")
    return assign(key, request.deterministic, parseBool(key, value));
  if (key == "hints")
    return assign(key, request.hints, parseHints(value));
  if (key == "copies")
    return assign(key, request.copies, parseCopies(value));
  if (key == "reads")
    return assign(key, request.reads, parseReads(value));
  if (key == "direct")
    return assign(key, request.direct, parseDirect(key, value));
  return createStringError("unknown schedule key '" + key +
                           "'; expected one of tile, waves, mma, roles, stages, partition, "
                           "mapping, deterministic, hints, copies, reads, direct");
}

/// A direct kernel has none of the fields that speak of matrix instructions.
static Error checkDirect(const ScheduleRequest &request) {
  if (!request.direct)
    return Error::success();
  const std::pair<bool, StringRef> others[] = {
      {request.tile.has_value(), "tile"},     {request.waves.has_value(), "waves"},
      {request.mma.has_value(), "mma"},       {request.roles.has_value(), "roles"},
      {request.stages.has_value(), "stages"}, {request.mapping.has_value(), "mapping"},
      {request.hints.has_value(), "hints"},   {request.copies.has_value(), "copies"},
      {request.reads.has_value(), "reads"}};
  for (auto [isSet, key] : others)
    if (isSet)
      return createStringError("cannot combine schedule key 'direct' with '" + key + "'");
  return Error::success();
}

Expected<ScheduleRequest> mlir::ck::parseSchedule(StringRef text) {
  ScheduleRequest request;
  llvm::SmallVector<StringRef, 8> fields;
  text.split(fields, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/!text.empty());
  for (StringRef field : fields) {
    auto [key, value] = field.split('=');
    if (key.size() == field.size())
      return createStringError("expected KEY=VALUE in the schedule, got '" + field + "'");
    if (Error error = parseField(request, key, value))
      return std::move(error);
  }
  if (Error error = checkDirect(request))
    return std::move(error);
  return request;
}

/// Sizes separated by 'x'.
template <size_t N>
static std::string printSizes(const std::array<int64_t, N> &sizes) {
  return llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
}

StringRef mlir::ck::toString(Reduction reduction) {
  switch (reduction) {
  case Reduction::Linear:
    return "linear";
  case Reduction::Tree:
    return "tree";
  case Reduction::Parallel:
    return "parallel";
  }
  llvm_unreachable("all reductions handled");
}

std::string mlir::ck::toString(const Partition &partition) {
  auto visitor =
      llvm::makeVisitor([](const DataParallel &) -> std::string { return "data_parallel"; },
                        [](const SplitK &splitK) {
                          std::string factor =
                              splitK.factor == 0 ? "auto" : std::to_string(splitK.factor);
                          return "split_k:" + factor + (splitK.twoStage ? ":two_stage" : "");
                        },
                        [](const StreamK &streamK) {
                          return "stream_k:" + toString(streamK.reduction).str() +
                                 (streamK.persistent ? ":persistent" : "");
                        });
  return std::visit(visitor, partition);
}

StringRef mlir::ck::toString(Copies copies) { return copies == Copies::Async ? "async" : "staged"; }

StringRef mlir::ck::toString(Reads reads) { return reads == Reads::Ahead ? "ahead" : "step"; }

std::string mlir::ck::toString(const WorkgroupMapping &mapping) {
  std::string window = std::to_string(mapping.window);
  return mapping.chunk == 1 ? window : window + ":" + std::to_string(mapping.chunk);
}

std::string mlir::ck::toString(const DirectTile &tile) {
  return printSizes<3>({tile.channels, tile.columns, tile.rows}) +
         (tile.isSum() ? ":" + std::to_string(tile.slices) : "") +
         (tile.mfma ? ":mfma" + std::to_string(tile.mfma) : "");
}

std::string mlir::ck::toString(const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (schedule.direct) {
    os << "direct=" << toString(*schedule.direct) << ",partition=" << toString(schedule.partition)
       << (schedule.deterministic ? ",deterministic=true" : "");
    return text;
  }
  os << "tile=" << printSizes(schedule.tile) << ",waves=" << printSizes(schedule.waves)
     << ",mma=" << printSizes(schedule.mma) << ",roles=";
  if (schedule.roles.load == 0)
    os << "uniform";
  else
    os << schedule.roles.load << '+' << schedule.roles.math;
  os << ",stages=" << schedule.stages.rows;
  if (!schedule.stages.isEven())
    os << '+' << schedule.stages.columns;
  os << ",partition=" << toString(schedule.partition);
  if (!schedule.mapping.isDefault())
    os << ",mapping=" << toString(schedule.mapping);
  if (schedule.deterministic)
    os << ",deterministic=true";
  if (schedule.hints)
    os << ",hints=" << printHints(*schedule.hints);
  if (schedule.copies != Copies::Staged)
    os << ",copies=" << toString(schedule.copies);
  if (schedule.reads != Reads::Step)
    os << ",reads=" << toString(schedule.reads);
  return text;
}
