//===- PartitionSvg.cpp - Timelines of partitions as an image -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One picture says what a quantized grid wastes. It must be readable for four compute units as for
// hundreds: rows shrink and are put together by XCD, then only evenly spaced ones are drawn; boxes
// too narrow to be seen are drawn as one.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Partition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace mlir::ck;
using llvm::StringRef;

static constexpr double kWidth = 1200, kLeft = 66, kRight = 24; // pixels
static constexpr double kHead = 64, kTitle = 26, kGap = 18, kFoot = 72;
static constexpr double kPanelHeight = 320, kMinRowHeight = 1, kMaxRowHeight = 18;
static constexpr double kLabelHeight = 12;
static constexpr int64_t kMaxRows = 320;
static constexpr double kNarrow = 3;              // boxes below this width are joined
static constexpr int64_t kMaxTitles = 3000;       // boxes of a panel that say what they are
static constexpr size_t kNamedGemms = 4;          // in the head
static constexpr const char *kJoined = "#a9b7c6"; // colour of boxes that are joined

/// A number with at most two decimals and no trailing zeros.
static std::string formatPixels(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", value);
  StringRef trimmed = StringRef(text).rtrim('0').rtrim('.');
  return trimmed.str();
}

/// A colour that differs from those of the neighbouring numbers: hues a golden angle apart, in
/// three lightnesses.
static std::string getColor(int64_t number) {
  double hue = std::fmod(double(number) * 137.508, 360.0) / 60;
  double lightness = 0.56 + 0.08 * double(number % 3);
  double chroma = (1 - std::fabs(2 * lightness - 1)) * 0.62;
  auto channel = [&](double offset) { // of hue to colour, a trapezoid
    double x = std::fmod(hue + offset, 6.0);
    double level = std::clamp(std::fabs(x - 3) - 1, 0.0, 1.0);
    return int(std::lround(255 * (lightness - chroma / 2 + chroma * level)));
  };
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("#%02x%02x%02x", channel(0), channel(4),
                                                 channel(2));
  return text;
}

static int64_t getNiceStep(int64_t span) {
  int64_t step = 1;
  while (step <= span / 100)
    step *= 10;
  for (int64_t factor : {1, 2, 5, 10})
    if (step * factor * 12 >= span)
      return step * factor;
  return step * 10;
}

namespace {
class SvgWriter {
public:
  SvgWriter(llvm::raw_ostream &os, const PartitionReports &reports);
  void write();

private:
  /// A box of a row before it is drawn.
  struct Box {
    double begin = 0, end = 0; // pixels
    std::string color, label, title;
    enum Mark { None, Stored, Added, Atomic } mark = None;
  };

  void text(double x, double y, const llvm::Twine &content, StringRef attributes = "");
  void rect(double x, double y, double width, double height, StringRef color,
            const llvm::Twine &title = "");
  void writeHead();
  void writePanel(const PartitionReport &report, double top);
  void writeRowLabels(double top);
  void writeItems(const PartitionReport &report, double top);
  Box makeBox(const PlacedItem &placed, const PartitionReport &report) const;
  void writeBox(const Box &box, double y);
  void writeAxis(double bottom);
  void writeLegend(double top);

  double toX(int64_t time) const {
    return kLeft + double(time) * (kWidth - kLeft - kRight) / double(span);
  }
  double getPanelHeight() const { return double(rows) * rowHeight; }
  /// The number of `place` from the top. Consecutive compute units are those of different XCDs.
  int64_t getOrder(int64_t place) const {
    if (xcds == 1)
      return place;
    int64_t unit = place % reports.computeUnits;
    return (unit % xcds * (reports.computeUnits / xcds) + unit / xcds) * reports.occupancy +
           place / reports.computeUnits;
  }
  /// The row that shows `place`, or -1.
  int64_t getRow(int64_t place) const {
    int64_t order = getOrder(place), row = (order * rows + places - 1) / places;
    return row * places / rows == order ? row : -1;
  }

  llvm::raw_ostream &os;
  const PartitionReports &reports;
  std::vector<const PartitionReport *> shown;
  int64_t places, rows, span = 1;
  int64_t xcds = 1;    // whose rows stand together
  bool joined = false; // some boxes were
  double rowHeight, rowGap, height;
};
} // namespace

