# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices: GPUs by HIP, and the emulator."""

from __future__ import annotations

import json
import threading
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _native
from .display import TableDict
from .dtypes import TYPES, get_numpy_name, get_numpy_type
from .errors import DeviceError, InvalidArgumentError

KINDS = {"auto": 0, "hip": 1, "emulator": 2}

# What DLPack calls the memory of AMD GPUs.
DLPACK_ROCM = 10


def get_kind(kind: str) -> int:
    """The number of a kind of device."""
    if kind not in KINDS:
        raise InvalidArgumentError(f"expected a kind of device ({', '.join(KINDS)}), got '{kind}'")
    return KINDS[kind]


class Device:
    """A GPU, or the emulator. `open_device` opens it."""

    def __init__(self, native: _native.Device) -> None:
        self._native = native
        # What was launched on streams, by their handles, and must not be unloaded before it ends.
        self._in_flight: dict[int, set[Any]] = {}

    @property
    def chip(self) -> str:
        """The chip, as the compiler names it."""
        return self._native.chip()

    @property
    def name(self) -> str:
        """The name that HIP reports."""
        return self._native.name()

    @property
    def is_emulated(self) -> bool:
        """Whether this is the emulator."""
        return self._native.is_emulated()

    @property
    def compute_units(self) -> int:
        """Compute units that run workgroups."""
        return self._native.compute_units()

    def empty(self, shape: Sequence[int], dtype: Any) -> DeviceArray:
        """An array on the device with any content; `dtype` is NumPy's, or its name."""
        name = dtype if isinstance(dtype, str) and dtype in TYPES else np.dtype(dtype).name
        if name not in TYPES:
            raise InvalidArgumentError(f"expected a type of {', '.join(TYPES)}, got {name}")
        if any(size < 0 for size in shape):
            raise InvalidArgumentError(f"expected sizes of 0 or more, got {tuple(shape)}")
        count = 1
        for size in shape:
            count *= int(size)
        buffer = _native.allocate(self._native, count * TYPES[name][2] // 8)
        return DeviceArray(self, buffer, tuple(int(size) for size in shape), name)

    def array(self, array: Any) -> DeviceArray:
        """A copy of a NumPy array on the device."""
        packed = np.ascontiguousarray(array)
        result = self.empty(np.shape(array), packed.dtype)
        result._buffer.copy_from(packed.__array_interface__["data"][0], packed.nbytes)
        return result

    def stream(self) -> Stream:
        """A new stream."""
        return Stream(self, _native.create_stream(self._native))

    def keep(self, stream: int, launched: Any) -> None:
        """Keeps what was launched on a stream until that is waited for."""
        self._in_flight.setdefault(stream, set()).add(launched)

    def wait(self, stream: int, wait: Callable[[], None]) -> None:
        """Waits for a stream by `wait`, and forgets what was kept for it."""
        launched = self._in_flight.pop(stream, None)
        wait()
        del launched

    def set_variable(self, name: str, value: str) -> None:
        """Gives a variable of the emulator, such as CK_EMULATOR_CHECKS, a value."""
        self._native.set_variable(name, value)

    def launch_statistics(self) -> TableDict:
        """What the emulator counted in the last launch of the process."""
        return TableDict(json.loads(self._native.launch_statistics()))

    def launch_timing(self) -> TableDict:
        """What the emulator's model of time says of the last launch of the process: `modelled_us`,
        `bound` and more, of which nothing was measured. `CK_EMULATOR_TIMING` must have been on;
        GPUs have no modelled time."""
        return TableDict(json.loads(self._native.launch_timing()))

    def __repr__(self) -> str:
        return f"<ck_mlir.Device {self.chip}, {'emulator' if self.is_emulated else self.name}>"


class Stream:
    """A queue of launches on a device."""

    def __init__(self, device: Device, native: _native.Stream) -> None:
        self.device = device
        self._native = native

    @property
    def handle(self) -> int:
        """The hipStream_t."""
        return self._native.handle()

    def synchronize(self) -> None:
        """Waits for all launches; the first fault of theirs is an exception."""
        self.device.wait(self.handle, self._native.synchronize)


class DeviceArray:
    """A packed array in the memory of a device, for kernels and for everything that takes DLPack.

    >>> import ck_mlir, numpy as np
    >>> array = ck_mlir.open_device().array(np.arange(6, dtype=np.float32).reshape(2, 3))
    >>> array.shape, array.numpy()[1, 2]
    ((2, 3), np.float32(5.0))
    """

    def __init__(
        self, device: Device, buffer: _native.Buffer, shape: tuple[int, ...], type_name: str
    ) -> None:
        self.device = device
        self.shape = shape
        self.type_name = type_name
        self._buffer = buffer

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of the elements."""
        return get_numpy_type(self.type_name)

    @property
    def pointer(self) -> int:
        """The device pointer."""
        return self._buffer.pointer()

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy on the host. Waits for launches on the default stream."""
        result = np.empty(self.shape, self.dtype)
        address = result.__array_interface__["data"][0]
        self.device.wait(0, lambda: self._buffer.copy_to(address, result.nbytes))
        return result

    def __dlpack__(self, **keywords: Any) -> Any:
        _, code, bits = TYPES[self.type_name]
        return _native.export_array(self, self.pointer, list(self.shape), code, bits, DLPACK_ROCM)

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_ROCM, 0

    def __repr__(self) -> str:
        return f"<ck_mlir.DeviceArray {self.shape} {self.type_name} on {self.device.chip}>"


_devices: dict[tuple[str, str], Device] = {}
_lock = threading.Lock()


def open_device(kind: str = "auto", chip: Optional[str] = None) -> Device:
    """Opens a device, once: `kind` is "hip", "emulator", or "auto" for a GPU if there is one (of
    `chip`, if that is given) and the emulator if not.

    The emulator is one chip in a process, the one that is asked for first; CK_EMULATOR_CHIP, or
    gfx942, where none is. To ask for another later is a DeviceError: use another process.

    >>> open_device("emulator").is_emulated
    True
    """
    key = (kind, chip or "")
    with _lock:
        if key not in _devices:
            try:
                native = _native.open_device(get_kind(kind), chip or "")
            except DeviceError as error:
                opened = {d.chip for d in _devices.values() if d.is_emulated}
                if kind == "hip" or not opened:
                    raise
                raise DeviceError(
                    f"{error} (the emulator is one chip in a process, here {opened.pop()}: "
                    f"run kernels for {chip or 'another chip'} in another process)"
                ) from error
            device = Device(native)
            same = [d for d in _devices.values() if d.is_emulated == device.is_emulated]
            _devices[key] = next((d for d in same if d.chip == device.chip), device)
        return _devices[key]


def get_device(device: Union[Device, str, None], chip: str) -> Device:
    """The device that a caller means, for kernels of `chip`."""
    if isinstance(device, Device):
        return device
    if device is not None and not isinstance(device, str):
        raise TypeError(f"expected a ck_mlir.Device or a kind of device, got {device!r}")
    return open_device(device or "auto", chip)


def get_stream_handle(stream: Any, device: Device) -> int:
    """The hipStream_t of a stream of ours, of PyTorch, or of a number."""
    if stream is None:
        return 0
    if isinstance(stream, Stream):
        if stream.device is not device:
            raise InvalidArgumentError(f"expected a stream of {device}, got one of {stream.device}")
        return stream.handle
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "cuda_stream"):
        return int(stream.cuda_stream)
    raise TypeError(f"expected a stream of ck_mlir or PyTorch or a hipStream_t, got {stream!r}")
