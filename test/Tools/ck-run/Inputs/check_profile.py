"""Checks the profile of one problem against counts that follow from its sizes and its schedule.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_profile.py REPORT.json GEMM_M GEMM_N GEMM_K MINIMUM_BYTES
"""

import json
import re
import sys


def main(path, m, n, k, minimum_bytes):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    assert report["status"] == "ok", report["reason"]
    (kernel,), (profile,) = report["kernels"], report["profile"]
    assert profile["name"] == kernel["name"]
    (role,) = profile["roles"]
    assert role["name"] == "uniform" and role["first_wave"] == 0
    assert role["waves"] * 64 == kernel["block"][0]

    # The roles together are what the kernel counted without a profile.
    for name, count in kernel["instructions"].items():
        assert role["instructions"].get(name, 0) == count, name
    assert role["wave_instructions"] == sum(kernel["instructions"].values())
    assert role["lds_bank_conflicts"] == kernel["lds_bank_conflicts"]
    assert role["lds_bank_conflicts"] == sum(i["lds_bank_conflicts"] for i in role["conflicting"])

    # Every tile is multiplied as a whole.
    sizes = re.match(r"tile=(\d+)x(\d+)x(\d+),.*mma=(\d+)x(\d+)x(\d+)", report["schedule"])
    tile, mma = [int(s) for s in sizes.groups()[:3]], [int(s) for s in sizes.groups()[3:]]
    macs = 1
    for size, part in zip((m, n, k), tile):
        macs *= (size + part - 1) // part * part
    expected = macs // (mma[0] * mma[1] * mma[2])
    assert role["instructions"]["mfma"] == expected, (role["instructions"]["mfma"], expected)
    assert abs(role["mfma_share"] - expected / role["wave_instructions"]) < 1e-12

    # Every element is read and written, in lines of which a wave touches each at least once.
    assert profile["minimum_bytes"] == minimum_bytes
    moved = profile["bytes_loaded"] + profile["bytes_stored"]
    assert moved >= minimum_bytes
    assert profile["bytes_stored"] == 4 * m * n
    lines = profile["cache_lines"]
    assert lines * profile["cache_line_bytes"] >= minimum_bytes and lines <= moved

    hottest = role["hottest"]
    assert len(hottest) == 10
    counts = [inst["count"] for inst in hottest]
    assert counts == sorted(counts, reverse=True)
    for inst in hottest:
        assert inst["share"] == inst["count"] / role["wave_instructions"]
        assert inst["text"] and inst["pc"] > 0 and inst["offset"] >= 0


main(sys.argv[1], *(int(argument) for argument in sys.argv[2:]))
