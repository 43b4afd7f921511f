//===- Library.cpp - Kernels on demand in Python -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Library.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Library.h"
#include "Native.h"

using namespace ckpy;
using Text = const std::string &;
using Library = Owned<CkMlirLibrary, ckMlirLibraryDestroy>;
using LibraryOptions = Owned<CkMlirLibraryOptions, ckMlirLibraryOptionsDestroy>;
using Pending = Owned<CkMlirPending, ckMlirPendingDestroy>;

static Library createLibrary(Text directory, uint64_t cacheBytes, uint64_t memoryBytes,
                             const std::vector<std::string> &layers, bool allowStale,
                             int64_t threads) {
  CkMlirLibraryOptions created;
  check(ckMlirLibraryOptionsCreate(&created));
  LibraryOptions options(created);
  check(ckMlirLibraryOptionsSetCacheDirectory(options.get(), directory.c_str()));
  check(ckMlirLibraryOptionsSetCacheBytes(options.get(), cacheBytes));
  check(ckMlirLibraryOptionsSetMemoryBytes(options.get(), memoryBytes));
  for (Text layer : layers)
    check(ckMlirLibraryOptionsAddLayer(options.get(), layer.c_str()));
  check(ckMlirLibraryOptionsSetAllowStaleLayers(options.get(), allowStale));
  check(ckMlirLibraryOptionsSetThreads(options.get(), threads));
  CkMlirLibrary library;
  check(ckMlirLibraryCreate(options.get(), &library));
  return Library(library);
}

static Pending prepare(const Library &library, Text problem, Text chip, Text schedule) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  CkMlirPending pending;
  check(ckMlirLibraryPrepare(library.get(), problem.c_str(), options.get(), &pending));
  return Pending(pending);
}

static Program getProgram(const Library &library, Text problem, Text chip, Text schedule) {
  CompileOptions options = makeOptions(chip, schedule, 0);
  return callInterruptibly<Program>([=] {
    CkMlirProgram program;
    check(ckMlirLibraryGetProgram(library.get(), problem.c_str(), options.get(), &program));
    return Program(program);
  });
}

static Program waitForProgram(const Pending &pending) {
  return callInterruptibly<Program>([=] {
    CkMlirProgram program;
    check(ckMlirPendingGetProgram(pending.get(), &program));
    return Program(program);
  });
}

void ckpy::bindLibrary(nb::module_ &module) {
  nb::call_guard<nb::gil_scoped_release> noGil;
  nb::class_<Pending>(module, "Pending")
      .def("is_ready", [](const Pending &p) { return ckMlirPendingIsReady(p.get()); })
      .def(
          "wait",
          [](const Pending &p, double seconds) { return ckMlirPendingWait(p.get(), seconds); },
          noGil)
      .def("program", waitForProgram);
  nb::class_<Library>(module, "Library")
      .def("prepare", prepare, noGil)
      .def("program", getProgram)
      .def("counters", [](const Library &library) {
        return takeText(
            [&](CkMlirText *text) { return ckMlirLibraryCreateCounters(library.get(), text); });
      });
  module.def("create_library", createLibrary);
  module.def("compiler_version", [] { return std::string(ckMlirGetCompilerVersion()); });
  module.def("default_cache_directory", [] { return takeText(ckMlirCreateDefaultCacheDirectory); });
}
