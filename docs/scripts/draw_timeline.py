#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the waves of a compute unit from a trace of the model of time: docs/pictures/timeline.svg.

usage: draw_timeline.py TRACE.json [--unit=0] -o PICTURE.svg

TRACE.json is what `ck-run --time --trace=TRACE.json` writes. Perfetto shows all of it.
"""

import argparse
import html
import json

COLORS = {
    "loads": "#d1495b",
    "stores": "#a23b72",
    "lds": "#edae49",
    "scalar": "#f4d58d",
    "barrier": "#30638e",
    "flag": "#003d5b",
}
STEP, ALTERNATE = "#e8f1f2", "#b3cfd6"
WIDTH, LEFT, ROW, TOP = 1100, 150, 22, 34


def rectangle(x, y, width, height, color, title):
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.3):.1f}" height="{height}"'
        f' fill="{color}"><title>{html.escape(title)}</title></rect>'
    )


def draw_wave(slices, y, scale, shapes):
    """Steps of loops above, what the wave waits for below."""
    steps = 0
    for slice_ in sorted(slices, key=lambda one: one["ts"]):
        name, x = slice_["name"], LEFT + slice_["ts"] * scale
        width = slice_["dur"] * scale
        title = f"{name}: {slice_['dur']:.2f} us"
        if name.startswith("workgroup"):
            shapes.append(rectangle(x, y, width, ROW - 4, "#f7f7f7", title))
        elif name.startswith("step"):
            steps += 1
            color = ALTERNATE if steps % 2 else STEP
            shapes.append(rectangle(x, y, width, 6, color, title))
        else:
            color = COLORS[name.removeprefix("waits: ")]
            shapes.append(rectangle(x, y + 7, width, ROW - 11, color, title))


def draw(events, unit):
    names = {
        event["tid"]: event["args"]["name"]
        for event in events
        if event["ph"] == "M" and event["name"] == "thread_name" and event["pid"] == unit
    }
    slices = [event for event in events if event["ph"] == "X" and event["pid"] == unit]
    tracks = sorted({event["tid"] for event in slices})
    if not tracks:
        raise SystemExit(f"draw_timeline.py: error: the trace has no wave on unit {unit}")
    end = max(event["ts"] + event["dur"] for event in slices)
    scale, shapes = (WIDTH - LEFT - 10) / end, []
    for row, track in enumerate(tracks):
        y = TOP + row * ROW
        own = [event for event in slices if event["tid"] == track]
        wave = next((e["name"] for e in own if e["name"].startswith("workgroup")), "")
        label = f"{wave.replace('workgroup ', 'wg ')}, {names.get(track, '').split(' place')[0]}"
        shapes.append(f'<text x="4" y="{y + 13}">{html.escape(label)}</text>')
        draw_wave(own, y, scale, shapes)
    x = LEFT
    for name, color in [*COLORS.items(), ("step of a loop", ALTERNATE)]:
        shapes.append(rectangle(x, 8, 12, 12, color, name))
        shapes.append(f'<text x="{x + 16}" y="18">{name}</text>')
        x += 34 + 6.5 * len(name)
    bottom = TOP + len(tracks) * ROW + 14
    shapes.append(f'<text x="{LEFT}" y="{bottom}">0 us</text>')
    shapes.append(f'<text x="{WIDTH - 60}" y="{bottom}">{end:.1f} us</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 8}"'
    shapes.insert(0, f'<rect width="{WIDTH}" height="{bottom + 8}" fill="white"/>')
    return "\n".join([f'{head} font-family="sans-serif" font-size="11">', *shapes, "</svg>\n"])


def main():
    parser = argparse.ArgumentParser(description="Draws the waves of a compute unit.")
    parser.add_argument("trace", help="file of ck-run --trace")
    parser.add_argument("--unit", type=int, default=0, help="compute unit")
    parser.add_argument("-o", "--output", required=True, help="the picture")
    arguments = parser.parse_args()
    with open(arguments.trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(draw(events, arguments.unit))


if __name__ == "__main__":
    main()
