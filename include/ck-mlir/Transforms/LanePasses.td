//===- LanePasses.td - Passes over what one lane does -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The end of the ladder, and the check of all its forms. Passes.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_LANEPASSES_TD
#define CK_MLIR_TRANSFORMS_LANEPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandDirectPass : Pass<"ck-expand-direct"> {
  let summary = "Replace GEMMs whose lanes compute by themselves by the code of each lane";
  let description = [{
    Gives every lane its results of `ck.direct_gemm`. The workgroup copies its weights to LDS, and a
    lane reads its own into registers. The lane loads each element of the other operand once,
    however many of its results need it, in vectors of neighbouring channels. Lanes of
    `ck.direct_sum` add the products of their positions in a loop; then the sums of lanes are added
    through LDS, and those of workgroups through the workspace. With `mfma`, four lanes multiply
    together by an `amdgpu.mfma`, of which each lane has a row of one operand and a column of the
    other. Fails where the target chip has no MFMA.

    Requires: wave. Establishes: wave without `ck.direct_gemm` and `ck.direct_sum`.
    Example: test/Transforms/ExpandDirect/expand-direct.mlir

    Before:
    ```mlir
    ck.direct_gemm %w ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 8,
        columns = 4, rows = 1> xcds 8
    ```

    After:
    ```mlir
    %0 = ck.cursor %1[%2] : !view3 -> <!view3>
    %3 = ck.load %0 offset [0] : <!view3> -> vector<8xf16>
    // ...
    memref.store %4, %view[%thread_id_x_21] : memref<256xvector<8xi16>,
        #gpu.address_space<workgroup>>
    // ...
    amdgpu.lds_barrier
    // ...
    %5 = memref.load %view_23[%6] : memref<256xvector<8xi16>, #gpu.address_space<workgroup>>
    // ...
    %7 = math.fma %8, %9, %cst : f32
    // ...
    ck.store %10, %11 offset [0, 0, 0] mask %12 : vector<8xf16>, <!view2>
    ```
  }];
  let dependentDialects = ["::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandMathPass : Pass<"ck-expand-math"> {
  let summary = "Expand functions of f32 into arithmetic";
  let description = [{
    Replaces `math` functions of f32 scalars and vectors, and the activations of this dialect, by
    branch-free arithmetic. It is accurate to 2 units in the last place, also for denormals, and
    needs no device library. `powf`, `sin` and `cos` compute in f64 internally. `floor` and `ceil`,
    of every type, become truncations. Other functions of other types stay.

    Requires: nothing; or wave in kernels. Establishes: the only functions of f32 are those with an
    instruction: absf, copysign, fma, round, roundeven, sqrt, trunc; or arithmetic in kernels.
    Example: test/Transforms/ExpandMath/expand-math.mlir

    Before:
    ```mlir
    func.func @vector(%x: vector<4xf32>) -> vector<4xf32> {
      %0 = math.exp %x : vector<4xf32>
      return %0 : vector<4xf32>
    }
    ```

    After:
    ```mlir
    func.func @vector(%arg0: vector<4xf32>) -> vector<4xf32> {
      %cst = arith.constant dense<-1.040000e+02> : vector<4xf32>
      %0 = arith.cmpf olt, %arg0, %cst : vector<4xf32>
      %cst_0 = arith.constant dense<-1.040000e+02> : vector<4xf32>
      %1 = arith.select %0, %cst_0, %arg0 : vector<4xi1>, vector<4xf32>
      // ...
      %2 = math.fma %3, %cst_3, %cst_4 : vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def LowerTransformsPass : Pass<"ck-lower-transforms"> {
  let summary = "Turn cursors into byte offsets that loops carry";
  let description = [{
    A cursor becomes a byte offset and the digits of the coordinates that its steps move. A step
    adds constants and carries from digit to digit; it never divides. Padding becomes an offset past
    the end of the buffer descriptor: the hardware reads zero there and drops writes.

    Where a coordinate is that of a tile and what a lane adds to it, and the latter cannot cause a
    carry, the digits are those of the tile, scalars, and what several cursors of a loop carry alike
    is carried once.

    Requires: arithmetic. Establishes: lane.
    Examples: test/Transforms/LowerTransforms/lower-transforms.mlir and lower-transforms-shared.mlir

    Before:
    ```mlir
    %r:2 = scf.for %i = %zero to %end step %one iter_args(%sum = %init, %p = %start)
        -> (vector<4xf16>, !ck.cursor<!linear>) {
      %x = ck.load %p offset [0, 0, 0] : <!linear> -> vector<4xf16>
      %next = arith.addf %sum, %x : vector<4xf16>
      %q = ck.advance %p by [0, 0, 32] : <!linear>
      scf.yield %next, %q : vector<4xf16>, !ck.cursor<!linear>
    ```

    After:
    ```mlir
    %0 = rocdl.make.buffer.rsrc %1, %c0_i16, %c200704_i64, %c131072_i32 : !llvm.ptr to <8>
    %2 = arith.index_cast %arg2 : index to i32
    %3 = arith.muli %2, %c2_i32 : i32
    %4:2 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %cst, %arg6 = %c0_i32) ->
        (vector<4xf16>, i32) {
      %5 = rocdl.raw.ptr.buffer.load %0, %3, %arg6, %c0_i32 : vector<4xf16>
      %6 = arith.addf %arg5, %5 : vector<4xf16>
      %7 = arith.addi %arg6, %c4096_i32 : i32
      scf.yield %6, %7 : vector<4xf16>, i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numViews", "lowered-views", "Views turned into index arithmetic">,
    Statistic<"numAccesses", "lowered-accesses", "Loads and stores turned into those of buffers">,
    Statistic<"numWide", "wide-kernels", "Kernels that compute addresses with 64 bits">
  ];
}

def LowerHintsPass : Pass<"ck-lower-hints"> {
  let summary = "Lower hints to those of the scheduler and the hardware";
  let description = [{
    `ck.priority` becomes `rocdl.s.setprio`. `ck.loads_first` becomes three
    `rocdl.sched.group.barrier`, for the LDS writes, the global loads and the arithmetic of its
    block, in this order.

    Requires: lane. Establishes: upstream. Example: test/Transforms/lower-hints.mlir

    Before:
    ```mlir
    ck.priority 1
    scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> vector<4xf16> {
      // ...
      ck.loads_first
    ```

    After:
    ```mlir
    rocdl.s.setprio 1
    %0 = scf.for %arg4 = %c0 to %arg2 step %c1 iter_args(%arg5 = %arg3) -> (vector<4xf16>) {
      // ...
      rocdl.sched.group.barrier 512, 2, 0
      rocdl.sched.group.barrier 32, 1, 0
      rocdl.sched.group.barrier 2, 3, 0
    ```
  }];
  let dependentDialects = ["::mlir::ROCDL::ROCDLDialect"];
  let statistics = [
    Statistic<"numHints", "lowered-hints", "Hints passed on to the scheduler or to the hardware">
  ];
}

def VerifyFormPass : Pass<"ck-verify-form", "::mlir::ModuleOp"> {
  let summary = "Check that a module is in a normal form of the lowering";
  let description = [{
    Fails at the first op that the form does not allow, and names the pass that lowers it. The forms
    are problem, implicit-gemm, scheduled, grid, workgroup, block, wave, arithmetic, lane, upstream
    and rocdl; docs/Lowering.md specifies them.

    Requires: nothing. Establishes: nothing. Example: test/Transforms/verify-form.mlir

    Before:
    ```mlir
    func.func @dw(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>, %dw:
        memref<1x8x1x1x8xf32>) {
      ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
        outs(%dw : memref<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK>
        strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
    ```
  }];
  let options = [Option<"form", "form", "std::string", /*default=*/"\"problem\"",
                        "The form to check">];
}

#endif // CK_MLIR_TRANSFORMS_LANEPASSES_TD
