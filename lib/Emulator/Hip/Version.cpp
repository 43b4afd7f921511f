//===- Version.cpp - HIP: versions and functions by name -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Version.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Version.h"
#include "Emulator/Hip/NewerTypes.h"
#include "Emulator/Machine/Variables.h"
#include "llvm/ADT/StringExtras.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

using namespace ckemu;
using namespace ckemu::hip;
using llvm::StringRef;

static constexpr unsigned kNewest = 7;

llvm::Expected<unsigned> hip::readHipVersion() {
  std::optional<std::string> text = getVariable("CK_EMULATOR_HIP_VERSION");
  unsigned version = 0;
  if (!text)
    return version;
  if (StringRef(*text).getAsInteger(10, version) || version < HIP_VERSION_MAJOR ||
      version > kNewest)
    return llvm::createStringError("CK_EMULATOR_HIP_VERSION must be in [5, 7], got '" + *text +
                                   "'");
  return version;
}

unsigned hip::getVersionOfName(const char *path) {
  StringRef name = StringRef(path).rsplit('/').second;
  if (name.empty())
    name = path;
  if (!name.consume_front("libamdhip64.so"))
    return 0;
  unsigned version = 0;
  if (!name.consume_front(".") || name.split('.').first.getAsInteger(10, version))
    return kNewest;
  return version >= HIP_VERSION_MAJOR && version <= kNewest ? version : 0;
}

/// Sets `*data` (unsigned) to the version of the libamdhip64.so.N that a loaded object is, such as
/// a library that forwards to this one, or else of the one that it needs; ends the walk over the
/// objects then.
static int findNeeded(dl_phdr_info *info, size_t, void *data) {
  if (unsigned version = info->dlpi_name ? getVersionOfName(info->dlpi_name) : 0) {
    *static_cast<unsigned *>(data) = version;
    return 1;
  }
  const ElfW(Dyn) *dynamic = nullptr;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const char *strings = nullptr;
  for (const ElfW(Dyn) *entry = dynamic; entry && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB &&
        entry->d_un.d_ptr >= info->dlpi_addr) // relocated by the loader
      strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
  for (const ElfW(Dyn) *entry = dynamic; strings && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED)
      if (unsigned version = getVersionOfName(strings + entry->d_un.d_val)) {
        *static_cast<unsigned *>(data) = version;
        return 1;
      }
  return 0;
}

/// What the names say, or 0.
static unsigned findVersion() {
  llvm::Expected<unsigned> demanded = readHipVersion();
  if (!demanded)
    llvm::consumeError(demanded.takeError()); // is the setup error of every call
  else if (*demanded != 0)
    return *demanded;
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&findVersion), &self) != 0 && self.dli_fname)
    if (unsigned version = getVersionOfName(self.dli_fname))
      return version;
  unsigned version = 0;
  dl_iterate_phdr(findNeeded, &version);
  return version;
}

static std::atomic<bool> newerProgram{false};

void hip::noteNewerProgram() { newerProgram = true; }

unsigned hip::getHipVersion() {
  static const unsigned found = findVersion();
  if (found != 0)
    return found;
  return newerProgram ? 6 : HIP_VERSION_MAJOR;
}

/// As HIP_VERSION is composed. The minor versions are those whose functions are there.
static int composeVersion(unsigned major) {
  if (major == HIP_VERSION_MAJOR)
    return HIP_VERSION;
  return int(major) * 10000000 + (major == 6 ? 4 : 2) * 100000;
}

static hipError_t answerVersion(const char *name, int *version) {
  return call(name, [&](State &) {
    if (!version)
      return invalidValue("the destination is null");
    *version = composeVersion(getHipVersion());
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDriverGetVersion(int *driverVersion) {
  return answerVersion("hipDriverGetVersion", driverVersion);
}

CK_HIP_EXPORT hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
  return answerVersion("hipRuntimeGetVersion", runtimeVersion);
}

/// This library, or null.
static void *openSelf() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&openSelf), &self) == 0)
    return nullptr;
  return dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/// The function `name`; where programs for HIP 6 have another of that name, the one for
/// `programVersion` (600: HIP 6).
static void *findFunction(StringRef name, int programVersion) {
  static void *const self = openSelf();
  std::string symbol = name.str();
  if ((name == "hipGetDeviceProperties" || name == "hipChooseDevice") && programVersion >= 600)
    symbol += "R0600";
  return self && name.starts_with("hip") ? dlsym(self, symbol.c_str()) : nullptr;
}

static Result getFunction(const char *symbol, void **function, int programVersion,
                          SymbolStatus *status) {
  noteNewerProgram();
  if (!symbol || !*symbol || !function)
    return invalidValue(function ? "the symbol is null or empty" : "pfn is null");
  *function = findFunction(symbol, programVersion);
  if (status)
    *status = *function ? SymbolStatus::Found : SymbolStatus::NotFound;
  return *function
             ? Result()
             : quiet(hipErrorInvalidValue, "there is no function '" + std::string(symbol) + "'");
}

CK_HIP_EXPORT hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t,
                                           SymbolStatus *symbolStatus) {
  return call("hipGetProcAddress",
              [&](State &) { return getFunction(symbol, pfn, hipVersion, symbolStatus); });
}

CK_HIP_EXPORT hipError_t hipGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                                unsigned long long, SymbolStatus *status) {
  return call("hipGetDriverEntryPoint", [&](State &) {
    return getFunction(symbol, funcPtr, int(getHipVersion()) * 100, status);
  });
}
