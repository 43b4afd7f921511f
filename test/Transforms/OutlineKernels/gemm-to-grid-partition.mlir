// RUN: ck-opt %s --ck-gemm-to-grid=residents=4 --ck-verify-form=form=grid | FileCheck %s
// What partitions need beside the kernel: zeroed results, a workspace, a second stage. Here 6 tiles
// of 10 K steps for 4 resident workgroups.

#a_map = #ck.transform_map<(g: 1, m: 64, k: 320) by [] to (g: 1, m: 64, k: 320)>
#b_map = #ck.transform_map<(g: 1, n: 96, k: 320) by [] to (g: 1, n: 96, k: 320)>
#c_map = #ck.transform_map<(g: 1, m: 64, n: 96) by [] to (g: 1, m: 64, n: 96)>
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
!a_view = !ck.view<1x64x320xf16, #a_map>
!b_view = !ck.view<1x96x320xf16, #b_map>
!c_view = !ck.view<1x64x96xf32, #c_map>

// One layout for all kernels: what the first stage leaves the second one finds.
// CHECK: #[[LAYOUT:.*]] = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = columns>
// CHECK: !acc = !ck.acc<32x32xf32, #[[LAYOUT]]>
// CHECK-NOT: !ck.acc<
module attributes {ck.target = #ck.target<"gfx942">} {
  // Atomics add to zero.
  // CHECK-LABEL: func.func @atomic
  // CHECK-SAME: %[[C:[a-z0-9]*]]: memref<1x64x96xf32>)
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: gpu.memset %[[C]], %[[ZERO]] : memref<1x64x96xf32>, f32
  // CHECK: %[[GRID:.*]] = arith.constant 24 : index
  // CHECK: gpu.launch_func {{ *}}@kernels::@atomic_0 blocks in (%[[GRID]]
  func.func @atomic(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<4>> layout #layout
    return
  }

  // 4 x 6 sums of 32 x 32 words; a second kernel adds them up.
  // CHECK-LABEL: func.func @two_stage
  // CHECK-SAME: %[[C:[a-z0-9]*]]: memref<1x64x96xf32>, %[[WS:[a-z0-9]*]]: memref<24576xi32> {ck.workspace})
  // CHECK-NOT: gpu.memset
  // CHECK: %[[GRID:.*]] = arith.constant 24 : index
  // CHECK: gpu.launch_func {{ *}}@kernels::@two_stage_1 blocks in (%[[GRID]], {{.*}} %[[WS]] : memref<24576xi32>)
  // CHECK: %[[TILES:.*]] = arith.constant 6 : index
  // CHECK: gpu.launch_func {{ *}}@kernels::@two_stage_1_reduce blocks in (%[[TILES]], {{.*}} %[[WS]] : memref<24576xi32>)
  func.func @two_stage(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = split_k<4, two_stage>> layout #layout
    return
  }

  // 6 tiles, 4 workgroups: 4 whole tiles, and 20 iterations shared by 4 streams. A line of 32 words with flags
  // each, zeroed, and a partial tile.
  // CHECK-LABEL: func.func @streams
  // CHECK-SAME: %[[WS:[a-z0-9]*]]: memref<4224xi32> {ck.workspace})
  // CHECK: %[[PART:.*]] = memref.subview %[[WS]][0] [128] [1]
  // CHECK: %[[FLAGS:.*]] = memref.cast %[[PART]]
  // CHECK: gpu.memset %[[FLAGS]], %{{.*}} : memref<128xi32>, i32
  // CHECK: %[[GRID:.*]] = arith.constant 8 : index
  // CHECK: gpu.launch_func {{ *}}@kernels::@streams_2 blocks in (%[[GRID]]
  func.func @streams(%a: memref<1x64x320xf16>, %b: memref<1x96x320xf16>, %c: memref<1x64x96xf32>) {
    %va = ck.transform %a : memref<1x64x320xf16> -> !a_view
    %vb = ck.transform %b : memref<1x96x320xf16> -> !b_view
    %vc = ck.transform %c : memref<1x64x96xf32> -> !c_view
    ck.gemm ins(%va, %vb : !a_view, !b_view) outs(%vc : !c_view)
      schedule <tile = 32x32x32, waves = 1x1, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = stream_k<tree>> layout #layout
    return
  }

  // CHECK-LABEL: gpu.func @atomic_0
  // CHECK: ck.distribute <split_k<4>> residents 4 mapping <window = 1, chunk = 1, xcds = 8> {
  // CHECK-LABEL: gpu.func @two_stage_1(
  // CHECK: ck.distribute <split_k<4, two_stage>> residents 4 mapping <window = 1, chunk = 1, xcds = 8> workspace(%{{.*}} : memref<24576xi32>) {

  // The second stage adds the four slices of a tile in their order, which are six tiles apart.
  // CHECK-LABEL: gpu.func @two_stage_1_reduce
  // CHECK: ck.distribute <data_parallel> {
  // CHECK: ck.work tiles [1, 2, 3] k_steps 0
  // CHECK: ^bb0(%[[G:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index,
  // CHECK: %[[TILE:.*]] = affine.linearize_index disjoint [%[[G]], %[[M]], %[[N]]] by (1, 2, 3)
  // CHECK: %[[ACC:.*]] = ck.zero_acc : !acc
  // CHECK: ck.add_partial %[[ACC]], %{{.*}}[%{{.*}}] count %c4{{.*}} step %c6{{.*}} first 0
  // CHECK: epilogue
  // CHECK: ck.store_tile
  // CHECK-LABEL: gpu.func @streams_2
  // CHECK: ck.distribute <stream_k<tree>> residents 4 mapping <window = 1, chunk = 1, xcds = 8> workspace(%{{.*}} : memref<4224xi32>) {
}
