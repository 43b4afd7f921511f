//===- Epilogue.cpp - Chains of steps on the accumulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says which operand and constants a step takes; parser and printer read it, so that
// defaults and omissions cannot drift apart.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Epilogue.h"
#include "Problem/ProblemDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// What a step takes. `usage` shows all of its parameters.
struct KindRow {
  StringRef name;
  StringRef usage;
  OperandKind operand = OperandKind::None;
  bool hasType = false; // as last parameter
  SmallVector<float, 2> defaults = {};
};
} // namespace

/// Rows in the order of the enumeration.
static ArrayRef<KindRow> getRows() {
  using Kind = OperandKind;
  static const KindRow rows[] = {
      {"bias", "bias(TYPE)", Kind::PerChannel, true},
      {"scale", "scale(TYPE)", Kind::PerChannel, true},
      {"add", "add(TYPE)", Kind::PerElement, true},
      {"bilinear", "bilinear(ALPHA,BETA,TYPE)", Kind::PerElement, true, {1, 1}},
      {"relu", "relu"},
      {"clamp", "clamp(LOW,HIGH)", Kind::None, false, {0, 6}},
      {"gelu", "gelu"},
      {"silu", "silu"},
      {"sigmoid", "sigmoid"},
      {"tanh", "tanh"},
      {"leaky_relu", "leaky_relu(SLOPE)", Kind::None, false, {0.01f}},
      {"convert", "convert(TYPE)", Kind::None, true},
  };
  return rows;
}

/// What Composable Kernel calls a step.
static ArrayRef<std::pair<StringRef, EpilogueKind>> getAliases() {
  static const std::pair<StringRef, EpilogueKind> aliases[] = {
      {"Relu", EpilogueKind::Relu}, {"Gelu", EpilogueKind::Gelu},
      {"Silu", EpilogueKind::Silu}, {"Sigmoid", EpilogueKind::Sigmoid},
      {"Tanh", EpilogueKind::Tanh}, {"TanH", EpilogueKind::Tanh},
  };
  return aliases;
}

/// Composable Kernel's names of no step and of any number of `add`.
static constexpr llvm::StringLiteral kPassThrough = "PassThrough", kMultiDAdd = "MultiDAdd";
/// A kernel has an argument for each operand.
static constexpr int64_t kMaxDAdds = 64;

static const KindRow &getRow(EpilogueKind kind) { return getRows()[static_cast<size_t>(kind)]; }

StringRef mlir::ck::getName(EpilogueKind kind) { return getRow(kind).name; }

OperandKind mlir::ck::getOperandKind(EpilogueKind kind) { return getRow(kind).operand; }

/// The type of a step whose text names none.
static DataType getDefaultType(const KindRow &row, DataType outDtype) {
  return row.operand == OperandKind::PerChannel ? DataType::F32 : outDtype;
}

