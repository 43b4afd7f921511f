//===- Graph.cpp - HIP: the structure of graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes and the edges between them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Version.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;
using namespace ckemu::hip;

GraphTables &GraphTables::get() {
  // Never destroyed, as State.
  static GraphTables *tables = new GraphTables();
  return *tables;
}

ihipGraph::~ihipGraph() {
  for (hipGraphNode *node : nodes) {
    node->work = std::monostate(); // what is remembered of a destroyed node is its address
    GraphTables::get().nodes.destroy(node);
  }
}

Result hip::addNode(hipGraph_t graph, const hipGraphNode_t *dependencies, size_t numDependencies,
                    Work work, hipGraphNode_t *node) {
  GraphTables &tables = GraphTables::get();
  if (!node)
    return invalidValue("the destination of the node is null");
  if (!tables.graphs.contains(graph))
    return invalidValue(tables.graphs.explain(graph));
  if (numDependencies != 0 && !dependencies)
    return invalidValue("expected " + std::to_string(numDependencies) + " dependencies, got null");
  auto created = std::make_unique<hipGraphNode>();
  for (size_t i = 0; i < numDependencies; ++i) {
    if (!tables.nodes.contains(dependencies[i]) || dependencies[i]->graph != graph)
      return invalidValue("dependency " + std::to_string(i) + " is no node of the graph");
    if (!llvm::is_contained(created->dependencies, dependencies[i]))
      created->dependencies.push_back(dependencies[i]);
  }
  created->graph = graph;
  created->work = std::move(work);
  *node = tables.nodes.add(std::move(created));
  graph->nodes.push_back(*node);
  return Result();
}

NodeType hip::getType(const hipGraphNode &node) {
  switch (node.work.index()) {
  case 1:
    return NodeType::Kernel;
  case 2:
  case 3:
    return NodeType::Copy;
  case 4:
    return NodeType::Fill;
  case 5:
    return NodeType::Host;
  case 6:
    return NodeType::Graph;
  case 7:
    return std::get<EventWork>(node.work).isRecord ? NodeType::RecordEvent : NodeType::WaitEvent;
  case 8:
    return std::get<OtherWork>(node.work).type;
  default:
    return NodeType::Empty;
  }
}

std::unique_ptr<ihipGraph> hip::copyGraph(const ihipGraph &graph) {
  auto copy = std::make_unique<ihipGraph>();
  copy->original = &graph;
  std::map<const hipGraphNode *, hipGraphNode *> copies;
  for (const hipGraphNode *node : graph.nodes) {
    auto created = std::make_unique<hipGraphNode>(*node);
    created->graph = copy.get();
    created->original = node;
    if (auto *child = std::get_if<std::shared_ptr<ihipGraph>>(&created->work))
      *child = copyGraph(**child);
    copies[node] = GraphTables::get().nodes.add(std::move(created));
    copy->nodes.push_back(copies[node]);
  }
  for (hipGraphNode *node : copy->nodes)
    for (hipGraphNode *&dependency : node->dependencies)
      dependency = copies[dependency];
  return copy;
}

Result hip::sortNodes(const ihipGraph &graph, std::vector<hipGraphNode *> &order) {
  order.clear();
  std::set<const hipGraphNode *> done;
  while (order.size() < graph.nodes.size()) {
    const size_t before = order.size();
    for (hipGraphNode *node : graph.nodes) {
      const bool ready = llvm::all_of(node->dependencies,
                                      [&](hipGraphNode *other) { return done.count(other) != 0; });
      if (ready && done.insert(node).second)
        order.push_back(node);
    }
    if (order.size() == before)
      return invalidValue("the edges of the graph form a cycle, which keeps " +
                          std::to_string(graph.nodes.size() - before) + " nodes from running");
  }
  return Result();
}

/// Runs `body(GraphTables &)` with the lock when `graph` exists.
template <class Body>
static hipError_t withGraph(const char *name, hipGraph_t graph, Body body) {
  return call(name, [&](State &) {
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    return tables.graphs.contains(graph) ? body(tables)
                                         : invalidValue(tables.graphs.explain(graph));
  });
}

/// The same for a node.
template <class Body>
static hipError_t withNode(const char *name, hipGraphNode_t node, Body body) {
  return call(name, [&](State &) {
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    return tables.nodes.contains(node) ? body(tables) : invalidValue(tables.nodes.explain(node));
  });
}

/// Copies as many of `nodes` as there is room for in the list `out`, or their number when it is
/// null.
static Result list(const std::vector<hipGraphNode *> &nodes, hipGraphNode_t *out, size_t *count) {
  if (!count)
    return invalidValue("the number of nodes is null");
  for (size_t i = 0; out && i < *count; ++i)
    out[i] = i < nodes.size() ? nodes[i] : nullptr;
  *count = out ? std::min(*count, nodes.size()) : nodes.size();
  return Result();
}

CK_HIP_EXPORT hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags) {
  return call("hipGraphCreate", [&](State &) {
    if (!graph || flags != 0)
      return invalidValue(graph ? "flags must be 0, got " + std::to_string(flags)
                                : "pGraph is null");
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    *graph = tables.graphs.add(std::make_unique<ihipGraph>());
    return Result();
  });
}

