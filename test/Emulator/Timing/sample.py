# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stratified samples of measured rows, the same for the same seed."""

import random


def stratify(rows, count, seed, key, whole=lambda row: False):
    """`count` rows: all that are `whole`, and of the others of each `key` as equal a number as
    there are, of each quarter of its times in turn."""
    draw = random.Random(seed)
    result = [row for row in rows if whole(row)]
    strata = {}
    for row in sorted(rows, key=lambda row: row.us):
        if not whole(row):
            strata.setdefault(key(row), []).append(row)
    queues = []
    for name in sorted(strata):
        part = strata[name]
        bounds = [len(part) * i // 4 for i in range(5)]
        quarters = [part[bounds[i] : bounds[i + 1]] for i in range(4)]
        for quarter in quarters:
            draw.shuffle(quarter)
        longest = max(map(len, quarters))
        queues.append([q[i] for i in range(longest) for q in quarters if i < len(q)])
    taken = 0
    while len(result) < count and any(taken < len(queue) for queue in queues):
        for queue in queues:
            if taken < len(queue) and len(result) < count:
                result.append(queue[taken])
        taken += 1
    return sorted(result, key=lambda row: row.number)


def judged_rows(rows, count, seed):
    return stratify(
        rows, count, seed, lambda row: (row.direction, row.dtype), lambda row: not row.nchw
    )


def chosen_shapes(rows, count, seed):
    return stratify(rows, count, seed + 1, lambda row: (row.direction, row.dtype))


def halves(rows):
    """Two halves with as equal strata as can be."""
    order = sorted(rows, key=lambda r: (r.direction, r.dtype, r.splits, r.nchw, r.us, r.number))
    return order[::2], order[1::2]
