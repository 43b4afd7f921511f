#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of tensors that hold infinities and NaN.

The zeros of the padding are multiplied (docs/decisions/0012-padding-is-zeros.md): the kernel must
say infinity and NaN where the reference of the host says so, and where the naive kernel does. The
results must hold both, and numbers: of the values here only some of the channels meet them.
"""

import functools
import itertools
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sweep"))

from cases import run_checks  # noqa: E402

# Problem, shapes of its two inputs, chips, and a seed by which the result holds all kinds of
# numbers.
CASES = [
    (
        "conv_fwd:f16:N=2,K=20,C=24,in=7x6,filter=3x3,pad=1",
        {"x": (2, 7, 6, 1, 24), "w": (1, 20, 3, 3, 24)},
        ["gfx942", "gfx1100", "gfx1201"],
        0,
    ),
    (
        "conv_fwd:f32:N=1,G=2,K=9,C=5,in=11,filter=3,stride=2,dilation=2,pad=3:2",
        {"x": (1, 11, 2, 5), "w": (2, 9, 3, 5)},
        ["gfx90a", "gfx1100"],
        6,
    ),
    (
        "conv_bwd_data:f16:N=2,K=20,C=24,in=7x6,filter=3x3,pad=1",
        {"dy": (2, 7, 6, 1, 20), "w": (1, 20, 3, 3, 24)},
        ["gfx950", "gfx1100"],
        4,
    ),
    (
        "conv_bwd_data:f32:N=1,K=9,C=5,in=8x9,filter=3x2,stride=2x3,pad=1",
        {"dy": (1, 4, 4, 1, 9), "w": (1, 9, 3, 2, 5)},
        ["gfx942", "gfx1201"],
        0,
    ),
    (
        "conv_bwd_data:f16:N=1,G=2,K=8,C=8,in=5x5x4,filter=2x1x3,stride=3x1x2,pad=1x0x1,"
        "epilogue=relu",
        {"dy": (1, 2, 5, 2, 2, 8), "w": (2, 8, 2, 1, 3, 8)},
        ["gfx942"],
        0,
    ),
    (
        "conv_bwd_weight:f16:N=2,K=20,C=24,in=7x6,filter=3x3,pad=1",
        {"x": (2, 7, 6, 1, 24), "dy": (2, 7, 6, 1, 20)},
        ["gfx90a", "gfx1201"],
        0,
    ),
    (
        "conv_bwd_weight:f32:N=1,K=9,C=5,in=4x5x4,filter=2x3x1,stride=1x2x1,pad=1x1x0",
        {"x": (1, 4, 5, 4, 1, 5), "dy": (1, 5, 3, 4, 1, 9)},
        ["gfx950", "gfx1100"],
        0,
    ),
]
# The same of problems that pad the filter for neighbouring positions or longer rows, whose products
# with it are no products of the convolution (docs/decisions/0038-positions-as-columns.md).
FOLDED_CASES = [
    (
        "conv_bwd_data:f16:N=2,K=64,C=4,in=52x26,filter=2x5,stride=2,pad=1x2",
        {"dy": (2, 27, 13, 1, 64), "w": (1, 64, 2, 5, 4)},
        ["gfx950", "gfx1201"],
        0,
    ),
    (
        "conv_bwd_data:f32:N=2,K=40,C=6,in=51x50,filter=2x4,stride=2x3,pad=2,epilogue=relu",
        {"dy": (2, 27, 17, 1, 40), "w": (1, 40, 2, 4, 6)},
        ["gfx942"],
        0,
    ),
    (
        "conv_fwd:f16:N=1,K=6,C=8,in=47x58,filter=5x4,stride=1x3,pad=1",
        {"x": (1, 47, 58, 1, 8), "w": (1, 6, 5, 4, 8)},
        ["gfx942", "gfx1201"],
        0,
    ),
    # Rows of taps with their channels, which zeros make longer.
    (
        "conv_fwd:f16:N=2,K=64,C=3,in=62x46,filter=7x7,stride=2,pad=3",
        {"x": (2, 62, 46, 1, 3), "w": (1, 64, 7, 7, 3)},
        ["gfx942", "gfx950"],
        0,
    ),
]
# Long sums, which workgroups behind all streams add up: with few infinities, or all would become
# NaN.
SUMMED_CASES = [
    (
        "conv_bwd_weight:f16:N=4,K=120,C=128,in=28x28,filter=1x1",
        {"x": (4, 28, 28, 1, 128), "dy": (4, 28, 28, 1, 120)},
        ["gfx942", "gfx1201"],
        0,
    ),
]
SUMMED = "tile=32x32x16,partition=stream_k:parallel"
# Of .npy files: in Python's terms and in NumPy's.
FORMATS = {"f16": ("e", "<f2"), "f32": ("f", "<f4"), "u1": ("B", "|u1")}
INF = math.inf


def make_values(shape, seed, specials):
    """Small whole numbers, and rarely infinities and NaN, in one place of the last dimension."""
    values = []
    for place in itertools.product(*map(range, shape)):
        number = hash((seed, *place)) % 1009
        special = number < specials and place[-1] == 2
        values.append((INF, -INF, math.nan)[number % 3] if special else number % 7 - 3 or 1)
    return values


def write_npy(path, dtype, shape, values):
    code, name = FORMATS[dtype]
    header = str({"descr": name, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{code}", *values))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<H", data, 8)
    header, body = data[10 : 10 + length].decode(), data[10 + length :]
    code = "e" if "<f2" in header else "f"
    return struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)


def leaves_out_padding(problem, chip):
    lower = f"ck-gen {problem} | ck-opt --ck-attach-target=chip={chip} --ck-conv-to-gemm"
    done = subprocess.run(lower, shell=True, capture_output=True, text=True, check=True)
    return "omit_padding" in done.stdout


def check(problem, shapes, seed, chip, verify, folder, specials=25, options=()):
    """What is wrong, or nothing."""
    dtype = problem.split(":")[1]
    output = os.path.join(folder, "result.npy")
    command = [
        "ck-run",
        problem,
        f"--chip={chip}",
        "--device=emulator",
        f"--verify={verify}",
        f"--output={output}",
        *options,
    ]
    for number, (name, shape) in enumerate(shapes.items()):
        path = os.path.join(folder, f"{name}.npy")
        write_npy(path, dtype, shape, make_values(shape, seed + number, specials))
        command.append(f"--input={name}={path}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr + done.stdout[-400:]).strip()
    values = read_npy(output)
    kinds = [
        any(map(math.isnan, values)),
        any(map(math.isinf, values)),
        any(map(math.isfinite, values)),
    ]
    if not all(kinds):
        return f"expected NaN, infinities and numbers in the result, got {kinds}"
    return None


def check_folded(problem, shapes, seed, chip, verify, folder):
    if not leaves_out_padding(problem, chip):
        return "expected a GEMM that leaves out the padding of the filter"
    return check(problem, shapes, seed, chip, verify, folder)


def check_summed(problem, shapes, seed, chip, verify, folder):
    options = [f"--schedule={SUMMED}"]
    return check(problem, shapes, seed, chip, verify, folder, specials=1, options=options)


def main():
    with tempfile.TemporaryDirectory() as folder:
        return run_checks(
            (
                f"{problem} on {chip}, --verify={verify}",
                functools.partial(run, problem, shapes, seed, chip, verify, folder),
            )
            for run, cases in (
                (check, CASES),
                (check_folded, FOLDED_CASES),
                (check_summed, SUMMED_CASES),
            )
            for problem, shapes, chips, seed in cases
            for chip, verify in itertools.product(chips, ("cpu", "device"))
        )


if __name__ == "__main__":
    sys.exit(main())
