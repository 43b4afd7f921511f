//===- KernelSet.cpp - Declarations of kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// People write sets by hand: every mistake must be named, and nothing that is unknown is ignored.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/KernelSet.h"
#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;
using llvm::Twine;

namespace {
/// One value for each key.
using Point = std::vector<std::pair<StringRef, StringRef>>;

/// A set that is built in.
struct BuiltInSet {
  const char *name, *text;
};
} // namespace

static constexpr BuiltInSet kBuiltInSets[] = {
#include "Sets.inc"
};

static std::string getText(const json::Value &value) { return llvm::formatv("{0}", value).str(); }

json::Object mlir::ck::toJson(const Declaration &kernel) {
  json::Object object = *kernel.request.toJson().getAsObject();
  object["layer"] = kernel.layer;
  return object;
}

json::Array mlir::ck::toJson(llvm::ArrayRef<Exclusion> exclusions) {
  json::Array array;
  for (const Exclusion &exclusion : exclusions) {
    json::Object object = toJson(exclusion.declaration);
    object["reason"] = exclusion.reason;
    array.push_back(std::move(object));
  }
  return array;
}

/// Reads an array of texts; numbers are texts as well.
static Expected<std::vector<std::string>> readTexts(const json::Value &value, const Twine &what) {
  const json::Array *array = value.getAsArray();
  std::vector<std::string> texts;
  if (!array || array->empty())
    return createStringError(what + ": expected an array of strings, got " + getText(value));
  for (const json::Value &entry : *array) {
    if (std::optional<int64_t> number = entry.getAsInteger())
      texts.push_back(std::to_string(*number));
    else if (std::optional<StringRef> text = entry.getAsString())
      texts.push_back(text->str());
    else
      return createStringError(what + ": expected a string or a number, got " + getText(entry));
  }
  return texts;
}

static Expected<SetAxes> readAxes(const json::Value &value, const Twine &what) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError(what + ": expected an object of arrays, got " + getText(value));
  SetAxes axes;
  for (const auto &[key, values] : *object) {
    Expected<std::vector<std::string>> texts = readTexts(values, what + "." + key.str());
    if (!texts)
      return texts.takeError();
    axes.emplace_back(key.str(), std::move(*texts));
  }
  llvm::sort(axes);
  return axes;
}

/// Every combination of values.
static std::vector<Point> combine(const SetAxes &axes) {
  std::vector<Point> points(1);
  for (const auto &[key, values] : axes) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (const std::string &value : values) {
        longer.push_back(point);
        longer.back().emplace_back(key, value);
        if (longer.size() > KernelSet::kMaxKernels)
          return longer;
      }
    points = std::move(longer);
  }
  return points;
}

namespace mlir::ck {
/// Reads one set.
class LLVM_LIBRARY_VISIBILITY SetReader {
public:
  SetReader(KernelSet &set, const Twine &what, const SetAxes &given)
      : set(set), what(what.str()), given(given) {}

  Error read(const json::Value &value);

private:
  /// What an entry declares, or the set for its entries.
  struct Fields {
    std::vector<std::string> chips = {"gfx942"};
    SetAxes values, schedule;
  };

  Error checkKeys(const json::Object &object, llvm::ArrayRef<StringRef> known,
                  const Twine &where) const;
  Error readFields(const json::Object &object, const Twine &where, Fields &fields);
  Error readKernel(const json::Value &value, const Twine &where, const Fields &ofSet);
  Error addProblem(const std::string &problem, bool isPattern, const Twine &where,
                   const std::string &layer, const Fields &fields);

  KernelSet &set;
  std::string what;
  const SetAxes &given;    // the caller's values
  llvm::StringSet<> taken; // keys of `given` that the set has
  llvm::StringSet<> seen;  // kernels
};
} // namespace mlir::ck

Error SetReader::checkKeys(const json::Object &object, llvm::ArrayRef<StringRef> known,
                           const Twine &where) const {
  for (const auto &[key, value] : object)
    if (!llvm::is_contained(known, StringRef(key)))
      return createStringError(where + ": unknown field '" + key.str() + "', expected one of " +
                               llvm::join(known, ", "));
  return Error::success();
}

/// The schedule string of one combination.
static std::string makeSchedule(const Point &point) {
  std::string text;
  for (auto [key, value] : point)
    if (!value.empty())
      text += (Twine(text.empty() ? "" : ",") + key + "=" + value).str();
  return text;
}

Error SetReader::readFields(const json::Object &object, const Twine &where, Fields &fields) {
  if (const json::Value *chips = object.get("chips")) {
    Expected<std::vector<std::string>> texts = readTexts(*chips, where + ".chips");
    if (!texts)
      return texts.takeError();
    for (const std::string &chip : *texts)
      if (Error error = getChip(chip).takeError())
        return createStringError(where + ".chips: " + llvm::toString(std::move(error)));
    fields.chips = std::move(*texts);
  }
  for (auto [key, member] :
       {std::pair("values", &Fields::values), std::pair("schedule", &Fields::schedule)}) {
    const json::Value *value = object.get(key);
    if (!value)
      continue;
    Expected<SetAxes> axes = readAxes(*value, where + "." + key);
    if (!axes)
      return axes.takeError();
    for (auto &axis : *axes) {
      llvm::erase_if(fields.*member, [&](const auto &old) { return old.first == axis.first; });
      (fields.*member).push_back(std::move(axis));
    }
  }
  for (const auto &axis : given)
    for (auto &[key, values] : fields.values)
      if (key == axis.first) {
        values = axis.second;
        taken.insert(key);
      }
  for (const Point &point : combine(fields.schedule))
    if (Error error = parseSchedule(makeSchedule(point)).takeError())
      return createStringError(where + ".schedule: " + llvm::toString(std::move(error)));
  return Error::success();
}

