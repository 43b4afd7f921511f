//===- Runtime.h - Programs on a device -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches programs on an AMD GPU through HIP, or on the emulator, which executes the same code
// objects on the CPU. A caller that has HIP memory and streams of its own needs a device and an
// executable only: device pointers and streams are HIP's. See ck-mlir-c/Support.h for errors,
// ownership and threads, docs/Environment.md for the variables that choose libraries.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_RUNTIME_H
#define CK_MLIR_C_RUNTIME_H

#include "ck-mlir-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

typedef enum CkMlirDeviceKind {
  CkMlirDeviceKindAuto = 0,     ///< a GPU if there is one (of the given chip), else the emulator
  CkMlirDeviceKindHip = 1,      ///< the first AMD GPU of the machine
  CkMlirDeviceKindEmulator = 2, ///< the emulator
} CkMlirDeviceKind;

/// An open device.
typedef struct CkMlirDevice {
  void *ptr;
} CkMlirDevice;

/// Opens a device of `chip`; null or empty: that of the GPU, or the one that the emulator is by
/// CK_EMULATOR_CHIP, else gfx942. The emulator is one chip in a process; to ask for another later
/// is a DeviceError. Its kernels run with the checks of ck-run, unless CK_EMULATOR_CHECKS says
/// otherwise.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirDeviceOpen(CkMlirDeviceKind kind, const char *chip,
                                                   CkMlirDevice *device);
CKMLIR_CAPI_EXPORTED void ckMlirDeviceDestroy(CkMlirDevice device);

/// The chip, as the compiler names it: "gfx942". This and the next ones: empty, false or 0 for a
/// null handle.
CKMLIR_CAPI_EXPORTED const char *ckMlirDeviceGetChip(CkMlirDevice device);
/// The name that HIP reports.
CKMLIR_CAPI_EXPORTED const char *ckMlirDeviceGetName(CkMlirDevice device);
CKMLIR_CAPI_EXPORTED bool ckMlirDeviceIsEmulated(CkMlirDevice device);
CKMLIR_CAPI_EXPORTED int64_t ckMlirDeviceGetComputeUnits(CkMlirDevice device);

/// Gives a variable of the emulator a value for this process, such as CK_EMULATOR_CHECKS.
/// InvalidArgument on a GPU, or for a variable that there is not.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirDeviceSetVariable(CkMlirDevice device, const char *name,
                                                          const char *value);
/// What the emulator counted in the last launch of the process, as a JSON object
/// (ck-mlir/Emulator/EmulatorApi.h). InvalidArgument on a GPU.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirDeviceCreateLaunchStatistics(CkMlirDevice device,
                                                                     CkMlirText *json);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Device memory, freed by Destroy.
typedef struct CkMlirBuffer {
  void *ptr;
} CkMlirBuffer;

/// Allocates `bytes`; none for 0, the pointer is null then.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirBufferCreate(CkMlirDevice device, size_t bytes,
                                                     CkMlirBuffer *buffer);
CKMLIR_CAPI_EXPORTED void ckMlirBufferDestroy(CkMlirBuffer buffer);
/// The device pointer, for launches and for HIP's own functions. Null for a null handle.
CKMLIR_CAPI_EXPORTED void *ckMlirBufferGetPointer(CkMlirBuffer buffer);
CKMLIR_CAPI_EXPORTED size_t ckMlirBufferGetSize(CkMlirBuffer buffer);
/// Copies all of the buffer from or to the `bytes` at `data`, which must be as many. Waits until
/// the copy is done, but not for launches on streams that do not wait for the default stream.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirBufferCopyFromHost(CkMlirBuffer buffer, const void *data,
                                                           size_t bytes);
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirBufferCopyToHost(CkMlirBuffer buffer, void *data,
                                                         size_t bytes);

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// A queue of launches.
typedef struct CkMlirStream {
  void *ptr;
} CkMlirStream;

CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirStreamCreate(CkMlirDevice device, CkMlirStream *stream);
CKMLIR_CAPI_EXPORTED void ckMlirStreamDestroy(CkMlirStream stream);
/// The hipStream_t, as ckMlirExecutableLaunch takes it. Null for a null handle.
CKMLIR_CAPI_EXPORTED void *ckMlirStreamGetHandle(CkMlirStream stream);
/// Waits for all launches of the stream and reports the first fault of theirs.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirStreamSynchronize(CkMlirStream stream);

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

/// A program on a device.
typedef struct CkMlirExecutable {
  void *ptr;
} CkMlirExecutable;

/// Loads the code object of `program`. InvalidArgument: it was compiled for another chip.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirExecutableLoad(CkMlirDevice device, CkMlirProgram program,
                                                       CkMlirExecutable *executable);
/// Unloads the code object; launches must have ended.
CKMLIR_CAPI_EXPORTED void ckMlirExecutableDestroy(CkMlirExecutable executable);

/// Puts the kernels of the program on `hipStream`, a hipStream_t, null for the default stream, and
/// before them the zeros that they need. `tensors` are the device pointers of the program's
/// tensors, in the order of ckMlirProgramGetTensor; `workspace` is device memory of at least
/// ckMlirProgramGetWorkspaceBytes, aligned as it says, which no other launch uses until this one
/// has ended. Returns before the kernels have run; faults of theirs come with the synchronization.
/// InvalidArgument: a null pointer, another number of tensors, a workspace that is too small or not
/// aligned, a stream of another device; nothing has been launched then.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirExecutableLaunch(CkMlirExecutable executable,
                                                         void *hipStream, void *const *tensors,
                                                         size_t numTensors, void *workspace,
                                                         size_t workspaceBytes);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_RUNTIME_H
