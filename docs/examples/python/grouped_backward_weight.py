#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Backward weight of a grouped convolution, with the arguments of Composable Kernel's example.

usage: grouped_backward_weight.py [VERIFY [INIT [TIME [G N K C Y X Hi Wi]]]]

VERIFY is 0 (no), 1 (with the reference of the host) or 2 (with the naive kernel of the device);
INIT is 1 (integers) or 2 (numbers between 0 and 1, compared with NumPy's in f64); TIME is 0 or 1.
K and C are channels of a group; the padding keeps the size. Ends with status 1 if the result is
wrong.
"""

import sys

import ck_mlir
import numpy as np


def parse(arguments):
    """VERIFY, INIT, TIME, and the sizes of the problem."""
    defaults = [1, 1, 0, 4, 2, 16, 8, 3, 3, 8, 8]
    values = [int(argument) for argument in arguments]
    if len(values) not in (0, 1, 2, 3, len(defaults)):
        raise ValueError(f"expected up to 3 or {len(defaults)} numbers, got {len(values)}")
    verify, init, timed, *sizes = values + defaults[len(values) :]
    for name, value, allowed in (
        ("VERIFY", verify, "012"),
        ("INIT", init, "12"),
        ("TIME", timed, "01"),
    ):
        if str(value) not in allowed:
            raise ValueError(f"expected {name} of {', '.join(allowed)}, got {value}")
    return verify, init, timed, sizes


def compute(x, dy, groups, taps, padding):
    """The gradient in f64, from the formula."""
    n, _, *sizes = x.shape
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), *((p, p) for p in padding)))
    padded = padded.reshape(n, groups, -1, *padded.shape[2:])
    dy = dy.astype(np.float64).reshape(n, groups, -1, *sizes)
    dw = np.empty((groups, dy.shape[2], padded.shape[2], *taps))
    for y, t in np.ndindex(*taps):
        part = padded[..., y : y + sizes[0], t : t + sizes[1]]
        dw[..., y, t] = np.einsum("ngchw,ngkhw->gkc", part, dy)
    return dw.reshape(-1, padded.shape[2], *taps)


def main(arguments):
    try:
        verify, init, timed, (g, n, k, c, y, x, hi, wi) = parse(arguments)
        if y % 2 == 0 or x % 2 == 0:
            raise ValueError(f"expected filters of odd sizes, got {y}x{x}")
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    generator = np.random.default_rng(1)
    make = {
        1: lambda shape: generator.integers(-3, 4, shape).astype(np.float16),
        2: lambda shape: generator.random(shape).astype(np.float16),
    }[init]
    image, gradient = make((n, g * c, hi, wi)), make((n, g * k, hi, wi))
    padding = (y // 2, x // 2)
    result = ck_mlir.conv2d_weight(
        image, (g * k, c, y, x), gradient, padding=padding, groups=g, out_dtype="f32"
    )
    expected = compute(image, gradient, g, (y, x), padding)
    limit = 0 if init == 1 else 1e-5 * np.abs(expected).max()
    is_right = verify == 0 or bool(np.abs(result - expected).max() <= limit)
    problem = f"conv_bwd_weight:f16:N={n},G={g},K={k},C={c},in={hi}x{wi},filter={y}x{x}"
    kernel = ck_mlir.compile(f"{problem},pad={padding[0]}x{padding[1]}")
    if timed:
        report = kernel.model_time()
        low, high = report["modelled_error"]
        print(
            f"time: {report['modelled_us']:.1f} us by the model of the chip, not measured; "
            f"nine of ten measured times lie between {low:.1f} and {high:.1f} us"
        )
    if verify:
        report = kernel.verify(against="cpu" if verify == 1 else "device")
        is_right = is_right and report["status"] == "ok"
        print(f"verify: {'pass' if is_right else 'FAIL'}, by {('host', 'device')[verify - 1]}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
