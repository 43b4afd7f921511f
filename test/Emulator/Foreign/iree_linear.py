# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for IREE that are linear in each input: convolutions, products of matrices, sums."""

from iree_text import (
    convolution, element, fill, function, hlo, binary, linalg, named, program, tensor, windows,
)  # fmt: skip

W1, W2, W3 = windows(1), windows(2), windows(3)
NHWC, NCHW = "b01f 01io b01f", "bf01 oi01 bf01"

CONVOLUTIONS = [
    linalg("conv_1d_nwc_wcf", "2x20x16xf32 3x16x24xf32", "2x18x24xf32", 48, "", W1),
    linalg("conv_1d_ncw_fcw", "2x16x20xf16 24x16x3xf16", "2x24x18xf32", 48, "", W1),
    linalg("conv_2d_nhwc_hwcf", "2x10x10x16xf16 3x3x16x32xf16", "2x8x8x32xf32", 144, "", W2),
    linalg("conv_2d_nhwc_hwcf", "1x9x9x8xf32 3x3x8x20xf32", "1x7x7x20xf32", 72, "", W2),
    linalg("conv_2d_nhwc_hwcf", "2x10x10x16xbf16 3x3x16x32xbf16", "2x8x8x32xf32", 144, "", W2),
    linalg("conv_2d_nhwc_hwcf", "2x10x10x16xi8 3x3x16x32xi8", "2x8x8x32xi32", 144, "", W2),
    linalg("conv_2d_nhwc_hwcf", "1x17x17x16xf16 3x3x16x16xf16", "1x8x8x16xf32", 144, "stride 2",
           windows(2, stride=2)),
    linalg("conv_2d_nhwc_hwcf", "1x12x12x16xf16 3x3x16x16xf16", "1x8x8x16xf32", 144, "dilation 2",
           windows(2, dilation=2)),
    linalg("conv_2d_nhwc_fhwc", "1x10x10x16xf16 32x3x3x16xf16", "1x8x8x32xf32", 144, "", W2),
    linalg("conv_2d_nchw_fchw", "1x12x10x10xf32 20x12x3x3xf32", "1x20x8x8xf32", 108, "", W2),
    linalg("conv_2d_nchw_fchw", "2x16x10x10xf16 32x16x3x3xf16", "2x32x8x8xf32", 144, "", W2),
    linalg("conv_2d_nchw_fchw", "2x16x10x10xi8 32x16x3x3xi8", "2x32x8x8xi32", 144, "", W2),
    linalg("conv_2d_ngchw_fgchw", "1x2x8x6x6xf16 16x2x8x3x3xf16", "1x2x16x4x4xf32", 72, "", W2),
    linalg("conv_2d_ngchw_gfchw", "1x2x8x6x6xf32 2x16x8x3x3xf32", "1x2x16x4x4xf32", 72, "", W2),
    linalg("conv_2d_nhwgc_gfhwc", "1x6x6x2x8xf16 2x16x3x3x8xf16", "1x4x4x2x16xf32", 72, "", W2),
    linalg("conv_2d_nhwc_hwcf_q", "1x8x8x16xi8 3x3x16x16xi8", "1x6x6x16xi32", 144, "", W2, "3 -2"),
    # IREE 3.13 leaves zero points out of convolutions with the channels first.
    linalg("conv_2d_nchw_fchw_q", "1x16x8x8xi8 16x16x3x3xi8", "1x16x6x6xi32", 144, "", W2, "0 0"),
    linalg("conv_2d_ngchw_gfchw_q", "1x2x8x6x6xi8 2x8x8x3x3xi8", "1x2x8x4x4xi32", 72, "", W2,
           "0 0"),
    linalg("conv_3d_ndhwc_dhwcf", "1x5x5x5x16xf16 3x3x3x16x16xf16", "1x3x3x3x16xf32", 432, "", W3),
    linalg("conv_3d_ncdhw_fcdhw", "1x4x5x5x5xf32 8x4x3x3x3xf32", "1x8x3x3x3xf32", 108, "", W3),
    linalg("depthwise_conv_1d_nwc_wc", "2x20x24xf32 3x24xf32", "2x18x24xf32", 3, "", W1),
    linalg("depthwise_conv_2d_nhwc_hwc", "1x10x10x32xf32 3x3x32xf32", "1x8x8x32xf32", 9, "", W2),
    linalg("depthwise_conv_2d_nchw_chw", "1x32x10x10xf16 32x3x3xf16", "1x32x8x8xf32", 9, "", W2),
    linalg("depthwise_conv_2d_nhwc_hwcm", "1x8x8x8xf32 3x3x8x4xf32", "1x6x6x8x4xf32", 9, "", W2),
    linalg("depthwise_conv_2d_nhwc_hwc_q", "1x8x8x16xi8 3x3x16xi8", "1x6x6x16xi32", 9, "", W2,
           "3 -2"),
    linalg("depthwise_conv_3d_ndhwc_dhwcm", "1x5x5x5x4xf32 3x3x3x4x2xf32", "1x3x3x3x4x2xf32", 27,
           "", W3),
    convolution("padded NHWC", NHWC, "2x7x7x16xf16 3x3x16x32xf16", "2x7x7x32xf32", 144,
                "pad = [[1, 1], [1, 1]]"),
    convolution("padded NCHW", NCHW, "1x8x7x7xf32 12x8x3x3xf32", "1x12x7x7xf32", 72,
                "pad = [[1, 1], [1, 1]]"),
    convolution("NCHW of many", NCHW, "4x16x14x14xf32 16x16x3x3xf32", "4x16x14x14xf32", 144,
                "pad = [[1, 1], [1, 1]]"),
    convolution("grouped", NHWC, "1x6x6x32xf16 3x3x8x64xf16", "1x4x4x64xf32", 72, "", groups=4),
    convolution("grouped NCHW", NCHW, "1x32x6x6xf16 64x8x3x3xf16", "1x64x4x4xf32", 72, "",
                groups=4),
    convolution("depthwise", NHWC, "1x8x8x24xf32 3x3x1x24xf32", "1x8x8x24xf32", 9,
                "pad = [[1, 1], [1, 1]]", groups=24),
    convolution("depthwise twofold", NHWC, "1x8x8x24xf16 5x5x1x48xf16", "1x4x4x48xf32", 25, "",
                groups=24),
    convolution("by batch groups", NHWC, "4x6x6x8xf32 3x3x8x16xf32", "1x4x4x16xf32", 72, "",
                batch_groups=4),
    convolution("weight gradient", "f01b i01o 01bf", "4x8x8x16xf16 4x6x6x32xf16", "3x3x16x32xf32",
                144),
    convolution("transposed", NHWC, "1x5x5x16xf16 3x3x16x16xf16", "1x11x11x16xf32", 144,
                "pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]"),
    convolution("transposed NCHW", NCHW, "1x8x5x5xf32 8x8x2x2xf32", "1x8x10x10xf32", 32,
                "pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]"),
    convolution("transposed grouped", NHWC, "1x4x4x8xf32 3x3x2x16xf32", "1x9x9x16xf32", 18,
                "pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]", groups=4),
    convolution("reversed", NHWC, "1x6x6x16xf16 3x3x16x16xf16", "1x4x4x16xf32", 144,
                "reverse = [1, 1]"),
    convolution("uneven", NHWC, "1x13x9x8xf32 5x2x8x12xf32", "1x4x6x12xf32", 80,
                "stride = [3, 2], pad = [[2, 1], [0, 3]]"),
    convolution("1x1", NHWC, "2x7x7x64xf16 1x1x64x32xf16", "2x7x7x32xf32", 64),
    convolution("of an image", NHWC, "1x20x20x3xf16 7x7x3x16xf16", "1x10x10x16xf32", 147,
                "stride = [2, 2], pad = [[3, 2], [3, 2]]"),
    convolution("of volumes", "b012f 012io b012f", "1x4x4x4x8xf16 2x2x2x8x16xf16",
                "1x3x3x3x16xf32", 64),
    convolution("of bytes", NHWC, "1x8x8x16xi8 3x3x16x16xi8", "1x8x8x16xi32", 144,
                "pad = [[1, 1], [1, 1]]"),
]  # fmt: skip


