// RUN: ck-opt %s --verify-roundtrip | FileCheck %s
// RUN: ck-opt %s | FileCheck %s --check-prefix=SCHEDULE
// Attributes keep their text.

// CHECK: module attributes {ck.target = #ck.target<"gfx942">}
module attributes {ck.target = #ck.target<"gfx942">} {}

// CHECK: ck.example = #ck.conv_layout<NHWGC, GKYXC, NHWGK>
module attributes {ck.example = #ck.conv_layout<NHWGC, GKYXC, NHWGK>} {}

// CHECK: ck.example = #ck.conv_layout<NDHWGC, GKZYXC, NGKDHW>
module attributes {ck.example = #ck.conv_layout<NDHWGC, GKZYXC, NGKDHW>} {}

// CHECK: ck.example = #schedule
// SCHEDULE: #schedule = #ck.schedule<"tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">
module attributes {ck.example = #ck.schedule<"tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition=data_parallel">} {}

// CHECK: [#ck.role<load, 4>, #ck.role<math, 2>]
module attributes {ck.example = [#ck.role<load, 4>, #ck.role<math, 2>]} {}

// CHECK: #ck.partition<"split_k:8:two_stage">
module attributes {ck.example = #ck.partition<"split_k:8:two_stage">} {}
