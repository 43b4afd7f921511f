//===- Error.cpp - HIP: errors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and texts of the error codes, and the last error of a thread.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "ck-mlir/Emulator/EmulatorApi.h"

using namespace mlir::ck::emulator::hip;

namespace {
struct ErrorText {
  hipError_t code;
  const char *name;
  const char *text;
};
} // namespace

static constexpr ErrorText kErrors[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {hipErrorInvalidPitchValue, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {hipErrorInvalidDevicePointer, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {hipErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {hipErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hipErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hipErrorFileNotFound, "hipErrorFileNotFound", "file not found"},
    {hipErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hipErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorIllegalAddress, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {hipErrorLaunchOutOfResources, "hipErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {hipErrorLaunchTimeOut, "hipErrorLaunchTimeOut", "the launch timed out and was terminated"},
    {hipErrorHostMemoryNotRegistered, "hipErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hipErrorUnknown, "hipErrorUnknown", "unknown error"},
};

static const ErrorText &findError(hipError_t code) {
  for (const ErrorText &error : kErrors)
    if (error.code == code)
      return error;
  return kErrors[std::size(kErrors) - 1];
}

CK_HIP_EXPORT const char *hipGetErrorName(hipError_t code) { return findError(code).name; }

CK_HIP_EXPORT const char *hipGetErrorString(hipError_t code) { return findError(code).text; }

CK_HIP_EXPORT hipError_t hipGetLastError() { return getLastError(/*clear=*/true); }

CK_HIP_EXPORT hipError_t hipPeekAtLastError() { return getLastError(/*clear=*/false); }

const char *ckEmulatorGetLastMessage() {
  static thread_local std::string text;
  text = getLastMessage();
  return text.c_str();
}

const char *ckEmulatorGetLaunchStatistics() {
  static thread_local std::string text;
  State &state = State::get();
  std::lock_guard<std::mutex> lock(state.mutex);
  text = state.launchStatistics;
  return text.c_str();
}

void ckEmulatorSetProfiling(int enabled) { State::get().profiling = enabled != 0; }
