# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on demand, kept in memory and in folders."""

from __future__ import annotations

import json
import os
import threading
from typing import Optional, Sequence, Union

from . import _native
from .display import TableDict
from .kernel import Kernel, default_chip

Path = Union[str, "os.PathLike[str]"]


def compiler_version() -> str:
    """The version of the compiler, which is part of the key of every kernel that is kept."""
    return _native.compiler_version()


def default_cache_directory() -> str:
    """Where tools keep their kernels: CK_KERNEL_CACHE, else a folder of the user's."""
    return _native.default_cache_directory()


class Pending:
    """A kernel that is being made, or is there."""

    def __init__(self, library: Library, native: _native.Pending, key: tuple[str, str, str]):
        self._library = library
        self._native = native
        self._key = key

    @property
    def is_ready(self) -> bool:
        """Whether `result` returns at once."""
        return self._native.is_ready()

    def wait(self, seconds: float) -> bool:
        """Waits at most so long; returns `is_ready`."""
        return self._native.wait(seconds)

    def result(self) -> Kernel:
        """Waits for the kernel; an exception says why there is none."""
        return self._library._make(self._key, self._native.program())


class Library:
    """Compiles each problem once, however many threads ask, and keeps the kernels: in memory, and
    in `cache_directory` if there is one, which many processes may share. `layers` are archives and
    folders that are read before it and never written. `tuning` has files of ck-tune, at most one
    for a chip: kernels have their schedules for problems that they contain.

    >>> library = Library()
    >>> pending = library.prepare("gemm:f16:M=32,N=32,K=32", chip="gfx942")
    >>> pending.result() is library.get("gemm:f16:M=32,N=32,K=32", chip="gfx942")
    True
    >>> library.counters["compilations"], library.counters["memory_hits"]
    (1, 1)
    """

    def __init__(
        self,
        cache_directory: Optional[Path] = None,
        *,
        cache_bytes: int = 1 << 30,
        memory_bytes: int = 1 << 28,
        layers: Sequence[Path] = (),
        allow_stale_layers: bool = False,
        threads: int = 0,
        tuning: Sequence[Path] = (),
    ) -> None:
        self._native = _native.create_library(
            os.fspath(cache_directory) if cache_directory is not None else "",
            cache_bytes,
            memory_bytes,
            [os.fspath(layer) for layer in layers],
            allow_stale_layers,
            threads,
            [os.fspath(file) for file in tuning],
        )
        self.cache_directory = os.fspath(cache_directory) if cache_directory is not None else ""
        self._lock = threading.Lock()
        self._kernels: dict[tuple[str, str, str], Kernel] = {}

    def prepare(self, problem: str, chip: Optional[str] = None, schedule: str = "") -> Pending:
        """Returns at once; the kernel is looked for and compiled in the background."""
        key = (problem, chip or default_chip(), schedule)
        return Pending(self, self._native.prepare(*key, 0), key)

    def get(self, problem: str, chip: Optional[str] = None, schedule: str = "") -> Kernel:
        """The kernel of a problem; compiles it if nobody did so before."""
        key = (problem, chip or default_chip(), schedule)
        return self._make(key, self._native.program(*key, 0))

    def _make(self, key: tuple[str, str, str], program: _native.Program) -> Kernel:
        """One Kernel for a request, so that it is loaded once."""
        with self._lock:
            if key not in self._kernels:
                self._kernels[key] = Kernel(program, key[0], 0)
            return self._kernels[key]

    @property
    def counters(self) -> TableDict:
        """What the library has done so far."""
        return TableDict(json.loads(self._native.counters()))
