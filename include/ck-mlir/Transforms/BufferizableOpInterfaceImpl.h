//===- BufferizableOpInterfaceImpl.h - Bufferization of rung-0 ops -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets upstream's one-shot-bufferize turn convolutions on tensors into convolutions on memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define CK_MLIR_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ck {

/// Registers the bufferization of ck ops on tensors. The result's buffer is that of `outs`.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
