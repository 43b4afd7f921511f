// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// D operands of a store are loaded where the accumulators of a lane stand.

#c_map = #ck.transform_map<(m: 64, n: 96) by [broadcast g : 1] to (g: 1, m: 64, n: 96)>
#n_map = #ck.transform_map<(n: 96) by [broadcast g : 1, broadcast m : 64] to (g: 1, m: 64, n: 96)>
#m_map = #ck.transform_map<(m: 64) by [broadcast g : 1, broadcast n : 96] to (g: 1, m: 64, n: 96)>
!c = !ck.view<1x64x96xf32, #c_map>
!d = !ck.view<1x64x96xf16, #c_map>
!columns = !ck.view<1x64x96xf32, #n_map>
!rows = !ck.view<1x64x96xi8, #m_map>
!narrow = !ck.view<1x64x96xf8E4M3FNUZ, #c_map>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
!ring = !ck.ring<2 x [!ck.fragment<32x16xf16, 4x2 along rows>, !ck.fragment<32x16xf16, 4x2 along rows>]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // An operand of the result's shape: as wide as the stores, at their offsets.
  // CHECK-LABEL: gpu.func @elements
  // CHECK: %[[D0:.*]] = ck.load %[[D:.*]] offset [0, 0, 0] in_bounds : {{.*}} -> vector<4xf16>
  // CHECK: %[[D1:.*]] = ck.load %[[D]] offset [0, 0, 8] in_bounds : {{.*}} -> vector<4xf16>
  // CHECK: ck.load %[[D]] offset [0, 0, 24] in_bounds
  // CHECK: vector.shuffle %[[D0]], %[[D1]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
  // CHECK: arith.addf %[[WIDE]]
  gpu.func @elements(%c: memref<64x96xf32>, %d: memref<64x96xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x96xf32> -> !c
    %vd = ck.transform %d : memref<64x96xf16> -> !d
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %vd, %i, %ring) roles [#ck.role<uniform, 1>] layout #layout {
    ^bb0(%v: !c, %w: !d, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32, #layout>
      ck.store_tile %acc, %v[%tile, %tile, %tile] ds(%w) : <32x32xf32, #layout>, !c, !d epilogue {
      ^bb0(%e: f32, %x: f16):
        %wide = arith.extf %x : f16 to f32
        %sum = arith.addf %e, %wide : f32
        ck.yield %sum : f32
      }
      ck.yield
    } : !c, !d, index, !ring
    gpu.return
  }

  // One value per row: the accumulators of a lane share it. One per column: each has its own.
  // CHECK-LABEL: gpu.func @channels
  // CHECK: ck.load %[[COLUMN:.*]] offset [0, 0, 0] in_bounds : {{.*}} -> vector<4xf32>
  // CHECK: ck.load %[[COLUMN]] offset [0, 0, 8]
  // CHECK: %[[ONE:.*]] = ck.load %[[ROW:.*]] offset [0, 0, 0] in_bounds : {{.*}} -> vector<1xi8>
  // CHECK-NOT: ck.load %[[ROW]]
  // CHECK: arith.sitofp %{{.*}} : vector<16xi8> to vector<16xf32>
  gpu.func @channels(%c: memref<64x96xf32>, %n: memref<96xf32>, %m: memref<64xi8>,
                     %i: index) kernel {
    %vc = ck.transform %c : memref<64x96xf32> -> !c
    %vn = ck.transform %n : memref<96xf32> -> !columns
    %vm = ck.transform %m : memref<64xi8> -> !rows
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %vn, %vm, %i, %ring) roles [#ck.role<uniform, 1>] layout #layout {
    ^bb0(%v: !c, %w: !columns, %u: !rows, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32, #layout>
      ck.store_tile %acc, %v[%tile, %tile, %tile] ds(%w, %u) : <32x32xf32, #layout>, !c, !columns, !rows
      epilogue {
      ^bb0(%e: f32, %x: f32, %y: i8):
        %sum = arith.addf %e, %x : f32
        %wide = arith.sitofp %y : i8 to f32
        %scaled = arith.mulf %sum, %wide : f32
        ck.yield %scaled : f32
      }
      ck.yield
    } : !c, !columns, !rows, index, !ring
    gpu.return
  }

  // 8-bit floats are widened one by one.
  // CHECK-LABEL: gpu.func @narrow
  // CHECK-COUNT-16: arith.extf %{{.*}} : f8E4M3FNUZ to f32
  gpu.func @narrow(%c: memref<64x96xf32>, %d: memref<64x96xf8E4M3FNUZ>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x96xf32> -> !c
    %vd = ck.transform %d : memref<64x96xf8E4M3FNUZ> -> !narrow
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %vd, %i, %ring) roles [#ck.role<uniform, 1>] layout #layout {
    ^bb0(%v: !c, %w: !narrow, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32, #layout>
      ck.store_tile %acc, %v[%tile, %tile, %tile] ds(%w) : <32x32xf32, #layout>, !c, !narrow epilogue {
      ^bb0(%e: f32, %x: f8E4M3FNUZ):
        %wide = arith.extf %x : f8E4M3FNUZ to f32
        %sum = arith.addf %e, %wide : f32
        ck.yield %sum : f32
      }
      ck.yield
    } : !c, !narrow, index, !ring
    gpu.return
  }
}
