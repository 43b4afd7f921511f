//===- Context.cpp - The device behind the mgpu functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Context.h.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Mgpu/Context.h"
#include "ck-mlir/Runtime/Environment.h"
#include <cstdio>
#include <cstdlib>

using namespace mlir::ck;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

void mgpu::fail(StringRef function, const Twine &reason) {
  std::string line = ("ck-mlir runtime: " + function + ": " + reason + "\n").str();
  std::fflush(nullptr);
  std::fputs(line.c_str(), stderr);
  std::_Exit(1);
}

static Expected<Device> openDevice() {
  std::string choice = getVariable("CK_RUNTIME_DEVICE", "auto");
  if (choice == "hip")
    return Device::openHip();
  if (choice == "emulator")
    return Device::openEmulator(getEmulatorChip());
  if (choice != "auto")
    return llvm::createStringError("CK_RUNTIME_DEVICE must be auto, hip or emulator, got '" +
                                   choice + "'");
  std::string reason;
  Expected<std::optional<Device>> gpu = Device::findHip(reason);
  if (!gpu)
    return gpu.takeError();
  if (*gpu)
    return std::move(**gpu);
  Expected<Device> device = Device::openEmulator(getEmulatorChip());
  if (device)
    std::fprintf(stderr, "ck-mlir runtime: %s: the emulator is used as %s\n", reason.c_str(),
                 device->getArchitecture().str().c_str());
  return device;
}

const HipApi &mgpu::getApi(StringRef function) {
  // Never destroyed: modules are unloaded at exit.
  static const Device *device = [&] {
    Expected<Device> opened = openDevice();
    if (!opened)
      fail(function, llvm::toString(opened.takeError()));
    return new Device(std::move(*opened));
  }();
  return device->getApi();
}

void mgpu::check(StringRef function, hip::ErrorCode code, StringRef call) {
  if (code == hip::success)
    return;
  fail(function, llvm::toString(getApi(function).check(code, call)));
}
