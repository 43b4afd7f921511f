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

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Hip/State.h"
#include "Emulator/Isa/VectorLevel.h"
#include "ck-mlir/Emulator/EmulatorApi.h"

using namespace ckemu::hip;

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
    {hipErrorDeinitialized, "hipErrorDeinitialized", "driver shutting down"},
    {hipErrorProfilerDisabled, "hipErrorProfilerDisabled",
     "profiler disabled while using external profiling tool"},
    {hipErrorProfilerNotInitialized, "hipErrorProfilerNotInitialized",
     "profiler is not initialized"},
    {hipErrorProfilerAlreadyStarted, "hipErrorProfilerAlreadyStarted", "profiler already started"},
    {hipErrorProfilerAlreadyStopped, "hipErrorProfilerAlreadyStopped", "profiler already stopped"},
    {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {hipErrorInvalidPitchValue, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {hipErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hipErrorInvalidDevicePointer, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {hipErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {hipErrorInsufficientDriver, "hipErrorInsufficientDriver",
     "driver version is insufficient for runtime version"},
    {hipErrorMissingConfiguration, "hipErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {hipErrorPriorLaunchFailure, "hipErrorPriorLaunchFailure",
     "unspecified launch failure in prior launch"},
    {hipErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hipErrorInvalidContext, "hipErrorInvalidContext", "invalid device context"},
    {hipErrorContextAlreadyCurrent, "hipErrorContextAlreadyCurrent",
     "context is already current context"},
    {hipErrorMapFailed, "hipErrorMapFailed", "mapping of buffer object failed"},
    {hipErrorUnmapFailed, "hipErrorUnmapFailed", "unmapping of buffer object failed"},
    {hipErrorArrayIsMapped, "hipErrorArrayIsMapped", "array is mapped"},
    {hipErrorAlreadyMapped, "hipErrorAlreadyMapped", "resource already mapped"},
    {hipErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hipErrorAlreadyAcquired, "hipErrorAlreadyAcquired", "resource already acquired"},
    {hipErrorNotMapped, "hipErrorNotMapped", "resource not mapped"},
    {hipErrorNotMappedAsArray, "hipErrorNotMappedAsArray", "resource not mapped as array"},
    {hipErrorNotMappedAsPointer, "hipErrorNotMappedAsPointer", "resource not mapped as pointer"},
    {hipErrorECCNotCorrectable, "hipErrorECCNotCorrectable", "uncorrectable ECC error encountered"},
    {hipErrorUnsupportedLimit, "hipErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {hipErrorContextAlreadyInUse, "hipErrorContextAlreadyInUse",
     "exclusive-thread device already in use by a different thread"},
    {hipErrorPeerAccessUnsupported, "hipErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {hipErrorInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {hipErrorInvalidGraphicsContext, "hipErrorInvalidGraphicsContext",
     "invalid OpenGL or DirectX context"},
    {hipErrorInvalidSource, "hipErrorInvalidSource", "device kernel image is invalid"},
    {hipErrorFileNotFound, "hipErrorFileNotFound", "file not found"},
    {hipErrorSharedObjectSymbolNotFound, "hipErrorSharedObjectSymbolNotFound",
     "shared object symbol not found"},
    {hipErrorSharedObjectInitFailed, "hipErrorSharedObjectInitFailed",
     "shared object initialization failed"},
    {hipErrorOperatingSystem, "hipErrorOperatingSystem",
     "OS call failed or operation not supported on this OS"},
    {hipErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hipErrorIllegalState, "hipErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {hipErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorIllegalAddress, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {hipErrorLaunchOutOfResources, "hipErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {hipErrorLaunchTimeOut, "hipErrorLaunchTimeOut", "the launch timed out and was terminated"},
    {hipErrorPeerAccessAlreadyEnabled, "hipErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {hipErrorPeerAccessNotEnabled, "hipErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {hipErrorSetOnActiveProcess, "hipErrorSetOnActiveProcess",
     "cannot set while device is active in this process"},
    {hipErrorContextIsDestroyed, "hipErrorContextIsDestroyed", "context is destroyed"},
    {hipErrorAssert, "hipErrorAssert", "device-side assert triggered"},
    {hipErrorHostMemoryAlreadyRegistered, "hipErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {hipErrorHostMemoryNotRegistered, "hipErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorCooperativeLaunchTooLarge, "hipErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hipErrorStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {hipErrorStreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {hipErrorStreamCaptureMerge, "hipErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {hipErrorStreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {hipErrorStreamCaptureUnjoined, "hipErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {hipErrorStreamCaptureIsolation, "hipErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {hipErrorStreamCaptureImplicit, "hipErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {hipErrorCapturedEvent, "hipErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {hipErrorStreamCaptureWrongThread, "hipErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {hipErrorGraphExecUpdateFailure, "hipErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {hipErrorRuntimeMemory, "hipErrorRuntimeMemory", "runtime memory call returned error"},
    {hipErrorRuntimeOther, "hipErrorRuntimeOther", "runtime call other than memory returned error"},
    // Of HIP 6 and 7.
    {hipError_t(911), "hipErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {hipError_t(912), "hipErrorInvalidTexture", "invalid texture"},
    {hipError_t(914), "hipErrorInvalidResourceType", "invalid resource type"},
    {hipError_t(915), "hipErrorInvalidResourceConfiguration", "invalid resource configuration"},
    {hipError_t(916), "hipErrorStreamDetached", "the stream is detached"},
    {hipError_t(1054), "hipErrorInvalidClusterSize", "invalid cluster size"},
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

static hipError_t answerText(const char *name, const char **text, const char *value) {
  return call(name, [&](State &) {
    if (!text)
      return invalidValue("the destination is null");
    *text = value;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDrvGetErrorName(hipError_t code, const char **text) {
  return answerText("hipDrvGetErrorName", text, hipGetErrorName(code));
}

CK_HIP_EXPORT hipError_t hipDrvGetErrorString(hipError_t code, const char **text) {
  return answerText("hipDrvGetErrorString", text, hipGetErrorString(code));
}

CK_HIP_EXPORT hipError_t hipExtGetLastError() { return getLastError(/*clear=*/true); }

CK_HIP_EXPORT hipError_t hipGetLastError() { return getLastError(/*clear=*/true); }

CK_HIP_EXPORT hipError_t hipPeekAtLastError() { return getLastError(/*clear=*/false); }

const char *ckEmulatorGetLastMessage() {
  static thread_local std::string text;
  text = getLastMessage();
  return text.c_str();
}

const char *ckEmulatorGetChips() {
  static const std::string names = [] {
    std::string text;
    for (const ckemu::ChipModel &chip : ckemu::getChipModels())
      text += (text.empty() ? "" : " ") + chip.name.str();
    return text;
  }();
  return names.c_str();
}

const char *ckEmulatorGetLaunchStatistics() {
  static thread_local std::string text;
  State &state = State::get();
  std::lock_guard<std::mutex> lock(state.mutex);
  text = state.launchStatistics;
  return text.c_str();
}

const char *ckEmulatorGetLaunchTiming() {
  static thread_local std::string text;
  State &state = State::get();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.timingSummary.noteRead();
  text = state.launchTiming;
  return text.c_str();
}

const char *ckEmulatorGetVectors() {
  static thread_local std::string text;
  llvm::Expected<ckemu::VectorLevel> level = ckemu::selectVectorLevel();
  text = level ? level->name.str() : "error: " + llvm::toString(level.takeError());
  return text.c_str();
}

void ckEmulatorSetProfiling(int enabled) { State::get().profiling = enabled != 0; }
