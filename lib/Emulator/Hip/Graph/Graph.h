//===- Graph.h - Graphs of work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph is built by hand or by capturing streams, copied when it is instantiated, and run node
// after node in an order that its dependencies permit.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_GRAPH_GRAPH_H
#define CK_MLIR_LIB_EMULATOR_HIP_GRAPH_GRAPH_H

#include "Emulator/Hip/State.h"
#include <functional>
#include <variant>

namespace ckemu::hip {

/// hipGraphNodeType; the numbers of HIP 6 and 7. Those of HIP 5 begin with 1.
enum class NodeType : unsigned {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  Graph = 4,
  Empty = 5,
  WaitEvent = 6,
  RecordEvent = 7
};

/// A launch with its own copy of the arguments.
struct KernelWork {
  hipFunction_t function = nullptr;
  LaunchShape shape;
  std::vector<uint8_t> arguments;
  bool cooperative = false;
  hipKernelNodeParams params = {};  ///< as the program gave them, for hipGraphKernelNodeGetParams
  std::vector<void *> kernelParams; ///< addresses of the arguments in `arguments`
};

/// A copy of consecutive bytes.
struct CopyWork {
  void *dst = nullptr;
  const void *src = nullptr;
  size_t size = 0;
  hipMemcpyKind kind = hipMemcpyDefault;
};

/// An event that is recorded or waited for.
struct EventWork {
  hipEvent_t event = nullptr;
  bool isRecord = false;
};

/// Captured work of which nobody asks for the parameters.
struct OtherWork {
  NodeType type = NodeType::Empty;
  std::function<Result(State &)> run;
};

/// What a node does; nothing: an empty node. A graph is one of the graph's own.
using Work = std::variant<std::monostate, KernelWork, CopyWork, hipMemcpy3DParms, hipMemsetParams,
                          hipHostNodeParams, std::shared_ptr<ihipGraph>, EventWork, OtherWork>;

} // namespace ckemu::hip

/// A node of one graph.
struct hipGraphNode {
  ihipGraph *graph = nullptr;
  ckemu::hip::Work work;
  std::vector<hipGraphNode *> dependencies;
  const hipGraphNode *original = nullptr; ///< of a copied graph's node
  bool enabled = true;
};

/// A graph with its nodes in the order in which they were added.
struct ihipGraph {
  ~ihipGraph();
  std::vector<hipGraphNode *> nodes;
  const ihipGraph *original = nullptr; ///< of a copied graph
};

/// A copy of a graph in an order in which it can run.
struct hipGraphExec {
  std::unique_ptr<ihipGraph> graph;
  std::vector<hipGraphNode *> order;
  unsigned long long flags = 0;
};

namespace ckemu::hip {

/// The graphs of the process. `mutex` guards them and all that they hold, and captures.
struct GraphTables {
  static GraphTables &get();
  std::mutex mutex;
  HandleTable<ihipGraph> graphs{"graph", "destroyed"};
  HandleTable<hipGraphNode> nodes{"graph node", "destroyed"};
  HandleTable<hipGraphExec> execs{"executable graph", "destroyed"};
};

/// Streams that are captured into one graph.
struct Capture {
  hipGraph_t graph = nullptr; ///< null once the capture has ended
  hipStream_t origin = nullptr;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  unsigned long long id = 0;
  std::string failure; ///< why it was invalidated
  std::vector<hipStream_t> streams;
};

/// True when `stream` is being captured.
bool isCapturing(State &state, hipStream_t stream);
/// True when `stream` is being captured; `work` is then added to its graph and `result` says
/// whether that could be done. The caller holds no lock.
bool captureWork(State &state, hipStream_t stream, Work work, Result &result);
/// True when `stream` is being captured, which `what` is not permitted for: the capture is
/// invalidated and `result` says so.
bool refuseInCapture(State &state, hipStream_t stream, const char *what, Result &result);

/// The event in a captured stream: true when it was handled, with what came of it in `result`.
bool captureRecord(State &state, hipStream_t stream, hipEvent_t event, Result &result);
bool captureWait(State &state, hipStream_t stream, hipEvent_t event, Result &result);
/// Success unless `event` was last recorded in a stream that is being captured.
Result checkNotCaptured(State &state, hipEvent_t event);
/// Success when `event` exists.
Result checkEvent(State &state, hipEvent_t event);

/// The functions below want the lock of GraphTables.

/// Adds a node that depends on `dependencies`, which must be nodes of `graph`.
Result addNode(hipGraph_t graph, const hipGraphNode_t *dependencies, size_t numDependencies,
               Work work, hipGraphNode_t *node);
NodeType getType(const hipGraphNode &node);
/// A copy of `graph`, whose nodes name the originals.
std::unique_ptr<ihipGraph> copyGraph(const ihipGraph &graph);
/// Nodes of `graph` after those that they depend on; fails on a cycle.
Result sortNodes(const ihipGraph &graph, std::vector<hipGraphNode *> &order);

/// Runs the nodes of `graph` in order until one fails.
Result runGraph(State &state, hipStream_t stream, const ihipGraph &graph);
Result runNode(State &state, hipStream_t stream, const hipGraphNode &node);

/// The work that the parameters of a kernel node describe.
Result makeKernelWork(State &state, const hipKernelNodeParams *params, Work &work);
/// The work of a captured or added launch.
Result makeKernelWork(const LaunchRequest &request, KernelWork &work);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_GRAPH_GRAPH_H
