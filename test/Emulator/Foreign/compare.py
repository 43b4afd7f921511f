# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's element types in NumPy, and the comparison of results."""

import ml_dtypes
import numpy as np

NUMPY_TYPES = {
    "fp16": np.float16, "bf16": ml_dtypes.bfloat16, "fp32": np.float32, "fp64": np.float64,
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "u32": np.uint32,
    "i64": np.int64, "fp8e5": ml_dtypes.float8_e5m2, "fp8e4nv": ml_dtypes.float8_e4m3fn,
    "fp8e4b8": ml_dtypes.float8_e4m3fnuz,
}  # fmt: skip


def differ(got, expected, bound=0.0):
    """A description of the difference, or None; NaNs are equal. Integers are compared exactly."""
    expected = np.asarray(expected)
    if np.issubdtype(got.dtype, np.integer):
        wrong = (got != expected).sum()
        return f"{wrong} of {got.size} integers differ" if wrong else None
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    difference = np.where(np.isnan(got) & np.isnan(expected), 0, np.abs(got - expected))
    if (difference <= bound).all():
        return None
    return f"expected a difference of at most {np.max(bound)}, got {difference.max()}"
