//===- Link.cpp - lld as a library -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lld keeps its state in globals, so one link runs at a time; it reads and writes files, so each
// link has a temporary directory of its own, which is removed on every path.
//
//===----------------------------------------------------------------------===//

#include "Serialize/Link.h"
#include "ck-mlir/Support/File.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <mutex>
#include <type_traits>

LLD_HAS_DRIVER(elf)

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;

namespace {
/// A directory that is removed with its content at the end of the scope.
class TemporaryDirectory {
public:
  static Expected<TemporaryDirectory> create() {
    TemporaryDirectory directory;
    if (std::error_code code = llvm::sys::fs::createUniqueDirectory("ck-link", directory.path))
      return createStringError("cannot create a temporary directory: " + code.message());
    return directory;
  }
  TemporaryDirectory(TemporaryDirectory &&other) noexcept : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryDirectory() {
    if (!path.empty())
      (void)llvm::sys::fs::remove_directories(path);
  }

  std::string getFile(StringRef name) const {
    SmallString<128> file = path;
    llvm::sys::path::append(file, name);
    return std::string(file);
  }

private:
  TemporaryDirectory() = default;
  SmallString<128> path;
};
} // namespace

/// The linker's messages on one line.
static std::string toOneLine(StringRef messages) {
  std::string line;
  for (StringRef rest = messages.trim(); !rest.empty();) {
    StringRef next;
    std::tie(next, rest) = rest.split('\n');
    line += (line.empty() ? "" : "; ") + next.trim().str();
  }
  return line;
}

namespace {
/// Puts the options of the process aside while lld runs. lld registers LLVM's options of code
/// generation, which ends the process where it has options of its own with these names, as
/// mlir-runner has -march; and it sets all that are registered back to their defaults, which would
/// take the passes of ck-opt from what follows in a file.
class OptionsOfLinker {
public:
  OptionsOfLinker() : options(llvm::cl::getRegisteredOptions()), before(options) {
    options.clear();
    static const auto own = [&] {
      llvm::codegen::RegisterCodeGenFlags flags;
      return options;
    }();
    options = own;
  }
  ~OptionsOfLinker() { options = before; }
  OptionsOfLinker(const OptionsOfLinker &) = delete;
  OptionsOfLinker &operator=(const OptionsOfLinker &) = delete;

private:
  using Map = std::remove_reference_t<decltype(llvm::cl::getRegisteredOptions())>;
  Map &options;
  const Map before;
};
} // namespace

Expected<std::string> mlir::ck::linkCodeObject(StringRef object) {
  Expected<TemporaryDirectory> directory = TemporaryDirectory::create();
  if (!directory)
    return directory.takeError();
  std::string input = directory->getFile("kernel.o");
  std::string output = directory->getFile("kernel.hsaco");
  if (llvm::Error error = writeFile(input, object))
    return std::move(error);

  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result;
  {
    static std::mutex linkerMutex;
    std::lock_guard<std::mutex> lock(linkerMutex);
    OptionsOfLinker aside;
    const char *arguments[] = {
        "ld.lld",      "-shared", "--no-undefined", "--threads=1", "--no-mmap-output-file",
        input.c_str(), "-o",      output.c_str()};
    result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  }
  if (result.retCode != 0)
    return createStringError("failed to link the code object: " + toOneLine(messages));
  auto linked = readFile(output);
  if (!linked)
    return linked.takeError();
  return (*linked)->getBuffer().str();
}
