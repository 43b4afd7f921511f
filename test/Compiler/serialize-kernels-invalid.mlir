// RUN: ck-opt %s --ck-serialize-kernels --split-input-file --verify-diagnostics

// What the backend would answer by aborting the process is an error at the gpu.module.

// expected-error @below {{failed to serialize gpu.module @no_target: gpu.module @no_target requires one #rocdl.target, got 0 targets}}
gpu.module @no_target {
}

// -----

gpu.module @other_dialect [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{'gpu.func' op does not belong to form 'rocdl': expected 'ck-convert-to-rocdl' to run before}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{llvm.amdgcn.s.barrier.signal is not supported on gfx942: it requires +gfx12-insts}}
gpu.module @gfx12_barrier [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    rocdl.s.barrier.signal id = -1
    llvm.return
  }
}

// -----

// A WMMA with the operands of gfx12 on gfx11: upstream accepts it, the backend aborts.
// expected-error @below {{llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16 is not supported on gfx1100: it requires +gfx12-insts,-gfx1250-insts}}
gpu.module @gfx12_wmma [#rocdl.target<chip = "gfx1100">] {
  llvm.func @k(%out: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %a = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>
    %c = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
    %d = rocdl.wmma.f32.16x16x16.f16 %a, %a, %c
       : (vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32>
    llvm.store %d, %out : vector<8xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// expected-error @below {{local memory (70000) exceeds limit (65536) in function 'k'}}
gpu.module @too_much_lds [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<70000 x i8>
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %lane = rocdl.workitem.id.x : i32
    %p = llvm.getelementptr %lds[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store volatile %lane, %p : i32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// expected-error @below {{failed to link the code object: ld.lld: error: undefined symbol: missing}}
gpu.module @undefined_symbol [#rocdl.target<chip = "gfx942">] {
  llvm.func @missing()
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    llvm.call @missing() : () -> ()
    llvm.return
  }
}

// -----

// A problem that no pass has lowered.
func.func @problem(%x: memref<1x4x4x1x8xf16>, %dy: memref<1x4x4x1x8xf16>,
                     %dw: memref<1x8x1x1x8xf32>) {
  // expected-error @below {{'ck.conv_bwd_weight' op does not belong to form 'rocdl': expected 'ck-conv-to-gemm' to run before}}
  ck.conv_bwd_weight ins(%x, %dy : memref<1x4x4x1x8xf16>, memref<1x4x4x1x8xf16>)
    outs(%dw : memref<1x8x1x1x8xf32>) layout #ck.conv_layout<NHWGC, GKYXC, NHWGK>
    strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0]
  return
}
