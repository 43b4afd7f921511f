# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators as functions with gradients.

A convolution and its two gradients are linear in each factor, and the gradients of any of the three
are the two others. So there are derivatives of every order, all of them by our kernels.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor


def _mask(grad: Tensor, output: Optional[Tensor]) -> Tensor:
    """The gradient in front of a rectifier whose output is given, if there was one."""
    return grad if output is None else torch.where(output > 0, grad, torch.zeros_like(grad))


def _sum_channels(grad: Tensor, dtype: torch.dtype) -> Tensor:
    """The gradient of a bias."""
    return grad.sum([0, *range(2, grad.dim())]).to(dtype)


def _save(ctx: Any, first: Any, second: Any, bias: Any, output: Any, activation: str) -> None:
    """Keeps the factors, and the output where the activation needs it."""
    saved = (first, second, *([output] if activation else []))
    ctx.save_for_backward(*saved)
    ctx.save_for_forward(*saved)
    ctx.shape = output.shape
    ctx.bias_type = None if bias is None else bias.dtype


def _restore(ctx: Any) -> tuple[Tensor, Tensor, Optional[Tensor]]:
    first, second, *rest = ctx.saved_tensors
    return first, second, rest[0] if rest else None


def _add_tangents(ctx: Any, output: Optional[Tensor], parts: Sequence[Any], bias: Any) -> Any:
    """The derivative of an output in forward mode: the sum of those by each factor and the bias,
    where each has one."""
    known = [part for part in parts if part is not None]
    if bias is not None:
        shape = [1, -1, *[1] * (len(ctx.shape) - 2)]
        known.append(bias.reshape(shape).expand(ctx.shape))
    return _mask(sum(known[1:], known[0]), output)


def _function(cls: Any) -> Any:
    """A class of PyTorch 2, whose context is set up apart, also for PyTorch 1.13."""
    if not hasattr(torch.autograd.Function, "setup_context"):
        compute = cls.forward

        def forward(ctx: Any, *inputs: Any) -> Any:
            output = compute(*inputs)
            cls.setup_context(ctx, inputs, output)
            return output

        cls.forward = staticmethod(forward)
    return cls


@_function
class Forward(torch.autograd.Function):
    """The output of a convolution, of input, weight and bias."""

    generate_vmap_rule = True

    @staticmethod
    def forward(input: Any, weight: Any, bias: Any, window: Any, activation: str) -> Any:
        return torch.ops.ck_mlir.conv_forward(input, weight, bias, *window, activation)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        input, weight, bias, ctx.window, activation = inputs
        _save(ctx, input, weight, bias, output, activation)

    @staticmethod
    def jvp(ctx: Any, d_input: Any, d_weight: Any, d_bias: Any, *_: Any) -> Any:
        input, weight, output = _restore(ctx)

        def run(x: Any, w: Any) -> Any:
            missing = x is None or w is None
            return None if missing else Forward.apply(x, w, None, ctx.window, "")

        return _add_tangents(ctx, output, [run(d_input, weight), run(input, d_weight)], d_bias)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        input, weight, output = _restore(ctx)
        grad = _mask(grad, output)
        grads: list[Any] = [None] * 5
        if ctx.needs_input_grad[0]:
            grads[0] = BackwardInput.apply(list(input.shape), weight, grad, None, ctx.window, "")
        if ctx.needs_input_grad[1]:
            grads[1] = BackwardWeight.apply(input, list(weight.shape), grad, ctx.window)
        if ctx.needs_input_grad[2]:
            grads[2] = _sum_channels(grad, ctx.bias_type)
        return tuple(grads)


@_function
class BackwardInput(torch.autograd.Function):
    """The gradient of an input, of the weight and the output gradient: a transposed convolution."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        size: Any, weight: Any, grad_output: Any, bias: Any, window: Any, activation: str
    ) -> Any:
        operator = torch.ops.ck_mlir.conv_backward_input
        return operator(size, weight, grad_output, *window, bias, activation)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, weight, grad_output, bias, ctx.window, activation = inputs
        _save(ctx, weight, grad_output, bias, output, activation)

    @staticmethod
    def jvp(ctx: Any, _: Any, d_weight: Any, d_grad: Any, d_bias: Any, *__: Any) -> Any:
        weight, grad_output, output = _restore(ctx)

        def run(w: Any, dy: Any) -> Any:
            missing = w is None or dy is None
            size = list(ctx.shape)
            return None if missing else BackwardInput.apply(size, w, dy, None, ctx.window, "")

        return _add_tangents(ctx, output, [run(d_weight, grad_output), run(weight, d_grad)], d_bias)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        weight, grad_output, output = _restore(ctx)
        grad = _mask(grad, output)
        grads: list[Any] = [None] * 6
        if ctx.needs_input_grad[1]:
            grads[1] = BackwardWeight.apply(grad, list(weight.shape), grad_output, ctx.window)
        if ctx.needs_input_grad[2]:
            grads[2] = Forward.apply(grad, weight, None, ctx.window, "")
        if ctx.needs_input_grad[3]:
            grads[3] = _sum_channels(grad, ctx.bias_type)
        return tuple(grads)


@_function
class BackwardWeight(torch.autograd.Function):
    """The gradient of a weight, of the input and the output gradient."""

    generate_vmap_rule = True

    @staticmethod
    def forward(input: Any, size: Any, grad_output: Any, window: Any) -> Any:
        return torch.ops.ck_mlir.conv_backward_weight(input, size, grad_output, *window)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        input, _, grad_output, ctx.window = inputs
        _save(ctx, input, grad_output, None, output, "")

    @staticmethod
    def jvp(ctx: Any, d_input: Any, _: Any, d_grad: Any, *__: Any) -> Any:
        input, grad_output, _ = _restore(ctx)

        def run(x: Any, dy: Any) -> Any:
            missing = x is None or dy is None
            return None if missing else BackwardWeight.apply(x, list(ctx.shape), dy, ctx.window)

        return _add_tangents(ctx, None, [run(d_input, grad_output), run(input, d_grad)], None)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        input, grad_output, _ = _restore(ctx)
        grads: list[Any] = [None] * 4
        if ctx.needs_input_grad[0]:
            size = list(input.shape)
            grads[0] = BackwardInput.apply(size, grad, grad_output, None, ctx.window, "")
        if ctx.needs_input_grad[2]:
            grads[2] = Forward.apply(input, grad, None, ctx.window, "")
        return tuple(grads)
