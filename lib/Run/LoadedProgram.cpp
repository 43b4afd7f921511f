//===- LoadedProgram.cpp - A compiled program that can be launched -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LoadedProgram.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/LoadedProgram.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Expected<LoadedProgram> LoadedProgram::load(const Device &device, CompiledProgram program) {
  Expected<Module> module = Module::load(device, program.codeObject);
  if (!module)
    return module.takeError();
  LoadedProgram loaded(device, std::move(program), std::move(*module));
  if (Error error = loaded.resolve())
    return std::move(error);
  return loaded;
}

Error LoadedProgram::resolve() {
  tensors = getReads(program.problem);
  tensors.push_back(getWrite(program.problem));
  for (const KernelInfo &info : program.kernels) {
    Expected<hip::FunctionHandle> function = module.getFunction(info.name);
    if (!function)
      return function.takeError();
    Kernel kernel{*function, {info.grid, info.block, 0}, {}};
    for (const std::string &name : info.arguments) {
      auto *it =
          llvm::find_if(tensors, [&](const TensorDesc &tensor) { return tensor.name == name; });
      if (it == tensors.end() && name != "workspace")
        return createStringError("unknown kernel argument '" + name + "'");
      kernel.arguments.push_back(it - tensors.begin());
    }
    kernels.push_back(std::move(kernel));
  }
  return Error::success();
}

Error LoadedProgram::check(const LaunchArguments &arguments) const {
  if (arguments.tensors.size() != tensors.size())
    return createStringError("expected pointers of " + llvm::Twine(tensors.size()) +
                             " tensors, got " + llvm::Twine(arguments.tensors.size()));
  for (auto [tensor, pointer] : llvm::zip_equal(tensors, arguments.tensors))
    if (!pointer)
      return createStringError("expected device memory for tensor " + tensor.name + ", got null");
  return program.checkWorkspace(arguments.workspace, arguments.workspaceBytes);
}

Error LoadedProgram::zero(hip::StreamHandle stream, void *pointer, int64_t bytes) const {
  if (bytes == 0)
    return Error::success();
  if (bytes % 4 == 0)
    return api->check(api->MemsetD32Async(pointer, 0, bytes / 4, stream), "hipMemsetD32Async");
  if (bytes % 2 == 0)
    return api->check(api->MemsetD16Async(pointer, 0, bytes / 2, stream), "hipMemsetD16Async");
  return createStringError("cannot zero an odd number of bytes on a stream, got " +
                           llvm::Twine(bytes));
}

Error LoadedProgram::launch(hip::StreamHandle stream, const LaunchArguments &arguments) const {
  if (program.zeroFillOutput)
    if (Error error = zero(stream, arguments.tensors.back(), tensors.back().getSizeInBytes()))
      return error;
  if (Error error = zero(stream, arguments.workspace, program.workspaceZeroBytes))
    return error;
  for (const Kernel &kernel : kernels) {
    llvm::SmallVector<void *> pointers;
    for (size_t number : kernel.arguments)
      pointers.push_back(number < tensors.size() ? arguments.tensors[number] : arguments.workspace);
    if (Error error = launchKernel(*api, stream, kernel.function, kernel.shape, pointers))
      return error;
  }
  return Error::success();
}
