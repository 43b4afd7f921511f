//===- Passes.td - Passes over the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_PASSES_TD
#define CK_MLIR_TRANSFORMS_PASSES_TD

include "ck-mlir/Transforms/ProgramPasses.td"
include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"ck-attach-target", "::mlir::ModuleOp"> {
  let summary = "Set the chip that a module is compiled for";
  let description = [{
    Sets the attribute `ck.target = #ck.target<"chip">` of the module. Refuses chips that are not in
    the chip table, and another chip than that of the module or of kernels in it.

    Requires: problem. Establishes: problem. Example: test/Transforms/attach-target.mlir

    Before:
    ```mlir
    func.func @dw(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>, %dw:
        memref<1x8x1x1x8xf32>) {
      ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    ```

    After:
    ```mlir
    module attributes {ck.target = #ck.target<"gfx942">} {
      func.func @dw(%arg0: memref<1x4x4x1x8xf16>, %arg1: memref<1x4x4x1x8xf16>, %arg2:
          memref<1x8x1x1x8xf32>) {
        ck.conv_bwd_weight ins(%arg0, %arg1 : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
            outs(%arg2 : memref<1x8x1x1x8xf32>) layout <NHWGC, GKYXC, NHWGK> strides [1, 1]
            dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", /*default=*/"\"gfx942\"",
                        "Chip of the chip table, such as gfx942">];
}

def ConvToGemmPass : Pass<"ck-conv-to-gemm", "::mlir::ModuleOp"> {
  let summary = "Express convolutions and matrix products as GEMM on views";
  let description = [{
    Replaces every convolution and matrix product on memrefs by `ck.transform` views of its tensors
    and one batched `ck.gemm`, or a `ck.gemm_table` for strided or dilated backward-data. Direction
    and rank affect only the maps (ck-mlir/IR/ImplicitGemm.h). Groups of few channels are merged:
    `merge-groups` of them form one GEMM, and the off-diagonal blocks of its result are dropped. If
    the channels of a position do not fill a tile, `fold-positions` neighbouring positions of the
    result in each spatial dimension become columns as well, where the fastest schedule is estimated
    to take less time on the chip of the module; a dimension of strided backward-data folds
    multiples of its residues. Rows then have the taps of all these positions, and a column pads the
    filter for those that are not its own; a GEMM of floating-point numbers leaves the products with
    this padding out. Chosen the same way, or by `join-channels`, few channels of forward and
    backward-weight become part of the last spatial dimension, so that a row of taps is one run of
    memory; zeros of the filter make it longer where pixels are aligned to more than one element. A
    module of form implicit-gemm stays unchanged. With `name-problems` each `ck.gemm` or table that
    replaces a problem gets the attribute `ck.problem`, the problem string without its epilogue.

    Requires: problem. Establishes: implicit-gemm. Example: test/Transforms/conv-to-gemm.mlir

    Before:
    ```mlir
    ck.conv_bwd_weight ins(%x, %dy : memref<8x14x14x1x64xf16>, memref<8x14x14x1x32xf16>)
      outs(%dw : memref<1x32x3x3x64xf32>) layout <NHWGC, GKYXC, NHWGK>
      strides [1, 1] dilations [1, 1] pad_low [1, 1] pad_high [1, 1]
    ```

    After:
    ```mlir
    #map1 = #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by [pad h 1 : 1, pad w 1 : 1,
        embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N
        = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
        // ...
        %0 = ck.transform %arg1 : memref<8x14x14x1x32xf16> -> !view
        %1 = ck.transform %arg0 : memref<8x14x14x1x64xf16> -> !view1
        %2 = ck.transform %arg2 : memref<1x32x3x3x64xf32> -> !view2
        ck.gemm ins(%0, %1 : !view, !view1) outs(%2 : !view2)
    ```
  }];
  let options = [Option<"mergeGroups", "merge-groups", "int64_t", /*default=*/"0",
                        "Groups that make one GEMM; 0 chooses by the channels of a group">,
                 ListOption<"foldPositions", "fold-positions", "int64_t",
                            "Positions of each spatial dimension that are columns, for problems "
                            "that can have them; 0 for none, empty chooses by estimated time">,
                 Option<"joinChannels", "join-channels", "bool", /*default=*/"false",
                        "Join channels with the last spatial dimension, for problems that can have "
                        "that; without fold-positions it is chosen by estimated time">,
                 Option<"nameProblems", "name-problems", "bool", /*default=*/"false",
                        "Name problems in an attribute, for tuned schedules">];
  let dependentDialects = ["::mlir::ck::CKDialect"];
  let statistics = [Statistic<"numConverted", "converted-problems",
                              "Problems expressed as GEMM">];
}

def AssignSchedulePass : Pass<"ck-assign-schedule", "::mlir::ModuleOp"> {
  let summary = "Choose and check the schedule of every GEMM";
  let description = [{
    Completes the schedule string of the option (or the schedule of the op, where it has one
    already) for the GEMM's sizes on the module's chip and puts the result on the op; the GEMMs of a
    table share one. The views of the results decide along which dimension lanes hold accumulators
    (`layout`) and whether results go through LDS to be stored in longer pieces (`shuffle`). The
    pass refuses, with the reason, schedules that it cannot generate code for, and partitions that
    the results, the chip or the host function do not allow.

    With a tuning file (docs/Selection.md) a GEMM with the attribute `ck.problem` gets the schedule
    that the file has for this problem, if it is legal and has the fields that are given. The
    attribute is removed.

    Requires: implicit-gemm. Establishes: scheduled. Example: test/Transforms/assign-schedule.mlir

    Before:
    ```mlir
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    ```

    After:
    ```mlir
    #layout = #ck.acc_layout<waves = 2x1, mma = #ck.mma<16x16x16xf16>, along = columns>
    // ...
    #schedule = #ck.schedule<tile = 32x16x64, waves = 2x1, mma = #ck.mma<16x16x16xf16>, roles =
        uniform, stages = 2, partition = stream_k<parallel>>
        // ...
        ck.gemm ins(%arg0, %arg1 : !view, !view) outs(%arg2 : !view1) schedule #schedule layout
            #layout
    ```
  }];
  let options = [Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
                        "Schedule string; fields left out are chosen">,
                 Option<"relief", "relief", "int64_t", /*default=*/"0",
                        "How often the choice is repeated with a fifth fewer registers and loads">,
                 Option<"residents", "residents", "int64_t", /*default=*/"0",
                        "Workgroups that can be resident at the same time; 0: a workgroup on every "
                        "compute unit of the chip">,
                 Option<"allocWorkspace", "alloc-workspace", "bool", /*default=*/"false",
                        "Allocate workspaces where they are used instead of adding an argument">,
                 Option<"tuningFile", "tuning-file", "std::string", /*default=*/"\"\"",
                        "File of tuned schedules">];
  let statistics = [
    Statistic<"numScheduled", "scheduled-gemms", "GEMMs with a schedule">,
    Statistic<"numShuffled", "shuffled-results", "GEMMs whose results go through LDS">
  ];
}

def GemmToGridPass : Pass<"ck-gemm-to-grid", "::mlir::ModuleOp"> {
  let summary = "Outline every GEMM into a kernel that distributes its tiles";
  let description = [{
    Moves each scheduled GEMM with its views into a `gpu.func` of a `gpu.module` for the module's
    chip, where `ck.distribute` distributes the tiles, and launches this function from the host. If
    the partition leaves sums for other workgroups, the host function gets another argument, the
    workspace, marked `ck.workspace`; with `alloc-workspace` the workspace is allocated on the
    device around the launch instead. If the workspace has flags, they are zeroed before the launch.
    Two-stage Split-K gets a second kernel that adds the slices and runs the epilogue.

    Requires: scheduled. Establishes: grid. Example: test/Transforms/OutlineKernels/gemm-to-grid.mlir

    Before:
    ```mlir
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) schedule #s layout #layout
        epilogue {
    ^bb0(%acc: f32):
      %two = arith.constant 2.0 : f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.truncf %0 : f32 to f16
      ck.yield %1 : f16
    }
    ```

    After:
    ```mlir
    gpu.launch_func  @kernels::@scale blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%arg0 : memref<2x100x50xf16>, %arg1 : memref<2x130x50xf16>, %arg2 :
        memref<2x100x130xf16>)
      // ...
      ck.distribute <data_parallel> {
        ck.work tiles [2, 2, 5] k_steps 4 {
        ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index):
          %0 = ck.block_gemm %1[%arg3, %arg4], %2[%arg5] k_steps(%arg6 to %arg7) schedule
              #schedule : !view, !view1 -> !acc
          ck.yield %0 : !acc
          // ...
          ck.store_tile %arg6, %3[%arg3, %arg4, %arg5] : !acc, !view2 epilogue {
    ```
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [Option<"residents", "residents", "int64_t", /*default=*/"0",
                        "Workgroups that can be resident at the same time; 0: a workgroup on every "
                        "compute unit of the chip">,
                 Option<"allocWorkspace", "alloc-workspace", "bool", /*default=*/"false",
                        "Allocate workspaces where they are used instead of adding an argument">];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that distribute tiles">,
    Statistic<"numTiles", "tiles", "Tiles of the results">,
    Statistic<"numWorkgroups", "workgroups", "Workgroups that the tiles are distributed to">
  ];
}

def GemmToNaivePass : Pass<"ck-gemm-to-naive", "::mlir::ModuleOp"> {
  let summary = "Outline every GEMM into a kernel of one work-item per element";
  let description = [{
    Makes the reference kernel: each work-item sums one element of the result over K, in f32 or i32,
    applies the epilogue and stores it. The kernel uses no matrix instruction and no LDS, so it
    needs no schedule and runs on every chip; the schedule of a GEMM is ignored.

    Requires: implicit-gemm. Establishes: wave.
    Example: test/Transforms/OutlineKernels/gemm-to-naive.mlir

    Before:
    ```mlir
    func.func @integers(%a: memref<2x100x50xi8>, %b: memref<2x130x50xi8>, %c:
        memref<2x100x130xi8>) {
      // ...
      ck.gemm ins(%va, %vb : !ai_view, !bi_view) outs(%vc : !ci_view)
    ```

    After:
    ```mlir
    gpu.launch_func  @kernels::@integers_naive_1 blocks in (%c102, %c1, %c1) threads in (%c256,
        %c1, %c1)  args(%arg0 : memref<2x100x50xi8>, %arg1 : memref<2x130x50xi8>, %arg2 :
        memref<2x100x130xi8>)
      // ...
      %0:3 = scf.for %arg4 = %c0 to %c50 step %c1 iter_args(%arg5 = %cst_2, %arg6 = %1, %arg7 =
          %2) -> (f32, !ck.cursor<!view>, !ck.cursor<!view1>) {
      // ...
      %3 = arith.addi %4, %thread_id_x : index
      %c26000 = arith.constant 26000 : index
      %5 = arith.cmpi ult, %3, %c26000 : index
      %c25999 = arith.constant 25999 : index
      %6 = arith.minui %3, %c25999 : index
      %c130 = arith.constant 130 : index
      %7 = arith.remui %6, %c130 : index
      %c130_0 = arith.constant 130 : index
      %8 = arith.divui %6, %c130_0 : index
      %c100 = arith.constant 100 : index
      %9 = arith.remui %8, %c100 : index
      %c100_1 = arith.constant 100 : index
      %10 = arith.divui %8, %c100_1 : index
      %c0_i32 = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c50 = arith.constant 50 : index
      %c0_i32_2 = arith.constant 0 : i32
      %11 = ck.cursor %12[%10, %9, %c0] : !view3 -> <!view3>
      %1 = ck.cursor %13[%10, %7, %c0] : !view4 -> <!view4>
      %2:3 = scf.for %arg3 = %c0 to %c50 step %c1 iter_args(%arg4 = %c0_i32_2, %arg5 = %11,
          %arg6 = %1) -> (i32, !ck.cursor<!view3>, !ck.cursor<!view4>) {
        %14 = ck.load %arg5 offset [0, 0, 0] in_bounds : <!view3> -> vector<1xi8>
        %15 = vector.extract %14[0] : i8 from vector<1xi8>
        %16 = ck.load %arg6 offset [0, 0, 0] in_bounds : <!view4> -> vector<1xi8>
        %17 = vector.extract %16[0] : i8 from vector<1xi8>
        %18 = arith.extsi %15 : i8 to i32
        %19 = arith.extsi %17 : i8 to i32
        %20 = arith.muli %18, %19 : i32
        %21 = arith.addi %arg4, %20 : i32
        %22 = ck.advance %arg5 by [0, 0, 1] : <!view3>
        %23 = ck.advance %arg6 by [0, 0, 1] : <!view4>
        scf.yield %21, %22, %23 : i32, !ck.cursor<!view3>, !ck.cursor<!view4>
      // ...
      ck.store %24, %25 offset [0, 0, 0] mask %5 : vector<1xi8>, <!view5>
    ```
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandPartitionPass : Pass<"ck-expand-partition"> {
  let summary = "Replace work distribution by the code of each workgroup";
  let description = [{
    Data-parallel: workgroup b computes tile b of (work, g, tile row, tile column), tile columns
    fastest, over all K steps. Split-K: a workgroup computes a slice of the K steps, and adds the
    result to memory or leaves it in the workspace. StreamK: a workgroup computes whole tiles and a
    stream of iterations of shared tiles, whose sums are exchanged through the workspace.

    Requires: grid. Establishes: workgroup.
    Example: test/Transforms/ExpandPartition/expand-partition.mlir

    Before:
    ```mlir
    ck.distribute <data_parallel> {
      ck.work tiles [2, 2, 4] k_steps 2 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.block_gemm %v[%g, %tm], %v[%tn] k_steps(%k0 to %k1) schedule #s
          : !view, !view -> <32x16xf32, #layout>
        ck.yield %acc : !ck.acc<32x16xf32, #layout>
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
        ck.store_tile %acc, %v[%g, %tm, %tn] : <32x16xf32, #layout>, !view
    ```

    After:
    ```mlir
    gpu.func @kernel(%arg0: memref<2x64x64xf16>) kernel {
      %0 = ck.transform %arg0 : memref<2x64x64xf16> -> !view
      %block_id_x = gpu.block_id  x
      %1:3 = affine.delinearize_index %block_id_x into (2, 2, 4) : index, index, index
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %2 = ck.block_gemm %0[%1#0, %1#1], %0[%1#2] k_steps(%c0 to %c2) schedule #schedule :
          !view, !view -> !acc
      ck.store_tile %2, %0[%1#0, %1#1, %1#2] : !acc, !view
      gpu.return
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numExpanded", "expanded-partitions", "Distributions turned into the code of a workgroup">
  ];
}

def PipelineBlockGemmPass : Pass<"ck-pipeline-block-gemm"> {
  let summary = "Turn block GEMMs into software pipelines over an LDS ring";
  let description = [{
    Moves the kernel's body into the roles of a `ck.wave_specialize`, and turns every
    `ck.block_gemm` into a loop over K steps: while step i is multiplied from its LDS slot, loads of
    step i + 1 into registers are in flight. Loads of a schedule with `copies=async` write to LDS
    themselves and run more steps ahead. With `reads=ahead`, the loop reads a K unit while it
    multiplies the unit before it. If a `ck.store_tile` with a shuffle stores the result
    of the block GEMM directly before it, the store passes through the ring, after a `ck.sync`; all
    other stores go directly to memory.

    Requires: workgroup. Establishes: block.
    Example: test/Transforms/PipelineBlockGemm/pipeline-block-gemm.mlir

    Before:
    ```mlir
    %acc = ck.block_gemm %va[%k0, %k0], %vb[%k0] k_steps(%k0 to %k1) schedule #s
      : !a_view, !b_view -> <64x128xf32, #layout>
    ck.store_tile %acc, %vc[%k0, %k0, %k0] shuffle <blocks = 2x1, width = 4>
      : <64x128xf32, #layout>, !c_view
    gpu.return
    ```

    After:
    ```mlir
    %0 = ck.lds_ring : !ring
    ck.wave_specialize(%1, %2, %3, %0) roles [#ck.role<uniform, 4>] layout #layout {
      // ...
      ck.commit %4 : <!ring>
      // ...
      %5:3 = scf.for %arg7 = %c0_2 to %c4_3 step %c2 iter_args(%arg8 = %6, %arg9 = %7, %arg10 =
          %8) -> (!acc, !ck.cursor<!view, !fragment>, !ck.cursor<!view1, !fragment1>) {
        %9 = ck.load_tile %arg9 in_bounds : <!view, !fragment> -> !fragment
        %10 = ck.load_tile %arg10 in_bounds : <!view1, !fragment1> -> !fragment1
        // ...
        %11 = ck.wait %arg6[%arg7] : !ring
        %12 = ck.mma_tile %11, %arg8 : <!ring>, !acc
        ck.release %11 : <!ring>
        // ...
        %13 = ck.acquire %arg6[%14] : !ring
        ck.write_tile %9, %13[0] : !fragment, <!ring>
        ck.write_tile %10, %13[1] : !fragment1, <!ring>
        ck.commit %13 : <!ring>
    ```
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numPipelined", "pipelined-gemms", "Block GEMMs pipelined">];
}

def DistributeToWavesPass : Pass<"ck-distribute-to-waves"> {
  let summary = "Distribute tiles to the waves and lanes of a workgroup";
  let description = [{
    Gives every lane its part of each tile: accumulators become the vectors of `amdgpu.mfma`,
    fragments become the vectors that a lane loads, the ring becomes an LDS buffer, and `acquire`
    and `wait` become barriers. Operand tiles lie in LDS as [k / kPack][row][kPack], with rows
    swizzled by XOR, so that a lane reads its operands and writes its transposed micro tiles without
    bank conflicts. Results are stored with the widest accesses that memory allows: A and B of the
    matrix instructions are exchanged if the layout of the accumulators runs along the columns.
    A kernel whose lanes have more than 128 accumulators of MFMA asks LLVM, by `passthrough`, to
    hold them in AGPRs.

    Requires: block. Establishes: wave.
    Example: test/Transforms/DistributeToWaves/distribute-to-waves.mlir

    Before:
    ```mlir
    %f = ck.load_tile %p : !cursor -> !fragment
    %slot = ck.acquire %r[%i] : !ring
    ck.write_tile %f, %slot[0] : !fragment, !slot
    ck.write_tile %f, %slot[1] : !fragment, !slot
    ck.commit %slot : !slot
    %acc = ck.zero_acc : <64x64xf32, #layout>
    %full = ck.wait %r[%i] : !ring
    %next = ck.mma_tile %full, %acc : !slot, <64x64xf32, #layout>
    ck.release %full : !slot
    ck.store_tile %next, %w[%zero, %zero, %zero] : <64x64xf32, #layout>, !c_view
    ```

    After:
    ```mlir
    %0 = ck.cursor %1[%c0, %2, %3] : !view -> <!view>
    %4 = ck.load %0 offset [0, 0, 0] : <!view> -> vector<4xf16>
    // ...
    vector.store %5, %view[%6, %7, %8] : memref<4x64x8xf16, #gpu.address_space<workgroup>>,
        vector<2xf16>
    // ...
    amdgpu.lds_barrier
    // ...
    %9 = vector.load %view[%10, %11, %c0] : memref<4x64x8xf16, #gpu.address_space<workgroup>>,
        vector<8xf16>
    // ...
    %12 = vector.load %view_0[%10, %13, %c0] : memref<4x64x8xf16,
        #gpu.address_space<workgroup>>, vector<8xf16>
    // ...
    %14 = amdgpu.mfma 32x32x8 %15 * %16 + %cst blgp =  none : vector<4xf16>, vector<4xf16>,
        vector<16xf32>
    // ...
    %17 = ck.cursor %18[%c0, %19, %20] : !view1 -> <!view1>
    ck.store %21, %17 offset [0, 0, 0] mask %true : vector<4xf32>, <!view1>
    ```
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numMfma", "mfma", "MFMA instructions made">,
    Statistic<"numWmma", "wmma", "WMMA instructions made">,
    Statistic<"numBarriers", "barriers", "Barriers of workgroups made">
  ];
}

include "ck-mlir/Transforms/LanePasses.td"

#endif // CK_MLIR_TRANSFORMS_PASSES_TD
