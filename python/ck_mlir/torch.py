# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions as operators of PyTorch, with their gradients.

Operators of torch.library, in all three directions, on tensors of the CPU by the emulator and on
those of ROCm where they are. Channels-last tensors stay so. `convert` puts them into a network:

    network = ck_mlir.torch.convert(network)
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import torch
from torch.autograd.function import once_differentiable

from . import conv as _conv
from .conv import Window
from .errors import InvalidArgumentError
from .problems import Options

_WINDOW = "int[] stride, int[] padding, int[] dilation, int groups"
_library = torch.library.Library("ck_mlir", "DEF")
_library.define(f"conv(Tensor input, Tensor weight, Tensor? bias, {_WINDOW}) -> Tensor")
_library.define(f"conv_forward(Tensor input, Tensor weight, Tensor? bias, {_WINDOW}) -> Tensor")
_library.define(
    "conv_backward_input(int[] input_size, Tensor weight, Tensor grad_output, "
    f"{_WINDOW}) -> Tensor"
)
_library.define(
    "conv_backward_weight(Tensor input, int[] weight_size, Tensor grad_output, "
    f"{_WINDOW}) -> Tensor"
)


def _pack(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, copied if its elements do not lie one behind the other."""
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    if tensor.dim() in formats and tensor.is_contiguous(memory_format=formats[tensor.dim()]):
        return tensor.detach()
    return tensor.detach().contiguous()


def _make_options(tensor: torch.Tensor, bias: Optional[torch.Tensor] = None) -> Options:
    """Where the kernels of a tensor run: on the emulator for those of the CPU."""
    if tensor.device.type == "cpu":
        options = Options(device="emulator")
    else:
        options = Options(device="hip", stream=torch.cuda.current_stream(tensor.device))
    return options.with_bias(None if bias is None else bias.detach().contiguous())


def _forward(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Any:
    window, options = (stride, padding, dilation), _make_options(input, bias)
    return _conv.forward(input.dim() - 2, _pack(input), _pack(weight), window, groups, options)


def _backward_input(
    input_size: Sequence[int],
    weight: torch.Tensor,
    grad_output: torch.Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Any:
    window, options = (stride, padding, dilation), _make_options(weight)
    rank, arrays = weight.dim() - 2, (_pack(weight), _pack(grad_output))
    return _conv.backward_input(rank, input_size, *arrays, window, groups, options)


def _backward_weight(
    input: torch.Tensor,
    weight_size: Sequence[int],
    grad_output: torch.Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Any:
    window, options = (stride, padding, dilation), _make_options(input)
    rank, dy = input.dim() - 2, _pack(grad_output)
    return _conv.backward_weight(rank, _pack(input), weight_size, dy, window, groups, options)


def _forward_meta(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> torch.Tensor:
    made = Window.make(stride, padding, dilation, weight.shape[2:])
    sizes = made.get_outputs(input.shape[2:], weight.shape[2:])
    return input.new_empty((input.shape[0], weight.shape[0], *sizes))


for _key in ("CPU", "CUDA"):
    _library.impl("conv_forward", _forward, _key)
    _library.impl("conv_backward_input", _backward_input, _key)
    _library.impl("conv_backward_weight", _backward_weight, _key)
_library.impl("conv_forward", _forward_meta, "Meta")
_library.impl("conv_backward_input", lambda size, w, *_: w.new_empty(size), "Meta")
_library.impl("conv_backward_weight", lambda x, size, *_: x.new_empty(size), "Meta")


class _Conv(torch.autograd.Function):
    """The convolution with its gradients."""

    @staticmethod
    def forward(ctx: Any, input: Any, weight: Any, bias: Any, *window: Any) -> Any:
        ctx.save_for_backward(input, weight)
        ctx.window, ctx.bias_type = window, None if bias is None else bias.dtype
        return torch.ops.ck_mlir.conv_forward(input, weight, bias, *window)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:
        input, weight = ctx.saved_tensors
        grads: list[Any] = [None] * 7
        if ctx.needs_input_grad[0]:
            grads[0] = torch.ops.ck_mlir.conv_backward_input(
                list(input.shape), weight, grad_output, *ctx.window
            )
        if ctx.needs_input_grad[1]:
            grads[1] = torch.ops.ck_mlir.conv_backward_weight(
                input, list(weight.shape), grad_output, *ctx.window
            )
        if ctx.needs_input_grad[2]:
            dims = [0, *range(2, grad_output.dim())]
            grads[2] = grad_output.sum(dims).to(ctx.bias_type)
        return tuple(grads)


_library.impl("conv", _Conv.apply, "CompositeImplicitAutograd")

Sizes = Union[int, Sequence[int]]


def _spread(value: Sizes, rank: int) -> list[int]:
    return [value] * rank if isinstance(value, int) else list(value)


def _call(
    rank: int,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: Sizes,
    padding: Union[str, Sizes],
    dilation: Sizes,
    groups: int,
) -> torch.Tensor:
    if input.dim() != rank + 2:
        raise InvalidArgumentError(f"input: expected {rank + 2} dimensions, got {input.shape}")
    if isinstance(padding, str):
        pads = Window.make(stride, padding, dilation, weight.shape[2:]).pads
        if any(left != right for left, right in pads):
            raise InvalidArgumentError(
                f"padding '{padding}' requires filters of odd sizes, got {tuple(weight.shape[2:])}"
            )
        padding = [left for left, _ in pads]
    sizes = (_spread(stride, rank), _spread(padding, rank), _spread(dilation, rank))
    result: torch.Tensor = torch.ops.ck_mlir.conv(input, weight, bias, *sizes, groups)
    return result


def conv1d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> torch.Tensor:
    """torch.nn.functional.conv1d."""
    return _call(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> torch.Tensor:
    """torch.nn.functional.conv2d."""
    return _call(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor] = None,
    stride: Sizes = 1,
    padding: Union[str, Sizes] = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> torch.Tensor:
    """torch.nn.functional.conv3d."""
    return _call(3, input, weight, bias, stride, padding, dilation, groups)


_LAYERS = {torch.nn.Conv1d: conv1d, torch.nn.Conv2d: conv2d, torch.nn.Conv3d: conv3d}


def _replace(layer: Any, function: Any) -> None:
    """Has a layer call a function of ours."""
    if layer.padding_mode != "zeros":
        raise InvalidArgumentError(f"expected padding with zeros, got '{layer.padding_mode}'")

    def run(input: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]) -> Any:
        window = (layer.stride, layer.padding, layer.dilation, layer.groups)
        return function(input, weight, bias, *window)

    layer._conv_forward = run


def convert(network: torch.nn.Module) -> torch.nn.Module:
    """Has the convolutions of a network run by kernels of ours; parameters stay what they are."""
    for layer in network.modules():
        if type(layer) in _LAYERS:
            _replace(layer, _LAYERS[type(layer)])
    return network
