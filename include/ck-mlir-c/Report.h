//===- Report.h - What a kernel does -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verdicts, profiles and pictures of problems, and why a schedule is chosen. See
// ck-mlir-c/Support.h for errors, ownership and threads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_REPORT_H
#define CK_MLIR_C_REPORT_H

#include "ck-mlir-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the result of a run is compared with.
typedef enum CkMlirVerification {
  CkMlirVerificationCpu = 0,    ///< the reference of the host
  CkMlirVerificationDevice = 1, ///< the naive kernel on the same device
  CkMlirVerificationNone = 2    ///< nothing
} CkMlirVerification;

/// Compiles `problem`, runs it on small integers, compares the result and returns the JSON object
/// of `ck-run --format=json` (docs/Tools.md), with `profile` also the counts by wave role and
/// instruction, which need the emulator. A problem that is not supported, a fault of its kernel and
/// a wrong result are no failures: the object has `status` and `reason`. Chip and schedule come
/// from `options`.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateRunReport(const char *problem,
                                                        CkMlirCompileOptions options,
                                                        CkMlirDeviceKind device,
                                                        CkMlirVerification verification,
                                                        bool profile, CkMlirText *json);

/// As ckMlirCreateRunReport on the emulator, with the fields `modelled_...`: how long the kernels
/// would take on the chip by the model of docs/emulator/time.md, what bounds them, and more.
/// `run_ms`, which is measured on GPUs, stays null. With `profile` instructions say how long waves
/// wait in front of them. `trace`, which may be null, names a file for a timeline, as
/// `ck-run --trace` writes it.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateModelledReport(const char *problem,
                                                             CkMlirCompileOptions options,
                                                             CkMlirVerification verification,
                                                             bool profile, const char *trace,
                                                             CkMlirText *json);

/// Why the schedule of `problem` is chosen: the JSON object of `ck-run --explain --format=json`
/// (docs/Selection.md), with its estimated time when caches hold the operands and its parts, with
/// that when they lie in memory, and the best schedules of at most `numOthers` other tiles, in
/// [0, 1000], by the mean of both, in which the first counts twice. Chip and the fields of the
/// schedule that are given come from `options`. Nothing runs, except where `modelled` asks for the
/// time of each schedule by the emulator's model of the chip: then the kernels are compiled and
/// samples of their workgroups run, and no other kernel may be launched meanwhile. InvalidArgument:
/// the options have a tuning file. Unsupported: no schedule is legal, or a kernel cannot be
/// compiled or timed.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateExplanation(const char *problem,
                                                          CkMlirCompileOptions options,
                                                          int64_t numOthers, bool modelled,
                                                          CkMlirText *json);

/// The timelines of data-parallel, Split-K and StreamK as an SVG image, as `ck-run --partition-svg`
/// draws them. The arguments are those of ckMlirCreatePartitionReport.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreatePartitionPicture(const char *problem,
                                                               CkMlirCompileOptions options,
                                                               int64_t computeUnits,
                                                               int64_t occupancy, CkMlirText *svg);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_REPORT_H
