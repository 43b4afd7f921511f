//===- TilingInterfaceImpl.h - Tiling of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets upstream's drivers, such as scf::tileUsingInterface and transform.structured.tile_using_for,
// cut problems on tensors into smaller ones.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_TILINGINTERFACEIMPL_H
#define CK_MLIR_TRANSFORMS_TILINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ck {

/// Registers TilingInterface for the problems. The loops are the dimensions of the result, in the
/// order of its layout, all parallel. Batch, groups, channels, and rows and columns of a product
/// can be tiled, by sizes that divide them; space and filter positions cannot.
void registerTilingInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_TILINGINTERFACEIMPL_H
