//===- Library.cpp - Kernels on demand in Python -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Library.h and ck-mlir-c/Registry.h.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "ck-mlir-c/Registry.h"
#include <mutex>

using namespace ckpy;
using Text = const std::string &;
using Library = Owned<CkMlirLibrary, ckMlirLibraryDestroy>;
using LibraryOptions = Owned<CkMlirLibraryOptions, ckMlirLibraryOptionsDestroy>;
using Pending = Owned<CkMlirPending, ckMlirPendingDestroy>;

static Library createLibrary(Text directory, uint64_t cacheBytes, uint64_t memoryBytes,
                             const std::vector<std::string> &layers, bool allowStale,
                             int64_t threads, const std::vector<std::string> &tuning) {
  CkMlirLibraryOptions created;
  check(ckMlirLibraryOptionsCreate(&created));
  LibraryOptions options(created);
  check(ckMlirLibraryOptionsSetCacheDirectory(options.get(), toC(directory)));
  check(ckMlirLibraryOptionsSetCacheBytes(options.get(), cacheBytes));
  check(ckMlirLibraryOptionsSetMemoryBytes(options.get(), memoryBytes));
  for (Text layer : layers)
    check(ckMlirLibraryOptionsAddLayer(options.get(), toC(layer)));
  for (Text file : tuning)
    check(ckMlirLibraryOptionsAddTuningFile(options.get(), toC(file)));
  check(ckMlirLibraryOptionsSetAllowStaleLayers(options.get(), allowStale));
  check(ckMlirLibraryOptionsSetThreads(options.get(), threads));
  CkMlirLibrary library;
  check(ckMlirLibraryCreate(options.get(), &library));
  return Library(library);
}

static Pending prepare(const Library &library, Text problem, Text chip, Text schedule,
                       int64_t residents) {
  CompileOptions options = makeOptions(chip, schedule, residents);
  CkMlirPending pending;
  check(ckMlirLibraryPrepare(library.get(), toC(problem), options.get(), &pending));
  return Pending(pending);
}

static Program getProgram(const Library &library, Text problem, Text chip, Text schedule,
                          int64_t residents) {
  CompileOptions options = makeOptions(chip, schedule, residents);
  return callInterruptibly<Program>([=] {
    CkMlirProgram program;
    check(ckMlirLibraryGetProgram(library.get(), toC(problem), options.get(), &program));
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

namespace {
/// A registry, and the library that must not go before it.
struct Registry {
  Library library;
  Owned<CkMlirRegistry, ckMlirRegistryDestroy> handle;
  /// Held by who uses the registry: work goes on behind Ctrl-C, for as long as one kernel takes.
  std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();

  CkMlirRegistry get() const { return handle.get(); }

  /// Runs `work` alone; Ctrl-C ends the waiting for it, and soon the work.
  template <typename Function>
  void run(Function work) const {
    Registry own = *this;
    runInterruptibly(
        [=] {
          std::lock_guard<std::mutex> lock(*own.mutex);
          check(work());
        },
        AtExit::Wait, [=] { ckMlirRegistryCancel(own.get()); });
  }

  /// Waits without the GIL until nobody uses the registry.
  std::unique_lock<std::mutex> lock() const {
    nb::gil_scoped_release release;
    return std::unique_lock<std::mutex>(*mutex);
  }
};
} // namespace

static Registry createRegistry(const Library &library) {
  CkMlirRegistry registry;
  check(ckMlirRegistryCreate(library.get(), &registry));
  return {library, Owned<CkMlirRegistry, ckMlirRegistryDestroy>(registry)};
}

static void addSet(const Registry &registry, Text set, const std::vector<std::string> &chips) {
  std::vector<const char *> names;
  for (Text chip : chips)
    names.push_back(toC(chip));
  auto lock = registry.lock();
  check(ckMlirRegistryAddSet(registry.get(), toC(set), names.data(), names.size()));
}

static void addArchive(const Registry &registry, Text path) {
  auto lock = registry.lock();
  check(ckMlirRegistryAddArchive(registry.get(), toC(path)));
}

static void validate(const Registry &registry) {
  registry.run([handle = registry.handle] {
    return ckMlirRegistryValidate(handle.get(), nullptr, nullptr, nullptr);
  });
}

static void build(const Registry &registry) {
  registry.run([handle = registry.handle] {
    return ckMlirRegistryBuild(handle.get(), nullptr, nullptr, nullptr);
  });
}

static std::string getReport(const Registry &registry) {
  auto lock = registry.lock();
  return takeText(
      [&](CkMlirText *text) { return ckMlirRegistryCreateReport(registry.get(), text); });
}

static std::string selectKernels(const Registry &registry, Text problem, Text chip, Text table) {
  auto lock = registry.lock();
  return takeText([&](CkMlirText *text) {
    return ckMlirRegistryCreateSelection(registry.get(), toC(problem), toC(chip),
                                         table.empty() ? nullptr : toC(table), text);
  });
}

static void writeArchive(const Registry &registry, Text path, Text name) {
  registry.run([=, handle = registry.handle] {
    return ckMlirRegistryWriteArchive(handle.get(), toC(path), toC(name));
  });
}

static void bindRegistry(nb::module_ &module) {
  nb::class_<Registry>(module, "Registry")
      .def("add_set", addSet)
      .def("add_archive", addArchive)
      .def("validate", validate)
      .def("build", build)
      .def("report", getReport)
      .def("select", selectKernels)
      .def("write_archive", writeArchive);
  module.def("create_registry", createRegistry);
  module.def("built_in_sets", [] { return takeText(ckMlirCreateBuiltInSets); });
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
  bindRegistry(module);
  module.def("create_library", createLibrary);
  module.def("compiler_version", [] { return std::string(ckMlirGetCompilerVersion()); });
  module.def("default_cache_directory", [] { return takeText(ckMlirCreateDefaultCacheDirectory); });
}