/// Splits at `separator` outside of parentheses.
SmallVector<StringRef> mlir::ck::detail::splitOutsideParentheses(StringRef text, char separator) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  int64_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (text[i] == separator && depth <= 0) {
      parts.push_back(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

//===----------------------------------------------------------------------===//
// Parse
//===----------------------------------------------------------------------===//

static Expected<EpilogueKind> parseKind(StringRef name) {
  for (auto [index, row] : llvm::enumerate(getRows()))
    if (row.name == name)
      return static_cast<EpilogueKind>(index);
  for (auto [alias, kind] : getAliases())
    if (alias == name)
      return kind;
  auto names =
      llvm::to_vector(llvm::map_range(getRows(), [](const KindRow &row) { return row.name; }));
  llvm::append_range(names, llvm::make_first_range(getAliases()));
  names.append({kPassThrough, kMultiDAdd});
  return createStringError("unknown epilogue '" + name + "': expected one of " +
                           llvm::join(names, ", "));
}

/// Parses the constants and the type of `parameters` into `step`, which holds the defaults.
static Error parseParameters(StringRef text, StringRef parameters, EpilogueStep &step) {
  const KindRow &row = getRow(step.kind);
  auto fail = [&](const Twine &reason) {
    return createStringError("epilogue '" + text + "' " + reason + ": expected " + row.usage);
  };
  SmallVector<StringRef> parts;
  parameters.split(parts, ',');
  if (row.hasType)
    if (std::optional<DataType> type = parseDataType(parts.back())) {
      step.type = *type;
      parts.pop_back();
    }
  if (parts.empty())
    return Error::success();
  if (parts.size() != row.defaults.size())
    return fail("has " + Twine(parts.size()) + " constants, not " + Twine(row.defaults.size()));
  for (auto [part, constant] : llvm::zip(parts, step.constants)) {
    double value;
    if (part.getAsDouble(value) || !std::isfinite(static_cast<float>(value)))
      return fail("has the malformed constant '" + part + "'");
    constant = static_cast<float>(value);
  }
  if (step.kind == EpilogueKind::Clamp && step.constants[0] > step.constants[1])
    return fail("has a low bound above the high one");
  return Error::success();
}

static Expected<EpilogueStep> parseStep(StringRef text, DataType outDtype) {
  auto [name, rest] = text.split('(');
  Expected<EpilogueKind> kind = parseKind(name);
  if (!kind)
    return kind.takeError();
  const KindRow &row = getRow(*kind);
  EpilogueStep step{*kind, row.defaults, getDefaultType(row, outDtype)};
  if (!text.contains('('))
    return step;
  if (!row.hasType && row.defaults.empty())
    return createStringError("epilogue '" + name + "' takes no parameters, got '" + text + "'");
  if (!rest.consume_back(")"))
    return createStringError("expected ')' at the end of epilogue '" + text + "'");
  if (Error error = parseParameters(text, rest, step))
    return std::move(error);
  return step;
}

/// The steps of "MultiDAdd" or "MultiDAdd(COUNT,TYPE)", of which either may be left out.
static Error parseMultiDAdd(StringRef text, DataType outDtype,
                            SmallVector<EpilogueStep, 4> &steps) {
  EpilogueStep step{EpilogueKind::Add, {}, outDtype};
  int64_t count = 1;
  StringRef parameters = text.substr(kMultiDAdd.size());
  if (!parameters.empty()) {
    if (!parameters.consume_front("(") || !parameters.consume_back(")"))
      return createStringError("expected ')' at the end of epilogue '" + text + "'");
    auto [first, second] = parameters.split(',');
    std::optional<DataType> type = parseDataType(parameters.contains(',') ? second : first);
    bool hasCount = !type || parameters.contains(',');
    if ((!type && parameters.contains(',')) || (hasCount && first.getAsInteger(10, count)) ||
        count < 1 || count > kMaxDAdds)
      return createStringError("epilogue '" + text + "' has malformed parameters: expected " +
                               kMultiDAdd + "(COUNT,TYPE) with a count in [1, " + Twine(kMaxDAdds) +
                               "]");
    step.type = type.value_or(outDtype);
  }
  steps.append(count, step);
  return Error::success();
}

Expected<SmallVector<EpilogueStep, 4>> mlir::ck::parseEpilogue(StringRef text, DataType outDtype) {
  SmallVector<EpilogueStep, 4> steps;
  if (text.empty())
    return steps;
  for (StringRef part : detail::splitOutsideParentheses(text, '+')) {
    if (part == kPassThrough)
      continue;
    if (part.split('(').first == kMultiDAdd) {
      if (Error error = parseMultiDAdd(part, outDtype, steps))
        return std::move(error);
      continue;
    }
    Expected<EpilogueStep> step = parseStep(part, outDtype);
    if (!step)
      return step.takeError();
    steps.push_back(*step);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Print
//===----------------------------------------------------------------------===//

/// The shortest decimal text that reads back as `value`.
static std::string toShortest(float value) {
  std::string text;
  for (int digits = 1; digits <= 9; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, double(value));
    double parsed;
    if (!StringRef(text).getAsDouble(parsed) && static_cast<float>(parsed) == value)
      break;
  }
  return text;
}

std::string mlir::ck::toString(ArrayRef<EpilogueStep> steps, DataType outDtype) {
  SmallVector<std::string> texts;
  for (const EpilogueStep &step : steps) {
    const KindRow &row = getRow(step.kind);
    SmallVector<std::string> parameters;
    if (step.constants != row.defaults)
      for (float constant : step.constants)
        parameters.push_back(toShortest(constant));
    if (row.hasType && step.type != getDefaultType(row, outDtype))
      parameters.push_back(getName(step.type).str());
    texts.push_back(row.name.str());
    if (!parameters.empty())
      texts.back() += "(" + llvm::join(parameters, ",") + ")";
  }
  return llvm::join(texts, "+");
}

SmallVector<std::string, 2> mlir::ck::getOperandNames(ArrayRef<EpilogueStep> steps) {
  SmallVector<std::string, 2> names;
  llvm::StringMap<unsigned> uses;
  for (const EpilogueStep &step : steps) {
    if (getOperandKind(step.kind) == OperandKind::None)
      continue;
    StringRef name = getName(step.kind);
    unsigned use = uses[name]++;
    names.push_back(use == 0 ? name.str() : name.str() + std::to_string(use));
  }
  return names;
}
