// RUN: ck-opt %s --split-input-file --verify-diagnostics

// The type's shape is the map's.
// expected-error @+1 {{expected the shape of the map's view dimensions (4), got (5)}}
func.func private @view_shape(!ck.view<5xf16, #ck.transform_map<(h: 4) by [] to (h: 4)>>)

// -----

// expected-error @+1 {{unsupported element type 'f64'}}
func.func private @view_type(!ck.view<4xf64, #ck.transform_map<(h: 4) by [] to (h: 4)>>)

// -----

// transform C1: sizes of the tensor.
#map = #ck.transform_map<(h: 4) by [] to (h: 4)>
func.func @transform_shape(%m: memref<5xf16>) {
  // expected-error @+1 {{expected a memref with the map's tensor sizes (4) or some that multiply to them, got 'memref<5xf16>'}}
  %0 = ck.transform %m : memref<5xf16> -> !ck.view<4xf16, #map>
  return
}

// -----

// transform C1: only neighbours are joined.
#map = #ck.transform_map<(h: 4, w: 6) by [] to (h: 4, w: 6)>
func.func @transform_joined(%m: memref<2x3x4xf16>) {
  // expected-error @+1 {{expected a memref with the map's tensor sizes (4, 6) or some that multiply to them, got 'memref<2x3x4xf16>'}}
  %0 = ck.transform %m : memref<2x3x4xf16> -> !ck.view<4x6xf16, #map>
  return
}

// -----

// transform C1: packed.
#map = #ck.transform_map<(h: 4) by [] to (h: 4)>
func.func @transform_packed(%m: memref<4xf16, strided<[2]>>) {
  // expected-error @+1 {{expected a packed memref}}
  %0 = ck.transform %m : memref<4xf16, strided<[2]>> -> !ck.view<4xf16, #map>
  return
}

// -----

// transform C2: one element type.
#map = #ck.transform_map<(h: 4) by [] to (h: 4)>
func.func @transform_type(%m: memref<4xf32>) {
  // expected-error @+1 {{expected a view of 'f32', got one of 'f16'}}
  %0 = ck.transform %m : memref<4xf32> -> !ck.view<4xf16, #map>
  return
}

// -----

// gemm C1: rank.
!v = !ck.view<4x4xf16, #ck.transform_map<(g: 4, m: 4) by [] to (g: 4, m: 4)>>
func.func @gemm_rank(%v: !v) {
  // expected-error @+1 {{expected views of rank 3, got ranks 2, 2 and 2}}
  ck.gemm ins(%v, %v : !v, !v) outs(%v : !v)
  return
}

// -----

// gemm C1: shapes fit together.
!a = !ck.view<1x4x8xf16, #ck.transform_map<(g: 1, m: 4, k: 8) by [] to (g: 1, m: 4, k: 8)>>
!c = !ck.view<1x4x5xf16, #ck.transform_map<(g: 1, m: 4, k: 5) by [] to (g: 1, m: 4, k: 5)>>
// expected-note@+3 {{a is defined here}}
// expected-note@+2 {{b is defined here}}
// expected-note@+1 {{c is defined here}}
func.func @gemm_shapes(%a: !a, %c: !c) {
  // expected-error @+1 {{expected shapes GxMxK, GxNxK and GxMxN, got 1, 4, 8, 1, 4, 8 and 1, 4, 5}}
  ck.gemm ins(%a, %a : !a, !a) outs(%c : !c)
  return
}

// -----

// gemm C2: one operand type.
!a = !ck.view<1x4x4xf16, #ck.transform_map<(g: 1, m: 4, k: 4) by [] to (g: 1, m: 4, k: 4)>>
!b = !ck.view<1x4x4xbf16, #ck.transform_map<(g: 1, m: 4, k: 4) by [] to (g: 1, m: 4, k: 4)>>
// expected-note@+2 {{a is defined here}}
// expected-note@+1 {{b is defined here}}
func.func @gemm_types(%a: !a, %b: !b) {
  // expected-error @+1 {{expected operands of one element type, got 'f16' and 'bf16'}}
  ck.gemm ins(%a, %b : !a, !b) outs(%a : !a)
  return
}

// -----

// gemm C3: the epilogue yields an element of c.
!a = !ck.view<1x4x4xf16, #ck.transform_map<(g: 1, m: 4, k: 4) by [] to (g: 1, m: 4, k: 4)>>
func.func @gemm_epilogue(%a: !a) {
  // expected-error @+1 {{expected an epilogue that yields one 'f16'}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) epilogue {
  ^bb0(%acc: f32):
    // expected-note@+1 {{the epilogue ends here}}
    ck.yield %acc : f32
  }
  return
}

// -----

// gemm C1: D operands of the result's shape.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
!d = !ck.view<1x64x32xf16, #ck.transform_map<(g: 1, m: 64, k: 32) by [] to (g: 1, m: 64, k: 32)>>
// expected-note@+2 {{the D operand is defined here}}
// expected-note@+1 {{the result is defined here}}
func.func @ds(%a: !a, %d: !d) {
  // expected-error @+1 {{expected D operands of shape 1, 64, 64, got 1, 64, 32}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) ds(%d : !d)
  return
}

// -----

// fill C2: the epilogue of zero.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @fill(%a: !a) {
  // expected-error @+1 {{expected an epilogue on ('f32'), got ('f16')}}
  ck.fill outs(%a : !a) epilogue {
  ^bb0(%zero: f16):
    ck.yield %zero : f16
  }
  return
}

