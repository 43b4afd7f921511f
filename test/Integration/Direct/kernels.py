#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs problems of few channels in direct kernels, whose lanes compute by themselves.

Every run is verified. Strides, dilations, filters and images of all kinds decide which elements a
lane needs, numbers of channels how wide its accesses are, and sizes where results end.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_emulated, list_with_mfma  # noqa: E402

# Problem, and tiles of a lane.
CASES = [
    ("conv_fwd:f16:N=2,G=24,K=1,C=1,in=9x10,filter=3x3,pad=1", ["8x4x2", "4x8x1", "1x1x4"]),
    ("conv_fwd:f16:N=1,G=17,K=1,C=1,in=7x7,filter=3x3,pad=1,stride=2", ["1x4x1", "1x2x2"]),
    ("conv_fwd:f16:N=2,G=16,K=4,C=4,in=8x8,filter=3x3,pad=1", ["4x4x1", "8x2x1", "2x7x1"]),
    ("conv_fwd:f16:N=1,G=8,K=2,C=1,in=12x12,filter=5x5,pad=2", ["8x2x1", "2x4x2", "16x1x1"]),
    ("conv_fwd:f16:N=1,G=8,K=1,C=2,in=9x9,filter=3x3,dilation=2,pad=2", ["8x4x1", "1x1x1"]),
    ("conv_fwd:f16:N=1,G=8,K=1,C=1,in=11x11,filter=7x7,pad=3", ["4x2x2", "8x1x1"]),
    ("conv_fwd:f16:N=2,G=40,K=1,C=1,in=30,filter=3,pad=1", ["8x7x1"]),
    ("conv_fwd:f16:N=1,G=8,K=1,C=1,in=5x6x7,filter=3x3x3,pad=1", ["8x2x2", "2x7x1"]),
    ("conv_fwd:f16:N=2,G=32,K=2,C=2,in=6x6,filter=1x1", ["16x1x1", "4x8x1"]),
    ("conv_fwd:f16:N=2,K=3,C=3,in=9x9,filter=3x3,pad=1", ["1x4x1"]),
    ("conv_fwd:bf16:N=1,G=32,K=1,C=1,in=9x9,filter=3x3,pad=1", ["8x4x1"]),
    ("conv_fwd:f32:N=1,G=32,K=1,C=1,in=9x9,filter=3x3,pad=1", ["4x4x2"]),
    ("conv_fwd:i8:N=1,G=32,K=1,C=1,in=9x9,filter=3x3,pad=1", ["16x2x1", "8x4x1"]),
    ("conv_fwd:fp8:N=1,G=16,K=2,C=2,in=9x9,filter=3x3,pad=1", ["8x2x1"]),
    ("conv_fwd:bf8:N=1,G=16,K=1,C=1,in=9x9,filter=3x3,pad=1", ["8x2x1"]),
    ("conv_fwd:f16:N=1,G=24,K=1,C=1,in=9x9,filter=3x3,pad=1,epilogue=bias+add+relu", ["8x4x2"]),
    ("conv_fwd:f16:N=1,G=24,K=1,C=1,in=9x9,filter=3x3,pad=1,out_dtype=f32", ["8x4x1"]),
    ("conv_bwd_data:f16:N=2,G=24,K=1,C=1,in=9x10,filter=3x3,pad=1", ["8x4x2", "2x8x1"]),
    ("conv_bwd_data:f16:N=2,G=16,K=4,C=4,in=8x8,filter=3x3,pad=1", ["4x4x1", "2x2x2"]),
    ("conv_bwd_data:f16:N=1,G=8,K=3,C=1,in=9x9,filter=3x3,pad=1,stride=2", ["8x2x1", "1x4x2"]),
    ("conv_bwd_data:f16:N=1,G=8,K=1,C=2,in=8x8,filter=2x2,stride=2", ["8x2x1", "2x4x1"]),
    ("conv_bwd_data:f16:N=1,G=16,K=1,C=1,in=9x9,filter=1x1,stride=2", ["8x2x1"]),
    ("conv_bwd_data:f32:N=1,G=16,K=1,C=1,in=10x9,filter=3x3,dilation=2,stride=3,pad=1", ["4x1x1"]),
    (
        "conv_bwd_data:f16:N=1,G=16,K=1,C=1,in=9x9,filter=3x3,stride=2,pad=1,epilogue=bias+gelu",
        ["8x2x1"],
    ),
    ("conv_bwd_data:bf16:N=1,G=8,K=1,C=1,in=5x5x5,filter=3x3x3,pad=1,stride=2", ["8x1x1"]),
    # The residues of rows are an odd number of weights apart, those of columns a multiple of four.
    (
        "conv_bwd_data:f32:N=1,K=1,C=2,in=6x3,filter=4x2,stride=2,layout=CGWHN_CXYKG_KGWHN",
        ["1x1x1", "1x1x2"],
    ),
    # The residues of rows are as far apart as groups would be, and some of them are padding.
    (
        "conv_bwd_data:f32:N=2,K=3,C=1,in=11x4,filter=4x3,stride=2,pad=3:0x2:2"
        ",layout=NCWGH_GKYXC_HNGWK",
        ["1x2x1", "1x1x2"],
    ),
    ("conv_bwd_weight:f16:N=2,G=24,K=1,C=1,in=9x10,filter=3x3,pad=1", ["8x2x1:1", "4x1x1:5"]),
    ("conv_bwd_weight:f16:N=2,G=144,K=1,C=1,in=14x14,filter=3x3,pad=1", ["4x7x2:16", "2x2x2:7"]),
    ("conv_bwd_weight:f16:N=1,G=17,K=1,C=1,in=7x8,filter=3x3,pad=1,stride=2", ["1x4x4:1"]),
    ("conv_bwd_weight:f16:N=2,G=16,K=4,C=4,in=8x8,filter=3x3,pad=1", ["4x4x1:3", "2x8x2:2"]),
    ("conv_bwd_weight:f16:N=2,G=4,K=8,C=8,in=8x8,filter=3x3,pad=1", ["8x2x1:9", "1x4x4:2"]),
    ("conv_bwd_weight:f16:N=2,G=8,K=3,C=1,in=12x12,filter=5x5,pad=2", ["4x4x1:17", "2x1x1:2"]),
    ("conv_bwd_weight:f16:N=1,G=8,K=1,C=2,in=9x9,filter=3x3,dilation=2,pad=2", ["8x1x1:4"]),
    ("conv_bwd_weight:f16:N=2,G=32,K=1,C=1,in=7x7,filter=7x7,pad=3", ["1x7x1:4", "2x1x1:2"]),
    ("conv_bwd_weight:f16:N=2,G=40,K=1,C=1,in=32,filter=3,pad=1", ["8x8x1:3"]),
    ("conv_bwd_weight:f16:N=2,G=8,K=1,C=1,in=4x4x8,filter=3x3x3,pad=1", ["2x4x2:3"]),
    ("conv_bwd_weight:f16:N=2,G=32,K=2,C=2,in=6x6,filter=1x1", ["8x8x1:3", "16x4x1:1"]),
    ("conv_bwd_weight:f16:N=2,K=3,C=3,in=8x8,filter=3x3,pad=1", ["1x4x1:16"]),
    ("conv_bwd_weight:bf16:N=2,G=32,K=1,C=1,in=8x8,filter=3x3,pad=1", ["8x2x1:3"]),
    ("conv_bwd_weight:f32:N=2,G=32,K=1,C=1,in=8x8,filter=3x3,pad=1", ["4x2x1:3"]),
    ("conv_bwd_weight:i8:N=2,G=32,K=1,C=1,in=8x8,filter=3x3,pad=1", ["16x1x1:3"]),
    ("conv_bwd_weight:fp8:N=2,G=16,K=2,C=2,in=4x4,filter=3x3,pad=1", ["8x2x1:3"]),
    ("conv_bwd_weight:bf8:N=2,G=16,K=1,C=1,in=4x4,filter=3x3,pad=1", ["8x2x1:2"]),
    ("conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,pad=1,out_dtype=f16", ["8x4x1:4"]),
    # So many results that a lane adds the sums of four, or two, side by side.
    ("conv_bwd_weight:f16:N=1,G=4096,K=1,C=1,in=4x4,filter=3x3,pad=1", ["8x4x1:3"]),
    ("conv_bwd_weight:i8:N=1,G=4104,K=1,C=1,in=4x4,filter=3x3,pad=1", ["2x1x1:11"]),
    ("conv_bwd_weight:f32:N=1,G=2050,K=1,C=1,in=4x4,filter=3x3,pad=1", ["2x4x1:4"]),
    (
        "conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,pad=1,epilogue=bias+add+relu",
        ["8x4x1:4", "4x8x1:1"],
    ),
]
# The same on chips with MFMA, of 4x4 blocks.
BLOCKS = [
    ("conv_fwd:f16:N=2,G=16,K=4,C=4,in=9x10,filter=3x3,pad=1", ["4x2x2", "8x4x1", "16x1x2"]),
    ("conv_fwd:bf16:N=1,G=6,K=8,C=8,in=9x7,filter=3x3,pad=1,stride=2", ["8x2x1", "4x1x4"]),
    ("conv_fwd:f16:N=1,G=3,K=16,C=16,in=6x5,filter=3x3,dilation=2,pad=2", ["4x1x2", "8x1x1"]),
    ("conv_fwd:f16:N=2,G=5,K=8,C=4,in=7x7,filter=5x5,pad=2", ["8x2x1", "4x1x1"]),
    ("conv_fwd:f16:N=2,K=12,C=4,in=11,filter=3,pad=1", ["4x2x1"]),
    ("conv_fwd:f16:N=1,G=4,K=4,C=8,in=4x5x6,filter=3x3x3,pad=1", ["4x2x1"]),
    ("conv_fwd:f16:N=1,G=4,K=8,C=8,in=9x9,filter=3x3,pad=1,epilogue=bias+add+relu", ["8x2x2"]),
    ("conv_bwd_data:f16:N=2,G=16,K=4,C=4,in=9x10,filter=3x3,pad=1", ["4x2x2", "8x4x1"]),
    ("conv_bwd_data:bf16:N=1,G=6,K=8,C=8,in=10x8,filter=3x3,pad=1,stride=2", ["8x2x1", "4x1x4"]),
    ("conv_bwd_data:f16:N=1,G=32,K=8,C=8,in=8x8,filter=3x3,pad=1,stride=2", ["8x2x2"]),
    ("conv_bwd_data:f16:N=2,G=3,K=4,C=8,in=7x7,filter=2x3,dilation=2", ["8x1x2"]),
    ("conv_bwd_weight:f16:N=2,G=16,K=4,C=4,in=8x8,filter=3x3,pad=1", ["1x4x4:3", "1x2x1:1"]),
    ("conv_bwd_weight:bf16:N=3,G=48,K=4,C=4,in=7x7,filter=3x3,pad=1", ["1x7x1:4", "1x1x1:9"]),
    ("conv_bwd_weight:f16:N=2,G=16,K=8,C=8,in=9x9,filter=3x3,stride=2,pad=1", ["1x1x1:5"]),
    ("conv_bwd_weight:f16:N=2,G=8,K=8,C=8,in=6x8,filter=2x3", ["1x2x1:7", "1x1x1:2"]),
    ("conv_bwd_weight:bf16:N=2,G=8,K=16,C=16,in=8x8,filter=3x3,pad=1", ["1x4x2:3", "1x2x4:2"]),
    ("conv_bwd_weight:f16:N=2,G=4,K=16,C=16,in=5x5,filter=1x1,out_dtype=f16", ["1x1x1:6"]),
    ("conv_bwd_weight:f16:N=2,G=32,K=4,C=4,in=4x4x8,filter=1x3x3,pad=0x1x1", ["1x4x2:3"]),
]
# The same of 16x16 blocks.
LARGE_BLOCKS = [
    ("conv_fwd:f16:N=2,G=4,K=16,C=16,in=9x10,filter=3x3,pad=1", ["4x7x2", "4x2x4", "4x1x1"]),
    ("conv_fwd:bf16:N=1,G=3,K=32,C=32,in=9x7,filter=3x3,pad=1,stride=2", ["8x2x1", "4x1x4"]),
    ("conv_fwd:f16:N=1,G=2,K=64,C=32,in=6x5,filter=2x3,dilation=2,pad=2", ["4x1x2", "8x4x1"]),
    ("conv_fwd:f16:N=2,K=48,C=16,in=17,filter=3,pad=1", ["4x8x1"]),
    ("conv_fwd:f16:N=1,G=2,K=16,C=48,in=4x5x6,filter=1x3x3,pad=0x1x1", ["4x2x1"]),
    ("conv_fwd:f16:N=1,G=2,K=16,C=16,in=9x9,filter=3x3,pad=1,epilogue=bias+add+relu", ["4x2x2"]),
    ("conv_fwd:f16:N=1,G=8,K=16,C=16,in=9x9,filter=3x3,pad=1,out_dtype=f32", ["4x8x4"]),
    ("conv_fwd:f16:N=2,G=2,K=32,C=64,in=9x9,filter=1x1", ["8x4x1", "4x4x1"]),
    ("conv_bwd_data:f16:N=2,G=8,K=16,C=16,in=9x10,filter=3x3,pad=1", ["4x7x2", "4x8x1"]),
    ("conv_bwd_data:bf16:N=1,G=4,K=16,C=16,in=10x8,filter=3x3,pad=1,stride=2", ["4x2x1", "4x1x4"]),
    ("conv_bwd_data:f16:N=1,G=2,K=32,C=16,in=7x7,filter=2x3,dilation=2", ["4x4x1"]),
    ("conv_bwd_data:f16:N=1,K=16,C=64,in=8x8,filter=2x2,stride=2,epilogue=bias+relu", ["16x2x1"]),
    ("conv_bwd_weight:f16:N=4,G=4,K=16,C=16,in=8x8,filter=3x3,pad=1", ["1x4x4:3", "1x2x1:1"]),
    ("conv_bwd_weight:bf16:N=4,G=3,K=16,C=16,in=7x7,filter=3x3,pad=1", ["1x7x1:2", "1x1x1:9"]),
    ("conv_bwd_weight:f16:N=4,G=2,K=16,C=16,in=9x9,filter=3x3,stride=2,pad=1", ["1x1x1:5"]),
    ("conv_bwd_weight:f16:N=2,G=2,K=16,C=16,in=6x8,filter=2x3,out_dtype=f16", ["1x1x1:3"]),
    ("conv_bwd_weight:bf16:N=2,G=1,K=16,C=16,in=4x4x8,filter=1x3x3,pad=0x1x1", ["1x4x2:3"]),
]
# What is refused, and why.
REFUSED = [
    ("conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=9x9,filter=3x3,pad=1", "direct=8x2x1:1", "positions"),
    ("conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,pad=1", "direct=8x8x1:9", "slices"),
    ("conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=7x7,pad=3", "direct=8x1x1:1", "results"),
    ("conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3", "direct=16x1x1:1", "evenly"),
    (
        "conv_bwd_weight:f32:N=1,G=8,K=1,C=1,in=8x8,filter=5x5,pad=2",
        "direct=4x4x4:1",
        "registers of a lane",
    ),
    (
        "conv_bwd_weight:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,layout=GNCHW_GKCYX_GNKHW",
        "direct=8x1x1:1",
        "side by side",
    ),
    ("conv_fwd:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3", "direct=1x1x1:1", "direct=1x1x1:1"),
    ("conv_bwd_data:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,stride=2", "direct=1x1x1:1", "a table"),
    ("conv_bwd_data:f16:N=1,G=8,K=1,C=1,in=8x8,filter=2x2,stride=2", "direct=8x1x1", "dwords"),
    ("conv_fwd:f16:N=1,K=64,C=64,in=8x8,filter=3x3,pad=1", "direct=8x4x1", "products"),
    (
        "conv_fwd:f32:N=1,G=3,K=8,C=4,in=10x7x9,filter=4x4x3,stride=3x1x1",
        "direct=1x4x1",
        "has a lane load 384 registers, expected at most 320",
    ),
    (
        "conv_bwd_data:f32:N=2,K=3,C=1,in=11x4,filter=4x3,stride=2,pad=3:0x2:2"
        ",layout=NCWGH_GKYXC_HNGWK",
        "direct=2x1x1",
        "evenly",
    ),
    ("conv_fwd:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3", "direct=16x4x1", "evenly"),
    ("conv_fwd:f16:N=1,G=8,K=2,C=4,in=8x8,filter=3x3", "direct=4x1x1:mfma4", "of 4 channels"),
    ("conv_fwd:f16:N=1,G=8,K=4,C=2,in=8x8,filter=3x3", "direct=4x1x1:mfma4", "neighbours in K"),
    ("conv_fwd:f32:N=1,G=8,K=4,C=4,in=8x8,filter=3x3", "direct=4x1x1:mfma4", "f16 or bf16"),
    ("conv_fwd:f16:N=1,G=2,K=32,C=32,in=8x8,filter=7x7", "direct=4x1x1:mfma4", "weights"),
    (
        "conv_bwd_weight:f16:N=1,G=8,K=4,C=4,in=8x8,filter=3x3",
        "direct=1x2x2:1:mfma4",
        "64 channels",
    ),
    ("conv_bwd_weight:f16:N=1,G=16,K=8,C=4,in=8x8,filter=3x3", "direct=1x2x2:1:mfma4", "as many"),
    (
        "conv_bwd_weight:f16:N=1,G=64,K=1,C=1,in=8x8,filter=3x3",
        "direct=1x2x2:1:mfma4",
        "4, 8 or 16",
    ),
    (
        "conv_bwd_weight:f16:N=1,G=16,K=4,C=4,in=8x8,filter=3x3",
        "direct=4x2x2:1:mfma4",
        "expected 1",
    ),
    ("conv_bwd_weight:f32:N=1,G=16,K=4,C=4,in=8x8,filter=3x3", "direct=1x2x2:1:mfma4", "bf16"),
    ("conv_fwd:f16:N=1,G=4,K=8,C=16,in=8x8,filter=3x3", "direct=4x1x1:mfma16", "multiple of 16"),
    ("conv_fwd:f16:N=1,G=4,K=32,C=32,in=8x8,filter=1x1", "direct=16x1x1:mfma16", "multiple of 64"),
    ("conv_fwd:f16:N=1,G=4,K=16,C=8,in=8x8,filter=3x3", "direct=4x1x1:mfma16", "do not split"),
    ("conv_fwd:f32:N=1,G=4,K=16,C=16,in=8x8,filter=3x3", "direct=4x1x1:mfma16", "f16 or bf16"),
    ("conv_fwd:f16:N=1,K=64,C=64,in=8x8,filter=3x3", "direct=8x1x1:mfma16", "bytes of a workgroup"),
    ("conv_bwd_weight:f16:N=1,G=4,K=8,C=8,in=8x8,filter=3x3", "direct=1x2x2:1:mfma16", "of 16"),
    ("conv_bwd_weight:f16:N=1,G=4,K=8,C=16,in=8x8,filter=3x3", "direct=1x2x2:1:mfma16", "8 out"),
    ("conv_bwd_weight:f16:N=1,G=4,K=16,C=16,in=8x8,filter=3x3", "direct=1x2x2:1:mfma16", "got 9"),
    ("conv_bwd_weight:f16:N=4,G=4,K=16,C=16,in=8x8,filter=3x3", "direct=2x2x2:1:mfma16", "lane"),
    ("conv_fwd:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3", "direct=8x5x1", "expected one of"),
    (
        "conv_fwd:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3",
        "direct=8x4x1,partition=split_k:2",
        "expected partition=data_parallel",
    ),
    (
        "conv_fwd:f16:N=1,G=24,K=1,C=1,in=8x8,filter=3x3,layout=GNCHW_GKCYX_GNKHW",
        "direct=8x1x1",
        "side by side",
    ),
]


