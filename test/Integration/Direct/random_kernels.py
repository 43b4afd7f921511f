#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random problems of few channels in direct kernels, with all checks of the emulator.

Which elements lie side by side decides how lanes read them, so layouts are drawn in any order. A
problem or a tile that is refused counts as refused; whatever runs must be exact.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_emulated, list_with_mfma  # noqa: E402

USAGE_ERROR = 2
TIMEOUT = 300  # seconds, of a case


def draw_layout(draw, dims, usually):
    """The usual order of each tensor's dimensions, with probability `usually`, or any other."""
    image, filter_dims = "DHW"[-dims:], "ZYX"[-dims:]
    usual = ["N" + image + "GC", "GK" + filter_dims + "C", "N" + image + "GK"]
    return "_".join(
        order if draw.random() < usually else "".join(draw.sample(order, len(order)))
        for order in usual
    )


def draw_problem(draw, directions, usually):
    dims = draw.choice([1, 2, 2, 2, 3])
    filters = [draw.randint(1, 4) for _ in range(dims)]
    dilations = [draw.choice([1, 1, 2]) for _ in range(dims)]
    spans = [(f - 1) * d + 1 for f, d in zip(filters, dilations)]
    images = [span + draw.randint(0, 8) for span in spans]
    pads = [f"{draw.randint(0, span - 1)}:{draw.randint(0, span - 1)}" for span in spans]
    strides = [draw.choice([1, 2, 2, 3]) for _ in range(dims)]

    def join(values):
        return "x".join(map(str, values))

    few = [1, 1, 2, 3, 4, 8]
    return (
        f"conv_{draw.choice(directions)}"
        f":{draw.choice(['f32', 'f16', 'bf16', 'i8'])}:N={draw.randint(1, 4)}"
        f",G={draw.choice([1, 1, 2, 3, 4, 8, 16, 32])},K={draw.choice(few)}"
        f",C={draw.choice(few)},in={join(images)},filter={join(filters)}"
        f",stride={join(strides)},dilation={join(dilations)},pad={join(pads)}"
        f",layout={draw_layout(draw, dims, usually)}"
    )


def draw_block_case(draw, chip):
    """One whose products matrix instructions of 4x4 or 16x16 blocks compute."""
    direction = draw.choice(["fwd", "bwd_data", "bwd_weight"])
    problem = draw_problem(draw, [direction], usually=0.9)
    channels = draw.choice([4, 4, 8, 16])
    other = channels if direction == "bwd_weight" else draw.choice([channels, 4, 8])
    groups = 64 // channels if direction == "bwd_weight" else draw.choice([1, 2, 3, 4, 8])
    problem = re.sub(r":(f32|i8):", ":f16:", problem)
    problem = re.sub(r",G=\d+,K=\d+,C=\d+", f",G={groups},K={channels},C={other}", problem)
    sizes = f"{draw.choice([1, 1, 2])}x{draw.choice([1, 1, 2])}"
    if draw.random() < 0.4:
        channels, other = draw.choice([16, 16, 32, 48]), draw.choice([16, 16, 32])
        tile = f"{draw.choice([4, 4, 8])}x{sizes}"
        if direction == "bwd_weight":
            channels = other = 16
            tile = f"1x{sizes}:{draw.choice([1, 2, 3, 5])}"
            problem = re.sub(r":N=\d+", f":N={draw.choice([1, 2, 4, 4])}", problem)
        problem = re.sub(r",K=\d+,C=\d+", f",K={channels},C={other}", problem)
        return chip, problem, f"{tile}:mfma16"
    if direction == "bwd_weight":
        return chip, problem, f"1x{sizes}:{draw.choice([1, 2, 3, 5])}:mfma4"
    return chip, problem, f"{draw.choice([4, 4, 8])}x{sizes}:mfma4"


def draw_case(number, seed):
    draw = random.Random(f"{seed}/{number}")
    chips = list_emulated()
    if number % 4 == 3:
        chips = list_with_mfma()
        return draw_block_case(draw, chips[number // 4 % len(chips)])
    tile = f"{draw.choice([1, 1, 1, 2])}x{draw.choice([1, 1, 2, 4])}x{draw.choice([1, 1, 1, 2])}"
    if number % 3 != 0:
        problem = draw_problem(draw, ["fwd", "bwd_data", "bwd_data"], usually=0.35)
        return chips[number % len(chips)], problem, tile
    # Most channels and slices that divide nothing are refused.
    tile = f"{draw.choice([1, 1, 2, 4])}x{draw.choice([1, 1, 1, 2])}x{draw.choice([1, 1, 1, 2])}"
    slices = draw.choice([1, 2, 3, 5, 17])
    problem = draw_problem(draw, ["bwd_weight"], usually=0.85)
    return chips[number % len(chips)], problem, f"{tile}:{slices}"


def run(ck_run, chip, problem, tile, seed):
    """What became of a case: 'exact', 'refused' or what is wrong with it."""
    command = [ck_run, problem, "--device=emulator", "--chip=" + chip, "--checks=on"]
    command += [f"--schedule=direct={tile},partition=data_parallel", f"--seed={seed}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"FAILED: {' '.join(command)}: did not end within {TIMEOUT} s"
    reasons = ["ck-run: error: direct=", "vector registers with schedule direct="]
    if done.returncode == USAGE_ERROR and any(reason in done.stderr for reason in reasons):
        return "refused"
    if done.returncode == 0 and "max abs error 0," in done.stdout:
        return "exact"
    return f"FAILED: {' '.join(command)}: {(done.stderr + done.stdout)[-400:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run")
    parser.add_argument("--count", type=int, default=300, help="cases")
    parser.add_argument("--seed", type=int, default=1, help="of cases and inputs")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cases = (draw_case(number, options.seed) for number in range(options.count))
        for result in pool.map(lambda case: run(options.ck_run, *case, options.seed), cases):
            counts[result.split(":")[0]] += 1
            if result.startswith("FAILED"):
                print(result, flush=True)
    print(f"{counts['exact']} exact, {counts['refused']} refused, {counts['FAILED']} failed")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