def tosa_convolution(op, inputs, result, depth, attributes):
    """A convolution of TOSA whose zero points are 0; its third input is the bias."""
    kinds = inputs.split()
    kind, sum_kind = element(kinds[0]), element(result)
    zero = "0.0" if kind[0] == "f" else "0"
    arrays = ", ".join(f"{key} = array<i64: {value}>" for key, value in attributes.items())
    body = (
        f'  %zero = "tosa.const"() <{{values = dense<{zero}> : tensor<1x{kind}>}}> : '
        f"() -> tensor<1x{kind}>\n"
        f'  %r = "tosa.{op}"(%a, %b, %c, %zero, %zero) <{{acc_type = {sum_kind}, {arrays}}}> : '
        f"{function([*kinds, f'1x{kind}', f'1x{kind}'], [result])}"
    )
    return program(f"tosa {op} {kind}", inputs, result, body, depth=depth)


TOSA = [
    tosa_convolution("transpose_conv2d", "1x5x5x8xf32 12x3x3x8xf32 12xf32", "1x11x11x12xf32", 73,
                     {"out_pad": "0, 0, 0, 0", "stride": "2, 2"}),
    tosa_convolution("conv2d", "1x8x8x16xi8 16x3x3x16xi8 16xi32", "1x8x8x16xi32", 145,
                     {"pad": "1, 1, 1, 1", "stride": "1, 1", "dilation": "1, 1"}),
    tosa_convolution("depthwise_conv2d", "1x8x8x16xi8 3x3x16x2xi8 32xi32", "1x6x6x32xi32", 10,
                     {"pad": "0, 0, 0, 0", "stride": "1, 1", "dilation": "1, 1"}),
]  # fmt: skip


def dots(name, inputs, result, depth, dims):
    """A dot_general; `dims` as "batching contracting" in StableHLO's notation."""
    body = f"  %r = stablehlo.dot_general %a, %b, {dims} : {function(inputs.split(), [result])}"
    return program(f"dots {name} {element(inputs.split()[0])}", inputs, result, body, depth=depth)


