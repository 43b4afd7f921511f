// RUN: ck-opt %s --split-input-file --verify-diagnostics

// C1: a step consumes a dimension that is not there.
// expected-error @+1 {{no dimension 'w' to consume}}
module attributes {ck.example = #ck.transform_map<(h: 4) by [pass M = w] to (M: 4)>} {}

// -----

// C1: a step produces a name that is taken.
// expected-error @+1 {{dimension 'h' is defined twice}}
module attributes {ck.example = #ck.transform_map<(h: 4, w: 4) by [pass h = w] to (h: 4)>} {}

// -----

// C2: sizes are positive.
// expected-error @+1 {{size of 'h' must be positive, got 0}}
module attributes {ck.example = #ck.transform_map<(h: 0) by [] to (h: 0)>} {}

// -----

// C2: pads are not negative.
// expected-error @+1 {{padding of 'h' must not be negative, got -1 : 0}}
module attributes {ck.example = #ck.transform_map<(h: 4) by [pad h -1 : 0] to (h: 3)>} {}

// -----

// C2: slices lie inside.
// expected-error @+1 {{slice of 'h' must be a range in [0, 4], got 2 to 5}}
module attributes {ck.example = #ck.transform_map<(h: 4) by [slice h 2 to 5] to (h: 3)>} {}

// -----

// C2: frozen coordinates lie inside.
// expected-error @+1 {{frozen coordinate of 'h' must be in [0, 3], got 4}}
module attributes {ck.example = #ck.transform_map<(h: 4) by [freeze h = 4] to ()>} {}

// -----

// C3: an embed stays inside.
// expected-error @+2 {{embed reaches coordinate 15 of 'h' which has size 15}}
module attributes {ck.example =
  #ck.transform_map<(h: 15) by [embed h = (y: 3 * 1, ho: 14 * 1)] to (y: 3, ho: 14)>} {}

// -----

// expected-error @+2 {{embed reaches coordinate -2 of 'h' which has size 15}}
module attributes {ck.example =
  #ck.transform_map<(h: 15) by [embed h = (y: 3 * -1, ho: 14 * 1)] to (y: 3, ho: 14)>} {}

// -----

// C4: an unmerge keeps the size.
// expected-error @+2 {{expected the sizes of an unmerge of 'h' to multiply to 12, got 15}}
module attributes {ck.example =
  #ck.transform_map<(h: 12) by [unmerge h = (a: 3, b: 5)] to (a: 3, b: 5)>} {}

// -----

// C5: sizes of the view.
// expected-error @+2 {{expected size 12 of view dimension 'K', got 11}}
module attributes {ck.example =
  #ck.transform_map<(h: 3, w: 4) by [merge K = (h, w)] to (K: 11)>} {}

// -----

// C5: no dimension is left over.
// expected-error @+1 {{dimension 'w' is not in the view}}
module attributes {ck.example = #ck.transform_map<(h: 3, w: 4) by [] to (h: 3)>} {}

// -----

// expected-error @+1 {{unknown transform 'rotate'}}
module attributes {ck.example = #ck.transform_map<(h: 3) by [rotate h] to (h: 3)>} {}

// -----

// C6: a diagonal makes two dimensions.
// expected-error @+2 {{diagonal of 'g' must make 2 dimensions, got 3}}
module attributes {ck.example =
  #ck.transform_map<(g: 4) by [diagonal g = (a, b, c)] to (a: 4, b: 4, c: 4)>} {}

// -----

// C7: the size of a merge does not wrap around.
// expected-error @+2 {{coordinates of 'K' overflow 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(a: 3, b: 6148914691236517206) by [merge K = (a, b)] to (K: 2)>} {}

// -----

// C7: nor does that of an unmerge.
// expected-error @+2 {{coordinates of 'h' overflow 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(h: 2) by [unmerge h = (a: 3, b: 6148914691236517206)] to (a: 3, b: 6148914691236517206)>} {}

// -----

// C7: nor does a padded size.
// expected-error @+2 {{coordinates of 'h' overflow 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(h: 9) by [pad h 9223372036854775807 : 9223372036854775807] to (h: 7)>} {}

// -----

// C7: nor do the coordinates of an embed.
// expected-error @+2 {{coordinates of 'h' overflow 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(h: 9) by [embed h = (y: 5 * 4611686018427387904)] to (y: 5)>} {}

// -----

// expected-error @+2 {{coordinates of 'h' overflow 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(h: 9) by [embed h = (y: 2 * 9223372036854775807) + 2] to (y: 2)>} {}

// -----

// The constant of an embed can be negated.
// expected-error @+2 {{constant of an embed overflows 64 bits}}
module attributes {ck.example =
  #ck.transform_map<(h: 9) by [embed h = (y: 2 * 1) - -9223372036854775808] to (y: 2)>} {}
