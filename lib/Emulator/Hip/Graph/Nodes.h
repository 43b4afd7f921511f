//===- Nodes.h - Changing what nodes do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same for a node of a graph and for its copy in an executable graph.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_GRAPH_NODES_H
#define CK_MLIR_LIB_EMULATOR_HIP_GRAPH_NODES_H

#include "Emulator/Hip/Graph/Graph.h"

namespace ckemu::hip {

/// The work that `params` describe.
template <class T>
Result takeParams(const T *params, Work &work) {
  if (!params)
    return invalidValue("the parameters of the node are null");
  if constexpr (std::is_same_v<T, hipHostNodeParams>)
    if (!params->fn)
      return invalidValue("the function of the host node is null");
  work = *params;
  return Result();
}

/// `node` itself or, with an executable graph, its copy there; null with the reason in `result`.
/// The caller holds the lock of GraphTables.
hipGraphNode *findNode(hipGraphExec_t exec, hipGraphNode_t node, Result &result);

/// Replaces the work of a node, which stays of its type.
Result setWork(hipGraphExec_t exec, hipGraphNode_t node, Work work);

template <class T>
hipError_t setParams(const char *name, hipGraphExec_t exec, hipGraphNode_t node, const T *params) {
  return call(name, [&](State &) {
    Work work;
    Result result = takeParams(params, work);
    return result.code == hipSuccess ? setWork(exec, node, std::move(work)) : result;
  });
}

inline hipError_t setKernelParams(const char *name, hipGraphExec_t exec, hipGraphNode_t node,
                                  const hipKernelNodeParams *params) {
  return call(name, [&](State &state) {
    Work work;
    Result result = makeKernelWork(state, params, work);
    return result.code == hipSuccess ? setWork(exec, node, std::move(work)) : result;
  });
}

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_GRAPH_NODES_H
