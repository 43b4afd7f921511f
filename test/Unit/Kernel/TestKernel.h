//===- TestKernel.h - Kernels and folders of tests -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small enough to be compiled in every test that needs one.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_KERNEL_TESTKERNEL_H
#define CK_MLIR_TEST_UNIT_KERNEL_TESTKERNEL_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Kernel/KernelRequest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <string>

/// A problem that is compiled in a few hundredths of a second.
inline mlir::ck::KernelRequest makeRequest(int64_t n = 1) {
  mlir::ck::KernelRequest request;
  request.problem = "gemm:f16:M=" + std::to_string(32 * n) + ",N=32,K=32";
  request.schedule = "tile=32x32x32,partition=data_parallel";
  return request;
}

/// An image with one kernel, which is never run.
inline mlir::ck::KernelImage makeImage(const std::string &codeObject) {
  return llvm::cantFail(mlir::ck::KernelImage::parse(
      R"({"problem": "p", "chip": "gfx942", "schedule": "s", "workspace_bytes": 0,
          "workspace_alignment": 128, "workspace_zero_bytes": 0, "zero_fill": [],
          "tensors": [{"name": "c", "access": "write", "type": "f16", "layout": "MN",
                       "shape": [2, 3], "bytes": 12}],
          "kernels": [{"name": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "arguments": ["c"],
                       "vgprs": 1, "agprs": 0, "sgprs": 2, "lds_bytes": 0, "scratch_bytes": 0,
                       "code_bytes": 4}]})",
      codeObject));
}

/// A new folder that is removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() { (void)llvm::sys::fs::createUniqueDirectory("ck-library", path); }
  ~TemporaryFolder() { (void)llvm::sys::fs::remove_directories(path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string get() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
};

#endif // CK_MLIR_TEST_UNIT_KERNEL_TESTKERNEL_H
