# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that are shuffled ahead of time, against kernels that take them as they are."""

import ck_mlir
import numpy as np
import pytest
from reference import make_integers


@pytest.mark.parametrize("block", [16, 32])
@pytest.mark.parametrize("type_name", ["f16", "bf16", "i8"])
def test_gemm(type_name, block):
    dtype = ck_mlir.dtype(type_name)
    a, b = make_integers((20, 96), dtype, 1), make_integers((96, 64), dtype, 2)
    shuffled = ck_mlir.preshuffle(b, block=block)
    assert shuffled.shape == (96, 64) and shuffled.array.dtype == b.dtype
    expected = a.astype(np.float64) @ b.astype(np.float64)
    assert np.array_equal(ck_mlir.gemm(a, shuffled).astype(np.float64), expected)


def test_order_of_elements():
    b = np.arange(16 * 32, dtype=np.int32).reshape(16, 32).astype(np.float16)
    blocks = b.T.reshape(2, 16, 2, 8).transpose(0, 2, 1, 3)
    assert np.array_equal(ck_mlir.preshuffle(b).array, blocks.ravel())


def test_stack_of_transposed_matrices():
    a, b = make_integers((3, 16, 32), np.float16, 1), make_integers((3, 48, 32), np.float16, 2)
    b = b.transpose(0, 2, 1)
    result = ck_mlir.gemm(a, ck_mlir.preshuffle(b), epilogue="relu")
    assert np.array_equal(result, np.maximum(a @ b, 0))


@pytest.mark.parametrize(
    "function, taps",
    [(ck_mlir.conv1d, (3,)), (ck_mlir.conv2d, (1, 1)), (ck_mlir.conv3d, (2, 1, 3))],
)
def test_convolution(function, taps):
    x = make_integers((2, 32, *[6] * len(taps)), np.float16, 1)
    w = make_integers((64, 16, *taps), np.float16, 2)
    shuffled = ck_mlir.preshuffle(w, "conv", groups=2)
    assert np.array_equal(function(x, shuffled, groups=2), function(x, w, groups=2))


def test_weights_on_a_device():
    device = ck_mlir.open_device("emulator")
    a, b = make_integers((16, 32), np.float16, 1), make_integers((32, 32), np.float16, 2)
    shuffled = ck_mlir.preshuffle(b).to(device)
    result = ck_mlir.gemm(device.array(a), shuffled).numpy()
    assert np.array_equal(result, a @ b)


F16 = np.zeros((64, 32), np.float16)
ERRORS = {
    "expected 'gemm' or 'conv', got 'conv2d'": (F16, {"op": "conv2d"}),
    "must be 16 or 32, or 0 for none, got 8": (F16, {"block": 8}),
    "requires 'N' to be a multiple of 16, got 24": (F16[:, :24], {}),
    "requires 'K' to be a multiple of 8 for f16, got 60": (F16[:60], {}),
    "expected 2 to 3 dimensions for gemm": (np.zeros(8, np.float16), {}),
    "expected 3 to 5 dimensions for conv": (F16, {"op": "conv"}),
    "expected a divisor of the 64 output channels, got 3": (
        np.zeros((64, 8, 3), np.float16),
        {"op": "conv", "groups": 3},
    ),
    "expected elements of one of": (F16.astype(np.float64), {}),
}


@pytest.mark.parametrize("message", ERRORS)
def test_errors(message):
    weights, keywords = ERRORS[message]
    with pytest.raises(ck_mlir.InvalidArgumentError, match=message):
        ck_mlir.preshuffle(weights, **keywords)


def test_weights_of_another_operation():
    with pytest.raises(ck_mlir.InvalidArgumentError, match="shuffled for gemm, got those for conv"):
        ck_mlir.gemm(F16.T, ck_mlir.preshuffle(np.zeros((16, 8, 3), np.float16), "conv"))
