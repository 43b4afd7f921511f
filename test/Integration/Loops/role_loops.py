#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that load and math waves have nothing of each other's work in their loops.

usage: role_loops.py [--tools=DIR] [--quick]

For 3x3 backward-weight in f16 on gfx942: a loop with matrix instructions holds no other vector
instruction, no global access and no LDS write; a load loop holds no matrix instruction; no kernel
uses scratch memory. With the hint `loads` the load loop writes LDS first, then loads, and then
computes the addresses of the next step; without it the order is another.
"""

import argparse
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from instruction_mix import compile_kernel, count, get_kind, get_loops, run_checks  # noqa: E402

CHIP = "gfx942"
LAYERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs", "retinanet.json")
EXAMPLES = [
    "conv_bwd_weight:f16:N=8,K=256,C=256,in=28x28,filter=3x3,pad=1",
    "conv_bwd_weight:f16:N=2,K=64,C=64,in=8x14x14,filter=3x3x3,pad=1",
]
TILES = ["tile=128x128x32", "tile=64x64x64", "tile=128x64x32", "tile=64x128x32"]


def get_steps(problem, schedule):
    """K steps of a tile in 2D backward-weight with a filter of 3x3 and pads of 1; many in 3D."""
    sizes = re.search(r"N=(\d+).*in=(\d+)x(\d+),", problem)
    stride = 2 if "stride=2" in problem else 1
    n, h, w = (int(size) for size in sizes.groups()) if sizes else (64, 8, 8)
    tile_k = int(re.search(r"tile=\d+x\d+x(\d+)", schedule).group(1))
    return -(-n * ((h - 1) // stride + 1) * ((w - 1) // stride + 1) // tile_k)


def get_kernel(problem, schedule, tools):
    """(math loops, load loops, assembly); fails if the kernel has scratch memory, or has no such
    loops though its steps are more than the slots of the ring twice over."""
    # The loops are those of whole tiles; kernels of other partitions have the same, and more.
    schedule = ",".join(filter(None, [schedule, "partition=data_parallel,copies=staged"]))
    manifest, assembly = compile_kernel(problem, CHIP, schedule, tools)
    assert all(k["scratch_bytes"] == 0 for k in manifest["kernels"]), "expected no scratch memory"
    loops = get_loops(assembly)
    math = [loop for loop in loops if count(loop)["mma"]]
    load = [loop for loop in loops if not count(loop)["mma"] and count(loop)["lds_write"]]
    stages = re.search(r"stages=(\d+)", manifest["schedule"])
    if get_steps(problem, manifest["schedule"]) >= 2 * int(stages[1] if stages else 2):
        assert math and load, "expected a math and a load loop"
    return math, load, assembly


def check_loops(problem, schedule, tools):
    math, load, _ = get_kernel(problem, schedule, tools)
    for loop in math:
        mix = count(loop)
        assert mix["lds_read"] and mix["barrier"], mix
        for kind in ("valu", "global", "lds_write", "scratch", "other"):
            assert not mix[kind], f"expected a math loop without {kind}, got {dict(mix)}"
    for loop in load:
        mix = count(loop)
        assert mix["global"] and mix["barrier"] and not mix["lds_read"], mix


def check_order(problem, schedule, tools):
    """The orders of instructions that hints ask for, and that they come from the hints."""
    for hints in ("loads+priority", "loads", "priority", "none"):
        _, (load,), assembly = get_kernel(problem, f"{schedule},hints={hints}", tools)
        kinds = [get_kind(instruction) for instruction in load]
        last_write = len(kinds) - 1 - kinds[::-1].index("lds_write")
        last_load = len(kinds) - 1 - kinds[::-1].index("global")
        in_order = last_write < kinds.index("global") and "valu" in kinds[last_load:]
        asked = "loads" in hints
        assert in_order == asked, f"hints={hints}: writes, loads, addresses in order: {in_order}"
        priorities = assembly.count("s_setprio 1")
        asked = "priority" in hints
        assert priorities == asked, f"hints={hints}: {priorities} s_setprio"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="", help="folder of the tools; default: PATH")
    parser.add_argument("--quick", action="store_true", help="layers with one number of math waves")
    options = parser.parse_args()
    tools = options.tools
    with open(LAYERS, encoding="utf-8") as file:
        layers = [layer["problem"] for layer in json.load(file)["problems"]]
    cases = [(problem, f"roles={roles}") for problem in layers for roles in ("4+4", "4+2")]
    if options.quick:  # of the same layers in turn
        cases = [case for i, case in enumerate(cases) if i // 2 % 2 == i % 2]
    for problem in EXAMPLES:
        for tile in TILES:
            roles = ["4+4"] if tile == TILES[0] else ["4+4", "4+2"]
            cases += [(problem, f"{tile},roles={role}") for role in roles]
    checks = [(check_loops, case) for case in cases]
    checks += [(check_order, (EXAMPLES[0], tile + ",roles=4+4")) for tile in TILES]
    return run_checks(checks, tools)


if __name__ == "__main__":
    sys.exit(main())
