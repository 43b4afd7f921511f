# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, their gradients and products of matrices as functions.

All take the same keywords: `epilogue`, steps such as "relu" (docs/Epilogues.md), and `operands`,
the arrays of its steps that have one; `out_dtype`, NumPy's type or "f32"; `out`, an array for the
result; `schedule`; `device`, a Device or its kind; `stream`, for arrays on a device. A kernel is
compiled when it is needed for the first time.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from . import conv as _conv
from .arrays import view
from .conv import Padding, Sizes, make_options
from .errors import InvalidArgumentError
from .problems import Result, check_types, find_order, run
from .weights import ShuffledWeights


def conv1d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The convolution of an input (N, C, W) with a weight (K, C / groups, ...), as
    torch.nn.functional.conv1d. `padding` may also be "same", "valid" or pairs (left, right)."""
    made = make_options(bias, **options)
    return _conv.forward(1, input, weight, (stride, padding, dilation), groups, made)


def conv1d_input(
    input_size: Sequence[int],
    weight: Any,
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the input of `conv1d`, as torch.nn.grad.conv1d_input."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_input(1, input_size, weight, grad_output, window, groups, made)


def conv1d_weight(
    input: Any,
    weight_size: Sequence[int],
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the weight of `conv1d`, as torch.nn.grad.conv1d_weight. The result is of
    the type of the inputs; `out_dtype="f32"` keeps the digits of the accumulator."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_weight(1, input, weight_size, grad_output, window, groups, made)


def conv2d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The convolution of an input (N, C, H, W) with a weight (K, C / groups, ...), as
    torch.nn.functional.conv2d. `padding` may also be "same", "valid" or pairs (left, right).

    >>> import numpy as np
    >>> image = np.ones((1, 4, 5, 5), np.float16)
    >>> conv2d(image, np.ones((8, 4, 3, 3), np.float16), padding=1)[0, 0, 2, 1:3]
    array([36., 36.], dtype=float16)
    """
    made = make_options(bias, **options)
    return _conv.forward(2, input, weight, (stride, padding, dilation), groups, made)


def conv2d_input(
    input_size: Sequence[int],
    weight: Any,
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the input of `conv2d`, as torch.nn.grad.conv2d_input."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_input(2, input_size, weight, grad_output, window, groups, made)


def conv2d_weight(
    input: Any,
    weight_size: Sequence[int],
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the weight of `conv2d`, as torch.nn.grad.conv2d_weight. The result is of
    the type of the inputs; `out_dtype="f32"` keeps the digits of the accumulator."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_weight(2, input, weight_size, grad_output, window, groups, made)


def conv3d(
    input: Any,
    weight: Any,
    bias: Optional[Any] = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The convolution of an input (N, C, D, H, W) with a weight (K, C / groups, ...), as
    torch.nn.functional.conv3d. `padding` may also be "same", "valid" or pairs (left, right)."""
    made = make_options(bias, **options)
    return _conv.forward(3, input, weight, (stride, padding, dilation), groups, made)


def conv3d_input(
    input_size: Sequence[int],
    weight: Any,
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the input of `conv3d`, as torch.nn.grad.conv3d_input."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_input(3, input_size, weight, grad_output, window, groups, made)


def conv3d_weight(
    input: Any,
    weight_size: Sequence[int],
    grad_output: Any,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    **options: Any,
) -> Any:
    """The gradient of the weight of `conv3d`, as torch.nn.grad.conv3d_weight. The result is of
    the type of the inputs; `out_dtype="f32"` keeps the digits of the accumulator."""
    made, window = make_options(**options), (stride, padding, dilation)
    return _conv.backward_weight(3, input, weight_size, grad_output, window, groups, made)


def gemm(a: Any, b: Any, bias: Optional[Any] = None, **options: Any) -> Any:
    """The product of matrices a (M, K) and b (K, N), or of as many pairs (G, M, K) and (G, K, N).

    Matrices may be transposed views; the result has its rows one behind the other. A bias has N
    elements (G * N for several pairs). b may be what `preshuffle` made of it.

    >>> import numpy as np
    >>> gemm(np.ones((16, 8), np.int8), np.full((8, 32), 2, np.int8))[3, 5]
    np.int32(16)
    """
    left = view("a", a)
    right = b.view("b", "gemm") if isinstance(b, ShuffledWeights) else view("b", b)
    rank = len(left.shape)
    if rank not in (2, 3) or len(right.shape) != rank:
        raise InvalidArgumentError(
            f"expected two matrices, or two stacks of them, got {left.shape} and {right.shape}"
        )
    groups = left.shape[:-2]
    rows, inner = left.shape[-2:]
    if right.shape[:-1] != (*groups, inner):
        raise InvalidArgumentError(
            f"b: expected shape {(*groups, inner, 'N')} for a of {left.shape}, got {right.shape}"
        )
    row_major = list(range(rank))
    column_major = [*range(rank - 2), rank - 1, rank - 2]
    letters = ""
    for matrix in (left, right):
        order = list(find_order(matrix, [row_major, column_major]))
        if order not in (row_major, column_major):
            raise InvalidArgumentError(
                f"{matrix.name}: expected matrices that follow each other, got strides "
                f"{matrix.strides} of shape {matrix.shape}"
            )
        letters += "r" if order == row_major else "c"
    made = make_options(bias, **options)
    columns = right.shape[-1]
    fields = [f"M={rows}", f"N={columns}", f"K={inner}", f"layout={letters}r"]
    fields += [f"G={groups[0]}"] if groups else []
    fields += [f"preshuffle={b.block}"] if isinstance(b, ShuffledWeights) else []
    problem = f"gemm:{check_types(left, right)}:{','.join([*fields, *made.get_fields()])}"
    result = Result((*groups, rows, columns), row_major)
    return run(problem, a, [left, right], result, made)
