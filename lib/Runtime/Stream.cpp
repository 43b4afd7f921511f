//===- Stream.cpp - Queues of work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launching and waiting.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Stream.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

Expected<Stream> Stream::create(const Device &device) {
  Stream stream;
  stream.api = device.getSharedApi();
  if (Error error = stream.api->check(stream.api->StreamCreate(&stream.handle), "hipStreamCreate"))
    return error;
  return stream;
}

Stream::~Stream() {
  if (handle)
    (void)api->StreamDestroy(handle);
}

Error mlir::ck::launchKernel(const HipApi &api, hip::StreamHandle stream,
                             hip::FunctionHandle function, const LaunchShape &shape,
                             llvm::ArrayRef<void *> pointers) {
  // HIP takes the address of every argument.
  llvm::SmallVector<void *, 8> values(pointers), arguments;
  for (void *&value : values)
    arguments.push_back(&value);
  auto [gridX, gridY, gridZ] = shape.grid;
  auto [blockX, blockY, blockZ] = shape.block;
  return api.check(api.ModuleLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                          shape.dynamicLdsBytes, stream, arguments.data(), nullptr),
                   "hipModuleLaunchKernel");
}

Error Stream::launch(hip::FunctionHandle function, const LaunchShape &shape,
                     llvm::ArrayRef<void *> pointers) const {
  return launchKernel(*api, handle, function, shape, pointers);
}

Error Stream::synchronize() const {
  return api->check(api->StreamSynchronize(handle), "hipStreamSynchronize");
}
