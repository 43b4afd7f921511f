#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the IR of docs/Lowering.md from ck-opt.

usage: update_lowering.py [--check] [--tools DIR]

A block of the page begins with a comment that names a form and picks lines of its IR, in order:

    <!-- ir FORM
    REGEX            the next line that matches
    REGEX .. REGEX   the next line that matches the first, up to one that matches the second
    -->

and is followed by a fenced block, which this script replaces. Abbreviated on the way: lines that
are left out between picks become "// ...", lines over 116 columns are wrapped and cut after the
third part, numbered values are numbered anew in each block. With --check the page is not written;
it is an error if it would change.
"""

import argparse
import difflib
import functools
import os
import re
import subprocess
import sys
import textwrap

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Lowering.md")
PROBLEM = "conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1"
SCHEDULE = "tile=64x128x32,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel"
COLUMNS = 116
PARTS = 3  # of a long line
BLOCK = re.compile(r"(<!-- ir ([\w-]+)\n(.*?)-->\n```mlir\n)(.*?)(```)", re.S)


@functools.lru_cache(maxsize=None)
def get_ir(tools, form):
    """The lines of the running example in `form`."""
    problem = subprocess.run(
        [os.path.join(tools, "ck-gen"), PROBLEM], capture_output=True, text=True, check=True
    ).stdout
    options = f"verify-forms=true schedule={SCHEDULE}"
    command = [os.path.join(tools, "ck-opt"), f"--ck-lower-to-{form}={options}"]
    lowered = subprocess.run(command, input=problem, capture_output=True, text=True, check=True)
    return tuple(lowered.stdout.splitlines())


def pick(lines, picks):
    """The picked lines with "// ..." for each gap; an error names the pick that matches nothing."""
    result, position = [], None
    for text in picks:
        first, _, last = text.partition(" .. ")
        start = find(lines, first, position or 0)
        end = find(lines, last, start + 1) if last else start
        if position is not None and start > position:
            indent = re.match(r" *", lines[start]).group(0)
            result.append(indent + "// ...")
        result += lines[start : end + 1]
        position = end + 1
    return result


def find(lines, regex, start):
    for number in range(start, len(lines)):
        if re.search(regex, lines[number]):
            return number
    raise ValueError(f"no line matches '{regex}'")


def abbreviate(lines, columns=COLUMNS):
    """`lines` moved to the left, with long ones wrapped and cut, and values numbered anew."""
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    numbers = {}

    def renumber(match):
        return f"%{numbers.setdefault(match.group(1), len(numbers))}"

    for line in lines:
        line = re.sub(r"%(\d+)\b", renumber, line[indent:]).rstrip()
        own = len(line) - len(line.lstrip())
        parts = textwrap.wrap(
            line.lstrip(),
            columns,
            initial_indent=" " * own,
            subsequent_indent=" " * (own + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from parts[:PARTS]
        if len(parts) > PARTS:
            yield " " * (own + 4) + "..."


def update(page, tools):
    def fill(match):
        head, form, picks, _, tail = match.groups()
        lines = pick(get_ir(tools, form), picks.strip().splitlines())
        return head + "\n".join(abbreviate(lines)) + "\n" + tail

    return BLOCK.sub(fill, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--tools", default="", help="directory of ck-gen and ck-opt")
    arguments = parser.parse_args()
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    updated = update(page, arguments.tools)
    if arguments.check:
        difference = difflib.unified_diff(
            page.splitlines(), updated.splitlines(), "docs/Lowering.md", "generated", lineterm=""
        )
        lines = list(difference)
        print("\n".join(lines) if lines else "docs/Lowering.md is up to date")
        return 1 if lines else 0
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
