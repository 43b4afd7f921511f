"""Compares the reports of ck-run --problems --time --format=json with and without verification.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_network.py VERIFIED.json SAMPLED.json
"""

import json
import math
import sys

verified, sampled = [json.load(open(path)) for path in sys.argv[1:]]
total = sum(layer["count"] * layer["modelled_us"] for layer in sampled)
for one, other in zip(verified, sampled, strict=True):
    assert (one["status"], other["status"]) == ("ok", "ran"), (one["reason"], other["reason"])
    assert one["modelled_us"] == other["modelled_us"], (one["modelled_us"], other["modelled_us"])
    share = other["count"] * other["modelled_us"] / total
    assert math.isclose(other["modelled_share"], share), other
    # Without an error of the model no layer is faster than its roofline.
    assert 0 < other["roofline_us"] < other["modelled_us"], other
assert [layer["count"] for layer in sampled] == [1, 4]
