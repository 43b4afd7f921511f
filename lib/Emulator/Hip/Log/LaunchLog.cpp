//===- LaunchLog.cpp - What a process did, for ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LaunchLog.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Log/LaunchLog.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/Variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace ckemu;
using namespace ckemu::hip;

/// Instructions before and after the one that faulted.
static constexpr ptrdiff_t kNeighbours = 4;

LaunchLog::LaunchLog() : path(getVariable("CK_EMULATOR_LOG").value_or("")) {
  if (path.empty())
    return;
  descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    error = "CK_EMULATOR_LOG: cannot write '" + path +
            "': " + std::error_code(errno, std::generic_category()).message();
}

LaunchLog::~LaunchLog() {
  if (isOn())
    close(descriptor);
}

/// Appends a line as a whole: several processes may have the same file.
void LaunchLog::write(llvm::json::Object line) {
  line["pid"] = int64_t(getpid());
  std::string text = llvm::formatv("{0}\n", llvm::json::Value(std::move(line)));
  for (llvm::StringRef rest = text; !rest.empty();) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      noteFailure(written < 0 ? errno : ENOSPC);
      return;
    }
    rest = rest.drop_front(size_t(written));
  }
}

/// Says once that something is missing, since whoever reads the log cannot know.
void LaunchLog::noteFailure(int number) {
  if (!hasFailed.exchange(true))
    std::fprintf(stderr,
                 "ck-mlir emulator: CK_EMULATOR_LOG: cannot write '%s': %s; it is incomplete\n",
                 path.c_str(), std::error_code(number, std::generic_category()).message().c_str());
}

void LaunchLog::noteStart(const ChipModel &chip) {
  if (!isOn())
    return;
  llvm::SmallString<128> program;
  const bool isKnown = !llvm::sys::fs::real_path("/proc/self/exe", program);
  write(llvm::json::Object{
      {"event", "process"},
      {"program", isKnown ? llvm::json::Value(program.str()) : llvm::json::Value(nullptr)},
      {"chip", chip.name},
      {"product", chip.product->name},
      {"device", chip.product->deviceName}});
}

void LaunchLog::noteImage(const CodeObject &object, llvm::StringRef elf) {
  if (!isOn())
    return;
  auto file = llvm::object::ObjectFile::createELFObjectFile({elf, "code object"});
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  auto holdsLines = [](const llvm::object::SectionRef &section) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (name)
      return *name == ".debug_line";
    llvm::consumeError(name.takeError());
    return false;
  };
  if (llvm::none_of((*file)->sections(), holdsLines))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  images[&object] = elf.str();
}

/// A copy of the code object beside the log; empty when there is none.
std::string LaunchLog::writeImage(const CodeObject &object) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = images.find(&object);
  if (found == images.end())
    return std::string();
  std::string name = llvm::formatv("{0}.{1}.{2}.hsaco", path, getpid(), ++numFaults);
  std::error_code failure;
  llvm::raw_fd_ostream os(name, failure);
  if (failure)
    return std::string();
  os << found->second;
  os.close();
  if (!os.has_error())
    return name;
  os.clear_error();
  return std::string();
}

llvm::json::Object LaunchLog::describeFault(const CodeObject &object, const Kernel &kernel,
                                            const Fault &fault) {
  static constexpr llvm::StringLiteral kinds[] = {"execution", "illegal address", "hang"};
  llvm::json::Object result{{"kind", kinds[unsigned(fault.kind)]},
                            {"message", fault.message},
                            {"reason", fault.reason.empty() ? fault.message : fault.reason}};
  const DecodedKernel &decoded = object.decode(kernel);
  const Instruction *faulted = fault.place ? decoded.code.find(fault.place->offset) : nullptr;
  if (!faulted)
    return result;
  const uint32_t *group = fault.place->group;
  result["workgroup"] = llvm::json::Array{group[0], group[1], group[2]};
  result["wave"] = fault.place->wave;
  result["pc"] = fault.place->offset;
  llvm::json::Array lines;
  llvm::ArrayRef<Instruction> all = decoded.code.getInstructions();
  const ptrdiff_t at = faulted - all.data();
  for (ptrdiff_t i = std::max<ptrdiff_t>(0, at - kNeighbours);
       i < std::min<ptrdiff_t>(ptrdiff_t(all.size()), at + kNeighbours + 1); ++i)
    lines.push_back(llvm::json::Object{{"offset", int64_t(all[i].offset) - decoded.entry->offset},
                                       {"text", decoded.code.getText(&all[i])}});
  result["offset"] = int64_t(faulted->offset) - decoded.entry->offset;
  result["disassembly"] = std::move(lines);
  if (std::string image = writeImage(object); !image.empty())
    result["code_object"] = std::move(image);
  return result;
}

/// What the model says of a launch. Without a time, only why there is none.
static void addTiming(llvm::json::Object &line, const ModelledLaunch &modelled) {
  llvm::Expected<llvm::json::Value> report = llvm::json::parse(modelled.json);
  if (!report) {
    llvm::consumeError(report.takeError());
    return;
  }
  const llvm::json::Object &object = *report->getAsObject();
  if (!object.get("error")) {
    line["modelled_us"] = modelled.kernelMicroseconds;
    line["launch_us"] = modelled.microseconds - modelled.kernelMicroseconds;
  }
  for (const char *field : {"bound", "utilisation", "modelled_error", "error"})
    if (const llvm::json::Value *value = object.get(field))
      line[std::string("modelled_") + field] = *value;
  if (const llvm::json::Value *value = object.get("timeline_error"))
    line["timeline_error"] = *value;
}

void LaunchLog::noteLaunch(const CodeObject &object, const Kernel &kernel,
                           const LaunchOutcome &outcome, llvm::StringRef statistics) {
  if (!isOn())
    return;
  llvm::json::Object line{{"event", "launch"}, {"name", shortenKernelName(kernel.metadata.name)}};
  if (auto parsed = llvm::json::parse(statistics))
    line["statistics"] = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
  if (outcome.modelled)
    addTiming(line, *outcome.modelled);
  if (!outcome.succeeded)
    line["fault"] = describeFault(object, kernel, outcome.fault);
  write(std::move(line));
}

void LaunchLog::noteError(llvm::StringRef call, llvm::StringRef reason) {
  if (isOn())
    write(llvm::json::Object{{"event", "error"}, {"call", call}, {"reason", reason}});
}

void LaunchLog::noteLeaks(llvm::StringRef text) {
  if (isOn())
    write(llvm::json::Object{{"event", "leaks"}, {"text", text.rtrim()}});
}
