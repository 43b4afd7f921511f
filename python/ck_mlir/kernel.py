# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled problems."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import threading
import weakref
from typing import Any, Optional, Sequence, Union

from . import _native
from .arrays import ArrayView, make_result, view
from .devices import Device, get_device, get_stream_handle, open_device
from .display import format_kernel
from .dtypes import get_numpy_name
from .errors import InvalidArgumentError
from .ir import IR, Rungs
from .statistics import KernelStatistics, RunReport, count_instructions


@dataclasses.dataclass(frozen=True)
class Tensor:
    """An argument of a kernel: what array it takes, or makes."""

    name: str
    type: str  # as in problem strings
    dtype_name: str  # NumPy's
    layout: str  # a letter for each dimension
    shape: tuple[int, ...]
    bytes: int
    is_written: bool


_loaded: weakref.WeakSet[Kernel] = weakref.WeakSet()


def unload_all() -> None:
    """Unloads all kernels from their devices, at the end of the process."""
    for kernel in list(_loaded):
        kernel._executables.clear()
        kernel._workspaces.clear()


def default_chip() -> str:
    """The chip of the GPU if there is one, else the one that the emulator is."""
    return open_device().chip


class Kernel:
    """A compiled problem. `compile` makes it; it is called with arrays, in any thread.

    >>> import ck_mlir
    >>> kernel = ck_mlir.compile("gemm:f32:M=16,N=16,K=16", chip="gfx942")
    >>> [tensor.name for tensor in kernel.tensors]
    ['a', 'b', 'c']
    >>> kernel.statistics["kernels"][0]["scratch_bytes"]
    0
    """

    def __init__(self, program: _native.Program, source: str, residents: int) -> None:
        self._program = program
        self._source = source
        self._residents = residents
        self._lock = threading.Lock()
        self._executables: dict[Device, _native.Executable] = {}
        self._workspaces: dict[tuple[Device, int], _native.Buffer] = {}
        _loaded.add(self)

    @property
    def problem(self) -> str:
        """The canonical problem string."""
        return self._program.problem()

    @property
    def chip(self) -> str:
        """The chip that the kernel was compiled for."""
        return self._program.chip()

    @property
    def schedule(self) -> str:
        """The schedule that was taken, complete."""
        return self._program.schedule()

    @functools.cached_property
    def manifest(self) -> dict[str, Any]:
        """What a launch needs to know, as `ck-compile` writes it."""
        manifest: dict[str, Any] = json.loads(self._program.manifest())
        return manifest

    @property
    def code_object(self) -> bytes:
        """The ELF file that hipModuleLoadData takes."""
        return self._program.code_object()

    @functools.cached_property
    def assembly(self) -> IR:
        """The assembly of the code object. The kernel is compiled once more for it."""
        program = _native.compile(
            self._source,
            is_module(self._source),
            self.chip,
            self.schedule,
            self._residents,
            True,
            False,
            "",
        )
        return IR(program.assembly())

    @functools.cached_property
    def ir(self) -> Rungs:
        """The IR of every rung of the lowering, by form: `kernel.ir["lane"]`."""
        return Rungs(self._source, self.chip, self.schedule, self._residents)

    @functools.cached_property
    def statistics(self) -> KernelStatistics:
        """Registers, memory and code size of the kernels, and the instructions of the assembly by
        class, shown as tables. `profile` counts the instructions that are executed."""
        return KernelStatistics(
            compile_milliseconds=self._program.compile_milliseconds(),
            workspace_bytes=self.workspace_bytes,
            kernels=self.manifest["kernels"],
            instructions=count_instructions(self.assembly),
        )

    @property
    def workspace_bytes(self) -> int:
        """Device memory that a launch needs beside the tensors. Calls see to it."""
        return self._program.workspace_bytes()

    @functools.cached_property
    def tensors(self) -> list[Tensor]:
        """What a call takes, in order; the last one is the result."""
        return [
            Tensor(name, type, get_numpy_name(type, self.chip), layout, shape, size, written)
            for name, type, layout, shape, size, written in self._program.tensors()
        ]

    def __call__(
        self,
        *arrays: Any,
        out: Any = None,
        stream: Any = None,
        device: Union[Device, str, None] = None,
    ) -> Any:
        """Runs the kernel on packed arrays of the types and shapes of `tensors`.

        Arrays of the host are copied to the device, and the result is a new array, of PyTorch if
        the first argument is, else of NumPy, or `out`. Arrays in the memory of the device (a
        DeviceArray, or anything of an AMD GPU with __dlpack__) are used where they are; the launch
        is put on `stream` and the call returns at once, with `out` or a new DeviceArray.
        """
        *reads, written = self.tensors
        if len(arrays) != len(reads):
            names = ", ".join(tensor.name for tensor in reads)
            raise InvalidArgumentError(f"expected {len(reads)} arrays ({names}), got {len(arrays)}")
        views = [view(tensor.name, array) for tensor, array in zip(reads, arrays)]
        opened = get_device(device, self.chip)
        if out is None:
            out = make_result(arrays[0], written.shape, written.dtype_name, opened)
        views.append(view(written.name, out, is_written=True))
        for tensor, array in zip(self.tensors, views):
            array.check(tensor.shape, tensor.dtype_name, f" (layout {tensor.layout})")
        self.run(views, opened, stream)
        return out

    def run(self, views: Sequence[ArrayView], device: Device, stream: Any) -> None:
        """Runs the kernel on memory that fits: all on the host, or all on the device."""
        places = {array.on_device for array in views}
        if len(places) > 1:
            where = ", ".join(
                f"{array.name} is on the {'device' if array.on_device else 'host'}"
                for array in views
            )
            raise InvalidArgumentError(f"cannot mix arrays of host and device: {where}")
        executable = self._load(device)
        if places == {True}:
            self._launch(executable, views, device, get_stream_handle(stream, device))
            return
        if stream is not None:
            raise InvalidArgumentError(
                "a stream requires arrays on the device, got some of the host"
            )
        buffers = []
        for array, tensor in zip(views, self.tensors):
            buffer = _native.allocate(device._native, tensor.bytes)
            if not tensor.is_written:
                buffer.copy_from(array.address, tensor.bytes)
            buffers.append(buffer)
        workspace = _native.allocate(device._native, self.workspace_bytes)
        _native.run(device._native, executable, buffers, workspace)
        buffers[-1].copy_to(views[-1].address, self.tensors[-1].bytes)

    def _load(self, device: Device) -> _native.Executable:
        with self._lock:
            if device not in self._executables:
                self._executables[device] = _native.load(device._native, self._program)
            return self._executables[device]

    def _make_workspace(self, device: Device) -> _native.Buffer:
        """With the zeros that launches need, and leave for the next one."""
        workspace = _native.allocate(device._native, self.workspace_bytes)
        workspace.zero(self._program.workspace_zero_bytes())
        return workspace

    def _launch(
        self,
        executable: _native.Executable,
        views: Sequence[ArrayView],
        device: Device,
        stream: int,
    ) -> None:
        """Puts the kernels on a stream. Launches of one stream follow each other, so that they can
        share a workspace."""
        with self._lock:
            key = (device, stream)
            if key not in self._workspaces:
                self._workspaces[key] = self._make_workspace(device)
            workspace = self._workspaces[key]
            device.keep(stream, self)
            executable.launch(
                stream, [array.address for array in views], workspace.pointer(), workspace.size()
            )

    def verify(self, device: str = "auto", against: str = "cpu") -> RunReport:
        """Runs the problem on small integers and compares with a reference: that of the host, or
        with `against="device"` the naive kernel. The report has `status` and `reason`.

        >>> compile("gemm:f16:M=16,N=16,K=16", chip="gfx942").verify("emulator")["status"]
        'ok'
        """
        return RunReport.make(self.problem, self.chip, self.schedule, device, against, False)

    def profile(self) -> RunReport:
        """Runs the problem on the emulator and counts what is executed, by wave role."""
        return RunReport.make(self.problem, self.chip, self.schedule, "emulator", "none", True)

    def model_time(self, *, against: str = "none", trace: str = "") -> RunReport:
        """How long the problem would take on the chip by the model of the emulator, which measures
        nothing: `modelled_us` with the band `modelled_error`, in which nine of ten measured times
        lie, `modelled_bound` and `modelled_kernels`. `against` is that of `verify`; `trace` names a
        file for a timeline, which Perfetto shows.

        >>> report = compile("gemm:f16:M=64,N=64,K=64", chip="gfx942").model_time()
        >>> low, high = report["modelled_error"]
        >>> low < report["modelled_us"] < high, report["run_ms"]
        (True, None)
        """
        return RunReport.make_modelled(self.problem, self.chip, self.schedule, against, trace)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self._program.manifest(), self.code_object, self._source, self._residents)
        return _restore, parts

    def __repr__(self) -> str:
        return f"<ck_mlir.Kernel {self.problem} for {self.chip}>"

    def _repr_html_(self) -> str:
        return format_kernel(self)


def _restore(manifest: str, code_object: bytes, source: str, residents: int) -> Kernel:
    """A kernel that another process compiled."""
    return Kernel(_native.load_program(manifest, code_object), source, residents)


def is_module(source: str) -> bool:
    """Whether a text is a module rather than a problem string."""
    return "\n" in source or "{" in source


def compile(
    problem: str,
    chip: Optional[str] = None,
    schedule: str = "",
    *,
    residents: int = 0,
    verify_ir: bool = False,
    tuning: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> Kernel:
    """Compiles a problem string, or the text of a module with one problem.

    The chip is that of the GPU, or of the emulator, if none is given. Fields that `schedule`
    leaves out are those of the file `tuning`, which ck-tune wrote, if it has the problem, and are
    chosen otherwise. With `verify_ir` the IR is verified after every pass.

    >>> compile("gemm:f16:M=64,N=64,K=64", chip="gfx90a", schedule="tile=32x32x32").schedule
    'tile=32x32x32,...
    """
    program = _native.compile(
        problem,
        is_module(problem),
        chip or default_chip(),
        schedule,
        residents,
        False,
        verify_ir,
        os.fspath(tuning) if tuning is not None else "",
    )
    return Kernel(program, problem, residents)
