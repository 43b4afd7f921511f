//===- Chip.h - The chip table -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler knows about the chips that it compiles for. See ck-mlir-c/Support.h for errors,
// ownership and threads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_CHIP_H
#define CK_MLIR_C_CHIP_H

#include "ck-mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which 8-bit floats the instructions of a chip take.
typedef enum CkMlirFp8Kind {
  CkMlirFp8KindNone = 0, ///< none: the compiler converts those of the Open Compute Project
  CkMlirFp8KindFnuz = 1, ///< without negative zero and infinities
  CkMlirFp8KindOcp = 2   ///< of the Open Compute Project
} CkMlirFp8Kind;

/// The chips of the table, in its order.
CKMLIR_CAPI_EXPORTED size_t ckMlirGetNumChips(void);
/// The name of chip `index`, such as "gfx942"; null if there are fewer. Lives for ever.
CKMLIR_CAPI_EXPORTED const char *ckMlirGetChipName(size_t index);

/// A chip of the table. Needs no Destroy.
typedef struct CkMlirChip {
  const void *ptr;
} CkMlirChip;

/// Finds the chip `name`. InvalidArgument: there is none of that name; the message lists them.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirChipGet(const char *name, CkMlirChip *chip);

/// Facts about a chip, which must not be a null handle. Names live for ever.
CKMLIR_CAPI_EXPORTED const char *ckMlirChipGetName(CkMlirChip chip);
CKMLIR_CAPI_EXPORTED const char *ckMlirChipGetMarketingName(CkMlirChip chip);
/// Lanes of a wave.
CKMLIR_CAPI_EXPORTED int64_t ckMlirChipGetWaveSize(CkMlirChip chip);
/// Bytes of LDS that a workgroup can have.
CKMLIR_CAPI_EXPORTED int64_t ckMlirChipGetLdsBytes(CkMlirChip chip);
/// Work-items that a workgroup can have.
CKMLIR_CAPI_EXPORTED int64_t ckMlirChipGetMaxThreads(CkMlirChip chip);
/// Registers of 4 bytes that a lane can use, AGPRs included.
CKMLIR_CAPI_EXPORTED int64_t ckMlirChipGetVgprs(CkMlirChip chip);
CKMLIR_CAPI_EXPORTED int64_t ckMlirChipGetComputeUnits(CkMlirChip chip);
CKMLIR_CAPI_EXPORTED bool ckMlirChipHasMfma(CkMlirChip chip);
CKMLIR_CAPI_EXPORTED bool ckMlirChipHasWmma(CkMlirChip chip);
CKMLIR_CAPI_EXPORTED CkMlirFp8Kind ckMlirChipGetFp8Kind(CkMlirChip chip);

/// The whole table as JSON: an array of what `ck-gen --list-chips --format=json` prints, but for
/// `emulated`, with the matrix instructions of each chip.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCreateChipTable(CkMlirText *json);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_CHIP_H
