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
/// What the emulator's model of time says of the last launch of the process, one kernel, as a JSON
/// object (ckEmulatorGetLaunchTiming in ck-mlir/Emulator/EmulatorApi.h, docs/emulator/time.md):
/// `modelled_us` and `launch_us`, what bounds the kernel, and more. No time of it was measured.
/// InvalidArgument on a GPU, which has no modelled time, and where the launch was not timed: the
/// variable CK_EMULATOR_TIMING asks for it.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirDeviceCreateLaunchTiming(CkMlirDevice device,
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
/// Sets the first `bytes` of the buffer to zero, and waits as the copies do. InvalidArgument: the
/// buffer has fewer.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirBufferZero(CkMlirBuffer buffer, size_t bytes);

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

/// As ckMlirExecutableLaunch, but without a launch that zeroes the first
/// ckMlirProgramGetWorkspaceZeroBytes of the workspace: they are zero because they were zeroed
/// once, and nothing has written to them since then but launches of this executable, which leave
/// them so. Results are wrong if that is not true, or if one of these launches has ended with a
/// fault.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirExecutableLaunchZeroed(CkMlirExecutable executable,
                                                               void *hipStream,
                                                               void *const *tensors,
                                                               size_t numTensors, void *workspace,
                                                               size_t workspaceBytes);

/// A time of the emulator's model of a chip (docs/emulator/time.md), which is never a measured one.
typedef struct CkMlirModelledTime {
  double microseconds; ///< from the start of the first kernel to the end of the last
  double lowest;       ///< nine of ten times that were measured on hardware lie between these, in
  double highest;      ///< microseconds, where the model says what it says here
} CkMlirModelledTime;

/// Launches as ckMlirExecutableLaunch does on the default stream, waits for the end, and says how
/// long the kernels would take on the chip. `json`, which may be null, is given the fields
/// `modelled_...` of `ck-run --time --format=json` (docs/Tools.md): what bounds each kernel, how
/// busy units are, why waves wait. Other threads must not launch meanwhile. The launch is timed
/// whatever CK_EMULATOR_TIMING says; with "full" in the environment every workgroup is, and with
/// "only" the result is incomplete. InvalidArgument on a GPU, where modelled time does not exist.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirExecutableModelTime(CkMlirExecutable executable,
                                                            void *const *tensors, size_t numTensors,
                                                            void *workspace, size_t workspaceBytes,
                                                            CkMlirModelledTime *time,
                                                            CkMlirText *json);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_RUNTIME_H
