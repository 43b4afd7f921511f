//===- Work.cpp - HIP: running the nodes of graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of work does what the function of that name does.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/TransferCheck.h"

using namespace ckemu;
using namespace ckemu::hip;

namespace {
/// Runs one kind of work after the other.
struct Runner {
  State &state;
  hipStream_t stream;

  Result operator()(const std::monostate &) const { return Result(); }
  Result operator()(const KernelWork &work) const {
    if (Result result = checkFunction(state, work.function); result.code != hipSuccess)
      return result;
    return runKernel(state, stream, work.function, work.shape, work.arguments, work.cooperative);
  }
  Result operator()(const CopyWork &work) const {
    return copy(state, work.dst, work.src, work.size, work.kind, nullptr);
  }
  Result operator()(const hipMemcpy3DParms &params) const {
    return copy3D(state, &params, nullptr);
  }
  Result operator()(const hipMemsetParams &params) const { return fillRows(state, params); }
  Result operator()(const hipHostNodeParams &params) const {
    params.fn(params.userData);
    return Result();
  }
  Result operator()(const std::shared_ptr<ihipGraph> &graph) const {
    return runGraph(state, stream, *graph);
  }
  Result operator()(const EventWork &work) const {
    std::lock_guard<std::mutex> lock(state.mutex);
    if (!state.events.contains(work.event))
      return Result(hipErrorInvalidHandle, state.events.explain(work.event));
    if (work.isRecord)
      return recordEvent(state, work.event, stream);
    state.clocks.wait(stream, work.event->modelled);
    return Result();
  }
  Result operator()(const OtherWork &work) const { return work.run(state); }
};
} // namespace

Result hip::runNode(State &state, hipStream_t stream, const hipGraphNode &node) {
  return node.enabled ? std::visit(Runner{state, stream}, node.work) : Result();
}

Result hip::runGraph(State &state, hipStream_t stream, const ihipGraph &graph) {
  std::vector<hipGraphNode *> order;
  Result result = sortNodes(graph, order);
  for (size_t i = 0; i < order.size() && result.code == hipSuccess; ++i)
    result = runNode(state, stream, *order[i]);
  return result;
}

Result hip::makeKernelWork(const LaunchRequest &request, KernelWork &work) {
  if (Result result = packArguments(request, work.arguments); result.code != hipSuccess)
    return result;
  work.function = request.function;
  work.shape = request.shape;
  work.cooperative = request.cooperative;
  hipKernelNodeParams &params = work.params;
  const LaunchShape &shape = request.shape;
  params.func = request.function;
  params.gridDim = dim3(shape.groups[0], shape.groups[1], shape.groups[2]);
  params.blockDim = dim3(shape.groupSize[0], shape.groupSize[1], shape.groupSize[2]);
  params.sharedMemBytes = shape.dynamicLds;
  return Result();
}

Result hip::makeKernelWork(State &state, const hipKernelNodeParams *params, Work &work) {
  if (!params)
    return invalidValue("the parameters of the kernel node are null");
  LaunchRequest request;
  request.kernelParams = params->kernelParams;
  request.extra = params->extra;
  KernelWork kernel;
  Result result = resolveFunction(state, params->func, request.function);
  if (result.code == hipSuccess)
    result = setShape(request.shape, params->gridDim, params->blockDim, params->sharedMemBytes);
  if (result.code == hipSuccess)
    result = makeKernelWork(request, kernel);
  kernel.params.func = params->func;
  work = std::move(kernel);
  return result;
}
