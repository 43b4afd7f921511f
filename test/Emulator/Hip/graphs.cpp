//===- graphs.cpp - A HIP program with graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs that are built by hand and graphs that are captured, launched, changed, and used wrongly.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

static void count(void *number) { ++*static_cast<int *>(number); }

namespace {
/// What the graphs work on: 64 numbers, each of which the kernel doubles and adds 1 to.
struct Fixture {
  hipFunction_t function;
  unsigned *values = allocate<unsigned>(64), *others = allocate<unsigned>(64);
  std::vector<unsigned> host = std::vector<unsigned>(64);
  int calls = 0;
  void *params[1] = {&values};

  hipKernelNodeParams getKernel() {
    hipKernelNodeParams kernel = {};
    kernel.func = function;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.blockDim.x = 64;
    kernel.kernelParams = params;
    return kernel;
  }
  hipMemsetParams getFill(unsigned value) {
    hipMemsetParams fill = {};
    fill.dst = values;
    fill.elementSize = 4;
    fill.value = value;
    fill.width = 64;
    fill.height = 1;
    return fill;
  }
};
} // namespace

static void show(const char *what, hipError_t code) {
  std::printf("%s: %s\n", what, hipGetErrorName(code));
}

/// Fill, three launches that are one node and a child graph of two, host function, copy.
static void buildByHand(Fixture &f) {
  hipGraph_t graph, child;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphCreate(&child, 0));
  hipGraphNode_t fill, kernel, twice[2], embedded, called, copied, empty;
  hipMemsetParams fillParams = f.getFill(0);
  hipKernelNodeParams kernelParams = f.getKernel();
  hipHostNodeParams hostParams = {count, &f.calls};
  HIP_CHECK(hipGraphAddKernelNode(&twice[0], child, nullptr, 0, &kernelParams));
  HIP_CHECK(hipGraphAddKernelNode(&twice[1], child, &twice[0], 1, &kernelParams));
  // Added against their order: only the edges say what comes first.
  HIP_CHECK(hipGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, f.host.data(), f.values, 256,
                                    hipMemcpyDeviceToHost));
  HIP_CHECK(hipGraphAddHostNode(&called, graph, nullptr, 0, &hostParams));
  HIP_CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &fillParams));
  HIP_CHECK(hipGraphAddKernelNode(&kernel, graph, &fill, 1, &kernelParams));
  HIP_CHECK(hipGraphAddChildGraphNode(&embedded, graph, &kernel, 1, child));
  HIP_CHECK(hipGraphAddEmptyNode(&empty, graph, &embedded, 1));
  hipGraphNode_t from[] = {empty, called}, to[] = {called, copied};
  HIP_CHECK(hipGraphAddDependencies(graph, from, to, 2));
  kernelParams.kernelParams = nullptr; // the graph has copies of the arguments

  size_t nodes = 0, roots = 0, edges = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  HIP_CHECK(hipGraphGetRootNodes(graph, nullptr, &roots));
  HIP_CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  hipGraphNodeType type;
  HIP_CHECK(hipGraphNodeGetType(called, &type));
  std::printf("%zu nodes, %zu root, %zu edges, %s node\n", nodes, roots, edges,
              type == hipGraphNodeTypeHost ? "host" : "OTHER");

  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; ++i)
    HIP_CHECK(hipGraphLaunch(exec, nullptr));
  std::printf("by hand: %u and %u, %d calls\n", f.host[0], f.host[63], f.calls);
  fillParams = f.getFill(1);
  HIP_CHECK(hipGraphExecMemsetNodeSetParams(exec, fill, &fillParams));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  std::printf("from 1: %u and %u, %d calls\n", f.host[0], f.host[63], f.calls);
  fillParams = f.getFill(2);
  HIP_CHECK(hipGraphMemsetNodeSetParams(fill, &fillParams));
  hipGraphNode_t errorNode;
  hipGraphExecUpdateResult update;
  HIP_CHECK(hipGraphExecUpdate(exec, graph, &errorNode, &update));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  std::printf("from 2: %u and %u, %d calls\n", f.host[0], f.host[63], f.calls);
  HIP_CHECK(hipGraphRemoveDependencies(graph, &fill, &kernel, 1));
  show("another shape", hipGraphExecUpdate(exec, graph, &errorNode, &update));
  HIP_CHECK(hipGraphAddDependencies(graph, &kernel, &fill, 1));
  HIP_CHECK(hipGraphAddDependencies(graph, &fill, &kernel, 1));
  hipGraphExec_t none;
  show("a cycle", hipGraphInstantiate(&none, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipGraphDestroy(child));
  show("a destroyed graph", hipGraphInstantiate(&none, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  HIP_CHECK(hipGraphExecDestroy(exec));
  show("a destroyed executable", hipGraphLaunch(exec, nullptr));
}

/// The first stream forks to the second and joins it.
static void capture(Fixture &f, hipStream_t first, hipStream_t second, hipEvent_t fork,
                    hipEvent_t join) {
  f.host.assign(64, 0);
  HIP_CHECK(hipMemset(f.values, 0, 256));
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipModuleLaunchKernel(f.function, 1, 1, 1, 64, 1, 1, 0, first, f.params, nullptr));
  HIP_CHECK(hipEventRecord(fork, first));
  HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
  HIP_CHECK(hipMemcpyAsync(f.others, f.values, 256, hipMemcpyDeviceToDevice, second));
  HIP_CHECK(hipMemsetD32Async(f.others + 32, 9, 32, second));
  HIP_CHECK(hipEventRecord(join, second));
  HIP_CHECK(hipModuleLaunchKernel(f.function, 1, 1, 1, 64, 1, 1, 0, first, f.params, nullptr));
  HIP_CHECK(hipStreamWaitEvent(first, join, 0));
  HIP_CHECK(hipMemcpyAsync(f.host.data(), f.others, 256, hipMemcpyDeviceToHost, first));
  HIP_CHECK(hipLaunchHostFunc(first, count, &f.calls));
  hipStreamCaptureStatus status;
  HIP_CHECK(hipStreamIsCapturing(second, &status));
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(first, &graph));
  std::vector<unsigned> now(64);
  HIP_CHECK(hipMemcpy(now.data(), f.values, 256, hipMemcpyDeviceToHost));
  size_t nodes = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  std::printf("captured %zu nodes, second stream %s, nothing ran: %u %u\n", nodes,
              status == hipStreamCaptureStatusActive ? "too" : "NOT", now[0], f.host[0]);
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipGraphLaunch(exec, first));
  HIP_CHECK(hipMemcpy(now.data(), f.values, 256, hipMemcpyDeviceToHost));
  std::printf("after a launch: %u, %u and %u\n", now[0], f.host[0], f.host[63]);
  HIP_CHECK(hipGraphLaunch(exec, first));
  HIP_CHECK(hipMemcpy(now.data(), f.values, 256, hipMemcpyDeviceToHost));
  std::printf("after another: %u, %u and %u\n", now[0], f.host[0], f.host[63]);
  HIP_CHECK(hipGraphExecDestroy(exec));
}

