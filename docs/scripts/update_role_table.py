#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the table of docs/WaveSpecialization.md from the code of the RetinaNet layers.

usage: update_role_table.py [--tools=DIR] [--print]

Counts the instructions of the main loops of each layer's kernel, with both roles in every wave and
with load waves, with the same tile. Needs ck-compile and no GPU.
"""

import argparse
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "test", "Integration", "Loops")
sys.dont_write_bytecode = True
sys.path.append(TESTS)
from instruction_mix import compile_kernel, count, get_loops  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "WaveSpecialization.md")
TABLE = re.compile(r"(<!-- role table -->\n).*?(<!-- end -->)", re.S)
CHIP = "gfx942"
BATCH = 16
HEAD = [
    "| layer: K, in | tile | MFMA | roles | load: VALU, loads | math: VALU, MFMA | VALU per MFMA |",
    "|---|---|---|---|---|---|---|",
]


def get_row(problem, schedule, tools):
    """The cells of the table. VALU per MFMA are those of all waves of a workgroup in a K step; a
    loop takes as many steps as it has barriers."""
    # Loops of whole tiles; kernels of other partitions have the same, and more.
    schedule = ",".join(filter(None, [schedule, "partition=data_parallel"]))
    manifest, assembly = compile_kernel(problem, CHIP, schedule, tools)
    fields = dict(field.split("=") for field in manifest["schedule"].split(","))
    shape = [fields["tile"], fields["mma"], fields["roles"]]
    mixes = [count(loop) for loop in get_loops(assembly)]
    math = next((mix for mix in mixes if mix["mma"]), None)
    load = next((mix for mix in mixes if mix["global"] and not mix["mma"]), None)
    if not math or (fields["roles"] != "uniform" and not load):
        return [*shape, "too few steps", "for loops", "-"]
    steps = math["barrier"]
    if fields["roles"] == "uniform":
        cells = ["the same", f"{math['valu'] / steps:g}, {math['mma'] / steps:g}"]
        ratio = math["valu"] / math["mma"]
    else:
        load_waves, math_waves = (int(waves) for waves in fields["roles"].split("+"))
        valu, loads = load["valu"] / load["barrier"], load["global"] / load["barrier"]
        mma = math["mma"] / steps
        cells = [f"{valu:g}, {loads:g}", f"{math['valu'] / steps:g}, {mma:g}"]
        ratio = (valu * load_waves + math["valu"] / steps * math_waves) / (mma * math_waves)
    return [*shape, *cells, f"{ratio:.2f}"]


def make_table(tools):
    with open(os.path.join(TESTS, "Inputs", "retinanet.json"), encoding="utf-8") as file:
        problems = [entry["problem"] for entry in json.load(file)["problems"]]
    # The file has batches of 1, for the emulator; of these most kernels are too short for loops.
    problems = [problem.replace(":N=1,", f":N={BATCH},") for problem in problems]
    lines = list(HEAD)
    for problem in problems:
        sizes = dict(re.findall(r"(\w+)=(\w+)", problem))
        layer = f"{sizes['K']}, {sizes['in']}" + (", stride 2" if "stride" in sizes else "")
        chosen = get_row(problem, "", tools)
        assert chosen[2] != "uniform", f"{problem}: expected load waves to be chosen"
        uniform = get_row(problem, f"tile={chosen[0]},mma={chosen[1]},roles=uniform", tools)
        for cells in (uniform, chosen):
            lines.append("| " + " | ".join([layer, *cells]) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="", help="folder of the tools; default: PATH")
    parser.add_argument("--print", action="store_true", help="print the table, change nothing")
    arguments = parser.parse_args()
    table = make_table(arguments.tools)
    if arguments.print:
        print(table, end="")
        return
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(TABLE.sub(lambda match: match.group(1) + table + match.group(2), page))


if __name__ == "__main__":
    main()
