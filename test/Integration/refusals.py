# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler rightly refuses, and the reasons it must give.

Two tables: what a chip cannot do is refused whatever the schedule, so a case of it that compiles is
as wrong as a refusal that is not listed. What a schedule cannot do depends on estimates of the
compiler, so a schedule that was asked for may be refused for one of the reasons below.
"""

import re

EIGHT_BIT_FLOATS = {"fp8", "bf8"}
CHIPS_WITHOUT_FP8 = {"gfx908", "gfx90a", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150"}
CHIPS_WITHOUT_F32_MATRICES = {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1200",
                              "gfx1201"}

# Reasons to refuse a schedule that was asked for.
SCHEDULE_REASONS = [
    r"has no matrix instruction \d+x\d+x\d+ for \w+; expected one of",
    r"tile [MN] must be a multiple of \d+ waves x \d+ = \d+, got \d+",
    r"tile K must be a multiple of the matrix instruction's K = \d+, got \d+",
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
    r"kernel '.*' spills \d+ scalar and \d+ vector registers with schedule",
]


def get_chip_reason(problem, setting):
    """What the reason must match with which the chip's lack of something is explained, or None if
    the chip can do all that the problem needs."""
    types = {problem.dtype, problem.out_dtype, *re.findall(r"\b(?:fp8|bf8)\b", problem.epilogue)}
    if setting.chip in CHIPS_WITHOUT_FP8 and types & EIGHT_BIT_FLOATS:
        return f"{setting.chip} has no (8-bit floats|matrix instruction .*for (fp8|bf8))"
    if setting.chip in CHIPS_WITHOUT_F32_MATRICES and problem.dtype == "f32":
        return f"{setting.chip} has no matrix instruction .*for f32"
    return None


def match_refusal(problem, setting, status, reason):
    """Why a refusal was not the expected one, or its absence unexpected; None if all is well."""
    expected = get_chip_reason(problem, setting)
    if expected:
        if status == "unsupported" and re.search(expected, reason):
            return None
        return f"expected a refusal matching '{expected}', got {status}: {reason}"
    if status != "unsupported":
        return None
    if setting.schedule and any(re.search(pattern, reason) for pattern in SCHEDULE_REASONS):
        return None
    return f"unexpected refusal: {reason}"
