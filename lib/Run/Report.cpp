//===- Report.cpp - What ck-run reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON with the fields in a fixed order, text for people.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir::ck;
using llvm::StringRef;

StringRef mlir::ck::getName(RunStatus status) {
  switch (status) {
  case RunStatus::Ok:
    return "ok";
  case RunStatus::Ran:
    return "ran";
  case RunStatus::Mismatch:
    return "mismatch";
  case RunStatus::Unsupported:
    return "unsupported";
  case RunStatus::Error:
    return "error";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// A number, or null when it is unset or not finite.
static llvm::json::Value toJson(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return nullptr;
  return *value;
}

static llvm::json::Value toJson(std::optional<int64_t> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

static llvm::json::Value toJson(const std::array<uint32_t, 3> &sizes) {
  return llvm::json::Array{sizes[0], sizes[1], sizes[2]};
}

static void writeKernel(llvm::json::OStream &json, const KernelReport &kernel) {
  const ImageLaunch &launch = kernel.launch;
  json.object([&] {
    json.attribute("name", launch.kernel);
    json.attribute("grid", toJson(launch.grid));
    json.attribute("block", toJson(launch.block));
    json.attribute("vgprs", launch.vgprs);
    json.attribute("agprs", launch.agprs);
    json.attribute("sgprs", launch.sgprs);
    json.attribute("lds_bytes", launch.ldsBytes);
    json.attribute("scratch_bytes", launch.scratchBytes);
    json.attribute("code_bytes", launch.codeBytes);
    json.attributeObject("instructions", [&] {
      for (const auto &[name, count] : kernel.instructions)
        json.attribute(name, count);
    });
    json.attribute("lds_bank_conflicts", toJson(kernel.ldsBankConflicts));
  });
}

static bool hasProfile(const RunReport &report) {
  return llvm::any_of(report.kernels, [](const KernelReport &k) { return k.profile.has_value(); });
}

/// The least time of a problem and, where `network` is not 0, its share of that time.
static void writeRoofline(llvm::json::OStream &json, const RunReport &report, double network) {
  json.attribute("roofline_us", report.roofline->getMicroseconds());
  json.attribute("roofline_bound", report.roofline->getBound());
  if (network == 0)
    return;
  json.attribute("count", report.count);
  json.attribute("modelled_share", getNetworkMicroseconds(report) / network);
}

/// `network` is the modelled time of all problems; 0 for one that is none of several.
static void writeReport(llvm::json::OStream &json, const RunReport &report, double network = 0) {
  json.object([&] {
    json.attribute("problem", report.problem);
    json.attribute("chip", report.chip);
    json.attribute("device", report.device);
    json.attribute("schedule", report.schedule);
    json.attribute("status", getName(report.status));
    json.attribute("reason", report.reason);
    json.attribute("compile_ms", toJson(report.compileMs));
    json.attribute("run_ms", toJson(report.runMs));
    json.attribute("max_abs_error", toJson(report.maxAbsError));
    json.attribute("max_rel_error", toJson(report.maxRelError));
    json.attribute("rtol", toJson(report.rtol));
    json.attribute("atol", toJson(report.atol));
    json.attribute("mismatches", toJson(report.mismatches));
    json.attributeArray("kernels", [&] {
      for (const KernelReport &kernel : report.kernels)
        writeKernel(json, kernel);
    });
    json.attribute("workspace_bytes", toJson(report.workspaceBytes));
    json.attribute("emulated_seconds", toJson(report.emulatedSeconds));
    if (report.reference == "device")
      json.attribute("reference", report.reference);
    if (report.timing)
      writeJson(json, *report.timing);
    if (report.timing && report.roofline)
      writeRoofline(json, report, network);
    if (!hasProfile(report))
      return;
    json.attributeArray("profile", [&] {
      for (const KernelReport &kernel : report.kernels)
        if (kernel.profile)
          writeJson(json, kernel.launch.kernel, *kernel.profile, report.minimumBytes);
    });
  });
}

void mlir::ck::printJson(llvm::raw_ostream &os, const RunReport &report) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  writeReport(json, report);
  json.flush();
  os << '\n';
}

void mlir::ck::printJson(llvm::raw_ostream &os, llvm::ArrayRef<RunReport> reports) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  double network = 0;
  for (const RunReport &report : reports)
    network += getNetworkMicroseconds(report);
  json.array([&] {
    for (const RunReport &report : reports)
      writeReport(json, report, network);
  });
  json.flush();
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "32x4x1" without trailing ones.
static std::string formatSizes(std::array<uint32_t, 3> sizes) {
  std::string text = std::to_string(sizes[0]);
  if (sizes[1] != 1 || sizes[2] != 1)
    text += "x" + std::to_string(sizes[1]);
  if (sizes[2] != 1)
    text += "x" + std::to_string(sizes[2]);
  return text;
}

static std::string formatNumber(const char *format, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

/// How long the device took, in words.
static std::string formatRun(const RunReport &report) {
  if (report.runMs)
    return formatNumber("%.4f ms", *report.runMs) +
           formatNumber(" (%.1f TFLOPS)", report.flops / (*report.runMs * 1e9));
  if (report.emulatedSeconds)
    return formatNumber("%.3f s emulated", *report.emulatedSeconds);
  return "-";
}

static std::string formatResult(const RunReport &report) {
  if (!report.mismatches)
    return "ran: " + std::to_string(report.elements) + " elements, not verified";
  std::string errors = "max abs error " + formatNumber("%.3g", report.maxAbsError.value_or(0)) +
                       ", max rel error " + formatNumber("%.3g", report.maxRelError.value_or(0));
  std::string bound = report.rtol == 0.0 && report.atol == 0.0
                          ? "equality"
                          : formatNumber("rtol %.3g", report.rtol.value_or(0)) +
                                formatNumber(", atol %.3g", report.atol.value_or(0));
  if (report.reference == "device")
    bound += " to the naive kernel";
  if (*report.mismatches == 0)
    return "ok: " + std::to_string(report.elements) + " elements, " + bound + ", " + errors;
  return "MISMATCH: " + std::to_string(*report.mismatches) + " of " +
         std::to_string(report.elements) + " elements, " + bound + ", " + errors + ", first " +
         report.reason;
}

static void printKernel(llvm::raw_ostream &os, const KernelReport &kernel) {
  const ImageLaunch &launch = kernel.launch;
  os << "kernel    " << launch.kernel << ": grid " << formatSizes(launch.grid) << ", block "
     << formatSizes(launch.block) << "\n          " << launch.vgprs << " VGPRs, " << launch.agprs
     << " AGPRs, " << launch.sgprs << " SGPRs, " << launch.ldsBytes << " B LDS, "
     << launch.scratchBytes << " B scratch, " << launch.codeBytes << " B code\n";
  if (kernel.instructions.empty())
    return;
  os << "          executed";
  StringRef separator = " ";
  for (const auto &[name, count] : kernel.instructions) {
    if (count == 0)
      continue;
    os << separator << count << ' ' << name;
    separator = ", ";
  }
  if (kernel.ldsBankConflicts)
    os << "; " << *kernel.ldsBankConflicts << " LDS bank conflicts";
  os << '\n';
}

void mlir::ck::printText(llvm::raw_ostream &os, const RunReport &report) {
  os << "problem   " << report.problem << '\n';
  os << "chip      " << report.chip << " (" << report.device << ")\n";
  os << "schedule  " << report.schedule << '\n';
  os << "compile   " << formatNumber("%.1f ms", report.compileMs.value_or(0)) << '\n';
  for (const KernelReport &kernel : report.kernels)
    printKernel(os, kernel);
  if (report.workspaceBytes.value_or(0) != 0)
    os << "workspace " << *report.workspaceBytes << " B\n";
  os << "run       " << formatRun(report) << '\n';
  if (report.timing)
    printText(os, *report.timing, report.flops);
  os << "result    " << formatResult(report) << '\n';
  for (const KernelReport &kernel : report.kernels)
    if (kernel.profile)
      printText(os, kernel.launch.kernel, *kernel.profile, report.minimumBytes);
}

void mlir::ck::printTable(llvm::raw_ostream &os, llvm::ArrayRef<RunReport> reports) {
  auto getLabel = [](const RunReport &report) -> StringRef {
    return report.name.empty() ? report.problem : report.name;
  };
  size_t width = 7;
  for (const RunReport &report : reports)
    width = std::max(width, getLabel(report).size());
  os << llvm::left_justify("problem", width) << "  status       compile       run  max error\n";
  size_t counts[5] = {0, 0, 0, 0, 0};
  for (const RunReport &report : reports) {
    ++counts[static_cast<size_t>(report.status)];
    std::string compile = report.compileMs ? formatNumber("%.0f ms", *report.compileMs) : "-";
    std::string run = "-", error = "-";
    if (report.runMs)
      run = formatNumber("%.3f ms", *report.runMs);
    else if (report.emulatedSeconds)
      run = formatNumber("%.2f s", *report.emulatedSeconds);
    if (report.maxAbsError)
      error = formatNumber("%.3g", *report.maxAbsError);
    os << llvm::left_justify(getLabel(report), width) << "  "
       << llvm::left_justify(getName(report.status), 11) << ' ' << llvm::right_justify(compile, 8)
       << "  " << llvm::right_justify(run, 8) << "  " << llvm::right_justify(error, 9);
    if (!report.reason.empty())
      os << "  " << report.reason;
    os << '\n';
  }
  os << reports.size() << " problems: " << counts[0] << " ok, ";
  if (counts[1] != 0)
    os << counts[1] << " ran, ";
  os << counts[2] << " mismatch, " << counts[3] << " unsupported, " << counts[4] << " error\n";
}

int mlir::ck::getExitStatus(llvm::ArrayRef<RunReport> reports) {
  auto has = [&](RunStatus status) {
    return llvm::any_of(reports, [&](const RunReport &r) { return r.status == status; });
  };
  if (has(RunStatus::Unsupported) || has(RunStatus::Error))
    return 2;
  return has(RunStatus::Mismatch) ? 1 : 0;
}
