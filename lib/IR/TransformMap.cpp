//===- TransformMap.cpp - Text form and verifier of transform maps -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map is written as a list of readable steps instead of an affine map, since merges and padding
// (validity) have no place in one.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/CK.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ck;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Parses the steps of a map into attributes.
struct StepParser {
  AsmParser &parser;
  SmallVector<StringAttr> from = {}, into = {};
  SmallVector<int64_t> values = {};

  ParseResult parseName(SmallVectorImpl<StringAttr> &names) {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  }
  ParseResult parseValue() { return parser.parseInteger(values.emplace_back()); }
  ParseResult parseColonValue() { return failure(parser.parseColon() || parseValue()); }

  ParseResult parseNames(SmallVectorImpl<StringAttr> &names) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                          [&] { return parseName(names); });
  }
  /// `(y: 3 * 1, ho: 14 * 2) + 5`: values become the sizes, the coefficients and the constant.
  ParseResult parseTerms() {
    SmallVector<int64_t> coefficients;
    auto parseTerm = [&]() -> ParseResult {
      return failure(parseName(into) || parseColonValue() || parser.parseStar() ||
                     parser.parseInteger(coefficients.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseTerm))
      return failure();
    llvm::append_range(values, coefficients);
    values.push_back(0);
    if (succeeded(parser.parseOptionalPlus()))
      return parser.parseInteger(values.back());
    if (failed(parser.parseOptionalMinus()))
      return success();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(values.back()))
      return failure();
    if (llvm::SubOverflow<int64_t>(0, values.back(), values.back()))
      return parser.emitError(loc, "constant of an embed overflows 64 bits");
    return success();
  }
  ParseResult parseSizedNames() {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
      return failure(parseName(into) || parseColonValue());
    });
  }

  ParseResult parseBody(TransformKind kind) {
    switch (kind) {
    case TransformKind::Pass:
      return failure(parseName(into) || parser.parseEqual() || parseName(from));
    case TransformKind::Pad:
      if (parseName(from) || parseValue() || parseColonValue())
        return failure();
      into = from;
      return success();
    case TransformKind::Slice:
      if (parseName(from) || parseValue() || parser.parseKeyword("to") || parseValue())
        return failure();
      into = from;
      return success();
    case TransformKind::Embed:
      return failure(parseName(from) || parser.parseEqual() || parseTerms());
    case TransformKind::Unmerge:
      return failure(parseName(from) || parser.parseEqual() || parseSizedNames());
    case TransformKind::Merge:
      return failure(parseName(into) || parser.parseEqual() || parseNames(from));
    case TransformKind::Broadcast:
      return failure(parseName(into) || parseColonValue());
    case TransformKind::Freeze:
      return failure(parseName(from) || parser.parseEqual() || parseValue());
    case TransformKind::Diagonal:
      return failure(parseName(from) || parser.parseEqual() || parseNames(into));
    }
    return failure();
  }
};
} // namespace

static ParseResult parseStep(AsmParser &parser, SmallVectorImpl<TransformAttr> &steps) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<TransformKind> kind = symbolizeTransformKind(keyword);
  if (!kind)
    return parser.emitError(loc, "unknown transform '")
           << keyword
           << "': expected pass, pad, slice, embed, unmerge, merge, broadcast, freeze or "
              "diagonal";
  StepParser step{parser};
  if (step.parseBody(*kind))
    return failure();
  steps.push_back(
      TransformAttr::get(parser.getContext(), *kind, step.from, step.into, step.values));
  return success();
}

/// `(n: 8, h: 14)`
static ParseResult parseDims(AsmParser &parser, SmallVectorImpl<StringAttr> &names,
                             SmallVectorImpl<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseColon() ||
        parser.parseInteger(sizes.emplace_back()))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  });
}

Attribute TransformMapAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> tensorDims, viewDims;
  SmallVector<int64_t> tensorSizes, viewSizes;
  SmallVector<TransformAttr> steps;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseDims(parser, tensorDims, tensorSizes) ||
      parser.parseKeyword("by") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseStep(parser, steps); }) ||
      parser.parseKeyword("to") || parseDims(parser, viewDims, viewSizes) || parser.parseGreater())
    return {};
  // Exact parameter types: they select the generated getChecked, which knows the storage.
  return parser.getChecked<TransformMapAttr>(
      loc, parser.getContext(), ArrayRef<StringAttr>(tensorDims), ArrayRef<int64_t>(tensorSizes),
      ArrayRef<TransformAttr>(steps), ArrayRef<StringAttr>(viewDims), ArrayRef<int64_t>(viewSizes));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printNames(AsmPrinter &printer, ArrayRef<StringAttr> names) {
  printer << "(";
  llvm::interleaveComma(names, printer, [&](StringAttr name) { printer << name.getValue(); });
  printer << ")";
}

static void printDims(AsmPrinter &printer, ArrayRef<StringAttr> names, ArrayRef<int64_t> sizes) {
  printer << "(";
  llvm::interleaveComma(llvm::zip_equal(names, sizes), printer, [&](auto dim) {
    printer << std::get<0>(dim).getValue() << ": " << std::get<1>(dim);
  });
  printer << ")";
}

