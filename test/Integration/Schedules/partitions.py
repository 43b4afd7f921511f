#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs problems under every partition, on devices of few and of many compute units.

Whether tiles are shared depends on how many workgroups can be resident; the emulator is told by
CK_EMULATOR_CUS. Every run is verified, in a random schedule; with --deterministic all runs of one
case must give the same bits.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_emulated  # noqa: E402

STREAMS = [
    f"stream_k:{reduction}{kind}"
    for reduction in ("linear", "tree")
    for kind in ("", ":persistent")
] + ["stream_k:parallel"]
SPLITS = [
    f"split_k:{factor}{stage}" for factor in (1, 2, 4, 8, 16, 32) for stage in ("", ":two_stage")
]
CHIPS = list_emulated()

# Small problems: what is shared, between which types, with which tails.
SMALL = [
    ("conv_bwd_weight:f16:N=2,K=64,C=64,in=14x14,filter=3x3,pad=1", "tile=64x64x32,waves=2x2"),
    ("conv_bwd_weight:f16:N=1,K=36,C=20,in=9x9,filter=3x3,pad=1", "tile=16x64x32,waves=1x4"),
    # Groups, merged and not, and fewer K steps than workgroups.
    ("conv_bwd_weight:f16:N=1,G=32,K=4,C=4,in=8x8,filter=3x3,pad=1", "waves=1x1"),
    ("conv_fwd:bf16:N=2,G=3,K=40,C=20,in=9x9,filter=3x3,pad=1", "tile=32x64x32,waves=2x2"),
    ("gemm:f16:M=100,N=70,K=33", "tile=32x32x32,waves=2x2"),
    # A table of sub-GEMMs of different K steps, and elements that none of them covers.
    ("conv_bwd_data:f16:N=2,K=40,C=36,in=13x13,filter=3x3,stride=2,pad=1", "tile=32x32x32"),
    ("conv_bwd_data:f16:N=1,K=16,C=16,in=9x9,filter=1x1,stride=2", "tile=32x32x32"),
    ("gemm:i8:M=200,N=130,K=1000", "tile=64x64x64,waves=2x2"),
    ("conv_bwd_weight:bf16:N=1,K=32,C=32,in=4x6x6,filter=3x3x3,pad=1", "tile=32x64x32,waves=2x2"),
]
EPILOGUES = [
    (
        "conv_fwd:f16:N=2,K=40,C=64,in=9x9,filter=3x3,pad=1,epilogue=bias+add+relu",
        "tile=32x64x32,waves=2x2",
    ),
    (
        "conv_bwd_data:f16:N=1,K=40,C=36,in=9x9,filter=3x3,stride=2,pad=1,epilogue=bias+gelu",
        "tile=32x32x32",
    ),
]
# What one-stage Split-K refuses, and why.
REFUSED = [
    ("gfx942", "gemm:f16:M=100,N=70,K=330,epilogue=relu", "split_k:4", "through an epilogue"),
    (
        "gfx1100",
        "gemm:f16:M=100,N=70,K=330,out_dtype=f16",
        "split_k:4",
        "gfx1100 has no atomic addition for f16",
    ),
    (
        "gfx942",
        "gemm:bf16:M=100,N=70,K=330,out_dtype=bf16",
        "split_k:4",
        "gfx942 has no atomic addition for bf16",
    ),
    ("gfx942", "gemm:f16:M=100,N=71,K=330,out_dtype=f16", "split_k:4", "not aligned in memory"),
    ("gfx942", "gemm:i8:M=100,N=70,K=330,out_dtype=i8", "split_k:4", "no atomic addition for i8"),
    ("gfx942", "gemm:f16:M=100,N=70,K=330", "split_k:4,deterministic=true", "in any order"),
]
# Layers on which StreamK and Split-K are compared (composable_kernel PR 5393).
LAYERS = [
    "N=32,K=128,C=128,in=28x28,filter=1x1",
    "N=32,K=128,C=128,in=14x14,filter=3x3,pad=1",
    "N=32,K=256,C=64,in=56x56,filter=1x1",
    "N=2,K=512,C=512,in=7x7,filter=3x3,pad=1",
    "N=4,K=1024,C=1024,in=7x7,filter=1x1",
    "N=32,K=128,C=128,in=28x28,filter=3x3,pad=1",
    "N=32,K=256,C=256,in=14x14,filter=3x3,pad=1",
    "N=32,K=512,C=512,in=7x7,filter=3x3,pad=1",
]


class Case:
    def __init__(self, chip, cus, problem, schedule, partition, seed=1, refused=None):
        self.chip, self.cus, self.problem, self.seed = chip, cus, problem, seed
        self.schedule = ",".join(filter(None, [schedule, "partition=" + partition]))
        self.refused = refused  # expected reason

    def __str__(self):
        return (
            f"CK_EMULATOR_CUS={self.cus} CK_EMULATOR_SCHEDULE=random:{self.seed} ck-run "
            f"{self.problem} --chip={self.chip} --schedule={self.schedule}"
        )


def run(case, ck_run, output=None):
    """What is wrong with `case`, or an empty text."""
    environment = dict(
        os.environ, CK_EMULATOR_CUS=str(case.cus), CK_EMULATOR_SCHEDULE=f"random:{case.seed}"
    )
    command = [
        ck_run,
        case.problem,
        "--device=emulator",
        "--chip=" + case.chip,
        "--schedule=" + case.schedule,
        "--format=json",
        f"--seed={case.seed}",
    ]
    if output:
        command += ["--init=normal", "--seed=1", "--output", output]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if case.refused:
        text = done.stderr + done.stdout
        fits = done.returncode == 2 and case.refused in text
        return "" if fits else f"expected to be refused ({case.refused}): {text[:400]}"
    try:
        status = json.loads(done.stdout)["status"]
    except (ValueError, KeyError):
        status = done.stderr.strip()
    return "" if done.returncode == 0 and status == "ok" else f"{status} {done.stderr[-400:]}"


