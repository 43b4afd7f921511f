// RUN: ck-opt %s --pass-pipeline='builtin.module(gpu.module(ck-expand-partition))' --split-input-file --verify-diagnostics
// Partitions that share tiles between workgroups are refused by name.

gpu.module @split_k [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    // expected-error @below {{partition 'split_k:8' is not supported yet: expected 'data_parallel'}}
    ck.distribute <"split_k:8"> {
      ck.work tiles [1, 1, 1] k_steps 8 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.zero_acc : <32x16xf32>
        ck.yield %acc : !ck.acc<32x16xf32>
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32>):
        ck.yield
      }
    }
    gpu.return
  }
}

// -----

gpu.module @stream_k [#rocdl.target<chip = "gfx942">] {
  gpu.func @kernel() kernel {
    // expected-error @below {{partition 'stream_k:tree' is not supported yet: expected 'data_parallel'}}
    ck.distribute <"stream_k:tree"> {
      ck.work tiles [1, 1, 1] k_steps 8 {
      ^bb0(%g: index, %tm: index, %tn: index, %k0: index, %k1: index):
        %acc = ck.zero_acc : <32x16xf32>
        ck.yield %acc : !ck.acc<32x16xf32>
      } epilogue {
      ^bb0(%g: index, %tm: index, %tn: index, %acc: !ck.acc<32x16xf32>):
        ck.yield
      }
    }
    gpu.return
  }
}