/// The one that would run, data_parallel, StreamK if that would not run, and of one-stage Split-K
/// the fewest slices, more than one if K allows, that come within 5 % of the shortest span.
static std::vector<const PartitionReport *> choosePartitions(const PartitionReports &reports) {
  const PartitionReport *dataParallel = nullptr, *streamK = nullptr;
  std::vector<const PartitionReport *> splits;
  for (const PartitionReport &report : reports.partitions) {
    const Partition &partition = report.plan.getPartition();
    if (partition == Partition(DataParallel()))
      dataParallel = &report;
    if (partition == Partition(StreamK{Reduction::Tree, /*persistent=*/false}) &&
        !hasStreams(reports.getChosen().plan.getPartition()))
      streamK = &report;
    if (addsInMemory(partition))
      splits.push_back(&report);
  }
  if (splits.front()->summary.workgroups > splits.front()->plan.getTiles())
    llvm::erase_if(splits, [](const PartitionReport *split) {
      return split->summary.workgroups == split->plan.getTiles();
    });
  int64_t shortest = std::numeric_limits<int64_t>::max();
  for (const PartitionReport *split : splits)
    shortest = std::min(shortest, split->summary.span);
  const PartitionReport *splitK = nullptr;
  for (const PartitionReport *split : splits)
    if (double(split->summary.span) <= 1.05 * double(shortest) &&
        (!splitK || split->summary.workgroups < splitK->summary.workgroups))
      splitK = split;
  std::vector<const PartitionReport *> chosen = {&reports.getChosen()};
  for (const PartitionReport *report : {dataParallel, splitK, streamK})
    if (report && report != chosen.front())
      chosen.push_back(report);
  return chosen;
}

SvgWriter::SvgWriter(llvm::raw_ostream &os, const PartitionReports &reports)
    : os(os), reports(reports), shown(choosePartitions(reports)),
      places(reports.computeUnits * reports.occupancy), rows(std::min(places, kMaxRows)) {
  for (const PartitionReport *report : shown)
    span = std::max(span, report->summary.span);
  rowHeight = std::clamp(kPanelHeight / double(rows), kMinRowHeight, kMaxRowHeight);
  rowGap = rowHeight >= 6 ? 1 : 0;
  if (rowHeight < kLabelHeight && reports.computeUnits % reports.xcds == 0)
    xcds = reports.xcds;
  height = kHead + double(shown.size()) * (kTitle + getPanelHeight() + kGap) + kFoot;
}

void SvgWriter::text(double x, double y, const llvm::Twine &content, StringRef attributes) {
  os << "<text x=\"" << formatPixels(x) << "\" y=\"" << formatPixels(y) << "\"" << attributes
     << ">";
  llvm::printHTMLEscaped(content.str(), os);
  os << "</text>\n";
}

void SvgWriter::rect(double x, double y, double width, double height, StringRef color,
                     const llvm::Twine &title) {
  os << "<rect x=\"" << formatPixels(x) << "\" y=\"" << formatPixels(y) << "\" width=\""
     << formatPixels(width) << "\" height=\"" << formatPixels(height) << "\" fill=\"" << color;
  if (std::string escaped = title.str(); !escaped.empty()) {
    os << "\"><title>";
    llvm::printHTMLEscaped(escaped, os);
    os << "</title></rect>\n";
  } else {
    os << "\"/>\n";
  }
}

void SvgWriter::writeHead() {
  os << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << formatPixels(kWidth)
     << R"(" height=")" << formatPixels(height) << R"(" viewBox="0 0 )" << formatPixels(kWidth)
     << " " << formatPixels(height) << R"(" font-family="DejaVu Sans, Arial, sans-serif")"
     << " font-size=\"11\" fill=\"#222222\">\n";
  rect(0, 0, kWidth, height, "#ffffff");
  std::string problem = toString(reports.work.problem);
  double size = std::min(15.0, (kWidth - kLeft - kRight) / (0.68 * double(problem.size())));
  text(kLeft, 24, problem, " font-size=\"" + formatPixels(size) + R"(" font-weight="bold")");
  std::string details;
  llvm::raw_string_ostream stream(details);
  stream << reports.chip << ", " << reports.computeUnits << " compute units";
  if (reports.occupancy > 1)
    stream << " with " << reports.occupancy << " workgroups each";
  stream << ", tiles of " << reports.work.schedule.tile[0] << " x " << reports.work.schedule.tile[1]
         << (reports.work.gemms.size() == 1 ? "; GEMM of" : "; GEMMs of");
  StringRef separator = " ";
  llvm::ArrayRef<WorkShape> gemms = reports.work.gemms;
  for (const WorkShape &gemm : gemms.take_front(kNamedGemms)) {
    stream << separator << gemm.getTiles() << (gemm.getTiles() == 1 ? " tile x " : " tiles x ")
           << gemm.kSteps << " K steps";
    separator = ", ";
  }
  if (gemms.size() > kNamedGemms)
    stream << " and " << gemms.size() - kNamedGemms << " more";
  text(kLeft, 43, details);
  if (rows < places)
    text(kLeft, 58, "rows: " + llvm::Twine(rows) + " of " + llvm::Twine(places) + ", evenly spaced",
         " fill=\"#666666\"");
}

