"""Checks a timeline by the rules of Chrome's trace format.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Slices of a track lie within one another, the outermost are waves; processes and tracks have names;
counters go on in time. Each NAME must end or begin that of some slice.

Usage: check_trace.py TRACE.json [NAME...]
"""

import collections
import json
import math
import sys

COUNTERS = ["matrix pipes", "vector units", "scalar units", "LDS", "L1", "L2", "MALL", "HBM"]


def check_slices(slices):
    epsilon, outer = 1e-6, []
    for begin, end, name in sorted(slices):
        while outer and outer[-1] <= begin + epsilon:
            outer.pop()
        assert not outer or -end <= outer[-1] + epsilon, f"{name} at {begin} overlaps"
        assert outer or name.startswith("workgroup "), f"{name} at {begin} is of no wave"
        outer.append(-end)


def check_counters(counters, process):
    assert sorted(counters) == sorted(COUNTERS), counters.keys()
    for name, samples in counters.items():
        times = [event["ts"] for event in samples]
        assert times == sorted(set(times)), f"{name} goes back in time"
        values = [value for event in samples for value in event["args"].values()]
        assert all(math.isfinite(value) and value >= 0 for value in values), name
        assert {event["pid"] for event in samples} == {process}, name
    assert any(any(event["args"].values()) for event in counters["vector units"]), "no counts"


def main(path, *expected):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    assert trace["otherData"]["complete"] is True
    tracks, counters = collections.defaultdict(list), collections.defaultdict(list)
    names = {"process_name": {}, "thread_name": {}}
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            begin, end = event["ts"], event["ts"] + event["dur"]
            tracks[event["pid"], event["tid"]].append((begin, -end, event["name"]))
        elif event["ph"] == "C":
            counters[event["name"]].append(event)
        else:
            assert event["ph"] == "M", event
            key = event["pid"] if event["name"] == "process_name" else (event["pid"], event["tid"])
            names[event["name"]][key] = event["args"]["name"]
    assert tracks, "no slices"
    assert names["thread_name"].keys() == tracks.keys()
    units = {process for process, _ in tracks}
    others = {
        process: name for process, name in names["process_name"].items() if process not in units
    }
    assert len(others) == 1 and len(names["process_name"]) == len(units) + 1, others
    for slices in tracks.values():
        check_slices(slices)
    check_counters(counters, *others)
    found = {name for slices in tracks.values() for _, _, name in slices}
    for name in expected:
        assert any(one.startswith(name) or one.endswith(name) for one in found), f"no {name}"


if __name__ == "__main__":
    main(*sys.argv[1:])
