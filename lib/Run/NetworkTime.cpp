//===- NetworkTime.cpp - How long a whole network takes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of `ck-run --problems=FILE.json --time`, from which one sees where the next microsecond
// lies.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

/// Layers that the last line names.
static constexpr size_t kNamed = 3;

static bool hasTime(const RunReport &report) { return report.timing && report.roofline; }

double mlir::ck::getNetworkMicroseconds(const RunReport &report) {
  return report.timing ? double(report.count) * report.timing->getMicroseconds() : 0;
}

static double getRooflineMicroseconds(const RunReport &report) {
  return double(report.count) * report.roofline->getMicroseconds();
}

/// Microseconds by which a problem is above its roofline.
static double getLoss(const RunReport &report) {
  return getNetworkMicroseconds(report) - getRooflineMicroseconds(report);
}

static StringRef getLabel(const RunReport &report) {
  return report.name.empty() ? report.problem : report.name;
}

/// "34.1" of 0.341.
static std::string formatPercent(double share) { return formatv("{0:F1}", 100 * share); }

using Row = std::vector<std::string>;

/// The columns of which the first and the two bounds are text.
static constexpr llvm::StringLiteral kHead[] = {"problem",   "count",   "us",       "share %",
                                                "bound by",  "status",  "roofline", "of",
                                                "reached %", "above us"};
static bool isText(size_t column) {
  return llvm::is_contained({"problem", "bound by", "status", "of"}, kHead[column]);
}

static Row getCells(const RunReport &report, double network) {
  const double time = getNetworkMicroseconds(report), least = getRooflineMicroseconds(report);
  return {getLabel(report).str(),
          std::to_string(report.count),
          formatv("{0:F1}", time),
          formatPercent(time / network),
          report.timing->getLongest().bound,
          getName(report.status).str(),
          formatv("{0:F1}", least),
          report.roofline->getBound().str(),
          formatPercent(least / time),
          formatv("{0:F1}", time - least)};
}

static void printRows(llvm::raw_ostream &os, ArrayRef<Row> rows) {
  std::vector<size_t> widths(std::size(kHead), 0);
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const Row &row : rows) {
    std::string line;
    llvm::raw_string_ostream text(line);
    for (auto [column, cell] : llvm::enumerate(row)) {
      if (isText(column))
        text << llvm::left_justify(cell, widths[column]) << "  ";
      else
        text << llvm::right_justify(cell, widths[column]) << "  ";
    }
    os << StringRef(line).rtrim() << '\n';
  }
}

/// The sums, and what is furthest above its roofline.
static void printSums(llvm::raw_ostream &os, ArrayRef<const RunReport *> timed) {
  double network = 0, least = 0, low = 0, high = 0;
  for (const RunReport *report : timed) {
    const auto [lowest, highest] = report->timing->getError();
    network += getNetworkMicroseconds(*report);
    least += getRooflineMicroseconds(*report);
    low += double(report->count) * lowest;
    high += double(report->count) * highest;
  }
  os << formatv("{0} problems take {1:F1} us on {2} by the model of the chip, not measured ({3:F1} "
                "to {4:F1}); their rooflines are {5:F1} us, {6} % of it\n",
                timed.size(), network, timed.front()->chip, low, high, least,
                formatPercent(least / network));
  std::vector<const RunReport *> byLoss(timed);
  llvm::sort(byLoss, [](const RunReport *a, const RunReport *b) {
    return std::pair(-getLoss(*a), getLabel(*a)) < std::pair(-getLoss(*b), getLabel(*b));
  });
  os << "furthest above the roofline:";
  for (auto [number, report] : llvm::enumerate(ArrayRef(byLoss).take_front(kNamed)))
    os << (number == 0 ? " " : ", ") << getLabel(*report)
       << formatv(" ({0:F1} us)", getLoss(*report));
  os << '\n';
}

void mlir::ck::printNetwork(llvm::raw_ostream &os, ArrayRef<RunReport> reports) {
  std::vector<const RunReport *> timed;
  double network = 0;
  for (const RunReport &report : reports) {
    network += getNetworkMicroseconds(report);
    if (hasTime(report))
      timed.push_back(&report);
  }
  if (!timed.empty()) {
    std::vector<Row> rows = {Row(std::begin(kHead), std::end(kHead))};
    for (const RunReport *report : timed)
      rows.push_back(getCells(*report, network));
    printRows(os, rows);
    printSums(os, timed);
  }
  for (const RunReport &report : reports)
    if (report.status != RunStatus::Ok && report.status != RunStatus::Ran)
      os << getLabel(report) << ": " << getName(report.status) << ": " << report.reason << '\n';
}
