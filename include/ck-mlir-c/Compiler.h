//===- Compiler.h - From problem strings to programs -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem string is compiled to a program: a code object and what a caller needs to launch its
// kernels. The compiler works in memory, opens no device and takes about a tenth of a second. See
// ck-mlir-c/Support.h for errors, ownership and threads, docs/Tools.md for both kinds of strings.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_COMPILER_H
#define CK_MLIR_C_COMPILER_H

#include "ck-mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

/// Parses `problem` and prints it canonically: equal problems have equal texts.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateCanonicalProblem(const char *problem,
                                                               CkMlirText *canonical);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// How to compile. Setters must not run at the same time as anything else on the same options.
typedef struct CkMlirCompileOptions {
  void *ptr;
} CkMlirCompileOptions;

/// Options for gfx942 that leave everything to the compiler.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsCreate(CkMlirCompileOptions *options);
CKMLIR_CAPI_EXPORTED void ckMlirCompileOptionsDestroy(CkMlirCompileOptions options);
/// The chip to compile for.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetChip(CkMlirCompileOptions options,
                                                              const char *chip);
/// A schedule string, which may be empty; fields that it leaves out are chosen.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetSchedule(CkMlirCompileOptions options,
                                                                  const char *schedule);
/// A file of tuned schedules, which ck-tune writes, for fields that the schedule string leaves out;
/// empty, which is the default, for none. A file that is missing, damaged, or of another version or
/// chip, is an error of the functions that take the options.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetTuningFile(CkMlirCompileOptions options,
                                                                    const char *path);
/// Workgroups that the device runs at the same time, in [0, 2147483647]; 0, which is the default:
/// one on every compute unit of the chip. More or fewer on the device cost time only.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetResidents(CkMlirCompileOptions options,
                                                                   int64_t residents);
/// Whether the program has its assembly, too (default false).
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetEmitAssembly(CkMlirCompileOptions options,
                                                                      bool emitAssembly);
/// Whether IR is verified after every pass (default false), which costs up to a fifth of the time.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileOptionsSetVerifyIR(CkMlirCompileOptions options,
                                                                  bool verifyIR);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A compiled problem. It does not change: all functions on it are getters.
typedef struct CkMlirProgram {
  void *ptr;
} CkMlirProgram;

/// Compiles `problem`. Null `options` are the default ones. InvalidArgument: a malformed problem or
/// schedule string, an unknown chip. Unsupported: there is no kernel for this problem, chip and
/// schedule.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileProblem(const char *problem,
                                                       CkMlirCompileOptions options,
                                                       CkMlirProgram *program);
/// A program that was compiled before: `manifest` is the text that ckMlirProgramGetManifest
/// returned or ck-compile wrote, `codeObject` the bytes of its code. InvalidArgument: the manifest
/// is malformed; code that is no code object is refused when it is loaded.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirProgramCreateFromManifest(const char *manifest,
                                                                  const void *codeObject,
                                                                  size_t bytes,
                                                                  CkMlirProgram *program);
CKMLIR_CAPI_EXPORTED void ckMlirProgramDestroy(CkMlirProgram program);

/// Bytes of the workspace that a program of `problem` will need, and its schedule if `schedule` is
/// not null, which the caller destroys; nothing is compiled. Errors are those of
/// ckMlirCompileProblem. In the rare case that the registers of the chosen schedule turn out to be
/// too few, the compiler takes another one, and the program says what it needs.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirGetWorkspaceBytes(const char *problem,
                                                          CkMlirCompileOptions options,
                                                          int64_t *bytes, CkMlirText *schedule);

/// The getters below give zeros, empty texts and null pointers for a null handle or an index beyond
/// the last one.

