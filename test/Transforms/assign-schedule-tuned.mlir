// RUN: ck-opt %s --ck-conv-to-gemm=name-problems | FileCheck %s --check-prefix=NAMED
// RUN: ck-opt %s --ck-conv-to-gemm=name-problems --ck-assign-schedule=tuning-file=%S/Inputs/gfx942.tuning | FileCheck %s --check-prefixes=CHECK,TUNED
// RUN: ck-opt %s --ck-conv-to-gemm=name-problems --ck-assign-schedule="tuning-file=%S/Inputs/gfx942.tuning schedule=stages=3" | FileCheck %s --check-prefixes=CHECK,TUNED
// RUN: ck-opt %s --ck-conv-to-gemm=name-problems --ck-assign-schedule="tuning-file=%S/Inputs/gfx942.tuning schedule=stages=2" | FileCheck %s --check-prefixes=CHECK,ASKED
// RUN: ck-opt %s --ck-conv-to-gemm=name-problems --ck-assign-schedule | FileCheck %s --check-prefixes=CHECK,ASKED
// RUN: ck-opt %s --ck-lower-to-scheduled="chip=gfx942 tuning-file=%S/Inputs/gfx942.tuning" | FileCheck %s --check-prefixes=CHECK,TUNED
// A problem gets the schedule that the tuning file has for it, whatever its epilogue is.

// NAMED-COUNT-2: ck.gemm {{.*}} {ck.problem = "gemm:f16:M=64,N=64,K=64"}
// NAMED: ck.gemm {{.*}} {ck.problem = "gemm:f16:M=64,N=64,K=128"}
// CHECK-NOT: ck.problem
// TUNED-DAG: #[[$TUNED:.*]] = #ck.schedule<tile = 16x64x32, waves = 1x4, mma = #ck.mma<16x16x16xf16>, roles = uniform, stages = 3, partition = data_parallel>
// ASKED-NOT: tile = 16x64x32, waves = 1x4
module attributes {ck.target = #ck.target<"gfx942">} {
  // CHECK-LABEL: @plain
  // TUNED: schedule #[[$TUNED]]
  // ASKED: ck.gemm {{.*}} schedule
  func.func @plain(%a: memref<1x64x64xf16>, %b: memref<1x64x64xf16>, %c: memref<1x64x64xf16>) {
    ck.batched_gemm ins(%a, %b : memref<1x64x64xf16>, memref<1x64x64xf16>)
      outs(%c : memref<1x64x64xf16>) layout "rcr"
    return
  }

  // CHECK-LABEL: @epilogue
  // TUNED: schedule #[[$TUNED]]
  func.func @epilogue(%a: memref<1x64x64xf16>, %b: memref<1x64x64xf16>, %c: memref<1x64x64xf16>) {
    ck.batched_gemm ins(%a, %b : memref<1x64x64xf16>, memref<1x64x64xf16>)
      outs(%c : memref<1x64x64xf16>) layout "rcr" epilogue {
    ^bb0(%acc: f32):
      %zero = arith.constant 0.0 : f32
      %relu = arith.maximumf %acc, %zero : f32
      %result = arith.truncf %relu : f32 to f16
      ck.yield %result : f16
    }
    return
  }

  // A schedule that is not legal is not taken.
  // CHECK-LABEL: @illegal
  // CHECK-NOT: tile = 1024x1024x64
  // CHECK: ck.gemm {{.*}} schedule
  func.func @illegal(%a: memref<1x64x128xf16>, %b: memref<1x64x128xf16>, %c: memref<1x64x64xf16>) {
    ck.batched_gemm ins(%a, %b : memref<1x64x128xf16>, memref<1x64x128xf16>)
      outs(%c : memref<1x64x64xf16>) layout "rcr"
    return
  }
}
