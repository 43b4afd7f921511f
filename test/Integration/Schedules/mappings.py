#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs problems with workgroups mapped to tiles in windows and chunks.

Results must be right on grids with and without remainders, and smaller than a window or a chunk.
The mapping is arithmetic of scalars: on a grid of several windows and blocks of chunks kernels
execute as many vector instructions with it as without.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

# A grid of tiles each: 5x7, 3 groups of 3x3, 2x9 with one row of waves, a table of four sub-GEMMs.
PROBLEMS = [
    ("gemm:f16:M=150,N=210,K=100", "tile=32x32x32,waves=1x1"),
    ("gemm:f16:G=3,M=96,N=90,K=64,layout=crr", "tile=32x32x32,waves=1x1"),
    ("conv_fwd:f16:N=1,K=70,C=8,in=12x12,filter=3x3,pad=1", "tile=32x32x32,waves=1x1"),
    ("conv_bwd_data:f16:N=2,K=40,C=70,in=13x13,filter=3x3,stride=2,pad=1", "tile=32x32x32"),
    ("conv_bwd_weight:f16:N=2,K=100,C=36,in=7x7,filter=3x3,pad=1", "tile=32x32x32,roles=4+4"),
]
# Of 20x16 tiles the vector instructions are counted.
COUNTED = ("gemm:f16:M=640,N=512,K=40", "tile=32x32x32,waves=1x1")
COUNTED_MAPPINGS = ["4", "3", "1:64", "3:8", "4:64"]
PARTITIONS = ["data_parallel", "split_k:2:two_stage", "split_k:2", "stream_k:tree",
              "stream_k:linear:persistent"]  # fmt: skip
MAPPINGS = ["4", "1:2", "2:3", "3:64", "64:64"]


def run(ck_run, chip, problem, schedule):
    """(what is wrong or an empty text, vector instructions of all kernels)"""
    command = [ck_run, problem, "--device=emulator", "--chip=" + chip, "--format=json"]
    command.append("--schedule=" + schedule)
    environment = dict(os.environ, CK_EMULATOR_CUS="7", CK_EMULATOR_SCHEDULE="random:5")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        return f"FAILED: {' '.join(command)}: {(done.stderr + done.stdout)[-400:]}", 0
    report = json.loads(done.stdout)
    if report["status"] != "ok":
        return f"FAILED: {' '.join(command)}: {report['status']}", 0
    return "", sum(kernel["instructions"]["valu"] for kernel in report["kernels"])


def count(ck_run, mapping):
    """What is wrong with the number of vector instructions under `mapping`."""
    problem, tile = COUNTED
    schedule = tile + ",partition=data_parallel"
    counts = []
    for text in (schedule, f"{schedule},mapping={mapping}"):
        wrong, vector = run(ck_run, "gfx942", problem, text)
        if wrong:
            return wrong
        counts.append(vector)
    if counts[0] == counts[1]:
        return ""
    return f"FAILED: {problem} {text}: {counts[1]} vector instructions, not {counts[0]}"


def list_cases(quick):
    cases = itertools.product(PROBLEMS, PARTITIONS, MAPPINGS, ["gfx942", "gfx1100"])
    for index, ((problem, tile), partition, mapping, chip) in enumerate(cases):
        if chip == "gfx1100":
            mapping = mapping.split(":")[0]  # it has one XCD
            if "split_k:2" == partition or mapping == "1":
                continue
        if quick and index % 11:
            continue
        yield chip, problem, f"{tile},partition={partition},mapping={mapping}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run")
    parser.add_argument("--quick", action="store_true", help="every eleventh case")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = list(list_cases(options.quick))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: run(options.ck_run, *case)[0], cases))
        results += pool.map(lambda mapping: count(options.ck_run, mapping), COUNTED_MAPPINGS)
    failures = [result for result in results if result]
    print("\n".join(failures))
    print(f"{len(results)} cases, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
