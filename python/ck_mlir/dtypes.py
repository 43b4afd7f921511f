# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of elements: as problem strings name them, as NumPy does, and as DLPack numbers them."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .chips import get_chip
from .errors import InvalidArgumentError

# NumPy's name: the name in problem strings, and code and bits of DLPack.
TYPES = {
    "float16": ("f16", 2, 16),
    "bfloat16": ("bf16", 4, 16),
    "float32": ("f32", 2, 32),
    "int8": ("i8", 0, 8),
    "int32": ("i32", 0, 32),
    "float8_e4m3fn": ("fp8", 10, 8),
    "float8_e4m3fnuz": ("fp8", 11, 8),
    "float8_e5m2": ("bf8", 12, 8),
    "float8_e5m2fnuz": ("bf8", 13, 8),
}


def get_numpy_name(type_name: str, chip: str) -> str:
    """NumPy's name of a type of problem strings, whose 8-bit floats depend on the chip."""
    found = [name for name, (problem_name, _, _) in TYPES.items() if problem_name == type_name]
    if not found:
        names = sorted({problem_name for problem_name, _, _ in TYPES.values()})
        raise InvalidArgumentError(f"expected a type ({', '.join(names)}), got '{type_name}'")
    if len(found) > 1:
        is_fnuz = get_chip(chip)["fp8"] == "fnuz"
        found = [name for name in found if name.endswith("fnuz") == is_fnuz]
    return found[0]


def get_problem_type(numpy_name: str, what: str) -> str:
    """The name in problem strings of a type that NumPy calls so."""
    if numpy_name not in TYPES:
        raise InvalidArgumentError(
            f"{what}: expected elements of one of {', '.join(TYPES)}, got {numpy_name}"
        )
    return TYPES[numpy_name][0]


def get_numpy_type(numpy_name: str) -> np.dtype[Any]:
    """NumPy's type; those that NumPy itself does not have come from ml_dtypes."""
    if numpy_name.startswith(("bfloat", "float8")):
        try:
            import ml_dtypes
        except ImportError as error:
            raise ImportError(f"arrays of {numpy_name} require the package ml_dtypes") from error
        result: np.dtype[Any] = np.dtype(getattr(ml_dtypes, numpy_name))
        return result
    return np.dtype(numpy_name)


def find_dlpack_name(code: int, bits: int) -> Optional[str]:
    """NumPy's name of a type of DLPack, or None."""
    for name, (_, type_code, type_bits) in TYPES.items():
        if (code, bits) == (type_code, type_bits):
            return name
    return None


def dtype(type_name: str, chip: str = "gfx942") -> np.dtype[Any]:
    """The NumPy type that arrays of a type of problem strings have on a chip.

    >>> dtype("f16")
    dtype('float16')
    >>> dtype("fp8", "gfx942"), dtype("fp8", "gfx950")
    (dtype(float8_e4m3fnuz), dtype(float8_e4m3fn))
    """
    return get_numpy_type(get_numpy_name(type_name, chip))
