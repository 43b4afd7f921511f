//===- Exec.cpp - HIP: executable graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instantiating graphs, changing what was instantiated, launching it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Nodes.h"

using namespace ckemu;
using namespace ckemu::hip;

static hipError_t instantiate(const char *name, hipGraphExec_t *exec, hipGraph_t graph,
                              hipGraphNode_t *errorNode, unsigned long long flags) {
  return call(name, [&](State &) {
    if (!exec)
      return invalidValue("pGraphExec is null");
    if (errorNode)
      *errorNode = nullptr;
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    if (!tables.graphs.contains(graph))
      return invalidValue(tables.graphs.explain(graph));
    auto created = std::make_unique<hipGraphExec>();
    created->graph = copyGraph(*graph);
    created->flags = flags;
    Result result = sortNodes(*created->graph, created->order);
    if (result.code == hipSuccess)
      *exec = tables.execs.add(std::move(created));
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph,
                                             hipGraphNode_t *errorNode, char *log,
                                             size_t logBytes) {
  if (log && logBytes != 0)
    *log = '\0';
  return instantiate("hipGraphInstantiate", exec, graph, errorNode, 0);
}

CK_HIP_EXPORT hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                                      unsigned long long flags) {
  return instantiate("hipGraphInstantiateWithFlags", exec, graph, nullptr, flags);
}

/// Runs `body()` with the lock when `exec` exists.
template <class Body>
static hipError_t withExec(const char *name, hipGraphExec_t exec, Body body) {
  return call(name, [&](State &state) {
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    return tables.execs.contains(exec) ? body(state) : invalidValue(tables.execs.explain(exec));
  });
}

CK_HIP_EXPORT hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long *flags) {
  return withExec("hipGraphExecGetFlags", exec, [&](State &) {
    if (!flags)
      return invalidValue("flags is null");
    *flags = exec->flags;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return call("hipGraphExecDestroy", [&](State &state) {
    GraphTables &tables = GraphTables::get();
    {
      std::lock_guard<std::mutex> lock(tables.mutex);
      if (!tables.execs.contains(exec))
        return invalidValue(tables.execs.explain(exec));
      tables.execs.destroy(exec);
    }
    state.active.wait(); // another thread may run it
    std::lock_guard<std::mutex> lock(tables.mutex);
    exec->graph.reset();
    return Result();
  });
}

/// The order, when `exec` exists.
static Result getOrder(hipGraphExec_t exec, std::vector<hipGraphNode *> &order) {
  GraphTables &tables = GraphTables::get();
  std::lock_guard<std::mutex> lock(tables.mutex);
  if (!tables.execs.contains(exec))
    return invalidValue(tables.execs.explain(exec));
  order = exec->order;
  return Result();
}

/// A launch that is captured becomes a child graph.
static bool captureLaunch(State &state, hipGraphExec_t exec, hipStream_t stream, Result &result) {
  Work child;
  {
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    if (tables.execs.contains(exec))
      child = std::shared_ptr<ihipGraph>(copyGraph(*exec->graph));
  }
  return captureWork(state, stream, std::move(child), result);
}

CK_HIP_EXPORT hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return call("hipGraphLaunch", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess)
      return result;
    if (isCapturing(state, stream)) {
      captureLaunch(state, exec, stream, result);
      return result;
    }
    ActiveWork::Scope scope(state.active, stream);
    std::vector<hipGraphNode *> order;
    result = getOrder(exec, order);
    for (size_t i = 0; i < order.size() && result.code == hipSuccess; ++i)
      result = runNode(state, stream, *order[i]);
    return result;
  });
}

/// There is nothing to bring to the device before the launch.
CK_HIP_EXPORT hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return withExec("hipGraphUpload", exec, [&](State &state) { return checkStream(state, stream); });
}

hipGraphNode *hip::findNode(hipGraphExec_t exec, hipGraphNode_t node, Result &result) {
  GraphTables &tables = GraphTables::get();
  if (!exec) {
    if (!tables.nodes.contains(node))
      result = invalidValue(tables.nodes.explain(node));
    return result.code == hipSuccess ? node : nullptr;
  }
  if (!tables.execs.contains(exec)) {
    result = invalidValue(tables.execs.explain(exec));
    return nullptr;
  }
  for (hipGraphNode *copy : exec->graph->nodes)
    if (node && copy->original == node)
      return copy;
  result = invalidValue("the executable graph was not made from the node's graph");
  return nullptr;
}

