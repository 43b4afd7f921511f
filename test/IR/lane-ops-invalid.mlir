// RUN: ck-opt %s --split-input-file --verify-diagnostics

// load C1: element type.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @load_type(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{expected elements of 'f16', got 'f32'}}
  %0 = ck.load %p offset [0, 0, 1] : !ck.cursor<!a> -> vector<4xf32>
  return
}

// -----

// load C1: an offset per dimension.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @load_offset(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{expected 3 entries in 'offset', got 2}}
  %0 = ck.load %p offset [0, 1] : !ck.cursor<!a> -> vector<4xf16>
  return
}

// -----

// is_inside C1: lanes have elements, tiles have many.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!tile = !ck.cursor<!a, !ck.fragment<64x32xf16, 4x2 along rows>>
func.func @inside_tile(%p: !tile) {
  // expected-error @+1 {{expected the cursor of a lane, got '!ck.cursor<}}
  %0 = ck.is_inside %p : !tile
  return
}

// -----

// store C1: element type.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_type(%p: !ck.cursor<!a>, %v: vector<4xf32>, %m: i1) {
  // expected-error @+1 {{expected elements of 'f16', got 'f32'}}
  ck.store %v, %p offset [0, 0, 1] mask %m : vector<4xf32>, !ck.cursor<!a>
  return
}

// -----

// store C1: an offset per dimension.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_offset(%p: !ck.cursor<!a>, %v: vector<1xf16>, %m: i1) {
  // expected-error @+1 {{expected 3 entries in 'offset', got 4}}
  ck.store %v, %p offset [0, 0, 1, 0] mask %m : vector<1xf16>, !ck.cursor<!a>
  return
}

// -----

// load C2: 32 bytes.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @load_bytes(%p: !ck.cursor<!a>) {
  // expected-error @+1 {{expected a vector of rank 1 and 1, 2, 4, 8 or 16 bytes, got 'vector<16xf16>'}}
  %0 = ck.load %p offset [0, 0, 0] : !ck.cursor<!a> -> vector<16xf16>
  return
}

// -----

// store C2: 6 bytes.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_bytes(%p: !ck.cursor<!a>, %v: vector<3xf16>, %m: i1) {
  // expected-error @+1 {{expected a vector of rank 1 and 1, 2, 4, 8 or 16 bytes, got 'vector<3xf16>'}}
  ck.store %v, %p offset [0, 0, 0] mask %m : vector<3xf16>, !ck.cursor<!a>
  return
}

// -----

// store C3.
!a = !ck.view<1x64x64xf32, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_atomic_through(%p: !ck.cursor<!a>, %v: vector<4xf32>, %m: i1) {
  // expected-error @+1 {{expected 'atomic' or 'write_through', got both}}
  ck.store %v, %p offset [0, 0, 0] mask %m atomic write_through : vector<4xf32>, !ck.cursor<!a>
  return
}

// -----

// store C2: rank 2.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @store_rank(%p: !ck.cursor<!a>, %v: vector<2x2xf16>, %m: i1) {
  // expected-error @+1 {{expected a vector of rank 1 and 1, 2, 4, 8 or 16 bytes, got 'vector<2x2xf16>'}}
  ck.store %v, %p offset [0, 0, 0] mask %m : vector<2x2xf16>, !ck.cursor<!a>
  return
}

// -----

// copy C1.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @copy_type(%p: !ck.cursor<!a>, %lds: memref<64x64xf32>, %i: index) {
  // expected-error @+1 {{expected LDS of 'f16', got 'f32'}}
  ck.copy %p offset [0, 0, 0] width 4 to %lds[%i, %i] : !ck.cursor<!a>, memref<64x64xf32>
  return
}

// -----

// copy C1.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @copy_indices(%p: !ck.cursor<!a>, %lds: memref<64x64xf16>, %i: index) {
  // expected-error @+1 {{expected 2 indices of 'memref<64x64xf16>', got 1}}
  ck.copy %p offset [0, 0, 0] width 8 to %lds[%i] : !ck.cursor<!a>, memref<64x64xf16>
  return
}

// -----

// copy C1.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @copy_offset(%p: !ck.cursor<!a>, %lds: memref<64x64xf16>, %i: index) {
  // expected-error @+1 {{expected 3 entries in 'offset', got 2}}
  ck.copy %p offset [0, 0] width 8 to %lds[%i, %i] : !ck.cursor<!a>, memref<64x64xf16>
  return
}

// -----

// copy C2.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @copy_width(%p: !ck.cursor<!a>, %lds: memref<64x64xf16>, %i: index) {
  // expected-error @+1 {{expected a width of 4 or 16 bytes, got 4 elements of 'f16'}}
  ck.copy %p offset [0, 0, 0] width 4 to %lds[%i, %i] : !ck.cursor<!a>, memref<64x64xf16>
  return
}
