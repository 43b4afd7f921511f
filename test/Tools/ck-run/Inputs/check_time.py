"""Checks the report of ck-run --time --profile --format=json.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_time.py REPORT.json KERNEL...
"""

import json
import math
import sys


def main(path, *names):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    assert report["status"] == "ok", report["reason"]
    assert report["run_ms"] is None, "a modelled time is no measured one"
    kernels = report["modelled_kernels"]
    assert [kernel["name"] for kernel in kernels] == list(names), kernels
    assert all(k["modelled_us"] > 0 and k["launch_us"] >= 0 for k in kernels), kernels
    assert all(0 < k["simulated_groups"] <= k["groups"] for k in kernels), kernels
    total = sum(k["modelled_us"] for k in kernels) + sum(k["launch_us"] for k in kernels[1:])
    assert math.isclose(report["modelled_us"], total), (report["modelled_us"], total)
    low, high = report["modelled_error"]
    assert low < report["modelled_us"] < high, (low, high)
    longest = max(kernels, key=lambda kernel: kernel["modelled_us"])
    assert report["modelled_bound"] == longest["bound"]
    for key in ("modelled_utilisation", "modelled_stalls"):
        assert report[key], key
        assert all(0 <= share <= 1.001 for share in report[key].values()), report[key]
    for kernel in kernels:
        roles = kernel["roles"]
        waves = sorted(wave for role in roles for wave in role["waves"])
        assert waves == list(range(len(waves))), "each wave has a role"
        for role in roles:
            spent = role["issue"] + sum(role["stalls"].values())
            assert math.isclose(spent, 1, abs_tol=1e-6), role
        assert {role["name"] for role in roles} in ({"all"}, {"math", "load"}), roles
    stalls = [
        instruction
        for profile in report["profile"]
        for role in profile["roles"]
        for instruction in role["hottest"]
        if instruction.get("modelled_stall_cycles", 0) > 0
    ]
    assert stalls, "no instruction has stalls"
    assert all(instruction["modelled_stall_reason"] for instruction in stalls)


if __name__ == "__main__":
    main(*sys.argv[1:])
