# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of the end-to-end tests: a problem, a schedule, and how to run them.

The sweep and the fuzzer differ in how they choose cases; what a case is, how ck-run judges it and
how a failure is reported stands here.
"""

import dataclasses
import json
import os
import subprocess
import tempfile


@dataclasses.dataclass(frozen=True)
class Problem:
    """A backward-weight convolution; one entry per spatial dimension in the tuples."""

    n: int
    g: int
    k: int
    c: int
    size: tuple
    filter: tuple
    stride: tuple
    dilation: tuple
    pad: tuple  # (left, right) pairs
    out_dtype: str

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
        n, k = self.c, self.n
        for taps, size in zip(self.filter, self.get_output_size()):
            n *= taps
            k *= size
        return self.k, n, k

    def __str__(self):
        def join(values):
            return "x".join(str(value) for value in values)

        pad = "x".join(f"{left}:{right}" for left, right in self.pad)
        return (
            f"conv_bwd_weight:f16:N={self.n},G={self.g},K={self.k},C={self.c},"
            f"in={join(self.size)},filter={join(self.filter)},stride={join(self.stride)},"
            f"dilation={join(self.dilation)},pad={pad},out_dtype={self.out_dtype}"
        )


@dataclasses.dataclass(frozen=True)
class Setting:
    """What cases that run in one process share."""

    schedule: str = ""  # fields left out are chosen
    init: str = "int"
    seed: int = 0
    order: str = ""  # CK_EMULATOR_SCHEDULE

    def get_options(self):
        options = ["--verify=cpu", "--device=emulator", f"--init={self.init}"]
        options.append(f"--seed={self.seed}")
        if self.schedule:
            options.append(f"--schedule={self.schedule}")
        return options

    def get_command(self, problem):
        """A line for the shell that runs `problem` alone."""
        prefix = f"CK_EMULATOR_SCHEDULE={self.order} " if self.order else ""
        return f'{prefix}ck-run "{problem}" {" ".join(self.get_options())}'


def get_work(problem, tile):
    """Multiply-accumulates that the kernel executes with this block tile, tails included."""
    work = problem.g
    for size, part in zip(problem.get_gemm(), tile):
        work *= -(-size // part) * part
    return work


def start_tool(tool, arguments, setting):
    environment = dict(os.environ)
    environment.pop("CK_EMULATOR_SCHEDULE", None)
    if setting.order:
        environment["CK_EMULATOR_SCHEDULE"] = setting.order
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


def explain_failure(report, setting):
    """Why `report` is a failure, or None. A refusal is none if it says why and the schedule was
    asked for: every legal problem has a schedule. Integer inputs must give exact results, and no
    kernel may spill."""
    status, reason = report["status"], report["reason"]
    if status == "unsupported" and reason and setting.schedule:
        return None
    if status != "ok":
        return f"{status}: {reason or str(report.get('mismatches')) + ' mismatches'}"
    if setting.init == "int" and report["max_abs_error"] != 0:
        return f"expected the exact result of integer inputs, got {report['max_abs_error']} off"
    scratch = sum(kernel["scratch_bytes"] for kernel in report["kernels"])
    if scratch:
        return f"expected kernels without scratch memory, got {scratch} bytes"
    return None


class Summary:
    """Counts outcomes and prints failures as they come."""

    def __init__(self):
        self.verified = self.refused = self.failed = 0

    def add(self, problem, setting, report):
        reason = explain_failure(report, setting)
        if reason:
            self.failed += 1
            print(f"FAILED {reason}\n  {setting.get_command(problem)}", flush=True)
        elif report["status"] == "ok":
            self.verified += 1
        else:
            self.refused += 1

    def __str__(self):
        return (
            f"{self.verified} verified, {self.refused} refused with a reason, {self.failed} failed"
        )
