//===- Parse.cpp - The problem-string parser -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps: the text is split into a map of keys, then a reader takes typed values out of the map,
// so that every error can name the key and quote the text.
//
//===----------------------------------------------------------------------===//

#include "Problem/ProblemDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

using Sizes = llvm::SmallVectorImpl<int64_t>;

namespace {
/// A problem string split at its keys. Errors quote the string.
class KeyReader {
public:
  explicit KeyReader(StringRef text) : text(text) {}

  /// "<message> in '<text>'", followed by ": <hint>" when there is one.
  Error fail(const Twine &message, StringRef hint = "") const {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message + " in '" + text + "'" +
                                                                       (hint.empty() ? "" : ": ") +
                                                                       hint);
  }

  /// Splits "key=value,..." and checks that keys are known and unique.
  Error split(StringRef body, ArrayRef<StringRef> knownKeys);

  bool has(StringRef key) const { return values.contains(key); }
  StringRef get(StringRef key) const { return values.lookup(key); }

  /// Reads one number; a missing key without a default is an error.
  Error read(StringRef key, int64_t &value, std::optional<int64_t> defaultValue = std::nullopt);
  /// Reads the sizes of `in`, whose count of 1 to 3 is the rank.
  Error readSpace(Sizes &sizes);
  /// Reads one number per dimension or one for all of them.
  Error readSizes(StringRef key, unsigned rank, Sizes &sizes,
                  std::optional<int64_t> defaultValue = std::nullopt);
  /// Reads "1", "1x1" or "0:1x0:1" (left:right).
  Error readPadding(unsigned rank, Sizes &left, Sizes &right);
  /// Reads `out_dtype`.
  Error readOutDtype(DataType &type, DataType defaultType);

private:
  Error parseNumber(StringRef key, StringRef digits, int64_t &value) const;
  /// Splits the value of `key` at "x" into one part or `rank` parts.
  Error splitDimensions(StringRef key, unsigned rank, SmallVector<StringRef> &parts) const;
  /// The error for a required key that was not given.
  Error failMissing(StringRef key) const { return fail("missing key '" + key + "'"); }

  StringRef text;
  llvm::StringMap<StringRef> values;
};
} // namespace

Error KeyReader::split(StringRef body, ArrayRef<StringRef> knownKeys) {
  // Parameters of an epilogue stand in parentheses.
  for (StringRef item : detail::splitOutsideParentheses(body, ',')) {
    auto [key, value] = item.split('=');
    if (!llvm::is_contained(knownKeys, key))
      return fail("unknown key '" + key + "'", "expected one of " + llvm::join(knownKeys, ", "));
    if (value.empty())
      return fail("key '" + key + "' has no value", ("expected " + key + "=VALUE").str());
    if (!values.try_emplace(key, value).second)
      return fail("key '" + key + "' is given twice");
  }
  return Error::success();
}

Error KeyReader::parseNumber(StringRef key, StringRef digits, int64_t &value) const {
  StringRef magnitude = digits;
  magnitude.consume_front("-");
  if (magnitude.empty() || !llvm::all_of(magnitude, llvm::isDigit))
    return fail("key '" + key + "' has the malformed value '" + get(key) + "'",
                ("expected a number, got '" + digits + "'").str());
  if (digits.getAsInteger(10, value))
    return fail("key '" + key + "' has a value that overflows 64 bits",
                ("got '" + digits + "'").str());
  return Error::success();
}

Error KeyReader::read(StringRef key, int64_t &value, std::optional<int64_t> defaultValue) {
  if (has(key))
    return parseNumber(key, get(key), value);
  if (!defaultValue)
    return failMissing(key);
  value = *defaultValue;
  return Error::success();
}

Error KeyReader::readSpace(Sizes &sizes) {
  if (!has("in"))
    return failMissing("in");
  for (StringRef part : llvm::split(get("in"), 'x'))
    if (Error error = parseNumber("in", part, sizes.emplace_back()))
      return error;
  if (sizes.size() <= detail::maxRank)
    return Error::success();
  return fail("key 'in' has " + Twine(sizes.size()) + " sizes", "expected 1 to 3");
}

Error KeyReader::splitDimensions(StringRef key, unsigned rank,
                                 SmallVector<StringRef> &parts) const {
  get(key).split(parts, 'x');
  if (parts.size() == 1)
    parts.append(rank - 1, StringRef(parts.front()));
  if (parts.size() == rank)
    return Error::success();
  return fail("key '" + key + "' has " + Twine(parts.size()) + " values",
              "expected 1 or " + std::to_string(rank) + " as 'in' has " + std::to_string(rank));
}

Error KeyReader::readSizes(StringRef key, unsigned rank, Sizes &sizes,
                           std::optional<int64_t> defaultValue) {
  if (!has(key)) {
    if (!defaultValue)
      return failMissing(key);
    sizes.assign(rank, *defaultValue);
    return Error::success();
  }
  SmallVector<StringRef> parts;
  if (Error error = splitDimensions(key, rank, parts))
    return error;
  for (StringRef part : parts)
    if (Error error = parseNumber(key, part, sizes.emplace_back()))
      return error;
  return Error::success();
}

Error KeyReader::readPadding(unsigned rank, Sizes &left, Sizes &right) {
  if (!has("pad")) {
    left.assign(rank, 0);
    right.assign(rank, 0);
    return Error::success();
  }
  SmallVector<StringRef> parts;
  if (Error error = splitDimensions("pad", rank, parts))
    return error;
  for (StringRef part : parts) {
    auto [leftText, rightText] = part.split(':');
    if (!part.contains(':'))
      rightText = leftText;
    if (Error error = parseNumber("pad", leftText, left.emplace_back()))
      return error;
    if (Error error = parseNumber("pad", rightText, right.emplace_back()))
      return error;
  }
  return Error::success();
}

