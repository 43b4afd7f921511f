//===- Device.cpp - HIP: devices -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One device, number 0.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Properties.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

CK_HIP_EXPORT hipError_t hipInit(unsigned int flags) {
  return call("hipInit", [&](State &) {
    return flags == 0 ? Result() : invalidValue("flags must be 0, got " + std::to_string(flags));
  });
}

CK_HIP_EXPORT hipError_t hipGetDeviceCount(int *count) {
  return call("hipGetDeviceCount", [&](State &) {
    if (!count)
      return invalidValue("count is null");
    *count = 1;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
  return call("hipDeviceGet", [&](State &) {
    if (!device)
      return invalidValue("device is null");
    *device = 0;
    return checkDevice(ordinal);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device) {
  return call("hipDeviceGetName", [&](State &state) {
    if (!name || len <= 0)
      return invalidValue("name must have room");
    copyText(name, size_t(len), state.getOptions().chip->product->deviceName.str());
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  return call("hipDeviceTotalMem", [&](State &state) {
    if (!bytes)
      return invalidValue("bytes is null");
    *bytes = state.getOptions().chip->product->memoryBytes;
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  return call("hipDeviceComputeCapability", [&](State &state) {
    if (!major || !minor)
      return invalidValue("major or minor is null");
    std::tie(*major, *minor) = getChipVersion(*state.getOptions().chip);
    return checkDevice(device);
  });
}

template <class Properties>
static Result getProperties(State &state, Properties *prop, int deviceId) {
  if (!prop)
    return invalidValue("prop is null");
  Result result = checkDevice(deviceId);
  if (result.code == hipSuccess)
    fillProperties(state.getOptions(), *prop);
  return result;
}

CK_HIP_EXPORT hipError_t hipGetDeviceProperties(hipDeviceProp_t *prop, int deviceId) {
  return call("hipGetDeviceProperties",
              [&](State &state) { return getProperties(state, prop, deviceId); });
}

/// The name that says which layout it fills.
CK_HIP_EXPORT hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_t *prop, int deviceId) {
  return hipGetDeviceProperties(prop, deviceId);
}

CK_HIP_EXPORT hipError_t hipGetDevicePropertiesR0600(DevicePropR0600 *prop, int deviceId) {
  return call("hipGetDevicePropertiesR0600", [&](State &state) {
    noteNewerProgram();
    return getProperties(state, prop, deviceId);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId) {
  return call("hipDeviceGetAttribute", [&](State &state) {
    if (!pi)
      return invalidValue("pi is null");
    Result result = checkDevice(deviceId);
    if (result.code == hipSuccess && !findAttribute(state.getOptions(), attr, *pi))
      return invalidValue("device attribute " + std::to_string(int(attr)) + " is not known");
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipSetDevice(int deviceId) {
  return call("hipSetDevice", [&](State &) { return checkDevice(deviceId); });
}

CK_HIP_EXPORT hipError_t hipGetDevice(int *deviceId) {
  return call("hipGetDevice", [&](State &) {
    if (!deviceId)
      return invalidValue("deviceId is null");
    *deviceId = 0;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDeviceSynchronize() {
  return call("hipDeviceSynchronize", [](State &state) {
    state.active.wait();
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGetDeviceFlags(unsigned int *flags) {
  return call("hipGetDeviceFlags", [&](State &) {
    if (!flags)
      return invalidValue("flags is null");
    *flags = hipDeviceScheduleAuto;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipSetDeviceFlags(unsigned) {
  return call("hipSetDeviceFlags", [](State &) { return Result(); });
}

CK_HIP_EXPORT hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peer) {
  return call("hipDeviceCanAccessPeer", [&](State &) {
    if (!canAccessPeer)
      return invalidValue("canAccessPeer is null");
    *canAccessPeer = 0;
    Result result = checkDevice(deviceId);
    return result.code == hipSuccess ? checkDevice(peer) : result;
  });
}

/// The address of the device on a bus that it is not on.
static constexpr char kPciBusId[] = "0000:00:00.0";

CK_HIP_EXPORT hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  return call("hipDeviceGetPCIBusId", [&](State &) {
    if (!pciBusId || len < int(sizeof(kPciBusId)))
      return invalidValue("pciBusId must have room for " + std::to_string(sizeof(kPciBusId)) +
                          " characters");
    copyText(pciBusId, size_t(len), kPciBusId);
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return call("hipDeviceGetByPCIBusId", [&](State &) {
    if (!device || !pciBusId)
      return invalidValue(device ? "pciBusId is null" : "device is null");
    *device = 0;
    return llvm::StringRef(pciBusId) == kPciBusId
               ? Result()
               : Result(hipErrorInvalidDevice,
                        "expected " + std::string(kPciBusId) + ", got " + pciBusId);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  return call("hipDeviceGetUuid", [&](State &state) {
    if (!uuid)
      return invalidValue("uuid is null");
    fillUuid(*state.getOptions().chip, *uuid);
    return checkDevice(device);
  });
}

/// There is only one to choose.
static Result chooseDevice(int *device, const void *prop) {
  if (!device || !prop)
    return invalidValue(device ? "prop is null" : "device is null");
  *device = 0;
  return Result();
}

CK_HIP_EXPORT hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *prop) {
  return call("hipChooseDevice", [&](State &) { return chooseDevice(device, prop); });
}

CK_HIP_EXPORT hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_t *prop) {
  return hipChooseDevice(device, prop);
}

CK_HIP_EXPORT hipError_t hipChooseDeviceR0600(int *device, const DevicePropR0600 *prop) {
  return call("hipChooseDeviceR0600", [&](State &) {
    noteNewerProgram();
    return chooseDevice(device, prop);
  });
}

CK_HIP_EXPORT hipError_t hipSetValidDevices(int *devices, int count) {
  return call("hipSetValidDevices", [&](State &) {
    if (count < 0 || (count > 0 && !devices))
      return invalidValue("expected a list of devices");
    for (int i = 0; i < count; ++i)
      if (Result result = checkDevice(devices[i]); result.code != hipSuccess)
        return result;
    return Result();
  });
}