static void misuse(Fixture &f, hipStream_t first, hipStream_t second, hipEvent_t fork) {
  hipGraph_t graph;
  show("end without begin", hipStreamEndCapture(first, &graph));
  show("default stream", hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  show("twice", hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  show("synchronize", hipStreamSynchronize(first));
  show("after that", hipMemsetAsync(f.values, 0, 4, first));
  show("end", hipStreamEndCapture(first, &graph));
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipEventRecord(fork, first));
  HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
  show("query", hipEventQuery(fork));
  show("end", hipStreamEndCapture(first, &graph));
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipEventRecord(fork, first));
  HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
  HIP_CHECK(hipMemsetAsync(f.values, 0, 4, second));
  show("end in the other stream", hipStreamEndCapture(second, &graph));
  show("end", hipStreamEndCapture(first, &graph));
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipEventRecord(fork, first));
  HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
  HIP_CHECK(hipMemsetAsync(f.values, 0, 4, second));
  show("not joined", hipStreamEndCapture(first, &graph));
  HIP_CHECK(hipMemsetAsync(f.values, 0, 4, first)); // no capture any more
  HIP_CHECK(hipMemsetAsync(f.values, 0, 4, second));
}

int main(int, char **argv) {
  Fixture f;
  hipModule_t module;
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  HIP_CHECK(hipModuleGetFunction(&f.function, module, "twice_plus_one"));
  hipStream_t first, second;
  HIP_CHECK(hipStreamCreate(&first));
  HIP_CHECK(hipStreamCreate(&second));
  hipEvent_t fork, join;
  HIP_CHECK(hipEventCreate(&fork));
  HIP_CHECK(hipEventCreate(&join));
  buildByHand(f);
  capture(f, first, second, fork, join);
  misuse(f, first, second, fork);
  for (hipEvent_t event : {fork, join})
    HIP_CHECK(hipEventDestroy(event));
  for (hipStream_t stream : {first, second})
    HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(f.values));
  HIP_CHECK(hipFree(f.others));
  HIP_CHECK(hipModuleUnload(module));
}
