# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang for the host and for each chip, and the runner that compares what they compute."""

import collections
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ["O0", "O1", "O3"]
COMMON = ["-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-w", f"-I{HERE}"]
HOST = ["-std=gnu11", "-O1", "-fPIC", "-shared", "-Xclang", "-ffloat16-excess-precision=none"]
DEVICE = [
    "-x",
    "cl",
    "-cl-std=CL2.0",
    "-nogpulib",
    "-target",
    "amdgcn-amd-amdhsa",
    "-cl-fp32-correctly-rounded-divide-sqrt",
]

# How a batch is compiled for the GPU and run: on `chip`, at `level`, in waves of `wave` lanes.
Setting = collections.namedtuple("Setting", "chip level wave")


def is_rdna(chip):
    return not chip.startswith("gfx9")


class CompileError(Exception):
    """A compiler said no; the text is what it said."""


class Toolchain:
    """The programs that a run needs."""

    def __init__(self, clang, runner, guard, schedule=0, inputs=1):
        self.clang, self.runner = clang, runner
        self.guard = [f"-fpass-plugin={guard}"] if guard else []
        self.schedule, self.inputs = schedule, inputs

    def compile(self, arguments):
        done = subprocess.run([self.clang, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise CompileError(done.stderr)

    def compile_host(self, source, output):
        self.compile([*HOST, *COMMON, source, "-o", output, "-lm"])

    def compile_device(self, source, setting, output):
        is_wide = is_rdna(setting.chip) and setting.wave == 64
        features = ["-mwavefrontsize64"] if is_wide else []
        # LLVM 22.1 loses halves of registers where it optimizes for gfx11 with named halves:
        # elements of vectors of halves are not moved into place. Whole registers go right.
        if setting.chip.startswith("gfx11") and setting.level != "O0":
            features += ["-Xclang", "-target-feature", "-Xclang", "-real-true16"]
        self.compile(
            [
                *DEVICE,
                *COMMON,
                *self.guard,
                *features,
                f"-mcpu={setting.chip}",
                f"-{setting.level}",
                f"-DWAVE={setting.wave}",
                source,
                "-o",
                output,
            ]
        )

    def run(self, code, host, setting):
        """The results of all programs of a batch; a crash of the emulator is one, too."""
        results, skip = [], []
        while True:
            command = [
                self.runner,
                f"--chip={setting.chip}",
                f"--object={code}",
                f"--host={host}",
                f"--wave={setting.wave}",
                f"--inputs={self.inputs}",
                f"--schedule={self.schedule}",
                *(f"--skip={name}" for name in skip),
            ]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=300)
                status, text, error = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as expired:
                status, text, error = -1, (expired.stdout or b"").decode(), "no end after 300 s"
            running = None
            for line in text.splitlines():
                if line.startswith("run "):
                    running = line[4:]
                else:
                    results.append(json.loads(line))
                    skip.append(results[-1]["program"])
                    running = None
            if status == 0:
                return results
            if running is None:
                raise CompileError(f'{" ".join(command)}: {error}')
            skip.append(running)
            results.append(
                {
                    "program": running,
                    "status": "crash",
                    "message": f"status {status}: {error[-500:]}",
                }
            )
