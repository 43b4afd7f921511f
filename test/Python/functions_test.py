# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, gradients and products as functions, against integers in NumPy."""

import ck_mlir
import numpy as np
import pytest
import reference
from reference import make_integers

CONVOLUTIONS = {1: ck_mlir.conv1d, 2: ck_mlir.conv2d, 3: ck_mlir.conv3d}
INPUT_GRADIENTS = {1: ck_mlir.conv1d_input, 2: ck_mlir.conv2d_input, 3: ck_mlir.conv3d_input}
WEIGHT_GRADIENTS = {1: ck_mlir.conv1d_weight, 2: ck_mlir.conv2d_weight, 3: ck_mlir.conv3d_weight}

# (rank, N, groups, K and C of a group, input, filter, (stride, padding, dilation), output)
CASES = [
    (1, 3, 1, 8, 4, (12,), (3,), (2, 1, 1), (6,)),
    (2, 2, 1, 16, 8, (7, 9), (3, 3), (1, 1, 1), (7, 9)),
    (2, 2, 3, 4, 2, (8, 8), (3, 2), ((2, 1), (1, 0), (1, 2)), (4, 6)),
    (3, 1, 2, 4, 4, (4, 5, 6), (2, 3, 3), (1, (0, 1, 1), 1), (3, 5, 6)),
]
TYPES = ["f16", "bf16", "f32", "i8", "fp8"]


