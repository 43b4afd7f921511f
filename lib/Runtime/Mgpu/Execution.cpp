//===- Execution.cpp - mgpu functions: modules, launches, streams, events -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is one HIP call and its check.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Mgpu/Context.h"
#include "ck-mlir/Runtime/MgpuApi.h"
#include "ck-mlir/Runtime/Module.h"

using namespace mlir::ck;
using namespace mlir::ck::mgpu;
using llvm::StringRef;
using llvm::Twine;

hip::ModuleHandle mgpuModuleLoad(void *data, size_t size) {
  const HipApi &api = getApi(__func__);
  if (!data)
    fail(__func__, "expected a code object, got null");
  StringRef bytes(static_cast<const char *>(data), size);
  // HIP reads as much as the headers say; an offload bundle is HIP's to check.
  if (size != 0 && !bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__"))
    if (llvm::Error error = checkCodeObject(bytes))
      fail(__func__, llvm::toString(std::move(error)));
  hip::ModuleHandle module = nullptr;
  check(__func__, api.ModuleLoadData(&module, data), "hipModuleLoadData");
  return module;
}

hip::ModuleHandle mgpuModuleLoadJIT(void *, int32_t) {
  fail(__func__, "assembly is not compiled at run time: run gpu-module-to-binary with format=bin");
}

void mgpuModuleUnload(hip::ModuleHandle module) {
  check(__func__, getApi(__func__).ModuleUnload(module), "hipModuleUnload");
}

hip::FunctionHandle mgpuModuleGetFunction(hip::ModuleHandle module, const char *name) {
  hip::FunctionHandle function = nullptr;
  check(__func__, getApi(__func__).ModuleGetFunction(&function, module, name),
        (Twine("hipModuleGetFunction of '") + name + "'").str());
  return function;
}

/// A size of a launch; HIP takes 32 bits.
static unsigned getSize(StringRef function, const char *what, intptr_t size) {
  if (size < 1 || size > intptr_t(UINT32_MAX))
    fail(function, Twine(what) + " must be in [1, " + Twine(UINT32_MAX) + "], got " + Twine(size));
  return unsigned(size);
}

void mgpuLaunchKernel(hip::FunctionHandle function, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                      intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t lds,
                      hip::StreamHandle stream, void **params, void **extra, size_t) {
  const HipApi &api = getApi(__func__);
  if (lds < 0)
    fail(__func__, "dynamic LDS must be at least 0 bytes, got " + Twine(lds));
  auto size = [](const char *what, intptr_t value) {
    return getSize("mgpuLaunchKernel", what, value);
  };
  check(__func__,
        api.ModuleLaunchKernel(function, size("grid x", gridX), size("grid y", gridY),
                               size("grid z", gridZ), size("block x", blockX),
                               size("block y", blockY), size("block z", blockZ), unsigned(lds),
                               stream, params, extra),
        "hipModuleLaunchKernel");
}

void mgpuLaunchClusterKernel(hip::FunctionHandle function, intptr_t clusterX, intptr_t clusterY,
                             intptr_t clusterZ, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t lds,
                             hip::StreamHandle stream, void **params, void **extra) {
  if (clusterX != 1 || clusterY != 1 || clusterZ != 1)
    fail(__func__, "AMD GPUs have no clusters: expected 1x1x1, got " + Twine(clusterX) + "x" +
                       Twine(clusterY) + "x" + Twine(clusterZ));
  mgpuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, lds, stream, params,
                   extra, /*numParams=*/0);
}

hip::StreamHandle mgpuStreamCreate() {
  hip::StreamHandle stream = nullptr;
  check(__func__, getApi(__func__).StreamCreate(&stream), "hipStreamCreate");
  return stream;
}

void mgpuStreamDestroy(hip::StreamHandle stream) {
  check(__func__, getApi(__func__).StreamDestroy(stream), "hipStreamDestroy");
}

void mgpuStreamSynchronize(hip::StreamHandle stream) {
  check(__func__, getApi(__func__).StreamSynchronize(stream), "hipStreamSynchronize");
}

void mgpuStreamWaitEvent(hip::StreamHandle stream, hip::EventHandle event) {
  check(__func__, getApi(__func__).StreamWaitEvent(stream, event, 0), "hipStreamWaitEvent");
}

hip::EventHandle mgpuEventCreate() {
  hip::EventHandle event = nullptr;
  check(__func__, getApi(__func__).EventCreateWithFlags(&event, hip::eventDisableTiming),
        "hipEventCreateWithFlags");
  return event;
}

void mgpuEventDestroy(hip::EventHandle event) {
  check(__func__, getApi(__func__).EventDestroy(event), "hipEventDestroy");
}

void mgpuEventSynchronize(hip::EventHandle event) {
  check(__func__, getApi(__func__).EventSynchronize(event), "hipEventSynchronize");
}

void mgpuEventRecord(hip::EventHandle event, hip::StreamHandle stream) {
  check(__func__, getApi(__func__).EventRecord(event, stream), "hipEventRecord");
}

void mgpuSetDefaultDevice(int32_t device) {
  check(__func__, getApi(__func__).SetDevice(device), "hipSetDevice");
}
