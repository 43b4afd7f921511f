//===- RingProtocol.h - Whether the roles of a kernel keep step -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The waves of a workgroup meet at barriers only, and a barrier counts all of them: if a role came
// to one barrier more or less than another, or to the same ones in another order, the kernel would
// hang or read a slot that is being written. This is decided here, from the IR alone.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_VERIFY_RINGPROTOCOL_H
#define CK_MLIR_LIB_IR_VERIFY_RINGPROTOCOL_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Verifies that
/// - load waves commit the very steps, in the same loops and branches, for which math waves wait:
///   both meet as often, and in the same order;
/// - waves that do both wait for a step after its commit, and commit a step when its slot's
///   previous content has been read by all;
/// - between the steps of two block GEMMs, which share the slots, all waves meet.
/// Emits an error at `op`, or at the op that breaks a rule.
LogicalResult verifyRingProtocol(WaveSpecializeOp op);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_VERIFY_RINGPROTOCOL_H
