// RUN: ck-opt %s --ck-attach-target=chip=gfx950 --verify-diagnostics
// RUN: ck-opt %s --ck-attach-target=chip=gfx942 2>&1 | FileCheck %s
// A module is compiled for one chip: another one is refused, the same one changes nothing.

// CHECK: module attributes {ck.target = #ck.target<"gfx942">}
// expected-error @below {{expected a module without a target, or with 'gfx950', got the target 'gfx942'}}
module attributes {ck.target = #ck.target<"gfx942">} {}
