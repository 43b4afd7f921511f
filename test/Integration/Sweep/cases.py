# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of the end-to-end tests: a problem, how to compile and run it, and what counts as failure.

The sweep and the fuzzer differ in how they choose cases; what a case is, how ck-run judges it and
how a failure is reported stands here. What may be refused stands in refusals.py.
"""

import concurrent.futures
import dataclasses
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

from refusals import match_refusal

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from chips import list_chips, list_emulated  # noqa: E402

CHIPS = list_emulated()
DIRECTIONS = ["conv_fwd", "conv_bwd_data", "conv_bwd_weight"]
DTYPES = ["f16", "bf16", "f32", "i8", "fp8", "bf8"]
GEMM_LAYOUTS = ["rcr", "rrr", "crr", "ccr"]
# Problems of one process.
BATCH = 40


def get_out_dtype(kind, dtype):
    """The result type of `dtype`: the problem's default (""), the accumulator's ("wide"), that of
    the operands ("same"), or one of neither."""
    if kind == "wide":
        return "i32" if dtype == "i8" else "f32"
    if kind == "other":
        others = {"f16": "bf16", "bf16": "f16", "f32": "f16", "fp8": "bf8", "bf8": "bf16"}
        return others.get(dtype, dtype)
    return dtype if kind == "same" else ""


def resolve_schedule(schedule, chip, dtype):
    """`schedule` with `mma=32` or `mma=16` completed to an instruction of the chip for `dtype`: the
    last of that size in the table, which has the smallest K. The field is left out if none fits.
    """
    fields = []
    for field in filter(None, schedule.split(",")):
        if field in ("mma=32", "mma=16"):
            size = int(field.removeprefix("mma="))
            instructions = list_chips()[chip]["matrix_instructions"]
            fitting = [i for i in instructions if i["type"] == dtype and i["m"] == size]
            field = fitting and f"mma={size}x{size}x{fitting[-1]['k']}"
        if field:
            fields.append(field)
    return ",".join(fields)


def join(values):
    return "x".join(str(value) for value in values)


@dataclasses.dataclass(frozen=True)
class ConvProblem:
    """A convolution; one entry per spatial dimension in the tuples, outermost first."""

    direction: str
    dtype: str
    n: int
    g: int
    k: int
    c: int
    size: tuple
    filter: tuple
    stride: tuple
    dilation: tuple
    pad: tuple  # (left, right) pairs
    layout: str = ""  # as in the problem string, S and F for the letters of space and filter space
    out_dtype: str = ""
    epilogue: str = ""
    preshuffle: str = ""

    def get_output_size(self):
        return tuple(
            (size + sum(pad) - (dilation * (taps - 1) + 1)) // stride + 1
            for size, taps, stride, dilation, pad in zip(
                self.size, self.filter, self.stride, self.dilation, self.pad
            )
        )

    def is_legal(self):
        reaches = [d * (f - 1) + 1 for d, f in zip(self.dilation, self.filter)]
        return all(s + sum(p) >= r for s, p, r in zip(self.size, self.pad, reaches))

    def get_gemm(self):
        """M, N and K of the implicit GEMM of a group."""
        taps, size = math.prod(self.filter), math.prod(self.get_output_size())
        if self.direction == "conv_fwd":
            return self.n * size, self.k, self.c * taps
        if self.direction == "conv_bwd_data":
            steps = math.prod(self.stride)
            return self.n * math.prod(self.size), self.c, self.k * -(-taps // steps)
        return self.k, self.c * taps, self.n * size

    def get_layout(self):
        rank = len(self.size)
        space, taps = "DHW"[-rank:], "ZYX"[-rank:]
        return self.layout.translate(
            {ord("S"): space, ord("F"): taps, ord("s"): space[::-1], ord("f"): taps[::-1]}
        )

    def __str__(self):
        pad = "x".join(f"{left}:{right}" for left, right in self.pad)
        return (
            f"{self.direction}:{self.dtype}:N={self.n},G={self.g},K={self.k},C={self.c},"
            f"in={join(self.size)},filter={join(self.filter)},stride={join(self.stride)},"
            f"dilation={join(self.dilation)},pad={pad}"
        ) + format_options(self.get_layout(), self.out_dtype, self.epilogue, self.preshuffle)


@dataclasses.dataclass(frozen=True)
class GemmProblem:
    """A batched matrix product."""

    dtype: str
    m: int
    n: int
    k: int
    g: int
    layout: str = ""
    out_dtype: str = ""
    epilogue: str = ""
    preshuffle: str = ""

    def is_legal(self):
        return True

    def get_gemm(self):
        return self.m, self.n, self.k

    def __str__(self):
        return (f"gemm:{self.dtype}:M={self.m},N={self.n},K={self.k},G={self.g}") + format_options(
            self.layout, self.out_dtype, self.epilogue, self.preshuffle
        )


def format_options(layout, out_dtype, epilogue, preshuffle):
    options = {
        "layout": layout,
        "preshuffle": preshuffle,
        "out_dtype": out_dtype,
        "epilogue": epilogue,
    }
    return "".join(f",{key}={value}" for key, value in options.items() if value)


@dataclasses.dataclass(frozen=True, order=True)
class Setting:
    """What cases that run in one process share."""

    chip: str = "gfx942"
    schedule: str = ""  # fields left out are chosen
    init: str = "int"
    verify: str = "cpu"
    seed: int = 0
    order: str = ""  # CK_EMULATOR_SCHEDULE
    cus: int = 0  # CK_EMULATOR_CUS; 0: those of the chip

    def get_options(self):
        options = [f"--chip={self.chip}", f"--verify={self.verify}", "--device=emulator"]
        options += [f"--init={self.init}", f"--seed={self.seed}"]
        if self.schedule:
            options.append(f"--schedule={self.schedule}")
        return options

    def rounds_slices(self):
        """True if sums may be added up in the type of the result."""
        partition = re.search(r"partition=(split_k:\w+)(:two_stage)?", self.schedule)
        return bool(partition and not partition[2])

    def get_command(self, problem):
        """A line for the shell that runs `problem` alone."""
        prefix = f"CK_EMULATOR_SCHEDULE={self.order} " if self.order else ""
        prefix += f"CK_EMULATOR_CUS={self.cus} " if self.cus else ""
        return f'{prefix}ck-run "{problem}" {" ".join(self.get_options())}'


def get_work(problem, tile):
    """Multiply-accumulates that the kernel executes, tails included. `tile` is None where the
    compiler chooses it, which then is not far above the problem's own sizes."""
    work = problem.g
    for size, part in zip(problem.get_gemm(), tile or (64, 64, 64)):
        work *= -(-size // part) * part
    return work


def start_tool(tool, arguments, setting):
    environment = dict(os.environ)
    for name, value in {"SCHEDULE": setting.order, "CUS": setting.cus}.items():
        environment.pop("CK_EMULATOR_" + name, None)
        if value:
            environment["CK_EMULATOR_" + name] = str(value)
    command = [tool, *arguments, "--format=json", *setting.get_options()]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def run_alone(tool, problem, setting):
    """The report of one problem, also where the tool dies of it."""
    process = start_tool(tool, [str(problem)], setting)
    try:
        return json.loads(process.stdout)
    except json.JSONDecodeError:
        lines = process.stderr.strip().splitlines() or [""]
        reason = f"ck-run ended with status {process.returncode}: {lines[-1]}"
        return {"status": "crash", "reason": reason}


def run_batch(tool, problems, setting):
    """The reports of `problems`, run in one process; one by one if that process dies."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        entries = [{"name": str(i), "problem": str(p)} for i, p in enumerate(problems)]
        json.dump({"title": "cases", "problems": entries}, file)
        file.flush()
        process = start_tool(tool, [f"--problems={file.name}"], setting)
    try:
        reports = json.loads(process.stdout)
    except json.JSONDecodeError:
        reports = []
    if len(reports) == len(problems):
        return reports
    return [run_alone(tool, problem, setting) for problem in problems]


def make_batches(cases, seed):
    """[(setting, problems)] of [(setting, problem)]: those of one setting together, at most BATCH,
    each batch in another shuffled order of waves and workgroups. Where these share work, the device
    has few compute units, so that small problems are shared as well."""
    batches = []
    cases = sorted(cases, key=lambda case: case[0])
    for setting, group in itertools.groupby(cases, key=lambda case: case[0]):
        problems = [problem for _, problem in group]
        for begin in range(0, len(problems), BATCH):
            number = len(batches)
            ordered = dataclasses.replace(
                setting,
                seed=1 + number,
                order=f"random:{1000 * seed + number}",
                cus=(4, 7, 0)[number % 3] if "partition=" in setting.schedule else 0,
            )
            batches.append((ordered, problems[begin : begin + BATCH]))
    return batches


def run_batches(tool, batches, jobs, summary):
    """Runs the batches, `jobs` of them at a time; results arrive in the order of `batches`."""

    def run(batch):
        setting, problems = batch
        return run_batch(tool, problems, setting)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (setting, problems), reports in zip(batches, pool.map(run, batches)):
            for problem, report in zip(problems, reports):
                summary.add(problem, setting, report)


def explain_failure(problem, setting, report):
    """Why `report` is a failure, or None. Only what refusals.py lists may be refused; sums of whole
    numbers are exact without an epilogue, and no kernel spills."""
    status, reason = report["status"], report["reason"] or ""
    wrong_refusal = match_refusal(setting, status, reason)
    if status == "unsupported" or wrong_refusal:
        return wrong_refusal
    if status != "ok":
        return f"{status}: {reason or str(report.get('mismatches')) + ' mismatches'}"
    exact = setting.init == "int" and not problem.epilogue and not setting.rounds_slices()
    if exact and report["max_abs_error"] != 0:
        return f"expected the exact result of integer inputs, got {report['max_abs_error']} off"
    scratch = sum(kernel["scratch_bytes"] for kernel in report["kernels"])
    if scratch:
        return f"expected kernels without scratch memory, got {scratch} bytes"
    return None


def run_checks(checks):
    """Runs (what it is, function) pairs, prints those that return what is wrong, and returns the
    status of the process."""
    failed = count = 0
    for name, check in checks:
        count += 1
        reason = check()
        if reason:
            failed += 1
            print(f"FAILED {name}: {reason}", flush=True)
    print(f"{count} runs, {failed} failed")
    return 1 if failed else 0


class Summary:
    """Counts outcomes and prints failures as they come."""

    def __init__(self):
        self.verified = self.failed = 0
        self.refused = []  # (setting, problem)

    def add(self, problem, setting, report):
        reason = explain_failure(problem, setting, report)
        if reason:
            self.failed += 1
            print(f"FAILED {reason}\n  {setting.get_command(problem)}", flush=True)
        elif report["status"] == "ok":
            self.verified += 1
        else:
            self.refused.append((setting, problem))

    def __str__(self):
        return (
            f"{self.verified} verified, {len(self.refused)} refused as expected, "
            f"{self.failed} failed"
        )
