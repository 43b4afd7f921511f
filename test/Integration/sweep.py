#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a covering set of convolutions and schedules and demands exact results.

usage: sweep.py [--wide] [--seed N] [--shuffles N] [--list] [--ck-run PATH]

The full product of the axes below would take days. Instead every two values of two axes (with
--wide: every three of three) meet in some case. A combination that ck-run refuses must come with a
reason and is counted; with the schedule left to the compiler nothing may be refused. Each case runs
in the emulator's own order of waves and workgroups and in shuffled ones.
"""

import argparse
import itertools
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from cases import Problem, Setting, Summary, get_work, run_batch  # noqa: E402

# Multiply-accumulates of one case, tails of the tiles included.
MAX_WORK = 200_000_000

# (K, C): full tiles, tails of every vector width, single channels.
CHANNELS = [(64, 64), (1, 1), (3, 65), (36, 3), (65, 36), (16, 8), (128, 20), (40, 130)]
AXES = {
    "size": [(8, 8), (7, 5), (9, 16), (1, 12), (14, 3)],
    "batch": [2, 1, 5],
    "filter": [(3, 3), (1, 1), (1, 3), (4, 2), (5, 5)],
    "stride": [(1, 1), (2, 2), (1, 3)],
    "dilation": [(1, 1), (2, 1), (2, 3)],
    "pad": [((1, 1), (1, 1)), ((0, 0), (0, 0)), ((0, 1), (2, 0)), ((3, 3), (4, 5))],
    "groups": [1, 2, 3, 32],
    "channels": CHANNELS,
    "out_dtype": ["f32", "f16"],
    "schedule": [
        "",
        "tile=16x16x16,waves=1x1,mma=16x16x16",
        "tile=32x32x8,waves=1x1,mma=32x32x8",
        "tile=64x64x32,waves=2x2,mma=32x32x8",
        "tile=64x64x32,waves=2x2,mma=16x16x16",
        "tile=64x128x32,waves=2x2,mma=32x32x8",
        "tile=128x128x32,waves=2x2,mma=32x32x8",
        "tile=256x128x32,waves=4x2,mma=32x32x8",
    ],
}
WIDE_SCHEDULES = [
    "tile=32x32x16,waves=1x1,mma=16x16x16",
    "tile=16x64x32,waves=1x1,mma=16x16x16",
    "tile=32x64x32,waves=1x2,mma=32x32x8",
    "tile=64x32x32,waves=2x1,mma=32x32x8",
    "tile=64x16x64,waves=4x1,mma=16x16x16",
    "tile=16x64x64,waves=1x4,mma=16x16x16",
    "tile=128x64x16,waves=4x1,mma=32x32x8",
    "tile=64x128x16,waves=1x4,mma=32x32x8",
    "tile=128x64x64,waves=4x2,mma=32x32x8",
    "tile=96x96x16,waves=1x1,mma=32x32x8",
    "tile=128x128x32,waves=4x2,mma=16x16x16",
    "tile=128x128x64,waves=2x2,mma=32x32x8",
    "tile=128x256x32,waves=2x2,mma=32x32x8",
    "tile=256x128x32,waves=2x2,mma=32x32x8",
    "tile=256x128x32,waves=4x2,mma=16x16x16",
    "tile=128x256x16,waves=2x4,mma=32x32x8",
]


def make_case(values):
    """(problem, schedule string) of a value for each axis."""
    k, c = values["channels"]
    if values["groups"] == 32:
        k, c = 1, 1  # depthwise
    problem = Problem(
        n=values["batch"],
        g=values["groups"],
        k=k,
        c=c,
        size=values["size"],
        filter=values["filter"],
        stride=values["stride"],
        dilation=values["dilation"],
        pad=values["pad"],
        out_dtype=values["out_dtype"],
    )
    return problem, values["schedule"]


def is_runnable(values):
    problem, schedule = make_case(values)
    if not problem.is_legal():
        return False
    tile = [128, 128, 64]
    if schedule:
        tile = [int(size) for size in schedule.split(",")[0].removeprefix("tile=").split("x")]
    return get_work(problem, tile) <= MAX_WORK


def cover(axes, strength, seed):
    """Cases such that every `strength` values of as many axes meet in one, as far as a runnable
    case has them. Greedy: each case is the best of some random ones around an open combination."""
    r = random.Random(seed)
    names = list(axes)
    groups = list(itertools.combinations(names, strength))
    open_sets = {
        (group, combination)
        for group in groups
        for combination in itertools.product(*(range(len(axes[name])) for name in group))
    }
    order = sorted(open_sets)
    for group, combination in order:
        if (group, combination) not in open_sets:
            continue
        best, best_covered = None, set()
        for _ in range(30):
            indices = {name: r.randrange(len(axes[name])) for name in names}
            indices.update(zip(group, combination))
            if not is_runnable({name: axes[name][index] for name, index in indices.items()}):
                continue
            covered = {(g, tuple(indices[name] for name in g)) for g in groups} & open_sets
            if len(covered) > len(best_covered):
                best, best_covered = indices, covered
        open_sets.discard((group, combination))
        if best:
            open_sets -= best_covered
            yield make_case({name: axes[name][index] for name, index in best.items()})


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wide", action="store_true", help="more schedules, triples not pairs")
    parser.add_argument("--list", action="store_true", help="print the cases and run nothing")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases")
    parser.add_argument("--shuffles", type=int, default=2, help="shuffled orders (default 2)")
    parser.add_argument("--ck-run", default="ck-run", help="the tool under test")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    axes, strength = dict(AXES), 2
    if arguments.wide:
        axes["schedule"], strength = AXES["schedule"] + WIDE_SCHEDULES, 3
    cases = list(cover(axes, strength, arguments.seed))
    summary = Summary()
    cases.sort(key=lambda case: case[1])
    batches = [
        (schedule, [problem for problem, _ in batch])
        for schedule, batch in itertools.groupby(cases, key=lambda case: case[1])
    ]
    orders = [""] + [f"random:{arguments.seed + i}" for i in range(arguments.shuffles)]
    for (schedule, problems), order in itertools.product(batches, orders):
        setting = Setting(schedule=schedule, seed=len(problems), order=order)
        if arguments.list:
            print("\n".join(setting.get_command(problem) for problem in problems))
            continue
        for problem, report in zip(problems, run_batch(arguments.ck_run, problems, setting)):
            summary.add(problem, setting, report)
    if not arguments.list:
        print(f"{len(cases)} cases, {len(orders)} orders: {summary}")
    return 1 if summary.failed else 0


if __name__ == "__main__":
    sys.exit(main())
