//===- TuningTable.cpp - Schedules that a search found -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TuningTable.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "ck-mlir/Support/File.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <mutex>
#include <sys/stat.h>

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr StringRef kFormat = "ck-mlir tuning";

std::string mlir::ck::getTuningKey(const Problem &problem) {
  Problem bare = problem;
  std::visit(
      [](auto &alternative) {
        alternative.epilogue.clear();
        alternative.regionOperands.clear();
      },
      bare);
  return toString(bare);
}

/// The object of a line.
static Expected<json::Object> parseLine(StringRef line) {
  Expected<json::Value> value = parseJson(line, "the line");
  if (!value)
    return value.takeError();
  json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("expected an object, got '" + line.take_front(40) + "'");
  return std::move(*object);
}

/// The chip that the first line names.
static Expected<std::string> parseHeader(StringRef line) {
  Expected<json::Object> object = parseLine(line);
  if (!object)
    return object.takeError();
  const std::optional<StringRef> format = object->getString("format");
  if (format != kFormat)
    return createStringError("expected the format '" + kFormat + "', got '" + format.value_or("") +
                             "'");
  const std::optional<int64_t> version = object->getInteger("version");
  if (version != TuningTable::kVersion)
    return createStringError("expected version " + Twine(TuningTable::kVersion) + ", got " +
                             (version ? std::to_string(*version) : "none"));
  Expected<const ChipInfo *> chip = getChip(object->getString("chip").value_or(""));
  if (!chip)
    return chip.takeError();
  return (*chip)->name.str();
}

/// The schedule of a string that leaves no more open than `toString` does.
static Expected<Schedule> parseComplete(StringRef text) {
  Expected<ScheduleRequest> request = parseSchedule(text);
  if (!request)
    return request.takeError();
  Schedule schedule;
  if (request->direct && request->partition) {
    schedule.direct = request->direct;
    schedule.partition = *request->partition;
    schedule.deterministic = request->deterministic.value_or(false);
    return schedule;
  }
  if (!request->tile || !request->waves || !request->mma || !request->roles || !request->stages ||
      !request->partition)
    return createStringError("expected a schedule with tile, waves, mma, roles, stages and "
                             "partition, or with direct and "
                             "partition, got '" +
                             text + "'");
  schedule.tile = *request->tile;
  schedule.waves = *request->waves;
  schedule.mma = *request->mma;
  schedule.roles = *request->roles;
  schedule.stages = *request->stages;
  schedule.partition = *request->partition;
  schedule.mapping = request->mapping.value_or(WorkgroupMapping());
  schedule.deterministic = request->deterministic.value_or(false);
  schedule.hints = request->hints;
  schedule.copies = request->copies.value_or(Copies::Staged);
  schedule.reads = request->reads.value_or(Reads::Step);
  return schedule;
}

static Expected<TunedSchedule> parseEntry(StringRef line) {
  Expected<json::Object> object = parseLine(line);
  if (!object)
    return object.takeError();
  for (const auto &[key, value] : *object)
    if (!llvm::is_contained({"problem", "schedule", "us", "judged", "tried", "compiler"}, key))
      return createStringError("expected problem, schedule, us, judged, tried and compiler, got '" +
                               StringRef(key) + "'");
  const std::optional<StringRef> problem = object->getString("problem"),
                                 schedule = object->getString("schedule"),
                                 judged = object->getString("judged"),
                                 compiler = object->getString("compiler");
  const std::optional<double> time = object->getNumber("us");
  const std::optional<int64_t> tried = object->getInteger("tried");
  if (!problem || !schedule || !judged || !compiler || !time || !tried)
    return createStringError("expected the strings problem, schedule, judged and compiler, and the "
                             "numbers us and tried, got '" +
                             line.take_front(80) + "'");
  Expected<Problem> parsed = parseProblem(*problem);
  if (!parsed)
    return parsed.takeError();
  Expected<Schedule> complete = parseComplete(*schedule);
  if (!complete)
    return complete.takeError();
  if (!std::isfinite(*time) || *time <= 0)
    return createStringError(llvm::formatv("us must be positive, got {0}", *time));
  if (*tried < 0)
    return createStringError("tried must be at least 0, got " + Twine(*tried));
  if (*judged != "measured" && *judged != "modelled")
    return createStringError("judged must be measured or modelled, got '" + *judged + "'");
  return TunedSchedule{getTuningKey(*parsed), *complete, *time,
                       *judged == "measured", *tried,    compiler->str()};
}

Error TuningTable::addLine(StringRef line) {
  Expected<TunedSchedule> entry = parseEntry(line);
  if (!entry)
    return entry.takeError();
  if (auto it = numbers.find(entry->problem); it != numbers.end())
    return createStringError("'" + entry->problem + "' has line " + Twine(it->second + 2) +
                             " already");
  set(std::move(*entry));
  return Error::success();
}

