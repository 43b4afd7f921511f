#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies load and math waves with the tiles of Composable Kernel's wave-specialized kernels.

usage: wave_roles.py [--all] [--jobs=N] [--ck-run=PATH]

Its tiles, K of a step, roles, filters and types, in all directions, on gfx942; 8+8 waves on gfx950,
where the LDS holds their tiles. By default each tile with each K and roles runs once, the others
taking turns; with --all everything meets. Waves and workgroups run in shuffled orders.
"""

import argparse
import itertools
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from cases import DIRECTIONS, ConvProblem, Setting, Summary, make_batches, run_batches  # noqa: E402

TILES = ["128x128", "64x64", "128x64", "64x128"]
STEPS = [32, 64]
ROLES = ["4+4", "4+2"]
DTYPES = ["f16", "bf16"]
# (spatial size, filter, pad, K, C): odd sizes end tiles early; 1x1 moves by constants.
SPACES = [
    ((9, 8), (3, 3), 1, 72, 64),
    ((3, 5, 6), (3, 3, 3), 1, 64, 24),
    ((10, 9), (1, 1), 0, 136, 200),
]
# One slot more and one wave less than usual, and as many waves as a workgroup can have.
OTHERS = [
    ("gfx942", "tile=64x64x32,roles=4+4,stages=3"),
    ("gfx942", "tile=64x64x32,roles=1+4,stages=4"),
    ("gfx942", "tile=64x128x32,roles=2+4"),
    ("gfx950", "tile=256x128x64,roles=8+8"),
    ("gfx950", "tile=128x128x64,roles=8+8,stages=4"),
    ("gfx90a", "tile=64x64x32,roles=4+2"),
    ("gfx1100", "tile=64x64x32,roles=4+4"),
    ("gfx1201", "tile=64x64x32,roles=2+4,stages=3"),
]


def make_problem(direction, dtype, space):
    size, filters, pad, k, c = space
    ones = (1,) * len(size)
    return ConvProblem(
        direction=direction,
        dtype=dtype,
        n=2,
        g=1,
        k=k,
        c=c,
        size=size,
        filter=filters,
        stride=ones,
        dilation=ones,
        pad=((pad, pad),) * len(size),
        layout="",
        out_dtype="",
        epilogue="",
    )


def make_cases(everything):
    """[(setting, problem)]"""
    settings = [
        Setting(chip="gfx942", schedule=f"tile={tile}x{k},roles={roles}")
        for tile, k, roles in itertools.product(TILES, STEPS, ROLES)
    ]
    settings += [Setting(chip=chip, schedule=schedule) for chip, schedule in OTHERS]
    problems = [make_problem(*case) for case in itertools.product(DIRECTIONS, DTYPES, SPACES)]
    if everything:
        return list(itertools.product(settings, problems))
    # 5 and 18 have no common factor: 18 settings in a row meet all problems.
    return [(setting, problems[5 * i % len(problems)]) for i, setting in enumerate(settings)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="every setting with every problem")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--ck-run", default="ck-run", help="the tool under test")
    arguments = parser.parse_args()
    cases = make_cases(arguments.all)
    summary = Summary()
    run_batches(arguments.ck_run, make_batches(cases, seed=1), arguments.jobs, summary)
    for setting, problem in summary.refused:
        print(f"FAILED expected no refusal\n  {setting.get_command(problem)}")
    print(f"{len(cases)} cases: {summary}")
    return 1 if summary.failed or summary.refused else 0


if __name__ == "__main__":
    sys.exit(main())
