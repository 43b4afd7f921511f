// RUN: ck-opt %s --verify-roundtrip | FileCheck %s --check-prefixes=CHECK
// Every kind of step keeps its text, and its sizes are understood.

// The input of a 3x3 backward-weight convolution as GEMM operand.
// CHECK: #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>
module attributes {ck.example =
  #ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 64) by
                    [pad h 1 : 1, pad w 1 : 1, embed h = (y: 3 * 1, ho: 14 * 1),
                     embed w = (x: 3 * 1, wo: 14 * 1), pass G = g, merge N = (y, x, c),
                     merge K = (n, ho, wo)] to (G: 1, N: 576, K: 1568)>} {}

// CHECK: #ck.transform_map<(a: 12, b: 5) by [slice a 2 to 10, unmerge a = (p: 2, q: 4), freeze b = 3, broadcast r : 7] to (r: 7, q: 4, p: 2)>
module attributes {ck.example =
  #ck.transform_map<(a: 12, b: 5) by
                    [slice a 2 to 10, unmerge a = (p: 2, q: 4), freeze b = 3, broadcast r : 7]
                    to (r: 7, q: 4, p: 2)>} {}
