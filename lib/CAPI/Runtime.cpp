//===- Runtime.cpp - Devices, memory and launches in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Runtime.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Runtime.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Stream.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

namespace {
/// An open device with the texts that getters point to.
struct OpenDevice {
  Device device;
  std::string chip, name;
};
} // namespace

static OpenDevice *unwrap(CkMlirDevice device) { return static_cast<OpenDevice *>(device.ptr); }
static Buffer *unwrap(CkMlirBuffer buffer) { return static_cast<Buffer *>(buffer.ptr); }
static Stream *unwrap(CkMlirStream stream) { return static_cast<Stream *>(stream.ptr); }

/// Executables of a library share what is loaded.
using Executable = std::shared_ptr<const LoadedKernel>;
static Executable *unwrap(CkMlirExecutable executable) {
  return static_cast<Executable *>(executable.ptr);
}

const Device &capi::getDevice(CkMlirDevice device) { return unwrap(device)->device; }

CkMlirExecutable capi::createExecutable(std::shared_ptr<const LoadedKernel> kernel) {
  return {new Executable(std::move(kernel))};
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static Outcome getChoice(CkMlirDeviceKind kind, DeviceChoice &choice) {
  switch (kind) {
  case CkMlirDeviceKindAuto:
    choice = DeviceChoice::Auto;
    return {};
  case CkMlirDeviceKindHip:
    choice = DeviceChoice::Hip;
    return {};
  case CkMlirDeviceKindEmulator:
    choice = DeviceChoice::Emulator;
    return {};
  }
  return invalid("kind of device must be in [0, 2], got " + llvm::Twine(int(kind)));
}

CkMlirStatus ckMlirDeviceOpen(CkMlirDeviceKind kind, const char *chip, CkMlirDevice *device) {
  return guard([&]() -> Outcome {
    if (!device)
      return missing("a place for the device");
    RunOptions options;
    if (Outcome outcome = getChoice(kind, options.device); outcome.status != CkMlirStatusSuccess)
      return outcome;
    if (chip && *chip) {
      if (llvm::Error error = getChip(chip).takeError())
        return invalid(std::move(error));
      options.chip = chip;
    }
    Expected<std::pair<Device, std::string>> opened = openRunDevice(options);
    if (!opened)
      return onDevice(opened.takeError());
    std::string name = opened->first.getName().str();
    device->ptr = new OpenDevice{std::move(opened->first), std::move(opened->second), name};
    return {};
  });
}

void ckMlirDeviceDestroy(CkMlirDevice device) { delete unwrap(device); }

const char *ckMlirDeviceGetChip(CkMlirDevice device) {
  return device.ptr ? unwrap(device)->chip.c_str() : "";
}

const char *ckMlirDeviceGetName(CkMlirDevice device) {
  return device.ptr ? unwrap(device)->name.c_str() : "";
}

bool ckMlirDeviceIsEmulated(CkMlirDevice device) {
  return device.ptr && unwrap(device)->device.isEmulated();
}

int64_t ckMlirDeviceGetComputeUnits(CkMlirDevice device) {
  return device.ptr ? unwrap(device)->device.getNumCus() : 0;
}

CkMlirStatus ckMlirDeviceSetVariable(CkMlirDevice device, const char *name, const char *value) {
  return guard([&]() -> Outcome {
    if (!device.ptr || !name || !value)
      return missing(!device.ptr ? "a device" : !name ? "the name of a variable" : "a value");
    if (llvm::Error error = unwrap(device)->device.getApi().setVariable(name, value))
      return invalid(std::move(error));
    return {};
  });
}

/// The text of what `read` says of the last launch on `device`.
static CkMlirStatus
createLaunchText(CkMlirDevice device, CkMlirText *json,
                 llvm::function_ref<Expected<llvm::json::Value>(const HipApi &)> read) {
  return guard([&]() -> Outcome {
    if (!device.ptr || !json)
      return missing(device.ptr ? "a place for the text" : "a device");
    Expected<llvm::json::Value> value = read(unwrap(device)->device.getApi());
    if (!value)
      return invalid(value.takeError());
    *json = createText(llvm::formatv("{0:2}\n", *value));
    return {};
  });
}

CkMlirStatus ckMlirDeviceCreateLaunchStatistics(CkMlirDevice device, CkMlirText *json) {
  return createLaunchText(device, json,
                          [](const HipApi &api) { return api.getLaunchStatistics(); });
}

CkMlirStatus ckMlirDeviceCreateLaunchTiming(CkMlirDevice device, CkMlirText *json) {
  return createLaunchText(device, json, [](const HipApi &api) -> Expected<llvm::json::Value> {
    Expected<llvm::json::Value> timing = api.getLaunchTiming();
    if (timing && (!timing->getAsObject() || timing->getAsObject()->empty()))
      return llvm::createStringError(
          "the last launch was not timed: expected CK_EMULATOR_TIMING to be on, full or only "
          "before it");
    return timing;
  });
}

//===----------------------------------------------------------------------===//
// Memory and streams
//===----------------------------------------------------------------------===//

CkMlirStatus ckMlirBufferCreate(CkMlirDevice device, size_t bytes, CkMlirBuffer *buffer) {
  return guard([&]() -> Outcome {
    if (!device.ptr || !buffer)
      return missing(device.ptr ? "a place for the buffer" : "a device");
    Expected<Buffer> allocated = Buffer::allocate(unwrap(device)->device, bytes);
    if (!allocated)
      return onDevice(allocated.takeError());
    buffer->ptr = new Buffer(std::move(*allocated));
    return {};
  });
}

void ckMlirBufferDestroy(CkMlirBuffer buffer) { delete unwrap(buffer); }

void *ckMlirBufferGetPointer(CkMlirBuffer buffer) {
  return buffer.ptr ? unwrap(buffer)->getPointer() : nullptr;
}

size_t ckMlirBufferGetSize(CkMlirBuffer buffer) {
  return buffer.ptr ? unwrap(buffer)->getSize() : 0;
}

/// Whether `bytes` at `data` can be all of `buffer`.
static Outcome checkCopy(CkMlirBuffer buffer, const void *data, size_t bytes) {
  if (!buffer.ptr)
    return missing("a buffer");
  if (bytes != unwrap(buffer)->getSize())
    return invalid("expected the " + llvm::Twine(unwrap(buffer)->getSize()) +
                   " bytes of the buffer, got " + llvm::Twine(bytes));
  return data || bytes == 0 ? Outcome() : missing("memory of the host");
}

CkMlirStatus ckMlirBufferCopyFromHost(CkMlirBuffer buffer, const void *data, size_t bytes) {
  return guard([&]() -> Outcome {
    if (Outcome outcome = checkCopy(buffer, data, bytes); outcome.status != CkMlirStatusSuccess)
      return outcome;
    return onDevice(
        unwrap(buffer)->copyFromHost(llvm::ArrayRef(static_cast<const uint8_t *>(data), bytes)));
  });
}

CkMlirStatus ckMlirBufferCopyToHost(CkMlirBuffer buffer, void *data, size_t bytes) {
  return guard([&]() -> Outcome {
    if (Outcome outcome = checkCopy(buffer, data, bytes); outcome.status != CkMlirStatusSuccess)
      return outcome;
    return onDevice(
        unwrap(buffer)->copyToHost(llvm::MutableArrayRef(static_cast<uint8_t *>(data), bytes)));
  });
}

CkMlirStatus ckMlirBufferZero(CkMlirBuffer buffer, size_t bytes) {
  return guard([&]() -> Outcome {
    if (!buffer.ptr)
      return missing("a buffer");
    if (const size_t size = unwrap(buffer)->getSize(); bytes > size)
      return invalid(llvm::createStringError("expected at most " + llvm::Twine(size) +
                                             " bytes, the size of the buffer, got " +
                                             llvm::Twine(bytes)));
    return onDevice(unwrap(buffer)->zero(bytes));
  });
}

CkMlirStatus ckMlirStreamCreate(CkMlirDevice device, CkMlirStream *stream) {
  return guard([&]() -> Outcome {
    if (!device.ptr || !stream)
      return missing(device.ptr ? "a place for the stream" : "a device");
    Expected<Stream> created = Stream::create(unwrap(device)->device);
    if (!created)
      return onDevice(created.takeError());
    stream->ptr = new Stream(std::move(*created));
    return {};
  });
}

void ckMlirStreamDestroy(CkMlirStream stream) { delete unwrap(stream); }

void *ckMlirStreamGetHandle(CkMlirStream stream) {
  return stream.ptr ? unwrap(stream)->getHandle() : nullptr;
}

CkMlirStatus ckMlirStreamSynchronize(CkMlirStream stream) {
  return guard([&]() -> Outcome {
    return stream.ptr ? onDevice(unwrap(stream)->synchronize()) : missing("a stream");
  });
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

CkMlirStatus ckMlirExecutableLoad(CkMlirDevice device, CkMlirProgram program,
                                  CkMlirExecutable *executable) {
  return guard([&]() -> Outcome {
    if (!device.ptr || !program.ptr || !executable)
      return missing(!device.ptr    ? "a device"
                     : !program.ptr ? "a program"
                                    : "a place for the executable");
    const Device &opened = getDevice(device);
    if (llvm::Error error = LoadedKernel::checkChip(opened, *getImage(program)))
      return invalid(std::move(error));
    Expected<LoadedKernel> loaded = LoadedKernel::load(opened, getImage(program));
    if (!loaded)
      return onDevice(loaded.takeError());
    *executable = createExecutable(std::make_shared<const LoadedKernel>(std::move(*loaded)));
    return {};
  });
}

void ckMlirExecutableDestroy(CkMlirExecutable executable) { delete unwrap(executable); }

Outcome capi::launch(const LoadedKernel &kernel, void *hipStream,
                     const LaunchArguments &arguments) {
  auto *stream = static_cast<hip::StreamHandle>(hipStream);
  if (llvm::Error error = kernel.check(stream, arguments))
    return invalid(std::move(error));
  return onDevice(kernel.launch(stream, arguments));
}

static CkMlirStatus launch(CkMlirExecutable executable, void *hipStream, void *const *tensors,
                           size_t numTensors, void *workspace, size_t workspaceBytes,
                           bool workspaceIsZeroed) {
  return guard([&]() -> Outcome {
    if (!executable.ptr || (!tensors && numTensors > 0))
      return missing(executable.ptr ? "the pointers of the tensors" : "an executable");
    return launch(
        **unwrap(executable), hipStream,
        {llvm::ArrayRef(tensors, numTensors), workspace, workspaceBytes, workspaceIsZeroed});
  });
}

CkMlirStatus ckMlirExecutableLaunch(CkMlirExecutable executable, void *hipStream,
                                    void *const *tensors, size_t numTensors, void *workspace,
                                    size_t workspaceBytes) {
  return launch(executable, hipStream, tensors, numTensors, workspace, workspaceBytes,
                /*workspaceIsZeroed=*/false);
}

CkMlirStatus ckMlirExecutableLaunchZeroed(CkMlirExecutable executable, void *hipStream,
                                          void *const *tensors, size_t numTensors, void *workspace,
                                          size_t workspaceBytes) {
  return launch(executable, hipStream, tensors, numTensors, workspace, workspaceBytes,
                /*workspaceIsZeroed=*/true);
}

/// The fields of a report that are modelled, as an object of their own.
static CkMlirText createTimingText(const ProgramTiming &timing) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] { writeJson(json, timing); });
  json.flush();
  os << '\n';
  return createText(std::move(text));
}

CkMlirStatus ckMlirExecutableModelTime(CkMlirExecutable executable, void *const *tensors,
                                       size_t numTensors, void *workspace, size_t workspaceBytes,
                                       CkMlirModelledTime *time, CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!executable.ptr || !time || (!tensors && numTensors > 0))
      return missing(!executable.ptr ? "an executable"
                     : !time         ? "a place for the time"
                                     : "the pointers of the tensors");
    const LoadedKernel &kernel = **unwrap(executable);
    const LaunchArguments arguments = {llvm::ArrayRef(tensors, numTensors), workspace,
                                       workspaceBytes};
    if (llvm::Error error = checkTiming(kernel.getApi()))
      return invalid(std::move(error));
    if (llvm::Error error = kernel.check(nullptr, arguments))
      return invalid(std::move(error));
    Expected<ProgramTiming> timing = modelTime(kernel, arguments);
    if (!timing)
      return onDevice(timing.takeError());
    const auto [lowest, highest] = timing->getError();
    *time = {timing->getMicroseconds(), lowest, highest};
    if (json)
      *json = createTimingText(*timing);
    return {};
  });
}
