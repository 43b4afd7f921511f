#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward, backward-data and backward-weight in 2D and 3D: declare, build, run, verify, time.

usage: convolutions.py [VARIANT]...

A variant is one of forward-2d, backward-data-2d, backward-weight-2d, forward-3d, backward-data-3d
and backward-weight-3d; without any, all are run. Ends with status 1 if a result is wrong.
"""

import sys

import ck_mlir
import numpy as np

# What is computed: problem strings, with layouts as they are by default, channels fastest.
SHAPES = {"2d": "N=2,G=2,K=16,C=8,in=8x8,filter=3x3", "3d": "N=1,G=2,K=8,C=8,in=4x6x6,filter=3x3x3"}
OPERATIONS = {
    "forward": "conv_fwd",
    "backward-data": "conv_bwd_data",
    "backward-weight": "conv_bwd_weight",
}
VARIANTS = {
    f"{name}-{rank}": f"{operation}:f16:{shape},pad=1,out_dtype=f32"
    for rank, shape in SHAPES.items()
    for name, operation in OPERATIONS.items()
}


def walk(sizes, x, w, y):
    """Parts of input, weight and output that meet at each tap of a filter of 3 with padding 1."""
    for tap in np.ndindex(*(3 for _ in sizes)):
        outputs = [slice(max(0, 1 - t), min(n, n + 1 - t)) for t, n in zip(tap, sizes)]
        inputs = [slice(o.start + t - 1, o.stop + t - 1) for o, t in zip(outputs, tap)]
        yield x[(slice(None), *inputs)], w[(slice(None), slice(None), *tap)], y[
            (slice(None), *outputs)
        ]


def compute(name, arrays, shape):
    """The result in integers of NumPy."""
    result = np.zeros(shape, np.int64)
    first, second = (array.astype(np.int64) for array in arrays)
    if name.startswith("forward"):
        for x, w, y in walk(shape[1:-2], first, second, result):
            y += np.einsum("n...gc,gkc->n...gk", x, w)
    elif name.startswith("backward-data"):
        for x, w, y in walk(shape[1:-2], result, second, first):
            x += np.einsum("n...gk,gkc->n...gc", y, w)
    else:
        for x, w, y in walk(first.shape[1:-2], first, result, second):
            g, k, c = w.shape
            w += np.einsum("pgc,pgk->gkc", x.reshape(-1, g, c), y.reshape(-1, g, k))
    return result


def describe_time(kernel):
    """What the model of the chip says of a kernel, and the band that it is right in."""
    report = kernel.model_time()
    low, high = report["modelled_error"]
    return f"{report['modelled_us']:.1f} us by the model ({low:.1f} to {high:.1f}), not measured"


def main(names):
    wrong = [name for name in names if name not in VARIANTS]
    if wrong:
        print(f"error: expected one of {', '.join(VARIANTS)}, got '{wrong[0]}'", file=sys.stderr)
        return 2
    names = names or list(VARIANTS)
    kernels = ck_mlir.build([VARIANTS[name] for name in names])
    generator, failed = np.random.default_rng(1), False
    for name, kernel in zip(names, kernels):
        *reads, written = kernel.tensors
        arrays = [generator.integers(-3, 4, t.shape).astype(t.dtype_name) for t in reads]
        result = kernel(*arrays)
        is_right = np.array_equal(result, compute(name, arrays, written.shape))
        failed |= not is_right
        print(
            f"{name}: {'verified' if is_right else 'WRONG'}, compiled in "
            f"{kernel.statistics['compile_milliseconds']:.0f} ms, {describe_time(kernel)}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
