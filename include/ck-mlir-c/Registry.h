//===- Registry.h - Declared kernels -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are declared by sets, compiled in parallel by an executor of the caller's, ranked for a
// problem, and written as archives. See ck-mlir-c/Support.h for errors, ownership and threads,
// docs/Library.md for sets and archives.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_REGISTRY_H
#define CK_MLIR_C_REGISTRY_H

#include "ck-mlir-c/Library.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The sets that are built in, as a JSON array of objects: `name`, `description`, `kernels` (their
/// number).
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateBuiltInSets(CkMlirText *json);

/// Declared kernels over a library. Functions on the same registry must not run at the same time.
typedef struct CkMlirRegistry {
  void *ptr;
} CkMlirRegistry;

/// `library` must not be destroyed before the registry.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryCreate(CkMlirLibrary library,
                                                       CkMlirRegistry *registry);
CKMLIR_CAPI_EXPORTED void ckMlirRegistryDestroy(CkMlirRegistry registry);

/// Adds the kernels of `set`: the name of one that is built in, a file that ends in ".json", or
/// JSON itself, which begins with "{". With `numChips` > 0, for these chips instead of those of the
/// set. InvalidArgument: there is no such set, or it is malformed.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryAddSet(CkMlirRegistry registry, const char *set,
                                                       const char *const *chips, size_t numChips);
/// Adds the kernels of an archive, which should be a layer of the library. InvalidArgument: it
/// cannot be read or is damaged.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryAddArchive(CkMlirRegistry registry,
                                                           const char *path);

/// What an executor runs: `run(task)`, once.
typedef void (*CkMlirTask)(void *task);
/// Runs `run(task)` now or later, in any thread. Every task must be run.
typedef void (*CkMlirExecutor)(CkMlirTask run, void *task, void *data);
/// Is told how many of how many tasks are done, and the problem of the last one; by one thread at a
/// time.
typedef void (*CkMlirProgress)(size_t done, size_t total, const char *problem, void *data);

/// Schedules all kernels without compiling them, those that are not legal become exclusions; or
/// compiles what the library lacks, what is refused becomes an exclusion. `executor` null: threads
/// of their own, one on every core. `progress` may be null. Both return when all tasks have been
/// run.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryValidate(CkMlirRegistry registry,
                                                         CkMlirExecutor executor,
                                                         CkMlirProgress progress, void *data);
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryBuild(CkMlirRegistry registry,
                                                      CkMlirExecutor executor,
                                                      CkMlirProgress progress, void *data);

/// Ends the call of this registry that validates, builds or writes an archive in another thread, or
/// the next one if none runs, once the kernels that have begun are done. Those that had not begun
/// stay declared; an archive is not written.
CKMLIR_CAPI_EXPORTED void ckMlirRegistryCancel(CkMlirRegistry registry);

/// The kernels as a JSON object: `kernels`, an array of objects with `problem`, `chip`, `schedule`,
/// `residents` and `layer`; `excluded`, the same with `reason`.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryCreateReport(CkMlirRegistry registry,
                                                             CkMlirText *json);

/// Ranks the kernels for `problem` on `chip`, as a JSON object: `candidates`, the best first, with
/// `request`, `schedule` (complete), `declared` (for this problem, not for another of the same
/// operation and type), `layer`, `cost` and `why`; `excluded`. `table` is JSON with times or ranks
/// (docs/Library.md), null for the compiler's estimate. InvalidArgument: the problem, the chip or
/// the table is malformed, or nothing is declared for them.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryCreateSelection(CkMlirRegistry registry,
                                                                const char *problem,
                                                                const char *chip, const char *table,
                                                                CkMlirText *json);

/// Writes all kernels as an archive called `name`, compiled if they are missing. Unsupported: a
/// kernel cannot be compiled, or the file cannot be written; it is as before then.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegistryWriteArchive(CkMlirRegistry registry,
                                                             const char *path, const char *name);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_REGISTRY_H
