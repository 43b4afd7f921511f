#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares modelled times with and without what CK_EMULATOR_TIMING=only leaves out.

Without checks it computes only what decides which instructions waves execute and what they access;
with checks, which look at data, everything. Both must say the same of a launch, to the last digit.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_emulated  # noqa: E402

CHIPS = list_emulated()
FORWARD = "conv_fwd:f16:N=2,K=40,C=36,in=9x9,filter=3x3,pad=1"
WEIGHT = "conv_bwd_weight:f16:N=2,K=64,C=64,in=14x14,filter=3x3,pad=1"

# Data that go through LDS or not, compared, rounded, converted, exchanged between lanes, polled.
PROBLEMS = [
    ("gemm:f16:M=200,N=130,K=300", ""),
    ("gemm:f32:M=100,N=70,K=130", "tile=32x32x32"),
    ("gemm:i8:M=200,N=130,K=512", ""),
    ("gemm:fp8:M=128,N=128,K=256", ""),
    ("gemm:bf16:M=128,N=96,K=256,out_dtype=bf16,epilogue=gelu", "partition=data_parallel"),
    (FORWARD, "partition=data_parallel"),
    (FORWARD + ",epilogue=bias+add+relu", "partition=split_k:3:two_stage"),
    ("conv_bwd_data:f16:N=2,K=40,C=36,in=13x13,filter=3x3,stride=2,pad=1", ""),
    ("conv_fwd:f16:N=1,G=32,K=32,C=32,in=12x12,filter=3x3,pad=1", ""),
    (WEIGHT, "partition=split_k:4"),
    (WEIGHT, "partition=split_k:4:two_stage"),
    (WEIGHT, "tile=64x64x32,partition=stream_k:linear"),
    (WEIGHT, "tile=64x64x32,partition=stream_k:tree:persistent"),
    (WEIGHT, "tile=64x64x32,roles=4+4,partition=data_parallel"),
    (WEIGHT, "tile=64x64x32,roles=4+4,partition=stream_k:tree"),
]


def model(ck_run, chip, problem, schedule, checks):
    """What ck-run reports of modelled times."""
    command = [ck_run, problem, f"--chip={chip}", f"--schedule={schedule}"]
    command += ["--device=emulator", "--time", "--verify=none", "--format=json"]
    environment = dict(os.environ, CK_EMULATOR_TIMING="only", CK_EMULATOR_CHECKS=checks)
    environment["CK_EMULATOR_CUS"] = "7"
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    report = json.loads(done.stdout)
    return {key: value for key, value in report.items() if key.startswith("modelled")}


def compare(ck_run, case):
    """What is wrong with `case`, or an empty text."""
    try:
        less, all_of_it = (model(ck_run, *case, checks) for checks in ("off", "on"))
    except (RuntimeError, ValueError) as error:
        return str(error)[-400:]
    if not less.get("modelled_us"):
        return "nothing was modelled"
    return "" if less == all_of_it else f"{less} instead of {all_of_it}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run")
    parser.add_argument("--quick", action="store_true", help="each problem on one chip")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [(chip, *case) for case, chip in itertools.product(PROBLEMS, CHIPS)]
    if options.quick:
        cases = [(CHIPS[i % len(CHIPS)], *case) for i, case in enumerate(PROBLEMS)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wrong = list(pool.map(lambda case: compare(options.ck_run, case), cases))
    for case, text in zip(cases, wrong):
        if text:
            print("FAILED", *case, text)
    print(f"{len(cases)} cases, {sum(map(bool, wrong))} failed")
    return any(wrong)


if __name__ == "__main__":
    sys.exit(main())
