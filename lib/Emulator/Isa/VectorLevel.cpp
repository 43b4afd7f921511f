//===- VectorLevel.cpp - Handlers for the host's vectors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See VectorLevel.h, and docs/decisions/emulator/0017-vector-levels.md for why it is not one of the
// ways in which the loader chooses.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/VectorLevel.h"
#include "Emulator/Isa/LevelLibrary.h"
#include "Emulator/Machine/Variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include <climits>
#include <dlfcn.h>

using namespace ckemu;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringLiteral;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A level of the x86-64 psABI and what LLVM calls its features beyond the level below.
struct LevelInfo {
  StringLiteral name;
  ArrayRef<StringLiteral> features;
};
} // namespace

static constexpr StringLiteral kFeatures3[] = {"avx2", "bmi",   "bmi2", "f16c",
                                               "fma",  "lzcnt", "movbe"};
static constexpr StringLiteral kFeatures4[] = {"avx2",     "fma",      "avx512f", "avx512bw",
                                               "avx512cd", "avx512dq", "avx512vl"};
/// From the widest to the narrowest.
static constexpr LevelInfo kLevels[] = {{"x86-64-v4", kFeatures4}, {"x86-64-v3", kFeatures3}};
static constexpr StringLiteral kPortable = "portable";

static bool isSupported(const LevelInfo &level) {
  static const auto features = llvm::sys::getHostCPUFeatures();
  return llvm::all_of(level.features, [](StringRef name) { return features.lookup(name); });
}

/// The folder that this code's library lies in, whatever links lead there, and wherever the program
/// has gone since it loaded the library by a relative path. Empty for a program without the
/// library.
static std::string getFolder() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&isSupported), &self) || !self.dli_fname)
    return "";
  void *library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  char origin[PATH_MAX];
  if (!library || dlinfo(library, RTLD_DI_ORIGIN, origin) != 0)
    return "";
  llvm::SmallString<256> path(origin), real;
  llvm::sys::path::append(path, llvm::sys::path::filename(self.dli_fname));
  if (llvm::sys::fs::real_path(path, real))
    return "";
  return llvm::sys::path::parent_path(real).str();
}

static std::string getPath(const LevelInfo &level, StringRef folder) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, "libck_emulator_" + level.name + ".so");
  return std::string(path);
}

/// A relative path would be one in the folder that the program is in.
static bool exists(StringRef path) {
  return llvm::sys::path::is_absolute(path) && llvm::sys::fs::exists(path);
}

/// Loads the library of `level`, which stays loaded.
static Expected<VectorLevel> load(const LevelInfo &level, const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError("cannot load '" + path + "': " + dlerror());
  auto describe = reinterpret_cast<decltype(&ckEmulatorLevelDescribe)>(
      dlsym(library, "ckEmulatorLevelDescribe"));
  if (!describe)
    return createStringError("'" + path + "' is no level of the emulator");
  const LevelDescription description = describe();
  if (description != describeThisLevel())
    return createStringError("'" + path +
                             "' is of another build of the emulator: build the target ck-emulator");
  return VectorLevel{level.name, description.getTable};
}

bool ckemu::hasVectorLevel(StringRef name) {
  const LevelInfo *level = llvm::find_if(kLevels, [&](auto &each) { return each.name == name; });
  return level != std::end(kLevels) && isSupported(*level);
}

Expected<VectorLevel> ckemu::loadVectorLevel(StringRef name, StringRef folder) {
  const LevelInfo *level = llvm::find_if(kLevels, [&](auto &each) { return each.name == name; });
  if (level == std::end(kLevels))
    return createStringError("expected auto, portable, x86-64-v3 or x86-64-v4, got '" + name + "'");
  if (!isSupported(*level))
    return createStringError("this processor is no " + name);
  std::string path = getPath(*level, folder);
  if (!exists(path))
    return createStringError(name + " requires '" + path + "', which does not exist");
  return load(*level, path);
}

Expected<VectorLevel> ckemu::selectVectorLevel() {
  const VectorLevel portable = {kPortable, getInstructionTable};
  const std::string wanted = getVariable("CK_EMULATOR_VECTORS").value_or("auto");
  if (wanted == kPortable)
    return portable;
  if (wanted != "auto") {
    Expected<VectorLevel> level = loadVectorLevel(wanted, getFolder());
    if (!level)
      return createStringError("CK_EMULATOR_VECTORS: " + llvm::toString(level.takeError()));
    return level;
  }
  const std::string folder = getFolder();
  for (const LevelInfo &level : kLevels) {
    const std::string path = getPath(level, folder);
    if (isSupported(level) && exists(path))
      return load(level, path);
  }
  return portable;
}
