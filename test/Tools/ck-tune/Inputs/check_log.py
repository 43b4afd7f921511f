# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_log.py LOG PROBLEM CHIP...

Every line of the log is a trial of PROBLEM, with a time or an error; each CHIP has some, with
different schedules."""

import json
import sys

log, problem, *chips = sys.argv[1:]
trials = [json.loads(line) for line in open(log, encoding="utf-8")]
assert {trial["chip"] for trial in trials} == set(chips), trials
for trial in trials:
    assert trial["problem"] == problem, trial
    if "error" not in trial:
        assert trial["modelled_us"] > 0, trial
        assert all(kernel["us"] > 0 for kernel in trial["kernels"]), trial
for chip in chips:
    schedules = [trial["schedule"] for trial in trials if trial["chip"] == chip]
    assert len(schedules) == len(set(schedules)) > 1, schedules