/// The code object, an ELF file that hipModuleLoadData takes.
CKMLIR_CAPI_EXPORTED CkMlirBytes ckMlirProgramGetCodeObject(CkMlirProgram program);
/// The manifest that ck-compile writes, as JSON, without the names of files.
CKMLIR_CAPI_EXPORTED const char *ckMlirProgramGetManifest(CkMlirProgram program);
/// The assembly; empty unless the options asked for it.
CKMLIR_CAPI_EXPORTED const char *ckMlirProgramGetAssembly(CkMlirProgram program);
/// The canonical problem string; with the epilogue "region" for a module whose epilogue no string
/// can say.
CKMLIR_CAPI_EXPORTED const char *ckMlirProgramGetProblem(CkMlirProgram program);
CKMLIR_CAPI_EXPORTED const char *ckMlirProgramGetChip(CkMlirProgram program);
/// The schedule that was taken, complete: the tuning key.
CKMLIR_CAPI_EXPORTED const char *ckMlirProgramGetSchedule(CkMlirProgram program);
/// Bytes of device memory that a launch needs beside the tensors, 0 for none, and their alignment.
CKMLIR_CAPI_EXPORTED int64_t ckMlirProgramGetWorkspaceBytes(CkMlirProgram program);
CKMLIR_CAPI_EXPORTED int64_t ckMlirProgramGetWorkspaceAlignment(CkMlirProgram program);
/// Bytes at the start of the workspace that must be zero at a launch, and are so when it has
/// ended; ckMlirExecutableLaunch sees to it.
CKMLIR_CAPI_EXPORTED int64_t ckMlirProgramGetWorkspaceZeroBytes(CkMlirProgram program);
/// Milliseconds that the compilation took; 0 for a program that was not compiled by
/// ckMlirCompileProblem or ckMlirCompileModule.
CKMLIR_CAPI_EXPORTED double ckMlirProgramGetCompileMilliseconds(CkMlirProgram program);

/// A tensor of a program. Pointers belong to the program.
typedef struct CkMlirTensor {
  const char *name;     ///< "x", "dy", ...
  const char *type;     ///< "f16", as in problem strings
  const char *layout;   ///< a letter for each dimension, the last one fastest: "NHWGC"
  const int64_t *shape; ///< elements of each dimension
  size_t rank;          ///< dimensions
  int64_t bytes;
  bool isWritten; ///< the result; all others are read
  bool zeroFill;  ///< must be zero at a launch; ckMlirExecutableLaunch sees to it
} CkMlirTensor;

/// Tensors: those that are read, in the order of the problem, and the result as the last one.
CKMLIR_CAPI_EXPORTED size_t ckMlirProgramGetNumTensors(CkMlirProgram program);
CKMLIR_CAPI_EXPORTED CkMlirTensor ckMlirProgramGetTensor(CkMlirProgram program, size_t index);

/// Whether an array can be tensor `index`: of data type `type`, as in problem strings, with `rank`
/// sizes at `shape` and strides in elements at `strides`. InvalidArgument: the type, a size or a
/// stride differs; dimensions of size 1 may have any stride.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirProgramCheckArray(CkMlirProgram program, size_t index,
                                                          const char *type, const int64_t *shape,
                                                          const int64_t *strides, size_t rank);

/// A kernel of a program. Pointers belong to the program.
typedef struct CkMlirKernel {
  const char *name;
  uint32_t grid[3];  ///< workgroups
  uint32_t block[3]; ///< work-items of a workgroup
  /// Names of tensors, or "workspace": each argument is a device pointer.
  const char *const *arguments;
  size_t numArguments;
  int64_t vgprs, agprs, sgprs; ///< registers; AGPRs are part of the VGPRs
  int64_t ldsBytes;            ///< of a workgroup
  int64_t codeBytes;
} CkMlirKernel;

/// Kernels, in the order in which they are launched.
CKMLIR_CAPI_EXPORTED size_t ckMlirProgramGetNumKernels(CkMlirProgram program);
CKMLIR_CAPI_EXPORTED CkMlirKernel ckMlirProgramGetKernel(CkMlirProgram program, size_t index);

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

/// How kernels of every partition would share the tiles of `problem`, as the JSON object of
/// `ck-run --partition-report --format=json` (docs/Tools.md). Runs and compiles nothing. The chip,
/// and the schedule, which must name no partition, come from `options`. The device has
/// `computeUnits` (0: those of the chip) with `occupancy` workgroups on each at a time, at most
/// 65536 of each.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreatePartitionReport(const char *problem,
                                                              CkMlirCompileOptions options,
                                                              int64_t computeUnits,
                                                              int64_t occupancy, CkMlirText *json);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_COMPILER_H
