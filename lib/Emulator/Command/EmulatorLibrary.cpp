//===- EmulatorLibrary.cpp - The library of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EmulatorLibrary.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/EmulatorLibrary.h"
#include "Emulator/Command/EmulateOptions.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <set>

using namespace ckemu;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr llvm::StringLiteral kName = "libck_hip_emulator.so";

/// The library beside this program: `lib` of a build tree, or where it is installed.
static Expected<std::string> findLibrary() {
  llvm::SmallString<128> program;
  if (std::error_code failure = llvm::sys::fs::real_path("/proc/self/exe", program))
    return createStringError("cannot find the emulator: /proc/self/exe: " + failure.message());
  const StringRef folder = llvm::sys::path::parent_path(program);
  std::string tried;
  for (const char *way : {"../lib", CK_LIB_FROM_BIN}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, way, kName);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
    tried = std::string(path);
  }
  return createStringError("cannot find the emulator at '" + tried +
                           "'; --library names another file");
}

/// The folder beside the library with links to it: `hip` of a build tree, `ck-mlir/hip` installed.
static Expected<std::string> findAliases(StringRef library) {
  for (const char *way : {"hip", "ck-mlir/hip"}) {
    llvm::SmallString<128> folder(llvm::sys::path::parent_path(library));
    llvm::sys::path::append(folder, way);
    if (llvm::sys::fs::exists(folder + "/libamdhip64.so"))
      return std::string(folder);
  }
  return createStringError("expected a folder hip or ck-mlir/hip with libamdhip64.so beside '" +
                           library + "'");
}

template <class Function>
static Error findFunction(void *handle, StringRef path, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function ? Error::success()
                  : createStringError("'" + path + "' is no emulator of this version: it has no " +
                                      name);
}

Expected<EmulatorLibrary> EmulatorLibrary::open(StringRef path) {
  EmulatorLibrary library;
  llvm::SmallString<128> absolute(path);
  if (path.empty()) {
    Expected<std::string> found = findLibrary();
    if (!found)
      return found.takeError();
    absolute = *found;
  } else if (std::error_code failure = llvm::sys::fs::make_absolute(absolute)) {
    return createStringError("cannot find the current folder: " + failure.message());
  }
  library.path = std::string(absolute);
  void *handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return createStringError("cannot open the emulator: " + Twine(dlerror()));
  if (Error error = findFunction(handle, absolute, "ckEmulatorSetVariable", library.setVariable))
    return std::move(error);
  if (Error error =
          findFunction(handle, absolute, "ckEmulatorCheckVariables", library.checkVariables))
    return std::move(error);
  if (Error error = findFunction(handle, absolute, "ckEmulatorList", library.getList))
    return std::move(error);
  Expected<std::string> aliases = findAliases(absolute);
  if (!aliases)
    return aliases.takeError();
  library.aliasFolder = *aliases;
  return library;
}

Error EmulatorLibrary::check(const std::map<std::string, std::string> &values) const {
  for (const auto &[name, value] : values)
    if (!setVariable(name.c_str(), value.c_str()))
      return createStringError("'" + path + "' has no variable " + name);
  std::string message = checkVariables();
  if (message.empty())
    return Error::success();
  const size_t end = message.find_first_of(": ");
  for (const VariableOption &row : getVariableOptions())
    if (message.substr(0, end) == row.variable && values.count(row.variable.str()))
      message.replace(0, end, ("--" + row.option).str());
  return createStringError(message);
}

Expected<llvm::json::Array> EmulatorLibrary::list(StringRef what) const {
  const StringRef text = getList(what.str().c_str());
  Expected<llvm::json::Value> parsed = llvm::json::parse(text.empty() ? "null" : text);
  if (!parsed)
    return parsed.takeError();
  if (llvm::json::Array *array = parsed->getAsArray())
    return std::move(*array);
  return createStringError("the emulator has no table '" + what + "'");
}

Expected<std::vector<std::string>> EmulatorLibrary::getFunctions() const {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (!elf)
    return createStringError("expected an ELF, got '" + path + "'");
  std::set<std::string> names;
  for (const llvm::object::ELFSymbolRef &symbol : elf->getDynamicSymbolIterators()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    const bool isDefined = !(*flags & llvm::object::BasicSymbolRef::SF_Undefined);
    if (isDefined && name->starts_with("hip") && symbol.getELFType() == llvm::ELF::STT_FUNC)
      names.insert(name->str());
  }
  return std::vector<std::string>(names.begin(), names.end());
}
