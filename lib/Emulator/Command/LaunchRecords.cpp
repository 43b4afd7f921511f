//===- LaunchRecords.cpp - What the processes of a program did -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LaunchRecords.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/LaunchRecords.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ckemu;
using llvm::Expected;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

template <class Record, class Number>
static Number sum(const std::vector<Record> &records, Number Record::*member) {
  Number result = 0;
  for (const Record &record : records)
    result += record.*member;
  return result;
}

uint64_t LaunchRecords::countLaunches() const { return sum(kernels, &KernelRecord::launches); }
uint64_t LaunchRecords::countFaults() const { return sum(faults, &FaultRecord::count); }
uint64_t LaunchRecords::countErrors() const { return sum(errors, &ErrorRecord::count); }

double LaunchRecords::getModelledMicroseconds() const {
  return sum(kernels, &KernelRecord::modelledMicroseconds);
}

bool LaunchRecords::isTimed() const {
  return llvm::any_of(kernels, [](const KernelRecord &kernel) { return kernel.timedLaunches; });
}

static std::string getText(const Object &object, StringRef field) {
  return object.getString(field).value_or("").str();
}

static uint64_t getCount(const Object &object, StringRef field) {
  return uint64_t(object.getInteger(field).value_or(0));
}

/// Adds the counts of `from` to those of `to`, field by field; arrays entry by entry.
static void addCounts(Object &to, const Object &from, llvm::ArrayRef<StringRef> same) {
  for (const auto &[key, value] : from) {
    const StringRef name = key;
    if (llvm::is_contained(same, name) || !to.get(name)) {
      to[llvm::json::ObjectKey(name.str())] = value; // keys given as references are not copied
    } else if (Array *sums = to.getArray(name)) {
      const Array *counts = value.getAsArray();
      for (size_t i = 0; counts && i < counts->size(); ++i) {
        const int64_t count = (*counts)[i].getAsInteger().value_or(0);
        if (i < sums->size())
          (*sums)[i] = (*sums)[i].getAsInteger().value_or(0) + count;
        else
          sums->push_back(count);
      }
    } else {
      *to.get(name) = to.getInteger(name).value_or(0) + value.getAsInteger().value_or(0);
    }
  }
}

/// Adds the instructions of a launch to those of the launches before, which have the same code.
static void addProfile(Array &sum, const Object &profile) {
  const Array *instructions = profile.getArray("instructions");
  for (const Value &value : instructions ? *instructions : Array()) {
    const Object *instruction = value.getAsObject();
    if (!instruction)
      continue;
    auto isSame = [&](const Value &other) {
      return other.getAsObject()->getInteger("pc") == instruction->getInteger("pc");
    };
    auto found = llvm::find_if(sum, isSame);
    if (found == sum.end())
      sum.push_back(value);
    else
      addCounts(*found->getAsObject(), *instruction, {"pc", "offset", "text", "class"});
  }
}

static void addFault(LaunchRecords &records, const Object &fault, const Object &statistics,
                     StringRef kernel, bool removeImages) {
  FaultRecord record;
  record.symbol = getText(statistics, "kernel");
  record.kernel = kernel.str();
  record.kind = getText(fault, "kind");
  record.reason = getText(fault, "reason");
  record.message = getText(fault, "message");
  record.details = fault;
  if (const Array *grid = statistics.getArray("grid"))
    record.grid = *grid;
  if (const Array *block = statistics.getArray("block"))
    record.block = *block;
  if (const std::string image = getText(fault, "code_object"); !image.empty()) {
    record.frames = findSource(image, getCount(fault, "pc"));
    if (removeImages) {
      record.details.erase("code_object");
      (void)llvm::sys::fs::remove(image);
    }
  }
  // A wave that hangs is found at any instruction of its loop.
  const std::optional<int64_t> pc = record.kind == "hang" ? std::nullopt : fault.getInteger("pc");
  auto isSame = [&](const FaultRecord &other) {
    return other.symbol == record.symbol && other.kind == record.kind &&
           (pc ? other.details.getInteger("pc") == pc : other.reason == record.reason);
  };
  if (auto found = llvm::find_if(records.faults, isSame); found != records.faults.end())
    ++found->count;
  else
    records.faults.push_back(std::move(record));
}

static void addLaunch(LaunchRecords &records, const Object &line, bool removeImages) {
  const Object empty, *statistics = line.getObject("statistics");
  if (!statistics)
    statistics = &empty;
  const std::string symbol = getText(*statistics, "kernel");
  auto found = llvm::find_if(records.kernels,
                             [&](const KernelRecord &kernel) { return kernel.symbol == symbol; });
  if (found == records.kernels.end()) {
    records.kernels.emplace_back();
    found = std::prev(records.kernels.end());
    found->symbol = symbol;
    found->name = getText(line, "name");
  }
  ++found->launches;
  found->waveInstructions += getCount(*statistics, "wave_instructions");
  found->bytesLoaded += getCount(*statistics, "bytes_loaded");
  found->bytesStored += getCount(*statistics, "bytes_stored");
  found->bankConflicts += getCount(*statistics, "lds_bank_conflicts");
  found->seconds += statistics->getNumber("seconds").value_or(0);
  if (const Object *classes = statistics->getObject("instructions"))
    addCounts(found->instructions, *classes, {});
  if (const Object *profile = statistics->getObject("profile"))
    addProfile(found->profile, *profile);
  records.timelineError = getText(line, "timeline_error");
  if (std::optional<double> modelled = line.getNumber("modelled_us")) {
    ++found->timedLaunches;
    found->modelledMicroseconds += *modelled;
    found->bound = getText(line, "modelled_bound");
  }
  if (const Object *fault = line.getObject("fault")) {
    ++found->faults;
    addFault(records, *fault, *statistics, found->name, removeImages);
  }
}

static void addError(LaunchRecords &records, const Object &line) {
  ErrorRecord record{getText(line, "call"), getText(line, "reason")};
  auto isSame = [&](const ErrorRecord &other) {
    return other.call == record.call && other.reason == record.reason;
  };
  if (auto found = llvm::find_if(records.errors, isSame); found != records.errors.end())
    ++found->count;
  else
    records.errors.push_back(std::move(record));
}

static void addLine(LaunchRecords &records, const Object &line, bool removeImages) {
  const std::string event = getText(line, "event");
  if (event == "launch")
    addLaunch(records, line, removeImages);
  if (event == "error")
    addError(records, line);
  if (event == "leaks")
    records.leaks.push_back(getText(line, "text"));
  if (event != "process" || records.processes++ != 0)
    return;
  records.chip = getText(line, "chip");
  records.product = getText(line, "product");
  records.device = getText(line, "device");
}

Expected<LaunchRecords> ckemu::readRecords(StringRef path, uint64_t begin, bool removeImages) {
  Expected<cksupport::RegularFile> file = cksupport::RegularFile::open(path);
  if (!file)
    return file.takeError();
  // A file that has become shorter than it was is an error, too: what was launched is not known.
  const uint64_t size = file->getSize();
  Expected<std::string> content = file->read(begin, size < begin ? 0 : size - begin);
  if (!content)
    return content.takeError();
  LaunchRecords records;
  for (StringRef text = *content; !text.empty();) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::Expected<Value> parsed = llvm::json::parse(line);
    if (!parsed)
      llvm::consumeError(parsed.takeError());
    else if (const Object *object = parsed->getAsObject())
      addLine(records, *object, removeImages);
  }
  return records;
}
