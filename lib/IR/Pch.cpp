//===- Pch.cpp - Owner of the precompiled headers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other libraries reuse what this target precompiles (see add_ck_library).
//
//===----------------------------------------------------------------------===//
