//===- Passes.td - Passes over the ck dialect -*- tablegen -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_PASSES_TD
#define CK_MLIR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"ck-attach-target", "::mlir::ModuleOp"> {
  let summary = "Set the chip that a module is compiled for";
  let description = [{
    Puts `ck.target = #ck.target<"chip">` on the module. Refuses chips that are not in the table.

    Requires: problem. Establishes: problem. Example: test/Transforms/attach-target.mlir
  }];
  let options = [Option<"chip", "chip", "std::string", /*default=*/"\"gfx942\"",
                        "Chip of the chip table, such as gfx942">];
}

def ConvToGemmPass : Pass<"ck-conv-to-gemm", "::mlir::ModuleOp"> {
  let summary = "Express convolutions and matrix products as GEMM on views";
  let description = [{
    Replaces every convolution and matrix product on memrefs by `ck.transform` views of its tensors
    and one batched `ck.gemm`, or a `ck.gemm_table` for strided or dilated backward-data. Direction
    and rank only matter to the maps (ck-mlir/IR/ImplicitGemm.h). Groups of few channels are merged:
    `merge-groups` of them make one GEMM, of whose result the blocks off the diagonal are dropped.

    Requires: problem. Establishes: implicit-gemm. Example: test/Transforms/conv-to-gemm.mlir
  }];
  let options = [Option<"mergeGroups", "merge-groups", "int64_t", /*default=*/"0",
                        "Groups that make one GEMM; 0 chooses by the channels of a group">];
  let dependentDialects = ["::mlir::ck::CKDialect"];
  let statistics = [Statistic<"numConverted", "converted-problems",
                              "Problems expressed as GEMM">];
}

def AssignSchedulePass : Pass<"ck-assign-schedule", "::mlir::ModuleOp"> {
  let summary = "Choose and check the schedule of every GEMM";
  let description = [{
    Completes the schedule string of the option (or the schedule of the op, where it has one already)
    for the GEMM's sizes on the module's chip and puts the result on the op; the GEMMs of a table
    share one. The views of the results decide along which dimension lanes hold accumulators
    (`layout`) and whether results go through LDS to be stored in longer pieces (`shuffle`). A
    schedule that cannot be generated is refused with the reason, a partition that the results, the
    chip or the host function do not allow as well.

    Requires: implicit-gemm. Establishes: scheduled. Example: test/Transforms/assign-schedule.mlir
  }];
  let options = [Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
                        "Schedule string; fields left out are chosen">,
                 Option<"relief", "relief", "int64_t", /*default=*/"0",
                        "How often the loads and accumulators of a chosen schedule are halved">,
                 Option<"residents", "residents", "int64_t", /*default=*/"0",
                        "Workgroups that can be resident at the same time; 0: a workgroup on every "
                        "compute unit of the chip">];
}

