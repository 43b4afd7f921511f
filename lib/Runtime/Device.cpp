//===- Device.cpp - A GPU or its emulation -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opening a device.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Device.h"
#include <vector>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// The string of at most 255 characters at `offset`.
static StringRef readString(const std::vector<char> &buffer, size_t offset) {
  return StringRef(buffer.data() + offset, 255).take_until([](char c) { return c == '\0'; });
}

/// Reads name and architecture ("gfx942:sramecc+:xnack-") of a device.
static Error readProperties(const HipApi &api, int ordinal, std::string &name,
                            std::string &architecture) {
  std::vector<char> buffer(hip::propertiesBufferSize);
  size_t offset = hip::archNameOffset6;
  if (api.GetDevicePropertiesR0600) {
    if (Error error = api.check(api.GetDevicePropertiesR0600(buffer.data(), ordinal),
                                "hipGetDevicePropertiesR0600"))
      return error;
  } else if (api.GetDeviceProperties) {
    offset = hip::archNameOffset5;
    if (Error error =
            api.check(api.GetDeviceProperties(buffer.data(), ordinal), "hipGetDeviceProperties"))
      return error;
  } else {
    return createStringError("'" + api.getPath() + "' cannot tell the properties of its devices");
  }
  name = readString(buffer, 0).str();
  architecture = readString(buffer, offset).split(':').first.str();
  if (!StringRef(architecture).starts_with("gfx"))
    return createStringError("expected the name of an AMD GPU from hipGetDeviceProperties, got '" +
                             architecture + "'");
  return Error::success();
}

Expected<Device> Device::open(std::shared_ptr<const HipApi> api, int ordinal) {
  Device device(std::move(api));
  device.ordinal = ordinal;
  const HipApi &hip = *device.api;
  int count = 0;
  hip::ErrorCode initCode = hip.Init(0);
  if (hip.isEmulator())
    if (Error error = hip.check(initCode, "hipInit"))
      return error;
  // Without a GPU hipInit fails with a code that says less than the one of hipGetDeviceCount.
  hip::ErrorCode code = hip.GetDeviceCount(&count);
  if (code != hip::success)
    return createStringError("no AMD GPU found: hipGetDeviceCount returned " + hip.describe(code));
  if (Error error = hip.check(initCode, "hipInit"))
    return error;
  if (count <= ordinal)
    return createStringError("no AMD GPU found: hipGetDeviceCount returned " + Twine(count) +
                             " devices");
  if (Error error = hip.check(hip.SetDevice(ordinal), "hipSetDevice"))
    return error;
  if (Error error = readProperties(hip, ordinal, device.name, device.architecture))
    return error;
  if (Error error = hip.check(
          hip.DeviceGetAttribute(&device.numCus, hip::attributeMultiprocessorCount, ordinal),
          "hipDeviceGetAttribute"))
    return error;
  return device;
}

Expected<Device> Device::openHip() {
  Expected<std::shared_ptr<const HipApi>> api = HipApi::loadHip();
  if (!api)
    return api.takeError();
  return open(std::move(*api));
}

Expected<std::optional<Device>> Device::findHip(std::string &whyNone) {
  Expected<std::shared_ptr<const HipApi>> api = HipApi::loadHip();
  if (!api && !HipApi::getHipLibrary().empty())
    return api.takeError();
  Expected<Device> device = api ? open(std::move(*api)) : Expected<Device>(api.takeError());
  if (device)
    return std::optional<Device>(std::move(*device));
  whyNone = llvm::toString(device.takeError());
  return std::nullopt;
}

Expected<Device> Device::openEmulator(StringRef chip) {
  Expected<std::shared_ptr<const HipApi>> api = HipApi::loadEmulator(chip);
  if (!api)
    return api.takeError();
  Expected<Device> device = open(std::move(*api));
  if (device && device->getArchitecture() != chip)
    return createStringError("the emulator already runs as " + device->getArchitecture() +
                             ", cannot switch to " + chip);
  return device;
}
