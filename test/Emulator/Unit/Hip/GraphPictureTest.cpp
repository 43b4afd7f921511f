//===- GraphPictureTest.cpp - Graphs as pictures -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What hipGraphDebugDotPrint writes, and textures, which the device does not have.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/Support/MemoryBuffer.h"

// Not in the header of HIP 5.2.
extern "C" hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned flags);

static std::string print(hipGraph_t graph, unsigned flags) {
  const std::string path = testing::TempDir() + "graph-picture.dot";
  EXPECT_HIP(hipGraphDebugDotPrint(graph, path.c_str(), flags));
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

TEST(GraphPicture, NodesAndEdges) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> data(16);
  hipGraph_t graph = nullptr, child = nullptr;
  ASSERT_HIP(hipGraphCreate(&graph, 0));
  ASSERT_HIP(hipGraphCreate(&child, 0));
  hipMemsetParams fill = {};
  fill.dst = data.get();
  fill.elementSize = 4;
  fill.width = 16;
  fill.height = 1;
  hipGraphNode_t first, inner, second;
  ASSERT_HIP(hipGraphAddMemsetNode(&first, graph, nullptr, 0, &fill));
  ASSERT_HIP(hipGraphAddEmptyNode(&inner, child, nullptr, 0));
  ASSERT_HIP(hipGraphAddChildGraphNode(&second, graph, &first, 1, child));
  const std::string plain = print(graph, 0), verbose = print(graph, 1);
  EXPECT_EQ(plain, "digraph graph_1 {\n"
                   "  \"node_0\" [shape=box, label=\"0\\nMEMSET\"];\n"
                   "  \"node_1\" [shape=box, label=\"1\\nGRAPH\"];\n"
                   "  subgraph \"cluster_node_1_\" {\n"
                   "  label=\"graph of node 1\";\n"
                   "  \"node_1_0\" [shape=box, label=\"0\\nEMPTY\"];\n"
                   "  }\n"
                   "  \"node_0\" -> \"node_1\";\n"
                   "}\n");
  EXPECT_NE(verbose.find("16 elements of 4 bytes, 1 rows, to"), std::string::npos) << verbose;
  EXPECT_EQ(hipGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0), hipErrorOperatingSystem);
  expectMessage("cannot write '/no/such/folder/graph.dot'");
  EXPECT_HIP(hipGraphDestroy(child));
  EXPECT_HIP(hipGraphDestroy(graph));
  EXPECT_EQ(hipGraphDebugDotPrint(graph, "unused.dot", 0), hipErrorInvalidValue);
}

TEST(Textures, AreRefused) {
  const hipChannelFormatDesc format =
      hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  EXPECT_EQ(format.x, 8);
  EXPECT_EQ(format.f, hipChannelFormatKindUnsigned);
  hipArray *array = nullptr;
  EXPECT_EQ(hipMallocArray(&array, &format, 4, 4, hipArrayDefault), hipErrorNotSupported);
  expectMessage("hipMallocArray: is not implemented: the device has no textures");
  EXPECT_EQ(array, nullptr);
}
