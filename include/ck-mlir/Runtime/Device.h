//===- Device.h - A GPU or its emulation -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opening a device answers every question about why there is none.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUNTIME_DEVICE_H
#define CK_MLIR_RUNTIME_DEVICE_H

#include "ck-mlir/Runtime/HipApi.h"
#include <optional>

namespace mlir::ck {

/// An open device. Cheap to copy; objects made from it keep its library alive.
class Device {
public:
  /// Opens device `ordinal` of a loaded library. Errors: HIP does not start, or
  /// "no AMD GPU found: hipGetDeviceCount returned ...".
  static llvm::Expected<Device> open(std::shared_ptr<const HipApi> api, int ordinal = 0);
  /// Opens the first AMD GPU of the machine.
  static llvm::Expected<Device> openHip();
  /// The first AMD GPU, or nothing if there is none, with the reason in `whyNone`. Error: the
  /// library that CK_HIP_LIBRARY names cannot be used.
  static llvm::Expected<std::optional<Device>> findHip(std::string &whyNone);
  /// Opens an emulated `chip`. Error: the emulator is another chip already.
  static llvm::Expected<Device> openEmulator(llvm::StringRef chip);

  const HipApi &getApi() const { return *api; }
  std::shared_ptr<const HipApi> getSharedApi() const { return api; }
  bool isEmulated() const { return api->isEmulator(); }
  /// The processor without feature suffixes: "gfx942".
  llvm::StringRef getArchitecture() const { return architecture; }
  /// The name that HIP reports.
  llvm::StringRef getName() const { return name; }
  int getNumCus() const { return numCus; }
  /// The number of the device among those of its library.
  int getOrdinal() const { return ordinal; }

private:
  explicit Device(std::shared_ptr<const HipApi> api) : api(std::move(api)) {}

  std::shared_ptr<const HipApi> api;
  std::string architecture, name;
  int numCus = 0;
  int ordinal = 0;
};

} // namespace mlir::ck

#endif // CK_MLIR_RUNTIME_DEVICE_H
