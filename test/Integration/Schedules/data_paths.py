# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs problems with `copies=async` and `reads=ahead` on the emulator: data_paths.py CK_RUN

Every kernel is compared with the reference on the host, with all checks of the emulator. A schedule
that a problem cannot have is to be refused with the reason that stands beside it.
"""

import subprocess
import sys

PROBLEMS = [
    "gemm:f16:M=200,N=136,K=520",
    "gemm:bf16:M=64,N=256,K=64",
    "conv_fwd:f16:N=3,K=40,C=64,in=9x11,filter=3x3,pad=1,stride=2",
    "conv_fwd:bf16:N=2,G=2,K=32,C=32,in=17x5,filter=3x3,pad=1,dilation=2",
    "gemm:i8:M=70,N=130,K=256,out_dtype=i32",
]
# Operands that are consecutive along M or N, which reads transpose.
TRANSPOSED_PROBLEMS = [
    "gemm:f16:M=200,N=136,K=520,layout=crr",
    "gemm:bf16:M=72,N=328,K=96,layout=rrr",
    "gemm:f16:M=136,N=72,K=200,layout=ccr",
    "conv_bwd_weight:f16:N=3,K=40,C=64,in=9x11,filter=3x3,pad=1,stride=2",
    "conv_bwd_weight:bf16:N=2,G=2,K=32,C=32,in=17x5,filter=3x3,pad=1,dilation=2",
    "conv_bwd_data:f16:N=2,K=40,C=64,in=9x11,filter=3x3,pad=1",
]
TRANSPOSED_TILES = [
    "tile=64x64x64,waves=2x2,mma=16x16x32",
    "tile=32x256x64,waves=1x4,mma=32x32x16",
    "tile=128x32x128,waves=4x1,mma=16x16x32",
]
PATHS = [
    "roles=2+4,stages=3,copies=async,reads=ahead",
    "roles=uniform,stages=2,copies=async,reads=ahead",
    "roles=uniform,stages=2+3,copies=async,reads=ahead",
    "roles=uniform,stages=2,copies=async,reads=step",
    "roles=1+4,stages=2,copies=staged,reads=ahead",
    "roles=4+4,stages=3,copies=async,reads=ahead,partition=stream_k:tree",
    "roles=4+4,stages=3,copies=async,reads=ahead,partition=split_k:2:two_stage",
]
# Copies beside products: in large tiles, and as many in flight as the counter can tell.
LARGE = [
    ("gfx950", "gemm:bf16:M=500,N=264,K=320", "tile=256x256x64,waves=2x4,mma=16x16x32,stages=2"),
    # 256 accumulators of a lane, with an epilogue and with partial tiles.
    (
        "gfx950",
        "gemm:bf16:M=500,N=264,K=640,epilogue=bias+relu",
        "tile=256x256x64,waves=2x2,mma=16x16x32,stages=2+3",
    ),
    (
        "gfx950",
        "gemm:i8:M=300,N=264,K=640",
        "tile=256x256x128,waves=2x2,mma=16x16x64,stages=2,partition=split_k:2:two_stage",
    ),
    ("gfx942", "gemm:f16:M=300,N=264,K=320", "tile=256x256x32,waves=2x2,mma=32x32x8,stages=2"),
    ("gfx942", "gemm:f16:M=264,N=500,K=320", "tile=256x256x32,waves=2x4,mma=32x32x8,stages=2"),
    (
        "gfx942",
        "conv_fwd:bf16:N=1,K=136,C=32,in=12x12,filter=3x3,pad=1",
        "tile=64x64x64,waves=1x2,mma=16x16x16,stages=4",
    ),
    ("gfx950", "gemm:f16:M=136,N=72,K=1000", "tile=64x64x64,waves=2x2,mma=16x16x32,stages=4"),
    # More than 128 accumulators beside addresses that are computed and reads that transpose.
    (
        "gfx950",
        "conv_fwd:bf16:N=2,K=200,C=64,in=17x13,filter=3x3,pad=1",
        "tile=224x256x64,waves=2x2,mma=16x16x32,stages=2",
    ),
    (
        "gfx950",
        "conv_bwd_data:f16:N=2,K=64,C=200,in=13x17,filter=3x3,pad=1",
        "tile=192x256x64,waves=2x2,mma=16x16x32,stages=2+3",
    ),
]
REFUSALS = [
    ("gfx1100", PROBLEMS[0], "copies=async", "which gfx1100 does not have"),
    (
        "gfx942",
        "gemm:f16:M=64,N=64,K=64,layout=rrr",
        "copies=async",
        "reads of LDS that transpose them, which gfx942 does not have",
    ),
    (
        "gfx950",
        "gemm:i8:M=64,N=64,K=64,layout=crr,out_dtype=i32",
        "tile=64x64x64,copies=async",
        "consecutive along M requires elements of 16 bits, got i8",
    ),
    (
        "gfx950",
        "gemm:f16:M=64,N=64,K=64,layout=rrr",
        "tile=64x96x64,waves=2x2,mma=16x16x32,copies=async",
        "consecutive along N requires a tile N of a power of two from 32 to 512, got 96",
    ),
    (
        "gfx950",
        "gemm:f16:M=64,N=64,K=64,layout=crr",
        "tile=16x64x64,waves=1x2,mma=16x16x32,copies=async",
        "consecutive along M requires a tile M of a power of two from 32 to 512, got 16",
    ),
    (
        "gfx950",
        "gemm:f16:M=64,N=60,K=64,layout=rrr",
        "tile=64x64x64,copies=async",
        "requires operands with 8 consecutive elements in memory",
    ),
    (
        "gfx942",
        PROBLEMS[0],
        "roles=uniform,copies=staged,reads=ahead",
        "requires load waves or copies=async",
    ),
    ("gfx942", PROBLEMS[0], "tile=64x64x16,mma=16x16x16,roles=4+4,reads=ahead", "two units"),
    (
        "gfx950",
        PROBLEMS[0],
        "tile=64x64x16,mma=16x16x16,copies=async",
        "a tile K of a power of two",
    ),
]


def run(tool, chip, problem, schedule):
    command = [tool, problem, "--chip=" + chip, "--schedule=" + schedule]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    tool = sys.argv[1]
    failed = []

    def verify(chip, problem, schedule):
        result = run(tool, chip, problem, schedule)
        if result.returncode != 0 or "result    ok" not in result.stdout:
            failed.append(f"{chip} {problem} {schedule}: {result.stderr or result.stdout}")

    for chip in ("gfx90a", "gfx942", "gfx950"):
        for problem in PROBLEMS:
            for path in PATHS:
                verify(chip, problem, "tile=64x64x64,waves=2x2," + path)
    for problem in TRANSPOSED_PROBLEMS:
        for tile in TRANSPOSED_TILES:
            for path in PATHS:
                if "copies=async" in path:
                    verify("gfx950", problem, tile + "," + path)
    for chip, problem, schedule in LARGE:
        verify(chip, problem, schedule + ",roles=uniform,copies=async,reads=ahead")
    for chip, problem, schedule, reason in REFUSALS:
        result = run(tool, chip, problem, schedule)
        if result.returncode == 0 or reason not in result.stderr:
            failed.append(f"{chip} {problem} {schedule}: expected '{reason}', got {result.stderr}")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
