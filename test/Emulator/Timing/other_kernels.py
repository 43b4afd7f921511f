# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a call of MIOpen takes: the modelled times of its kernels, and what the events that
measure them add to each."""

import dataclasses
import math

import metrics


@dataclasses.dataclass(frozen=True)
class Costs:
    """General parameters of a call; the values are calibrated on the measured rows, see fit."""

    start_us: float = 3.3  # of a kernel from its start event to its end event beside its work
    fill_tb_s: float = 4.0  # bytes that are zeroed or cast, where these kernels are not modelled

    def call_us(self, timing):
        """Of a whole call, of which `timing` has all kernels."""
        others = timing["others_us"]
        return timing["modelled_us"] + sum(others) + (len(others) + 1) * self.start_us

    def choice_us(self, gemm_us, others):
        """Of what depends on the choice of the GEMM kernel: all but the transpositions."""
        moved = others.zeroed_bytes + others.cast_bytes
        kernels = 1 + bool(others.zeroed_bytes) + bool(others.cast_bytes)
        return gemm_us + kernels * self.start_us + moved / self.fill_tb_s / 1e6


def fit(cases):
    """The Costs that explain best what was measured: `cases` are of the timing of a call and the
    measured time."""

    def miss(logs):
        costs, total = Costs(math.exp(logs[0])), 0
        for timing, measured in cases:
            error = math.log(costs.call_us(timing) / measured)
            total += math.sqrt(1 + (error / 0.2) ** 2) - 1  # outliers count linearly
        return total / len(cases)

    return Costs(math.exp(metrics.minimize(miss, [0.0], steps=60)[0]))
