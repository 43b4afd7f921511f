// RUN: ck-opt %s --ck-assign-schedule --ck-verify-form=form=scheduled | FileCheck %s
// Where results lie in memory decides along which dimension lanes hold accumulators, and whether it
// pays to pass results through LDS on their way.

#a_map = #ck.transform_map<(g: 1, m: 128, k: 64) by [] to (g: 1, m: 128, k: 64)>
#b_map = #ck.transform_map<(g: 1, n: 120, k: 64) by [] to (g: 1, n: 120, k: 64)>
#odd_map = #ck.transform_map<(g: 1, n: 127, k: 64) by [] to (g: 1, n: 127, k: 64)>
!a = !ck.view<1x128x64xf16, #a_map>
!b = !ck.view<1x120x64xf16, #b_map>
!b_odd = !ck.view<1x127x64xf16, #odd_map>
!along_n = !ck.view<1x128x120xf16, #ck.transform_map<(m: 128, n: 120) by [broadcast g : 1] to (g: 1, m: 128, n: 120)>>
!along_m = !ck.view<1x128x120xf16, #ck.transform_map<(n: 120, m: 128) by [broadcast g : 1] to (g: 1, m: 128, n: 120)>>
!odd = !ck.view<1x128x127xf16, #ck.transform_map<(m: 128, n: 127) by [broadcast g : 1] to (g: 1, m: 128, n: 127)>>
#s = #ck.schedule<tile = 128x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                  stages = 2, partition = data_parallel>
#split = #ck.schedule<tile = 128x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                      stages = 2, partition = split_k<2>>
!wide_n = !ck.view<1x128x120xf32, #ck.transform_map<(m: 128, n: 120) by [broadcast g : 1] to (g: 1, m: 128, n: 120)>>

// CHECK-DAG: #[[$COLUMNS:.*]] = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
// CHECK-DAG: #[[$ROWS:.*]] = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
module attributes {ck.target = #ck.target<"gfx942">} {
  // Four accumulators of a lane are 8 bytes of a row; through LDS a lane stores 16.
  // CHECK-LABEL: @along_n
  // CHECK: ck.gemm {{.*}} layout #[[$COLUMNS]] shuffle <blocks = 2x1, width = 8>
  func.func @along_n(%a: !a, %b: !b, %c: !along_n) {
    ck.gemm ins(%a, %b : !a, !b) outs(%c : !along_n) schedule #s
    return
  }

  // CHECK-LABEL: @along_m
  // CHECK: ck.gemm {{.*}} layout #[[$ROWS]] shuffle <blocks = 2x1, width = 8>
  func.func @along_m(%a: !a, %b: !b, %c: !along_m) {
    ck.gemm ins(%a, %b : !a, !b) outs(%c : !along_m) schedule #s
    return
  }

  // Rows of 127 start anywhere: single elements, of which neighbouring lanes store neighbours.
  // CHECK-LABEL: @odd
  // CHECK: ck.gemm {{.*}} layout #[[$ROWS]]{{$}}
  func.func @odd(%a: !a, %b: !b_odd, %c: !odd) {
    ck.gemm ins(%a, %b : !a, !b_odd) outs(%c : !odd) schedule #s
    return
  }

  // An atomic operation adds one f32 of a lane, and neighbouring lanes add neighbours.
  // CHECK-LABEL: @added
  // CHECK: ck.gemm {{.*}} layout #[[$ROWS]]{{$}}
  func.func @added(%a: !a, %b: !b, %c: !wide_n) {
    ck.gemm ins(%a, %b : !a, !b) outs(%c : !wide_n) schedule #split
    return
  }

  // Or two f16: wider pieces of rows are no gain.
  // CHECK-LABEL: @added_by_twos
  // CHECK: ck.gemm {{.*}} layout #[[$COLUMNS]] shuffle <blocks = 2x1, width = 2>
  func.func @added_by_twos(%a: !a, %b: !b, %c: !along_n) {
    ck.gemm ins(%a, %b : !a, !b) outs(%c : !along_n) schedule #split
    return
  }

  // What was decided before is decided again.
  // CHECK-LABEL: @again
  // CHECK: ck.gemm {{.*}} layout #[[$ROWS]]{{$}}
  func.func @again(%a: !a, %b: !b_odd, %c: !odd) {
    ck.gemm ins(%a, %b : !a, !b_odd) outs(%c : !odd) schedule #s
      layout <waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
      shuffle <blocks = 2x1, width = 8>
    return
  }

  // The GEMMs of a table agree: two results along the columns outweigh one along the rows.
  // CHECK-LABEL: @table
  // CHECK: ck.gemm {{.*}} layout #[[$COLUMNS]] shuffle
  // CHECK: ck.gemm {{.*}} layout #[[$COLUMNS]]
  // CHECK: ck.fill
  func.func @table(%a: !a, %b: !b, %c: !along_n, %d: !along_m) {
    ck.gemm_table {
      ck.gemm ins(%a, %b : !a, !b) outs(%c : !along_n) schedule #s
      ck.gemm ins(%a, %b : !a, !b) outs(%d : !along_m) schedule #s
      ck.fill outs(%c : !along_n)
    }
    return
  }
}
