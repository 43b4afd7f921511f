# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the model of time by comparisons of kernels that others published, with their programs.

A folder holds HIP programs, as executable files, and published.csv with a line for each comparison:
its table, its cell, the names of two families of kernels, and how many times as fast as the best of
the second the best of the first was measured. Each program prints lines 'cell,family,kernel,us'
with the times that the emulator models; its other lines are not read."""

import csv
import dataclasses
import hashlib
import os
import subprocess

LIST = "published.csv"
COLUMNS = ["table", "cell", "first", "second", "speedup"]


@dataclasses.dataclass(frozen=True)
class Comparison:
    table: str
    cell: str
    first: str
    second: str
    speedup: float


@dataclasses.dataclass(frozen=True)
class ProgramTask:
    """A program, and the key under which what it printed is kept."""

    path: str
    key: str


def read_comparisons(folder):
    path = os.path.join(folder, LIST)
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            expected = ",".join(COLUMNS)
            raise ValueError(f"{path}: expected the columns {expected}, got {rows.fieldnames}")
        try:
            return [Comparison(**{**row, "speedup": float(row["speedup"])}) for row in rows]
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: expected {len(COLUMNS)} values in a line: {error}"
            ) from error


def tasks(folder, chip):
    """A task for each program of the folder."""
    paths = (os.path.join(folder, name) for name in sorted(os.listdir(folder)))
    found = [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]
    if not found:
        raise FileNotFoundError(f"{folder} has no executable file")
    result = []
    for path in found:
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:16]
        result.append(ProgramTask(path, f"program {chip} {os.path.basename(path)} {digest}"))
    return result


def run(task, options):
    """The lines of a program on the emulator, or why it failed."""
    hip = os.path.join(os.path.dirname(os.path.abspath(options.library)), "hip")
    paths = [hip, os.environ.get("LD_LIBRARY_PATH")]
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": ":".join(path for path in paths if path),
        "CK_EMULATOR_CHIP": options.ck_chip,
        "CK_EMULATOR_CHECKS": "off",
        "CK_EMULATOR_THREADS": "1",
        "CK_EMULATOR_TIMING": "only",
        "CK_EMULATOR_TIMING_PARAMETERS": options.parameters,
    }
    done = subprocess.run(
        [os.path.abspath(task.path)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        end = (done.stderr.strip().splitlines() or ["nothing on standard error"])[-1]
        return {"error": f"{task.path} ended with {done.returncode}: {end}"}
    return {"lines": [line for line in done.stdout.splitlines() if parse(line)]}


def parse(line):
    """Cell, family, kernel and microseconds of a line; None when it is another line."""
    parts = line.split(",")
    try:
        return (*parts[:3], float(parts[3])) if len(parts) == 4 else None
    except ValueError:
        return None


def best_of(timings):
    """By cell and family, the microseconds and the name of the fastest kernel."""
    best = {}
    for timing in timings:
        for cell, family, kernel, us in map(parse, timing.get("lines", [])):
            best[cell, family] = min((us, kernel), best.get((cell, family), (us, kernel)))
    return best


def judgement(comparisons, timings):
    """Prints the winners and returns their figures by table."""
    for timing in timings:
        if "error" in timing:
            print(timing["error"])
    best, figures = best_of(timings), {}
    for table in dict.fromkeys(comparison.table for comparison in comparisons):
        lines = []
        print(f"{table}\n{'':26}measured  modelled")
        for comparison in (row for row in comparisons if row.table == table):
            places = [(comparison.cell, name) for name in (comparison.first, comparison.second)]
            missing = [family for cell, family in places if (cell, family) not in best]
            if missing:
                print(f"{comparison.cell:26}{comparison.speedup:8.2f}  no time of {missing[0]}")
                continue
            (first, kernel), (second, other) = (best[place] for place in places)
            ratio = second / first
            right = (ratio > 1) == (comparison.speedup > 1)
            lines.append({"cell": comparison.cell, "modelled": ratio, "right": right})
            print(f"{comparison.cell:26}{comparison.speedup:8.2f}  {ratio:8.2f}"
                  f"  {'right' if right else 'wrong'}"
                  f"  {first:.1f} us ({kernel}), {second:.1f} us ({other})")  # fmt: skip
        print(f"{table}: {sum(line['right'] for line in lines)} of {len(lines)} right")
        figures[table] = lines
    return figures
