//===- Access.h - How an instruction uses memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks and the accesses themselves both speak of.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H

#include <cstdint>

namespace mlir::ck::emulator {

/// What is done with the bytes.
enum class Access : uint8_t { Load, Store, Atomic };

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H
