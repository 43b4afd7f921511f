# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published comparisons of kernels on an MI355X, repeated with this project's kernels on the model.

Composable Kernel: wave-specialized backward-weight kernels (pull request 5652), StreamK against
Split-K with tiles of 16 x 64 (5393). HipKittens (arXiv 2511.08083): load waves and matrix
instructions in products of bf16, and workgroups grouped by XCDs."""

import other_kernels
import own_kernels
from modelling import OwnTask

# Of the backward-weight layers of RetinaNet at batch 32: K, size, stride, and how much faster the
# wave-specialized kernel was than every other one; None where it was not the fastest.
LAYERS_3X3 = [
    (36, 7, 1, 1.91), (36, 100, 1, 1.60), (36, 13, 1, 1.43), (36, 25, 1, 1.38), (36, 50, 1, 1.38),
    (256, 100, 1, 1.24), (256, 13, 2, 1.20), (256, 25, 2, 1.20), (256, 7, 1, 1.17),
    (256, 13, 1, 1.13), (2376, 100, 1, 1.06), (2376, 50, 1, 1.05), (256, 50, 1, None),
    (256, 25, 1, None), (2376, 25, 1, None), (2376, 13, 1, None), (2376, 7, 1, None),
]  # fmt: skip
# K, C, size, stride of those with a filter of 1x1, where it never was.
LAYERS_1X1 = [
    (256, 256, 200, 1), (512, 256, 100, 1), (512, 256, 200, 2), (256, 512, 100, 1),
    (512, 512, 100, 1), (1024, 512, 50, 1), (1024, 512, 100, 2), (512, 1024, 50, 1),
    (1024, 1024, 50, 1), (2048, 1024, 25, 1), (2048, 1024, 50, 2), (1024, 2048, 25, 1),
    (256, 1024, 50, 1), (256, 2048, 25, 1),
]  # fmt: skip
TILES = ["128x128x32", "128x64x32", "64x128x32", "64x64x32"]
LARGE_TILES = ["256x128x32", "128x256x32"]  # of kernels without roles
# StreamK over the best Split-K: N, K, C, size, filter, speed-up.
STREAM_K = [
    (32, 128, 128, 28, 1, 0.54), (32, 128, 128, 14, 3, 0.59), (32, 256, 64, 56, 1, 0.83),
    (2, 512, 512, 7, 3, 1.12), (4, 1024, 1024, 7, 1, 1.09), (32, 128, 128, 28, 3, 0.44),
    (32, 256, 256, 14, 3, 0.67), (32, 512, 512, 7, 3, 0.98),
]  # fmt: skip
# Products of bf16, M, N and K, and the best share of the kernel without load waves that one with 8
# or 12 math waves reached.
PRODUCTS = [
    (3072, 3072, 3072, 0.85), (3072, 4096, 4096, 0.91), (7680, 7680, 7680, 0.78),
    (7680, 8192, 8192, 0.82), (9216, 8192, 8192, 0.82), (9216, 9216, 9216, 0.80),
]  # fmt: skip
# Of 8192 x 8192 x 8192 with one piece of the grid for each XCD: windows of tile rows (0: in the
# order of rows, no pieces), and how much faster the first was than the second. Modelled with a K of
# 1024: then a sample has all compute units of an XCD, so that it sees what they share.
WINDOWS = [(2, 0, 1.07), (4, 0, 1.09), (8, 0, 1.10), (8, 32, 1.27)]


def weight_problem(n, k, c, size, stride, taps):
    text = f"conv_bwd_weight:f16:N={n},K={k},C={c},in={size}x{size},filter={taps}x{taps}"
    text += f",stride={stride}" if stride > 1 else ""
    return text + (",pad=1" if taps == 3 else "")


def role_tasks(problem):
    """By kind, load and math waves or not: CK's tiles with as many parts as fill the chip."""
    kinds = {"roles": (TILES, ("4+4", "4+2")), "uniform": (TILES + LARGE_TILES, ("uniform",))}
    return {
        kind: [
            OwnTask(problem, f"tile={tile},roles={roles},partition=split_k:auto")
            for tile in tiles
            for roles in choices
        ]
        for kind, (tiles, choices) in kinds.items()
    }


def stream_tasks(problem):
    executed = ("gfx950", "on")  # workgroups wait for each other
    tile = "tile=16x64x64,partition="
    return {
        "stream_k": [
            OwnTask(problem, f"{tile}stream_k:{sums}", executed) for sums in ("linear", "tree")
        ],
        "split_k": [OwnTask(problem, f"{tile}split_k:{2**i}") for i in range(6)],
    }


def product_problem(m, n, k, dtype="bf16"):
    return f"gemm:{dtype}:M={m},N={n},K={k}"


