// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Sums for other workgroups: lanes write what they hold, waves signal and wait for themselves. There
// is no ring here.

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @send
  // CHECK-SAME: (%[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index)
  // A lane's 16 accumulators are 4 vectors, those of its neighbours between them.
  // CHECK: %[[BASE:.*]] = ck.pointer %[[WS]]
  // CHECK: %[[PART:.*]] = llvm.getelementptr %[[BASE]]
  // CHECK: %[[BUFFER:.*]] = rocdl.make.buffer.rsrc %[[PART]], %{{.*}}, %c16384_i64
  // CHECK: %[[LANE:.*]] = arith.addi
  // CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %[[BUFFER]], %{{.*}}, %c0_i32, %c0_i32 : vector<4xf32>
  // CHECK: arith.addi %[[LANE]], %c1024
  // CHECK: arith.addi %[[LANE]], %c2048
  // CHECK: arith.addi %[[LANE]], %c3072
  // One lane sets the flag when all that the wave has written is visible to the device.
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK: scf.if
  // CHECK: llvm.store %{{.*}}, %{{.*}} atomic syncscope("agent") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
  gpu.func @send(%ws: memref<16512xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      ck.store_partial %acc, %w[%index] first 128 : <64x64xf32, #layout>, memref<16512xi32>
      ck.signal %w[%index] first 0 : memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index
    gpu.return
  }

  // CHECK-LABEL: gpu.func @receive
  // CHECK-SAME: (%[[WS:.*]]: memref<16512xi32>, %[[I:.*]]: index, %[[N:.*]]: index)
  // The lanes look at 64 flags at a time, until all of them are set.
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %[[N]] step %c64
  // CHECK: scf.while
  // CHECK: %[[FLAG:.*]] = llvm.load %{{.*}} atomic syncscope("agent") monotonic
  // CHECK: %[[UNSET:.*]] = arith.cmpi eq, %[[FLAG]], %c0_i32
  // CHECK: %[[LANES:.*]] = rocdl.ballot %[[UNSET]] : i64
  // CHECK: arith.cmpi ne, %[[LANES]], %c0_i64
  // CHECK: scf.condition
  // CHECK: rocdl.s.sleep
  // CHECK: llvm.fence syncscope("agent") acquire
  // A lane holds 16 accumulators of a tile: it loads those of four tiles before it adds the first.
  // Tiles beyond the last one are zeros, as they lie behind the end of the buffer.
  // CHECK: scf.for %[[FIRST:.*]] = %c0{{.*}} to %[[N]] step %c4{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<16xf32>)
  // CHECK: %[[STEP:.*]] = arith.muli %[[I]], %c16384
  // CHECK: %[[LAST:.*]] = arith.addi %[[N]], %c-1
  // CHECK: %[[TO_LAST:.*]] = arith.muli %[[STEP]], %[[LAST]]
  // CHECK: %[[ALL:.*]] = arith.addi %[[TO_LAST]], %c16384
  // CHECK: %[[BYTES:.*]] = arith.index_cast %[[ALL]]
  // CHECK: rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %[[BYTES]]
  // CHECK-COUNT-16: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xf32>
  // CHECK: rocdl.sched.barrier 0
  // CHECK: %[[ONE:.*]] = arith.addf %[[ACC]], %{{.*}} : vector<16xf32>
  // CHECK: arith.addf %[[ONE]], %{{.*}} : vector<16xf32>
  // CHECK-NOT: arith.select
  // Then each lane takes back the signal that it has seen, which nobody waits for.
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[N]] step %c64
  // CHECK: llvm.store %c0_i32{{.*}}, %{{.*}} atomic syncscope("agent") monotonic {alignment = 4 : i64}
  gpu.func @receive(%ws: memref<16512xi32>, %i: index, %n: index) kernel {
    ck.wave_specialize(%ws, %i, %n) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index, %count: index):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      ck.await %w[%index] count %count step %index first 0 : memref<16512xi32>
      %sum = ck.add_partial %acc, %w[%index] count %count step %index first 128
        : <64x64xf32, #layout>, memref<16512xi32>
      ck.reset_signal %w[%index] count %count step %index first 0 : memref<16512xi32>
      ck.store_partial %sum, %w[%index] first 128 : <64x64xf32, #layout>, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index, index
    gpu.return
  }

  // In a workspace of any size each tile has a buffer of its own, and those beyond the last one are
  // left out of the sum.
  // CHECK-LABEL: gpu.func @receive_anywhere
  // CHECK-COUNT-4: rocdl.make.buffer.rsrc
  // CHECK: %[[ONE:.*]] = arith.addf
  // CHECK: %[[TWO:.*]] = arith.addf %[[ONE]], %{{.*}} : vector<16xf32>
  // CHECK: arith.select %{{.*}}, %[[TWO]], %[[ONE]]
  gpu.func @receive_anywhere(%ws: memref<?xi32>, %i: index, %n: index) kernel {
    ck.wave_specialize(%ws, %i, %n) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<?xi32>, %index: index, %count: index):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      %sum = ck.add_partial %acc, %w[%index] count %count step %index first 128
        : <64x64xf32, #layout>, memref<?xi32>
      ck.store_partial %sum, %w[%index] first 128 : <64x64xf32, #layout>, memref<?xi32>
      ck.yield
    } : memref<?xi32>, index, index
    gpu.return
  }

  // As many tiles as are known: no more are loaded at once, and none is left out.
  // CHECK-LABEL: gpu.func @receive_two
  // CHECK-COUNT-8: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xf32>
  // CHECK-NOT: rocdl.raw.ptr.buffer.load
  // CHECK-NOT: arith.select
  gpu.func @receive_two(%ws: memref<16512xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      %c2 = arith.constant 2 : index
      %sum = ck.add_partial %acc, %w[%index] count %c2 step %c2 first 128
        : <64x64xf32, #layout>, memref<16512xi32>
      ck.store_partial %sum, %w[%index] first 128 : <64x64xf32, #layout>, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index
    gpu.return
  }

  // A lane holds 128 accumulators: it loads and adds 64, and then the others.
  // CHECK-LABEL: gpu.func @pieces
  // CHECK-COUNT-16: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xf32>
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NOT: rocdl.raw.ptr.buffer.load
  // CHECK-COUNT-4: arith.addf
  // CHECK: rocdl.sched.barrier 0
  // CHECK-COUNT-16: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xf32>
  // CHECK-COUNT-4: arith.addf
  gpu.func @pieces(%ws: memref<32896xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<32896xi32>, %index: index):
      %acc = ck.zero_acc : <256x128xf32, #layout>
      %c1 = arith.constant 1 : index
      %sum = ck.add_partial %acc, %w[%index] count %c1 step %c1 first 128
        : <256x128xf32, #layout>, memref<32896xi32>
      ck.store_partial %sum, %w[%index] first 128 : <256x128xf32, #layout>, memref<32896xi32>
      ck.yield
    } : memref<32896xi32>, index
    gpu.return
  }

  // The waves that only load are not counted.
  // CHECK-LABEL: gpu.func @number
  // CHECK: %[[UNIFORM:.*]] = rocdl.readfirstlane
  // CHECK: %[[WAVE:.*]] = arith.index_cast %[[UNIFORM]]
  // CHECK: %[[MATH:.*]] = arith.subi %[[WAVE]], %c2
  // CHECK: %[[OWN:.*]] = arith.cmpi eq, %[[MATH]], %{{.*}} : index
  // CHECK: scf.if %[[OWN]]
  // CHECK: llvm.store
  gpu.func @number(%ws: memref<16512xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<load, 2>, #ck.role<math, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index):
      ck.yield
    }, {
    ^bb0(%w: memref<16512xi32>, %index: index):
      %wave = ck.math_wave
      %own = arith.cmpi eq, %wave, %index : index
      scf.if %own {
        ck.signal %w[%index] first 0 : memref<16512xi32>
      }
      ck.yield
    } : memref<16512xi32>, index
    gpu.return
  }
}
