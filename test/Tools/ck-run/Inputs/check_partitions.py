# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the three forms of a partition report against each other.

usage: check_partitions.py REPORT.txt REPORT.json REPORT.svg

The JSON object has a line of the text for each partition, in the same order; the boxes of the image
cover every K step of every tile once, in time that is proportional to it, and no two overlap.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
TITLE = r"workgroup (\d+): tile (\d+), K steps (\d+) to (\d+) of (\d+), contributor (\d+) of (\d+)"


def check_text(lines, report):
    """Every partition of `report` has its line among `lines`."""
    start = next(i for i, line in enumerate(lines) if line.startswith("partition "))
    rows = lines[start + 1 :]
    # 18 partitions, and the one that would run.
    assert len(rows) == len(report["partitions"]) in (18, 19), len(rows)
    total = sum(
        g["groups"] * g["rows"] * g["columns"] * max(g["k_steps"], 1) for g in report["gemms"]
    )
    places = report["compute_units"] * report["occupancy"]
    for row, partition in zip(rows, report["partitions"]):
        cells = re.split(r" {2,}", row)
        assert len(cells) == len(re.split(r" {2,}", lines[start])) == 13, row
        low, high = partition["min_steps"], partition["max_steps"]
        assert cells[0] == partition["partition"], row
        assert cells[2:5] == [str(partition[k]) for k in ("workgroups", "rounds", "span")], row
        assert cells[5] == f"{100 * partition['efficiency']:.1f} %", row
        assert cells[6] == (str(low) if low == high else f"{low} to {high}"), row
        counts = ("atomic_tiles", "partial_tiles_stored", "partial_tiles_loaded", "depth")
        assert cells[7:11] == [str(partition[k]) for k in counts], row
        assert abs(partition["efficiency"] - total / (places * partition["span"])) < 1e-9, row
        assert partition["rounds"] == -(-partition["workgroups"] // places), row


def check_panel(panel, partition, report):
    """The boxes of one timeline."""
    steps, boxes = {}, {}
    scale = None
    for box in panel.findall(NAMESPACE + "rect"):
        title = box.find(NAMESPACE + "title")
        match = re.match(TITLE, title.text) if title is not None else None
        if not match:
            continue
        _, tile, begin, end, size, _, _ = map(int, match.groups())
        assert 0 <= begin < end <= size, title.text
        for step in range(begin, end):
            assert (tile, step) not in steps, title.text
            steps[tile, step] = True
        x, y, width = (float(box.get(name)) for name in ("x", "y", "width"))
        boxes.setdefault(y, []).append((x, x + width))
        scale = scale or width / (end - begin)
        assert abs(width - scale * (end - begin)) < 2, "a width that is not proportional"
    tiles = sum(g["groups"] * g["rows"] * g["columns"] for g in report["gemms"])
    assert len(steps) == tiles * report["gemms"][0]["k_steps"], len(steps)
    assert len(boxes) == min(report["compute_units"], partition["workgroups"]), len(boxes)
    for row in boxes.values():
        row.sort()
        for (_, end), (begin, _) in zip(row, row[1:]):
            assert begin >= end - 0.01, "boxes that overlap"


def main(text, data, image):
    with open(text, encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open(data, encoding="utf-8") as file:
        report = json.load(file)
    check_text(lines, report)
    partitions = {p["partition"]: p for p in report["partitions"]}
    panels = ElementTree.parse(image).getroot().findall(NAMESPACE + "g")
    names = [panel.get("id") for panel in panels]
    runs = re.search(r"partition=([\w:]+)", report["schedule"])[1]
    assert names[0] == runs and len(set(names)) == len(names), (names, runs)
    assert "data_parallel" in names, names
    assert any(name.startswith("stream_k:") for name in names), names
    assert any(name.startswith("split_k:") for name in names), names
    for panel in panels:
        check_panel(panel, partitions[panel.get("id")], report)


main(*sys.argv[1:])
