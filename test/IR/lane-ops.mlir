// RUN: ck-opt %s --verify-roundtrip | FileCheck %s

!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!cursor = !ck.cursor<!a>

// CHECK-LABEL: @lane
// CHECK: ck.load %{{.*}} offset [0, 0, 1] : <!view> -> vector<4xf16>
// CHECK: ck.load %{{.*}} offset [0, 0, 4] in_bounds : <!view> -> vector<4xf16>
// CHECK: %[[INSIDE:.*]] = ck.is_inside %{{.*}} : <!view>
// CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 1, 0] mask %{{.*}} : vector<4xf16>, <!view>
// CHECK: ck.store %{{.*}}, %{{.*}} offset [0, 2, 0] mask %{{.*}} write_through : vector<4xf16>, <!view>
// CHECK: ck.copy %{{.*}} offset [0, 0, 0] width 8 to %{{.*}}[%{{.*}}, %{{.*}}] : <!view>, memref<64x64xf16, #gpu.address_space<workgroup>>
func.func @lane(%p: !cursor, %v: vector<4xf16>, %valid: i1, %i: index,
                %lds: memref<64x64xf16, #gpu.address_space<workgroup>>) {
  %0 = ck.load %p offset [0, 0, 1] : !cursor -> vector<4xf16>
  %1 = ck.load %p offset [0, 0, 4] in_bounds : !cursor -> vector<4xf16>
  %inside = ck.is_inside %p : !cursor
  ck.store %v, %p offset [0, 1, 0] mask %valid : vector<4xf16>, !cursor
  ck.store %v, %p offset [0, 2, 0] mask %valid write_through : vector<4xf16>, !cursor
  ck.copy %p offset [0, 0, 0] width 8 to %lds[%i, %i] : !cursor, memref<64x64xf16, #gpu.address_space<workgroup>>
  return
}
