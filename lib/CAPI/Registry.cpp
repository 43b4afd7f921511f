//===- Registry.cpp - Declared kernels in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Registry.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Registry.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Library/Registry.h"
#include "ck-mlir/Support/File.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cksupport;
using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

static Registry *unwrap(CkMlirRegistry registry) { return static_cast<Registry *>(registry.ptr); }

/// A JSON text for the caller.
static CkMlirText createJson(llvm::json::Value value) {
  return createText(llvm::formatv("{0:2}\n", value));
}

CkMlirStatus ckMlirCreateBuiltInSets(CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!json)
      return missing("a place for the text");
    llvm::json::Array sets;
    for (const std::string &name : getBuiltInSets()) {
      Expected<KernelSet> set = KernelSet::open(name);
      if (!set)
        return {CkMlirStatusInternal, llvm::toString(set.takeError())};
      sets.push_back(llvm::json::Object{{"name", name},
                                        {"description", set->getDescription()},
                                        {"kernels", set->getKernels().size()}});
    }
    *json = createJson(std::move(sets));
    return {};
  });
}

CkMlirStatus ckMlirRegistryCreate(CkMlirLibrary library, CkMlirRegistry *registry) {
  return guard([&]() -> Outcome {
    if (!library.ptr || !registry)
      return missing(library.ptr ? "a place for the registry" : "a library");
    registry->ptr = new Registry(getLibrary(library));
    return {};
  });
}

void ckMlirRegistryDestroy(CkMlirRegistry registry) { delete unwrap(registry); }

/// Opens a set by name or file, or reads it from JSON.
static Expected<KernelSet> openSet(llvm::StringRef set) {
  if (!set.ltrim().starts_with("{"))
    return KernelSet::open(set);
  Expected<llvm::json::Value> value = parseJson(set, "the set");
  if (!value)
    return value.takeError();
  return KernelSet::parse(*value, "set");
}

CkMlirStatus ckMlirRegistryAddSet(CkMlirRegistry registry, const char *set,
                                  const char *const *chips, size_t numChips) {
  return guard([&]() -> Outcome {
    if (!registry.ptr || !set || (numChips > 0 && !chips))
      return missing(!registry.ptr ? "a registry" : !set ? "a set" : "the names of chips");
    std::vector<std::string> names;
    for (const char *chip : llvm::ArrayRef(chips, numChips)) {
      if (!chip)
        return missing("the name of a chip");
      names.emplace_back(chip);
    }
    Expected<KernelSet> opened = openSet(set);
    if (!opened)
      return invalid(opened.takeError());
    if (!names.empty())
      if (llvm::Error error = opened->setChips(names))
        return invalid(std::move(error));
    unwrap(registry)->add(*opened);
    return {};
  });
}

CkMlirStatus ckMlirRegistryAddArchive(CkMlirRegistry registry, const char *path) {
  return guard([&]() -> Outcome {
    if (!registry.ptr || !path)
      return missing(registry.ptr ? "the name of an archive" : "a registry");
    Expected<KernelArchive> archive = KernelArchive::open(path);
    if (!archive)
      return invalid(archive.takeError());
    unwrap(registry)->add(*archive);
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Runs a task that `runTasks` made, and frees it.
static void runTask(void *task) {
  std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()> *>(task));
  (*owned)();
}

/// Calls `work` with the caller's executor and progress.
static CkMlirStatus runTasks(CkMlirRegistry registry, CkMlirExecutor executor,
                             CkMlirProgress progress, void *data,
                             void (Registry::*work)(const Executor &, const Progress &)) {
  return guard([&]() -> Outcome {
    if (!registry.ptr)
      return missing("a registry");
    Progress report;
    if (progress)
      report = [=](size_t done, size_t total, llvm::StringRef problem) {
        progress(done, total, problem.str().c_str(), data);
      };
    if (executor) {
      auto execute = [=](std::function<void()> task) {
        executor(runTask, new std::function<void()>(std::move(task)), data);
      };
      (unwrap(registry)->*work)(execute, report);
      return {};
    }
    llvm::DefaultThreadPool pool;
    (unwrap(registry)->*work)([&](std::function<void()> task) { pool.async(std::move(task)); },
                              report);
    return {};
  });
}

CkMlirStatus ckMlirRegistryValidate(CkMlirRegistry registry, CkMlirExecutor executor,
                                    CkMlirProgress progress, void *data) {
  return runTasks(registry, executor, progress, data, &Registry::validate);
}

CkMlirStatus ckMlirRegistryBuild(CkMlirRegistry registry, CkMlirExecutor executor,
                                 CkMlirProgress progress, void *data) {
  return runTasks(registry, executor, progress, data, &Registry::build);
}

void ckMlirRegistryCancel(CkMlirRegistry registry) {
  if (registry.ptr)
    unwrap(registry)->cancel();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

CkMlirStatus ckMlirRegistryCreateReport(CkMlirRegistry registry, CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!registry.ptr || !json)
      return missing(registry.ptr ? "a place for the text" : "a registry");
    *json = createJson(unwrap(registry)->toJson());
    return {};
  });
}

/// The ranker of a table, or of the estimate.
static Expected<std::unique_ptr<Ranker>> openRanker(const char *table) {
  if (!table)
    return createEstimateRanker();
  Expected<llvm::json::Value> value = parseJson(table, "the table");
  if (!value)
    return value.takeError();
  return createTableRanker(*value, "table");
}

CkMlirStatus ckMlirRegistryCreateSelection(CkMlirRegistry registry, const char *problem,
                                           const char *chip, const char *table, CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!registry.ptr || !problem || !chip || !json)
      return missing(!registry.ptr ? "a registry"
                     : !problem    ? "a problem string"
                     : !chip       ? "the name of a chip"
                                   : "a place for the text");
    Expected<std::unique_ptr<Ranker>> ranker = openRanker(table);
    if (!ranker)
      return invalid(ranker.takeError());
    Expected<Selection> selection = unwrap(registry)->select(problem, chip, **ranker);
    if (!selection)
      return invalid(selection.takeError());
    *json = createJson(selection->toJson());
    return {};
  });
}

CkMlirStatus ckMlirRegistryWriteArchive(CkMlirRegistry registry, const char *path,
                                        const char *name) {
  return guard([&]() -> Outcome {
    if (!registry.ptr || !path || !name)
      return missing(!registry.ptr ? "a registry" : !path ? "the name of a file" : "a name");
    if (llvm::Error error = unwrap(registry)->writeArchive(path, name))
      return unsupported(std::move(error));
    return {};
  });
}
