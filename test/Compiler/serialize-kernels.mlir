// RUN: ck-opt %s --ck-serialize-kernels | FileCheck %s
// RUN: ck-opt %s --ck-serialize-kernels=format=object | FileCheck %s --check-prefix=OBJECT
// RUN: ck-opt %s --ck-serialize-kernels=format=isa | FileCheck %s --check-prefix=ISA
// EXAMPLE-BEFORE: ^gpu.module
// EXAMPLE-BEFORE: rocdl.mfma
// EXAMPLE-BEFORE: llvm.return
// EXAMPLE-AFTER: gpu.binary

// A gpu.module in llvm and rocdl dialect becomes a gpu.binary that holds an ELF file.

// CHECK: gpu.binary @kernels [#gpu.object<#rocdl.target<O = 3, chip = "gfx942">, bin = "\7FELF
// CHECK-NOT: gpu.module

// OBJECT: gpu.binary @kernels [#gpu.object<#rocdl.target<O = 3, chip = "gfx942">, offload = "\7FELF

// ISA: gpu.binary @kernels
// ISA-SAME: assembly =
// ISA-SAME: v_mfma_f32_32x32x8_f16
// ISA-SAME: .private_segment_fixed_size: 0
gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx942">] {
  llvm.func @mfma(%in: !llvm.ptr<1> {llvm.noalias}, %out: !llvm.ptr<1> {llvm.noalias})
      attributes {gpu.kernel, rocdl.kernel,
                  rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %zero = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %lane = rocdl.workitem.id.x : i32
    %address = llvm.getelementptr %in[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf16>
    %a = llvm.load %address : !llvm.ptr<1> -> vector<4xf16>
    %d = rocdl.mfma.f32.32x32x8f16 %a, %a, %zero, %c0, %c0, %c0
       : (vector<4xf16>, vector<4xf16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
    %target = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<16xf32>
    llvm.store %d, %target : vector<16xf32>, !llvm.ptr<1>
    llvm.return
  }
}
