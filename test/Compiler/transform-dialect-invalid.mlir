// RUN: ck-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// What is wrong with a pass that the transform dialect runs is said at the op of the schedule, and
// at the function that was chosen.

module attributes {transform.with_named_sequence} {
  // expected-error @+2 {{trying to schedule pass 'AssignSchedulePass' on an unsupported operation}}
  // expected-note @+1 {{target op}}
  func.func @chosen() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{pass pipeline failed}}
    %scheduled = transform.apply_registered_pass "ck-assign-schedule" to %function
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @chosen() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    // expected-error @+2 {{no such option perhaps}}
    // expected-error @+1 {{failed to add pass or pass pipeline to pipeline: convert-linalg-to-ck}}
    %converted = transform.apply_registered_pass "convert-linalg-to-ck"
      with options = { "perhaps" = true } to %function : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
