#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the tables of docs/emulator/supported.md from what ck-emulate prints.

usage: update_emulator.py [--check]

Needs ck-emulate in PATH. With --check nothing is written; status 1 if the page is not what would be
written.
"""

import subprocess
import sys

import page_tables

# One chip of each instruction set.
CHIPS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]


def run(*options):
    """(executed, refused) names that ck-emulate prints."""
    command = ["ck-emulate", *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = {"executed": [], "refused": []}
    for line in text.splitlines():
        state, name = line.split()
        names[state].append(name)
    return names["executed"], names["refused"]


def quote(names):
    return ", ".join(f"`{name}`" for name in names)


def function_table():
    executed, refused = run("--list-functions")
    lines = [f"{len(executed)} functions are executed, {len(refused)} are refused."]
    return "\n".join(lines + ["", "| refused |", "|---|", f"| {quote(refused)} |"])


def by_chips(names):
    """Names by the chips that have them: a list of (chips, names), the most chips first."""
    chips_of = {}
    for chip in CHIPS:
        for name in names[chip]:
            chips_of.setdefault(name, []).append(chip)
    groups = {}
    for name, chips in sorted(chips_of.items()):
        groups.setdefault(tuple(chips), []).append(name)
    order = sorted(groups, key=lambda chips: (-len(chips), [CHIPS.index(c) for c in chips]))
    return [(chips, groups[chips]) for chips in order]


def instruction_table():
    executed, refused = {}, {}
    for chip in CHIPS:
        executed[chip], refused[chip] = run(f"--list-instructions={chip}")
    lines = ["| chip | executed | refused |", "|---|---|---|"]
    lines += [f"| {chip} | {len(executed[chip])} | {len(refused[chip])} |" for chip in CHIPS]
    for title, names in (("refused", refused), ("executed", executed)):
        lines += ["", f"| {title} on | instructions |", "|---|---|"]
        lines += [f"| {', '.join(chips)} | {quote(group)} |" for chips, group in by_chips(names)]
    return "\n".join(lines)


def make_tables():
    return {"functions": function_table(), "instructions": instruction_table()}


if __name__ == "__main__":
    sys.exit(page_tables.run(__doc__.splitlines()[0], "docs/emulator/supported.md", make_tables))
