//===- InterleaveProductsTest.cpp - The order of a loop -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that place accumulators in AGPRs come in the order that their scheduling groups ask for.
// Read from the assembly, which is in that order.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ck;

/// The matrix instructions ("m"), reads of LDS ("r") and multiplications of integers ("o") of a
/// kernel for gfx950, in the order of its assembly. In the IR two reads, each behind a
/// multiplication that its address needs, are in front of twelve matrix instructions, and `groups`
/// behind them.
static std::string orderOf(llvm::StringRef groups) {
  std::string body = "%none = llvm.mlir.constant(0 : i32) : i32\n"
                     "%lds = llvm.mlir.addressof @lds : !llvm.ptr<3>\n"
                     "%acc = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>\n"
                     "%f = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>\n"
                     "llvm.store volatile %lane, %lds : i32, !llvm.ptr<3>\n"
                     "rocdl.sched.barrier 0\n";
  for (const std::string i : {"0", "1"})
    body += "%i" + i + " = llvm.mul %lane, " + (i == "0" ? "%lane" : "%i0") + " : i32\n%p" + i +
            " = llvm.getelementptr %lds[%i" + i + "] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8\n" +
            "%r" + i + " = llvm.load %p" + i + " : !llvm.ptr<3> -> vector<8xf16>\n";
  for (int i = 0; i < 12; ++i)
    body +=
        "%m" + std::to_string(i) + " = rocdl.mfma.f32.16x16x32.f16 %f, %f, " +
        (i == 0 ? "%acc" : "%m" + std::to_string(i - 1)) +
        ", %none, %none, %none : (vector<8xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> "
        "vector<4xf32>\n";
  body += groups;
  body += "rocdl.sched.barrier 0\n"
          "llvm.store volatile %m11, %out : vector<4xf32>, !llvm.ptr<1>\n"
          "llvm.store volatile %r0, %out : vector<8xf16>, !llvm.ptr<1>\n"
          "llvm.store volatile %r1, %out : vector<8xf16>, !llvm.ptr<1>\n";
  std::string text = makeKernel(body, "gfx950",
                                "llvm.mlir.global internal @lds() {addr_space = 3 : i32, "
                                "alignment = 16 : i64} : !llvm.array<65536 x i8>");
  const llvm::StringRef mark = "attributes {";
  text.insert(text.find(mark) + mark.size(), "passthrough = [[\"amdgpu-agpr-alloc\", \"64\"]], ");
  SerializeOptions options;
  options.emitAssembly = true;
  llvm::Expected<SerializedModule> serialized = serializeText(text, options);
  EXPECT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError()) << text;
  std::string order;
  if (!serialized)
    return order;
  for (llvm::StringRef line : llvm::split(serialized->assembly, '\n')) {
    line = line.trim();
    if (line.starts_with("v_mfma"))
      order += 'm';
    else if (line.starts_with("ds_read"))
      order += 'r';
    else if (line.starts_with("v_mul"))
      order += 'o';
  }
  return order;
}

TEST(InterleaveProducts, GroupsSayWhereReadsAre) {
  EXPECT_EQ(orderOf("rocdl.sched.group.barrier 8, 4, 0\n rocdl.sched.group.barrier 256, 1, 0\n"
                    "rocdl.sched.group.barrier 8, 6, 0\n rocdl.sched.group.barrier 256, 1, 0\n"),
            "mmmmormmmmmmormm");
}

TEST(InterleaveProducts, TwoReadsInOneGroup) {
  EXPECT_EQ(orderOf("rocdl.sched.group.barrier 8, 2, 0\n rocdl.sched.group.barrier 256, 2, 0\n"),
            "momorrmmmmmmmmmm");
}

TEST(InterleaveProducts, GroupsThatDoNotNameAllReads) {
  const std::string order =
      orderOf("rocdl.sched.group.barrier 8, 4, 0\n rocdl.sched.group.barrier 256, 1, 0\n");
  EXPECT_EQ(llvm::count(order, 'm'), 12);
  EXPECT_EQ(llvm::count(order, 'r'), 2);
}

TEST(InterleaveProducts, MoreProductsThanThereAre) {
  const std::string order =
      orderOf("rocdl.sched.group.barrier 8, 14, 0\n rocdl.sched.group.barrier 256, 2, 0\n");
  EXPECT_EQ(llvm::count(order, 'm'), 12);
  EXPECT_EQ(llvm::count(order, 'r'), 2);
}
