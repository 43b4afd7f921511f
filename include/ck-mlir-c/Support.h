//===- Support.h - What all of the C API shares -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conventions of the C API, which the other headers do not repeat:
//
// - Errors. A function that can fail returns a CkMlirStatus; it writes its results, the last
//   parameters, only if that is CkMlirStatusSuccess. ckMlirGetLastMessage says why the last
//   function of this thread that failed did so. No C++ exception leaves the API, and no input makes
//   it end the process: null pointers, null handles and malformed texts are errors like any other.
// - Ownership. What a function named ...Create..., ...Compile..., ...Open or ...Load returns is the
//   caller's, to be given to the ...Destroy function of its type once; Destroy takes a null handle,
//   too. A handle keeps what it was made from alive: a program may go before what was loaded from
//   it, a device before its buffers. Other pointers that a function returns belong to the handle
//   that they were asked of and live as long as it does.
// - Threads. Every function may be called from every thread at the same time, with the same handles
//   where it does not destroy them or change options. For functions on an MlirContext the rules of
//   MLIR hold, see ck-mlir-c/IR.h.
// - Texts are UTF-8, end in a zero byte and are never null where they come from the API. Sizes are
//   in bytes, and are counts of elements where the name says so.
//
// The functions are in libCKMLIR.so. All headers but ck-mlir-c/IR.h need nothing but C11.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_SUPPORT_H
#define CK_MLIR_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks what the library exports.
#if defined(_WIN32)
#error "ck-mlir is not built for Windows"
#endif
#define CKMLIR_CAPI_EXPORTED __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a call succeeded, and whose fault it was if not.
typedef enum CkMlirStatus {
  CkMlirStatusSuccess = 0,
  /// A null pointer or handle, a size that does not fit, a text that cannot be parsed, a name that
  /// is not known, IR that is not one problem.
  CkMlirStatusInvalidArgument = 1,
  /// The arguments make sense, but there is no program for them: the compiler refused, with the
  /// reason.
  CkMlirStatusUnsupported = 2,
  /// There is no such device, or a call of HIP failed, faults of kernels included.
  CkMlirStatusDeviceError = 3,
  /// Memory ran out, or a bug: an exception reached the API.
  CkMlirStatusInternal = 4
} CkMlirStatus;

/// "success", "invalid argument", "unsupported", "device error" or "internal error"; "unknown
/// status" for any other number.
CKMLIR_CAPI_EXPORTED const char *ckMlirStatusGetName(CkMlirStatus status);

/// Why the last function of this thread that failed did so, on one line: what was wrong, the value
/// and what was expected. Empty when none has failed. The text lives until the thread's next
/// failure.
CKMLIR_CAPI_EXPORTED const char *ckMlirGetLastMessage(void);

/// The version of the library, "0.1.0".
CKMLIR_CAPI_EXPORTED const char *ckMlirGetVersion(void);

/// A text of any length that the caller owns.
typedef struct CkMlirText {
  void *ptr;
} CkMlirText;

/// The characters, with a zero byte behind them; "" of a null handle.
CKMLIR_CAPI_EXPORTED const char *ckMlirTextGetData(CkMlirText text);
/// Bytes without the zero byte.
CKMLIR_CAPI_EXPORTED size_t ckMlirTextGetSize(CkMlirText text);
CKMLIR_CAPI_EXPORTED void ckMlirTextDestroy(CkMlirText text);

/// Bytes that belong to someone else.
typedef struct CkMlirBytes {
  const void *data;
  size_t size;
} CkMlirBytes;

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_SUPPORT_H
