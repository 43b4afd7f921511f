#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that other instructions are spread evenly among matrix instructions.

While a matrix instruction of 16 rows runs, its wave issues three others. What is more between two
matrix instructions keeps the matrix pipe waiting if the wave is alone on its SIMD, as it is in
kernels with more than 128 accumulators a lane. In main loops of these at most one instruction for
every fifth matrix instruction is one too many: beside barriers, and for the first copies.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from instruction_mix import compile_kernel, count, get_loops, run_checks  # noqa: E402

PATH = "mma=16x16x32,roles=uniform,copies=async,reads=ahead,partition=data_parallel"
ROOM, SHARE = 3, 5
CASES = [
    ("conv_fwd:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1",
     "tile=224x256x64,waves=2x2,stages=2"),
    ("conv_fwd:bf16:N=8,K=256,C=256,in=100x100,filter=3x3,pad=1",
     "tile=160x256x64,waves=2x2,stages=3"),
    ("conv_bwd_data:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1",
     "tile=224x256x64,waves=1x4,stages=2+3"),
    ("conv_bwd_weight:f16:N=8,K=512,C=256,in=28x28,filter=3x3,pad=1",
     "tile=256x256x64,waves=2x2,stages=2"),
    ("gemm:bf16:M=4096,N=4096,K=4096,layout=crr", "tile=256x256x64,waves=2x2,stages=2+3"),
]  # fmt: skip


def count_beyond(loop):
    """(instructions beyond the room between two matrix instructions, matrix instructions)"""
    sizes = [0]
    for text in loop:
        if re.match(r"v_mfma_", text):
            sizes.append(0)
        else:
            sizes[-1] += 1
    return sum(max(0, size - ROOM) for size in sizes), len(sizes) - 1


def check_evenness(problem, schedule):
    _, assembly = compile_kernel(problem, "gfx950", f"{schedule},{PATH}")
    loops = [loop for loop in get_loops(assembly) if count(loop)["mma"]]
    assert loops, "expected a loop with matrix instructions"
    for loop in loops:
        beyond, products = count_beyond(loop)
        assert beyond * SHARE <= products, (
            f"expected at most 1 instruction too many for {SHARE} matrix instructions, "
            f"got {beyond} for {products}"
        )


if __name__ == "__main__":
    sys.exit(run_checks([(check_evenness, case) for case in CASES]))
