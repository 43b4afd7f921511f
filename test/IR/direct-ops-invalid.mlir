// RUN: ck-opt %s --split-input-file --verify-diagnostics

// direct_gemm C1: both operands or none.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @one_type(%w: index, %a: !a_view, %b: !ck.view<8x1x9xbf16, #b_map>, %c: !c_view) {
  // expected-error @+1 {{expected operands of one element type, got 'f16' and 'bf16'}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !ck.view<8x1x9xbf16, #b_map>) outs(%c : !c_view)
      direct <channels = 8, columns = 4, rows = 1>
  return
}

// -----

// direct_gemm C1: shapes.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
// expected-note@+3 {{a is defined here}}
// expected-note@+2 {{b is defined here}}
// expected-note@+1 {{c is defined here}}
func.func @shapes(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{expected shapes GxMxK, GxNxK and GxMxN, got 8, 1, 9, 8, 1, 9 and 8, 32, 1}}
  ck.direct_gemm %w ins(%b, %b : !b_view, !b_view) outs(%c : !c_view)
      direct <channels = 8, columns = 4, rows = 1>
  return
}

// -----

// direct_gemm C1: rank.
!flat = !ck.view<4xf16, #ck.transform_map<(h: 4) by [] to (h: 4)>>
func.func @rank(%w: index, %c: !flat) {
  // expected-error @+1 {{expected a view of rank 3, got}}
  ck.direct_gemm %w outs(%c : !flat) direct <channels = 1, columns = 1, rows = 1>
  return
}

// -----

// direct_gemm C2: D operands need an epilogue.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @ds(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{expected an epilogue}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) ds(%c : !c_view)
      direct <channels = 8, columns = 4, rows = 1>
  return
}

// -----

// direct_gemm C2: shapes of D operands.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
// expected-note@+2 {{the D operand is defined here}}
// expected-note@+1 {{the result is defined here}}
func.func @d_shape(%w: index, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{expected D operands of shape 8, 32, 1, got 8, 1, 9}}
  ck.direct_gemm %w outs(%c : !c_view) ds(%b : !b_view) direct <channels = 8, columns = 4, rows = 1> epilogue {
  ^bb0(%acc: f32, %d: f16):
    ck.yield %d : f16
  }
  return
}

// -----

// direct_gemm C3: known sizes.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @tile(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{direct=8x3x1 has 3 columns, expected one of 8, 7, 4, 2, 1}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      direct <channels = 8, columns = 3, rows = 1>
  return
}

// -----

// direct_gemm C3: whole groups.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @tile(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{direct=16x1x1 does not divide 8 groups of 1 channels evenly}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      direct <channels = 16, columns = 1, rows = 1>
  return
}

// -----

// direct_gemm C3: positions of the image.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @tile(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{direct=8x8x1 has more than 4 x 4 positions}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      direct <channels = 8, columns = 8, rows = 1>
  return
}

// -----

// direct_gemm C3: registers.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
func.func @tile(%w: index, %a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{direct=8x4x4 gives a lane 128 accumulators, expected at most 96}}
  ck.direct_gemm %w ins(%a, %b : !a_view, !b_view) outs(%c : !c_view)
      direct <channels = 8, columns = 4, rows = 4>
  return
}

// -----

// direct_gemm C3: channels side by side.
#c_map = #ck.transform_map<(g: 1, n: 2, m: 32) by [pass G = g, pass M = m, pass N = n] to (G: 1, M: 32, N: 2)>
!c_view = !ck.view<1x32x2xf16, #c_map>
func.func @far(%w: index, %c: !c_view) {
  // expected-error @+1 {{direct=2x1x1 needs results of neighbouring channels side by side in memory}}
  ck.direct_gemm %w outs(%c : !c_view) direct <channels = 2, columns = 1, rows = 1>
  return
}

// -----

// gemm C6: a schedule or the results of a lane.
#a_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge M = (n, ho, wo),
                           merge K = (y, x, c)] to (G: 8, M: 32, K: 9)>
#b_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                          [pass G = g, pass N = k, merge K = (y, x, c)] to (G: 8, N: 1, K: 9)>
#c_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                          [pass G = g, merge M = (n, h, w), pass N = k] to (G: 8, M: 32, N: 1)>
!a_view = !ck.view<8x32x9xf16, #a_map>
!b_view = !ck.view<8x1x9xf16, #b_map>
!c_view = !ck.view<8x32x1xf16, #c_map>
#s = #ck.schedule<tile = 16x16x16, waves = 1x1, mma = #ck.mma<16x16x16xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
func.func @both(%a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{expected no schedule beside #ck.direct<channels = 8, columns = 4, rows = 1>}}
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) schedule #s direct <channels = 8, columns = 4, rows = 1>
  return
}

func.func @omitted(%a: !a_view, %b: !b_view, %c: !c_view) {
  // expected-error @+1 {{expected no 'omit_padding' beside #ck.direct<channels = 8, columns = 4, rows = 1>}}
  ck.gemm ins(%a, %b : !a_view, !b_view) outs(%c : !c_view) omit_padding direct <channels = 8, columns = 4, rows = 1>
  return
}

// -----

// direct_gemm C3: slices are those of sums.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{expected no slices, got 2}}
  ck.direct_gemm %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      direct <channels = 8, columns = 1, rows = 1, slices = 2>
  return
}

// -----

// direct_sum C3: slices.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{expected slices}}
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      direct <channels = 8, columns = 1, rows = 1>
  return
}

// -----

// direct_sum C3: the tile divides the positions.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{direct=8x8x1:1 does not divide 4 x 4 positions evenly}}
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      direct <channels = 8, columns = 8, rows = 1, slices = 1>
  return
}

// -----

// direct_sum C3: slices of the positions.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{direct=4x4x2:5 has more than the 4 slices of the positions that are possible}}
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      direct <channels = 4, columns = 4, rows = 2, slices = 5>
  return
}

// -----

// direct_sum C4: a workspace for several slices.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{requires a workspace for 2 slices}}
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      direct <channels = 4, columns = 2, rows = 1, slices = 2>
  return
}

// -----

// direct_sum C4: none for one.
#dy_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, k: 1) by
                           [pass G = g, pass M = k, merge K = (n, h, w)] to (G: 8, M: 1, K: 32)>
#x_map = #ck.transform_map<(n: 2, h: 4, w: 4, g: 8, c: 1) by
                          [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 4 * 1),
                           embed w = (x: 3 * 1, wo: 4 * 1), pass G = g, merge N = (y, x, c),
                           merge K = (n, ho, wo)] to (G: 8, N: 9, K: 32)>
#dw_map = #ck.transform_map<(g: 8, k: 1, y: 3, x: 3, c: 1) by
                           [pass G = g, pass M = k, merge N = (y, x, c)] to (G: 8, M: 1, N: 9)>
!dy_view = !ck.view<8x1x32xf16, #dy_map>
!x_view = !ck.view<8x9x32xf16, #x_map>
!dw_view = !ck.view<8x1x9xf32, #dw_map>
func.func @sum(%w: index, %a: !dy_view, %b: !x_view, %c: !dw_view, %ws: memref<4096xi32>) {
  // expected-error @+1 {{expected no workspace for 1 slice}}
  ck.direct_sum %w ins(%a, %b : !dy_view, !x_view) outs(%c : !dw_view)
      workspace(%ws : memref<4096xi32>) direct <channels = 4, columns = 2, rows = 1, slices = 1>
  return
}
