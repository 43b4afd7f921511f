// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-distribute-to-waves),canonicalize,cse)' | FileCheck %s
// Results leave through the epilogue, vectorized, with a mask only where tiles are partial, and as
// wide as a lane holds what is consecutive in memory: the decision comes before the multiplication.

#full_map = #ck.transform_map<(m: 64, n: 96) by [broadcast g : 1] to (g: 1, m: 64, n: 96)>
#rows_map = #ck.transform_map<(m: 60, n: 96) by [broadcast g : 1] to (g: 1, m: 60, n: 96)>
#both_map = #ck.transform_map<(m: 60, n: 90) by [broadcast g : 1] to (g: 1, m: 60, n: 90)>
!full = !ck.view<1x64x96xf32, #full_map>
!rows = !ck.view<1x60x96xf32, #rows_map>
!both = !ck.view<1x60x90xf16, #both_map>
#columns = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
#rows = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
// Memory runs along the rows; a tensor of 30 of them has no wide vectors.
#transposed_map = #ck.transform_map<(n: 96, m: 64) by [broadcast g : 1] to (g: 1, m: 64, n: 96)>
#odd_map = #ck.transform_map<(m: 64, n: 95) by [broadcast g : 1] to (g: 1, m: 64, n: 95)>
// Rows are positions of an image of 6 x 10 in a frame.
#image_map = #ck.transform_map<(h: 8, w: 12, n: 96) by [slice h 1 to 7, slice w 1 to 11, merge m = (h, w), broadcast g : 1] to (g: 1, m: 60, n: 96)>
!transposed = !ck.view<1x64x96xf16, #transposed_map>
!odd = !ck.view<1x64x95xf16, #odd_map>
!image = !ck.view<1x60x96xf16, #image_map>
!ring = !ck.ring<2 x [!ck.fragment<32x16xf16, 4x2 along rows>, !ck.fragment<32x16xf16, 4x2 along rows>]>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // A lane holds four times four columns of a row; offsets are constants, no mask.
  // CHECK-LABEL: gpu.func @full
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK: rocdl.mbcnt.hi
  // CHECK-DAG: %[[IN_BLOCK:.*]] = arith.remui %{{.*}}, %c32
  // CHECK-DAG: %[[ROW:.*]] = arith.addi %{{.*}}, %[[IN_BLOCK]]
  // CHECK-NOT: arith.cmpi
  // CHECK: %[[P:.*]] = ck.cursor %{{.*}}[%{{.*}}, %[[ROW]], %{{.*}}]
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 0] mask %[[TRUE]] : vector<4xf32>
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 8] mask %[[TRUE]] : vector<4xf32>
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 16] mask %[[TRUE]] : vector<4xf32>
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 24] mask %[[TRUE]] : vector<4xf32>
  // CHECK-NOT: ck.store
  // CHECK: gpu.return
  gpu.func @full(%c: memref<64x96xf32>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x96xf32> -> !full
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #columns {
    ^bb0(%v: !full, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #columns>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #columns>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #columns>, !full
      ck.yield
    } : !full, index, !ring
    gpu.return
  }

  // Rows have a partial tile, columns have none.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c60
  // CHECK-NOT: %c96
  // CHECK: ck.store %{{.*}} mask %[[IN]]
  gpu.func @rows(%c: memref<60x96xf32>, %i: index) kernel {
    %vc = ck.transform %c : memref<60x96xf32> -> !rows
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #columns {
    ^bb0(%v: !rows, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #columns>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #columns>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #columns>, !rows
      ck.yield
    } : !rows, index, !ring
    gpu.return
  }

  // The epilogue works on all accumulators of a matrix instruction at once, constants as splats. Rows
  // of 90 elements start at multiples of two.
  // CHECK-LABEL: gpu.func @epilogue
  // CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<16xf32>
  // CHECK: %[[D:.*]] = arith.mulf %{{.*}}, %[[TWO]] : vector<16xf32>
  // CHECK: %[[H:.*]] = arith.truncf %[[D]] : vector<16xf32> to vector<16xf16>
  // CHECK: vector.shuffle %[[H]], %[[H]] [0, 1]
  // CHECK-DAG: %[[R:.*]] = arith.cmpi ult, %{{.*}}, %c60
  // CHECK-DAG: %[[C:.*]] = arith.cmpi ult, %{{.*}}, %c90
  // CHECK: %[[IN:.*]] = arith.andi %[[R]], %[[C]]
  // CHECK: ck.store %{{.*}} mask %[[IN]] : vector<2xf16>
  gpu.func @epilogue(%c: memref<60x90xf16>, %i: index, %x: f32) kernel {
    %vc = ck.transform %c : memref<60x90xf16> -> !both
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #columns {
    ^bb0(%v: !both, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #columns>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #columns>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #columns>, !both epilogue {
      ^bb0(%e: f32):
        %two = arith.constant 2.0 : f32
        %0 = arith.mulf %e, %two : f32
        %1 = arith.truncf %0 : f32 to f16
        ck.yield %1 : f16
      }
      ck.yield
    } : !both, index, !ring
    gpu.return
  }

  // Where memory runs along the columns of the result, A and B stay in their places: A is loaded first.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK: %[[A:.*]] = vector.load
  // CHECK: %[[B:.*]] = vector.load
  // CHECK-DAG: %[[A0:.*]] = vector.shuffle %[[A]]
  // CHECK-DAG: %[[B0:.*]] = vector.shuffle %[[B]]
  // CHECK: amdgpu.mfma 32x32x8 %[[A0]] * %[[B0]]
  // CHECK: ck.store %{{.*}}, %[[P:.*]] offset [0, 0, 0] mask %{{.*}} : vector<4xf16>
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 8, 0]
  // CHECK: gpu.return
  gpu.func @transposed(%c: memref<96x64xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<96x64xf16> -> !transposed
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #rows {
    ^bb0(%v: !transposed, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #rows>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #rows>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #rows>, !transposed
      ck.yield
    } : !transposed, index, !ring
    gpu.return
  }

  // Otherwise they are exchanged. The cursor of a row serves its columns: positions are divided once.
  // CHECK-LABEL: gpu.func @image
  // CHECK: %[[A:.*]] = vector.load
  // CHECK: %[[B:.*]] = vector.load
  // CHECK-DAG: %[[A0:.*]] = vector.shuffle %[[A]]
  // CHECK-DAG: %[[B0:.*]] = vector.shuffle %[[B]]
  // CHECK: amdgpu.mfma 32x32x8 %[[B0]] * %[[A0]]
  // CHECK: %[[P:.*]] = ck.cursor
  // CHECK-NOT: ck.cursor
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 0] mask %{{.*}} : vector<4xf16>
  // CHECK: ck.store %{{.*}}, %[[P]] offset [0, 0, 8]
  // CHECK: gpu.return
  gpu.func @image(%c: memref<8x12x96xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<8x12x96xf16> -> !image
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #columns {
    ^bb0(%v: !image, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #columns>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #columns>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #columns>, !image
      ck.yield
    } : !image, index, !ring
    gpu.return
  }

  // Rows start anywhere: single elements, of which neighbouring lanes store neighbours.
  // CHECK-LABEL: gpu.func @odd
  // CHECK: %[[A:.*]] = vector.load
  // CHECK: %[[B:.*]] = vector.load
  // CHECK-DAG: %[[A0:.*]] = vector.shuffle %[[A]]
  // CHECK-DAG: %[[B0:.*]] = vector.shuffle %[[B]]
  // CHECK: amdgpu.mfma 32x32x8 %[[A0]] * %[[B0]]
  // CHECK-COUNT-16: ck.store %{{.*}} : vector<1xf16>
  // CHECK: gpu.return
  gpu.func @odd(%c: memref<64x95xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<64x95xf16> -> !odd
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #rows {
    ^bb0(%v: !odd, %tile: index, %r: !ring):
      %free = ck.acquire %r[%tile] : !ring
      ck.commit %free : <!ring>
      %k = ck.wait %r[%tile] : !ring
      %zero = ck.zero_acc : <32x32xf32, #rows>
      %acc = ck.mma_tile %k, %zero : <!ring>, <32x32xf32, #rows>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #rows>, !odd
      ck.yield
    } : !odd, index, !ring
    gpu.return
  }

  // Without products all results are the same: lanes take whole rows, whatever they would accumulate.
  // A row of 32 halves is a block of 64 bytes, which nobody else adds to: it need not wait in the L2.
  // CHECK-LABEL: gpu.func @zeros
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf16>
  // CHECK-DAG: %[[IN_ROW:.*]] = arith.remui %{{.*}}, %c4
  // CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[IN_ROW]], %c8
  // CHECK-DAG: %[[LANE_ROW:.*]] = arith.divui %{{.*}}, %c4
  // CHECK-DAG: %[[AT_ROW:.*]] = arith.addi %{{.*}}, %[[LANE_ROW]]
  // CHECK-DAG: %[[AT_COLUMN:.*]] = arith.addi %{{.*}}, %[[COLUMN]]
  // CHECK: %[[P:.*]] = ck.cursor %{{.*}}[%{{.*}}, %[[AT_ROW]], %[[AT_COLUMN]]]
  // CHECK: ck.store %[[ZERO]], %[[P]] offset [0, 0, 0] mask %{{.*}} write_through : vector<8xf16>
  // CHECK: %[[NEXT_ROW:.*]] = arith.addi %[[AT_ROW]], %c16
  // CHECK: %[[NEXT:.*]] = ck.cursor %{{.*}}[%{{.*}}, %[[NEXT_ROW]], %[[AT_COLUMN]]]
  // CHECK: ck.store %[[ZERO]], %[[NEXT]] offset [0, 0, 0] mask %{{.*}} write_through : vector<8xf16>
  // CHECK-NOT: ck.store
  // CHECK: gpu.return
  gpu.func @zeros(%c: memref<8x12x96xf16>, %i: index) kernel {
    %vc = ck.transform %c : memref<8x12x96xf16> -> !image
    %ring = ck.lds_ring : !ring
    ck.wave_specialize(%vc, %i, %ring) roles [#ck.role<uniform, 1>] layout #columns {
    ^bb0(%v: !image, %tile: index, %r: !ring):
      %acc = ck.zero_acc : <32x32xf32, #columns>
      ck.store_tile %acc, %v[%tile, %tile, %tile] : <32x32xf32, #columns>, !image
      ck.yield
    } : !image, index, !ring
    gpu.return
  }
}
