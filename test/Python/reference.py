# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions in NumPy, from their formulas and in integers: what is compared with."""

import itertools

import numpy as np


def spread(value, rank):
    """One number for all dimensions, or one for each."""
    return [value] * rank if isinstance(value, int) else list(value)


def make_integers(shape, dtype, seed, limit=3):
    """Small integers, so that sums are exact in every type."""
    generator = np.random.default_rng(seed)
    return generator.integers(-limit, limit + 1, size=shape).astype(np.float32).astype(dtype)


def find_taps(x_sizes, y_sizes, w_sizes, window):
    """(tap, inputs, outputs) for every tap: slices of the spatial dimensions that meet there."""
    rank = len(w_sizes)
    strides, pads, dilations = (spread(value, rank) for value in window)
    for tap in itertools.product(*(range(size) for size in w_sizes)):
        inputs, outputs = [], []
        for dim in range(rank):
            shift = tap[dim] * dilations[dim] - pads[dim]
            places = [
                o for o in range(y_sizes[dim]) if 0 <= o * strides[dim] + shift < x_sizes[dim]
            ]
            if not places:
                break
            first, last = places[0], places[-1]
            outputs.append(slice(first, last + 1))
            begin = first * strides[dim] + shift
            inputs.append(slice(begin, last * strides[dim] + shift + 1, strides[dim]))
        else:
            yield tap, tuple(inputs), tuple(outputs)


def _walk(x, w, y, window, groups):
    """Parts of x, w and y of one group and tap: (N, C, ...), (K, C) and (N, K, ...)."""
    c, k = x.shape[1] // groups, w.shape[0] // groups
    for tap, inputs, outputs in find_taps(x.shape[2:], y.shape[2:], w.shape[2:], window):
        for g in range(groups):
            channels, filters = slice(g * c, (g + 1) * c), slice(g * k, (g + 1) * k)
            yield (
                x[(slice(None), channels, *inputs)],
                w[(filters, slice(None), *tap)],
                y[(slice(None), filters, *outputs)],
            )


def conv(x, w, y_shape, window=(1, 0, 1), groups=1):
    """The output; the window is (stride, padding, dilation)."""
    y = np.zeros(y_shape, np.int64)
    for inputs, taps, outputs in _walk(x.astype(np.int64), w.astype(np.int64), y, window, groups):
        outputs += np.einsum("nc...,kc->nk...", inputs, taps)
    return y


def conv_input(x_shape, w, dy, window=(1, 0, 1), groups=1):
    """The gradient of the input."""
    dx = np.zeros(x_shape, np.int64)
    for inputs, taps, outputs in _walk(dx, w.astype(np.int64), dy.astype(np.int64), window, groups):
        inputs += np.einsum("nk...,kc->nc...", outputs, taps)
    return dx


def conv_weight(x, w_shape, dy, window=(1, 0, 1), groups=1):
    """The gradient of the weight."""
    dw = np.zeros(w_shape, np.int64)
    for inputs, taps, outputs in _walk(x.astype(np.int64), dw, dy.astype(np.int64), window, groups):
        n, c, k = inputs.shape[0], inputs.shape[1], outputs.shape[1]
        taps += np.einsum("ncp,nkp->kc", inputs.reshape(n, c, -1), outputs.reshape(n, k, -1))
    return dw
