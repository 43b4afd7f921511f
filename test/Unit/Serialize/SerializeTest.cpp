//===- SerializeTest.cpp - Code objects from hand-written modules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The serializer makes loadable code objects, and nothing that it is given aborts the process.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include <thread>

using namespace mlir;
using namespace mlir::ck;

TEST(Serialize, CodeObjectAndMetadata) {
  llvm::Expected<SerializedModule> serialized = serializeText(makeKernel(kStoreLane));
  ASSERT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError());
  EXPECT_TRUE(llvm::StringRef(serialized->codeObject)
                  .starts_with("\x7f"
                               "ELF"));
  EXPECT_TRUE(serialized->assembly.empty());
  ASSERT_EQ(serialized->kernels.size(), 1u);
  const KernelResources &kernel = serialized->kernels.front();
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.scratchBytes, 0);
  EXPECT_EQ(kernel.ldsBytes, 0);
  EXPECT_EQ(kernel.maxThreads, 64);
  EXPECT_GT(kernel.vgprs, 0);
  EXPECT_GT(kernel.sgprs, 0);
  EXPECT_GT(kernel.codeBytes, 0);
  // One pointer: a kernel that needs no hidden arguments has none.
  EXPECT_EQ(kernel.kernargBytes, 8);
}

TEST(Serialize, AssemblyOnRequest) {
  SerializeOptions options;
  options.emitAssembly = true;
  options.emitCodeObject = false;
  llvm::Expected<SerializedModule> serialized = serializeText(makeKernel(kStoreLane), options);
  ASSERT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError());
  EXPECT_TRUE(serialized->codeObject.empty());
  EXPECT_NE(serialized->assembly.find("global_store_dword"), std::string::npos);
  EXPECT_NE(serialized->assembly.find("gfx942"), std::string::npos);
}

TEST(Serialize, ObjectOnRequest) {
  SerializeOptions options;
  options.emitObject = true;
  options.emitCodeObject = false;
  llvm::Expected<SerializedModule> serialized = serializeText(makeKernel(kStoreLane), options);
  ASSERT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError());
  EXPECT_TRUE(serialized->codeObject.empty());
  ASSERT_GT(serialized->object.size(), 17u);
  EXPECT_EQ(serialized->object[16], 1); // e_type: relocatable
}

TEST(Serialize, StagesAreTimed) {
  llvm::Expected<SerializedModule> serialized = serializeText(makeKernel(kStoreLane));
  ASSERT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError());
  std::vector<std::string> names;
  for (const auto &[name, milliseconds] : serialized->stages)
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"translate", "optimize", "codegen", "link"}));
}

TEST(Serialize, SameInputGivesSameBytes) {
  std::string text = makeKernel(kStoreLane);
  EXPECT_EQ(llvm::cantFail(serializeText(text)).codeObject,
            llvm::cantFail(serializeText(text)).codeObject);
}

TEST(Serialize, ThreadsDoNotDisturbEachOther) {
  std::string text = makeKernel(kStoreLane);
  std::string expected = llvm::cantFail(serializeText(text)).codeObject;
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&] { result = llvm::cantFail(serializeText(text)).codeObject; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}

TEST(SerializeErrors, LdsOverTheLimit) {
  std::string lds = "llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} "
                    ": !llvm.array<70000 x i8>";
  std::string use =
      "%lds = llvm.mlir.addressof @lds : !llvm.ptr<3>\n"
      "%q = llvm.getelementptr %lds[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
      "llvm.store volatile %lane, %q : i32, !llvm.ptr<3>";
  std::string error = getSerializeError(makeKernel(use, "gfx942", lds));
  EXPECT_NE(error.find("failed to generate code"), std::string::npos) << error;
  EXPECT_NE(error.find("local memory"), std::string::npos) << error;
}

TEST(SerializeErrors, IntrinsicOfAnotherChip) {
  std::string barrier = "rocdl.s.barrier.signal id = -1";
  EXPECT_EQ(getSerializeError(makeKernel(barrier)),
            "llvm.amdgcn.s.barrier.signal is not supported on gfx942: it requires +gfx12-insts");
}

TEST(SerializeErrors, MatrixInstructionOfAnotherChip) {
  std::string mfma =
      "%a = llvm.mlir.constant(dense<0.0> : vector<8xf16>) : vector<8xf16>\n"
      "%c = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>\n"
      "%z = llvm.mlir.constant(0 : i32) : i32\n"
      "%d = rocdl.mfma.f32.32x32x16.f16 %a, %a, %c, %z, %z, %z : "
      "(vector<8xf16>, vector<8xf16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>\n"
      "llvm.store %d, %out : vector<16xf32>, !llvm.ptr<1>";
  EXPECT_EQ(getSerializeError(makeKernel(mfma)),
            "llvm.amdgcn.mfma.f32.32x32x16.f16 is not supported on gfx942: it requires "
            "+gfx950-insts");
  EXPECT_EQ(getSerializeError(makeKernel(mfma, "gfx950")), "serialized");
}

TEST(SerializeErrors, UnknownIntrinsic) {
  std::string call = "%v = llvm.call_intrinsic \"llvm.amdgcn.s.getreg\"(%r) : (i32) -> i32";
  std::string error =
      getSerializeError(makeKernel("%r = llvm.mlir.constant(0 : i32) : i32\n" + call));
  EXPECT_EQ(error, "llvm.amdgcn.s.getreg is not supported on gfx942: it is not known to be "
                   "selectable");
}

TEST(SerializeErrors, InlineAssembly) {
  EXPECT_EQ(
      getSerializeError(makeKernel("llvm.inline_asm has_side_effects \"foo\", \"\" : () -> ()")),
      "inline assembly is not supported in function 'k'");
}

TEST(SerializeErrors, UndefinedSymbol) {
  std::string error = getSerializeError(
      makeKernel("llvm.call @missing() : () -> ()", "gfx942", "llvm.func @missing()"));
  EXPECT_NE(error.find("failed to link the code object"), std::string::npos) << error;
  EXPECT_NE(error.find("missing"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(SerializeErrors, OtherDialect) {
  EXPECT_EQ(getSerializeError(makeKernel("%c = arith.constant 1 : i32")),
            "expected only llvm and rocdl operations in gpu.module @kernels, got 'arith.constant'");
}

TEST(SerializeErrors, UnknownChip) {
  EXPECT_EQ(getSerializeError(makeKernel(kStoreLane, "gfx9999")), "unknown chip 'gfx9999'");
}

TEST(SerializeErrors, NoTarget) {
  EXPECT_EQ(getSerializeError("gpu.module @kernels {}"),
            "gpu.module @kernels requires one #rocdl.target, got 0 targets");
}