def run(ck_run, chip, problem, schedule):
    """What is wrong, or an empty text."""
    command = [ck_run, problem, "--device=emulator", "--chip=" + chip, "--format=json"]
    command.append("--schedule=" + schedule)
    environment = dict(os.environ)
    # Workgroups that add the sums of slices wait for others, which chips start before them.
    if "weight" not in problem:
        environment["CK_EMULATOR_SCHEDULE"] = "random:3"
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        return f"FAILED: {' '.join(command)}: {(done.stderr + done.stdout)[-400:]}"
    report = json.loads(done.stdout)
    if report["status"] != "ok" or report["max_abs_error"] != 0 and "gelu" not in problem:
        return f"FAILED: {' '.join(command)}: {report['status']}, {report['max_abs_error']}"
    for kernel in report["kernels"]:
        has_mfma = bool(kernel["instructions"].get("mfma"))
        if kernel["scratch_bytes"] or has_mfma != (":mfma" in schedule):
            return f"FAILED: {' '.join(command)}: {kernel}"
    return ""


def refuse(ck_run, problem, schedule, reason):
    """What is wrong with the refusal, or an empty text."""
    command = [ck_run, problem, "--device=emulator", "--schedule=" + schedule]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2 and reason in done.stderr:
        return ""
    return f"FAILED: {' '.join(command)}: {done.returncode}, expected '{reason}': {done.stderr}"


def list_cases(quick):
    number = 0
    with_mfma = list_with_mfma()
    for cases, chips, suffix in (
        (CASES, list_emulated(), ""),
        (BLOCKS, with_mfma, ":mfma4"),
        (LARGE_BLOCKS, with_mfma, ":mfma16"),
    ):
        for problem, tiles in cases:
            for tile in tiles if not quick else tiles[:1]:
                number += 1
                for chip in chips if not quick else [chips[number % len(chips)]]:
                    yield chip, problem, f"direct={tile}{suffix},partition=data_parallel"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run")
    parser.add_argument("--quick", action="store_true", help="a tile and a chip of each problem")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: run(options.ck_run, *case), list_cases(options.quick)))
        results += pool.map(lambda case: refuse(options.ck_run, *case), REFUSED)
    failures = [result for result in results if result]
    print("\n".join(failures))
    print(f"{len(results)} cases, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