Result hip::setWork(hipGraphExec_t exec, hipGraphNode_t node, Work work) {
  if (exec)
    State::get().active.wait(); // another thread may run it
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  Result result;
  hipGraphNode *found = findNode(exec, node, result);
  if (!found)
    return result;
  hipGraphNode changed;
  changed.work = std::move(work);
  if (getType(changed) != getType(*found))
    return invalidValue("the node is of another type");
  found->work = std::move(changed.work);
  return Result();
}

CK_HIP_EXPORT hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                         const hipKernelNodeParams *params) {
  return setKernelParams("hipGraphExecKernelNodeSetParams", exec, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                         hipMemcpy3DParms *params) {
  return setParams("hipGraphExecMemcpyNodeSetParams", exec, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node,
                                                           void *dst, const void *src, size_t size,
                                                           hipMemcpyKind kind) {
  const CopyWork work{dst, src, size, kind};
  return setParams("hipGraphExecMemcpyNodeSetParams1D", exec, node, &work);
}

CK_HIP_EXPORT hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                         const hipMemsetParams *params) {
  return setParams("hipGraphExecMemsetNodeSetParams", exec, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                       const hipHostNodeParams *params) {
  return setParams("hipGraphExecHostNodeSetParams", exec, node, params);
}

CK_HIP_EXPORT hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node,
                                                unsigned int enabled) {
  return withExec("hipGraphNodeSetEnabled", exec, [&](State &) {
    Result result;
    if (hipGraphNode *found = findNode(exec, node, result))
      found->enabled = enabled != 0;
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node,
                                                unsigned int *enabled) {
  return withExec("hipGraphNodeGetEnabled", exec, [&](State &) {
    Result result;
    if (!enabled)
      return invalidValue("isEnabled is null");
    if (hipGraphNode *found = findNode(exec, node, result))
      *enabled = found->enabled;
    return result;
  });
}

/// Success when the graphs have the same nodes and edges; else why not, and the node.
static hipGraphExecUpdateResult compare(const ihipGraph &exec, const ihipGraph &graph,
                                        hipGraphNode_t &errorNode) {
  if (exec.nodes.size() != graph.nodes.size())
    return hipGraphExecUpdateErrorTopologyChanged;
  std::map<const hipGraphNode *, size_t> places, execPlaces;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    places[graph.nodes[i]] = i;
    execPlaces[exec.nodes[i]] = i;
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    errorNode = graph.nodes[i];
    std::set<size_t> before, execBefore;
    for (const hipGraphNode *node : graph.nodes[i]->dependencies)
      before.insert(places[node]);
    for (const hipGraphNode *node : exec.nodes[i]->dependencies)
      execBefore.insert(execPlaces[node]);
    if (before != execBefore)
      return hipGraphExecUpdateErrorTopologyChanged;
    if (getType(*graph.nodes[i]) != getType(*exec.nodes[i]))
      return hipGraphExecUpdateErrorNodeTypeChanged;
  }
  errorNode = nullptr;
  return hipGraphExecUpdateSuccess;
}

CK_HIP_EXPORT hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph,
                                            hipGraphNode_t *errorNode,
                                            hipGraphExecUpdateResult *updateResult) {
  State::get().active.wait(); // another thread may run it
  return withExec("hipGraphExecUpdate", exec, [&](State &) {
    if (!errorNode || !updateResult)
      return invalidValue("a destination is null");
    GraphTables &tables = GraphTables::get();
    if (!tables.graphs.contains(graph))
      return invalidValue(tables.graphs.explain(graph));
    *updateResult = compare(*exec->graph, *graph, *errorNode);
    if (*updateResult != hipGraphExecUpdateSuccess)
      return Result(hipErrorGraphExecUpdateFailure,
                    *updateResult == hipGraphExecUpdateErrorNodeTypeChanged
                        ? "the type of a node has changed"
                        : "the nodes or edges of the graph have changed");
    std::unique_ptr<ihipGraph> updated = copyGraph(*graph);
    std::vector<hipGraphNode *> order;
    Result result = sortNodes(*updated, order);
    if (result.code == hipSuccess) {
      for (size_t i = 0; i < updated->nodes.size(); ++i) // the graph that it was made from stays
        updated->nodes[i]->original = exec->graph->nodes[i]->original;
      exec->graph = std::move(updated);
      exec->order = std::move(order);
    }
    return result;
  });
}
