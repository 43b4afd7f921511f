//===- Refuse.h - HSA functions that are not implemented -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions share that the emulator refuses; without the types of HSA's header.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HSA_REFUSE_H
#define CK_MLIR_LIB_EMULATOR_HSA_REFUSE_H

namespace ckemu::hsa {

/// Says that `name` is not implemented, and returns HSA_STATUS_ERROR.
int refuse(const char *name) noexcept;

} // namespace ckemu::hsa

#endif // CK_MLIR_LIB_EMULATOR_HSA_REFUSE_H
