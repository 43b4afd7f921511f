# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The convolutions of MIOpen's implicit-GEMM kernels in NumPy, on small integers in float64."""

import numpy as np

# Sums of integers below these bounds are exact in the type that is stored.
EXACT = {"fp16": 2**11, "bf16": 2**8, "fp32": 2**24}


def encode(values, dtype):
    """Integers as elements of `dtype`; bfloat16 is the upper half of a float."""
    if dtype == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype({"fp16": np.float16, "fp32": np.float32}[dtype])


def decode(values, dtype):
    if dtype == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return values.astype(np.float64)


def taps(p):
    """For each tap: its place in the filter, and the padded input's positions as slices."""
    for y in range(p.y):
        for x in range(p.x):
            rows, columns = y * p.dilation[0], x * p.dilation[1]
            yield y, x, (
                slice(rows, rows + (p.ho - 1) * p.stride[0] + 1, p.stride[0]),
                slice(columns, columns + (p.wo - 1) * p.stride[1] + 1, p.stride[1]),
            )


def compute(direction, p, source, weight, result):
    """What the direction replaces, in float64, which is exact here. Arrays have a dimension of
    groups before the channels: N H W G C, G K Y X C, N Ho Wo G K."""
    margin = [(0, 0), (p.pad[0], p.pad[0] + p.stride[0]), (p.pad[1], p.pad[1] + p.stride[1])]
    padded = np.pad(source, margin + [(0, 0), (0, 0)])
    gradient, weights, sums = np.zeros_like(padded), np.zeros_like(weight), np.zeros_like(result)
    for y, x, (rows, columns) in taps(p):
        for g in range(p.group):
            part, filters = padded[:, rows, columns, g], weight[g, :, y, x]
            sums[:, :, :, g] += part @ filters.T
            weights[g, :, y, x] = np.tensordot(result[:, :, :, g], part, ((0, 1, 2), (0, 1, 2)))
            gradient[:, rows, columns, g] += result[:, :, :, g] @ filters
    rows, columns = (slice(p.pad[i], p.pad[i] + size) for i, size in enumerate((p.hi, p.wi)))
    return {"fwd": sums, "bwd": gradient[:, rows, columns], "wrw": weights}[direction]
