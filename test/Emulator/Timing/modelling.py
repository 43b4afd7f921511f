# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models many launches in processes of their own, and keeps what came out."""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import sys
import time

import aiter_calls
import launches
import miopen_calls
import own_kernels
import tensile_calls
from device import HipError

# Options with the tables of measured rows.
MEASURED = ("timing", "aiter_timing", "rocblas_timing")

# What says how kernels are launched.
LAUNCHING = (
    "aiter_calls.py",
    "launches.py",
    "miopen_calls.py",
    "other_kernels.cl",
    "own_kernels.py",
    "tensile_calls.py",
)

WORKER = {}


@dataclasses.dataclass(frozen=True)
class MiopenTask:
    """The GEMM kernel of a measured call, or another one in its place."""

    number: int  # of the row
    config: miopen_calls.Config
    whole: bool = False  # with the other kernels of the call
    setting: tuple = ("gfx942", "only")

    @property
    def key(self):
        text = f"{self.number} {self.config.name} {self.config.split}"
        text += " whole" if self.whole else ""
        return text if self.setting[1] == "only" else f"{text} {self.setting[1]}"

    def run(self, device):
        row = WORKER["rows"][self.number]
        others = miopen_calls.Others((), 0, 0)
        if self.whole:
            others = miopen_calls.others(row, self.config)
        plan = miopen_calls.plan(row, self.config)
        return launches.time_call(device, WORKER["kernels"], row, plan, others)


@dataclasses.dataclass(frozen=True)
class AiterTask:
    """A kernel of AITER's for a measured product."""

    number: int  # of the row
    chip: str
    kernel: str
    split: int

    @property
    def setting(self):
        return self.chip, "only"

    @property
    def key(self):
        return f"aiter {self.number} {self.kernel} {self.split}"

    def run(self, device):
        row = WORKER["products"][self.number]
        kernel = aiter_kernels(row)[self.kernel]
        code = launches.compile_others(
            WORKER["cache"], launches.find_clang(), self.chip.split(":")[0]
        )

        def fill(address, size):
            return launches.time_fill(device, code, address, size)

        return aiter_calls.time_call(device, row, kernel, self.split, fill)


def aiter_kernels(row):
    """The kernels of the row's family."""
    families = WORKER.setdefault("families", {})
    key = row.chip, row.family
    if key not in families:
        families[key] = aiter_calls.read_kernels(WORKER["options"].aiter, *key)
    return families[key]


@dataclasses.dataclass(frozen=True)
class TensileTask:
    """rocBLAS' kernel for a measured product."""

    number: int  # of the row
    chip: str

    @property
    def setting(self):
        return self.chip, "only"

    @property
    def key(self):
        return f"rocblas {self.number}"

    def run(self, device):
        row = WORKER["tensile"][self.number]
        files = WORKER.setdefault("files", {})
        if row.kernel not in files:
            files.clear()  # up to 41 MB each
            files[row.kernel] = tensile_calls.read_code(WORKER["options"].rocblas, row)
        return tensile_calls.time_call(device, row, files[row.kernel])


@dataclasses.dataclass(frozen=True)
class OwnTask:
    """A kernel that this project's compiler makes, launched after other memory was used."""

    problem: str
    schedule: str
    setting: tuple = ("gfx950", "only")
    other_bytes: int = 0
    compiler: str = ""  # another ck-compile than that of the options

    @property
    def key(self):
        chip, mode = self.setting
        text = f"{self.compiler} {self.problem} {self.schedule} {chip}".lstrip()
        text += "" if mode == "only" else f" {mode}"
        return f"{text} {self.other_bytes}" if self.other_bytes else text

    def run(self, device):
        compiler = self.compiler or WORKER["options"].ck_compile
        compiled = own_kernels.compile_kernel(
            compiler, WORKER["cache"], self.problem, self.schedule, self.setting
        )
        if self.other_bytes:
            device.allocate(self.other_bytes)
        return own_kernels.time_kernels(device, compiled)


def start_worker(options, setting):
    """Gives a process its device, kernels and rows."""
    chip, mode = setting
    WORKER["options"] = options
    WORKER["device"] = launches.TimedDevice(options.library, chip, mode, options.parameters)
    WORKER["cache"] = launches.CodeCache(os.path.join(options.work, "code"))
    if options.aiter:
        rows = aiter_calls.read_rows(options.aiter_timing)
        WORKER["products"] = {row.number: row for row in rows}
    if options.rocblas:
        rows = tensile_calls.read_rows(options.rocblas_timing)
        WORKER["tensile"] = {row.number: row for row in rows}
    if options.miopen and chip == "gfx942":
        clang = launches.find_clang()
        WORKER["kernels"] = launches.MiopenKernels(options.miopen, WORKER["cache"], clang)
        WORKER["rows"] = miopen_calls.read_rows(options.timing)


def run_task(task):
    begin = time.monotonic()
    try:
        timing = task.run(WORKER["device"])
    except HipError as error:
        timing = {"error": str(error)}
    timing["seconds"] = round(time.monotonic() - begin, 3)
    return timing


class Store:
    """What was modelled, in a file of lines that only grows. Another emulator, other parameters,
    other launches or other measured rows, which tasks name by their numbers, have another file."""

    def __init__(self, options):
        here = os.path.dirname(os.path.abspath(__file__))
        digest = hashlib.sha256(options.parameters.encode())
        measured = [getattr(options, name, None) for name in MEASURED]
        launching = [os.path.join(here, name) for name in LAUNCHING]
        for path in (options.library, *launching, *filter(None, measured)):
            with open(path, "rb") as file:
                digest.update(file.read())
        self.path = os.path.join(options.work, f"modelled-{digest.hexdigest()[:16]}.jsonl")
        self.timings = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.timings = dict(map(json.loads, file))

    def get(self, task):
        return self.timings[task.key]

    def add(self, task, timing):
        self.timings[task.key] = timing
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps([task.key, timing]) + "\n")


def model(tasks, store, options):
    """Fills the store with the launches that it does not have."""
    missing = {task.key: task for task in tasks if task.key not in store.timings}
    for setting in sorted({task.setting for task in missing.values()}):
        part = [task for task in missing.values() if task.setting == setting]
        run_all(part, setting, store, options)


def run_all(tasks, setting, store, options):
    begin, shows = time.monotonic(), sys.stderr.isatty()
    initial = {"initializer": start_worker, "initargs": (options, setting)}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, **initial) as pool:
        waiting = {pool.submit(run_task, task): task for task in tasks}
        for count, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            store.add(waiting[future], future.result())
            if shows or count % 50 == 0 or count == len(tasks):
                seconds = time.monotonic() - begin
                left = seconds / count * (len(tasks) - count)
                line = f"{setting[0]}: {count}/{len(tasks)} launches, {seconds:.0f} s"
                end = "\r" if shows else "\n"
                print(f"{line}, {left:.0f} s left ", end=end, file=sys.stderr, flush=True)
    if shows:
        print(file=sys.stderr)
