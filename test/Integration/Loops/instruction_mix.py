# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the main loops of a kernel consist of, read from its assembly.

Shared by tests that ask for instructions, or their absence, and by the tables of the documentation.
"""

import json
import os
import re
import subprocess
import tempfile
from collections import Counter

KINDS = [
    ("mma", r"v_(s?mfmac?|s?wmmac?)_"),
    ("valu", r"v_(?!nop)"),
    ("global", r"(buffer|global|flat)_(load|store|atomic)"),
    ("lds_write", r"ds_(write|store)"),
    ("lds_read", r"ds_(read|load)"),
    ("scratch", r"scratch_"),
    ("barrier", r"s_barrier"),
    ("wait", r"s_wait"),
    ("scalar", r"s_"),
]
INSTRUCTION = re.compile(r"(v|s|ds|buffer|global|flat|scratch)_")
LABEL = re.compile(r"([.\w$]+):")
BRANCH = re.compile(r"s_c?branch\w*\s+([.\w$]+)")


def get_kind(instruction):
    """The kind of an instruction, "other" for what is none of those above."""
    return next((kind for kind, form in KINDS if re.match(form, instruction)), "other")


def split_blocks(assembly):
    """(instructions, successors) of the basic blocks of the only function in `assembly`."""
    blocks, labels = [[]], {}
    for line in assembly.splitlines():
        text = line.split(";")[0].strip()
        label = LABEL.match(text)
        if label:
            if blocks[-1]:
                blocks.append([])
            labels[label.group(1)] = len(blocks) - 1
        elif INSTRUCTION.match(text):
            blocks[-1].append(text)
            if BRANCH.match(text) or text.startswith("s_endpgm"):
                blocks.append([])
    successors = []
    for number, block in enumerate(blocks):
        last = block[-1] if block else ""
        target = BRANCH.match(last)
        following = [labels[target.group(1)]] if target and target.group(1) in labels else []
        if number + 1 < len(blocks) and not last.startswith(("s_branch", "s_endpgm")):
            following.append(number + 1)
        successors.append(following)
    return blocks, successors


def find_loops(successors):
    """The blocks of every natural loop: what reaches its last block without passing its first."""
    predecessors = [set() for _ in successors]
    for number, following in enumerate(successors):
        for successor in following:
            predecessors[successor].add(number)
    loops = {}
    for last, following in enumerate(successors):
        for head in (block for block in following if block <= last):
            body, open_blocks = {head}, [last]
            while open_blocks:
                block = open_blocks.pop()
                if block not in body:
                    body.add(block)
                    open_blocks += predecessors[block]
            if 0 not in body or head == 0:
                loops.setdefault(head, set()).update(body)
    return [loops[head] for head in sorted(loops)]


def get_loops(assembly):
    """The instructions of every innermost loop that multiplies matrices or loads from global
    memory, in the order of the code."""
    blocks, successors = split_blocks(assembly)
    loops = find_loops(successors)
    bodies = []
    for loop in loops:
        body = [instruction for block in sorted(loop) for instruction in blocks[block]]
        kinds = {get_kind(instruction) for instruction in body}
        if kinds & {"mma", "global"} and not any(other < loop for other in loops):
            bodies.append(body)
    return bodies


def count(loop):
    return Counter(get_kind(instruction) for instruction in loop)


def compile_kernel(problem, chip, schedule, tools=""):
    """(manifest, assembly) of `problem`; fails with the compiler's message."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.join(tools, "ck-compile"), problem, f"--chip={chip}", "--emit=isa"]
        command += [f"--schedule={schedule}", "-o", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{problem} {chip} {schedule}: {done.stderr.strip()}"
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        name = next(name for name in os.listdir(folder) if name.endswith(".s"))
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return manifest, file.read()


def run_checks(checks, *arguments):
    """Runs each (check, case), a function and the strings it gets before `arguments`, and prints
    those that fail an assertion; 0, or 1 if there are any."""
    failed = 0
    for check, case in checks:
        try:
            check(*case, *arguments)
        except AssertionError as error:
            failed += 1
            print(f"FAILED {check.__name__} {' '.join(map(str, case))}: {error}")
    print(f"{len(checks)} checks, {failed} failed")
    return 1 if failed else 0
