//===- JitApi.cpp - Functions that compiled programs call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the mgpu functions, these cannot return an error: no program goes on with wrong data.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/JitApi.h"
#include "Compiler/Jit/Cache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>

using namespace mlir::ck::jit;
using llvm::StringRef;
using llvm::Twine;

static constexpr size_t kDefaultEntries = 64;

static std::atomic<int64_t> numCompiled = 0;

[[noreturn]] static void fail(const Twine &reason) {
  std::string text = ("ck-mlir jit: " + reason).str();
  if (text.back() != '\n')
    text += '\n';
  std::fflush(nullptr);
  std::fputs(text.c_str(), stderr);
  std::_Exit(1);
}

/// An empty variable counts as none.
static std::string getVariable(StringRef name) {
  return llvm::sys::Process::GetEnv(name).value_or("");
}

static bool isTraced() {
  std::string value = getVariable("CK_JIT_TRACE");
  if (!value.empty() && value != "on" && value != "off")
    fail("CK_JIT_TRACE must be on or off, got '" + value + "'");
  return value == "on";
}

static Cache &getCache() {
  // Never destroyed: programs are called until the process has ended.
  static Cache *cache = [] {
    std::string value = getVariable("CK_JIT_ENTRIES");
    size_t capacity = kDefaultEntries;
    if (!value.empty() && (!llvm::to_integer(value, capacity, 10) || capacity == 0))
      fail("CK_JIT_ENTRIES must be a number from 1 on, got '" + value + "'");
    return new Cache(capacity);
  }();
  return *cache;
}

namespace {
/// Unloads kernels at the end of the process, while the device is still there.
struct Unloading {
  ~Unloading() { getCache().clear(); }
};
} // namespace

static std::unique_ptr<Specialization> compile(StringRef program, llvm::ArrayRef<int64_t> sizes,
                                               StringRef sizesText) {
  llvm::Expected<std::unique_ptr<Specialization>> compiled =
      Specialization::compile(program, sizes);
  if (!compiled)
    fail("cannot compile for sizes " + sizesText + ": " + llvm::toString(compiled.takeError()));
  // Made behind what the device's library has registered to be done at the end.
  static Unloading unloading;
  ++numCompiled;
  static bool traced = isTraced();
  if (traced)
    std::fprintf(stderr, "ck-mlir jit: compiled @%s for sizes %s: kernels [%s]\n",
                 (*compiled)->getEntry().str().c_str(), sizesText.str().c_str(),
                 llvm::join((*compiled)->getKernels(), ", ").c_str());
  return std::move(*compiled);
}

void ckMlirCallSpecialized(const char *program, int64_t programBytes, const char *digest,
                           const int64_t *sizes, int64_t numSizes, void **arguments) {
  llvm::ArrayRef<int64_t> list(sizes, static_cast<size_t>(numSizes));
  std::string text = "[";
  for (int64_t size : list)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  text += "]";
  getCache()
      .get((digest + Twine(text)).str(),
           [&] {
             return compile(StringRef(program, static_cast<size_t>(programBytes)), list, text);
           })
      ->call(arguments);
}

int64_t ckMlirCountSpecializations() { return numCompiled; }
