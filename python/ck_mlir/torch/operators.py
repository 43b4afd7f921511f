# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels as operators of torch.library, without gradients, and their meta functions.

`conv_forward`, `conv_backward_input` and `conv_backward_weight` of the namespace `ck_mlir`. The
padding is one number for each dimension, or two, before and behind. `activation` is the name of a
step of the epilogue, or empty. A result has its dimensions in memory as the first tensor among the
arguments does that has as many (the output gradient for `conv_backward_input`), which the meta
functions say, too: compilers of PyTorch rely on it.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from .. import conv as _conv
from ..conv import Padding, Sides, Window
from ..problems import Options

Ints = Sequence[int]

library: Any = torch.library.Library("ck_mlir", "DEF")  # type: ignore[no-untyped-call]

WINDOW = "int[] stride, int[] padding, int[] dilation, int groups"
# Sizes that torch.compile may leave open.
_SIZES = "SymInt[]" if int(torch.__version__.split(".", maxsplit=1)[0]) >= 2 else "int[]"

library.define(
    f'conv_forward(Tensor input, Tensor weight, Tensor? bias, {WINDOW}, str activation="") '
    "-> Tensor"
)
library.define(
    f"conv_backward_input({_SIZES} input_size, Tensor weight, Tensor grad_output, {WINDOW}, "
    'Tensor? bias=None, str activation="") -> Tensor'
)
library.define(
    f"conv_backward_weight(Tensor input, {_SIZES} weight_size, Tensor grad_output, {WINDOW}) "
    "-> Tensor"
)

_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


def _find_format(tensor: Tensor) -> Any:
    """The memory format in which kernels take a tensor, and which results have."""
    last = _CHANNELS_LAST.get(tensor.dim())
    if last is None or tensor.is_contiguous() or not tensor.is_contiguous(memory_format=last):
        return torch.contiguous_format
    return last


def _pack(tensor: Tensor) -> Tensor:
    """The tensor, copied if its elements do not lie one behind the other."""
    return tensor.detach().contiguous(memory_format=_find_format(tensor))


def _empty(like: Tensor, shape: Ints, dtype: torch.dtype) -> Tensor:
    """A tensor for a result, in the memory format of another one."""
    return torch.empty(
        tuple(shape), dtype=dtype, device=like.device, memory_format=_find_format(like)
    )


def _find_type(factor: Tensor) -> torch.dtype:
    """The type of a result, by that of the factors."""
    if factor.dtype == torch.int8:
        return torch.int32
    return torch.float16 if str(factor.dtype).startswith("torch.float8") else factor.dtype


def _make_window(stride: Ints, padding: Ints, dilation: Ints) -> tuple[Any, Padding, Any]:
    """The window as functions of arrays take it."""
    pads: Padding = list(padding)
    if len(padding) == 2 * len(stride):
        pads = list(zip(padding[::2], padding[1::2]))
    return list(stride), pads, list(dilation)


def _make_options(tensor: Tensor, bias: Optional[Tensor] = None, activation: str = "") -> Options:
    """Where the kernels of a tensor run: on the emulator for those of the CPU."""
    if tensor.device.type == "cpu":
        options = Options(device="emulator")
    else:
        options = Options(device="hip", stream=torch.cuda.current_stream(tensor.device))
    options = dataclasses.replace(options, epilogue=activation)
    return options.with_bias(None if bias is None else bias.detach().contiguous())


def _forward(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    activation: str = "",
) -> Any:
    if input.shape[0] == 0:
        return _forward_meta(input, weight, bias, stride, padding, dilation, groups, activation)
    window = _make_window(stride, padding, dilation)
    options = _make_options(input, bias, activation)
    return _conv.forward(input.dim() - 2, _pack(input), _pack(weight), window, groups, options)


def _backward_input(
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
    if input_size[0] == 0:
        window = (stride, padding, dilation, groups)
        return _backward_input_meta(input_size, weight, grad_output, *window)
    made = _make_window(stride, padding, dilation)
    options = _make_options(weight, bias, activation)
    rank, arrays = weight.dim() - 2, (_pack(weight), _pack(grad_output))
    return _conv.backward_input(rank, input_size, *arrays, made, groups, options)


def _backward_weight(
    input: Tensor,
    weight_size: Ints,
    grad_output: Tensor,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Any:
    if input.shape[0] == 0:
        window = (stride, padding, dilation, groups)
        return _backward_weight_meta(input, weight_size, grad_output, *window).zero_()
    made, options = _make_window(stride, padding, dilation), _make_options(input)
    rank, dy = input.dim() - 2, _pack(grad_output)
    return _conv.backward_weight(rank, _pack(input), weight_size, dy, made, groups, options)


def _forward_meta(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    activation: str = "",
) -> Tensor:
    made = Window.make(*_make_window(stride, padding, dilation), weight.shape[2:])
    sides = Sides(tuple(input.shape), tuple(weight.shape), groups, made)
    sides.check()
    return _empty(input, sides.output, _find_type(input))


def _check_gradient(
    input_size: Ints, weight_size: Ints, grad_output: Tensor, window: Sequence[Any]
) -> None:
    """Raises an exception unless the shapes are those of a gradient."""
    *numbers, groups = window[:4]
    made = Window.make(*_make_window(*numbers), weight_size[2:])
    sides = Sides(tuple(input_size), tuple(weight_size), groups, made)
    sides.check_gradient(tuple(grad_output.shape))


def _backward_input_meta(
    input_size: Ints, weight: Tensor, grad_output: Tensor, *window: Any, **_: Any
) -> Tensor:
    _check_gradient(input_size, weight.shape, grad_output, window)
    return _empty(grad_output, input_size, _find_type(grad_output))


def _backward_weight_meta(
    input: Tensor, weight_size: Ints, grad_output: Tensor, *window: Any
) -> Tensor:
    _check_gradient(input.shape, weight_size, grad_output, window)
    return _empty(input, weight_size, _find_type(input))


for _key in ("CPU", "CUDA"):
    library.impl("conv_forward", _forward, _key)
    library.impl("conv_backward_input", _backward_input, _key)
    library.impl("conv_backward_weight", _backward_weight, _key)
library.impl("conv_forward", _forward_meta, "Meta")
library.impl("conv_backward_input", _backward_input_meta, "Meta")
library.impl("conv_backward_weight", _backward_weight_meta, "Meta")