static void printStep(AsmPrinter &printer, TransformAttr step) {
  ArrayRef<int64_t> values = step.getValues();
  auto from = [&] { return step.getFrom().front().getValue(); };
  auto into = [&] { return step.getInto().front().getValue(); };
  printer << stringifyTransformKind(step.getKind()) << " ";
  switch (step.getKind()) {
  case TransformKind::Pass:
    printer << into() << " = " << from();
    return;
  case TransformKind::Pad:
    printer << from() << " " << values[0] << " : " << values[1];
    return;
  case TransformKind::Slice:
    printer << from() << " " << values[0] << " to " << values[1];
    return;
  case TransformKind::Embed: {
    printer << from() << " = (";
    size_t count = step.getInto().size();
    for (size_t i = 0; i < count; ++i)
      printer << (i ? ", " : "") << step.getInto()[i].getValue() << ": " << values[i] << " * "
              << values[count + i];
    printer << ")";
    if (int64_t constant = values.back())
      printer << (constant < 0 ? " - " : " + ") << std::abs(constant);
    return;
  }
  case TransformKind::Unmerge:
    printer << from() << " = ";
    printDims(printer, step.getInto(), values);
    return;
  case TransformKind::Merge:
    printer << into() << " = ";
    printNames(printer, step.getFrom());
    return;
  case TransformKind::Broadcast:
    printer << into() << " : " << values[0];
    return;
  case TransformKind::Freeze:
    printer << from() << " = " << values[0];
    return;
  case TransformKind::Diagonal:
    printer << from() << " = ";
    printNames(printer, step.getInto());
    return;
  }
}

void TransformMapAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDims(printer, getTensorDims(), getTensorSizes());
  printer << " by [";
  llvm::interleaveComma(getSteps(), printer, [&](TransformAttr step) { printStep(printer, step); });
  printer << "] to ";
  printDims(printer, getViewDims(), getViewSizes());
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// What a step of one kind has; nothing where any number will do.
struct StepCounts {
  std::optional<size_t> from, into;
  size_t values;
};
} // namespace

/// The counts of a step of `kind` that makes `into` dimensions.
static StepCounts getStepCounts(TransformKind kind, size_t into) {
  switch (kind) {
  case TransformKind::Pass:
    return {1, 1, 0};
  case TransformKind::Pad:
  case TransformKind::Slice:
    return {1, 1, 2};
  case TransformKind::Embed: // sizes, coefficients, offset
    return {1, std::nullopt, 2 * into + 1};
  case TransformKind::Unmerge:
    return {1, std::nullopt, into};
  case TransformKind::Merge:
    return {std::nullopt, 1, 0};
  case TransformKind::Broadcast:
    return {0, 1, 1};
  case TransformKind::Freeze:
    return {1, 0, 1};
  case TransformKind::Diagonal: // C6 is an error of the map
    return {1, std::nullopt, 0};
  }
  llvm_unreachable("covered switch");
}

LogicalResult TransformAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                    TransformKind kind, ArrayRef<StringAttr> from,
                                    ArrayRef<StringAttr> into, ArrayRef<int64_t> values) {
  StepCounts counts = getStepCounts(kind, into.size());
  auto check = [&](StringRef what, size_t count, size_t expected) -> LogicalResult {
    if (count == expected)
      return success();
    return emitError() << "expected " << expected << ' ' << what << " in a step of kind '"
                       << stringifyTransformKind(kind) << "', got " << count;
  };
  if (failed(check("consumed dimensions", from.size(), counts.from.value_or(from.size()))) ||
      failed(check("produced dimensions", into.size(), counts.into.value_or(into.size()))))
    return failure();
  return check("values", values.size(), counts.values);
}

namespace {
/// Runs the steps on dimension sizes.
struct MapVerifier {
  function_ref<InFlightDiagnostic()> emitError;
  llvm::MapVector<StringAttr, int64_t> sizes = {};

  LogicalResult define(StringAttr name, int64_t size) {
    if (size < 1) // C2
      return emitError() << "size of '" << name.getValue() << "' must be positive, got " << size;
    if (!sizes.insert({name, size}).second) // C1
      return emitError() << "dimension '" << name.getValue() << "' is defined twice";
    return success();
  }

  FailureOr<int64_t> consume(StringAttr name) {
    auto *it = sizes.find(name);
    if (it == sizes.end()) { // C1
      emitError() << "no dimension '" << name.getValue() << "' to consume";
      return failure();
    }
    int64_t size = it->second;
    sizes.erase(it);
    return size;
  }

  /// The error for a dimension whose size or coordinates are no 64-bit numbers.
  LogicalResult emitOverflow(StringAttr name) {
    return emitError() << "coordinates of '" << name.getValue() << "' overflow 64 bits";
  }

  /// The product of `factors`, which are positive, as the size of `name`.
  FailureOr<int64_t> multiply(StringAttr name, ArrayRef<int64_t> factors) {
    int64_t product = 1;
    for (int64_t factor : factors)
      if (llvm::MulOverflow(product, factor, product)) // C7
        return emitOverflow(name);
    return product;
  }

