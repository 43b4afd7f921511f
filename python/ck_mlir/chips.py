# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chip table."""

from __future__ import annotations

import functools
import json
from typing import Any

from . import _native
from .display import Table, TableDict
from .errors import InvalidArgumentError


@functools.lru_cache(maxsize=None)
def _table() -> dict[str, dict[str, Any]]:
    return {chip["name"]: chip for chip in json.loads(_native.chip_table())}


class ChipTable(TableDict):
    """Chips by name, shown as a table."""

    COLUMNS = {
        "name": "chip",
        "marketing_name": "product",
        "wave_size": "wave",
        "lds_bytes": "LDS",
        "vgprs": "VGPRs",
        "cus": "CUs",
        "xcds": "XCDs",
        "fp8": "FP8",
    }

    def get_tables(self) -> list[Table]:
        rows = [[chip[key] for key in self.COLUMNS] for chip in self.values()]
        return [Table(self.COLUMNS.values(), rows)]


def chips() -> ChipTable:
    """The chips that the compiler knows, by name, with their properties.

    >>> chips()["gfx942"]["wave_size"]
    64
    >>> print(chips())  # doctest: +ELLIPSIS
    chip     product       wave     LDS  VGPRs  CUs  XCDs  FP8
    gfx908   MI100           64   65536    512  120     1  none
    ...
    """
    return ChipTable({name: dict(properties) for name, properties in _table().items()})


def get_chip(name: str) -> dict[str, Any]:
    """The properties of one chip."""
    chip = _table().get(name)
    if chip is None:
        raise InvalidArgumentError(f"expected a chip ({', '.join(_table())}), got '{name}'")
    return chip
