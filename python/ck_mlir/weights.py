# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that are shuffled ahead of time, once for many calls of a function."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from . import _native
from .arrays import ArrayView, view
from .devices import Device, DeviceArray
from .dtypes import TYPES, get_problem_type
from .errors import InvalidArgumentError


@dataclasses.dataclass(frozen=True)
class ShuffledWeights:
    """What `preshuffle` returns, for `gemm` as b, or for the convolutions as weight."""

    array: Any  # a NumPy array, or one on a device, in the order in which kernels read
    shape: tuple[int, ...]  # of the weights before
    block: int
    op: str

    def to(self, device: Device) -> ShuffledWeights:
        """The same weights in memory of a device."""
        array = self.array
        return dataclasses.replace(self, array=device.array(array))

    def view(self, name: str, op: str) -> ArrayView:
        """The weights as if they were not shuffled: column-major, or channels-last."""
        if op != self.op:
            raise InvalidArgumentError(
                f"{name}: expected weights that are shuffled for {op}, got those for {self.op}"
            )
        order = get_order(op, len(self.shape))
        elements = view(name, self.array)
        packed = elements.reshape([self.shape[dim] for dim in order])
        strides = tuple(packed.strides[order.index(dim)] for dim in range(len(order)))
        return dataclasses.replace(packed, shape=self.shape, strides=strides)


def get_order(op: str, rank: int) -> list[int]:
    """The order of the dimensions of weights in memory before they are shuffled."""
    if op == "gemm":
        return [*range(rank - 2), rank - 1, rank - 2]
    return [0, *range(2, rank), 1]


def preshuffle(weights: Any, op: str = "gemm", block: int = 16, groups: int = 1) -> ShuffledWeights:
    """Weights in the order in which kernels multiply them, past LDS (docs/Tools.md): the matrix b
    (K, N) of `gemm`, or a stack (G, K, N) of them, and with op "conv" the weight (K, C / groups,
    ...) of a convolution. `block`, 16 or 32, must divide the columns (the output channels of a
    group), and 16 bytes of elements must divide the reduced dimension.

    >>> import numpy as np
    >>> import ck_mlir
    >>> b = ck_mlir.preshuffle(np.full((64, 32), 2, np.float16))
    >>> ck_mlir.gemm(np.ones((16, 64), np.float16), b)[3, 5]
    np.float16(128.0)
    """
    if op not in ("gemm", "conv"):
        raise InvalidArgumentError(f"op: expected 'gemm' or 'conv', got '{op}'")
    if isinstance(weights, DeviceArray):
        weights = weights.numpy()
    given = view("weights", weights)
    ranks = (2, 3) if op == "gemm" else (3, 4, 5)
    if len(given.shape) not in ranks:
        raise InvalidArgumentError(
            f"weights: expected {ranks[0]} to {ranks[-1]} dimensions for {op}, got {given.shape}"
        )
    if given.on_device:
        raise InvalidArgumentError("weights: expected an array on the host or a DeviceArray")
    if op == "conv" and (groups < 1 or given.shape[0] % groups):
        raise InvalidArgumentError(
            f"groups: expected a divisor of the {given.shape[0]} output channels, got {groups}"
        )
    source = np.asarray(weights)
    plain = np.ascontiguousarray(source.transpose(get_order(op, source.ndim)))
    shuffled = np.empty(plain.size, plain.dtype)
    problem = _describe(given, op, block, groups)
    _native.shuffle_weights(problem, plain.ctypes.data, shuffled.ctypes.data, plain.nbytes)
    return ShuffledWeights(shuffled, given.shape, block, op)


def _describe(weights: ArrayView, op: str, block: int, groups: int) -> str:
    """A problem with these weights."""
    shape, type_name = weights.shape, get_problem_type(weights.type_name, weights.name)
    if op == "gemm":
        stack = shape[0] if len(shape) == 3 else 1
        return f"gemm:{type_name}:M=1,N={shape[-1]},K={shape[-2]},G={stack},preshuffle={block}"
    filter_sizes = "x".join(map(str, shape[2:]))
    return (
        f"conv_fwd:{type_name}:N=1,G={groups},K={shape[0] // groups},C={shape[1]},"
        f"in={filter_sizes},filter={filter_sizes},preshuffle={block}"
    )
