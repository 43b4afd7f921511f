//===- Manifest.cpp - What a compiled program tells its users -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The manifest holds everything that a program needs to load and launch the kernels, and nothing
// that changes from one compilation to the next.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::ck;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

double CompiledProgram::getCompileMilliseconds() const {
  double total = 0;
  for (const auto &[name, milliseconds] : stages)
    total += milliseconds;
  return total;
}

static Object toJson(const TensorDesc &tensor, llvm::StringRef access) {
  return Object{{"name", tensor.name},          {"access", access},
                {"type", getName(tensor.type)}, {"layout", tensor.layout},
                {"shape", Array(tensor.shape)}, {"bytes", tensor.getSizeInBytes()}};
}

static Object toJson(const KernelInfo &kernel) {
  return Object{{"name", kernel.name},
                {"grid", Array(kernel.grid)},
                {"block", Array(kernel.block)},
                {"arguments", Array(kernel.arguments)},
                {"vgprs", kernel.vgprs},
                {"agprs", kernel.agprs},
                {"sgprs", kernel.sgprs},
                {"lds_bytes", kernel.ldsBytes},
                {"scratch_bytes", kernel.scratchBytes},
                {"code_bytes", kernel.codeBytes},
                {"vgpr_spills", kernel.vgprSpills},
                {"sgpr_spills", kernel.sgprSpills}};
}

Value CompiledProgram::toManifest() const {
  Array tensors;
  for (const TensorDesc &tensor : getReads(problem))
    tensors.push_back(toJson(tensor, "read"));
  TensorDesc output = getWrite(problem);
  tensors.push_back(toJson(output, "write"));
  Array kernelList;
  for (const KernelInfo &kernel : kernels)
    kernelList.push_back(toJson(kernel));
  Array zeroFill;
  if (zeroFillOutput)
    zeroFill.push_back(output.name);
  return Object{{"problem", toString(problem)},
                {"chip", chip},
                {"schedule", toString(schedule)},
                {"tensors", std::move(tensors)},
                {"kernels", std::move(kernelList)},
                {"workspace_bytes", workspaceBytes},
                {"workspace_alignment", kWorkspaceAlignment},
                {"residents", residents},
                {"workspace_zero_bytes", workspaceZeroBytes},
                {"zero_fill", std::move(zeroFill)}};
}
