# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators under torch.func.vmap: one kernel for all elements of a mapped dimension.

Where the weight is the same for all of them, they are further images; else, further groups.
"""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .operators import Ints, library


def _lead(tensor: Tensor, dim: Optional[int], size: int) -> Tensor:
    """The tensor with the mapped dimension in front, repeated if it has none."""
    return tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)


def _fold_images(tensor: Tensor, dim: int) -> Tensor:
    """(N, channels, ...) with the mapped dimension as further images."""
    return tensor.movedim(dim, 0).flatten(0, 1)


def _fold_groups(tensor: Tensor, dim: Optional[int], size: int) -> Tensor:
    """(N, channels, ...) with the mapped dimension as further groups of channels."""
    return _lead(tensor, dim, size).movedim(0, 1).flatten(1, 2)


def _fold_weights(tensor: Tensor, dim: Optional[int], size: int) -> Tensor:
    """(K, C / groups, ...), or a bias, with the mapped dimension as further groups."""
    return _lead(tensor, dim, size).flatten(0, 1)


def _forward(
    info: Any,
    dims: Any,
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    activation: str = "",
) -> Any:
    count, operator = info.batch_size, torch.ops.ck_mlir.conv_forward
    window = (stride, padding, dilation)
    if dims[1] is None and dims[2] is None:
        images = _fold_images(input, dims[0])
        y = operator(images, weight, bias, *window, groups, activation)
        return y.unflatten(0, (count, -1)), 0
    x, w = _fold_groups(input, dims[0], count), _fold_weights(weight, dims[1], count)
    b = None if bias is None else _fold_weights(bias, dims[2], count)
    y = operator(x, w, b, *window, groups * count, activation)
    return y.unflatten(1, (count, -1)), 1


def _backward_input(
    info: Any,
    dims: Any,
    input_size: Ints,
    weight: Tensor,
    grad_output: Tensor,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    bias: Optional[Tensor] = None,
    activation: str = "",
) -> Any:
    count, operator = info.batch_size, torch.ops.ck_mlir.conv_backward_input
    window, (images, channels, *sizes) = (stride, padding, dilation), input_size
    bias_dim = dims[7] if len(dims) > 7 else None
    if dims[1] is None and bias_dim is None:
        size, dy = [images * count, channels, *sizes], _fold_images(grad_output, dims[2])
        dx = operator(size, weight, dy, *window, groups, bias, activation)
        return dx.unflatten(0, (count, -1)), 0
    w, dy = _fold_weights(weight, dims[1], count), _fold_groups(grad_output, dims[2], count)
    b = None if bias is None else _fold_weights(bias, bias_dim, count)
    size = [images, channels * count, *sizes]
    dx = operator(size, w, dy, *window, groups * count, b, activation)
    return dx.unflatten(1, (count, -1)), 1


def _backward_weight(
    info: Any,
    dims: Any,
    input: Tensor,
    weight_size: Ints,
    grad_output: Tensor,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Any:
    count, operator = info.batch_size, torch.ops.ck_mlir.conv_backward_weight
    x, dy = _fold_groups(input, dims[0], count), _fold_groups(grad_output, dims[2], count)
    size = [weight_size[0] * count, *weight_size[1:]]
    dw = operator(x, size, dy, stride, padding, dilation, groups * count)
    return dw.unflatten(0, (count, -1)), 0


if hasattr(torch.library, "register_vmap"):
    for _name, _rule in (
        ("conv_forward", _forward),
        ("conv_backward_input", _backward_input),
        ("conv_backward_weight", _backward_weight),
    ):
        torch.library.register_vmap(f"ck_mlir::{_name}", _rule, lib=library)
