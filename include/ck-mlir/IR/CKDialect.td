//===- CKDialect.td - The ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CKDIALECT_TD
#define CK_MLIR_IR_CKDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def CK_Dialect : Dialect {
  let name = "ck";
  let cppNamespace = "::mlir::ck";
  let summary = "Grouped convolutions as implicit GEMM, from the problem to the lanes of a wave";
  let description = [{
    The dialect expresses as ops what hand-written kernels hide: coordinate transforms, work
    partitioning, wave roles and LDS pipelines. Its ops belong to the normal forms (rungs) of one
    lowering: problem, implicit-gemm, scheduled, grid, block, lane. `docs/Lowering.md` describes
    these forms and `ck-verify-form` checks them.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the module attribute that holds the `#ck.target`.
    static constexpr ::llvm::StringLiteral kTargetAttrName = "ck.target";
    /// Name of the unit attribute of a kernel of form 'lane' whose indices need 64 bits.
    static constexpr ::llvm::StringLiteral kWideIndexAttrName = "ck.wide_index";

    /// Name of the unit attribute of arguments of host functions that are workspaces.
    static constexpr ::llvm::StringLiteral kWorkspaceAttrName = "ck.workspace";

    /// Name of the attribute of GEMMs and tables with the string of the problem that they compute,
    /// by which `ck-assign-schedule` finds tuned schedules.
    static constexpr ::llvm::StringLiteral kProblemAttrName = "ck.problem";

    void registerAttributes();
    void registerTypes();
  }];
}

class CK_Op<string mnemonic, list<Trait> traits = []> : Op<CK_Dialect, mnemonic, traits>;

class CK_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<CK_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class CK_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<CK_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

#endif // CK_MLIR_IR_CKDIALECT_TD
