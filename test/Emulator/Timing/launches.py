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
        return self._timing()

    def time_packed(self, code, name, grid, block, arguments):
        """The same with the arguments as the bytes that the kernel reads."""
        self.launch_packed(code, name, grid, block, 0, arguments)
        return self._timing()

    def _timing(self):
        timing = json.loads(self.hip.ckEmulatorGetLaunchTiming().decode())
        for detail in ("instructions", "waves"):  # long, and of no use here
            timing.pop(detail, None)
        if "modelled_us" not in timing:
            raise HipError(timing.get("error", "the launch was not timed"))
        return timing


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


TARGETS = ("bwd", "wrw", "fwd")  # by the place of the tensor that is written
FLAGS = "-x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O3 -mcode-object-version=5 -w"


def compile_others(cache, clang, chip="gfx942"):
    """The code object of other_kernels.cl."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "other_kernels.cl")

    def make():
        command = [clang, *FLAGS.split(), f"-mcpu={chip}", path, "-o", "-"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    with open(path, encoding="utf-8") as file:
        return cache.get(f"{chip} {file.read()}", make)


def plan_transposition(moved, ends):
    """Name, number of groups and arguments; `ends` are where to and where from."""
    rows, columns = -(-moved.height // moved.tile_y), -(-moved.width // moved.tile_x)
    words = map(ctypes.c_uint32, (moved.height, moved.width, rows, columns))
    divisors = ((ctypes.c_uint32 * 2)(*miopen_kernels.magic(d)) for d in (rows, columns))
    name = f"transpose_{moved.tile_x}x{moved.tile_y}_{moved.size}"
    return name, moved.groups, [*ends, *words, *divisors]


def plan_elementwise(name, pointers, count, values=()):
    """Name, number of groups and arguments. MIOpen starts a power of two of work-items, at most
    65536."""
    threads = min(65536, 1 << (count - 1).bit_length())
    words = map(ctypes.c_uint32, (count, max(threads, 256)))
    return name, -(-threads // 256), [*pointers, *values, *words]


def time_other(device, code, name, groups, arguments):
    """Microseconds of a kernel of other_kernels.cl."""
    return device.time(code, name, (groups, 1, 1), (256, 1, 1), arguments)["modelled_us"]


def time_fill(device, code, address, size):
    """Microseconds of filling `size` bytes with zeros."""
    plan = plan_elementwise("fill_4", [address], -(-size // 4), [ctypes.c_uint32(0)])
    return time_other(device, code, *plan)


class Call:
    """The kernels of a MIOpen call on the model, in MIOpen's order."""

    def __init__(self, device, kernels, row, plan, others):
        self.device, self.kernels, self.row = device, kernels, row
        self.plan, self.others = plan, others
        self.target = TARGETS.index(row.direction)
        sizes = [count * row.size for count in row.elements]
        sizes[self.target] = row.elements[self.target] * 4  # sums may be kept in f32
        # Some kernels read filters of channels beyond the last one.
        sizes = [size + 4096 * row.size for size in sizes]
        self.tensors = [device.allocate(size) for size in sizes]
        self.copies = list(self.tensors)
        for moved in others.transpositions:
            self.copies[moved.place] = device.allocate(sizes[moved.place])
        self.sums = self.copies[self.target]
        if others.cast_bytes or others.zeroed_bytes > row.elements[self.target] * row.size:
            self.sums = device.allocate(sizes[self.target])

    def gemm(self):
        kernel, grid, words = self.plan
        pointers = list(self.copies)
        pointers[self.target] = self.sums
        arguments = [*pointers, *(ctypes.c_uint32(word) for word in words)]
        code = self.kernels.code(kernel.name)
        return self.device.time(code, kernel.name, grid, (kernel.threads, 1, 1), arguments)

    def other(self, name, groups, arguments):
        code = compile_others(self.kernels.cache, self.kernels.clang)
        return time_other(self.device, code, name, groups, arguments)

    def transposition(self, moved):
        ends = [self.copies[moved.place], self.tensors[moved.place]]
        if moved.place == self.target:
            ends.reverse()
        return self.other(*plan_transposition(moved, ends))

    def run(self):
        """What the model says about the GEMM kernel, with the times of the others."""
        count, size, us = self.row.elements[self.target], self.row.size, []
        if self.others.zeroed_bytes:
            wide = self.others.zeroed_bytes // count
            value = ctypes.c_uint32(0) if wide == 4 else ctypes.c_uint16(0)
            us.append(self.other(*plan_elementwise(f"fill_{wide}", [self.sums], count, [value])))
        moves = self.others.transpositions
        us += [self.transposition(moved) for moved in moves if moved.place != self.target]
        timing = self.gemm()
        if self.others.cast_bytes:
            ends = [self.copies[self.target], self.sums]
            us.append(self.other(*plan_elementwise(f"cast_{size}", ends, count)))
        us += [self.transposition(moved) for moved in moves if moved.place == self.target]
        return {**timing, "others_us": us}


def time_call(device, kernels, row, plan, others):
    """The model's description of a MIOpen kernel, with the others of the call if there are any."""
    try:
        return Call(device, kernels, row, plan, others).run()
    finally:
        device.free_all()
