//===- Runtime.cpp - Devices, memory and launches in Python -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Runtime.h. Pointers and streams are integers in Python.
//
//===----------------------------------------------------------------------===//

#include "Native.h"

using namespace ckpy;

static Device openDevice(int kind, const std::string &chip) {
  CkMlirDevice device;
  check(ckMlirDeviceOpen(CkMlirDeviceKind(kind), toC(chip), &device));
  return Device(device);
}

static Buffer allocate(const Device &device, size_t bytes) {
  CkMlirBuffer buffer;
  check(ckMlirBufferCreate(device.get(), bytes, &buffer));
  return Buffer(buffer);
}

static Stream createStream(const Device &device) {
  CkMlirStream stream;
  check(ckMlirStreamCreate(device.get(), &stream));
  return Stream(stream);
}

static Executable load(const Device &device, const Program &program) {
  CkMlirExecutable executable;
  check(ckMlirExecutableLoad(device.get(), program.get(), &executable));
  return Executable(executable);
}

static std::vector<void *> toPointers(const std::vector<uintptr_t> &addresses) {
  std::vector<void *> pointers;
  for (uintptr_t address : addresses)
    pointers.push_back(reinterpret_cast<void *>(address));
  return pointers;
}

/// Puts the kernels on a stream of the caller's and returns. The workspace was zeroed when it was
/// allocated.
static void launch(const Executable &executable, uintptr_t stream,
                   const std::vector<uintptr_t> &tensors, uintptr_t workspace,
                   size_t workspaceBytes) {
  std::vector<void *> pointers = toPointers(tensors);
  check(ckMlirExecutableLaunchZeroed(executable.get(), reinterpret_cast<void *>(stream),
                                     pointers.data(), pointers.size(),
                                     reinterpret_cast<void *>(workspace), workspaceBytes));
}

/// Runs the kernels on buffers and waits for them. A KeyboardInterrupt leaves the buffers to the
/// kernels.
static void run(const Device &device, const Executable &executable,
                const std::vector<Buffer> &tensors, const Buffer &workspace) {
  runInterruptibly([=] {
    Stream stream = createStream(device);
    std::vector<void *> pointers;
    for (const Buffer &tensor : tensors)
      pointers.push_back(ckMlirBufferGetPointer(tensor.get()));
    check(ckMlirExecutableLaunch(
        executable.get(), ckMlirStreamGetHandle(stream.get()), pointers.data(), pointers.size(),
        ckMlirBufferGetPointer(workspace.get()), ckMlirBufferGetSize(workspace.get())));
    check(ckMlirStreamSynchronize(stream.get()));
  });
}

void ckpy::bindRuntime(nb::module_ &module) {
  nb::call_guard<nb::gil_scoped_release> noGil;
  nb::class_<Device>(module, "Device")
      .def("chip", [](const Device &d) { return std::string(ckMlirDeviceGetChip(d.get())); })
      .def("name", [](const Device &d) { return std::string(ckMlirDeviceGetName(d.get())); })
      .def("is_emulated", [](const Device &d) { return ckMlirDeviceIsEmulated(d.get()); })
      .def("compute_units", [](const Device &d) { return ckMlirDeviceGetComputeUnits(d.get()); })
      .def("set_variable",
           [](const Device &d, const std::string &name, const std::string &value) {
             check(ckMlirDeviceSetVariable(d.get(), toC(name), toC(value)));
           })
      .def("launch_statistics",
           [](const Device &d) {
             return takeText([&](CkMlirText *text) {
               return ckMlirDeviceCreateLaunchStatistics(d.get(), text);
             });
           })
      .def("launch_timing", [](const Device &d) {
        return takeText(
            [&](CkMlirText *text) { return ckMlirDeviceCreateLaunchTiming(d.get(), text); });
      });
  nb::class_<Buffer>(module, "Buffer")
      .def("pointer",
           [](const Buffer &b) {
             return reinterpret_cast<uintptr_t>(ckMlirBufferGetPointer(b.get()));
           })
      .def("size", [](const Buffer &b) { return ckMlirBufferGetSize(b.get()); })
      .def(
          "copy_from",
          [](const Buffer &b, uintptr_t data, size_t bytes) {
            check(ckMlirBufferCopyFromHost(b.get(), reinterpret_cast<void *>(data), bytes));
          },
          noGil)
      .def(
          "zero", [](const Buffer &b, size_t bytes) { check(ckMlirBufferZero(b.get(), bytes)); },
          noGil)
      .def(
          "copy_to",
          [](const Buffer &b, uintptr_t data, size_t bytes) {
            check(ckMlirBufferCopyToHost(b.get(), reinterpret_cast<void *>(data), bytes));
          },
          noGil);
  nb::class_<Stream>(module, "Stream")
      .def("handle",
           [](const Stream &s) {
             return reinterpret_cast<uintptr_t>(ckMlirStreamGetHandle(s.get()));
           })
      .def("synchronize", [](const Stream &s) {
        runInterruptibly([s] { check(ckMlirStreamSynchronize(s.get())); });
      });
  nb::class_<Executable>(module, "Executable").def("launch", launch, noGil);
  module.def("open_device", openDevice, noGil);
  module.def("allocate", allocate, noGil);
  module.def("create_stream", createStream, noGil);
  module.def("load", load, noGil);
  module.def("run", run);
}
