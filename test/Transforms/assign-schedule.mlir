// RUN: ck-opt %s --ck-assign-schedule --ck-verify-form=form=scheduled | FileCheck %s --check-prefixes=CHECK,CHOSEN
// RUN: ck-opt %s --ck-assign-schedule=schedule=tile=32x32x16,mma=16x16x16 | FileCheck %s --check-prefixes=CHECK,ASKED
// EXAMPLE-BEFORE: ck.gemm ins
// EXAMPLE-AFTER: ^#layout =
// EXAMPLE-AFTER: ^#schedule =
// EXAMPLE-AFTER: ck.gemm ins
// Every GEMM gets a schedule: the fields of the option with the rest chosen, else its own, else one chosen.

#a_map = #ck.transform_map<(g: 2, m: 64, k: 2048) by [] to (g: 2, m: 64, k: 2048)>
#c_map = #ck.transform_map<(g: 2, m: 64, n: 64) by [] to (g: 2, m: 64, n: 64)>
!a_view = !ck.view<2x64x2048xf16, #a_map>
!c_view = !ck.view<2x64x64xf32, #c_map>

module attributes {ck.target = #ck.target<"gfx942">} {
  // CHOSEN-DAG: #[[$GIVEN:.*]] = #ck.schedule<tile = 64x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform, stages = 2, partition = data_parallel>
  // ASKED: #ck.schedule<tile = 32x32x16, waves = {{[124]x[124]}}, mma = #ck.mma<16x16x16xf16>, roles = {{.*}}, stages = {{.*}}, partition = {{.*}}>
  // CHECK-LABEL: @gemm
  // CHECK: ck.gemm {{.*}} schedule #
  func.func @gemm(%a: !a_view, %b: !a_view, %c: !c_view) {
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
    return
  }

  // A schedule on the op is kept; the option wins over it.
  // CHECK-LABEL: @given
  // CHOSEN: ck.gemm {{.*}} schedule #[[$GIVEN]] layout #
  // ASKED: ck.gemm {{.*}} schedule #schedule layout #layout
  func.func @given(%a: !a_view, %b: !a_view, %c: !c_view) {
    ck.gemm ins(%a, %b : !a_view, !a_view) outs(%c : !c_view)
      schedule <tile = 64x64x16, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform,
                stages = 2, partition = data_parallel>
    return
  }
}
