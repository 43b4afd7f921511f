//===- Empty.cl - A kernel that does nothing -*- OpenCL -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests of instructions on memory need a launch to run in: this is what they launch.
//
//===----------------------------------------------------------------------===//

kernel void empty() {}