Error KeyReader::readOutDtype(DataType &type, DataType defaultType) {
  type = defaultType;
  if (!has("out_dtype"))
    return Error::success();
  std::optional<DataType> parsed = parseDataType(get("out_dtype"));
  if (!parsed)
    return fail("unknown out_dtype '" + get("out_dtype") + "'",
                "expected one of f16, bf16, f32, i8, fp8, bf8, i32");
  type = *parsed;
  return Error::success();
}

/// Runs the verifier and quotes the string in its error.
template <typename ProblemTy>
static Expected<Problem> finish(const KeyReader &reader, ProblemTy problem) {
  if (problem.epilogue == epilogueRegion)
    return reader.fail("epilogue 'region' stands for one in IR", "expected NAME(+NAME)*");
  if (Error error = problem.verify())
    return reader.fail(llvm::toString(std::move(error)));
  problem.epilogue = toString(problem.getEpilogueSteps(), problem.outDtype);
  return Problem(std::move(problem));
}

static Error readConvLayouts(KeyReader &reader, ConvProblem &problem) {
  std::string layout = detail::getDefaultLayout(problem.getRank());
  if (reader.has("layout"))
    layout = reader.get("layout").str();
  SmallVector<StringRef> names;
  StringRef(layout).split(names, '_');
  if (names.size() != 3)
    return reader.fail("key 'layout' has " + Twine(names.size()) + " layouts",
                       "expected INPUT_FILTER_OUTPUT as in " +
                           detail::getDefaultLayout(problem.getRank()));
  problem.inLayout = names[0].str();
  problem.filterLayout = names[1].str();
  problem.outLayout = names[2].str();
  return Error::success();
}

static Expected<Problem> parseConv(KeyReader &reader, ConvDirection direction, DataType dtype,
                                   StringRef body) {
  if (Error error = reader.split(body, {"N", "G", "K", "C", "in", "filter", "stride", "dilation",
                                        "pad", "layout", "preshuffle", "out_dtype", "epilogue"}))
    return error;
  ConvProblem problem;
  problem.direction = direction;
  problem.dtype = dtype;
  std::pair<StringRef, int64_t *> scalars[] = {
      {"N", &problem.n}, {"K", &problem.k}, {"C", &problem.c}};
  for (auto [key, value] : scalars)
    if (Error error = reader.read(key, *value))
      return error;
  if (Error error = reader.read("G", problem.g, 1))
    return error;
  if (Error error = reader.readSpace(problem.in))
    return error;
  unsigned rank = problem.getRank();
  if (Error error = reader.readSizes("filter", rank, problem.filter))
    return error;
  if (Error error = reader.readSizes("stride", rank, problem.stride, 1))
    return error;
  if (Error error = reader.readSizes("dilation", rank, problem.dilation, 1))
    return error;
  if (Error error = reader.readPadding(rank, problem.padLeft, problem.padRight))
    return error;
  if (Error error = readConvLayouts(reader, problem))
    return error;
  if (Error error = reader.read("preshuffle", problem.preshuffle, 0))
    return error;
  bool weightGradient = direction == ConvDirection::BackwardWeight;
  if (Error error =
          reader.readOutDtype(problem.outDtype, detail::getDefaultOutDtype(dtype, weightGradient)))
    return error;
  problem.epilogue = reader.get("epilogue").str();
  return finish(reader, std::move(problem));
}

static Expected<Problem> parseGemm(KeyReader &reader, DataType dtype, StringRef body) {
  if (Error error =
          reader.split(body, {"M", "N", "K", "G", "layout", "preshuffle", "out_dtype", "epilogue"}))
    return error;
  GemmProblem problem;
  problem.dtype = dtype;
  std::pair<StringRef, int64_t *> scalars[] = {
      {"M", &problem.m}, {"N", &problem.n}, {"K", &problem.k}};
  for (auto [key, value] : scalars)
    if (Error error = reader.read(key, *value))
      return error;
  if (Error error = reader.read("G", problem.g, 1))
    return error;
  if (reader.has("layout"))
    problem.layout = reader.get("layout").str();
  if (Error error = reader.read("preshuffle", problem.preshuffle, 0))
    return error;
  if (Error error = reader.readOutDtype(
          problem.outDtype, detail::getDefaultOutDtype(dtype, /*weightGradient=*/false)))
    return error;
  problem.epilogue = reader.get("epilogue").str();
  return finish(reader, std::move(problem));
}

Expected<Problem> mlir::ck::parseProblem(StringRef text) {
  KeyReader reader(text);
  SmallVector<StringRef, 3> parts;
  text.split(parts, ':', /*MaxSplit=*/2);
  if (parts.size() != 3 || parts[2].empty())
    return reader.fail("malformed problem", "expected OP:DTYPE:key=value,...");
  std::optional<DataType> dtype = parseDataType(parts[1]);
  if (!dtype || dtype == DataType::I32)
    return reader.fail("unknown type '" + parts[1] + "'",
                       "expected one of f16, bf16, f32, i8, fp8, bf8");
  if (parts[0] == "gemm")
    return parseGemm(reader, *dtype, parts[2]);
  for (ConvDirection direction :
       {ConvDirection::Forward, ConvDirection::BackwardData, ConvDirection::BackwardWeight})
    if (parts[0] == getName(direction))
      return parseConv(reader, direction, *dtype, parts[2]);
  return reader.fail("unknown operation '" + parts[0] + "'",
                     "expected one of conv_fwd, conv_bwd_data, conv_bwd_weight, gemm");
}