def GemmToGridPass : Pass<"ck-gemm-to-grid", "::mlir::ModuleOp"> {
  let summary = "Outline every GEMM into a kernel that distributes its tiles";
  let description = [{
    Moves each scheduled GEMM with its views into a `gpu.func` of a `gpu.module` for the module's
    chip, where `ck.distribute` hands out the tiles, and launches it from the host. Partitions that
    leave sums for other workgroups give the host function another argument, marked `ck.workspace`;
    its flags, where it has some, are zeroed before the launch. Two-stage Split-K gets a second
    kernel that adds up the slices and runs the epilogue.

    Requires: scheduled. Establishes: grid. Example: test/Transforms/OutlineKernels/gemm-to-grid.mlir
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [Option<"residents", "residents", "int64_t", /*default=*/"0",
                        "Workgroups that can be resident at the same time; 0: a workgroup on every "
                        "compute unit of the chip">];
}

def GemmToNaivePass : Pass<"ck-gemm-to-naive", "::mlir::ModuleOp"> {
  let summary = "Outline every GEMM into a kernel of one work-item per element";
  let description = [{
    The reference kernel: each work-item sums up one element of the result over K, in f32 or i32,
    puts it through the epilogue and stores it. It uses no matrix instruction and no LDS, so it
    needs no schedule and runs on every chip; schedules that a GEMM has are ignored.

    Requires: implicit-gemm. Establishes: wave.
    Example: test/Transforms/OutlineKernels/gemm-to-naive.mlir
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandPartitionPass : Pass<"ck-expand-partition", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Replace work distribution by the code of each workgroup";
  let description = [{
    Data-parallel: workgroup b computes tile b of (work, g, tile row, tile column), tile columns
    fastest, over all K steps. Split-K: it computes a slice of the K steps, and adds the result to
    memory or leaves it in the workspace. StreamK: it computes whole tiles, and a stream of
    iterations through shared ones, whose sums meet through the workspace.

    Requires: grid. Establishes: workgroup.
    Example: test/Transforms/ExpandPartition/expand-partition.mlir
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def PipelineBlockGemmPass : Pass<"ck-pipeline-block-gemm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn block GEMMs into software pipelines over an LDS ring";
  let description = [{
    Moves the kernel's body into the roles of a `ck.wave_specialize` and every `ck.block_gemm` into
    a loop over K steps: loads of step i + 1 into registers are in flight while step i is multiplied
    out of its LDS slot. Gives a `ck.store_tile` with a shuffle that stores what a block GEMM has
    just computed the ring to go through, behind a `ck.sync`; others store directly.

    Requires: workgroup. Establishes: block.
    Example: test/Transforms/PipelineBlockGemm/pipeline-block-gemm.mlir
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numPipelined", "pipelined-gemms", "Block GEMMs pipelined">];
}

def DistributeToWavesPass : Pass<"ck-distribute-to-waves", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Distribute tiles to the waves and lanes of a workgroup";
  let description = [{
    Gives every lane its part of each tile: accumulators become the vectors of `amdgpu.mfma`,
    fragments the vectors a lane loads, the ring an LDS buffer, `acquire` and `wait` barriers.
    Operand tiles lie in LDS as [k / kPack][row][kPack], rows swizzled by XOR, so that a lane reads
    its operands and writes its transposed micro tiles without bank conflicts. Results are stored as
    wide as memory allows: A and B of the matrix instructions are exchanged where the layout of the
    accumulators runs along the columns.

    Requires: block. Establishes: wave.
    Example: test/Transforms/DistributeToWaves/distribute-to-waves.mlir
  }];
  let dependentDialects = ["::mlir::ck::CKDialect", "::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandMathPass : Pass<"ck-expand-math"> {
  let summary = "Expand functions of f32 into arithmetic";
  let description = [{
    Replaces `math` functions of f32 scalars and vectors, and the activations of this dialect, by
    branch-free arithmetic that is within 2 units in the last place, denormals included; nothing is
    left that would need a device library. `powf`, `sin` and `cos` compute in f64 inside. `floor` and
    `ceil`, of every type, become truncations. Other functions of other types stay.

    Requires: nothing. Establishes: no functions of f32 but those with an instruction: absf,
    copysign, fma, round, roundeven, sqrt, trunc.
    Example: test/Transforms/ExpandMath/expand-math.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def LowerTransformsPass : Pass<"ck-lower-transforms", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn cursors into byte offsets that loops carry";
  let description = [{
    A cursor becomes a byte offset and the digits of the coordinates that its steps move: a step adds
    constants and carries from digit to digit, it never divides. Padding becomes an offset past the
    end of the buffer descriptor, which reads as zero and drops writes.

    Requires: wave. Establishes: lane.
    Example: test/Transforms/LowerTransforms/lower-transforms.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerHintsPass : Pass<"ck-lower-hints", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower hints to those of the scheduler and the hardware";
  let description = [{
    `ck.priority` becomes `rocdl.s.setprio`. `ck.loads_first` becomes a `rocdl.sched.group.barrier`
    each for the LDS writes, the global loads and the arithmetic of its block, in this order.

    Requires: lane. Establishes: lane without `ck` ops. Example: test/Transforms/lower-hints.mlir
  }];
  let dependentDialects = ["::mlir::ROCDL::ROCDLDialect"];
}

def VerifyFormPass : Pass<"ck-verify-form", "::mlir::ModuleOp"> {
  let summary = "Check that a module is in a normal form of the lowering";
  let description = [{
    Fails at the first op that the form does not hold. Forms: problem, implicit-gemm, scheduled,
    grid, workgroup, block, wave, lane, rocdl; docs/Lowering.md specifies them.

    Requires: nothing. Establishes: nothing. Example: test/Transforms/verify-form.mlir
  }];
  let options = [Option<"form", "form", "std::string", /*default=*/"\"problem\"",
                        "The form to check">];
}

#endif // CK_MLIR_TRANSFORMS_PASSES_TD
