"""Checks that the slices of a timeline lie within one another.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_trace.py TRACE.json
"""

import collections
import json
import sys


def main(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    assert trace["otherData"]["complete"] is True
    tracks = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            begin, end = event["ts"], event["ts"] + event["dur"]
            tracks[event["pid"], event["tid"]].append((begin, -end, event["name"]))
    assert tracks, "no slices"
    names = {event["tid"] for event in trace["traceEvents"] if event["name"] == "thread_name"}
    assert names == {thread for _, thread in tracks}
    epsilon = 1e-6
    for slices in tracks.values():
        outer = []
        for begin, end, name in sorted(slices):
            while outer and outer[-1] <= begin + epsilon:
                outer.pop()
            assert not outer or -end <= outer[-1] + epsilon, f"{name} at {begin} overlaps"
            assert outer or name.startswith("workgroup "), f"{name} at {begin} is of no wave"
            outer.append(-end)


if __name__ == "__main__":
    main(*sys.argv[1:])
