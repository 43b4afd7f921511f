#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every 8-bit float as an operand and as a result, with and without instructions of the chip.

A matrix product with one K whose other operand is 1 shows what becomes of each number: all 256 as
operands; as results, those that lie on, between and beside them. Equality is demanded, NaN is NaN.
"""

import functools
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sweep"))

from cases import CHIPS, list_chips, run_checks  # noqa: E402
from not_finite import write_npy  # noqa: E402

# Bits of mantissa and bias, of OCP and of FNUZ; the bits of 1.
GEOMETRIES = {"fp8": ((3, 7), (3, 8)), "bf8": ((2, 15), (2, 16))}
FNUZ = [name for name in CHIPS if list_chips()[name]["fp8"] == "fnuz"]


def get_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def get_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def make_results(mantissa, bias):
    """f32 numbers on, half-way between and just beside the positive numbers of a format and what
    lies beyond; their negatives, and infinities and NaN."""
    numbers = [0.0]
    for code in range(1, 128):
        exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
        if exponent:
            fraction += 1 << mantissa
        numbers.append(fraction * 2.0 ** (max(exponent, 1) - bias - mantissa))
    middles = [(a + b) / 2 for a, b in zip(numbers, numbers[1:])]
    near = [get_float(get_bits(v) + d) for v in numbers[1:] + middles for d in (-1, 0, 1)]
    positive = [0.0, 2.0**-40, *near, 2.0**17, 1e30, float("inf")]
    return positive + [-value for value in positive] + [float("nan")]


def run(problem, chip, inputs, folder):
    """What is wrong, or nothing."""
    command = ["ck-run", problem, f"--chip={chip}", "--device=emulator", "--format=json"]
    for name, (dtype, shape, values) in inputs.items():
        path = os.path.join(folder, name + ".npy")
        write_npy(path, dtype, shape, values)
        command.append(f"--input={name}={path}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr + done.stdout[-600:]).strip()
    error = json.loads(done.stdout)["max_abs_error"]
    return f"expected equality, got {error} off" if error else None


def make_cases(chip, dtype):
    """[(problem, its inputs)]"""
    mantissa, bias = GEOMETRIES[dtype][chip in FNUZ]
    one = bias << mantissa
    problem = f"gemm:{dtype}:M=256,N=1,K=1,out_dtype=f32"
    inputs = {"a": ("u1", (1, 256, 1), range(256)), "b": ("u1", (1, 1, 1), [one])}
    cases = [(problem, inputs)]
    values = make_results(mantissa, bias)
    problem = f"gemm:f32:M={len(values)},N=1,K=1,out_dtype={dtype}"
    inputs = {"a": ("f32", (1, len(values), 1), values), "b": ("f32", (1, 1, 1), [1.0])}
    cases.append((problem, inputs))
    return cases


def main():
    with tempfile.TemporaryDirectory() as folder:
        return run_checks(
            (f"{problem} on {chip}", functools.partial(run, problem, chip, inputs, folder))
            for chip in CHIPS
            for dtype in GEOMETRIES
            for problem, inputs in make_cases(chip, dtype)
        )


if __name__ == "__main__":
    sys.exit(main())
