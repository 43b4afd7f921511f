//===- ModelTime.cpp - Launches with the model of time beside them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ModelTime.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/ModelTime.h"
#include "ck-mlir/Runtime/Environment.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

Error mlir::ck::checkTiming(const HipApi &api) {
  if (api.isEmulator())
    return Error::success();
  return llvm::createStringError("modelled time exists only in the emulator, got '" +
                                 api.getPath() + "', which runs kernels on a GPU");
}

Error mlir::ck::startTiming(const HipApi &api) {
  if (Error error = checkTiming(api))
    return error;
  const std::string mode = getVariable("CK_EMULATOR_TIMING");
  return api.setVariable("CK_EMULATOR_TIMING", mode.empty() || mode == "off" ? "on" : mode);
}

Error mlir::ck::stopTiming(const HipApi &api) {
  for (const char *name : {"CK_EMULATOR_TIMING", "CK_EMULATOR_TIMING_TRACE"})
    if (Error error = api.setVariable(name, getVariable(name)))
      return error;
  return Error::success();
}

Expected<KernelTiming> mlir::ck::readLaunchTiming(const HipApi &api) {
  Expected<llvm::json::Value> value = api.getLaunchTiming();
  if (!value)
    return value.takeError();
  if (!value->getAsObject())
    return llvm::createStringError("the emulator returned no modelled time");
  return readTiming(*value->getAsObject());
}

Expected<ProgramTiming> mlir::ck::modelTime(const LoadedKernel &kernel,
                                            const LaunchArguments &arguments) {
  const HipApi &api = kernel.getApi();
  if (Error error = startTiming(api))
    return error;
  ProgramTiming timing;
  Error error = kernel.launch(nullptr, arguments, [&](const ImageLaunch &launch) -> Error {
    if (Error fault = api.check(api.StreamSynchronize(nullptr), "hipStreamSynchronize"))
      return fault;
    Expected<KernelTiming> ofLaunch = readLaunchTiming(api);
    if (!ofLaunch)
      return ofLaunch.takeError();
    timing.kernels.emplace_back(launch.kernel, std::move(*ofLaunch));
    return Error::success();
  });
  error = llvm::joinErrors(std::move(error), stopTiming(api));
  if (error)
    return error;
  return timing;
}
