#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the recipe for a chip of the emulator names every file that a chip takes.

usage: check_chip_recipe.py SOURCE_DIR

These are the files that list the chips, and those of the emulator that ask for an instruction set.
The names are those in the section "A chip" of docs/emulator/extending.md; a folder stands for all
that is in it. Pages that a script writes are named by their script.
"""

import os
import re
import sys

PAGE = "docs/emulator/extending.md"
FOLDERS = ["lib/Emulator", "include/ck-mlir/Emulator", "test/Emulator", "test/fuzz", "test/Unit"]
FOLDERS += ["docs/emulator", "docs/scripts"]
WRITTEN = {"docs/emulator/parameters.md", "docs/emulator/supported.md"}
ENDINGS = (".h", ".cpp", ".md", ".py", ".txt", ".test", ".cmake")
CHIP = re.compile(r'\{"(gfx\w+)", "[^"]+", "AMD ')
ISA = re.compile(r"\bIsa::Gfx\w+")
# Unit tests name instruction sets and chips because they are of them.
OF_A_CHIP = re.compile(r"test/Unit/(Chip|Schedule|Tune)/")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def find_files(root):
    yield "README.md"
    for folder in FOLDERS:
        for directory, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith(ENDINGS):
                    yield os.path.relpath(os.path.join(directory, name), root)


def get_section(text, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.S | re.M).group(1)


def lists_chips(text, chips):
    """True when two lines that follow one another name most of the chips."""
    names = re.compile(r"\b(?:" + "|".join(chips) + r")\b")
    lines = text.splitlines()
    pairs = zip(lines, lines[1:] + [""])
    return any(len(set(names.findall("\n".join(pair)))) >= len(chips) - 2 for pair in pairs)


def find_missing(root):
    recipe = get_section(read(root, PAGE), "A chip")
    named = set(re.findall(r"`([\w./-]+)`", recipe))
    chips = sorted(set(CHIP.findall(read(root, "lib/Emulator/Chip/Products.cpp"))))
    if len(chips) < 5:
        raise ValueError(f"expected the chips in lib/Emulator/Chip/Products.cpp, got {chips}")
    for path in find_files(root):
        if path in named | WRITTEN | {PAGE} or OF_A_CHIP.match(path):
            continue
        if any(path.startswith(folder + "/") for folder in named):
            continue
        text = read(root, path)
        if lists_chips(text, chips):
            yield f"{path} lists the chips"
        elif path.startswith("lib/Emulator/") and ISA.search(text):
            yield f"{path} asks for an instruction set"


def main():
    missing = list(find_missing(sys.argv[1]))
    for line in missing:
        print(f"{line}, but the recipe for a chip in {PAGE} does not name it")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