def product_tasks(problem):
    """By kind, load waves or none: HipKittens' tiles, as large as registers hold them here. Whole
    tiles, so that a sample of them is enough."""
    kinds = {
        "load waves": [
            "128x128x64,roles=4+4", "128x128x64,roles=4+8", "256x128x64,roles=4+8",
            "192x128x64,waves=3x4,mma=16x16x32,roles=4+12",
        ],
        "none": ["256x128x64,waves=4x2,roles=uniform", "128x128x64,roles=uniform"],
    }  # fmt: skip
    return {
        kind: [OwnTask(problem, f"tile={schedule},partition=data_parallel") for schedule in part]
        for kind, part in kinds.items()
    }


def instruction_tasks(problem, tile, instructions):
    """By the rows of the matrix instruction."""
    return {
        f"{rows} rows": [
            OwnTask(
                problem, f"tile={tile},waves=4x2,mma={mma},roles=uniform,partition=data_parallel"
            )
        ]
        for rows, mma in instructions.items()
    }


def window_tasks(problem, windows):
    tile = "tile=256x128x64,waves=4x2,mma=16x16x32,roles=uniform,partition=data_parallel"
    pieces = 8192 // 256 * (8192 // 128) // 8  # tiles of an XCD
    return {
        f"window {window}": [
            OwnTask(problem, f"{tile},mapping={window}:{pieces}" if window else tile)
        ]
        for window in windows
    }


def comparisons():
    """(table, problem, what of, against what, the measured ratio of speeds or None, tasks)"""
    for k, size, stride, gain in LAYERS_3X3:
        problem = weight_problem(32, k, 256, size, stride, 3)
        yield "wave roles, 3x3", problem, "roles", "uniform", gain, role_tasks(problem)
    for k, c, size, stride in LAYERS_1X1:
        problem = weight_problem(32, k, c, size, stride, 1)
        yield "wave roles, 1x1", problem, "roles", "uniform", None, role_tasks(problem)
    for n, k, c, size, taps, gain in STREAM_K:
        problem = weight_problem(n, k, c, size, 1, taps)
        yield "StreamK", problem, "stream_k", "split_k", gain, stream_tasks(problem)
    for *sizes, gain in PRODUCTS:
        problem = product_problem(*sizes)
        tasks = product_tasks(problem)
        yield "load waves in a product", problem, "load waves", "none", gain, tasks
    problem = product_problem(8192, 8192, 8192)
    tasks = instruction_tasks(problem, "256x128x64", {16: "16x16x32", 32: "32x32x16"})
    yield "MFMA of 16 rows", problem, "16 rows", "32 rows", 1.22, tasks
    eight = product_problem(8192, 8192, 8192, "fp8")
    tasks = instruction_tasks(eight, "256x128x128", {16: "16x16x128", 32: "32x32x64"})
    yield "MFMA of 16 rows", eight, "16 rows", "32 rows", 1.23, tasks
    problem = product_problem(8192, 8192, 1024)
    for window, other, gain in WINDOWS:
        tasks = window_tasks(problem, (window, other))
        yield "XCD grouping", problem, f"window {window}", f"window {other}", gain, tasks


def tasks():
    return [task for entry in comparisons() for part in entry[5].values() for task in part]


def best(tasks_of_kind, store, costs):
    """The time and the schedule of the fastest, or None if all were refused."""
    times = []
    for task in tasks_of_kind:
        timing = store.get(task)
        if "modelled_us" in timing:
            times.append((own_kernels.total_us(timing, costs), task.schedule))
    return min(times, default=None)


def judge(store):
    """Prints what is faster in which table, and how often that is right."""
    costs, figures = other_kernels.Costs(), {}
    for table, problem, first, second, gain, part in comparisons():
        pair = best(part[first], store, costs), best(part[second], store, costs)
        if None in pair:
            print(f"{table}: {problem}: all schedules were refused")
            continue
        ratio = pair[1][0] / pair[0][0]
        right = (ratio > 1) == (gain is not None and gain > 1)
        lines = figures.setdefault(table, [])
        lines.append({"problem": problem, "measured": gain, "modelled": ratio, "right": right})
        lines[-1][first], lines[-1][second] = pair
        shown = "not faster" if gain is None else f"{gain:.2f}"
        times = f"{pair[0][0]:.1f} and {pair[1][0]:.1f} us"
        print(f"{table}: {problem}: {first} over {second}: measured {shown},", end=" ")
        print(f"modelled {ratio:.2f} ({times}), {'right' if right else 'WRONG'}")
    for table, lines in figures.items():
        print(f"{table}: {sum(line['right'] for line in lines)} of {len(lines)} right")
    return figures
