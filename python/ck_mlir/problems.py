# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From arrays and arguments to problem strings, and runs of their kernels."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _native
from .arrays import ArrayView, make_result, view
from .devices import Device, DeviceArray, get_device, open_device
from .dtypes import get_problem_type
from .errors import InvalidArgumentError
from .kernel import Kernel, compile
from .library import Path

PROBLEM_TYPES = ("f16", "bf16", "f32", "i8", "i32", "fp8", "bf8")


_tuning: dict[str, str] = {}  # files by chip


@functools.lru_cache(maxsize=1024)
def get_kernel(problem: str, chip: str, schedule: str) -> Kernel:
    """The kernel of a problem, compiled once."""
    return compile(problem, chip, schedule, tuning=_tuning.get(chip))


def use_tuning(*files: Path) -> None:
    """From now on, functions and the layers of PyTorch take schedules of these files of ck-tune, at
    most one for a chip; without files, those that the compiler chooses. Kernels are compiled again.
    A file that is missing, damaged, of another version, or the second one for a chip is an
    InvalidArgumentError, and changes nothing.

    >>> use_tuning()
    """
    paths = [os.path.abspath(file) for file in files]
    _native.create_library("", 0, 0, [], False, 1, paths)  # reads and judges them
    chips = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            chips[json.loads(file.readline())["chip"]] = path
    _tuning.clear()
    _tuning.update(chips)
    get_kernel.cache_clear()


@dataclasses.dataclass(frozen=True)
class Options:
    """What all functions take beside their arrays."""

    epilogue: str = ""
    operands: Sequence[Any] = ()
    out_dtype: Optional[str] = None  # as in problem strings
    out: Any = None
    schedule: str = ""
    device: Union[Device, str, None] = None
    stream: Any = None

    def open(self) -> Device:
        """The device to run on."""
        return open_device() if self.device is None else get_device(self.device, "")

    def with_bias(self, bias: Any) -> Options:
        """The options with a bias as the first step of the epilogue."""
        if bias is None:
            return self
        bias_type = get_problem_type(view("bias", bias).type_name, "bias")
        steps = [f"bias({bias_type})", *filter(None, [self.epilogue])]
        return dataclasses.replace(self, epilogue="+".join(steps), operands=(bias, *self.operands))

    def get_fields(self) -> list[str]:
        """The fields of the problem string that they make."""
        fields = [f"out_dtype={self.out_dtype}"] if self.out_dtype else []
        return fields + ([f"epilogue={self.epilogue}"] if self.epilogue else [])


def find_order(array: ArrayView, orders: Sequence[Sequence[int]]) -> Sequence[int]:
    """The order of dimensions in memory, the last one fastest: the first of `orders` that fits,
    else that of the strides."""
    by_stride = sorted(range(len(array.shape)), key=lambda dim: -array.strides[dim])
    for order in (*orders, by_stride):
        if array.is_packed(order):
            return order
    raise InvalidArgumentError(
        f"{array.name}: expected the strides of a packed array, in any order of dimensions, got "
        f"strides {array.strides} of shape {array.shape}"
    )


def check_types(first: ArrayView, second: ArrayView) -> str:
    """The type of two factors in problem strings."""
    if first.type_name != second.type_name:
        raise InvalidArgumentError(
            f"expected {first.name} and {second.name} of one type, got {first.type_name} and "
            f"{second.type_name}"
        )
    return get_problem_type(first.type_name, first.name)


@dataclasses.dataclass(frozen=True)
class Result:
    """The shape of a result as the caller sees it, and the order of its dimensions in memory."""

    shape: tuple[int, ...]
    order: Sequence[int]

    @property
    def packed_shape(self) -> list[int]:
        """The sizes in the order of memory."""
        return [self.shape[dim] for dim in self.order]

    def permute(self, array: Any) -> Any:
        """A packed array as the caller sees it."""
        inverse = [list(self.order).index(dim) for dim in range(len(self.order))]
        if inverse == sorted(inverse):
            return array
        if isinstance(array, DeviceArray):
            raise InvalidArgumentError(
                f"a DeviceArray has its dimensions in order, the result would have {self.order}: "
                "expected out"
            )
        return getattr(array, "permute", array.transpose)(*inverse)

    def match(self, array: ArrayView) -> ArrayView:
        """An array of the caller's for the result, or for each of its elements."""
        if array.shape != self.shape:
            raise InvalidArgumentError(
                f"{array.name}: expected shape {self.shape}, got {array.shape}"
            )
        if not array.is_packed(self.order):
            strides = array.reshape(self.packed_shape).strides
            expected = tuple(strides[list(self.order).index(d)] for d in range(len(self.order)))
            raise InvalidArgumentError(
                f"{array.name}: expected strides {expected} in elements, as the input has its "
                f"dimensions in memory, got {array.strides}"
            )
        return array


def _view_operand(name: str, array: Any, elements: Sequence[int], result: Result) -> ArrayView:
    """An operand of the epilogue: one value per channel, or per element of the result."""
    operand = view(name, array)
    count = 1
    for size in elements:
        count *= size
    if len(elements) == 2 and operand.shape == (count,) and operand.is_packed():
        return operand.reshape(elements)
    if len(elements) == 2:
        shape: tuple[int, ...] = (count,)
        raise InvalidArgumentError(f"{name}: expected shape {shape}, packed, got {operand.shape}")
    return result.match(operand).reshape(elements)


def run(
    problem: str, model: Any, factors: Sequence[ArrayView], result: Result, options: Options
) -> Any:
    """Runs the kernel of a problem on its two factors, which are packed in the layouts of the
    problem, and the operands of the epilogue. Returns the result, an array as `model` is."""
    device = options.open()
    kernel = get_kernel(problem, device.chip, options.schedule)
    *reads, written = kernel.tensors
    if len(options.operands) != len(reads) - 2:
        names = ", ".join(tensor.name for tensor in reads[2:]) or "none"
        raise InvalidArgumentError(
            f"expected {len(reads) - 2} operands of the epilogue ({names}), got "
            f"{len(options.operands)}"
        )
    views = [array.reshape(tensor.shape) for tensor, array in zip(reads, factors)]
    for tensor, operand in zip(reads[2:], options.operands):
        views.append(_view_operand(tensor.name, operand, tensor.shape, result))
    if options.out is None:
        out = make_result(model, result.packed_shape, written.dtype_name, device)
        returned = result.permute(out)
        views.append(view("out", out, True).reshape(written.shape))
    else:
        returned = options.out
        views.append(result.match(view("out", returned, True)).reshape(written.shape))
    for tensor, array in zip(kernel.tensors, views):
        array.check(tensor.shape, tensor.dtype_name, "")
    kernel.run(views, device, options.stream)
    return returned


def get_type_name(dtype: Any) -> Optional[str]:
    """A type of results as problem strings name it; NumPy's type, or such a name."""
    if dtype is None or dtype in PROBLEM_TYPES:
        return dtype  # type: ignore[no-any-return]
    return get_problem_type(np.dtype(dtype).name, "out_dtype")
