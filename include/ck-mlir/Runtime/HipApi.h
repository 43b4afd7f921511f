//===- HipApi.h - HIP as a table of loaded functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same code runs on AMD's libamdhip64.so and on the emulator: both are libraries that export
// the HIP functions of this table, loaded at run time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_HIPAPI_H
#define CK_MLIR_RUNTIME_HIPAPI_H

#include "ck-mlir/Runtime/HipAbi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::ck {

/// The functions of one HIP library. The library stays loaded until the process ends, as HIP's own
/// exit handlers demand.
class HipApi {
public:
  /// Loads AMD's library: the path in CK_HIP_LIBRARY, else libamdhip64.so or a versioned name.
  static llvm::Expected<std::shared_ptr<const HipApi>> loadHip();
  /// The path in CK_HIP_LIBRARY; empty if there is none.
  static std::string getHipLibrary();

  /// Loads the emulator: the path in CK_EMULATOR_LIBRARY, else libck_hip_emulator.so in ../lib
  /// beside the executable, else beside the shared library that this is part of, else where the
  /// loader looks. It is `chip` from then on, if it is not one already.
  static llvm::Expected<std::shared_ptr<const HipApi>> loadEmulator(llvm::StringRef chip);

  /// Loads the library at `path`. Errors: the library cannot be loaded, or lacks a required symbol.
  static llvm::Expected<std::shared_ptr<const HipApi>> load(const std::string &path);

  /// Success, or "<call> failed: <HIP error name> (<code>)" and what the emulator says about it.
  llvm::Error check(hip::ErrorCode code, llvm::StringRef call) const;

  /// "hipErrorNoDevice (100)".
  std::string describe(hip::ErrorCode code) const;

  /// What the emulator counted in the last launch: a JSON object with at least `instructions`
  /// (counts by class), `lds_bank_conflicts` and `seconds`. An error on any other library.
  llvm::Expected<llvm::json::Value> getLaunchStatistics() const;

  /// What the emulator's model of time says of the last launch: the object that
  /// ckEmulatorGetLaunchTiming in EmulatorApi.h describes. An error on any other library.
  llvm::Expected<llvm::json::Value> getLaunchTiming() const;

  /// Gives a variable of the emulator a value, see ckEmulatorSetVariable in EmulatorApi.h. An error
  /// on any other library than the emulator.
  llvm::Error setVariable(const char *name, llvm::StringRef value) const;

  /// Whether launches count by wave and instruction; the statistics then have a `profile`, see
  /// EmulatorApi.h. An error on any other library than the emulator.
  llvm::Error setProfiling(bool enabled) const;

  /// The names of the chips that the emulator executes; none on any other library.
  std::vector<std::string> getEmulatedChips() const;

  bool isEmulator() const { return emulator; }
  llvm::StringRef getPath() const { return path; }

  // Required functions, by their HIP names without the prefix.
  // NOLINTBEGIN(readability-identifier-naming)
  hip::ErrorCode (*Init)(unsigned) = nullptr;
  hip::ErrorCode (*GetDeviceCount)(int *) = nullptr;
  hip::ErrorCode (*SetDevice)(int) = nullptr;
  hip::ErrorCode (*DeviceGetAttribute)(int *, int, int) = nullptr;
  hip::ErrorCode (*Malloc)(void **, size_t) = nullptr;
  hip::ErrorCode (*Free)(void *) = nullptr;
  hip::ErrorCode (*Memcpy)(void *, const void *, size_t, int) = nullptr;
  hip::ErrorCode (*MallocManaged)(void **, size_t, unsigned) = nullptr;
  hip::ErrorCode (*Memset)(void *, int, size_t) = nullptr;
  hip::ErrorCode (*MemcpyAsync)(void *, const void *, size_t, int, hip::StreamHandle) = nullptr;
  hip::ErrorCode (*MemsetD16Async)(void *, unsigned short, size_t, hip::StreamHandle) = nullptr;
  hip::ErrorCode (*MemsetD32Async)(void *, int, size_t, hip::StreamHandle) = nullptr;
  hip::ErrorCode (*HostRegister)(void *, size_t, unsigned) = nullptr;
  hip::ErrorCode (*HostUnregister)(void *) = nullptr;
  hip::ErrorCode (*HostGetDevicePointer)(void **, void *, unsigned) = nullptr;
  hip::ErrorCode (*ModuleLoadData)(hip::ModuleHandle *, const void *) = nullptr;
  hip::ErrorCode (*ModuleUnload)(hip::ModuleHandle) = nullptr;
  hip::ErrorCode (*ModuleGetFunction)(hip::FunctionHandle *, hip::ModuleHandle,
                                      const char *) = nullptr;
  hip::ErrorCode (*ModuleLaunchKernel)(hip::FunctionHandle, unsigned, unsigned, unsigned, unsigned,
                                       unsigned, unsigned, unsigned, hip::StreamHandle, void **,
                                       void **) = nullptr;
  hip::ErrorCode (*StreamCreate)(hip::StreamHandle *) = nullptr;
  hip::ErrorCode (*StreamDestroy)(hip::StreamHandle) = nullptr;
  hip::ErrorCode (*StreamSynchronize)(hip::StreamHandle) = nullptr;
  hip::ErrorCode (*StreamWaitEvent)(hip::StreamHandle, hip::EventHandle, unsigned) = nullptr;
  hip::ErrorCode (*EventCreate)(hip::EventHandle *) = nullptr;
  hip::ErrorCode (*EventCreateWithFlags)(hip::EventHandle *, unsigned) = nullptr;
  hip::ErrorCode (*EventDestroy)(hip::EventHandle) = nullptr;
  hip::ErrorCode (*EventRecord)(hip::EventHandle, hip::StreamHandle) = nullptr;
  hip::ErrorCode (*EventSynchronize)(hip::EventHandle) = nullptr;
  hip::ErrorCode (*EventElapsedTime)(float *, hip::EventHandle, hip::EventHandle) = nullptr;

  // Optional functions; null when the library lacks them.
  const char *(*GetErrorName)(hip::ErrorCode) = nullptr;
  hip::ErrorCode (*StreamGetDevice)(hip::StreamHandle, int *) = nullptr;
  hip::ErrorCode (*GetDeviceProperties)(void *, int) = nullptr;      // HIP 5 layout
  hip::ErrorCode (*GetDevicePropertiesR0600)(void *, int) = nullptr; // HIP 6 layout

  // Functions of the emulator alone; null on any other library.
  const char *(*EmulatorGetLastMessage)() = nullptr;
  const char *(*EmulatorGetChips)() = nullptr;
  const char *(*EmulatorGetLaunchStatistics)() = nullptr;
  const char *(*EmulatorGetLaunchTiming)() = nullptr;
  void (*EmulatorSetProfiling)(int) = nullptr;
  int (*EmulatorSetVariable)(const char *, const char *) = nullptr;
  // NOLINTEND(readability-identifier-naming)

private:
  HipApi() = default;
  static llvm::Expected<std::shared_ptr<const HipApi>> load(const std::string &path, bool emulator);
  llvm::Error resolve(void *library);

  std::string path;
  bool emulator = false;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_HIPAPI_H
