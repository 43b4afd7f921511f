#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fills the tables of docs/emulator/parameters.md from the emulator's sources.

usage: update_timing.py [--check]

With --check nothing is written; status 1 if the page is not what would be written.
"""

import os
import re
import sys

import page_tables

PARAMETERS = [f"lib/Emulator/Timing/{name}Parameters.cpp" for name in ("Unit", "Memory")]
PRODUCTS = "lib/Emulator/Chip/Products.cpp"
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROW = re.compile(
    rf"\{{&P::(\w+),\s*Kind::\w+,\s*{TEXT},\s*{TEXT},\s*{TEXT}"
    rf"(?:,\s*\[\][^}}]*\}},\s*{TEXT})?\}}"
)
FIGURES = [f"lib/Emulator/Chip/{name}Figures.cpp" for name in ("Cdna", "Rdna")]
CHIP = re.compile(
    r"static constexpr TimingFigure kGfx(\w+)Rows\[\] = \{(.*?)\n\};\n"
    r"constexpr TimingFigures ckemu::kGfx\1Figures = \{(?:nullptr|&kGfx(\w+)Figures),",
    re.S,
)
FIGURE = re.compile(rf"\{{&P::(\w+), ([^,\"]+),\s*{TEXT}\}}")
TABLE = re.compile(r"static constexpr ParameterRow (k\w+)\[\] = \{(.*?)\n\};", re.S)
TITLE = re.compile(r'\{"([^"]+)", (k\w+)\}')
PRODUCT = re.compile(rf"\{{{TEXT}, {TEXT}, {TEXT},([^\"]*),\s*{TEXT}\}}")
CHIPS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]
PRODUCT_HEAD = [
    "| `CK_EMULATOR_CHIP` | product | units | XCDs | MHz | L2 of an XCD | MALL, GB/s "
    "| memory, GB/s | `power_share` | source |",
    "|---|---|---|---|---|---|---|---|---|---|",
]


def read(path):
    with open(os.path.join(page_tables.ROOT, path), encoding="utf-8") as file:
        return file.read()


def join(literals):
    """The text of string literals beside each other."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def evaluate(expression):
    """A product of numbers and of kKiB, kMiB and kGiB."""
    value = 1.0
    for factor in expression.split("*"):
        factor = factor.strip()
        units = {"kKiB": 2**10, "kMiB": 2**20, "kGiB": 2**30}
        value *= units.get(factor) or float(factor)
    return value


def show(value):
    for size, name in ((2**30, "Gi"), (2**20, "Mi"), (2**10, "Ki")):
        if value >= size and value % size == 0:
            return f"{value / size:g} {name}"
    return f"{value:g}"


def read_figures():
    """For each chip the chip that it is derived from, and its own figures: value and source."""
    chips = {}
    for path in FIGURES:
        text = read(path)
        for chip, body, base in CHIP.findall(text):
            figures = {name: (value, join(origin)) for name, value, origin in FIGURE.findall(body)}
            if len(figures) != body.count("{&P::"):
                raise ValueError(f"{path}: not every figure of gfx{chip} was understood")
            chips["gfx" + chip] = ("gfx" + base if base else None, figures)
    if set(chips) != set(CHIPS):
        raise ValueError(f"expected figures of {CHIPS}, got {sorted(chips)}")
    return chips


def find_figure(chips, chip, name):
    base, figures = chips[chip]
    return figures[name] if name in figures else find_figure(chips, base, name)


def describe(row, chips):
    """A line of the table; a parameter of products has no values of its own."""
    member, name, unit, meaning, of_product = row
    if of_product:
        values, origin = ["of the product"] + [""] * (len(CHIPS) - 1), join(of_product)
    else:
        values = [show(evaluate(find_figure(chips, chip, member)[0])) for chip in CHIPS]
        origins = {chip: chips[chip][1][member][1] for chip in CHIPS if member in chips[chip][1]}
        first = [chip for chip in origins if chips[chip][0] is None]
        rest = [chip for chip in origins if chip not in first]
        origin = "; ".join(
            f"{chip}: {origins[chip]}" if rest else origins[chip] for chip in first + rest
        )
    cells = [f"`{join(name)}`", join(unit), join(meaning), *values, origin]
    return "| " + " | ".join(cells) + " |"


def parameter_tables():
    lines, chips = [], read_figures()
    for source in PARAMETERS:
        text = read(source)
        titles = {name: title for title, name in TITLE.findall(text)}
        count = 0
        for name, body in TABLE.findall(text):
            rows = ROW.findall(body)
            count += len(rows)
            lines += ["", f"**{titles[name]}**", ""]
            lines.append("| parameter | unit | meaning | " + " | ".join(CHIPS) + " | source |")
            lines.append("|---" * (len(CHIPS) + 4) + "|")
            lines += [describe(row, chips) for row in rows]
        if count != text.count("{&P::"):
            raise ValueError(f"{source}: not every row was understood")
    return "\n".join(lines[1:])


def product_table():
    lines, text = list(PRODUCT_HEAD), read(PRODUCTS)
    rows = PRODUCT.findall(text)
    if len(rows) != text.count(' "AMD '):
        raise ValueError(f"{PRODUCTS}: not every row was understood")
    for chip, name, device, numbers, origin in rows:
        values = [evaluate(number) for number in numbers.split(",")]
        units, xcds, clock, l2, _, mall, mall_speed, memory, speed, _, _, power = map(show, values)
        cells = [f"`{join(chip)}:{join(name)}`", join(device).replace(" (ck-mlir emulator)", "")]
        cells += [units, xcds, clock, l2, f"{mall}, {mall_speed}" if values[5] else "none"]
        cells += [f"{memory}, {speed}", power, join(origin)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def make_tables():
    return {"parameters": parameter_tables(), "products": product_table()}


if __name__ == "__main__":
    sys.exit(page_tables.run(__doc__.splitlines()[0], "docs/emulator/parameters.md", make_tables))
