#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every matrix instruction of every chip of the chip table, named by a schedule.

A product of sizes that no tile divides is compiled with it. The code must hold that instruction and
keep every register, and where the emulator has the chip the result must be the reference's.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_chips  # noqa: E402

PROBLEM = "gemm:{type}:M=70,N=50,K=150"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def check(tools, chip, inst, folder):
    """What is wrong with the instruction `inst` of `chip`, or nothing."""
    problem = PROBLEM.format(**inst)
    schedule = "mma={m}x{n}x{k}".format(**inst)
    out = os.path.join(folder, "{chip}.{type}.{m}x{n}x{k}".format(chip=chip["name"], **inst))
    done = run(
        os.path.join(tools, "ck-compile"),
        problem,
        "--chip=" + chip["name"],
        "--schedule=" + schedule,
        "--emit=isa",
        "-o",
        out,
    )
    if done.returncode:
        return done.stderr.strip()
    with open(os.path.join(out, "manifest.json")) as file:
        kernel = json.load(file)["kernels"][0]
    if kernel["scratch_bytes"] or kernel["sgpr_spills"] or kernel["vgpr_spills"]:
        return "registers are spilled"
    assembly = next(name for name in os.listdir(out) if name.endswith(".s"))
    with open(os.path.join(out, assembly)) as file:
        text = file.read()
    name = "v_{kind}_{acc_type}_{m}x{n}x{k}[_a-z]".format(**inst)
    if inst["kind"] == "fma":  # in pairs, or alone
        name = "v_(dual_fmac|fmac|fma)_{held_type}".format(**inst)
    if not re.search(rf"\s{name}", text):
        return f"no {name} in the code"
    if chip["emulated"]:
        done = run(
            os.path.join(tools, "ck-run"),
            problem,
            "--chip=" + chip["name"],
            "--schedule=" + schedule,
        )
        if done.returncode:
            return (done.stderr + done.stdout[-300:]).strip()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="", help="folder of the tools; default: PATH")
    parser.add_argument("--executed", action="store_true", help="chips of the emulator only")
    options = parser.parse_args()
    cases = [
        (chip, inst)
        for chip in list_chips(os.path.join(options.tools, "ck-gen")).values()
        for inst in chip["matrix_instructions"]
        if chip["emulated"] or not options.executed
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(
        os.cpu_count()
    ) as pool:
        results = pool.map(lambda case: check(options.tools, *case, folder), cases)
        for (chip, inst), reason in zip(cases, results):
            if reason:
                failed += 1
                print(chip["name"], "{kind} {m}x{n}x{k} {type}: ".format(**inst) + reason)
    print(f"{len(cases)} instructions, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
