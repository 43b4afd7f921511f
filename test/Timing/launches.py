# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches kernels on the emulator's model of time."""

import ctypes
import hashlib
import json
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Foreign"))

import miopen_kernels  # noqa: E402
from device import Device, HipError  # noqa: E402


class CodeCache:
    """Code objects in a folder, made once."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def get(self, key, make):
        """The bytes that `make()` returns, kept under `key`."""
        path = os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest()[:32] + ".hsaco")
        if not os.path.exists(path):
            code = make()
            part = f"{path}.{os.getpid()}"
            with open(part, "wb") as file:
                file.write(code)
            os.replace(part, path)
        with open(path, "rb") as file:
            return file.read()


class TimedDevice(Device):
    """A device of the emulator that models time. What the kernels compute is of no interest: only
    the workgroups that the model samples are executed, on memory that nothing was written to."""

    def __init__(self, library, chip="gfx942", mode="only", parameters=""):
        os.environ.update(CK_EMULATOR_CHIP=chip, CK_EMULATOR_CHECKS="off")
        os.environ.update(CK_EMULATOR_TIMING=mode, CK_EMULATOR_THREADS="1")
        os.environ["CK_EMULATOR_TIMING_PARAMETERS"] = parameters
        super().__init__(library)
        if not hasattr(self.hip, "ckEmulatorGetLaunchTiming"):
            raise HipError(f"{library} has no model of time")
        self.hip.ckEmulatorGetLaunchTiming.restype = ctypes.c_char_p

    def allocate(self, size):
        """The address of memory without content; it costs nothing until it is written to."""
        address = ctypes.c_void_p()
        self._call("hipMalloc", ctypes.byref(address), ctypes.c_size_t(max(size, 4)))
        self.allocated.append(address)
        return address

    def time(self, code, name, grid, block, arguments, lds_bytes=0):
        """What the model says about a launch."""
        self.launch(code, name, grid, block, lds_bytes, arguments)
        return json.loads(self.hip.ckEmulatorGetLaunchTiming().decode())


class MiopenKernels:
    """MIOpen's kernels in a folder, assembled when they are first asked for."""

    def __init__(self, folder, cache, clang, chip="gfx942"):
        self.cache, self.clang, self.chip = cache, clang, chip
        self.paths = {}
        for subfolder in sorted(os.listdir(folder)):
            part = os.path.join(folder, subfolder)
            for name in sorted(os.listdir(part)) if os.path.isdir(part) else []:
                if name.endswith(".s") and miopen_kernels.parse(name[:-2]):
                    self.paths[name[:-2]] = os.path.join(part, name)
        if not self.paths:
            raise FileNotFoundError(f"{folder} has no folders with kernels of MIOpen")

    def code(self, name):
        path = self.paths[name]
        with open(path, encoding="utf-8") as file:
            key = f"{self.chip} {file.read()}"
        return self.cache.get(key, lambda: miopen_kernels.assemble(path, self.chip, self.clang))


def find_clang():
    """A clang of LLVM 22 that assembles for AMD GPUs."""
    for name in ("/usr/lib/llvm-22/bin/clang", "clang-22", "clang"):
        try:
            subprocess.run([name, "--version"], check=True, capture_output=True)
            return name
        except (OSError, subprocess.CalledProcessError):
            continue
    raise FileNotFoundError("clang is needed to assemble kernels")


def time_kernel(device, kernels, row, plan):
    """The model's description of one launch of a MIOpen kernel, `plan` of miopen_calls."""
    kernel, grid, words = plan
    target = ("bwd", "wrw", "fwd").index(row.direction)
    sizes = [count * row.size for count in row.elements]
    sizes[target] *= 2  # sums may be kept in f32
    # Some kernels read filters of channels beyond the last one.
    pointers = [device.allocate(size + 4096 * row.size) for size in sizes]
    arguments = [*pointers, *(ctypes.c_uint32(word) for word in words)]
    try:
        code = kernels.code(kernel.name)
        return device.time(code, kernel.name, grid, (kernel.threads, 1, 1), arguments)
    finally:
        device.free_all()
