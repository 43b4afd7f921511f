//===- Nodes.cpp - HIP: nodes of graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adding nodes, and asking for and changing what they do. Parameters are checked when the node
// runs, as those of the function that does the same at once.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Nodes.h"
#include "Emulator/Hip/Memory/Driver3D.h"

using namespace ckemu;
using namespace ckemu::hip;

/// Adds a node with the work that `make(State &, Work &)` returns.
template <class Make>
static hipError_t add(const char *name, hipGraphNode_t *node, hipGraph_t graph,
                      const hipGraphNode_t *dependencies, size_t count, Make make) {
  return call(name, [&](State &state) {
    Work work;
    if (Result result = make(state, work); result.code != hipSuccess)
      return result;
    std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
    return addNode(graph, dependencies, count, std::move(work), node);
  });
}

CK_HIP_EXPORT hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph,
                                              const hipGraphNode_t *dependencies, size_t count) {
  return add("hipGraphAddEmptyNode", node, graph, dependencies, count,
             [](State &, Work &) { return Result(); });
}

CK_HIP_EXPORT hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph,
                                               const hipGraphNode_t *dependencies, size_t count,
                                               const hipKernelNodeParams *params) {
  return add("hipGraphAddKernelNode", node, graph, dependencies, count,
             [&](State &state, Work &work) { return makeKernelWork(state, params, work); });
}

CK_HIP_EXPORT hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                               const hipGraphNode_t *dependencies, size_t count,
                                               const hipMemcpy3DParms *params) {
  return add("hipGraphAddMemcpyNode", node, graph, dependencies, count,
             [&](State &, Work &work) { return takeParams(params, work); });
}

CK_HIP_EXPORT hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph,
                                                 const hipGraphNode_t *dependencies, size_t count,
                                                 void *dst, const void *src, size_t size,
                                                 hipMemcpyKind kind) {
  return add("hipGraphAddMemcpyNode1D", node, graph, dependencies, count, [&](State &, Work &work) {
    work = CopyWork{dst, src, size, kind};
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph,
                                                  const hipGraphNode_t *dependencies, size_t count,
                                                  const DriverCopy3D *params, hipCtx_t) {
  return add("hipDrvGraphAddMemcpyNode", node, graph, dependencies, count,
             [&](State &, Work &work) {
               hipMemcpy3DParms copy;
               Result result = toParams(params, copy);
               work = copy;
               return result;
             });
}

CK_HIP_EXPORT hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                               const hipGraphNode_t *dependencies, size_t count,
                                               const hipMemsetParams *params) {
  return add("hipGraphAddMemsetNode", node, graph, dependencies, count,
             [&](State &, Work &work) { return takeParams(params, work); });
}

CK_HIP_EXPORT hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph,
                                             const hipGraphNode_t *dependencies, size_t count,
                                             const hipHostNodeParams *params) {
  return add("hipGraphAddHostNode", node, graph, dependencies, count,
             [&](State &, Work &work) { return takeParams(params, work); });
}

CK_HIP_EXPORT hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph,
                                                   const hipGraphNode_t *dependencies, size_t count,
                                                   hipGraph_t child) {
  return call("hipGraphAddChildGraphNode", [&](State &) {
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    if (!tables.graphs.contains(child) || child == graph)
      return invalidValue(child == graph ? "a graph cannot be its own child"
                                         : tables.graphs.explain(child));
    return addNode(graph, dependencies, count, std::shared_ptr<ihipGraph>(copyGraph(*child)), node);
  });
}

static hipError_t addEvent(const char *name, hipGraphNode_t *node, hipGraph_t graph,
                           const hipGraphNode_t *dependencies, size_t count, EventWork event) {
  return add(name, node, graph, dependencies, count, [&](State &state, Work &work) {
    work = event;
    return checkEvent(state, event.event);
  });
}

CK_HIP_EXPORT hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph,
                                                    const hipGraphNode_t *dependencies,
                                                    size_t count, hipEvent_t event) {
  return addEvent("hipGraphAddEventRecordNode", node, graph, dependencies, count, {event, true});
}

CK_HIP_EXPORT hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                                  const hipGraphNode_t *dependencies, size_t count,
                                                  hipEvent_t event) {
  return addEvent("hipGraphAddEventWaitNode", node, graph, dependencies, count, {event, false});
}

/// Runs `body(T &)` with the work of a node, which must be a T, and the lock held.
template <class T, class Body>
static hipError_t withWork(const char *name, hipGraphNode_t node, const void *params, Body body) {
  return call(name, [&](State &) {
    if (!params)
      return invalidValue("the parameters are null");
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    if (!tables.nodes.contains(node))
      return invalidValue(tables.nodes.explain(node));
    T *work = std::get_if<T>(&node->work);
    return work ? body(*work) : invalidValue("the node is of another type");
  });
}

CK_HIP_EXPORT hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node,
                                                     hipKernelNodeParams *params) {
  return withWork<KernelWork>("hipGraphKernelNodeGetParams", node, params, [&](KernelWork &work) {
    return withFunction(State::get(), work.function, [&] {
      work.kernelParams.clear();
      for (const KernelArgument &argument : work.function->kernel->metadata.arguments)
        if (!argument.isHidden())
          work.kernelParams.push_back(work.arguments.data() + argument.offset);
      *params = work.params;
      params->kernelParams = work.kernelParams.data();
      return Result();
    });
  });
}

template <class T>
static hipError_t getParams(const char *name, hipGraphNode_t node, T *params) {
  return withWork<T>(name, node, params, [&](T &work) {
    *params = work;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node,
                                                     hipMemcpy3DParms *params) {
  return getParams("hipGraphMemcpyNodeGetParams", node, params);
}

CK_HIP_EXPORT hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *params) {
  return getParams("hipGraphMemsetNodeGetParams", node, params);
}

CK_HIP_EXPORT hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params) {
  return getParams("hipGraphHostNodeGetParams", node, params);
}

static hipError_t getEvent(const char *name, hipGraphNode_t node, hipEvent_t *event) {
  return withWork<EventWork>(name, node, event, [&](EventWork &work) {
    *event = work.event;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return getEvent("hipGraphEventRecordNodeGetEvent", node, event);
}

CK_HIP_EXPORT hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
  return getEvent("hipGraphEventWaitNodeGetEvent", node, event);
}

CK_HIP_EXPORT hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *graph) {
  return withWork<std::shared_ptr<ihipGraph>>("hipGraphChildGraphNodeGetGraph", node, graph,
                                              [&](std::shared_ptr<ihipGraph> &child) {
                                                *graph = child.get();
                                                return Result();
                                              });
}

CK_HIP_EXPORT hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                                     const hipKernelNodeParams *params) {
  return setKernelParams("hipGraphKernelNodeSetParams", nullptr, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node,
                                                     const hipMemcpy3DParms *params) {
  return setParams("hipGraphMemcpyNodeSetParams", nullptr, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst,
                                                       const void *src, size_t size,
                                                       hipMemcpyKind kind) {
  const CopyWork work{dst, src, size, kind};
  return setParams("hipGraphMemcpyNodeSetParams1D", nullptr, node, &work);
}

CK_HIP_EXPORT hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node,
                                                     const hipMemsetParams *params) {
  return setParams("hipGraphMemsetNodeSetParams", nullptr, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node,
                                                   const hipHostNodeParams *params) {
  return setParams("hipGraphHostNodeSetParams", nullptr, node, params);
}
