#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that main loops move no accumulators between registers.

Kernels whose lanes have more than 128 accumulators hold these in AGPRs, where each is to stay from
the first to the last step: no instruction of a main loop reads, writes or moves an AGPR but the
matrix instructions themselves.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from instruction_mix import compile_kernel, count, get_loops, run_checks  # noqa: E402

PATH = "waves=2x2,mma=16x16x32,roles=uniform,copies=async,reads=ahead"
CASES = [
    ("conv_fwd:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1", "tile=256x256x64,stages=2"),
    ("conv_fwd:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1", "tile=224x256x64,stages=2"),
    ("conv_fwd:bf16:N=8,K=256,C=256,in=100x100,filter=3x3,pad=1", "tile=256x256x64,stages=2+3"),
    ("conv_bwd_data:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1", "tile=192x256x64,stages=2"),
    ("gemm:bf16:M=4096,N=4096,K=4096", "tile=256x256x64,stages=2+3"),
    ("conv_bwd_data:f16:N=2,K=64,C=256,in=14x28x28,filter=3x3x3,pad=1", "tile=256x256x64,stages=2"),
    ("conv_bwd_weight:f16:N=8,K=512,C=256,in=28x28,filter=3x3,pad=1", "tile=256x256x64,stages=2+3"),
    ("gemm:f16:M=4096,N=4096,K=4096,layout=crr",
     "tile=256x256x64,stages=2,partition=split_k:3:two_stage"),
]  # fmt: skip


def check_sums(problem, schedule):
    _, assembly = compile_kernel(problem, "gfx950", f"{schedule},{PATH}")
    loops = [loop for loop in get_loops(assembly) if count(loop)["mma"]]
    assert loops, "expected a loop with matrix instructions"
    moves = [text for loop in loops for text in loop if re.match("v_accvgpr_", text)]
    assert not moves, f"expected no moves of accumulators, got {len(moves)}"


if __name__ == "__main__":
    sys.exit(run_checks([(check_sums, case) for case in CASES]))
