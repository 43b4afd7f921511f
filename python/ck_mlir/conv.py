# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and their gradients, with the arguments of torch.nn.functional and torch.nn.grad.

Dimensions are in the order of PyTorch: (N, C, spatial dimensions) for inputs, (K, C / groups,
filter) for weights. Where they are in memory the strides say: any packed order will do, so that
channels-last tensors, and transposed views of NHWC arrays of NumPy, are used as they are. The
result has its dimensions in memory as the first argument does.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence, Union

from .arrays import ArrayView, view
from .errors import InvalidArgumentError
from .problems import Options, Result, check_types, find_order, get_type_name, run
from .weights import ShuffledWeights, get_order

Sizes = Union[int, Sequence[int]]
Padding = Union[str, int, Sequence[Union[int, tuple[int, int]]]]

INPUT_LETTERS = {1: "W", 2: "HW", 3: "DHW"}
FILTER_LETTERS = {1: "X", 2: "YX", 3: "ZYX"}


def _spread(name: str, value: Sizes, rank: int, least: int) -> list[int]:
    """One number for all dimensions, or one for each."""
    sizes = [value] * rank if isinstance(value, int) else [int(size) for size in value]
    if len(sizes) == 1:
        sizes = sizes * rank
    if len(sizes) != rank or any(size < least for size in sizes):
        raise InvalidArgumentError(
            f"{name}: expected a number of {least} or more, or {rank} of them, got {value}"
        )
    return sizes


