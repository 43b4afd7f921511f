//===- EpilogueOps.td - Functions for epilogue regions -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations that compositions of math ops compute badly: rounding the argument of erf or exp
// costs hundreds of units in the last place in the tails. As ops of their own they have one
// accurate expansion.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_EPILOGUEOPS_TD
#define CK_MLIR_IR_EPILOGUEOPS_TD

include "ck-mlir/IR/CKDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CK_ActivationOp<string mnemonic> : CK_Op<mnemonic,
    [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let arguments = (ins AnyTypeOf<[F32, VectorOfAnyRankOf<[F32]>]>:$operand);
  let results = (outs AnyTypeOf<[F32, VectorOfAnyRankOf<[F32]>]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def CK_GeluOp : CK_ActivationOp<"gelu"> {
  let summary = "Gaussian error linear unit, the exact function";
  let description = [{
    `gelu(x) = x * (1 + erf(x / sqrt(2))) / 2` within 2 units in the last place of f32.

    Example (test/IR/epilogue-ops.mlir):

    ```mlir
    %0 = ck.gelu %x : f32
    ```
  }];
}

def CK_SiluOp : CK_ActivationOp<"silu"> {
  let summary = "Sigmoid linear unit";
  let description = [{
    `silu(x) = x / (1 + exp(-x))` within 2 units in the last place of f32.

    Example (test/IR/epilogue-ops.mlir):

    ```mlir
    %1 = ck.silu %0 : f32
    ```
  }];
}

def CK_SigmoidOp : CK_ActivationOp<"sigmoid"> {
  let summary = "Logistic function";
  let description = [{
    `sigmoid(x) = 1 / (1 + exp(-x))` within 2 units in the last place of f32.

    Example (test/IR/epilogue-ops.mlir):

    ```mlir
    %2 = ck.sigmoid %1 : f32
    ```
  }];
}

#endif // CK_MLIR_IR_EPILOGUEOPS_TD
