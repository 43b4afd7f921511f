# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a call of MIOpen takes besides its GEMM kernel: what each launch costs on top of its
modelled time, transpositions, zero-fill and cast."""

import dataclasses
import math

import metrics


@dataclasses.dataclass(frozen=True)
class Costs:
    """General parameters of a call; the values are calibrated on the measured rows, see fit."""

    start_us: float = 3.6  # of a kernel from its start event to its end event beside its work
    gemm_us: float = 4.3  # more for the GEMM kernel, whose code and arguments are cold
    move_tb_s: float = 2.7  # bytes that transpositions read and write
    group_ns: float = 1.1  # from one small workgroup to the next over the chip
    fill_tb_s: float = 1.5  # bytes that are zeroed or cast

    def transposition_us(self, moved):
        return max(moved.bytes / self.move_tb_s / 1e6, moved.groups * self.group_ns / 1e3)

    def call_us(self, gemm_us, others):
        """Of a whole call whose GEMM kernel takes `gemm_us`."""
        us = gemm_us + self.gemm_us + (others.kernels + 1) * self.start_us
        us += sum(self.transposition_us(moved) for moved in others.transpositions)
        return us + (others.zeroed_bytes + others.cast_bytes) / self.fill_tb_s / 1e6


def fit(cases):
    """The Costs that explain best what was measured: `cases` are of a GEMM kernel's modelled time,
    the Others of the call, and the measured time."""

    start = [math.log(value) for value in dataclasses.astuple(Costs())]

    def miss(logs):
        costs, total = Costs(*map(math.exp, logs)), 0
        for gemm_us, others, measured in cases:
            error = math.log(costs.call_us(gemm_us, others) / measured)
            total += math.sqrt(1 + (error / 0.2) ** 2) - 1  # outliers count linearly
        # What the cases do not depend on stays where it was.
        return total / len(cases) + 1e-4 * sum((a - b) ** 2 for a, b in zip(logs, start))

    return Costs(*map(math.exp, metrics.minimize(miss, start)))