// -----

// gemm_table C1: some GEMM.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
func.func @table(%a: !a) {
  // expected-error @+1 {{expected at least one 'ck.gemm'}}
  ck.gemm_table {
    ck.fill outs(%a : !a)
  }
  return
}

// -----

// gemm_table C1: nothing else.
#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @other() {
  // expected-error @+1 {{expected 'ck.gemm' and 'ck.fill' only, got 'ck.zero_acc'}}
  ck.gemm_table {
    %acc = ck.zero_acc : !ck.acc<64x64xf32, #layout>
  }
  return
}

// -----

// gemm C4: the schedule is one for the elements of the operands.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xbf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @schedule_type(%a: !a) {
  // expected-error @+1 {{expected a schedule for operands of 'f16', got one for 'bf16'}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) schedule #s
  return
}

// -----

// gemm C5: a layout belongs to a schedule.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @layout_without_schedule(%a: !a) {
  // expected-error @+1 {{expected a schedule with a layout}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) layout #layout
  return
}

// -----

// gemm C5: of its waves.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
#layout = #ck.acc_layout<waves = 4x1, mma = #ck.mma<32x32x8xf16>, along = rows>
func.func @other_layout(%a: !a) {
  // expected-error @+1 {{expected a layout of the waves and the matrix instruction of}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) schedule #s layout #layout
  return
}

// -----

// gemm C5: a shuffle belongs to a layout.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @shuffle_without_layout(%a: !a) {
  // expected-error @+1 {{expected a layout with a shuffle}}
  ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) schedule #s shuffle <blocks = 1x1, width = 4>
  return
}

// -----

// gemm_table C2: one schedule.
!a = !ck.view<1x64x64xf16, #ck.transform_map<(g: 1, m: 64, k: 64) by [] to (g: 1, m: 64, k: 64)>>
#s = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @schedules(%a: !a) {
  ck.gemm_table {
    // expected-note @+1 {{the first GEMM is here}}
    ck.gemm ins(%a, %a : !a, !a) outs(%a : !a) schedule #s
    // expected-error @+1 {{expected the schedule and layout of the first GEMM of its table}}
    ck.gemm ins(%a, %a : !a, !a) outs(%a : !a)
  }
  return
}
