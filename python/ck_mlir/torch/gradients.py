# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators as functions with gradients.

A convolution and its two gradients are linear in each factor, and the gradients of any of the three
are the two others. So there are derivatives of every order, all of them by our kernels.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

import torch
from torch import Tensor


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is no tensor among the arguments of a function. It is one object, since transforms of
    PyTorch look into lists and tuples for what may have a derivative."""

    window: tuple[Any, ...]
    activation: str = ""
    size: Sequence[int] = ()  # of a gradient

    def make(self, size: Sequence[int] = ()) -> Plan:
        """The plan of a derivative."""
        return Plan(self.window, "", list(size))


def _mask(grad: Tensor, output: Optional[Tensor]) -> Tensor:
    """The gradient in front of a rectifier whose output is given, if there was one."""
    return grad if output is None else torch.where(output > 0, grad, torch.zeros_like(grad))


def _sum_channels(grad: Tensor, dtype: torch.dtype) -> Tensor:
    """The gradient of a bias."""
    return grad.sum([0, *range(2, grad.dim())]).to(dtype)


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    """Keeps the factors, and the output where the activation needs it."""
    first, second, bias, plan = inputs
    saved = (first, second, *([output] if plan.activation else []))
    ctx.plan = plan
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
    def forward(input: Any, weight: Any, bias: Any, plan: Plan) -> Any:
        operator = torch.ops.ck_mlir.conv_forward
        return operator(input, weight, bias, *plan.window, plan.activation)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _save(ctx, inputs, output)

    @staticmethod
    def jvp(ctx: Any, d_input: Any, d_weight: Any, d_bias: Any, *_: Any) -> Any:
        input, weight, output = _restore(ctx)

        def run(x: Any, w: Any) -> Any:
            missing = x is None or w is None
            return None if missing else Forward.apply(x, w, None, ctx.plan.make())

        return _add_tangents(ctx, output, [run(d_input, weight), run(input, d_weight)], d_bias)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        input, weight, output = _restore(ctx)
        grad = _mask(grad, output)
        grads: list[Any] = [None] * 4
        if ctx.needs_input_grad[0]:
            grads[0] = BackwardInput.apply(weight, grad, None, ctx.plan.make(input.shape))
        if ctx.needs_input_grad[1]:
            grads[1] = BackwardWeight.apply(input, grad, ctx.plan.make(weight.shape))
        if ctx.needs_input_grad[2]:
            grads[2] = _sum_channels(grad, ctx.bias_type)
        return tuple(grads)


@_function
class BackwardInput(torch.autograd.Function):
    """The gradient of an input, of the weight and the output gradient: a transposed convolution."""

    generate_vmap_rule = True

    @staticmethod
    def forward(weight: Any, grad_output: Any, bias: Any, plan: Plan) -> Any:
        operator = torch.ops.ck_mlir.conv_backward_input
        return operator(plan.size, weight, grad_output, *plan.window, bias, plan.activation)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _save(ctx, inputs, output)

    @staticmethod
    def jvp(ctx: Any, d_weight: Any, d_grad: Any, d_bias: Any, *_: Any) -> Any:
        weight, grad_output, output = _restore(ctx)

        def run(w: Any, dy: Any) -> Any:
            missing = w is None or dy is None
            plan = ctx.plan.make(ctx.shape)
            return None if missing else BackwardInput.apply(w, dy, None, plan)

        return _add_tangents(ctx, output, [run(d_weight, grad_output), run(weight, d_grad)], d_bias)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        weight, grad_output, output = _restore(ctx)
        grad = _mask(grad, output)
        grads: list[Any] = [None] * 4
        if ctx.needs_input_grad[0]:
            grads[0] = BackwardWeight.apply(grad, grad_output, ctx.plan.make(weight.shape))
        if ctx.needs_input_grad[1]:
            grads[1] = Forward.apply(grad, weight, None, ctx.plan.make())
        if ctx.needs_input_grad[2]:
            grads[2] = _sum_channels(grad, ctx.bias_type)
        return tuple(grads)


@_function
class BackwardWeight(torch.autograd.Function):
    """The gradient of a weight, of the input and the output gradient."""

    generate_vmap_rule = True

    @staticmethod
    def forward(input: Any, grad_output: Any, plan: Plan) -> Any:
        operator = torch.ops.ck_mlir.conv_backward_weight
        return operator(input, plan.size, grad_output, *plan.window)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        input, grad_output, plan = inputs
        _save(ctx, (input, grad_output, None, plan), output)

    @staticmethod
    def jvp(ctx: Any, d_input: Any, d_grad: Any, *_: Any) -> Any:
        input, grad_output, __ = _restore(ctx)

        def run(x: Any, dy: Any) -> Any:
            missing = x is None or dy is None
            return None if missing else BackwardWeight.apply(x, dy, ctx.plan.make(ctx.shape))

        return _add_tangents(ctx, None, [run(d_input, grad_output), run(input, d_grad)], None)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        input, grad_output, _ = _restore(ctx)
        grads: list[Any] = [None] * 3
        if ctx.needs_input_grad[0]:
            grads[0] = BackwardInput.apply(grad, grad_output, None, ctx.plan.make(input.shape))
        if ctx.needs_input_grad[1]:
            grads[1] = Forward.apply(input, grad, None, ctx.plan.make())
        return tuple(grads)
