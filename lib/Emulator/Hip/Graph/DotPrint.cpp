//===- DotPrint.cpp - HIP: graphs as pictures -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph in the language of Graphviz: nodes by number in the order in which they were added, an
// edge from each to those that depend on it; graphs in nodes are clusters.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Load/KernelName.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GraphWriter.h"

using namespace ckemu;
using namespace ckemu::hip;

static std::string describeType(NodeType type) {
  switch (type) {
  case NodeType::Kernel:
    return "KERNEL";
  case NodeType::Copy:
    return "MEMCPY";
  case NodeType::Fill:
    return "MEMSET";
  case NodeType::Host:
    return "HOST";
  case NodeType::Graph:
    return "GRAPH";
  case NodeType::Empty:
    return "EMPTY";
  case NodeType::WaitEvent:
    return "EVENT_WAIT";
  case NodeType::RecordEvent:
    return "EVENT_RECORD";
  }
  return "";
}

/// What the node does it with.
static std::string describeParameters(const hipGraphNode &node) {
  if (const auto *kernel = std::get_if<KernelWork>(&node.work)) {
    const LaunchShape &shape = kernel->shape;
    return llvm::formatv("\ngrid {0}x{1}x{2}, block {3}x{4}x{5}, {6} bytes of dynamic LDS",
                         shape.groups[0], shape.groups[1], shape.groups[2], shape.groupSize[0],
                         shape.groupSize[1], shape.groupSize[2], shape.dynamicLds);
  }
  if (const auto *copy = std::get_if<CopyWork>(&node.work))
    return llvm::formatv("\n{0} bytes from {1} to {2}", copy->size, copy->src, copy->dst);
  if (const auto *fill = std::get_if<hipMemsetParams>(&node.work))
    return llvm::formatv("\n{0} elements of {1} bytes, {2} rows, to {3}, value {4}", fill->width,
                         fill->elementSize, fill->height, fill->dst, fill->value);
  if (const auto *host = std::get_if<hipHostNodeParams>(&node.work))
    return llvm::formatv("\nfunction {0}", reinterpret_cast<void *>(host->fn));
  if (const auto *event = std::get_if<EventWork>(&node.work))
    return llvm::formatv("\nevent {0}", static_cast<void *>(event->event));
  return std::string();
}

static std::string describeNode(const hipGraphNode &node, size_t number, bool withParameters) {
  std::string text = std::to_string(number) + "\n" + describeType(getType(node));
  if (const auto *kernel = std::get_if<KernelWork>(&node.work))
    text += "\n" + shortenKernelName(kernel->function->kernel->metadata.name);
  return withParameters ? text + describeParameters(node) : text;
}

/// The statements for the nodes and edges of `graph`, whose names begin with `prefix`.
static void writeGraph(llvm::raw_ostream &os, const ihipGraph &graph, const std::string &prefix,
                       bool withParameters) {
  std::map<const hipGraphNode *, size_t> numbers;
  for (const hipGraphNode *node : graph.nodes)
    numbers.emplace(node, numbers.size());
  for (const hipGraphNode *node : graph.nodes) {
    const size_t number = numbers[node];
    os << "  \"" << prefix << number << "\" [shape=box, label=\""
       << llvm::DOT::EscapeString(describeNode(*node, number, withParameters)) << "\"];\n";
    if (const auto *child = std::get_if<std::shared_ptr<ihipGraph>>(&node->work)) {
      const std::string name = prefix + std::to_string(number) + "_";
      os << "  subgraph \"cluster_" << name << "\" {\n  label=\"graph of node " << number
         << "\";\n";
      writeGraph(os, **child, name, withParameters);
      os << "  }\n";
    }
  }
  for (const hipGraphNode *node : graph.nodes)
    for (const hipGraphNode *before : node->dependencies)
      os << "  \"" << prefix << numbers[before] << "\" -> \"" << prefix << numbers[node] << "\";\n";
}

/// Flags other than 0 ask for the parameters of some or all kinds of nodes; all are shown then.
CK_HIP_EXPORT hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path,
                                               unsigned int flags) {
  return call("hipGraphDebugDotPrint", [&](State &) {
    if (!path)
      return invalidValue("path is null");
    std::string text;
    {
      GraphTables &tables = GraphTables::get();
      std::lock_guard<std::mutex> lock(tables.mutex);
      if (!tables.graphs.contains(graph))
        return invalidValue(tables.graphs.explain(graph));
      llvm::raw_string_ostream os(text);
      os << "digraph graph_1 {\n";
      writeGraph(os, *graph, "node_", flags != 0);
      os << "}\n";
    }
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error) {
      file << text;
      file.close();
      error = file.error();
      file.clear_error();
    }
    return error ? Result(hipErrorOperatingSystem,
                          "cannot write '" + std::string(path) + "': " + error.message())
                 : Result();
  });
}