Error SetReader::addProblem(const std::string &problem, bool isPattern, const Twine &where,
                            const std::string &layer, const Fields &fields) {
  if (Error error = parseProblem(problem).takeError()) {
    if (!isPattern)
      return createStringError(where + ".problem: " + llvm::toString(std::move(error)));
    KernelRequest request;
    request.problem = problem;
    request.chip = ""; // no chip has it
    set.exclusions.push_back({{request, layer}, llvm::toString(std::move(error))});
    return Error::success();
  }
  for (const std::string &chip : fields.chips) {
    for (const Point &point : combine(fields.schedule)) {
      KernelRequest request;
      request.problem = problem;
      request.chip = chip;
      request.schedule = makeSchedule(point);
      request = llvm::cantFail(request.canonicalize()); // its parts have been parsed
      if (seen.insert(getText(request.toJson())).second)
        set.kernels.push_back({request, layer});
      if (set.kernels.size() > KernelSet::kMaxKernels)
        return createStringError(what + ": expected at most " + Twine(KernelSet::kMaxKernels) +
                                 " kernels");
    }
  }
  return Error::success();
}

/// Replaces every `{KEY}`.
static std::string replaceKeys(std::string text, const Point &point) {
  for (auto [key, value] : point) {
    std::string pattern = ("{" + key + "}").str();
    for (size_t place = text.find(pattern); place != std::string::npos;
         place = text.find(pattern, place + value.size()))
      text.replace(place, pattern.size(), value.str());
  }
  return text;
}

Error SetReader::readKernel(const json::Value &value, const Twine &where, const Fields &ofSet) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError(where + ": expected an object, got " + getText(value));
  if (Error error = checkKeys(*object, {"problem", "layer", "chips", "values", "schedule"}, where))
    return error;
  const json::Value *given = object->get("problem");
  std::optional<StringRef> problem = object->getString("problem");
  if (!problem)
    return createStringError(where + ".problem: expected a string, got " +
                             (given ? getText(*given) : "nothing"));
  const json::Value *layer = object->get("layer");
  if (layer && !layer->getAsString())
    return createStringError(where + ".layer: expected a string, got " + getText(*layer));
  Fields fields = ofSet;
  if (Error error = readFields(*object, where, fields))
    return error;
  SetAxes used;
  for (const auto &axis : fields.values)
    if (problem->contains("{" + axis.first + "}"))
      used.push_back(axis);
  for (const Point &point : combine(used)) {
    std::string text = replaceKeys(problem->str(), point);
    if (StringRef(text).contains('{'))
      return createStringError(where + ".problem: expected values for '" +
                               StringRef(text).split('{').second.split('}').first + "' of '" +
                               *problem + "'");
    if (Error error = addProblem(text, !used.empty(), where,
                                 layer ? layer->getAsString()->str() : "", fields))
      return error;
  }
  return Error::success();
}

Error SetReader::read(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError(what + ": expected an object, got " + getText(value));
  if (Error error = checkKeys(
          *object, {"name", "description", "chips", "values", "schedule", "kernels"}, what))
    return error;
  const json::Array *kernels = object->getArray("kernels");
  if (!object->getString("name") || !kernels)
    return createStringError(what + ": expected a string 'name' and an array 'kernels'");
  set.name = object->getString("name")->str();
  set.description = object->getString("description").value_or("").str();
  Fields fields;
  if (Error error = readFields(*object, what, fields))
    return error;
  for (auto [number, kernel] : llvm::enumerate(*kernels))
    if (Error error = readKernel(kernel, what + ".kernels[" + std::to_string(number) + "]", fields))
      return error;
  for (const auto &[key, values] : given)
    if (!taken.contains(key))
      return createStringError(what + ": expected values of a key of the set, got '" + key + "'");
  if (set.kernels.empty())
    return createStringError(
        what + ": expected at least one kernel, got none" +
        (set.exclusions.empty() ? "" : "; the first excluded: " + set.exclusions[0].reason));
  return Error::success();
}

Expected<KernelSet> KernelSet::parse(const json::Value &value, const Twine &what,
                                     const SetAxes &values) {
  KernelSet set;
  if (Error error = SetReader(set, what, values).read(value))
    return std::move(error);
  return set;
}

std::vector<std::string> mlir::ck::getBuiltInSets() {
  std::vector<std::string> names;
  for (const BuiltInSet &set : kBuiltInSets)
    names.emplace_back(set.name);
  return names;
}

Expected<KernelSet> KernelSet::open(StringRef nameOrPath, const SetAxes &values) {
  for (const BuiltInSet &set : kBuiltInSets)
    if (nameOrPath == set.name)
      return parse(llvm::cantFail(parseJson(set.text, nameOrPath)), "set '" + nameOrPath + "'",
                   values);
  if (!nameOrPath.ends_with(".json"))
    return createStringError("unknown set '" + nameOrPath + "': expected a file that ends in " +
                             "'.json', or one of " + llvm::join(getBuiltInSets(), ", "));
  Expected<json::Value> value = readJsonFile(nameOrPath);
  if (!value)
    return value.takeError();
  return parse(*value, "set '" + nameOrPath + "'", values);
}

Error KernelSet::setChips(llvm::ArrayRef<std::string> chips) {
  for (const std::string &chip : chips)
    if (Error error = getChip(chip).takeError())
      return error;
  llvm::StringSet<> seen;
  auto old = std::move(kernels);
  kernels.clear();
  for (Declaration kernel : old)
    for (const std::string &chip : chips) {
      kernel.request.chip = chip;
      if (seen.insert(getText(kernel.request.toJson())).second)
        kernels.push_back(kernel);
    }
  return Error::success();
}
