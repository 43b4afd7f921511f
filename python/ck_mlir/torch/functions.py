# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of torch.nn.functional, with the rectifier behind them as an argument."""

from __future__ import annotations

from typing import Optional, Sequence, Union

from torch import Tensor

from ..conv import Window
from ..errors import InvalidArgumentError
from .dispatch import call

Sizes = Union[int, Sequence[int]]


def _spread(name: str, value: Sizes, rank: int) -> list[int]:
    """One number for all dimensions, or one for each."""
    sizes = [value] * rank if isinstance(value, int) else list(value)
    sizes = sizes * rank if len(sizes) == 1 else sizes
    if len(sizes) != rank:
        raise InvalidArgumentError(f"{name}: expected a number, or {rank} of them, got {value}")
    return sizes


def _find_padding(
    padding: Union[str, Sizes], window: tuple[Sizes, Sizes], weight: Tensor
) -> list[int]:
    """The padding of the operators: one number for a dimension, or two where sides differ."""
    if not isinstance(padding, str):
        return _spread("padding", padding, weight.dim() - 2)
    stride, dilation = window
    pads = Window.make(stride, padding, dilation, weight.shape[2:]).pads
    if all(low == high for low, high in pads):
        return [low for low, _ in pads]
    return [size for pair in pads for size in pair]


def _batch(input: Tensor, rank: int) -> Tensor:
    """The input with a batch, of one where it has none."""
    if input.dim() == rank + 1:
        return input.unsqueeze(0)
    if input.dim() != rank + 2:
        raise InvalidArgumentError(
            f"input: expected {rank + 2} dimensions, or {rank + 1} without a batch, got "
            f"{tuple(input.shape)}"
        )
    return input


def _conv(
    rank: int,
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Sizes,
    padding: Union[str, Sizes],
    dilation: Sizes,
    groups: int,
    activation: str,
) -> Tensor:
    batch = _batch(input, rank)
    if weight.dim() != rank + 2:
        raise InvalidArgumentError(
            f"weight: expected {rank + 2} dimensions, got {tuple(weight.shape)}"
        )
    pads = _find_padding(padding, (stride, dilation), weight)
    steps, gaps = _spread("stride", stride, rank), _spread("dilation", dilation, rank)
    result = call("conv", batch, weight, bias, steps, pads, gaps, groups, activation)
    return result if batch is input else result.squeeze(0)


def _conv_transpose(
    rank: int,
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Sizes,
    padding: Sizes,
    output_padding: Sizes,
    groups: int,
    dilation: Sizes,
    activation: str,
) -> Tensor:
    batch = _batch(input, rank)
    if weight.dim() != rank + 2:
        raise InvalidArgumentError(
            f"weight: expected {rank + 2} dimensions, got {tuple(weight.shape)}"
        )
    result = call(
        "conv_transpose",
        batch,
        weight,
        bias,
        _spread("stride", stride, rank),
        _spread("padding", padding, rank),
        _spread("output_padding", output_padding, rank),
        groups,
        _spread("dilation", dilation, rank),
        activation,
    )
    return result if batch is input else result.squeeze(0)


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv1d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, dilation)
    return _conv(1, input, weight, bias, *window, groups, activation)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv2d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, dilation)
    return _conv(2, input, weight, bias, *window, groups, activation)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv3d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, dilation)
    return _conv(3, input, weight, bias, *window, groups, activation)


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv_transpose1d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, output_padding)
    return _conv_transpose(1, input, weight, bias, *window, groups, dilation, activation)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv_transpose2d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, output_padding)
    return _conv_transpose(2, input, weight, bias, *window, groups, dilation, activation)


def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor] = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
    activation: str = "",
) -> Tensor:
    """torch.nn.functional.conv_transpose3d; `activation` is "relu" for max(., 0) of the result."""
    window = (stride, padding, output_padding)
    return _conv_transpose(3, input, weight, bias, *window, groups, dilation, activation)
