//===- Runtime.h - The HSA runtime before HIP -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs ask libhsa-runtime64.so which devices there are before they use HIP. Questions are
// answered for the chip of CK_EMULATOR_CHIP; queues, signals, memory and code belong to HIP and are
// refused. The library is one of its own: the name under which the HIP library is loaded tells
// which HIP the program has.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HSA_RUNTIME_H
#define CK_MLIR_LIB_EMULATOR_HSA_RUNTIME_H

#include "Emulator/Machine/Options.h"
#include <cstring>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define CK_HSA_EXPORT extern "C" __attribute__((visibility("default")))

namespace ckemu::hsa {

/// Work-items of a workgroup at most.
inline constexpr unsigned kMaxGroupItems = 1024;

/// The handles of what there is one of.
inline constexpr uint64_t kHostAgent = 1, kDeviceAgent = 2, kIsaHandle = 3, kWavefrontHandle = 4,
                          kHostPool = 5, kDevicePool = 6;

/// Whether hsa_init was called more often than hsa_shut_down.
bool isInitialized();

/// The chip and its size, or why the environment was not understood. The first call reads it.
llvm::Expected<const Options *> getOptions();

/// Prints why `name` failed, and returns `status`.
hsa_status_t fail(const char *name, hsa_status_t status, const std::string &why) noexcept;

/// Runs `body(const Options &) -> hsa_status_t` while the runtime is initialized.
template <class Body>
hsa_status_t call(const char *name, Body body) noexcept {
  try {
    if (!isInitialized())
      return HSA_STATUS_ERROR_NOT_INITIALIZED;
    llvm::Expected<const Options *> options = getOptions();
    if (!options)
      return fail(name, HSA_STATUS_ERROR, llvm::toString(options.takeError()));
    return body(**options);
  } catch (...) {
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
}

/// Writes an answer of type T to `value`.
template <class T>
hsa_status_t answer(void *value, T what) {
  std::memcpy(value, &what, sizeof(T));
  return HSA_STATUS_SUCCESS;
}

} // namespace ckemu::hsa

#endif // CK_MLIR_LIB_EMULATOR_HSA_RUNTIME_H
