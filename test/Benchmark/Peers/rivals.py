# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The problems that kernels of other projects were tuned for, as this project states them.

Each gives a Duel: the task that models the other kernel, and the one that models ours for the same
problem on the same chip."""

import dataclasses
import json
import re

import aiter_calls
import miopen_calls
import sample
import tensile_calls
from listed import ListedTask, read_list
from modelling import AiterTask, MiopenTask, OwnTask, TensileTask

OPS = {"fwd": "conv_fwd", "bwd": "conv_bwd_data", "wrw": "conv_bwd_weight"}
TYPES = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "HH": "f16", "BB": "bf16"}


@dataclasses.dataclass(frozen=True)
class Duel:
    """A kernel of others against ours."""

    peer: str
    kind: str
    theirs: object
    ours: OwnTask
    fills: int = 0  # launches that zero memory before theirs


def by(pair):
    return "x".join(map(str, pair))


def convolution(row):
    """The problem string of a call of MIOpen."""
    p = row.problem
    fields = [f"N={p.n}"] + ([f"G={p.group}"] if p.group > 1 else [])
    fields += [f"K={p.k // p.group}", f"C={p.c // p.group}", f"in={by((p.hi, p.wi))}"]
    fields.append(f"filter={by((p.y, p.x))}")
    for name, pair, plain in (("stride", p.stride, 1), ("dilation", p.dilation, 1),
                              ("pad", p.pad, 0)):  # fmt: skip
        fields += [f"{name}={by(pair)}"] if tuple(pair) != (plain, plain) else []
    return f"{OPS[row.direction]}:{TYPES[row.dtype]}:{','.join(fields)}"


def product(row):
    """The problem string of a product of rocBLAS, which computes the transposed one of matrices
    that lie column by column: our A is its B."""
    a, b = row.layout.split("_")
    layout = ("c" if b == "Bjlk" else "r") + ("r" if a == "Ailk" else "c") + "r"
    return f"gemm:{TYPES[row.dtype]}:M={row.n},N={row.m},K={row.k},layout={layout}"


def miopen_duels(rows, count, seed, schedule):
    """Their GEMM kernel, without the transpositions and casts of a call; of a fill that it needs
    only the launch counts."""
    rows = sample.stratify(rows, count, seed, lambda row: (row.direction, row.dtype))
    return [
        Duel("MIOpen", f"{OPS[row.direction]} {TYPES[row.dtype]}",
             MiopenTask(row.number, row.config),
             OwnTask(convolution(row), schedule, ("gfx942", "only")),
             fills=int(miopen_calls.others(row).zeroed_bytes > 0))
        for row in rows
    ]  # fmt: skip


def aiter_duels(rows, count, seed, schedule):
    """Both kernels find the operands in the caches only as far as they did in AITER's runs."""
    rows = [row for row in rows if row.result_bytes == 2]
    rows = sample.stratify(rows, count, seed, lambda row: row.split > 1)
    duels = []
    for row in rows:
        text = f"gemm:bf16:M={row.m},N={row.n},K={row.k}"
        ours = OwnTask(text, schedule, (row.chip, "only"), aiter_calls.cold_bytes(row))
        theirs = AiterTask(row.number, row.chip, row.kernel, row.split)
        duels.append(Duel("AITER", f"gemm bf16 {row.chip}", theirs, ours))
    return duels


def rocblas_duels(rows, count, seed, schedule):
    duels = []
    for chip in sorted({row.chip for row in rows}):
        part = [row for row in rows if row.chip == chip]
        for row in sample.stratify(part, count, seed, lambda row: (row.dtype, row.layout)):
            ours = OwnTask(product(row), schedule, (chip, "only"))
            kind = f"gemm {TYPES[row.dtype]} {chip}"
            duels.append(Duel("rocBLAS", kind, TensileTask(row.number, chip), ours))
    return duels


def listed_duels(folder, schedule):
    """Of the problems that a folder lists."""
    return [
        Duel(entry["peer"], f"{entry['kind']} {entry['chip']}",
             ListedTask(folder, number, entry["chip"]),
             OwnTask(entry["problem"], schedule, (entry["chip"], "only")))
        for number, entry in enumerate(read_list(folder))
    ]  # fmt: skip


def earlier_duels(options):
    """Kernels that another build of this project chooses and makes for the problems of a file."""
    with open(options.problems, encoding="utf-8") as file:
        problems = [entry["problem"] for entry in json.load(file)["problems"]]
    if options.batch:
        problems = [re.sub(r"\bN=\d+", f"N={options.batch}", problem) for problem in problems]
    return [
        Duel("ck-mlir before", f"{problem.split(':')[0]} {chip}",
             OwnTask(problem, "", (chip, "only"), compiler=options.before),
             OwnTask(problem, options.schedule, (chip, "only")))
        for chip in options.chips.split(",")
        for problem in problems
    ]  # fmt: skip


def all_duels(options):
    """Of the sources that were named."""
    settings = options.rows, options.seed, options.schedule
    duels = []
    if options.miopen:
        duels += miopen_duels(miopen_calls.read_rows(options.timing), *settings)
    if options.aiter:
        rows = aiter_calls.read_rows(options.aiter_timing, ("bf16",))
        duels += aiter_duels(rows, *settings)
    if options.rocblas:
        duels += rocblas_duels(tensile_calls.read_rows(options.rocblas_timing), *settings)
    for folder in options.listed:
        duels += listed_duels(folder, options.schedule)
    if options.before:
        duels += earlier_duels(options)
    return duels
