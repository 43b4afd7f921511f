#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the emulator finds every barrier and every wait for LDS that a kernel lacks.

usage: broken_sync.py [--ck-run=PATH] [--ck-run-broken=PATH] [--quick]

The intact kernel passes under 21 orders of waves, with --quick under 7. ck-run-broken
(test/lib/RunBroken.cpp) leaves out one barrier, or the wait for LDS accesses at one. Without a
barrier the kernel must be reported under some order: as a race in LDS ("race"), a read of LDS that
nobody has written ("unwritten"), or waves that passed different numbers of barriers ("mismatch").
Without a wait it must be reported as well, or, where a wave has no access to LDS in flight at that
barrier, give the right result in all orders; never a wrong result.
"""

import argparse
import concurrent.futures
import functools
import os
import re
import subprocess
import sys
from collections import Counter

PROBLEM = "conv_bwd_weight:f16:N=2,K=64,C=64,in=8x8,filter=3x3,pad=1"
SCHEDULES = [
    "tile=64x64x32,roles=4+4",
    "tile=64x64x32,roles=4+2",
    "tile=64x64x32,roles=4+4,stages=3",
    "tile=64x64x32,roles=uniform",
]
ORDERS = ["", *(f"random:{seed}" for seed in range(1, 21))]
REPORTS = {
    "race": "LDS (load|store).* races with the (load|store)",
    "unwritten": "LDS load.*which no wave has written",
    "mismatch": "waves passed different numbers of barriers",
    "end": "expected barrier:N.* with N below",
}


def run(tool, schedule, order):
    """ "ok", a key of REPORTS, or what else happened. `tool` is ck-run, or ck-run-broken with what
    to leave out."""
    environment = dict(os.environ, CK_EMULATOR_SCHEDULE=order)
    if not order:
        del environment["CK_EMULATOR_SCHEDULE"]
    command = [*tool, PROBLEM, "--chip=gfx942", "--device=emulator", f"--schedule={schedule}"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode == 0:
        return "ok"
    text = done.stdout + done.stderr
    return next((kind for kind, form in REPORTS.items() if re.search(form, text)), text)


def run_broken(broken, schedule, drop, orders):
    """The first report about a kernel without `drop`, or "ok" if there is none in any order."""
    for order in orders:
        outcome = run([broken, drop], schedule, order)
        if outcome != "ok":
            return outcome
    return "ok"


def check(tool, broken, orders, schedule):
    """(what is wrong, outcomes of dropped barriers, outcomes of dropped waits)."""
    failures = []
    for order in orders:
        outcome = run([tool], schedule, order)
        if outcome != "ok":
            failures.append(f"intact kernel under '{order}': {outcome}")
    outcomes = {"barrier": [], "wait": []}
    for kind, found in outcomes.items():
        while (outcome := run_broken(broken, schedule, f"{kind}:{len(found)}", orders)) != "end":
            found.append(outcome)
            known = outcome in REPORTS or (outcome == "ok" and kind == "wait")
            if not known:
                failures.append(f"{kind} {len(found) - 1}: {outcome}")
                break
    # A wave writes LDS in front of two barriers: that of its loop, and the one behind it.
    if sum(outcome != "ok" for outcome in outcomes["wait"]) < 2 or not outcomes["barrier"]:
        failures.append("fewer than two waits are missed")
    return failures, outcomes["barrier"], outcomes["wait"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ck-run", default="ck-run", help="the tool under test")
    parser.add_argument("--ck-run-broken", default="ck-run-broken", help="the one for tests")
    parser.add_argument("--quick", action="store_true", help="two schedules, 7 orders")
    options = parser.parse_args()
    schedules = SCHEDULES[:2] if options.quick else SCHEDULES
    orders = ORDERS[:7] if options.quick else ORDERS
    run_check = functools.partial(check, options.ck_run, options.ck_run_broken, orders)
    failed, total = 0, Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for schedule, result in zip(schedules, pool.map(run_check, schedules)):
            failures, barriers, waits = result
            for failure in failures:
                failed += 1
                print(f"FAILED {schedule}: {failure}")
            print(f"{schedule}: barriers {' '.join(barriers)}; waits {' '.join(waits)}")
            total.update(barriers + waits)
    print(", ".join(f"{total[kind]} {kind}" for kind in ("race", "unwritten", "mismatch", "ok")))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
