// RUN: ck-opt %s --ck-expand-direct | FileCheck %s
// EXAMPLE-BEFORE: ck.direct_gemm %w
// EXAMPLE-AFTER: ck.cursor .. ck.load
// EXAMPLE-AFTER: memref.store
// EXAMPLE-AFTER: amdgpu.lds_barrier
// EXAMPLE-AFTER: memref.load
// EXAMPLE-AFTER: math.fma
// EXAMPLE-AFTER: ck.store
// A lane loads what its results share once, in vectors of neighbouring channels.

#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
#wide_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 32, k: 1) by
                             [pass G = g, merge M = (n, h, w), pass N = k] to (G: 32, M: 32, N: 1)>
!wide_view = !ck.view<32x32x1xf16, #wide_map>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // The weights of the workgroup, 72 elements, go through LDS, which all threads write.
  // CHECK-LABEL: gpu.func @depthwise
  // CHECK-SAME: workgroup(%[[LDS:.*]] : memref<4096xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // CHECK: %[[WEIGHTS:.*]] = ck.load %{{.*}} offset [0] : <!view3> -> vector<8xf16>
  // Four columns and two at the sides, of three rows.
  // CHECK-COUNT-18: ck.load %{{.*}} offset [0, {{.*}}] in_bounds : <!view> -> vector<8xf16>
  // CHECK-NOT: ck.load
  // CHECK: %[[BITS:.*]] = vector.bitcast %[[WEIGHTS]] : vector<8xf16> to vector<8xi16>
  // CHECK: memref.store %[[BITS]]
  // CHECK: amdgpu.memory_counter_wait ds(0)
  // CHECK: amdgpu.lds_barrier
  // CHECK-COUNT-9: memref.load %{{.*}} : memref<256xvector<8xi16>, #gpu.address_space<workgroup>>
  // CHECK-NOT: memref.load
  // CHECK-COUNT-288: math.fma
  // CHECK-NOT: math.fma
  // CHECK-COUNT-4: ck.store %{{.*}} mask %{{[^ ]*}} : vector<8xf16>, <!view2>
  // CHECK-NOT: ck.store
  // CHECK: gpu.return
  gpu.func @depthwise(%a: memref<2x4x4x8x1xf16>, %b: memref<8x1x3x3x1xf16>, %c: memref<2x4x4x8x1xf16>) kernel {
    %va = ck.transform %a : memref<2x4x4x8x1xf16> -> !a_view
    %vb = ck.transform %b : memref<8x1x3x3x1xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 8, columns = 4, rows = 1> xcds 8
    gpu.return
  }

  // The blocks of lanes with one channel, 9 elements, begin at multiples of 16 bytes in LDS.
  // CHECK-LABEL: gpu.func @single
  // CHECK: arith.divui %{{.*}}, %c16
  // CHECK: arith.muli %{{.*}}, %c9
  // CHECK-COUNT-18: ck.load %{{.*}} offset [0, {{.*}}] in_bounds : <!view> -> vector<1xf16>
  // CHECK: memref.store
  // CHECK: math.fma
  // CHECK: ck.store %{{.*}} : vector<1xf16>, <!view2>
  gpu.func @single(%a: memref<2x4x4x8x1xf16>, %b: memref<8x1x3x3x1xf16>, %c: memref<2x4x4x8x1xf16>) kernel {
    %va = ck.transform %a : memref<2x4x4x8x1xf16> -> !a_view
    %vb = ck.transform %b : memref<8x1x3x3x1xf16> -> !b_view
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view) direct <channels = 1, columns = 4, rows = 1>
    gpu.return
  }

  // Without operands there is nothing to multiply.
  // CHECK-LABEL: gpu.func @fill
  // CHECK-NOT: workgroup(
  // CHECK-NOT: math.fma
  // CHECK: ck.load %{{.*}} in_bounds : <!view2> -> vector<4xf16>
  // CHECK: ck.store %{{.*}} : vector<4xf16>, <!view2>
  gpu.func @fill(%c: memref<2x4x4x8x1xf16>) kernel {
    %vc = ck.transform %c : memref<2x4x4x8x1xf16> -> !c_view
    %w = gpu.block_id x
    ck.direct_gemm %w outs(%vc : !c_view) ds(%vc : !c_view) direct <channels = 4, columns = 1, rows = 1> epilogue {
    ^bb0(%acc: f32, %old: f16):
      %old32 = arith.extf %old : f16 to f32
      %sum = arith.addf %acc, %old32 : f32
      %new = arith.truncf %sum : f32 to f16
      ck.yield %new : f16
    }
    gpu.return
  }

  // Neighbouring lanes have 32 neighbouring channels: they write whole blocks of 64 bytes, which need
  // not wait in the L2 of an XCD. Eight channels at four columns each, above, are no whole blocks.
  // CHECK-LABEL: gpu.func @blocks
  // CHECK: ck.store %{{.*}} mask %{{.*}} write_through : vector<4xf16>, <!view{{[0-9]*}}>
  gpu.func @blocks(%c: memref<2x4x4x32x1xf16>) kernel {
    %vc = ck.transform %c : memref<2x4x4x32x1xf16> -> !wide_view
    %w = gpu.block_id x
    ck.direct_gemm %w outs(%vc : !wide_view) direct <channels = 4, columns = 1, rows = 1>
    gpu.return
  }
}