  LogicalResult verifyPad(StringAttr name, int64_t size, int64_t low, int64_t high) {
    if (low < 0 || high < 0) // C2
      return emitError() << "padding of '" << name.getValue() << "' must not be negative, got "
                         << low << " : " << high;
    int64_t padded;
    if (llvm::AddOverflow(size, low, padded) || llvm::AddOverflow(padded, high, padded)) // C7
      return emitOverflow(name);
    return define(name, padded);
  }

  LogicalResult verifySlice(StringAttr name, int64_t size, int64_t begin, int64_t end) {
    if (begin < 0 || end > size || begin >= end) // C2
      return emitError() << "slice of '" << name.getValue() << "' must be a range in [0, " << size
                         << "], got " << begin << " to " << end;
    return define(name, end - begin);
  }

  LogicalResult verifyEmbed(TransformAttr step, int64_t size) {
    size_t count = step.getInto().size();
    int64_t first = step.getValues().back(), last = first;
    for (size_t i = 0; i < count; ++i) {
      int64_t dimSize = step.getValues()[i], coefficient = step.getValues()[count + i], reach;
      if (failed(define(step.getInto()[i], dimSize)))
        return failure();
      int64_t &bound = coefficient < 0 ? first : last;
      if (llvm::MulOverflow(dimSize - 1, coefficient, reach) ||
          llvm::AddOverflow(bound, reach, bound)) // C7
        return emitOverflow(step.getFrom()[0]);
    }
    if (first < 0 || last >= size) // C3
      return emitError() << "embed reaches coordinate " << (first < 0 ? first : last) << " of '"
                         << step.getFrom()[0].getValue() << "' which has size " << size;
    return success();
  }

  LogicalResult verifyUnmerge(TransformAttr step, int64_t size) {
    for (auto [name, part] : llvm::zip_equal(step.getInto(), step.getValues()))
      if (failed(define(name, part)))
        return failure();
    FailureOr<int64_t> product = multiply(step.getFrom()[0], step.getValues());
    if (failed(product))
      return failure();
    if (*product != size) // C4
      return emitError() << "expected the sizes of an unmerge of '" << step.getFrom()[0].getValue()
                         << "' to multiply to " << size << ", got " << *product;
    return success();
  }

  LogicalResult run(TransformAttr step) {
    SmallVector<int64_t> consumed;
    for (StringAttr name : step.getFrom()) {
      FailureOr<int64_t> size = consume(name);
      if (failed(size))
        return failure();
      consumed.push_back(*size);
    }
    ArrayRef<int64_t> values = step.getValues();
    switch (step.getKind()) {
    case TransformKind::Pass:
      return define(step.getInto()[0], consumed[0]);
    case TransformKind::Pad:
      return verifyPad(step.getInto()[0], consumed[0], values[0], values[1]);
    case TransformKind::Slice:
      return verifySlice(step.getInto()[0], consumed[0], values[0], values[1]);
    case TransformKind::Embed:
      return verifyEmbed(step, consumed[0]);
    case TransformKind::Unmerge:
      return verifyUnmerge(step, consumed[0]);
    case TransformKind::Merge: {
      FailureOr<int64_t> product = multiply(step.getInto()[0], consumed);
      return failed(product) ? failure() : define(step.getInto()[0], *product);
    }
    case TransformKind::Broadcast:
      return define(step.getInto()[0], values[0]);
    case TransformKind::Freeze:
      if (values[0] < 0 || values[0] >= consumed[0]) // C2
        return emitError() << "frozen coordinate of '" << step.getFrom()[0].getValue()
                           << "' must be in [0, " << consumed[0] - 1 << "], got " << values[0];
      return success();
    case TransformKind::Diagonal:
      if (step.getInto().size() != 2) // C6
        return emitError() << "diagonal of '" << step.getFrom()[0].getValue()
                           << "' must make 2 dimensions, got " << step.getInto().size();
      return failure(failed(define(step.getInto()[0], consumed[0])) ||
                     failed(define(step.getInto()[1], consumed[0])));
    }
    return failure();
  }
};
} // namespace

LogicalResult TransformMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<StringAttr> tensorDims,
                                       ArrayRef<int64_t> tensorSizes, ArrayRef<TransformAttr> steps,
                                       ArrayRef<StringAttr> viewDims, ArrayRef<int64_t> viewSizes) {
  MapVerifier verifier{emitError};
  for (auto [name, size] : llvm::zip_equal(tensorDims, tensorSizes))
    if (failed(verifier.define(name, size)))
      return failure();
  for (TransformAttr step : steps)
    if (failed(verifier.run(step)))
      return failure();
  for (auto [name, size] : llvm::zip_equal(viewDims, viewSizes)) { // C5
    FailureOr<int64_t> actual = verifier.consume(name);
    if (failed(actual))
      return failure();
    if (*actual != size)
      return emitError() << "expected size " << *actual << " of view dimension '" << name.getValue()
                         << "', got " << size;
  }
  if (!verifier.sizes.empty())
    return emitError() << "dimension '" << verifier.sizes.front().first.getValue()
                       << "' is not in the view";
  return success();
}
