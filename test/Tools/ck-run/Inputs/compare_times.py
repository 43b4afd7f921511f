"""Compares the time that is modelled of a part of the workgroups with that of all.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: compare_times.py PART.json ALL.json SHARE: reports of ck-run --time --format=json; the times
may differ by SHARE.
"""

import json
import sys


def read_kernel(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    assert report["status"] == "ok", report["reason"]
    (kernel,) = report["modelled_kernels"]
    return kernel


def main(part_path, all_path, share):
    part, whole = read_kernel(part_path), read_kernel(all_path)
    assert part["simulated_groups"] < part["groups"], "all workgroups are simulated"
    assert whole["simulated_groups"] == whole["groups"] == part["groups"], whole
    ratio = part["modelled_us"] / whole["modelled_us"]
    assert abs(ratio - 1) <= float(share), ratio


main(*sys.argv[1:])