PRODUCTS = [
    linalg("matmul", "64x64xf16 64x48xf16", "64x48xf32", 64),
    linalg("matmul", "64x64xbf16 64x48xbf16", "64x48xf32", 64),
    linalg("matmul", "32x40xf32 40x24xf32", "32x24xf32", 40),
    linalg("matmul", "16x24xf64 24x16xf64", "16x16xf64", 24),
    linalg("matmul", "64x64xi8 64x48xi8", "64x48xi32", 64),
    linalg("matmul", "64x64xf16 64x64xf16", "64x64xf16", 64, "to f16"),
    linalg("matmul", "37x51xf16 51x29xf16", "37x29xf32", 51, "with tails"),
    linalg("matmul", "37x51xi8 51x29xi8", "37x29xi32", 51, "with tails"),
    linalg("matmul", "128x256xf16 256x128xf16", "128x128xf32", 256, "large"),
    linalg("batch_matmul", "3x32x48xf16 3x48x32xf16", "3x32x32xf32", 48),
    linalg("batch_matmul", "3x32x48xi8 3x48x32xi8", "3x32x32xi32", 48),
    linalg("matvec", "33x70xf32 70xf32", "33xf32", 70),
    linalg("vecmat", "70xf16 70x33xf16", "33xf32", 70),
    linalg("batch_matvec", "3x20x64xf32 3x64xf32", "3x20xf32", 64),
    linalg("dot", "300xf32 300xf32", "f32", 300),
    linalg("mmt4d", "2x3x8x4xf32 2x3x8x4xf32", "2x2x8x8xf32", 12),
    linalg("quantized_matmul", "32x48xi8 48x32xi8", "32x32xi32", 48, "", "", "3 -2"),
    dots("A transposed", "64x32xf16 64x48xf16", "32x48xf32", 64, "contracting_dims = [0] x [0]"),
    dots("B transposed", "32x64xf16 48x64xf16", "32x48xf32", 64, "contracting_dims = [1] x [1]"),
    dots("of two batches", "2x3x16x24xf32 2x3x24x8xf32", "2x3x16x8xf32", 24,
         "batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]"),
    dots("over two dims", "16x6x8xf16 8x20x6xf16", "16x20xf32", 48,
         "contracting_dims = [1, 2] x [2, 0]"),
]  # fmt: skip


def sums(name, source, result, dims, depth):
    """A sum over `dims`."""
    scalar = element(source)
    zero = "0.0" if scalar[0] in "fb" else "0"
    body = (
        f"  %zero = stablehlo.constant dense<{zero}> : {tensor(scalar)}\n"
        f"  %r = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = "
        f"[{dims}] : ({tensor(source)}, {tensor(scalar)}) -> {tensor(result)}"
    )
    return program(f"sum {name} {scalar}", source, result, body, depth=depth)


def pooled(op, source, window, result, depth):
    body = named(op, f"{source} {window}", result, windows(2))
    return program(f"{op} {element(source)}", f"{source} {window}", result, body, depth=depth)


def scans(name, source, dim, last, inclusive):
    """Running sums along `dim`; `last` is the type of the sum of all."""
    scalar = element(source)
    add = "arith.addf" if scalar[0] == "f" else "arith.addi"
    length = int(source.split("x")[dim])
    body = fill("init", source) + fill("start", last) + (
        f"  %r, %rest = iree_linalg_ext.scan dimension({dim}) inclusive({inclusive})\n"
        f"    ins(%a : {tensor(source)})\n"
        f"    outs(%init, %start : {tensor(source)}, {tensor(last)}) {{\n"
        f"  ^bb0(%x: {scalar}, %y: {scalar}):\n    %t = {add} %x, %y : {scalar}\n"
        f"    iree_linalg_ext.yield %t : {scalar}\n"
        f"  }} -> {tensor(source)}, {tensor(last)}"
    )  # fmt: skip
    return program(f"scan {name} {scalar}", source, source, body, depth=length)


SUMS = [
    sums("of rows", "12x300xf32", "12xf32", "1", 300),
    sums("of columns", "300x12xf32", "12xf32", "0", 300),
    sums("of all", "20x30x5xf32", "f32", "0, 1, 2", 3000),
    sums("of the middle", "4x50x6xi32", "4x6xi32", "1", 50),
    pooled("pooling_nhwc_sum", "1x8x8x16xf32", "3x3xf32", "1x6x6x16xf32", 9),
    pooled("pooling_nchw_sum", "1x16x8x8xf16", "2x2xf16", "1x16x7x7xf16", 4),
    scans("along rows", "4x40xf32", 1, "4xf32", "true"),
    scans("exclusive", "40x4xi32", 0, "4xi32", "false"),
    program(
        "running sum by windows i32", "64xi32", "64xi32",
        "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
        + hlo("reduce_window", "64xi32 i32", "64xi32",
              "window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>",
              binary("add", "i32")).replace("(%a, %b)", "(%a, %zero)"),
        depth=64,
    ),
]  # fmt: skip

PROGRAMS = CONVOLUTIONS + TOSA + PRODUCTS + SUMS
