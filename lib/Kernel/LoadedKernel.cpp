//===- LoadedKernel.cpp - A kernel on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LoadedKernel.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Runtime/Stream.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Error LoadedKernel::checkChip(const Device &device, const KernelImage &image) {
  if (device.getArchitecture() == image.chip)
    return Error::success();
  return createStringError("expected a kernel for " + device.getArchitecture() +
                           ", the chip of the device, got one for " + image.chip);
}

Expected<LoadedKernel> LoadedKernel::load(const Device &device,
                                          std::shared_ptr<const KernelImage> image) {
  if (Error error = checkChip(device, *image))
    return std::move(error);
  Expected<Module> module = Module::load(device, image->codeObject);
  if (!module)
    return module.takeError();
  LoadedKernel kernel(device, std::move(*module), std::move(image));
  for (const ImageLaunch &launch : kernel.image->launches) {
    Expected<hip::FunctionHandle> function = kernel.module.getFunction(launch.kernel);
    if (!function)
      return function.takeError();
    kernel.functions.push_back(*function);
  }
  return kernel;
}

Error LoadedKernel::check(hip::StreamHandle stream, const LaunchArguments &arguments) const {
  const std::vector<TensorDesc> &tensors = image->tensors;
  if (arguments.tensors.size() != tensors.size())
    return createStringError("expected pointers of " + Twine(tensors.size()) + " tensors, got " +
                             Twine(arguments.tensors.size()));
  for (auto [tensor, pointer] : llvm::zip_equal(tensors, arguments.tensors))
    if (!pointer)
      return createStringError("expected device memory for tensor " + tensor.name + ", got null");
  int streamOrdinal = ordinal;
  if (api->StreamGetDevice)
    if (Error error =
            api->check(api->StreamGetDevice(stream, &streamOrdinal), "hipStreamGetDevice"))
      return error;
  if (streamOrdinal != ordinal)
    return createStringError("expected a stream of device " + Twine(ordinal) +
                             ", where the kernel is loaded, got one of device " +
                             Twine(streamOrdinal));
  return image->checkWorkspace(arguments.workspace, arguments.workspaceBytes);
}

Error LoadedKernel::zero(hip::StreamHandle stream, void *pointer, int64_t bytes) const {
  if (bytes == 0)
    return Error::success();
  if (bytes % 4 == 0)
    return api->check(api->MemsetD32Async(pointer, 0, bytes / 4, stream), "hipMemsetD32Async");
  return api->check(api->MemsetD16Async(pointer, 0, bytes / 2, stream), "hipMemsetD16Async");
}

Error LoadedKernel::launch(hip::StreamHandle stream, const LaunchArguments &arguments,
                           llvm::function_ref<Error(const ImageLaunch &)> launched) const {
  if (image->zeroFill)
    if (Error error = zero(stream, arguments.tensors.back(), image->getWritten().getSizeInBytes()))
      return error;
  if (!arguments.workspaceIsZeroed)
    if (Error error = zero(stream, arguments.workspace, image->workspaceZeroBytes))
      return error;
  for (auto [function, launch] : llvm::zip_equal(functions, image->launches)) {
    llvm::SmallVector<void *, 8> pointers;
    for (unsigned number : launch.arguments)
      pointers.push_back(number < arguments.tensors.size() ? arguments.tensors[number]
                                                           : arguments.workspace);
    if (Error error =
            launchKernel(*api, stream, function, {launch.grid, launch.block, 0}, pointers))
      return error;
    if (launched)
      if (Error error = launched(launch))
        return error;
  }
  return Error::success();
}

Error LoadedKernel::run(hip::StreamHandle stream, const LaunchArguments &arguments) const {
  if (Error error = check(stream, arguments))
    return error;
  return launch(stream, arguments);
}
