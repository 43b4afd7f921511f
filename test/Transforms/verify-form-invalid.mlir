// RUN: ck-gen "conv_bwd_weight:f16:N=1,K=8,C=8,in=4x4,filter=1x1" -o %t.problem.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-implicit-gemm -o %t.gemm.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-grid=schedule=tile=16x16x16 -o %t.grid.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-workgroup=schedule=tile=16x16x16 -o %t.workgroup.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-wave=schedule=tile=16x16x16 -o %t.wave.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-block=schedule=tile=16x16x16 -o %t.block.mlir
// RUN: ck-opt %t.problem.mlir --ck-lower-to-lane=schedule=tile=16x16x16 -o %t.lane.mlir

// No rung passes for another: the first op that does not belong is named.
// RUN: not ck-opt %t.problem.mlir --ck-verify-form=form=implicit-gemm 2>&1 | FileCheck %s --check-prefix=PROBLEM
// RUN: not ck-opt %t.gemm.mlir --ck-verify-form=form=problem 2>&1 | FileCheck %s --check-prefix=GEMM
// RUN: not ck-opt %t.gemm.mlir --ck-verify-form=form=scheduled 2>&1 | FileCheck %s --check-prefix=UNSCHEDULED
// RUN: not ck-opt %t.gemm.mlir --ck-verify-form=form=grid 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not ck-opt %t.grid.mlir --ck-verify-form=form=scheduled 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not ck-opt %t.grid.mlir --ck-verify-form=form=block 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not ck-opt %t.block.mlir --ck-verify-form=form=grid 2>&1 | FileCheck %s --check-prefix=RING
// RUN: not ck-opt %t.block.mlir --ck-verify-form=form=lane 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not ck-opt %t.block.mlir --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),ck-verify-form{form=block})' 2>&1 | FileCheck %s --check-prefix=CURSOR
// RUN: not ck-opt %t.grid.mlir --ck-verify-form=form=workgroup 2>&1 | FileCheck %s --check-prefix=DISTRIBUTE
// RUN: not ck-opt %t.workgroup.mlir --ck-verify-form=form=block 2>&1 | FileCheck %s --check-prefix=WORKGROUP
// RUN: not ck-opt %t.block.mlir --ck-verify-form=form=wave 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not ck-opt %t.wave.mlir --ck-verify-form=form=lane 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not ck-opt %t.lane.mlir --ck-verify-form=form=rocdl 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: not ck-opt %t.problem.mlir --ck-verify-form=form=isa 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// PROBLEM: error: 'ck.conv_bwd_weight' op does not belong to form 'implicit-gemm'
// GEMM: error: 'ck.transform' op does not belong to form 'problem'
// UNSCHEDULED: error: 'ck.gemm' op form 'scheduled' requires a schedule and a layout
// HOST: error: 'ck.transform' op does not belong to form 'grid'
// KERNEL: error: 'ck.transform' op does not belong to form 'scheduled'
// GRID: error: 'ck.distribute' op does not belong to form 'block'
// DISTRIBUTE: error: 'ck.distribute' op does not belong to form 'workgroup'
// WORKGROUP: error: 'ck.block_gemm' op does not belong to form 'block'
// TILES: error: 'ck.lds_ring' op does not belong to form 'wave'
// RING: error: 'ck.lds_ring' op does not belong to form 'grid'
// BLOCK: error: 'ck.transform' op does not belong to form 'lane'
// CURSOR: error: 'ck.cursor' op form 'block' requires cursors of tiles
// LANE: error: 'gpu.func' op does not belong to form 'rocdl'
// UNKNOWN: error: unknown form 'isa': expected one of problem, implicit-gemm, scheduled, grid, workgroup, block, wave, arithmetic, lane, upstream, rocdl
