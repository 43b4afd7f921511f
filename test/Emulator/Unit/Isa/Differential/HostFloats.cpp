//===- HostFloats.cpp - Floats.cl for the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Portable.h.
//
//===----------------------------------------------------------------------===//

#define SOURCE "Floats"
#include "Floats.cl"
