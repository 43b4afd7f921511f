#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pastes what a pass makes of its example into the description of the pass.

usage: update_examples.py [--check] [--tools DIR]

The description of a pass ends with `Example: TEST.mlir` and two blocks, the IR before the pass and
behind it, which this script writes: the test without its comments, and what ck-opt prints when it
runs as the first RUN line of the test says. Comments of the test pick the lines of each block:

    // EXAMPLE-BEFORE: REGEX            the next line that matches
    // EXAMPLE-AFTER: REGEX .. REGEX    from the next line that matches up to one that does

Without such a comment a block holds everything. A pass that establishes nothing has the first block
only. With --check no file is written; it is an error if one would change.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from update_lowering import abbreviate, pick  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = [
    f"include/ck-mlir/{name}.td"
    for name in (
        "Transforms/Passes",
        "Transforms/LanePasses",
        "Transforms/ProgramPasses",
        "Transforms/AtCallPasses",
        "Conversion/Passes",
        "Serialize/Passes",
        "Compiler/Passes",
    )
]
EXAMPLE = re.compile(r"([^\n]*\bExample: (test/[\w/.-]+\.mlir)\n)(.*?)(  \}\];\n)", re.S)
COLUMNS = 92


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def run(tools, path):
    """What ck-opt prints for the test `path`."""
    line = re.search(r"RUN: ck-opt %s ([^|\n]*)", read(path))
    if line is None:
        raise ValueError(f"{path} has no line 'RUN: ck-opt %s ...'")
    command = [os.path.join(tools, "ck-opt"), os.path.join(ROOT, path), *shlex.split(line.group(1))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{path}: ck-opt failed: {done.stderr.strip()}")
    return done.stdout


def make_block(title, text, picks):
    """The lines of a description for `text`, of which `picks` pick lines."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    while not lines[0]:
        del lines[0]
    lines = pick(lines, picks) if picks else lines
    shown = [line.rstrip() for line in abbreviate(lines, COLUMNS)]
    shown = [line if len(line) <= COLUMNS else line[: COLUMNS - 3] + "..." for line in shown]
    while not shown[-1]:
        del shown[-1]
    if any("}]" in line for line in shown):
        raise ValueError("TableGen ends a description where the IR has '}]': pick other lines")
    yield from [f"    {title}:", "    ```mlir"]
    yield from (f"    {line}" if line else "" for line in shown)
    yield "    ```"


def update(page, tools):
    def fill(match):
        head, path, _, tail = match.groups()
        test = read(path)
        lines = make_block("Before", test, re.findall(r"// EXAMPLE-BEFORE: (.*)", test))
        if "Establishes: nothing" not in head:
            picks = re.findall(r"// EXAMPLE-AFTER: (.*)", test)
            lines = [*lines, "", *make_block("After", run(tools, path), picks)]
        return "\n".join([head, *lines, tail])

    return EXAMPLE.sub(fill, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--tools", default="", help="directory of ck-opt")
    arguments = parser.parse_args()
    differences = []
    for path in PAGES:
        page = read(path)
        updated = update(page, arguments.tools)
        if not arguments.check:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(updated)
        differences += difflib.unified_diff(
            page.splitlines(), updated.splitlines(), path, "generated", lineterm=""
        )
    if not arguments.check:
        return 0
    print("\n".join(differences) if differences else "the examples of passes are up to date")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
