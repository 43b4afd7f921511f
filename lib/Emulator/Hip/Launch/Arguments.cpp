//===- Arguments.cpp - HIP: arguments of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch gives an address for each argument, or a buffer in the layout of the argument segment.
// Nobody says how many addresses there are but the code object, so memory that cannot be read is an
// error here and not a signal.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/HostMemory.h"
#include "Emulator/Hip/State.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/Faults.h"

using namespace ckemu;
using namespace ckemu::hip;

/// The explicit arguments of `kernel` that the caller gives, in their order.
static std::vector<const KernelArgument *> getExplicit(const Kernel &kernel) {
  std::vector<const KernelArgument *> result;
  for (const KernelArgument &argument : kernel.metadata.arguments)
    if (!argument.isHidden())
      result.push_back(&argument);
  return result;
}

/// Bytes of the argument segment that the caller fills.
static size_t getExplicitBytes(const Kernel &kernel) {
  size_t bytes = 0;
  for (const KernelArgument *argument : getExplicit(kernel))
    bytes = std::max(bytes, size_t(argument->offset) + argument->size);
  return bytes;
}

/// Says which kernel a message is about.
static std::string describeKernel(const Kernel &kernel) {
  return ", in a launch of kernel '" + shortenKernelName(kernel.metadata.name) + "'";
}

static Result packParameters(const Kernel &kernel, void **kernelParams,
                             std::vector<uint8_t> &arguments) {
  std::vector<const KernelArgument *> places = getExplicit(kernel);
  const std::string which = describeKernel(kernel);
  if (!places.empty() && !kernelParams)
    return invalidValue("argument 0 is null" + which);
  std::vector<void *> addresses(places.size());
  if (!readHostMemory(kernelParams, addresses.data(), addresses.size() * sizeof(void *)))
    return invalidValue("expected the addresses of " + std::to_string(places.size()) +
                        " arguments, got a list that ends before" + which);
  arguments.assign(getExplicitBytes(kernel), 0);
  std::vector<HostRange> ranges;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!addresses[i])
      return invalidValue("argument " + std::to_string(i) + " is null" + which);
    ranges.push_back({addresses[i], arguments.data() + places[i]->offset, places[i]->size});
  }
  if (std::optional<size_t> bad = readHostMemory(ranges))
    return invalidValue("the " + std::to_string(places[*bad]->size) + " bytes of argument " +
                        std::to_string(*bad) + " are not readable" + which);
  return Result();
}

/// Copies the argument buffer of the `extra` list.
static Result readExtra(const Kernel &kernel, void **extra, std::vector<uint8_t> &arguments) {
  const void *buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[i + 1];
    else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1])
      size = *static_cast<size_t *>(extra[i + 1]);
    else
      return invalidValue("extra has an unknown entry at position " + std::to_string(i));
  }
  const std::string which = describeKernel(kernel);
  if (!buffer)
    return invalidValue("extra has no argument buffer" + which);
  size_t expected = getExplicitBytes(kernel);
  if (size < expected)
    return invalidValue("expected at least " + std::to_string(expected) +
                        " bytes of arguments, got " + std::to_string(size) + which);
  arguments.resize(expected);
  if (!readHostMemory(buffer, arguments.data(), expected))
    return invalidValue("the argument buffer is not readable" + which);
  return Result();
}

Result hip::packArguments(const LaunchRequest &request, std::vector<uint8_t> &arguments) {
  if (request.kernelParams && request.extra)
    return invalidValue("expected kernelParams or extra, got both");
  const Kernel &kernel = *request.function->kernel;
  return request.extra ? readExtra(kernel, request.extra, arguments)
                       : packParameters(kernel, request.kernelParams, arguments);
}