/// Destroys the nodes at once; the table remembers the graph.
static void destroyGraph(GraphTables &tables, ihipGraph *graph) {
  for (hipGraphNode *node : graph->nodes) {
    node->work = std::monostate();
    tables.nodes.destroy(node);
  }
  graph->nodes.clear();
  tables.graphs.destroy(graph);
}

CK_HIP_EXPORT hipError_t hipGraphDestroy(hipGraph_t graph) {
  return withGraph("hipGraphDestroy", graph, [&](GraphTables &tables) {
    destroyGraph(tables, graph);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original) {
  return withGraph("hipGraphClone", original, [&](GraphTables &tables) {
    if (!clone)
      return invalidValue("pGraphClone is null");
    *clone = tables.graphs.add(copyGraph(*original));
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphNodeFindInClone(hipGraphNode_t *node, hipGraphNode_t original,
                                                 hipGraph_t clone) {
  return withGraph("hipGraphNodeFindInClone", clone, [&](GraphTables &) {
    if (!node)
      return invalidValue("pNode is null");
    for (hipGraphNode *candidate : clone->nodes)
      if (original && candidate->original == original) {
        *node = candidate;
        return Result();
      }
    return invalidValue("the graph was not cloned from the node's graph");
  });
}

CK_HIP_EXPORT hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
  return withGraph("hipGraphGetNodes", graph,
                   [&](GraphTables &) { return list(graph->nodes, nodes, count); });
}

CK_HIP_EXPORT hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes,
                                              size_t *count) {
  return withGraph("hipGraphGetRootNodes", graph, [&](GraphTables &) {
    std::vector<hipGraphNode *> roots;
    llvm::copy_if(graph->nodes, std::back_inserter(roots),
                  [](const hipGraphNode *node) { return node->dependencies.empty(); });
    return list(roots, nodes, count);
  });
}

CK_HIP_EXPORT hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from,
                                          hipGraphNode_t *to, size_t *count) {
  return withGraph("hipGraphGetEdges", graph, [&](GraphTables &) {
    if (!from != !to)
      return invalidValue("expected both lists or none");
    std::vector<hipGraphNode *> begins, ends;
    for (hipGraphNode *node : graph->nodes)
      for (hipGraphNode *dependency : node->dependencies) {
        begins.push_back(dependency);
        ends.push_back(node);
      }
    size_t room = count ? *count : 0;
    Result result = list(begins, from, count);
    return result.code == hipSuccess && to ? list(ends, to, &room) : result;
  });
}

CK_HIP_EXPORT hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type) {
  return withNode("hipGraphNodeGetType", node, [&](GraphTables &) {
    if (!type)
      return invalidValue("pType is null");
    const unsigned number = unsigned(getType(*node));
    *type = hipGraphNodeType(getHipVersion() >= 6 ? number : number + 1);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *nodes,
                                                     size_t *count) {
  return withNode("hipGraphNodeGetDependencies", node,
                  [&](GraphTables &) { return list(node->dependencies, nodes, count); });
}

CK_HIP_EXPORT hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes,
                                                       size_t *count) {
  return withNode("hipGraphNodeGetDependentNodes", node, [&](GraphTables &) {
    std::vector<hipGraphNode *> dependents;
    llvm::copy_if(
        node->graph->nodes, std::back_inserter(dependents),
        [&](const hipGraphNode *other) { return llvm::is_contained(other->dependencies, node); });
    return list(dependents, nodes, count);
  });
}

/// Calls `edge(from, to)` for each of the edges, whose nodes must be in the graph.
template <class Edge>
static Result forEachEdge(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                          size_t count, Edge edge) {
  if (count != 0 && (!from || !to))
    return invalidValue("expected " + std::to_string(count) + " edges, got null");
  for (size_t i = 0; i < count; ++i)
    for (hipGraphNode_t node : {from[i], to[i]})
      if (!llvm::is_contained(graph->nodes, node))
        return invalidValue("an end of edge " + std::to_string(i) + " is no node of the graph");
  for (size_t i = 0; i < count; ++i)
    if (Result result = edge(from[i], to[i]); result.code != hipSuccess)
      return result;
  return Result();
}

CK_HIP_EXPORT hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                                 const hipGraphNode_t *to, size_t count) {
  return withGraph("hipGraphAddDependencies", graph, [&](GraphTables &) {
    return forEachEdge(graph, from, to, count, [](hipGraphNode_t before, hipGraphNode_t after) {
      if (before == after || llvm::is_contained(after->dependencies, before))
        return invalidValue("the edge is there already, or leads from a node to itself");
      after->dependencies.push_back(before);
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                                    const hipGraphNode_t *to, size_t count) {
  return withGraph("hipGraphRemoveDependencies", graph, [&](GraphTables &) {
    return forEachEdge(graph, from, to, count, [](hipGraphNode_t before, hipGraphNode_t after) {
      if (!llvm::is_contained(after->dependencies, before))
        return invalidValue("the edge is not there");
      llvm::erase(after->dependencies, before);
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return withNode("hipGraphDestroyNode", node, [&](GraphTables &tables) {
    llvm::erase(node->graph->nodes, node);
    for (hipGraphNode *other : node->graph->nodes)
      llvm::erase(other->dependencies, node);
    node->work = std::monostate();
    tables.nodes.destroy(node);
    return Result();
  });
}
