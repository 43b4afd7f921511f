#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables and pictures of docs/selection from logs of `ck-tune --log`.

usage: update_selection.py LOG...

Each log has the trials of one chip. Those of the layers that test/Integration/Selection names and
that belong to the sets below are shown: what is chosen, and the fastest schedule that was tried of
each kind. A layer whose chosen schedule was not tried is left out, and named.
"""

import argparse
import html
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path += [os.path.join(ROOT, "test", "Emulator", name) for name in ("Timing", "Foreign")]

import tables  # noqa: E402

INPUTS = os.path.join(ROOT, "test", "Integration", "Selection", "Inputs")
FOLDER = os.path.join(ROOT, "docs", "selection")
SETS = {
    "retinanet": "The backward-weight layers of RetinaNet",
    "streamk": "The layers of Composable Kernel's table of StreamK",
    "resnet50": "ResNet-50, all directions",
}
KINDS = {
    "uniform": lambda fields: fields.get("roles") == "uniform",
    "load waves": lambda fields: fields.get("roles", "uniform") != "uniform",
    "data-parallel": lambda fields: fields["partition"] == "data_parallel",
    "Split-K": lambda fields: fields["partition"].startswith("split_k"),
    "StreamK": lambda fields: fields["partition"].startswith("stream_k"),
}
INTRODUCTION = [
    "`docs/scripts/update_selection.py` writes this page ([how](../Selection.md"
    "#layers-of-known-networks)). Times are microseconds by the model of",
    "the chip, not measured. The columns after the choice have the fastest schedule of each kind "
    "that was tried; `-` says that none was.",
]
COLORS = ["#edae49", "#d1495b", "#30638e", "#6a994e", "#a23b72"]
ROW, LEFT, SCALE, TOP = 15, 420, 320, 44


def fields_of(text):
    return dict(field.split("=", 1) for field in text.split(","))


def read_trials(path):
    """The chip, and by problem the modelled time of each schedule."""
    chips, problems = set(), {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            trial = json.loads(line)
            chips.add(trial["chip"])
            if trial.get("modelled_us"):
                times = problems.setdefault(trial["problem"], {})
                times[trial["schedule"]] = trial["modelled_us"]
    if len(chips) != 1:
        raise ValueError(f"{path}: expected the trials of one chip, got {sorted(chips)}")
    return chips.pop(), problems


def read_layers():
    """Problems by set."""
    with open(os.path.join(INPUTS, "problems.json"), encoding="utf-8") as file:
        entries = json.load(file)["problems"]
    return {
        name: [e["problem"] for e in entries if e["name"].split("/")[0] == name] for name in SETS
    }


def read_choices(chip):
    with open(os.path.join(INPUTS, f"{chip}.golden"), encoding="utf-8") as file:
        return dict(line.split() for line in file if not line.startswith("#"))


def published():
    """Published speed-ups of Composable Kernel's on an MI355X, by problem with a batch of 1 or as
    published."""
    ratios = {}
    for k, size, stride, ratio in tables.LAYERS_3X3:
        problem = tables.weight_problem(1, k, 256, size, stride, 3)
        ratios[problem] = "load waves not fastest" if ratio is None else f"load waves {ratio}"
    for n, k, c, size, taps, ratio in tables.STREAM_K:
        problem = tables.weight_problem(n, k, c, size, 1, taps)
        ratios[problem] = f"StreamK / Split-K {ratio}"
    return ratios


def best_of(times, kind):
    found = [us for schedule, us in times.items() if KINDS[kind](fields_of(schedule))]
    return min(found) if found else None


def make_rows(problems, choices, trials):
    """Of each problem the schedule, its time and the best times by kind."""
    rows, missing = [], []
    for problem in problems:
        times, choice = trials.get(problem, {}), choices[problem]
        if choice in times:
            kinds = {kind: best_of(times, kind) for kind in KINDS}
            rows.append((problem, choice, times[choice], min(times.values()), kinds))
        else:
            missing.append(problem)
    return rows, missing


def table(rows, ratios):
    shows = any(problem in ratios for problem, *_ in rows)
    head = ["layer", "chosen", "us", "best / chosen", *KINDS] + ["published"] * shows
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for problem, choice, us, best, kinds in rows:
        cells = [f"`{problem}`", f"`{choice}`", f"{us:.1f}", f"{best / us:.2f}"]
        cells += [f"{kinds[kind]:.1f}" if kinds[kind] else "-" for kind in KINDS]
        cells += [ratios.get(problem, "")] * shows
        yield "| " + " | ".join(cells) + " |"


def picture(title, rows):
    """Of each layer a line, on which the best of each kind stands at its relative speed."""
    height, width = TOP + ROW * len(rows) + 8, LEFT + int(1.5 * SCALE) + 20
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        ' font-family="sans-serif" font-size="10">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="4" y="14" font-size="12">{html.escape(title)}</text>',
    ]
    for i, kind in enumerate(KINDS):
        x = LEFT + i * 95
        shapes.append(f'<circle cx="{x}" cy="24" r="4" fill="{COLORS[i]}"/>')
        shapes.append(f'<text x="{x + 8}" y="28">{kind}</text>')
    line = LEFT + SCALE
    shapes.append(f'<path d="M{line} {TOP - 6}V{height}" stroke="#888"/>')
    shapes.append(f'<text x="{line - 20}" y="{TOP - 8}">the choice</text>')
    for i, (problem, _, us, _, kinds) in enumerate(rows):
        y = TOP + ROW * i + 8
        shapes.append(f'<text x="4" y="{y + 3}">{html.escape(problem)}</text>')
        for color, (kind, best) in zip(COLORS, kinds.items()):
            if best:
                x = LEFT + SCALE * min(1.5, us / best)
                shapes.append(f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{color}" opacity="0.8">'
                              f"<title>{kind}: {best:.1f} us</title></circle>")  # fmt: skip
    return "\n".join([*shapes, "</svg>"]) + "\n"


def write_chip(chip, trials):
    """The page and the pictures of a chip; returns the problems that are left out."""
    layers, choices, ratios = read_layers(), read_choices(chip), published()
    lines = [
        f"# What is chosen on {chip}",
        "",
        *INTRODUCTION,
    ]
    missing = []
    for name, title in SETS.items():
        rows, left_out = make_rows(layers[name], choices, trials)
        missing += left_out
        if not rows:
            continue
        total, best = sum(row[2] for row in rows), sum(row[3] for row in rows)
        lines += ["", f"## {title}", "", f"![speeds by kind of schedule]({chip}-{name}.svg)", ""]
        lines += [
            f"{len(rows)} layers, {total:.0f} us with the choices, {best:.0f} us with the best "
            "that was tried.",
            "",
            *table(rows, ratios if chip == "gfx950" else {}),
        ]
        with open(os.path.join(FOLDER, f"{chip}-{name}.svg"), "w", encoding="utf-8") as file:
            file.write(picture(f"{title}, {chip}: speed relative to the choice", rows))
    with open(os.path.join(FOLDER, f"{chip}.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", metavar="LOG", help="written by ck-tune --log")
    for path in parser.parse_args().logs:
        chip, trials = read_trials(path)
        for problem in write_chip(chip, trials):
            print(f"{chip} {problem}: the chosen schedule was not tried")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError) as error:
        print(f"update_selection: error: {error}", file=sys.stderr)
        sys.exit(2)
