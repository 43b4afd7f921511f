# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures of how well predicted times explain measured ones, and a fit of parameters."""

import dataclasses
import math


def quantile(values, share):
    """Of sorted values, interpolated."""
    values = sorted(values)
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def correlation(x, y):
    """Pearson's, 0 where one side does not vary."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    products = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    squares = sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)
    return products / math.sqrt(squares) if squares > 0 else 0.0


@dataclasses.dataclass
class Fit:
    """Of predicted to measured times."""

    count: int
    median_error: float  # absolute, relative to the measured time
    high_error: float  # the 90th percentile
    bias: float  # median of predicted / measured
    correlation: float  # of the logarithms of both over the roofline
    lowest: float = 0.0  # the 5th percentile of measured / predicted
    highest: float = 0.0  # the 95th


def judge(predicted, measured, roofline):
    ratios = [p / m for p, m in zip(predicted, measured)]
    errors = [abs(ratio - 1) for ratio in ratios]
    inverse = [1 / ratio for ratio in ratios]
    logs = [[math.log(a / r) for a, r in zip(times, roofline)] for times in (predicted, measured)]
    return Fit(
        len(ratios), quantile(errors, 0.5), quantile(errors, 0.9), quantile(ratios, 0.5),
        correlation(*logs), quantile(inverse, 0.05), quantile(inverse, 0.95),
    )  # fmt: skip


def place(times, chosen):
    """Where the time `chosen` stands among `times`, of which it is one: the share of the others
    that are faster, and how many these are. Equal times count half."""
    faster = sum(time < chosen for time in times)
    faster += (sum(time == chosen for time in times) - 1) / 2
    return faster / max(1, len(times) - 1), faster


def minimize(function, start, step=0.3, steps=400):
    """The place near `start` where `function` is least, by the method of Nelder and Mead."""
    size = len(start)
    points = [list(start)]
    points += [[v + step * (i == j) for j, v in enumerate(start)] for i in range(size)]
    simplex = sorted((function(point), point) for point in points)
    for _ in range(steps):
        worst, (second, _) = simplex[-1], simplex[-2]
        center = [sum(point[i] for _, point in simplex[:-1]) / size for i in range(size)]

        def along(factor, center=center, worst=worst):
            point = [c + factor * (w - c) for c, w in zip(center, worst[1])]
            return function(point), point

        new = along(-1)
        if new[0] < simplex[0][0]:
            new = min(new, along(-2))
        elif new[0] >= second:
            new = min(new, along(0.5 if new[0] >= worst[0] else -0.5))
        if new[0] < worst[0]:
            simplex[-1] = new
        else:
            best = simplex[0][1]
            points = [[(a + b) / 2 for a, b in zip(best, point)] for _, point in simplex[1:]]
            simplex[1:] = [(function(point), point) for point in points]
        simplex.sort()
    return simplex[0][1]
