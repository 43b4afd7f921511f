# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators `ck_mlir::conv` and `ck_mlir::conv_transpose`: with gradients, and autocast."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from ..errors import InvalidArgumentError
from .gradients import BackwardInput, Forward, Plan
from .operators import WINDOW, Ints, library

library.define(
    f'conv(Tensor input, Tensor weight, Tensor? bias, {WINDOW}, str activation="") -> Tensor'
)
library.define(
    "conv_transpose(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, "
    'int[] output_padding, int groups, int[] dilation, str activation="") -> Tensor'
)

# What PyTorch can differentiate that comes behind sums, with its gradient for a result.
ACTIVATIONS = ("", "relu")


def _check_activation(activation: str) -> None:
    if activation not in ACTIVATIONS:
        names = ", ".join(f"'{name}'" for name in ACTIVATIONS)
        raise InvalidArgumentError(f"activation: expected one of {names}, got '{activation}'")


def _conv(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    activation: str = "",
) -> Any:
    _check_activation(activation)
    return Forward.apply(input, weight, bias, Plan((stride, padding, dilation, groups), activation))


def _conv_transpose(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: Ints,
    padding: Ints,
    output_padding: Ints,
    groups: int,
    dilation: Ints,
    activation: str = "",
) -> Any:
    _check_activation(activation)
    size, rows = [input.shape[0], weight.shape[1] * groups], []
    for dim, extra in enumerate(output_padding):
        if extra >= max(stride[dim], dilation[dim]):
            raise InvalidArgumentError(
                "output_padding: expected less than the stride or the dilation, "
                f"{max(stride[dim], dilation[dim])}, got {extra}"
            )
        taps = dilation[dim] * (weight.shape[dim + 2] - 1)
        steps = (input.shape[dim + 2] - 1) * stride[dim]
        size.append(steps - 2 * padding[dim] + taps + extra + 1)
        rows.append(extra // stride[dim])
    if any(rows):  # of the output in which the convolution has further outputs: those are zeros
        pads = [size for count in reversed(rows) for size in (0, count)]
        input = torch.nn.functional.pad(input, pads)
    plan = Plan((stride, padding, dilation, groups), activation, size)
    return BackwardInput.apply(weight, input, bias, plan)


_FUNCTIONS: dict[str, Any] = {"conv": _conv, "conv_transpose": _conv_transpose}


def _get_autocast_type(device: str) -> torch.dtype:
    if hasattr(torch, "get_autocast_dtype"):
        return torch.get_autocast_dtype(device)
    is_cpu = device == "cpu"
    result: torch.dtype = (
        torch.get_autocast_cpu_dtype() if is_cpu else torch.get_autocast_gpu_dtype()
    )
    return result


def _is_autocast(device: str) -> bool:
    if hasattr(torch, "get_autocast_dtype"):
        return bool(torch.is_autocast_enabled(device))
    is_cpu = device == "cpu"
    return bool(torch.is_autocast_cpu_enabled() if is_cpu else torch.is_autocast_enabled())


def _cast(arguments: Sequence[Any], device: str) -> list[Any]:
    """The arguments with the tensors in the type of autocast, as PyTorch's convolutions do it."""
    dtype = _get_autocast_type(device)

    def is_cast(value: Any) -> bool:
        if not isinstance(value, torch.Tensor) or value.device.type != device:
            return False
        return bool(value.is_floating_point() and value.dtype != torch.float64)

    return [value.to(dtype) if is_cast(value) else value for value in arguments]


def _register_autocast(name: str, key: str, device: str) -> None:
    """Has an operator cast where autocast is on."""

    def run(*arguments: Any) -> Any:
        with torch.autocast(device, enabled=False):
            return getattr(torch.ops.ck_mlir, name)(*_cast(arguments, device))

    library.impl(name, run, key)


for _name in _FUNCTIONS:
    library.impl(_name, _FUNCTIONS[_name], "CompositeImplicitAutograd")
    _register_autocast(_name, "AutocastCPU", "cpu")
    _register_autocast(_name, "AutocastCUDA", "cuda")


def call(name: str, input: Tensor, *arguments: Any) -> Tensor:
    """Calls `conv` or `conv_transpose`: the operator, or, under a transform of torch.func, what it
    stands for. Transforms do not see the gradients of an operator, which is behind the dispatcher.
    """
    are_active = getattr(torch._C, "_are_functorch_transforms_active", lambda: False)
    operands: Sequence[Any] = (input, *arguments)
    if not are_active():
        result: Tensor = getattr(torch.ops.ck_mlir, name)(*operands)
        return result
    device = input.device.type
    operands = _cast(operands, device) if _is_autocast(device) else operands
    with torch.autocast(device, enabled=False):
        result = _FUNCTIONS[name](*operands)
    return result