def channels_last(array):
    """The same array with its channels fastest in memory."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1)


def make_case(case, dtype):
    """Input, weight and gradient of the output, and the keywords of a case."""
    _, n, groups, k, c, sizes, taps, (stride, padding, dilation), outputs = case
    x = make_integers((n, groups * c, *sizes), dtype, 1)
    w = make_integers((groups * k, c, *taps), dtype, 2)
    dy = make_integers((n, groups * k, *outputs), dtype, 3)
    keywords = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return x, w, dy, keywords


def check_equal(result, expected):
    """Integers are exact in every type."""
    assert result.shape == expected.shape
    assert np.array_equal(result.astype(np.float64), expected)


@pytest.mark.parametrize(
    "case, type_name",
    [(case, "f16") for case in CASES] + [(CASES[2], type_name) for type_name in TYPES[1:]],
    ids=str,
)
@pytest.mark.parametrize("layout", [np.ascontiguousarray, channels_last])
def test_convolution(device, case, type_name, layout):
    # Both orders of memory, and every type, give the integers of the formula; the result has its
    # dimensions in memory as the input does.
    x, w, dy, keywords = make_case(case, ck_mlir.dtype(type_name, device.chip))
    x, w = layout(x), layout(w)
    options = {} if type_name == "i8" else {"out_dtype": "f32"}
    y = CONVOLUTIONS[case[0]](x, w, device=device, **keywords, **options)
    assert y.dtype == (np.int32 if type_name == "i8" else np.float32)
    assert y.strides[1] == (4 if layout is channels_last else 4 * np.prod(case[-1]))
    check_equal(y, reference.conv(x, w, dy.shape, case[7], case[2]))


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("layout", [np.ascontiguousarray, channels_last])
def test_gradients(device, case, layout):
    x, w, dy, keywords = make_case(case, np.float16)
    x, w, dy = layout(x), layout(w), layout(dy)
    dx = INPUT_GRADIENTS[case[0]](x.shape, w, dy, device=device, **keywords)
    assert dx.dtype == np.float16
    check_equal(dx, reference.conv_input(x.shape, w, dy, case[7], case[2]))
    dw = WEIGHT_GRADIENTS[case[0]](x, w.shape, dy, device=device, **keywords)
    assert dw.dtype == np.float16
    expected = reference.conv_weight(x, w.shape, dy, case[7], case[2])
    check_equal(dw, expected)
    dw = WEIGHT_GRADIENTS[case[0]](x, w.shape, dy, device=device, out_dtype="f32", **keywords)
    assert dw.dtype == np.float32
    check_equal(dw, expected)


def test_epilogue(device):
    # Bias, an operand per element, and a function: the same in NumPy.
    x, w, _, keywords = make_case(CASES[1], np.float16)
    bias = make_integers(16, np.float32, 4)
    added = make_integers((2, 16, 7, 9), np.float16, 5)
    y = ck_mlir.conv2d(x, w, bias, device=device, epilogue="add+relu", operands=[added], **keywords)
    expected = reference.conv(x, w, added.shape, CASES[1][7])
    check_equal(y, np.maximum(expected + bias.astype(np.int64)[:, None, None] + added, 0))


def test_padding_of_pytorch(device):
    x, w = make_integers((1, 4, 6, 6), np.float16, 1), make_integers((4, 4, 3, 4), np.float16, 2)
    expected = reference.conv(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 2))), w, (1, 4, 6, 6))
    check_equal(ck_mlir.conv2d(x, w, device=device, padding="same"), expected)
    check_equal(ck_mlir.conv2d(x, w, device=device, padding=(1, (1, 2))), expected)
    expected = reference.conv(x, w, (1, 4, 4, 3))
    check_equal(ck_mlir.conv2d(x, w, device=device, padding="valid"), expected)


@pytest.mark.parametrize("a_order", ["C", "F"])
@pytest.mark.parametrize("b_order", ["C", "F"])
def test_gemm(device, a_order, b_order):
    a = np.asarray(make_integers((24, 40), np.float16, 1), order=a_order)
    b = np.asarray(make_integers((40, 16), np.float16, 2), order=b_order)
    check_equal(ck_mlir.gemm(a, b, device=device), a.astype(np.int64) @ b.astype(np.int64))


def test_gemm_of_stacks(device):
    a = make_integers((3, 16, 8), np.float32, 1)
    b = make_integers((3, 32, 8), np.float32, 2).transpose(0, 2, 1)
    bias = make_integers(96, np.float32, 3)
    c = ck_mlir.gemm(a, b, bias, device=device, out_dtype=np.float16)
    assert c.dtype == np.float16
    check_equal(c, a.astype(np.int64) @ b.astype(np.int64) + bias.reshape(3, 1, 32))


def test_out(device):
    # The result goes where the caller says, which must have the strides of the input.
    x, w, dy, keywords = make_case(CASES[1], np.float16)
    out = np.empty(dy.shape, np.float16)
    assert ck_mlir.conv2d(x, w, device=device, out=out, **keywords) is out
    check_equal(out, reference.conv(x, w, dy.shape, CASES[1][7]))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="out: expected strides"):
        ck_mlir.conv2d(x, w, device=device, out=channels_last(out), **keywords)
    out.flags.writeable = False
    with pytest.raises(ck_mlir.InvalidArgumentError, match="out: expected an array that can be wr"):
        ck_mlir.conv2d(x, w, device=device, out=out, **keywords)


def test_arrays_on_the_device(device):
    x, w, dy, keywords = make_case(CASES[1], np.float16)
    y = ck_mlir.conv2d(device.array(x), device.array(w), device=device, **keywords)
    assert isinstance(y, ck_mlir.DeviceArray)
    check_equal(y.numpy(), reference.conv(x, w, dy.shape, CASES[1][7]))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="cannot mix arrays of host and device"):
        ck_mlir.conv2d(x, device.array(w), device=device, **keywords)


F16 = np.zeros((1, 4, 5, 5), np.float16)
WRONG = {
    "input: expected 4 dimensions, got": ((F16[0], F16), {}),
    "weight: expected 4 input channels / 1 groups, got 3": ((F16, F16[:, :3]), {}),
    "expected input and weight of one type, got float16 and float32": (
        (F16, F16.astype(np.float32)),
        {},
    ),
    "input: expected elements of one of .*, got float64": (
        (F16.astype(np.float64), F16.astype(np.float64)),
        {},
    ),
    "input: expected the strides of a packed array": ((F16[:, :, ::2], F16[:, :, :1, :1]), {}),
    "groups: expected a divisor of the 1 output channels, got 4": ((F16, F16), {"groups": 4}),
    "stride: expected a number of 1 or more, or 2 of them, got 0": ((F16, F16), {"stride": 0}),
    "padding: expected numbers, 'same' or 'valid', got 'full'": ((F16, F16), {"padding": "full"}),
    "the filter of 5 taps with dilation 2 is larger than the input of 5": (
        (F16, F16),
        {"dilation": 2},
    ),
    r"bias: expected shape \(1,\), packed, got \(2,\)": ((F16, F16, np.zeros(2, np.float32)), {}),
    "expected 1 operands of the epilogue .add., got 0": ((F16, F16), {"epilogue": "add"}),
    "unknown epilogue": ((F16, F16), {"epilogue": "swish"}),
    "out: expected elements of float16, got float32": (
        (F16, F16),
        {"out": np.zeros((1, 1, 1, 1), np.float32)},
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_arguments(device, message):
    # Each names the thing, the value and what was expected.
    arrays, keywords = WRONG[message]
    with pytest.raises(ck_mlir.InvalidArgumentError, match=message):
        ck_mlir.conv2d(*arrays, device=device, **keywords)


def test_wrong_gradients(device):
    with pytest.raises(ck_mlir.InvalidArgumentError, match="grad_output: expected shape"):
        ck_mlir.conv2d_input((1, 4, 5, 5), F16, F16, device=device)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="weight_size: expected 4 sizes"):
        ck_mlir.conv2d_weight(F16, (4, 4), F16, device=device)


def test_wrong_8_bit_floats(device):
    # The chip has a say in which floats of 8 bits there are.
    other = "gfx950" if ck_mlir.chips()[device.chip]["fp8"] == "fnuz" else "gfx942"
    a = np.zeros((16, 16), ck_mlir.dtype("fp8", other))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected elements of float8_e4m3fn"):
        ck_mlir.gemm(a, a, device=device)


def test_wrong_products(device):
    a = np.zeros((4, 5), np.float16)
    with pytest.raises(ck_mlir.InvalidArgumentError, match=r"b: expected shape \(5, 'N'\)"):
        ck_mlir.gemm(a, a, device=device)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected two matrices"):
        ck_mlir.gemm(a[0], a, device=device)
