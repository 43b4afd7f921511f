# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and programs of other projects that a folder lists.

peers.json in the folder is a list with an object for each problem: "peer", "kind", "chip", the
"problem" as this project states it, and "candidates", the fastest of which counts. A candidate is a
kernel, {"code": FILE, "kernel", "grid": in workgroups, "block", "lds_bytes", "arguments"}, or a
program, {"command": [...]}, whose launches all count; "{folder}" in it is the folder. An argument
is {"bytes": of a buffer}, {"i32": value} or {"pointer": address}. make-triton and make-iree write
such folders."""

import ctypes
import dataclasses
import functools
import json
import os
import subprocess
import tempfile

from device import HipError
from modelling import WORKER

LIST = "peers.json"
KEYS = ("peer", "kind", "chip", "problem", "candidates")


@functools.lru_cache(maxsize=None)
def read_list(folder):
    path = os.path.join(folder, LIST)
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    for number, entry in enumerate(entries):
        missing = [key for key in KEYS if not entry.get(key)]
        if missing:
            raise ValueError(f"{path}: entry {number}: expected the keys {', '.join(KEYS)}, "
                             f"got none for {', '.join(missing)}")  # fmt: skip
    return entries


def make_argument(device, argument):
    """The value that a launch is given."""
    if "bytes" in argument:
        return device.allocate(argument["bytes"])
    if "i32" in argument:
        return ctypes.c_int32(argument["i32"])
    return ctypes.c_void_p(argument["pointer"])


def time_kernel(device, folder, candidate):
    with open(os.path.join(folder, candidate["code"]), "rb") as file:
        code = file.read()
    try:
        arguments = [make_argument(device, argument) for argument in candidate["arguments"]]
        timing = device.time(code, candidate["kernel"], candidate["grid"], candidate["block"],
                             arguments, candidate["lds_bytes"])  # fmt: skip
    finally:
        device.free_all()
    return {"modelled_us": timing["modelled_us"], "kernels": [timing]}


def time_program(options, chip, folder, command):
    """All that the program launches, by the log of the emulator's command."""
    emulate = os.path.join(os.path.dirname(options.ck_compile), "ck-emulate")
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "log.jsonl")
        settings = ["--checks=off", "--threads=1", "--timing=only", "--quiet"]
        settings += [f"--chip={chip}", f"--log={log}", f"--library={options.library}"]
        command = [part.replace("{folder}", folder) for part in command]
        done = subprocess.run([emulate, *settings, "--", *command], capture_output=True, text=True,
                              errors="replace", check=False)  # fmt: skip
        if done.returncode:
            raise HipError(f"{command[0]}: status {done.returncode}: {done.stderr.strip()[-300:]}")
        with open(log, encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
    kernels = [event for event in events if event["event"] == "launch"]
    if not kernels:
        raise HipError(f"{command[0]}: launched no kernel")
    total = sum(kernel["modelled_us"] for kernel in kernels)
    return {"modelled_us": total, "kernels": [{"launch_us": k["launch_us"]} for k in kernels]}


@dataclasses.dataclass(frozen=True)
class ListedTask:
    """The fastest candidate for a problem."""

    folder: str
    number: int  # in the list
    chip: str

    @property
    def setting(self):
        return self.chip, "only"

    @property
    def key(self):
        entry = read_list(self.folder)[self.number]
        return f"listed {self.folder} {json.dumps(entry, sort_keys=True)}"

    def run(self, device):
        timings, errors = [], []
        for candidate in read_list(self.folder)[self.number]["candidates"]:
            try:
                if "command" in candidate:
                    timing = time_program(
                        WORKER["options"], self.chip, self.folder, candidate["command"]
                    )
                else:
                    timing = time_kernel(device, self.folder, candidate)
                timings.append({**timing, "zeroed_bytes": 0, "name": candidate.get("name", "")})
            except HipError as error:  # too much LDS, for example
                errors.append(str(error))
        if not timings:
            raise HipError("; ".join(errors))
        return min(timings, key=lambda timing: timing["modelled_us"])
