# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler rightly refuses, and the reasons it must give.

Every legal problem has a schedule on every chip. What a schedule cannot do depends on estimates of
the compiler, so a schedule that was asked for may be refused for one of the reasons below.
"""

import re

# Reasons to refuse a schedule that was asked for.
SCHEDULE_REASONS = [
    r"has no matrix instruction \d+x\d+x\d+ for \w+; expected one of",
    r"tile [MN] must be a multiple of \d+ waves x \d+ = \d+, got \d+",
    r"tile K must be a multiple of the matrix instruction's K = \d+, got \d+",
    r"tile K must be a multiple of \d+, of which lanes hold whole units of 16 bytes",
    r"schedule needs \d+ bytes of LDS",
    r"schedule needs \d+ threads",
    r"accumulators need \d+ registers a lane",
    r"schedule needs \d+ accumulator and \d+ operand registers a lane",
    r"load waves need \d+ registers a lane",
    r"tile M x N must be at most \d+ elements, got \d+",
    r"cannot divide the [AB] tile of \d+x\d+ elements evenly among \d+ threads",
    r"a thread issues \d+ loads for a K step, expected at most",
    r"a thread has \d+ loads for a K step and \d+ accumulators, expected at most",
    r"adds up results in memory, but .*; expected 'split_k:\w+:two_stage'",
    r"adds up results of 16 bits in memory by twos, but neighbours are not aligned",
    r"direct=\d+x\d+x\d+ (has more than|does not divide|gives a lane|needs) ",
    r"direct=\d+x\d+x\d+ is not possible for the problem",
    r"views split rows at \d+ and at \d+",
    r"kernel '.*' spills \d+ scalar and \d+ vector registers with schedule",
]


def match_refusal(setting, status, reason):
    """Why a refusal was not an expected one; None if all is well."""
    if status != "unsupported":
        return None
    if setting.schedule and any(re.search(pattern, reason) for pattern in SCHEDULE_REASONS):
        return None
    return f"unexpected refusal: {reason}"
