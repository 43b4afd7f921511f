# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for IREE that are not linear: attention, softmax, order, movement of data, functions.

Where results are not exact, `roundings` counts for both executions the roundings on the way to a
result, elementary functions with the bounds that OpenCL gives them: exp and log 3 units in the last
place, sin and cos 4, tanh 5, erf and pow 16, rsqrt 2; cbrt is taken as a power.
"""

from iree_text import (
    binary, block, compare, element, fill, function, hlo, named, program, shape, tensor, windows,
)  # fmt: skip


def attention(name, kind, batch, m, k2, k1, n, mask=False):
    """Softmax of q * k^T / 8 times v. The weights, which sum up to 1, may be rounded to `kind`."""
    q, k, v = f"{batch}x{m}x{k1}x{kind}", f"{batch}x{k2}x{k1}x{kind}", f"{batch}x{k2}x{n}x{kind}"
    masked, result = f"{batch}x{m}x{k2}xi1", f"{batch}x{m}x{n}xf32"
    maps = ["b, m, k1", "b, k2, k1", "b, k2, n", ""] + ["b, m, k2"] * mask + ["b, m, n"]
    spelled = ", ".join(f"affine_map<(b, m, n, k1, k2) -> ({axes})>" for axes in maps)
    body, operands, types = "", "%a, %b, %c, %scale", [tensor(q), tensor(k), tensor(v), kind]
    if mask:
        bytes_type = tensor(masked.replace("i1", "i8"))
        body = f"  %mask = arith.trunci %d : {bytes_type} to {tensor(masked)}\n"
        operands, types = operands + ", %mask", types + [tensor(masked)]
    body += (
        f"  %scale = arith.constant 0.125 : {kind}\n"
        f"  %init = tensor.empty() : {tensor(result)}\n"
        f"  %r = iree_linalg_ext.attention <{{indexing_maps = [{spelled}]}}>\n"
        f"    ins({operands} : {', '.join(types)}) outs(%init : {tensor(result)}) {{\n"
        f"  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  }} -> {tensor(result)}"
    )
    inputs = f"{q} {k} {v}" + f" {masked.replace('i1', 'i8')}" * mask
    # In units of the largest result's last place in f32: rounding q * scale and the weights to
    # `kind` changes scores of up to about 4 and the weights; and sums of k1 and k2 products.
    ulp = {"f32": 1, "f16": 2.0**13, "bf16": 2.0**16}[kind]
    draw = "normal normal normal" + " 0..2" * mask
    return program(
        f"attention {name} {kind}", inputs, result, body, draw, roundings=8 * ulp + 2 * (k1 + k2)
    )


def softmax(source, dim):
    body = (
        f"  %init = tensor.empty() : {tensor(source)}\n"
        f"  %r = linalg.softmax dimension({dim}) ins(%a : {tensor(source)}) "
        f"outs(%init : {tensor(source)}) -> {tensor(source)}"
    )
    length = shape(source)[dim]
    # Exponentials of arguments of up to 8, their sum and the division.
    roundings = 2 * (8 + 3 + length + 1)
    return program(f"softmax {dim} {source}", source, source, body, "normal", roundings=roundings)


def reduction(op, source, result, dims, start, draw="integers"):
    scalar = element(source)
    body = (
        f"  %start = stablehlo.constant dense<{start}> : {tensor(scalar)}\n"
        f"  %r = stablehlo.reduce(%a init: %start) applies stablehlo.{op} across dimensions = "
        f"[{dims}] : ({tensor(source)}, {tensor(scalar)}) -> {tensor(result)}"
    )
    return program(f"reduce {op} {source} over {dims}", source, result, body, draw)


ARGMAX = """  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %place = stablehlo.iota dim = 1 : tensor<10x33xi32>
  %r:2 = stablehlo.reduce(%a init: %low), (%place init: %first) across dimensions = [1] :
      (tensor<10x33xf32>, tensor<10x33xi32>, tensor<f32>, tensor<i32>)
      -> (tensor<10xf32>, tensor<10xi32>)
      reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %g = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %e = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %b = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %n = stablehlo.and %e, %b : tensor<i1>
    %o = stablehlo.or %g, %n : tensor<i1>
    %s = stablehlo.select %g, %x, %y : tensor<i1>, tensor<f32>
    %t = stablehlo.select %o, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }"""

LAYER_NORM = """  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<96.0> : tensor<8xf32>
  %tiny = stablehlo.constant dense<1.0e-5> : tensor<8xf32>
  %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] :
      (tensor<8x96xf32>, tensor<f32>) -> tensor<8xf32>
  %mean = stablehlo.divide %s, %count : tensor<8xf32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<8xf32>) -> tensor<8x96xf32>
  %centered = stablehlo.subtract %a, %means : tensor<8x96xf32>
  %squares = stablehlo.multiply %centered, %centered : tensor<8x96xf32>
  %q = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] :
      (tensor<8x96xf32>, tensor<f32>) -> tensor<8xf32>
  %variance = stablehlo.divide %q, %count : tensor<8xf32>
  %shifted = stablehlo.add %variance, %tiny : tensor<8xf32>
  %factor = stablehlo.rsqrt %shifted : tensor<8xf32>
  %factors = stablehlo.broadcast_in_dim %factor, dims = [0] : (tensor<8xf32>) -> tensor<8x96xf32>
  %r = stablehlo.multiply %centered, %factors : tensor<8x96xf32>"""

FUSED = """  %zero = stablehlo.constant dense<0.0> : tensor<1x6x6x16xf32>
  %s = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
      (tensor<1x8x8x16xf16>, tensor<3x3x16x16xf16>) -> tensor<1x6x6x16xf32>
  %bias = stablehlo.broadcast_in_dim %c, dims = [3] : (tensor<16xf32>) -> tensor<1x6x6x16xf32>
  %t = stablehlo.add %s, %bias : tensor<1x6x6x16xf32>
  %u = stablehlo.maximum %t, %zero : tensor<1x6x6x16xf32>
  %r = stablehlo.convert %u : (tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf16>"""

REDUCTIONS = [
    attention("of tiles", "f16", 2, 64, 64, 64, 64),
    attention("of tiles", "bf16", 1, 64, 96, 32, 32),
    attention("small", "f32", 2, 12, 20, 16, 8),
    attention("with tails", "f16", 1, 50, 70, 32, 24),
    attention("masked", "f16", 1, 32, 64, 32, 32, mask=True),
    softmax("6x40xf32", 1),
    softmax("6x40x4xf32", 1),
    softmax("5x1000xf32", 1),
    reduction("maximum", "9x100xf32", "9xf32", "1", "0xFF800000", "normal"),
    reduction("minimum", "100x9xf32", "9xf32", "0", "0x7F800000", "normal"),
    reduction("maximum", "9x100xi8", "9xi8", "1", "-128", "-128..128"),
    reduction("minimum", "7x5x30xi32", "7xi32", "1, 2", "2147483647", "bits"),
    reduction("multiply", "8x20xi32", "8xi32", "1", "1", "bits"),
    reduction("xor", "8x100xi64", "8xi64", "1", "0", "bits"),
    program("argmax", "10x33xf32", "10xf32 10xi32", ARGMAX),
    program("layer norm", "8x96xf32", "8x96xf32", LAYER_NORM, "normal", roundings=4 * 96 + 16),
    program("fused convolution", "1x8x8x16xf16 3x3x16x16xf16 16xf32", "1x6x6x16xf16", FUSED),
    program("max pool NHWC", "1x8x8x16xf32 3x3xf32", "1x6x6x16xf32", named(
        "pooling_nhwc_max", "1x8x8x16xf32 3x3xf32", "1x6x6x16xf32", windows(2), "0xFF800000"),
        "normal"),
    program("max pool NCHW", "1x16x9x9xi8 3x3xi8", "1x16x4x4xi8", named(
        "pooling_nchw_max", "1x16x9x9xi8 3x3xi8", "1x16x4x4xi8", windows(2, 2), "-128"),
        "-128..128"),
]  # fmt: skip


def sort(name, kind, dim, direction="LT", draw="order"):
    body = hlo("sort", kind, kind, f"dimension = {dim} : i64, is_stable = true",
               compare(direction, element(kind)))  # fmt: skip
    return program(f"sort {name} {kind}", kind, kind, body, draw)


SORT_PAIRS = """  %r:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %t = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true}
    : (tensor<3x40xf32>, tensor<3x40xi32>) -> (tensor<3x40xf32>, tensor<3x40xi32>)"""


def top(name, source, result, dim):
    """The largest values along `dim` and where they stand."""
    places = result.replace("f32", "i32")
    body = fill("values", result, "0xFF800000") + fill("places", places) + (
        f"  %r:2 = iree_linalg_ext.topk dimension({dim}) ins(%a : {tensor(source)})\n"
        f"    outs(%values, %places : {tensor(result)}, {tensor(places)}) {{\n"
        f"  ^bb0(%x: f32, %y: f32):\n    %t = arith.cmpf ogt, %x, %y : f32\n"
        f"    iree_linalg_ext.yield %t : i1\n  }} -> {tensor(result)}, {tensor(places)}"
    )  # fmt: skip
    return program(f"top {name}", source, f"{result} {places}", body, "order")


def scatter(name, op, inputs, numbers, draw):
    """Updates %c at the indices %b of %a. `op` combines; the second operand replaces without it."""
    scalar = element(inputs.split()[0])
    region = binary(op, scalar) if op else block(scalar, "", "%y")
    attributes = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>"
    attributes += f", indices_are_sorted = false, unique_indices = {'false' if op else 'true'}"
    body = hlo("scatter", inputs, inputs.split()[0], attributes, region)
    return program(f"scatter {name} {scalar}", inputs, inputs.split()[0], body, draw)


def gather(name, inputs, result, numbers, sizes, draw):
    attributes = f"dimension_numbers = #stablehlo.gather<{numbers}>"
    attributes += f", slice_sizes = array<i64: {sizes}>"
    return program(
        f"gather {name}", inputs, result, hlo("gather", inputs, result, attributes), draw
    )


ROWS = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
POINTS = "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]"
POINTS += ", index_vector_dim = 1"
ORDER = [
    sort("rows", "5x64xi32", 1),
    sort("columns", "40x6xi32", 0),
    sort("descending", "100xf32", 0, "GT"),
    sort("bytes", "4x70xi8", 1, draw="-128..128"),
    program("sort pairs", "3x40xf32 3x40xi32", "3x40xf32 3x40xi32", SORT_PAIRS),
    top("of a row", "100xf32", "5xf32", 0),
    top("of rows", "4x60xf32", "4x3xf32", 1),
    scatter("points", "", "20xi32 7x1xi32 7xi32", ROWS, "integers order integers"),
    scatter("sums", "add", "20xi32 50x1xi32 50xi32", ROWS, "integers 0..20 integers"),
    scatter("sums", "add", "12xf32 50x1xi32 50xf32", ROWS, "integers 0..12 integers"),
    scatter("rows", "", "9x8xf32 5x1xi32 5x8xf32",
            "update_window_dims = [1], " + ROWS, "integers order integers"),
    scatter("maxima", "maximum", "6x7xi32 30x2xi32 30xi32", POINTS, "integers 0..6 integers"),
    gather("rows", "20x6xf32 9x1xi32", "9x6xf32",
           "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
           "index_vector_dim = 1", "1, 6", "normal 0..20"),
    gather("points", "6x7xi32 12x2xi32", "12xi32",
           "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1",
           "1, 1", "integers 0..6"),
    gather("windows", "10x10xi8 4x2xi32", "4x3x3xi8",
           "offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1", "3, 3",
           "integers -2..12"),
]  # fmt: skip


def simple(op, inputs, results, attributes="", draw="bits", name=""):
    """One operation of StableHLO; results are exact."""
    body = hlo(op, inputs, results, attributes)
    return program(f"{name or op} {inputs.split()[0]}", inputs, results, body, draw)


def pad(source, result, low, high, interior):
    attributes = (
        f"edge_padding_low = array<i64: {low}>, edge_padding_high = array<i64: {high}>, "
        f"interior_padding = array<i64: {interior}>"
    )
    return simple("pad", f"{source} {element(source)}", result, attributes, "integers")


MOVEMENT = [
    simple("reverse", "4x9xf32", "4x9xf32", "dimensions = array<i64: 1>", "normal"),
    simple("reverse", "3x5x7xi8", "3x5x7xi8", "dimensions = array<i64: 0, 2>"),
    simple("reverse", "130xi32", "130xi32", "dimensions = array<i64: 0>"),
    simple("transpose", "33x40xf32", "40x33xf32", "permutation = array<i64: 1, 0>", "normal"),
    simple("transpose", "5x6x7xi8", "7x5x6xi8", "permutation = array<i64: 2, 0, 1>"),
    simple("concatenate", "5x3xi32 5x9xi32 5x2xi32", "5x14xi32", "dimension = 1 : i64"),
    simple("slice", "9x20xi16", "4x6xi16", "start_indices = array<i64: 1, 2>, limit_indices = "
           "array<i64: 9, 20>, strides = array<i64: 2, 3>"),
    simple("dynamic_slice", "9x20xi32 i32 i32", "3x5xi32", "slice_sizes = array<i64: 3, 5>",
           "bits 2..15 2..15"),
    simple("dynamic_update_slice", "9x20xi32 3x5xi32 i32 i32", "9x20xi32", "",
           "bits bits 2..15 2..15"),
    pad("5x6xf32", "9x8xf32", "1, 2", "3, 0", "0, 0"),
    pad("5x6xi32", "14x5xi32", "1, -1", "0, 0", "2, 0"),
    simple("broadcast_in_dim", "7xi8", "7x6xi8", "broadcast_dimensions = array<i64: 0>"),
    program("iota", "6x8xi32", "6x8xi32", "  %i = stablehlo.iota dim = 1 : tensor<6x8xi32>\n"
            "  %r = stablehlo.add %a, %i : tensor<6x8xi32>", "bits"),
]  # fmt: skip


def elementwise(op, kind, draw="normal", roundings=0.0):
    body = f"  %r = {op} %a : {tensor(kind)}"
    return program(f"{op} {kind}", kind, kind, body, draw, roundings=roundings)


def pairwise(op, kind, draw="bits", roundings=0.0):
    body = f"  %r = stablehlo.{op} %a, %b : {tensor(kind)}"
    return program(f"{op} {kind}", f"{kind} {kind}", kind, body, draw, roundings=roundings)


def convert(source, result, draw):
    body = f"  %r = stablehlo.convert %a : {function([source], [result])}"
    return program(f"convert {source} to {result}", source, result, body, draw)


COLLATZ = """  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %rest, %r = stablehlo.while(%n = %a, %steps = %zero) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %half = stablehlo.divide %n, %two : tensor<i32>
      %odd = stablehlo.and %n, %one : tensor<i32>
      %is = stablehlo.compare EQ, %odd, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.multiply %n, %three : tensor<i32>
      %up = stablehlo.add %m, %one : tensor<i32>
      %next = stablehlo.select %is, %up, %half : tensor<i1>, tensor<i32>
      %more = stablehlo.add %steps, %one : tensor<i32>
      stablehlo.return %next, %more : tensor<i32>, tensor<i32>
    }"""

FOURIER = """  %t = stablehlo.fft %a, type = RFFT, length = [32] :
      (tensor<4x32xf32>) -> tensor<4x17xcomplex<f32>>
  %s = stablehlo.real %t : (tensor<4x17xcomplex<f32>>) -> tensor<4x17xf32>
  %u = stablehlo.imag %t : (tensor<4x17xcomplex<f32>>) -> tensor<4x17xf32>
  %r = stablehlo.concatenate %s, %u, dim = 0 :
      (tensor<4x17xf32>, tensor<4x17xf32>) -> tensor<8x17xf32>"""

RANDOM = """  %state, %r = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY :
      (tensor<2xui64>) -> (tensor<2xui64>, tensor<100xui32>)"""

ELEMENTS = [
    elementwise("math.exp", "200xf32", roundings=6),
    elementwise("math.log", "200xf32", "positive", roundings=6),
    elementwise("math.tanh", "200xf32", roundings=10),
    elementwise("math.erf", "200xf32", roundings=32),
    elementwise("math.sin", "200xf32", roundings=8),
    elementwise("math.cos", "200xf32", roundings=8),
    elementwise("math.rsqrt", "200xf32", "positive", roundings=4),
    elementwise("math.sqrt", "200xf32", "positive", roundings=1),
    elementwise("math.cbrt", "200xf32", roundings=32),
    elementwise("math.floor", "200xf32"),
    elementwise("math.roundeven", "200xf32"),
    elementwise("math.ctpop", "200xi32", "bits"),
    elementwise("math.ctlz", "200xi32", "bits"),
    pairwise("power", "200xf32", "positive", 32),
    pairwise("divide", "200xf32", "positive", 3),
    pairwise("divide", "200xi32", "bits 1..1000"),
    pairwise("remainder", "200xi64", "bits 1..1000"),
    pairwise("multiply", "200xi64"),
    pairwise("maximum", "200xf16", "normal"),
    pairwise("shift_right_arithmetic", "200xi32", "bits 0..32"),
    convert("300xf32", "300xf16", "normal"),
    convert("300xf32", "300xi32", "-1000..1000"),
    convert("300xi64", "300xf32", "-1000000..1000000"),
    convert("300xf16", "300xf32", "normal"),
    simple("select", "50xi1 50xi32 50xi32", "50xi32", "", "0..2 bits bits"),
    simple("clamp", "f32 70xf32 f32", "70xf32", "", "normal"),
    program("collatz", "i32", "i32", COLLATZ, "5..40"),
    # Each result is a sum of 32 products whose factors are rounded, below 16 times its largest.
    program("fourier transform", "4x32xf32", "8x17xf32", FOURIER, "normal", roundings=2 * 16 * 3),
    program("random bits", "2xui64", "100xui32", RANDOM, "bits"),
]  # fmt: skip

PROGRAMS = REDUCTIONS + ORDER + MOVEMENT + ELEMENTS