@dataclasses.dataclass(frozen=True)
class Window:
    """How a filter goes over an input."""

    strides: list[int]
    dilations: list[int]
    pads: list[tuple[int, int]]

    @classmethod
    def make(
        cls, stride: Sizes, padding: Padding, dilation: Sizes, filter_sizes: Sequence[int]
    ) -> Window:
        """The window of the arguments of PyTorch."""
        rank = len(filter_sizes)
        strides = _spread("stride", stride, rank, 1)
        dilations = _spread("dilation", dilation, rank, 1)
        if padding == "valid":
            return cls(strides, dilations, [(0, 0)] * rank)
        if padding == "same":
            if any(step != 1 for step in strides):
                raise InvalidArgumentError(f"padding 'same' requires stride 1, got {stride}")
            totals = [d * (size - 1) for d, size in zip(dilations, filter_sizes)]
            return cls(strides, dilations, [(total // 2, total - total // 2) for total in totals])
        if isinstance(padding, str):
            raise InvalidArgumentError(
                f"padding: expected numbers, 'same' or 'valid', got '{padding}'"
            )
        if not isinstance(padding, int) and any(isinstance(p, tuple) for p in padding):
            pairs = [p if isinstance(p, tuple) else (p, p) for p in padding]
            left = _spread("padding", [pair[0] for pair in pairs], rank, 0)
            right = _spread("padding", [pair[1] for pair in pairs], rank, 0)
            return cls(strides, dilations, list(zip(left, right)))
        pads = _spread("padding", padding, rank, 0)  # type: ignore[arg-type]
        return cls(strides, dilations, [(pad, pad) for pad in pads])

    def get_outputs(self, inputs: Sequence[int], filter_sizes: Sequence[int]) -> list[int]:
        """The spatial sizes of the output."""
        outputs = []
        for size, taps, (left, right), step, dilation in zip(
            inputs, filter_sizes, self.pads, self.strides, self.dilations
        ):
            free = size + left + right - dilation * (taps - 1) - 1
            if free < 0:
                raise InvalidArgumentError(
                    f"the filter of {taps} taps with dilation {dilation} is larger than the input "
                    f"of {size} with padding {left}:{right}"
                )
            outputs.append(free // step + 1)
        return outputs

    def get_fields(self) -> list[str]:
        """The fields of a problem string."""
        return [
            "stride=" + "x".join(map(str, self.strides)),
            "dilation=" + "x".join(map(str, self.dilations)),
            "pad=" + "x".join(f"{left}:{right}" for left, right in self.pads),
        ]


@dataclasses.dataclass(frozen=True)
class Sides:
    """The shapes of a convolution, in the order of PyTorch."""

    input: tuple[int, ...]
    weight: tuple[int, ...]
    groups: int
    window: Window

    @property
    def rank(self) -> int:
        """Spatial dimensions."""
        return len(self.input) - 2

    @property
    def output(self) -> tuple[int, ...]:
        """The shape of the output."""
        sizes = self.window.get_outputs(self.input[2:], self.weight[2:])
        return (self.input[0], self.weight[0], *sizes)

    def check(self) -> None:
        """Raises an exception unless the shapes make a convolution."""
        if self.groups < 1 or self.weight[0] % self.groups:
            raise InvalidArgumentError(
                f"groups: expected a divisor of the {self.weight[0]} output channels, got "
                f"{self.groups}"
            )
        if self.weight[1] * self.groups != self.input[1]:
            raise InvalidArgumentError(
                f"weight: expected {self.input[1]} input channels / {self.groups} groups, got "
                f"{self.weight[1]}"
            )

    def check_gradient(self, grad_output: tuple[int, ...]) -> None:
        """Raises an exception unless an output gradient of that shape is one of the convolution."""
        self.check()
        if grad_output != self.output:
            raise InvalidArgumentError(
                f"grad_output: expected shape {self.output}, got {grad_output}"
            )

    def describe(self, orders: Sequence[Sequence[int]]) -> list[str]:
        """The fields of a problem string, with the orders of input, weight and output."""
        inputs, taps = INPUT_LETTERS[self.rank], FILTER_LETTERS[self.rank]
        letters = (["N", "GC", *inputs], ["GK", "C", *taps], ["N", "GK", *inputs])
        layout = "_".join("".join(names[d] for d in o) for names, o in zip(letters, orders))
        return [
            f"N={self.input[0]}",
            f"G={self.groups}",
            f"K={self.weight[0] // self.groups}",
            f"C={self.weight[1]}",
            "in=" + "x".join(map(str, self.input[2:])),
            "filter=" + "x".join(map(str, self.weight[2:])),
            *self.window.get_fields(),
            f"layout={layout}",
        ]


def _find_order(array: ArrayView) -> Sequence[int]:
    """Where the dimensions of an array of a convolution are in memory."""
    rank = len(array.shape)
    return find_order(array, [range(rank), [0, *range(2, rank), 1]])


def _view(name: str, array: Any, rank: int) -> ArrayView:
    result = view(name, array)
    if len(result.shape) != rank + 2:
        raise InvalidArgumentError(f"{name}: expected {rank + 2} dimensions, got {result.shape}")
    return result


def forward(
    rank: int,
    input: Any,
    weight: Any,
    window: tuple[Sizes, Padding, Sizes],
    groups: int,
    options: Options,
) -> Any:
    """The convolution of `rank` spatial dimensions."""
    shuffled = weight if isinstance(weight, ShuffledWeights) else None
    plain = weight if shuffled is None else shuffled.view("weight", "conv")
    x, w = _view("input", input, rank), _view("weight", plain, rank)
    stride, padding, dilation = window
    sides = Sides(x.shape, w.shape, groups, Window.make(stride, padding, dilation, w.shape[2:]))
    sides.check()
    result = Result(sides.output, _find_order(x))
    weight_order = _find_order(w) if shuffled is None else get_order("conv", rank + 2)
    fields = sides.describe([result.order, weight_order, result.order])
    fields += options.get_fields()
    fields += [f"preshuffle={shuffled.block}"] if shuffled is not None else []
    problem = f"conv_fwd:{check_types(x, w)}:{','.join(fields)}"
    return run(problem, input, [x, w], result, options)


def backward_input(
    rank: int,
    input_size: Sequence[int],
    weight: Any,
    grad_output: Any,
    window: tuple[Sizes, Padding, Sizes],
    groups: int,
    options: Options,
) -> Any:
    """The gradient of the input."""
    w, dy = _view("weight", weight, rank), _view("grad_output", grad_output, rank)
    if len(input_size) != rank + 2:
        raise InvalidArgumentError(f"input_size: expected {rank + 2} sizes, got {input_size}")
    stride, padding, dilation = window
    shape = tuple(int(size) for size in input_size)
    sides = Sides(shape, w.shape, groups, Window.make(stride, padding, dilation, w.shape[2:]))
    sides.check_gradient(dy.shape)
    order = _find_order(dy)
    fields = sides.describe([order, _find_order(w), order]) + options.get_fields()
    problem = f"conv_bwd_data:{check_types(dy, w)}:{','.join(fields)}"
    return run(problem, grad_output, [dy, w], Result(shape, order), options)


def backward_weight(
    rank: int,
    input: Any,
    weight_size: Sequence[int],
    grad_output: Any,
    window: tuple[Sizes, Padding, Sizes],
    groups: int,
    options: Options,
) -> Any:
    """The gradient of the weight, of the type of the inputs unless the options have another."""
    x, dy = _view("input", input, rank), _view("grad_output", grad_output, rank)
    if len(weight_size) != rank + 2:
        raise InvalidArgumentError(f"weight_size: expected {rank + 2} sizes, got {weight_size}")
    stride, padding, dilation = window
    shape = tuple(int(size) for size in weight_size)
    sides = Sides(x.shape, shape, groups, Window.make(stride, padding, dilation, shape[2:]))
    sides.check_gradient(dy.shape)
    type_name = check_types(x, dy)
    if options.out_dtype is None and type_name in ("f16", "bf16"):
        options = dataclasses.replace(options, out_dtype=type_name)
    order = _find_order(x)
    fields = sides.describe([order, order, _find_order(dy)]) + options.get_fields()
    problem = f"conv_bwd_weight:{type_name}:{','.join(fields)}"
    return run(problem, input, [x, dy], Result(shape, order), options)


def make_options(bias: Optional[Any] = None, out_dtype: Any = None, **options: Any) -> Options:
    """The options that a function was given."""
    return Options(out_dtype=get_type_name(out_dtype), **options).with_bias(bias)
