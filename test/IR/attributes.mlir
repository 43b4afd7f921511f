// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// RUN: ck-opt %s | FileCheck %s --check-prefix=SCHEDULE
// Attributes keep their text.

// CHECK: module attributes {ck.target = #ck.target<"gfx942">}
module attributes {ck.target = #ck.target<"gfx942">} {}

// CHECK: ck.example = #ck.conv_layout<NHWGC, GKYXC, NHWGK>
module attributes {ck.example = #ck.conv_layout<NHWGC, GKYXC, NHWGK>} {}

// CHECK: ck.example = #ck.conv_layout<NDHWGC, GKZYXC, NGKDHW>
module attributes {ck.example = #ck.conv_layout<NDHWGC, GKZYXC, NGKDHW>} {}

// CHECK: #ck.mma<16x16x32xf8E4M3FNUZ>
module attributes {ck.example = #ck.mma<16x16x32xf8E4M3FNUZ>} {}

// CHECK: ck.example = #layout
// SCHEDULE: #layout = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>, along = columns>
module attributes {ck.example = #ck.acc_layout<waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                               along = columns>} {}

// CHECK: ck.example = #schedule
// SCHEDULE: #schedule = #ck.schedule<tile = 128x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = uniform, stages = 2, partition = data_parallel>
module attributes {ck.example = #ck.schedule<tile = 128x128x32, waves = 2x2,
                                             mma = #ck.mma<32x32x8xf16>, roles = uniform,
                                             stages = 2, partition = data_parallel>} {}

// Every field, in any order.
// SCHEDULE: #schedule1 = #ck.schedule<tile = 64x128x32, waves = 2x2, mma = #ck.mma<32x32x8xf16>, roles = load 4 + math 4, stages = 3, partition = stream_k<tree>, deterministic = true, hints = loads + priority>
module attributes {ck.example = #ck.schedule<hints = loads + priority, deterministic = true,
                                             waves = 2x2, mma = #ck.mma<32x32x8xf16>,
                                             roles = load 4 + math 4, stages = 3,
                                             partition = stream_k<tree>, tile = 64x128x32>} {}

// SCHEDULE-DAG: roles = load 1 + math 1, stages = 2, partition = split_k<auto>, hints = none>
// SCHEDULE-DAG: roles = load 1 + math 1, stages = 2, partition = split_k<auto>, hints = loads>
// SCHEDULE-DAG: roles = load 1 + math 1, stages = 2, partition = split_k<auto>, hints = priority>
module attributes {
    ck.none = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                           roles = load 1 + math 1, stages = 2, partition = split_k<auto>,
                           hints = none>,
    ck.loads = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                            roles = load 1 + math 1, stages = 2, partition = split_k<auto>,
                            hints = loads>,
    ck.priority = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                               roles = load 1 + math 1, stages = 2, partition = split_k<auto>,
                               hints = priority>} {}

// SCHEDULE-DAG: partition = data_parallel, mapping = window 8>
// SCHEDULE-DAG: partition = data_parallel, mapping = chunk 64>
// SCHEDULE-DAG: partition = data_parallel, mapping = window 8 + chunk 64, deterministic = true>
module attributes {
    ck.window = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                             roles = uniform, stages = 2, partition = data_parallel,
                             mapping = window 8>,
    ck.chunk = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                            roles = uniform, stages = 2, partition = data_parallel,
                            mapping = chunk 64>,
    ck.both = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                           roles = uniform, stages = 2, partition = data_parallel,
                           mapping = window 8 + chunk 64, deterministic = true>} {}

// SCHEDULE-DAG: partition = data_parallel, copies = async, reads = ahead>
// SCHEDULE-DAG: #ck.schedule<tile = 32x32x16, {{.*}}, partition = data_parallel>
module attributes {
    ck.paths = #ck.schedule<tile = 32x32x8, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                            roles = uniform, stages = 2, partition = data_parallel,
                            copies = async, reads = ahead>,
    ck.plain = #ck.schedule<tile = 32x32x16, waves = 1x1, mma = #ck.mma<32x32x8xf16>,
                            roles = uniform, stages = 2, partition = data_parallel,
                            copies = staged, reads = step>} {}

// CHECK: #ck.workgroup_mapping<window = 8, chunk = 64, xcds = 8>
module attributes {ck.example = #ck.workgroup_mapping<window = 8, chunk = 64, xcds = 8>} {}

// CHECK: #ck.shuffle<blocks = 2x1, width = 8>
module attributes {ck.example = #ck.shuffle<blocks = 2x1, width = 8>} {}

// CHECK: [#ck.role<load, 4>, #ck.role<math, 2>, #ck.role<uniform, 1>]
module attributes {ck.example = [#ck.role<load, 4>, #ck.role<math, 2>, #ck.role<uniform, 1>]} {}

// CHECK: [#ck.partition<data_parallel>, #ck.partition<split_k<8>>, #ck.partition<split_k<8, two_stage>>, #ck.partition<split_k<auto, two_stage>>]
module attributes {ck.example = [#ck.partition<data_parallel>, #ck.partition<split_k<8>>,
                                 #ck.partition<split_k<8, two_stage>>,
                                 #ck.partition<split_k<auto, two_stage>>]} {}

// CHECK: [#ck.partition<stream_k<linear>>, #ck.partition<stream_k<tree>>, #ck.partition<stream_k<linear, persistent>>]
module attributes {ck.example = [#ck.partition<stream_k<linear>>, #ck.partition<stream_k<tree>>,
                                 #ck.partition<stream_k<linear, persistent>>]} {}

// CHECK: #ck.direct<channels = 8, columns = 4, rows = 2>
module attributes {ck.example = #ck.direct<channels = 8, columns = 4, rows = 2>} {}
// CHECK: #ck.direct<channels = 4, columns = 7, rows = 2, slices = 16>
module attributes {ck.example = #ck.direct<channels = 4, columns = 7, rows = 2, slices = 16>} {}
// CHECK: #ck.direct<channels = 1, columns = 4, rows = 2, slices = 16, mfma = 4>
module attributes {ck.example = #ck.direct<channels = 1, columns = 4, rows = 2, slices = 16, mfma = 4>} {}
// CHECK: #ck.direct<channels = 4, columns = 7, rows = 2, mfma = 16>
module attributes {ck.example = #ck.direct<channels = 4, columns = 7, rows = 2, mfma = 16>} {}