void SvgWriter::writeRowLabels(double top) {
  constexpr StringRef kAttributes = R"( text-anchor="end" font-size="10" fill="#666666")";
  for (int64_t xcd = 0; xcds > 1 && xcd < xcds; ++xcd) {
    double xcdHeight = getPanelHeight() / double(xcds), y = top + double(xcd) * xcdHeight;
    text(kLeft - 6, y + xcdHeight / 2 + 3.5, "XCD " + llvm::Twine(xcd), kAttributes);
    if (xcd > 0)
      os << "<path d=\"M" << formatPixels(kLeft - 40) << " " << formatPixels(y) << "H"
         << formatPixels(kWidth - kRight) << "\" stroke=\"#ffffff\"/>\n";
  }
  if (xcds > 1)
    return;
  auto label = [&](int64_t row) {
    int64_t place = row * places / rows;
    std::string name = "CU " + std::to_string(place % reports.computeUnits);
    if (reports.occupancy > 1)
      name += "." + std::to_string(place / reports.computeUnits);
    text(kLeft - 6, top + (double(row) + 0.5) * rowHeight + 3.5, name, kAttributes);
  };
  int64_t every = std::max<int64_t>(1, std::ceil(kLabelHeight / rowHeight));
  if (every > 1) // round distances for rows that are too low for a label each
    every = std::max<int64_t>(every, llvm::divideCeil(rows, 8));
  for (int64_t row = 0; row < rows; row += every)
    label(row);
}

SvgWriter::Box SvgWriter::makeBox(const PlacedItem &placed, const PartitionReport &report) const {
  const WorkItem &item = placed.item;
  llvm::ArrayRef<WorkShape> gemms = report.plan.getGemms();
  const WorkShape &gemm = gemms[item.gemm];
  int64_t tile = (item.group * gemm.rows + item.row) * gemm.columns + item.column;
  for (const WorkShape &before : gemms.take_front(item.gemm))
    tile += before.getTiles();
  Box box;
  box.begin = toX(placed.begin);
  box.end = toX(placed.end);
  box.color = getColor(tile);
  box.label = std::to_string(tile);
  if (report.summary.workgroups + report.plan.getTiles() <= kMaxTitles)
    llvm::raw_string_ostream(box.title)
        << "workgroup " << item.workgroup << ": tile " << tile << ", K steps " << item.kBegin
        << " to " << item.kEnd << " of " << gemm.kSteps << ", contributor " << item.contributor + 1
        << " of " << item.contributors;
  if (!item.waits.empty())
    box.mark = Box::Added;
  if (item.partial >= 0)
    box.mark = Box::Stored;
  else if (!item.isOwner() || (item.contributors > 1 && item.waits.empty()))
    box.mark = Box::Atomic;
  return box;
}

void SvgWriter::writeBox(const Box &box, double y) {
  double width = box.end - box.begin, boxHeight = rowHeight - rowGap;
  double gap = width >= 4 * kNarrow ? 0.6 : 0; // between neighbours
  rect(box.begin, y, width - gap, boxHeight, box.color, box.title);
  if (box.mark != Box::None && width >= kNarrow) {
    double mark = std::min(4.0, width / 3);
    StringRef color = box.mark == Box::Stored  ? "#1a1a1a"
                      : box.mark == Box::Added ? "#ffffff"
                                               : "#c2185b";
    double inset = box.mark == Box::Added ? std::min(1.5, boxHeight / 5) : 0;
    rect(box.end - gap - mark - inset, y + inset, mark, boxHeight - 2 * inset, color);
  }
  if (boxHeight >= 10 && width >= 9.0 + 7.0 * double(box.label.size()))
    text(box.begin + (width - 4) / 2, y + boxHeight / 2 + 3.5, box.label,
         R"( text-anchor="middle" font-size="10")");
}

void SvgWriter::writeItems(const PartitionReport &report, double top) {
  std::vector<Box> pending(rows); // what is too narrow so far
  auto flush = [&](int64_t row) {
    if (pending[row].end > pending[row].begin)
      writeBox(pending[row], top + double(row) * rowHeight);
    pending[row] = Box();
  };
  simulateWork(report.plan, [&](const PlacedItem &placed) {
    int64_t row = getRow(placed.place);
    if (row < 0 || placed.item.adder >= 0) // adders have no K steps
      return;
    Box box = makeBox(placed, report);
    Box &last = pending[row];
    auto isNarrow = [](const Box &box) {
      return box.color == kJoined || box.end - box.begin < kNarrow;
    };
    if (last.end == box.begin && isNarrow(last) && isNarrow(box)) {
      last.end = box.end;
      last.color = kJoined;
      last.label = last.title = "";
      last.mark = Box::None;
      joined = true;
    } else {
      flush(row);
      last = std::move(box);
    }
    if (placed.done > placed.end)
      rect(toX(placed.end), top + double(row) * rowHeight, toX(placed.done) - toX(placed.end),
           rowHeight - rowGap, "#9e9e9e", "waits for sums of others");
  });
  for (int64_t row = 0; row < rows; ++row)
    flush(row);
}

