//===- Gen.cpp - The body of ck-gen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ck-gen PROBLEM | ck-gen --list-chips [--format=json]
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Gen.h"
#include "ck-mlir/Chip/ChipJson.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Runtime/HipApi.h"
#include "ck-mlir/Support/CommandLine.h"
#include "ck-mlir/Support/File.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cksupport;
using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::json::Array;
using llvm::json::Object;

namespace {
/// The command line of ck-gen.
struct GenOptions {
  std::string problem;
  bool listChips = false;
  std::string format = "text";
  std::string chip;
  std::string output = "-";
};
} // namespace

/// The chips that the emulator executes, or nothing if there is no emulator.
static std::optional<std::vector<std::string>> getEmulatedChips() {
  Expected<std::shared_ptr<const HipApi>> emulator = HipApi::loadEmulator(getChips().front().name);
  if (emulator)
    return (*emulator)->getEmulatedChips();
  llvm::consumeError(emulator.takeError());
  return std::nullopt;
}

/// The chip table as JSON or as a text table.
static std::string printChips(StringRef format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::optional<std::vector<std::string>> emulated = getEmulatedChips();
  if (format == "json") {
    Array chips;
    for (const ChipInfo &chip : getChips()) {
      Object object = toJson(chip);
      object["emulated"] = emulated ? llvm::json::Value(llvm::is_contained(*emulated, chip.name))
                                    : llvm::json::Value(nullptr);
      chips.push_back(std::move(object));
    }
    os << llvm::formatv("{0:2}", llvm::json::Value(std::move(chips))) << "\n";
    return text;
  }
  constexpr const char *row = "{0,-9} {1,-12} {2,5} {3,8} {4,5} {5,6} {6,5}  {7,-5} {8}\n";
  os << llvm::formatv(row, "chip", "product", "wave", "LDS", "VGPRs", "CUs", "MMA", "FP8",
                      "emulated");
  for (const ChipInfo &chip : getChips())
    os << llvm::formatv(row, chip.name, chip.marketingName, chip.waveSize, chip.ldsBytes,
                        chip.vgprs, chip.numCus, chip.hasMfma ? "mfma" : "wmma", getName(chip.fp8),
                        !emulated                                  ? "unknown"
                        : llvm::is_contained(*emulated, chip.name) ? "yes"
                                                                   : "no");
  return text;
}

/// The IR of a problem; `chipName`, empty for none, has a say in the type of 8-bit floats.
static Expected<std::string> printProblem(StringRef text, StringRef chipName) {
  Expected<Problem> problem = parseProblem(text);
  if (!problem)
    return problem.takeError();
  bool fnuz = false;
  if (!chipName.empty()) {
    Expected<const ChipInfo *> chip = getChip(chipName);
    if (!chip)
      return chip.takeError();
    fnuz = (*chip)->fp8 == Fp8Kind::Fnuz;
  }
  std::unique_ptr<MLIRContext> context = createContext();
  Expected<OwningOpRef<ModuleOp>> module = generateProblemIR(*context, *problem, fnuz);
  if (!module)
    return module.takeError();
  std::string ir;
  llvm::raw_string_ostream(ir) << **module << "\n";
  return ir;
}

static Expected<int> generate(const GenOptions &options) {
  if (options.listChips == !options.problem.empty())
    return createStringError("expected either a problem or --list-chips; --help shows the usage");
  Expected<std::string> text =
      options.listChips ? printChips(options.format) : printProblem(options.problem, options.chip);
  if (!text)
    return text.takeError();
  if (options.output != "-") {
    if (Error error = writeFile(options.output, *text))
      return std::move(error);
    return 0;
  }
  return printOutput(*text, 0);
}

int mlir::ck::runGen(int argc, char **argv) {
  GenOptions options;
  CommandLine commandLine("ck-gen [options] PROBLEM",
                          "Print the IR of a problem such as "
                          "conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1, or the "
                          "chip table.");
  commandLine.addPositional("PROBLEM", "problem string OP:DTYPE:key=value,...", options.problem);
  commandLine.addFlag("list-chips", "print the chip table", options.listChips);
  commandLine.addOption("format", "FORMAT", "of the chip table: text or json", options.format,
                        {"text", "json"});
  commandLine.addOption("chip", "CHIP", "whose 8-bit floats to use; default: OCP", options.chip);
  commandLine.addOption("o", "FILE", "output file, - for standard output", options.output);
  return runTool("ck-gen", commandLine, llvm::ArrayRef(argv, argc),
                 [&] { return generate(options); });
}
