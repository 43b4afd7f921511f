# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Leaves out parts of a program as long as what remains fails in the same way."""

import re
import time

from generator.program import LaneStep
from generator.statements import Block


def signature(result):
    """What two failures have in common when they have the same cause."""
    if result["status"] == "mismatch":
        return "mismatch"
    message = result["message"]
    found = re.search(r"pc 0x[0-9a-f]+ \(\S+\): (.*)", message)
    text = found.group(1) if found else message
    mnemonic, _, rest = text.partition(" ")
    reason = re.sub(r"0x[0-9a-f]+|\d+", "N", rest.rpartition(": ")[2])
    return f'{result["status"]}: {mnemonic} ... {reason.splitlines()[0] if reason else ""}'


def pieces(program):
    """Lists and positions of what can be left out, largest parts first."""
    found = [(program.steps, i) for i in range(len(program.steps))]

    def walk(block):
        for i, child in enumerate(block.children):
            found.append((block.children, i))
            if isinstance(child, Block):
                walk(child)

    for step in program.steps:
        if isinstance(step, LaneStep):
            walk(step.body)
    return found


def reduce_program(program, fails, seconds):
    """Removes parts of `program` in place while `fails(program)`; stops after `seconds`."""
    end = time.monotonic() + seconds
    removed = True
    while removed and time.monotonic() < end:
        removed = False
        at = 0
        while time.monotonic() < end:
            found = pieces(program)
            if at >= len(found):
                break
            where, index = found[at]
            piece = where.pop(index)
            if fails(program):
                removed = True
            else:
                where.insert(index, piece)
                at += 1
    return program
