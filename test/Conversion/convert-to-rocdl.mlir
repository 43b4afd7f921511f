// RUN: ck-opt %s --ck-convert-to-rocdl --ck-verify-form=form=rocdl --split-input-file | FileCheck %s
// EXAMPLE-BEFORE: gpu.func @kernel
// EXAMPLE-BEFORE: %a = vector.load .. scf.yield
// EXAMPLE-AFTER: llvm.func @kernel
// EXAMPLE-AFTER: llvm.load .. llvm.br
// EXAMPLE-AFTER: rocdl.mfma .. llvm.br
// Kernels become llvm and rocdl, the host keeps what it has; tensors are bare pointers, indices have
// 32 bits, and the chip of the module decides the intrinsics, and whether arguments are preloaded.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @host
  // CHECK: gpu.launch_func @kernels::@kernel
  func.func @host(%t: memref<64xf16>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%t : memref<64xf16>)
    return
  }

  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    // CHECK-LABEL: llvm.func @kernel(%{{[^,]*}}: !llvm.ptr {llvm.inreg})
    // CHECK-NOT: i64
    // CHECK-SAME: gpu.kernel
    // CHECK-SAME: rocdl.flat_work_group_size = "64,64"
    // CHECK-DAG: rocdl.workitem.id.x
    // CHECK-DAG: rocdl.workgroup.id.x
    // CHECK-NOT: scf.for
    // CHECK: llvm.cond_br
    // CHECK: rocdl.mfma.f32.32x32x8f16
    // CHECK: llvm.return
    // CHECK-NOT: unrealized_conversion_cast
    gpu.func @kernel(%t: memref<64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %init = arith.constant dense<0.0> : vector<16xf32>
      %lane = gpu.thread_id x
      %block = gpu.block_id x
      %tile:2 = affine.delinearize_index %block into (2, 4) : index, index
      %a = vector.load %t[%lane] : memref<64xf16>, vector<4xf16>
      %sum = scf.for %i = %zero to %tile#1 step %one iter_args(%acc = %init) -> vector<16xf32> {
        %0 = amdgpu.mfma 32x32x8 %a * %a + %acc { blocks = 1 : i32 } blgp = none
          : vector<4xf16>, vector<4xf16>, vector<16xf32>
        scf.yield %0 : vector<16xf32>
      }
      %r = vector.extract %sum[0] : f32 from vector<16xf32>
      %h = arith.truncf %r : f32 to f16
      memref.store %h, %t[%lane] : memref<64xf16>
      gpu.return
    }

    // An integer becomes an 8-bit float by way of f32.
    // CHECK-LABEL: llvm.func @narrow
    // CHECK: %[[WIDE:.*]] = llvm.sitofp %{{.*}} : i8 to f32
    // CHECK: rocdl.cvt.pk.fp8.f32
    gpu.func @narrow(%t: memref<64xi8>, %r: memref<64xf8E4M3FNUZ>) kernel {
      %lane = gpu.thread_id x
      %i = memref.load %t[%lane] : memref<64xi8>
      %f = arith.sitofp %i : i8 to f8E4M3FNUZ
      memref.store %f, %r[%lane] : memref<64xf8E4M3FNUZ>
      gpu.return
    }

    // Vectors of 8-bit floats are made by fours, also those of integers.
    // CHECK-LABEL: llvm.func @narrow_vector
    // CHECK-COUNT-4: rocdl.cvt.pk.fp8.f32
    // CHECK: llvm.shufflevector
    // CHECK-NOT: unrealized_conversion_cast
    // CHECK: llvm.return
    gpu.func @narrow_vector(%v: vector<8xi32>, %r: memref<64xf8E4M3FNUZ>) kernel {
      %lane = gpu.thread_id x
      %f = arith.sitofp %v : vector<8xi32> to vector<8xf8E4M3FNUZ>
      vector.store %f, %r[%lane] : memref<64xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>
      gpu.return
    }
  }
}

// -----

// Chips without instructions for 8-bit floats compute on bits.
gpu.module @without_float8 [#rocdl.target<chip = "gfx1100">] {
  // The 7 bits of the magnitude move to those of an f32, scaled by the difference of the biases;
  // what is not finite is beyond 0x7b. The upper half of the result is the bf16.
  // CHECK-LABEL: llvm.func @widen
  // CHECK-DAG: %[[SCALE:.*]] = llvm.mlir.constant(dense<5.19229686E+33> : vector<8xf32>)
  // CHECK-DAG: %[[SPECIAL:.*]] = llvm.mlir.constant(dense<124> : vector<8xi32>)
  // CHECK: llvm.sext {{.*}} : vector<8xi8> to vector<8xi32>
  // CHECK: llvm.fmul %{{.*}}, %[[SCALE]]
  // CHECK: llvm.icmp "uge" %{{.*}}, %[[SPECIAL]]
  // CHECK: llvm.select
  // CHECK: llvm.trunc {{.*}} : vector<8xi32> to vector<8xi16>
  // CHECK: llvm.bitcast {{.*}} : vector<8xi16> to vector<8xbf16>
  gpu.func @widen(%t: memref<64xf8E5M2>, %r: memref<64xbf16>) kernel {
    %lane = gpu.thread_id x
    %v = vector.load %t[%lane] : memref<64xf8E5M2>, vector<8xf8E5M2>
    %f = arith.extf %v : vector<8xf8E5M2> to vector<8xbf16>
    vector.store %f, %r[%lane] : memref<64xbf16>, vector<8xbf16>
    gpu.return
  }

  // Limited to 448, rounded by its bits where it is normal, by an addition where it is not.
  // CHECK-LABEL: llvm.func @narrow_without
  // CHECK-DAG: %[[LARGEST:.*]] = llvm.mlir.constant(1138753536 : i32)
  // CHECK: llvm.intr.umin(%{{.*}}, %[[LARGEST]])
  // CHECK: llvm.fadd
  // CHECK: llvm.trunc {{.*}} : i32 to i8
  // CHECK-NOT: rocdl.cvt
  // CHECK: llvm.return
  gpu.func @narrow_without(%x: i32, %r: memref<64xf8E4M3FN>) kernel {
    %lane = gpu.thread_id x
    %f = arith.sitofp %x : i32 to f8E4M3FN
    memref.store %f, %r[%lane] : memref<64xf8E4M3FN>
    gpu.return
  }
}