void SvgWriter::writePanel(const PartitionReport &report, double top) {
  const WorkSummary &summary = report.summary;
  std::string title = toString(report.plan.getPartition());
  std::string details;
  llvm::raw_string_ostream(details)
      << summary.workgroups << (summary.workgroups == 1 ? " workgroup" : " workgroups") << " in "
      << summary.rounds << (summary.rounds == 1 ? " round" : " rounds") << ", span " << summary.span
      << " K steps, efficiency " << llvm::format("%.1f %%", 100 * summary.getEfficiency());
  os << "<g id=\"" << title << "\">\n";
  bool isChosen = &report == shown.front();
  text(kLeft, top + 17, title + (isChosen ? ", which the compiler chooses" : ""),
       R"( font-size="13" font-weight="bold")");
  text(kWidth - kRight, top + 17, details, " text-anchor=\"end\"");
  double rowsTop = top + kTitle;
  for (int64_t row = 0; row < rows; ++row) // the time of every place; what stays grey is idle
    if (row == 0 || rowGap > 0)
      rect(kLeft, rowsTop + double(row) * rowHeight, kWidth - kLeft - kRight,
           (rowGap > 0 ? 1.0 : double(rows)) * rowHeight - rowGap, "#eeeeee");
  writeItems(report, rowsTop);
  writeRowLabels(rowsTop);
  double end = toX(summary.span), bottom = rowsTop + getPanelHeight();
  os << "<path d=\"M" << formatPixels(end) << " " << formatPixels(rowsTop - 3) << "V"
     << formatPixels(bottom + 3) << "\" stroke=\"#222222\" stroke-dasharray=\"3 2\"/>\n";
  os << "</g>\n";
}

void SvgWriter::writeAxis(double bottom) {
  os << "<path d=\"M" << formatPixels(kLeft) << " " << formatPixels(bottom) << "H"
     << formatPixels(kWidth - kRight) << "\" stroke=\"#666666\"/>\n";
  int64_t step = getNiceStep(span);
  for (int64_t time = 0; time <= span; time += step) {
    double x = toX(time);
    os << "<path d=\"M" << formatPixels(x) << " " << formatPixels(bottom) << "v5\" "
       << "stroke=\"#666666\"/>\n";
    text(x, bottom + 17, llvm::Twine(time), " text-anchor=\"middle\"");
  }
  text((kLeft + kWidth - kRight) / 2, bottom + 33, "time in K steps", " text-anchor=\"middle\"");
}

void SvgWriter::writeLegend(double top) {
  struct Entry {
    const char *color, *label;
    bool mark;
  };
  std::vector<Entry> entries = {{"#c2185b", "adds to the result with atomics", true},
                                {"#1a1a1a", "stores a partial sum", true},
                                {"#ffffff", "adds partial sums of others", true},
                                {"#9e9e9e", "waits for them", false},
                                {"#eeeeee", "idle", false}};
  if (joined)
    entries.push_back({kJoined, "items too short to draw", false});
  double x = kLeft;
  for (int64_t tile = 0; tile < 3; ++tile)
    rect(x + 8 * double(tile), top, 8, 10, getColor(tile));
  text(x + 30, top + 9, "a colour for each tile");
  x += 170;
  for (const Entry &entry : entries) {
    rect(x, top, 14, 10, entry.mark ? getColor(1) : std::string(entry.color));
    if (entry.mark)
      rect(x + 9, top + 1, 4, 8, entry.color);
    text(x + 20, top + 9, entry.label);
    x += 40 + 6.2 * double(StringRef(entry.label).size());
  }
}

void SvgWriter::write() {
  writeHead();
  double top = kHead;
  for (const PartitionReport *report : shown) {
    writePanel(*report, top);
    top += kTitle + getPanelHeight() + kGap;
  }
  writeAxis(top - kGap + 6);
  writeLegend(height - 20);
  os << "</svg>\n";
}

void mlir::ck::printSvg(llvm::raw_ostream &os, const PartitionReports &reports) {
  SvgWriter(os, reports).write();
}
