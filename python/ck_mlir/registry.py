# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets of kernels that are declared, built and selected from."""

from __future__ import annotations

import json
import os
import threading
from typing import Any, Mapping, Optional, Sequence, Union

from . import _native
from .errors import Error, InvalidArgumentError
from .executors import gather
from .library import Library, Path


def built_in_sets() -> dict[str, dict[str, Any]]:
    """The sets that come with the compiler, by name, with their descriptions.

    >>> "gemm" in built_in_sets()
    True
    """
    return {entry["name"]: entry for entry in json.loads(_native.built_in_sets())}


def _fill(directory: str, problem: str, chip: str, schedule: str, residents: int) -> None:
    """Compiles one kernel into a folder; what is refused, the registry says itself."""
    native = _native.create_library(directory, 1 << 30, 1 << 28, [], False, 1, [])
    try:
        native.program(problem, chip, schedule, residents)
    except Error:
        return


class Registry:
    """Declared kernels over a library: docs/Library.md says what a set is.

    >>> registry = Registry(Library())
    >>> problem = "gemm:f16:M=32,N=32,K=32"
    >>> registry.add_set({"name": "mine", "chips": ["gfx942"], "kernels": [{"problem": problem}]})
    >>> [kernel["problem"] for kernel in registry.report()["kernels"]] == [problem]
    True
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self._native = _native.create_registry(library._native)
        self._lock = threading.Lock()

    def add_set(
        self, kernels: Union[Path, Mapping[str, Any]], chips: Optional[Sequence[str]] = None
    ) -> None:
        """Adds a set: the name of one that is built in, a JSON file, or what such a file holds.
        With `chips`, for these instead of those of the set."""
        text = json.dumps(kernels) if isinstance(kernels, Mapping) else os.fspath(kernels)
        with self._lock:
            self._native.add_set(text, list(chips or []))

    def add_archive(self, path: Path) -> None:
        """Adds the kernels of an archive, which should be a layer of the library."""
        with self._lock:
            self._native.add_archive(os.fspath(path))

    def report(self) -> dict[str, Any]:
        """The kernels, and those that were excluded, each with the reason."""
        report: dict[str, Any] = json.loads(self._native.report())
        return report

    def validate(self) -> dict[str, Any]:
        """Schedules all kernels without compiling them; the report has what is not legal."""
        with self._lock:
            self._native.validate()
        return self.report()

    def build(self, executor: Any = None) -> dict[str, Any]:
        """Compiles what the library lacks and returns the report: in threads, or by an executor of
        concurrent.futures, whose workers put kernels into the cache folder of the library."""
        directory = self.library.cache_directory
        if executor is not None and not directory:
            raise InvalidArgumentError("an executor requires a library with a cache_directory")
        if executor is not None:
            futures = [
                executor.submit(
                    _fill,
                    directory,
                    *(kernel[key] for key in ("problem", "chip", "schedule", "residents")),
                )
                for kernel in self.report()["kernels"]
            ]
            gather(futures, lambda done, total: None)
        with self._lock:
            self._native.build()
        return self.report()

    def select(
        self, problem: str, chip: str, table: Optional[Mapping[str, Any]] = None
    ) -> dict[str, Any]:
        """Ranks the kernels for a problem: `candidates`, the best first, and why. `table` has
        measured times or ranks in place of the compiler's estimate."""
        text = json.dumps(table) if table is not None else ""
        with self._lock:
            selection: dict[str, Any] = json.loads(self._native.select(problem, chip, text))
        return selection

    def write_archive(self, path: Path, name: str) -> None:
        """Writes all kernels, compiled, into one file."""
        with self._lock:
            self._native.write_archive(os.fspath(path), name)
