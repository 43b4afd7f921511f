//===- PartialOps.td - Sums that workgroups leave for each other -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_PARTIALOPS_TD
#define CK_MLIR_IR_PARTIALOPS_TD

include "ck-mlir/IR/CKTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CK_WorkspaceOp<string mnemonic, list<Trait> traits = []> : CK_Op<mnemonic, traits> {
  dag place = (ins MemRefRankOf<[I32], [1]>:$workspace, Index:$index, I64Attr:$first);
}

def CK_StorePartialOp : CK_WorkspaceOp<"store_partial", [MemoryEffects<[MemWrite]>]> {
  let summary = "Leave an accumulator tile in the workspace";
  let description = [{
    Writes partial tile `index` of the partial tiles that begin at word `first` of the workspace.
    The accumulator's layout determines the order of the elements: each lane writes the elements
    that it holds, and `ck.add_partial` with an accumulator of the same type reads them in this
    order.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    ck.store_partial %acc, %ws[%i] first 128 : !acc, memref<16512xi32>
    ```
  }];
  let arguments = !con((ins CK_AccType:$acc), place);
  let assemblyFormat = [{
    $acc `,` $workspace `[` $index `]` `first` $first attr-dict `:` type($acc) `,` type($workspace)
  }];
}

def CK_AddPartialOp : CK_WorkspaceOp<"add_partial", [MemoryEffects<[MemRead]>,
                                                     AllTypesMatch<["acc", "result"]>]> {
  let summary = "Add tiles of the workspace to an accumulator tile";
  let description = [{
    Adds `count` partial tiles, which `ck.store_partial` has written, to `acc` in the order of their
    numbers: `index`, `index + step` and so on. The loads of several are in flight at the same
    time.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    %sum = ck.add_partial %acc, %ws[%i] count %n step %s first 128 : !acc, memref<16512xi32>
    ```
  }];
  let arguments = !con((ins CK_AccType:$acc), place, (ins Index:$count, Index:$step));
  let results = (outs CK_AccType:$result);
  let assemblyFormat = [{
    $acc `,` $workspace `[` $index `]` `count` $count `step` $step `first` $first attr-dict `:`
    type($acc) `,` type($workspace)
  }];
}

def CK_SumPartialsOp : CK_WorkspaceOp<"sum_partials", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Add up tiles of the workspace together with other waves";
  let description = [{
    Adds up `count` partial tiles, `index`, `index + 1` and so on, in the order of their numbers.
    Of `parts` neighbouring waves with accumulators, each adds a share of what the wave at place
    `part` among them holds of the tiles, and leaves its sums in the LDS of `ring`, whose contents
    are lost. Behind a `ck.sync`, `ck.gather_sum` reads them. So the loads of one wave's elements
    are in flight in all of them at the same time.

    Without a ring the op is one that a pass is still to give the ring of the kernel's block GEMM.

    Constraints:
    - C1: `parts` is more than one and divides the waves of the accumulators' layout.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    ck.sum_partials %ws[%i] count %n part %p of 2 first 128 through %ring
      : !ck.acc<64x64xf32, #four>, memref<16512xi32> through !ring
    ```
  }];
  let arguments = !con(place, (ins Index:$count, Index:$part, I64Attr:$parts,
                                   TypeAttrOf<CK_AccType>:$acc, Optional<CK_RingType>:$ring));
  let assemblyFormat = [{
    $workspace `[` $index `]` `count` $count `part` $part `of` $parts `first` $first
    (`through` $ring^)? attr-dict `:` $acc `,` type($workspace) (`through` type($ring)^)?
  }];
  let hasVerifier = 1;
}

def CK_GatherSumOp : CK_Op<"gather_sum", [MemoryEffects<[MemRead]>]> {
  let summary = "Read the sums that other waves have left in LDS";
  let description = [{
    Reads what `ck.sum_partials` with as many `parts` has left in the LDS of `ring`. The result is
    that sum in the waves at the place `part` of that op; other waves have no use for it.

    Constraints:
    - C1: `parts` is more than one and divides the waves of the accumulators' layout.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    %sum = ck.gather_sum of 2 through %ring : !ck.acc<64x64xf32, #four> through !ring
    ```
  }];
  let arguments = (ins I64Attr:$parts, Optional<CK_RingType>:$ring);
  let results = (outs CK_AccType:$result);
  let assemblyFormat = [{
    `of` $parts (`through` $ring^)? attr-dict `:` type($result) (`through` type($ring)^)?
  }];
  let hasVerifier = 1;
}

def CK_SignalOp : CK_WorkspaceOp<"signal", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Say that this wave has left its part of a partial tile";
  let description = [{
    Releases, at agent scope, everything that the wave has written before, and sets the wave's word
    in line `index` of the lines of 128 bytes that begin at word `first` of the workspace. A wave
    reads only what the wave at its own place in another workgroup has written, so no wave waits
    for another one of its workgroup.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    ck.signal %ws[%i] first 0 : memref<16512xi32>
    ```
  }];
  let arguments = place;
  let assemblyFormat = "$workspace `[` $index `]` `first` $first attr-dict `:` type($workspace)";
}

def CK_AwaitOp : CK_WorkspaceOp<"await", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait until the same wave of other workgroups has signalled";
  let description = [{
    Waits for the wave's word in each of `count` lines, as `ck.signal` sets it: `index`,
    `index + step` and so on. The lanes of the wave look at the lines at the same time. Then it
    acquires at agent scope. With `wave`, the words are those of that wave with accumulators.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    ck.await %ws[%i] count %n step %s first 0 : memref<16512xi32>
    ```
  }];
  let arguments = !con(place, (ins Index:$count, Index:$step, Optional<Index>:$wave));
  let assemblyFormat = [{
    $workspace `[` $index `]` `count` $count `step` $step `first` $first (`wave` $wave^)? attr-dict
    `:` type($workspace)
  }];
}

def CK_ResetSignalOp : CK_WorkspaceOp<"reset_signal", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Take back the signals that were awaited";
  let description = [{
    Sets the wave's own word to zero in each of the lines for which `ck.await` with the same operands
    has waited. So the kernel leaves all words as it found them, and the next launch needs nobody to
    zero them. It orders nothing: no other wave of the launch looks at these words again.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    ck.reset_signal %ws[%i] count %n step %s first 0 : memref<16512xi32>
    ```
  }];
  let arguments = !con(place, (ins Index:$count, Index:$step));
  let assemblyFormat = [{
    $workspace `[` $index `]` `count` $count `step` $step `first` $first attr-dict `:`
    type($workspace)
  }];
}

def CK_MathWaveOp : CK_Op<"math_wave", [Pure]> {
  let summary = "The number of this wave among those with accumulators";
  let description = [{
    Waves of a workgroup that only load are not counted. A workgroup adds up a part of a tile by
    branching on this number: partial tiles, signals and stores of tiles are the business of single
    waves, and no wave waits for another one of its workgroup between them.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    %wave = ck.math_wave
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def CK_PointerOp : CK_Op<"pointer", [Pure]> {
  let summary = "The address of a tensor in global memory";
  let description = [{
    For accesses that need what memref ops do not offer, such as an ordering or a scope.

    Example (test/IR/partial-ops.mlir):

    ```mlir
    %p = ck.pointer %ws : memref<16512xi32> -> !llvm.ptr<1>
    ```
  }];
  let arguments = (ins AnyMemRef:$tensor);
  let results = (outs LLVM_PointerInAddressSpace<1>:$pointer);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($pointer)";
}

#endif // CK_MLIR_IR_PARTIALOPS_TD
