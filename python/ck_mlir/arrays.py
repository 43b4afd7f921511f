# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy, of ours and of everything that speaks DLPack, without copies."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, Optional, Sequence

import numpy as np

from . import _native
from .devices import DLPACK_ROCM, Device, DeviceArray
from .dtypes import find_dlpack_name, get_numpy_type
from .errors import InvalidArgumentError

# Memory that the host reaches, in DLPack: its own, and pinned for CUDA and ROCm.
DLPACK_HOST = (1, 3, 11)


@dataclasses.dataclass(frozen=True)
class ArrayView:
    """Where the elements of an array are."""

    name: str
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in elements
    type_name: str  # NumPy's
    on_device: bool
    owner: Any  # keeps the memory alive

    def is_packed(self, order: Optional[Sequence[int]] = None) -> bool:
        """Whether the elements lie one behind the other, the last dimension of `order` fastest."""
        expected = 1
        for dim in reversed(order if order is not None else range(len(self.shape))):
            if self.shape[dim] != 1 and self.strides[dim] != expected:
                return False
            expected *= self.shape[dim]
        return True

    def reshape(self, shape: Sequence[int]) -> ArrayView:
        """The same elements, packed in another shape."""
        strides, stride = [], 1
        for size in reversed(shape):
            strides.append(stride)
            stride *= size
        return dataclasses.replace(self, shape=tuple(shape), strides=tuple(reversed(strides)))

    def check(self, shape: Sequence[int], type_name: str, what: str) -> None:
        """Raises an exception unless this is a packed array of that shape and type."""
        if self.type_name != type_name:
            raise InvalidArgumentError(
                f"{self.name}: expected elements of {type_name}, got {self.type_name}"
            )
        if self.shape != tuple(shape):
            raise InvalidArgumentError(
                f"{self.name}: expected shape {tuple(shape)}{what}, got {self.shape}"
            )
        if not self.is_packed():
            raise InvalidArgumentError(
                f"{self.name}: expected the strides {self.reshape(shape).strides} of a packed "
                f"array, in elements, got {self.strides}"
            )


def _view_numpy(name: str, array: np.ndarray[Any, Any], is_written: bool) -> ArrayView:
    if is_written and not array.flags.writeable:
        raise InvalidArgumentError(f"{name}: expected an array that can be written to")
    if not array.dtype.isnative:
        raise InvalidArgumentError(
            f"{name}: expected the byte order of the host, got {array.dtype}"
        )
    size = array.dtype.itemsize
    if any(stride % size for stride in array.strides):
        raise InvalidArgumentError(
            f"{name}: expected strides of whole elements of {size} bytes, got {array.strides}"
        )
    strides = tuple(stride // size for stride in array.strides)
    address = array.__array_interface__["data"][0]
    return ArrayView(name, address, array.shape, strides, array.dtype.name, False, array)


def _view_dlpack(name: str, array: Any, is_written: bool) -> ArrayView:
    importer = _native.WrittenArray if is_written else _native.ReadArray
    try:
        held = importer(array.__dlpack__())
    except TypeError as error:
        kind = "an array that can be written to" if is_written else "an array"
        raise InvalidArgumentError(f"{name}: expected {kind} by DLPack, got {array!r}") from error
    address, shape, strides, code, bits, device_type, device_number = held.describe()
    if device_type not in (*DLPACK_HOST, DLPACK_ROCM):
        raise InvalidArgumentError(
            f"{name}: expected memory of the host or of an AMD GPU, got device type {device_type} "
            "of DLPack"
        )
    if device_type == DLPACK_ROCM and device_number != 0:
        raise InvalidArgumentError(f"{name}: expected memory of GPU 0, got GPU {device_number}")
    type_name = find_dlpack_name(code, bits) or f"type {code} of {bits} bits of DLPack"
    return ArrayView(name, address, shape, strides, type_name, device_type == DLPACK_ROCM, held)


def view(name: str, array: Any, is_written: bool = False) -> ArrayView:
    """Where the elements of `array` are; `name` is for messages."""
    if isinstance(array, ArrayView):
        return array
    if isinstance(array, DeviceArray):
        packed = ArrayView(name, array.pointer, (), (), array.type_name, True, array)
        return packed.reshape(array.shape)
    if isinstance(array, np.ndarray):
        return _view_numpy(name, array, is_written)
    if hasattr(array, "__dlpack__"):
        return _view_dlpack(name, array, is_written)
    raise TypeError(
        f"{name}: expected a NumPy array, a DeviceArray or an array with __dlpack__, got "
        f"{type(array).__name__}"
    )


def make_result(model: Any, shape: Sequence[int], type_name: str, device: Device) -> Any:
    """A new array for a result, where `model` is: of PyTorch if that is, else of NumPy on the host
    and a DeviceArray on the device."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.Tensor):
        return torch.empty(tuple(shape), dtype=getattr(torch, type_name), device=model.device)
    if view("argument", model).on_device:
        return device.empty(shape, type_name)
    return np.empty(tuple(shape), get_numpy_type(type_name))
