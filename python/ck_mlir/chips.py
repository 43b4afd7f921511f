# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chip table."""

from __future__ import annotations

import functools
import json
from typing import Any

from . import _native
from .errors import InvalidArgumentError


@functools.lru_cache(maxsize=None)
def _table() -> dict[str, dict[str, Any]]:
    return {chip["name"]: chip for chip in json.loads(_native.chip_table())}


def chips() -> dict[str, dict[str, Any]]:
    """The chips that the compiler knows, by name, with their properties.

    >>> chips()["gfx942"]["wave_size"]
    64
    """
    return {name: dict(properties) for name, properties in _table().items()}


def get_chip(name: str) -> dict[str, Any]:
    """The properties of one chip."""
    chip = _table().get(name)
    if chip is None:
        raise InvalidArgumentError(f"expected a chip ({', '.join(_table())}), got '{name}'")
    return chip