def has_atomics(chip, problem):
    """True if the chip adds results of `problem` up in memory."""
    if "bwd_weight" in problem or ":i8:" in problem:
        return True  # f32 and i32
    return ":bf16:" not in problem and not chip.startswith("gfx110")


def list_small(quick):
    partitions = STREAMS + ["split_k:4", "split_k:3:two_stage", "split_k:auto"]
    roles = ["", "roles=4+4"]
    seeds = itertools.count(1)
    for index, (problem, schedule) in enumerate(SMALL):
        for chip, partition, role in itertools.product(CHIPS, partitions, roles):
            # Quick: each problem on one chip, each partition with one of the roles.
            if quick and (
                CHIPS[index % len(CHIPS)] != chip
                or roles[(index + partitions.index(partition)) % 2] != role
            ):
                continue
            if role and "waves" in schedule:
                rows, columns = schedule.split("waves=")[1].split("x")
                role = f"roles=4+{int(rows) * int(columns)}"
            if partition in ("split_k:4", "split_k:auto") and not has_atomics(chip, problem):
                continue
            cus = (4, 7, 5)[index % 3]
            both = ",".join(filter(None, [schedule, role]))
            yield Case(chip, cus, problem, both, partition, next(seeds))
    for problem, schedule in EPILOGUES:
        for partition in STREAMS + ["split_k:3:two_stage"]:
            yield Case("gfx942", 5, problem, schedule, partition, next(seeds))
    for chip, problem, partition, reason in REFUSED:
        yield Case(chip, 4, problem, "", partition, refused=reason)


def list_layers(filter_text):
    seeds = itertools.count(1)
    for layer, tile in itertools.product(LAYERS, ["16x64x32", "128x128x32"]):
        for partition, cus in itertools.product(STREAMS + SPLITS, (4, 7, 304)):
            if partition in SPLITS and cus != 304:
                continue  # the slices do not depend on it
            case = Case(
                "gfx942",
                cus,
                "conv_bwd_weight:f16:" + layer,
                "tile=" + tile,
                partition,
                next(seeds),
            )
            if filter_text in str(case):
                yield case


def check_determinism(ck_run, schedules):
    """Bits of all results of one case in `schedules` random schedules."""
    failures = []
    problem = "conv_bwd_weight:f16:N=2,K=64,C=64,in=14x14,filter=3x3,pad=1"
    with tempfile.TemporaryDirectory() as folder:
        for partition in STREAMS + ["split_k:4:two_stage"]:
            results = set()
            for seed in range(1, schedules + 1):
                path = os.path.join(folder, "result.npy")
                case = Case(
                    "gfx942", 7, problem, "tile=64x64x32,deterministic=true", partition, seed
                )
                wrong = run(case, ck_run, path)
                if wrong:
                    failures.append(f"{case}: {wrong}")
                    break
                with open(path, "rb") as file:
                    results.add(file.read())
            if len(results) > 1:
                failures.append(f"{partition}: {len(results)} different results")
    return failures


def check_broken(ck_run, ck_run_broken, quick):
    """Leaves out each fence between workgroups: the emulator must say which half is missing."""
    pairs = itertools.product(CHIPS, STREAMS[::2])
    if quick:  # every chip with one of the reductions
        pairs = zip(CHIPS, itertools.cycle(STREAMS[::2]))
    failures = []
    problem = "conv_bwd_weight:f16:N=2,K=64,C=64,in=14x14,filter=3x3,pad=1"
    expected = {"": None, "fence:0": "the acquire misses", "fence:1": "the release misses"}
    for chip, partition in pairs:
        for drop, message in expected.items():
            command = [ck_run_broken, drop] if drop else [ck_run]
            command += [
                problem,
                "--device=emulator",
                "--chip=" + chip,
                f"--schedule=tile=64x64x32,roles=4+4,partition={partition}",
            ]
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env=dict(os.environ, CK_EMULATOR_CUS="7", CK_EMULATOR_SCHEDULE="random:3"),
            )
            right = message in done.stderr if message else done.returncode == 0
            if not right:
                failures.append(f"{' '.join(command)}: {done.stderr[-300:]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run")
    parser.add_argument(
        "--quick", action="store_true", help="a part of the small problems, or of the chips"
    )
    parser.add_argument("--layers", action="store_true", help="the layers instead")
    parser.add_argument("--filter", default="", help="layers whose command contains this")
    parser.add_argument(
        "--deterministic",
        type=int,
        default=0,
        metavar="N",
        help="compare the results of N random schedules instead",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument(
        "--broken",
        metavar="CK_RUN_BROKEN",
        help="leave out fences instead, with this program (test/lib)",
    )
    options = parser.parse_args()
    if options.broken:
        failures = check_broken(options.ck_run, options.broken, options.quick)
        print("\n".join(failures) or "every missing fence is found")
        return 1 if failures else 0
    if options.deterministic:
        failures = check_determinism(options.ck_run, options.deterministic)
        print("\n".join(failures) or f"deterministic in {options.deterministic} schedules")
        return 1 if failures else 0
    cases = list(list_layers(options.filter) if options.layers else list_small(options.quick))

    def timed(case):
        start = time.monotonic()
        return run(case, options.ck_run), time.monotonic() - start

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (wrong, seconds) in zip(cases, pool.map(timed, cases)):
            if wrong or options.verbose:
                print(f"{'FAILED' if wrong else 'ok'} {seconds:.1f} s: {case} {wrong}", flush=True)
            failed += bool(wrong)
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
