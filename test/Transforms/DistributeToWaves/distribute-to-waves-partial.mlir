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
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  // CHECK: llvm.getelementptr %[[PART]][1024]
  // CHECK: llvm.getelementptr %[[PART]][2048]
  // CHECK: llvm.getelementptr %[[PART]][3072]
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
  // CHECK: scf.while
  // CHECK: %[[FLAG:.*]] = llvm.load %{{.*}} atomic syncscope("agent") monotonic
  // CHECK: rocdl.readfirstlane %[[FLAG]]
  // CHECK: scf.condition
  // CHECK: rocdl.s.sleep
  // CHECK: llvm.fence syncscope("agent") acquire
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
  gpu.func @receive(%ws: memref<16512xi32>, %i: index) kernel {
    ck.wave_specialize(%ws, %i) roles [#ck.role<uniform, 4>] layout #layout {
    ^bb0(%w: memref<16512xi32>, %index: index):
      %acc = ck.zero_acc : <64x64xf32, #layout>
      ck.await %w[%index] first 0 : memref<16512xi32>
      %sum = ck.add_partial %acc, %w[%index] first 128 : <64x64xf32, #layout>, memref<16512xi32>
      ck.store_partial %sum, %w[%index] first 128 : <64x64xf32, #layout>, memref<16512xi32>
      ck.yield
    } : memref<16512xi32>, index
    gpu.return
  }
}
