//===- Library.h - Kernels on demand -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library compiles each problem once, in the background if asked to, keeps the kernels in memory
// and in a folder, and launches them. See ck-mlir-c/Support.h for errors, ownership and threads,
// docs/Library.md for the whole.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_LIBRARY_H
#define CK_MLIR_C_LIBRARY_H

#include "ck-mlir-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the compiler, which is part of the key of every kernel that is kept: it changes
/// when any code of it does. Lives for ever.
CKMLIR_CAPI_EXPORTED const char *ckMlirGetCompilerVersion(void);
/// The folder where tools keep their kernels: CK_KERNEL_CACHE, else ck-mlir/kernels in
/// XDG_CACHE_HOME or in .cache of HOME; empty if none of these is set.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateDefaultCacheDirectory(CkMlirText *directory);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// What a library is made of. Setters must not run at the same time as anything else on the same
/// options.
typedef struct CkMlirLibraryOptions {
  void *ptr;
} CkMlirLibraryOptions;

/// Options of a library that keeps kernels in memory alone and compiles on every core.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsCreate(CkMlirLibraryOptions *options);
CKMLIR_CAPI_EXPORTED void ckMlirLibraryOptionsDestroy(CkMlirLibraryOptions options);
/// A folder where kernels are kept, which is made if there is none; empty for none. Many processes
/// may use it at the same time. A folder that cannot be written to is no error: it is read, if it
/// is there, and there is a warning.
CKMLIR_CAPI_EXPORTED CkMlirStatus
ckMlirLibraryOptionsSetCacheDirectory(CkMlirLibraryOptions options, const char *directory);
/// Bytes that the folder may have, 2^30 by default; what was not used for the longest time goes.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsSetCacheBytes(CkMlirLibraryOptions options,
                                                                    uint64_t bytes);
/// Bytes of kernels in memory, 2^28 by default.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsSetMemoryBytes(CkMlirLibraryOptions options,
                                                                     uint64_t bytes);
/// Adds an archive, or a folder that was a cache, which is read, never written, before the cache.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsAddLayer(CkMlirLibraryOptions options,
                                                               const char *path);
/// Adds a file of tuned schedules, at most one for a chip. Kernels have the schedule of the file of
/// their chip, if it has one for their problem that agrees with the schedule string.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsAddTuningFile(CkMlirLibraryOptions options,
                                                                    const char *path);
/// Whether archives of another version of the compiler are taken (default false).
CKMLIR_CAPI_EXPORTED CkMlirStatus
ckMlirLibraryOptionsSetAllowStaleLayers(CkMlirLibraryOptions options, bool allow);
/// Threads that compile what is prepared, in [0, 1024]; 0, which is the default: one on every core.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsSetThreads(CkMlirLibraryOptions options,
                                                                 int64_t threads);
/// Is called with one line, by any thread and at most once for a library, about what does not stop
/// it, such as a cache folder that cannot be written to. Null, which is the default: the line goes
/// to standard error.
typedef void (*CkMlirWarningCallback)(const char *text, void *data);
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryOptionsSetWarningCallback(
    CkMlirLibraryOptions options, CkMlirWarningCallback callback, void *data);

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// A library.
typedef struct CkMlirLibrary {
  void *ptr;
} CkMlirLibrary;

/// Null `options` are the default ones. InvalidArgument: a layer is missing, no archive or folder,
/// damaged, or made by another compiler; a tuning file is missing, damaged or of another version,
/// or there are two for a chip.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryCreate(CkMlirLibraryOptions options,
                                                      CkMlirLibrary *library);
/// Waits for the compilations that run; those that wait for a thread fail. What was loaded for
/// ckMlirLibraryRun is unloaded, so that its launches must have ended.
CKMLIR_CAPI_EXPORTED void ckMlirLibraryDestroy(CkMlirLibrary library);

// In the functions below `problem` is a problem string or the text of a module with one problem;
// chip, schedule and residents come from `options`, of which null are the default ones. Equal
// problems are equal requests, however they are written. Options that ask for the assembly or the
// verification of IR are InvalidArgument: those are for ckMlirCompileProblem. So are a tuning file,
// which is one of the library's options, and a malformed problem. Unsupported: the compiler
// refused.

/// A program that is being made, or is there. May outlive its library.
typedef struct CkMlirPending {
  void *ptr;
} CkMlirPending;

/// Returns at once; the program is looked for and compiled in the background. What is wrong with
/// the request, ckMlirPendingGetProgram says.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryPrepare(CkMlirLibrary library, const char *problem,
                                                       CkMlirCompileOptions options,
                                                       CkMlirPending *pending);
/// Forgets the handle; the compilation goes on.
CKMLIR_CAPI_EXPORTED void ckMlirPendingDestroy(CkMlirPending pending);
/// Whether the program, or the reason why there is none, is there. True for a null handle.
CKMLIR_CAPI_EXPORTED bool ckMlirPendingIsReady(CkMlirPending pending);
/// Waits at most `seconds`; returns ckMlirPendingIsReady.
CKMLIR_CAPI_EXPORTED bool ckMlirPendingWait(CkMlirPending pending, double seconds);
/// Waits for the program. It is a new handle each time, to the same program.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirPendingGetProgram(CkMlirPending pending,
                                                          CkMlirProgram *program);

/// The program of a problem; compiles it in this thread if it is not there and nobody else does.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryGetProgram(CkMlirLibrary library,
                                                          const char *problem,
                                                          CkMlirCompileOptions options,
                                                          CkMlirProgram *program);
/// The same, loaded on `device`, once for all that ask for it. InvalidArgument: the options name
/// another chip than that of the device.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryLoad(CkMlirLibrary library, CkMlirDevice device,
                                                    const char *problem,
                                                    CkMlirCompileOptions options,
                                                    CkMlirExecutable *executable);
/// Launches the program of a problem, as ckMlirExecutableLaunch does. The first call for a problem
/// compiles and loads it, all others return at once.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryRun(CkMlirLibrary library, CkMlirDevice device,
                                                   const char *problem,
                                                   CkMlirCompileOptions options, void *hipStream,
                                                   void *const *tensors, size_t numTensors,
                                                   void *workspace, size_t workspaceBytes);

/// What the library has done so far, as a JSON object: `memory_hits`, `layer_hits`, `disk_hits`,
/// `compilations`, `failures`, of which every request is one, and `memory_evictions`,
/// `disk_evictions`, `damaged`, `store_failures`, `compile_ms`.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirLibraryCreateCounters(CkMlirLibrary library,
                                                              CkMlirText *json);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_LIBRARY_H
