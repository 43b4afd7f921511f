// RUN: ck-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown chip 'gfx000'}}
module attributes {ck.target = #ck.target<"gfx000">} {}

// -----

// expected-error @+1 {{expected 'ck.target' to be a #ck.target, got "gfx942"}}
module attributes {ck.target = "gfx942"} {}

// -----

// expected-error @+1 {{expected a permutation of 'NGCHW' in layout, got 'NHWGK'}}
module attributes {ck.example = #ck.conv_layout<NHWGK, GKYXC, NHWGK>} {}

// -----

// expected-error @+1 {{expected 4 to 6 dimensions in input layout, got 'NGC'}}
module attributes {ck.example = #ck.conv_layout<NGC, GKC, NGK>} {}

// -----

// expected-error @+2 {{struct is missing required parameter: waves}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+3 {{duplicate or unknown struct parameter name: widgets}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             widgets = 3>} {}

// -----

// expected-error @+1 {{expected 3 sizes in 'tile', got 2}}
module attributes {ck.example = #ck.schedule<tile = 64x64, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+1 {{sizes in 'waves' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x0, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+1 {{sizes in 'stages' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 0, partition = data_parallel>} {}

// -----

// expected-error @+1 {{sizes in 'roles' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = load 4 + math 0, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+2 {{expected 'uniform' or 'load N + math N'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = all, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+2 {{expected 'math'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = load 4 + store 4, stages = 2, partition = data_parallel>} {}

// -----

// expected-error @+3 {{expected 'window N', 'chunk N' or 'window N + chunk N'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             mapping = rows>} {}

// -----

// expected-error @+3 {{expected 'window N', 'chunk N' or 'window N + chunk N'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             mapping = window 8 + 64>} {}

// -----

// expected-error @+1 {{sizes in 'mapping' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             mapping = window 0>} {}

// -----

// expected-error @+1 {{sizes in 'chunk' must be in [1, 65536], got 65537}}
module attributes {ck.example = #ck.workgroup_mapping<window = 8, chunk = 65537, xcds = 8>} {}

// -----

// expected-error @+1 {{sizes in 'window' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.workgroup_mapping<window = 0, chunk = 64, xcds = 8>} {}

// -----

// expected-error @+1 {{sizes in 'xcds' must be in [1, 65536], got -8}}
module attributes {ck.example = #ck.workgroup_mapping<window = 8, chunk = 64, xcds = -8>} {}

// -----

// expected-error @+3 {{expected 'true' or 'false'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             deterministic = maybe>} {}

// -----

// expected-error @+3 {{expected 'none', 'loads', 'priority' or 'loads + priority'}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = data_parallel,
                                             hints = loads + stores>} {}

// -----

// expected-error @+1 {{slices of 'split_k' must be in [1, 65536], or auto, got 65537}}
module attributes {ck.example = #ck.schedule<tile = 64x64x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = uniform, stages = 2, partition = split_k<65537>>} {}

// -----

// expected-error @+1 {{expected 3 sizes in 'mma', got 2}}
module attributes {ck.example = #ck.mma<32x32xf16>} {}

// -----

// expected-error @+1 {{sizes in 'mma' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.mma<32x32x0xf16>} {}

// -----

// expected-error @+1 {{expected operands of f16, bf16, f32, i8 or an 8-bit float, got 'f64'}}
module attributes {ck.example = #ck.mma<16x16x4xf64>} {}

// -----

// expected-error @+2 {{expected ::mlir::ck::RoleKind to be one of: uniform, load, math}}
// expected-error @+1 {{failed to parse CK_RoleAttr parameter 'kind'}}
module attributes {ck.example = #ck.role<store, 4>} {}

// -----

// expected-error @+1 {{waves must be at least 1, got 0}}
module attributes {ck.example = #ck.role<math, 0>} {}

// -----

// expected-error @+1 {{expected partition 'data_parallel', 'split_k' or 'stream_k'}}
module attributes {ck.example = #ck.partition<round_robin>} {}

// -----

// expected-error @+1 {{expected 'two_stage'}}
module attributes {ck.example = #ck.partition<split_k<2, three_stage>>} {}

// -----

// expected-error @+1 {{expected reduction 'linear', 'tree' or 'parallel'}}
module attributes {ck.example = #ck.partition<stream_k<heap>>} {}

// -----

// expected-error @+1 {{expected 'persistent'}}
module attributes {ck.example = #ck.partition<stream_k<tree, resident>>} {}

// -----

// expected-error @+1 {{expected a square matrix instruction with 'along = columns', got #ck.mma<32x16x8xf16>}}
module attributes {ck.example = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x16x8xf16>, along = columns>} {}

// -----

// expected-error @+1 {{expected 2 sizes in 'waves', got 1}}
module attributes {ck.example = #ck.acc_layout<waves = 4, mma = #ck.mma<32x32x8xf16>, along = rows>} {}

// -----

// expected-error @+2 {{expected ::mlir::ck::AccDim to be one of: rows, columns}}
// expected-error @+1 {{failed to parse CK_AccLayoutAttr parameter 'along'}}
module attributes {ck.example = #ck.acc_layout<waves = 1x1, mma = #ck.mma<32x32x8xf16>, along = k>} {}

// -----

// expected-error @+1 {{sizes in 'blocks' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.shuffle<blocks = 0x1, width = 8>} {}

// -----

// expected-error @+1 {{sizes in 'width' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.shuffle<blocks = 1x1, width = 0>} {}

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
// expected-error @+1 {{expected a multiple of 2 waves x 32 rows, got 96}}
func.func private @acc_rows(!ck.acc<96x64xf32, #layout>)

// -----

#layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = rows>
// expected-error @+1 {{expected elements of 'f32' for operands of 'f16', got 'i32'}}
func.func private @acc_elements(!ck.acc<64x64xi32, #layout>)

// -----

// direct C1: sizes.
// expected-error @+1 {{sizes in 'direct' must be in [1, 65536], got 0}}
module attributes {ck.example = #ck.direct<channels = 8, columns = 0, rows = 1>} {}

// -----

// direct C2: blocks.
// expected-error @+1 {{mfma must be 4 or 16, or 0 without matrix instructions, got 8}}
module attributes {ck.example = #ck.direct<channels = 8, columns = 1, rows = 1, mfma = 8>} {}

// -----

// direct C1: slices.
// expected-error @+1 {{sizes in 'slices' must be in [1, 65536], got -1}}
module attributes {ck.example = #ck.direct<channels = 8, columns = 1, rows = 1, slices = -1>} {}
