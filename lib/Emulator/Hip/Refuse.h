//===- Refuse.h - HIP functions that are not implemented -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions share that the emulator refuses; without the types of HIP's header.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_REFUSE_H
#define CK_MLIR_LIB_EMULATOR_HIP_REFUSE_H

namespace ckemu::hip {

/// Notes the failure of `name` for hipGetLastError and returns hipErrorNotSupported.
int refuse(const char *name) noexcept;
/// The same for a function about textures, surfaces or arrays; says what kernels use instead.
int refuseTexture(const char *name) noexcept;

/// The name of a function that is refused, in a list of all of them that exists before `main`.
struct RefusedName {
  explicit RefusedName(const char *name) noexcept : name(name) { first = this; }
  RefusedName(const RefusedName &) = delete;
  RefusedName &operator=(const RefusedName &) = delete;

  static inline const RefusedName *first = nullptr;
  const char *const name;
  const RefusedName *const next = first;
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_REFUSE_H
