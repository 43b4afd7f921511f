# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts: of instructions, and of how partitions share work."""

from __future__ import annotations

import json
import re
from typing import Any

from . import _native
from .devices import get_kind
from .display import (
    Table,
    TableDict,
    make_explanation_tables,
    make_launch_table,
    make_partition_table,
    make_report_tables,
)
from .errors import InvalidArgumentError

VERIFICATIONS = {"cpu": 0, "device": 1, "none": 2}

# Classes of instructions by the beginnings of their names, the first that fits.
CLASSES = (
    ("mfma", ("v_mfma", "v_smfmac")),
    ("wmma", ("v_wmma", "v_swmmac")),
    ("smem", ("s_load", "s_buffer_load", "s_store")),
    ("lds", ("ds_",)),
    ("vmem", ("buffer_", "global_", "flat_", "scratch_")),
    ("valu", ("v_",)),
    ("salu", ("s_",)),
)


def count_instructions(assembly: str) -> dict[str, int]:
    """Instructions of an assembly by class."""
    counts = {name: 0 for name, _ in CLASSES}
    for mnemonic in re.findall(r"^\s+([a-z]\w*)", assembly, re.M):
        for name, beginnings in CLASSES:
            if mnemonic.startswith(beginnings):
                counts[name] += 1
                break
    return counts


def get_verification(against: str) -> int:
    """The number of a reference."""
    if against not in VERIFICATIONS:
        names = ", ".join(VERIFICATIONS)
        raise InvalidArgumentError(f"expected a reference ({names}), got '{against}'")
    return VERIFICATIONS[against]


class KernelStatistics(TableDict):
    """Facts about a kernel, see `Kernel.statistics`."""

    def get_tables(self) -> list[Table]:
        facts = Table(
            ("name", "value"), [(n, v) for n, v in self.items() if not hasattr(v, "__len__")]
        )
        instructions = self["instructions"]
        return [
            facts,
            make_launch_table(self["kernels"]),
            Table(instructions.keys(), [instructions.values()]),
        ]


class RunReport(TableDict):
    """The report of `ck-run --format=json` on one problem."""

    @classmethod
    def make(
        cls, problem: str, chip: str, schedule: str, device: str, against: str, profile: bool
    ) -> RunReport:
        """Compiles and runs a problem."""
        verification = get_verification(against)
        text = _native.run_report(problem, chip, schedule, get_kind(device), verification, profile)
        return cls(json.loads(text))

    @classmethod
    def make_modelled(
        cls, problem: str, chip: str, schedule: str, against: str, trace: str
    ) -> RunReport:
        """Compiles a problem and runs it on the emulator, with the model of time beside it."""
        verification = get_verification(against)
        text = _native.modelled_report(problem, chip, schedule, verification, trace)
        return cls(json.loads(text))

    def get_tables(self) -> list[Table]:
        return make_report_tables(self)


class PartitionReport(TableDict):
    """How workgroups would share the tiles of a problem under every partition. `svg` is the picture
    of it, which notebooks show above the table."""

    svg: str

    def get_tables(self) -> list[Table]:
        return [make_partition_table(self)]

    def _repr_html_(self) -> str:
        return self.svg + super()._repr_html_()


class Explanation(TableDict):
    """Why a schedule is chosen: the object of `ck-run --explain --format=json`."""

    def get_tables(self) -> list[Table]:
        return make_explanation_tables(self)


def explain(
    problem: str,
    chip: str = "gfx942",
    schedule: str = "",
    *,
    others: int = 5,
    modelled: bool = False,
) -> Explanation:
    """Says why a schedule is chosen for a problem (docs/Selection.md): of what its estimated time
    consists, and which tiles come next, at most `others`. The chosen schedule has the shortest mean
    of two times, with operands in caches, which counts twice, and in memory. Fields that `schedule`
    names are kept. Nothing is compiled, except with `modelled`, which adds the time of each
    schedule by the emulator's model of the chip.

    >>> explanation = explain("gemm:f16:M=128,N=128,K=4096", others=2)
    >>> chosen, *others = explanation["schedules"]
    >>> sums = [2 * entry["estimated_us"] + entry["from_memory_us"] for entry in (chosen, *others)]
    >>> len(sums), min(sums) == sums[0]
    (3, True)
    """
    return Explanation(json.loads(_native.explanation(problem, chip, schedule, others, modelled)))


def partition_report(
    problem: str,
    chip: str = "gfx942",
    schedule: str = "",
    *,
    compute_units: int = 0,
    occupancy: int = 1,
) -> PartitionReport:
    """Compares the partitions of a problem by arithmetic; nothing is compiled. The device has
    `compute_units` (0: those of the chip) with `occupancy` workgroups on each at a time.

    >>> report = partition_report("gemm:f16:M=256,N=256,K=4096", compute_units=8)
    >>> report["compute_units"], report.svg[:4]
    (8, '<svg')
    """
    arguments = (problem, chip, schedule, compute_units, occupancy)
    report = PartitionReport(json.loads(_native.partitions(*arguments, False)))
    report.svg = _native.partitions(*arguments, True)
    return report
