// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-lower-transforms,canonicalize,cse))' --split-input-file | FileCheck %s
// A tensor of up to 2^31 bytes is a buffer, whose offsets have 32 bits. A larger one is addressed with
// 64 bits: the bounds of the buffer become a comparison, a load in vain reads the first element.

!fits = !ck.view<1x32768x32768xf16, #ck.transform_map<(m: 32768, k: 32768) by [broadcast g : 1] to (g: 1, m: 32768, k: 32768)>>
gpu.module @fits [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @fits
  // CHECK-NOT: ck.wide_index
  // CHECK: rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %c2147483648_i64
  // CHECK: rocdl.raw.ptr.buffer.load
  // CHECK: rocdl.raw.ptr.buffer.store
  gpu.func @fits(%t: memref<32768x32768xf16>, %m: index, %k: index, %valid: i1) kernel {
    %v = ck.transform %t : memref<32768x32768xf16> -> !fits
    %zero = arith.constant 0 : index
    %p = ck.cursor %v[%zero, %m, %k] : !fits -> <!fits>
    %x = ck.load %p offset [0, 0, 0] in_bounds : <!fits> -> vector<1xf16>
    ck.store %x, %p offset [0, 0, 1] mask %valid : vector<1xf16>, <!fits>
    gpu.return
  }
}

// -----

!wide = !ck.view<1x32769x32768xf16, #ck.transform_map<(m: 32769, k: 32768) by [broadcast g : 1] to (g: 1, m: 32769, k: 32768)>>
gpu.module @wide [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @wide
  // CHECK-SAME: ck.wide_index
  // CHECK-DAG: %[[BYTES:.*]] = arith.constant 2147549184 : i64
  // CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf16>
  // CHECK: %[[BASE:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  // CHECK-NOT: rocdl.make.buffer.rsrc
  // CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[OFFSET]], %[[BYTES]] : i64
  // CHECK: %[[AT:.*]] = arith.select %[[IN]], %[[OFFSET]], %[[FIRST]] : i64
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[BASE]][%[[AT]]]
  // CHECK: %[[LOADED:.*]] = llvm.load %[[PLACE]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK: arith.select %[[IN]], %[[LOADED]], %[[ZERO]] : vector<8xf16>
  // CHECK: %[[VALID:.*]] = arith.andi
  // CHECK: scf.if %[[VALID]] {
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
  gpu.func @wide(%t: memref<32769x32768xf16>, %m: index, %k: index, %valid: i1) kernel {
    %v = ck.transform %t : memref<32769x32768xf16> -> !wide
    %zero = arith.constant 0 : index
    %p = ck.cursor %v[%zero, %m, %k] : !wide -> <!wide>
    %x = ck.load %p offset [0, 0, 0] in_bounds : <!wide> -> vector<8xf16>
    ck.store %x, %p offset [0, 0, 8] mask %valid : vector<8xf16>, <!wide>
    gpu.return
  }
}