Expected<TuningTable> TuningTable::parse(StringRef text, const Twine &what) {
  TuningTable table("");
  for (size_t number = 1; number == 1 || !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const StringRef line = text.take_front(end);
    Error error = Error::success();
    if (end == StringRef::npos)
      error = createStringError("expected a whole line, got '" + line.take_back(40) + "'");
    else if (number > 1)
      error = table.addLine(line);
    else if (Expected<std::string> chip = parseHeader(line))
      table.chip = std::move(*chip);
    else
      error = chip.takeError();
    if (error)
      return createStringError(what + ", line " + Twine(number) + ": " +
                               llvm::toString(std::move(error)));
    text = text.drop_front(end + 1);
  }
  return table;
}

/// The content of an open tuning file.
static Expected<TuningTable> readTable(const RegularFile &file, StringRef path) {
  if (file.getSize() > TuningTable::kMaxBytes)
    return createStringError("'" + path + "': a tuning file has at most " +
                             Twine(TuningTable::kMaxBytes) + " bytes, got " +
                             Twine(file.getSize()));
  Expected<std::string> text = file.read(0, file.getSize());
  if (!text)
    return text.takeError();
  return TuningTable::parse(*text, "'" + path + "'");
}

Expected<TuningTable> TuningTable::read(StringRef path) {
  Expected<RegularFile> file = RegularFile::open(path);
  return file ? readTable(*file, path) : file.takeError();
}

bool TuningTable::agrees(const Schedule &schedule, const ScheduleRequest &request) {
  if (!request.partition && addsInMemory(schedule.partition))
    return false;
  const auto isOpen = [](const auto &field, const auto &value) {
    return !field || *field == value;
  };
  if (!isOpen(request.partition, schedule.partition) ||
      !isOpen(request.deterministic, schedule.deterministic))
    return false;
  if (schedule.direct)
    return isOpen(request.direct, *schedule.direct) && leavesTilesOpen(request);
  return !request.direct && isOpen(request.tile, schedule.tile) &&
         isOpen(request.waves, schedule.waves) && isOpen(request.mma, schedule.mma) &&
         isOpen(request.roles, schedule.roles) && isOpen(request.stages, schedule.stages) &&
         isOpen(request.mapping, schedule.mapping) && isOpen(request.hints, schedule.getHints()) &&
         isOpen(request.copies, schedule.copies) && isOpen(request.reads, schedule.reads);
}

const TunedSchedule *TuningTable::find(StringRef problem) const {
  auto it = numbers.find(problem);
  return it == numbers.end() ? nullptr : &entries[it->second];
}

const TunedSchedule *TuningTable::find(StringRef problem, const ScheduleRequest &request) const {
  const TunedSchedule *entry = find(problem);
  return entry && agrees(entry->schedule, request) ? entry : nullptr;
}

void TuningTable::set(TunedSchedule entry) {
  auto [it, isNew] = numbers.try_emplace(entry.problem, entries.size());
  if (isNew) {
    problems.push_back(llvm::cantFail(parseProblem(entry.problem)));
    entries.push_back(std::move(entry));
  } else {
    entries[it->second] = std::move(entry);
  }
}

/// A line with three decimals of the time.
static void printEntry(json::OStream &line, const TunedSchedule &entry) {
  line.attribute("problem", entry.problem);
  line.attribute("schedule", toString(entry.schedule));
  line.attributeBegin("us");
  line.rawValue(llvm::formatv("{0:F3}", entry.microseconds).str());
  line.attributeEnd();
  line.attribute("judged", entry.isMeasured ? "measured" : "modelled");
  line.attribute("tried", entry.tried);
  line.attribute("compiler", entry.compiler);
}

std::string TuningTable::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    json::OStream line(os);
    line.object([&] {
      line.attribute("format", kFormat);
      line.attribute("version", kVersion);
      line.attribute("chip", chip);
    });
  }
  for (const TunedSchedule &entry : entries) {
    os << '\n';
    json::OStream line(os);
    line.object([&] { printEntry(line, entry); });
  }
  os << '\n';
  return text;
}

namespace {
/// A file as it was when it was read.
struct ReadFile {
  struct stat status;
  std::shared_ptr<const TuningTable> table;
};
} // namespace

static bool isSame(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// The table of the file at `path`.
static Expected<std::shared_ptr<const TuningTable>> openFile(StringRef path) {
  static std::mutex mutex;
  static llvm::StringMap<ReadFile> files;
  Expected<RegularFile> file = RegularFile::open(path);
  if (!file)
    return file.takeError();
  struct stat status;
  if (fstat(file->getDescriptor(), &status) != 0)
    return createStringError("cannot read '" + path + "'");
  std::lock_guard<std::mutex> lock(mutex);
  auto it = files.find(path);
  if (it != files.end() && isSame(it->second.status, status))
    return it->second.table;
  Expected<TuningTable> table = readTable(*file, path);
  if (!table)
    return table.takeError();
  auto shared = std::make_shared<const TuningTable>(std::move(*table));
  files[path] = {status, shared};
  return shared;
}

Expected<std::shared_ptr<const TuningTable>> mlir::ck::openTuningFile(StringRef path,
                                                                      StringRef chip) {
  Expected<std::shared_ptr<const TuningTable>> table = openFile(path);
  if (table && (*table)->getChip() != chip)
    return createStringError("'" + path + "', line 1: expected the chip '" + chip + "', got '" +
                             (*table)->getChip() + "'");
  return table;
}
