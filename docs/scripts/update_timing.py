#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the table of parameters of docs/Timing.md from the emulator's sources.

usage: update_timing.py [--check]

With --check nothing is written; status 1 if the page is not what would be written.
"""

import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "Timing.md")
SOURCES = [f"lib/Emulator/Timing/{name}Parameters.cpp" for name in ("Unit", "Memory")]
TABLE = re.compile(r"(<!-- parameters -->\n).*?(<!-- end -->)", re.S)
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROW = re.compile(rf"\{{&P::\w+,\s*{TEXT},\s*{TEXT},\s*{TEXT},([^\"]*),\s*{TEXT}\}}")
HEAD = [
    "| parameter | meaning | gfx90a | gfx942 | gfx950 | gfx1100 | gfx1201 | source |",
    "|---|---|---|---|---|---|---|---|",
]


def join(literals):
    """The text of string literals beside each other."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def evaluate(expression):
    """A product of numbers and of kKiB and kMiB."""
    value = 1.0
    for factor in expression.split("*"):
        factor = factor.strip()
        value *= {"kKiB": 2**10, "kMiB": 2**20}.get(factor) or float(factor)
    return f"{value:g}" if value < 1e6 else f"{value / 2**20:g} Mi"


def read_rows():
    lines = []
    for source in SOURCES:
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            text = file.read()
        rows = ROW.findall(text)
        if len(rows) != text.count("{&P::"):
            raise ValueError(f"{source}: not every row was understood")
        for name, unit, meaning, numbers, origin in rows:
            values = [evaluate(number) for number in numbers.split(",")]
            cells = [f"`{join(name)}`", f"{join(unit)} {join(meaning)}", *values, join(origin)]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description="Fills the table of docs/Timing.md.")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    arguments = parser.parse_args()
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    table = "\n".join(HEAD + read_rows())
    updated = TABLE.sub(lambda match: f"{match[1]}{table}\n{match[2]}", page)
    if arguments.check:
        print(f"docs/Timing.md is {'up to date' if updated == page else 'out of date'}")
        return updated != page
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
