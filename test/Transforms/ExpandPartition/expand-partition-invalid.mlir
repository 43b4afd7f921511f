// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-expand-partition))' --split-input-file --verify-diagnostics
// Works that no plan can be made for, and partitions without a place for sums, are refused.

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
gpu.module @split_k [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    // expected-error @below {{expected at most 2^62 iterations in a launch}}
    ck.distribute <split_k<8>> residents 4 {
      ck.work tiles [1073741824, 1073741824, 16] k_steps 8 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.zero_acc : <32x16xf32, #layout>
        ck.yield %acc : !ck.acc<32x16xf32, #layout>
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
        ck.yield
      }
    }
    gpu.return
  }
}

// -----

#layout = #ck.acc_layout<waves = 1x1, mma = #ck.mma<16x16x16xf16>, along = rows>
gpu.module @stream_k [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    // expected-error @below {{partition #ck.partition<stream_k<tree>> needs a workspace}}
    ck.distribute <stream_k<tree>> residents 4 {
      ck.work tiles [1, 1, 1] k_steps 8 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.zero_acc : <32x16xf32, #layout>
        ck.yield %acc : !ck.acc<32x16xf32, #layout>
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32, #layout>):
        ck.yield
      }
    }
    gpu.return
  }
}
