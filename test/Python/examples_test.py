# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of docs/examples/python."""

import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "docs" / "examples" / "python"
VARIANTS = [
    f"{operation}-{rank}"
    for rank in ("2d", "3d")
    for operation in ("forward", "backward-data", "backward-weight")
]


MODELLED = r"([\d.]+) us by the model \(([\d.]+) to ([\d.]+)\), not measured$"


def run(name, *arguments):
    """Status, output and errors of a program."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


def test_convolutions():
    # All variants are compared with NumPy, one line for each.
    status, printed, errors = run("convolutions.py")
    assert (status, errors) == (0, "")
    lines = printed.splitlines()
    assert [line.split(":")[0] for line in lines] == VARIANTS
    assert all(": verified, compiled in " in line for line in lines)
    for line in lines:
        modelled, low, high = map(float, re.search(MODELLED, line).groups())
        assert 0 < low <= modelled <= high
    status, _, errors = run("convolutions.py", "sideways-2d")
    assert status == 2 and "got 'sideways-2d'" in errors


@pytest.mark.parametrize(
    "arguments",
    [[], ["1", "2", "1"], ["2", "1", "0"], ["1", "1", "0", *"1 1 32 16 1 3 7 5".split()]],
    ids=" ".join,
)
def test_grouped_backward_weight(arguments):
    status, printed, errors = run("grouped_backward_weight.py", *arguments)
    assert (status, errors) == (0, "") and "verify: pass" in printed
    assert ("us by the model of the chip, not measured" in printed) == (arguments[2:3] == ["1"])


def test_wrong_arguments():
    assert run("grouped_backward_weight.py", "3")[0] == 2
    assert run("grouped_backward_weight.py", "1", "1", "0", "4")[0] == 2
