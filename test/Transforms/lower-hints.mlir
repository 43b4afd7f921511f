// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-lower-hints))' | FileCheck %s
// EXAMPLE-BEFORE: ck.priority
// EXAMPLE-BEFORE: scf.for
// EXAMPLE-BEFORE: ck.loads_first
// EXAMPLE-AFTER: rocdl.s.setprio
// EXAMPLE-AFTER: scf.for
// EXAMPLE-AFTER: barrier 512 .. barrier 2, 3
// LDS writes, then global loads, then arithmetic, counted in the block of the hint.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK: rocdl.s.setprio 1
  // CHECK: scf.for
  // CHECK: vector.store
  // CHECK: vector.store
  // CHECK-NEXT: rocdl.sched.group.barrier 512, 2, 0
  // CHECK-NEXT: rocdl.sched.group.barrier 32, 1, 0
  // CHECK-NEXT: rocdl.sched.group.barrier 2, 3, 0
  // CHECK: rocdl.raw.ptr.buffer.load
  // CHECK-NOT: ck.
  gpu.func @kernel(%rsrc: !llvm.ptr<8>, %lds: memref<64x4xf16, #gpu.address_space<workgroup>>, %n: index, %v: vector<4xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    ck.priority 1
    scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> vector<4xf16> {
      %j = arith.addi %i, %c1 : index
      vector.store %x, %lds[%i, %c0] : memref<64x4xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      vector.store %x, %lds[%j, %c0] : memref<64x4xf16, #gpu.address_space<workgroup>>, vector<4xf16>
      ck.loads_first
      %offset = arith.index_cast %i : index to i32
      %next = rocdl.raw.ptr.buffer.load %rsrc, %offset, %zero, %zero : vector<4xf16>
      %k = arith.muli %i, %c1 : index
      scf.yield %next : vector<4xf16>
    }
    gpu.return
  }

  // Kinds that a block does not hold get no group.
  // CHECK-LABEL: gpu.func @empty
  // CHECK-NEXT: gpu.return
  gpu.func @empty() kernel {
    ck.loads_first
    gpu.return
  }
}
