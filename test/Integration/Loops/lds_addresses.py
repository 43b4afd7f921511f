#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that main loops read LDS through few registers.

A lane has an address for each fragment whose place in a tile is not a constant away from that of
another one, and for each 64 KiB of LDS that the slots of an operand span beyond the first, as the
offset of an instruction reaches no farther. Nothing in the loop adds such an address up.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from instruction_mix import compile_kernel, count, get_loops, run_checks  # noqa: E402

PATH = "mma=16x16x32,roles=uniform,copies=async,reads=ahead"
READ = re.compile(r"ds_read\w+ v\[\d+:\d+\], (v\d+)")
# Fragments along K have two places, as K units are permuted among the banks; transposed ones eight
# of sixteen rows. Of three slots of 32 KiB the third lies out of reach.
CASES = [
    ("gemm:bf16:M=4096,N=4096,K=4096", "tile=256x256x64,waves=2x2,stages=2", 2 + 2),
    ("gemm:bf16:M=4096,N=4096,K=4096", "tile=256x256x64,waves=2x2,stages=2+3", 2 + 2 * 2),
    ("gemm:bf16:M=4096,N=4096,K=4096", "tile=256x128x64,waves=4x2,stages=3", 2 * 2 + 2),
    ("gemm:f16:M=4096,N=4096,K=4096,layout=crr", "tile=256x256x64,waves=2x2,stages=2", 8 + 8),
    ("gemm:f16:M=4096,N=4096,K=4096,layout=crr", "tile=256x256x64,waves=2x2,stages=2+3", 8 + 16),
    ("conv_bwd_data:f16:N=16,K=256,C=256,in=56x56,filter=3x3,pad=1",
     "tile=256x256x64,waves=2x2,stages=2", 2 + 8),
]  # fmt: skip


def check_addresses(problem, schedule, expected):
    _, assembly = compile_kernel(problem, "gfx950", f"{schedule},{PATH},partition=data_parallel")
    loops = [loop for loop in get_loops(assembly) if count(loop)["mma"]]
    assert loops, "expected a loop with matrix instructions"
    for loop in loops:
        registers = {read.group(1) for read in map(READ.match, loop) if read}
        assert (
            len(registers) == expected
        ), f"expected reads of LDS through {expected} registers, got {len(registers)}"
        written = [text for text in loop if re.match(r"v_\w+ (v\d+),", text)]
        changed = registers & {re.match(r"v_\w+ (v\d+),", text).group(1) for text in written}
        assert not changed, f"expected addresses that stay, got changes of {sorted(changed)}"


if __name__ == "__main__":
    sys.exit(run_checks([(check_addresses, case) for case in CASES]))
