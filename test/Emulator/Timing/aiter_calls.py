# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AITER's matrix products as AMD measured them, and how its kernels are launched for them.

The folders, tables of kernels, grids and arguments are those of ROCm/aiter (MIT license): hsa/CHIP/
and the launchers in csrc/py_itfs_cu/asm_gemm_*.cu. Nothing of that repository is part of this
project."""

import csv
import ctypes
import dataclasses
import os

SLOT_BYTES = 16  # of an argument
KERNEL_BYTES = 384  # at least what every kernel says that it reads; not all fill it
THREADS = 256
SEMAPHORES = 16 * 64  # tiles that bf16 kernels with splits can have at most
# The chips that the emulator has, by processor and number of compute units.
CHIPS = {
    ("gfx950", 256): "gfx950",
    ("gfx942", 304): "gfx942",
    ("gfx942", 80): "gfx942:mi308x",
}
UNITS = {chip: units for (_, units), chip in CHIPS.items()}
MALL_BYTES = 256 << 20
ITERATIONS = 101  # of a measurement, each with arguments of its own while memory lasts


@dataclasses.dataclass(frozen=True)
class Family:
    """Kernels for one type of operands."""

    name: str
    folder: str  # in hsa/CHIP/
    bits: int  # of an element of A and B
    tera_ops: float  # a second at best, of the chip's data sheet
    tb_per_s: float = 8.0


FAMILIES = {
    family.name: family
    for family in (
        Family("bf16", "bf16gemm", 16, 2516.6),
        Family("fp8bs", "fp8gemm_blockscale", 8, 5033.2),
        Family("f4", "f4gemm", 4, 10066.3),
        Family("i8", "i8gemm", 8, 2614.9, 5.3),
    )
}


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A row of the table beside the code objects."""

    name: str
    path: str
    m: int
    n: int
    splits: bool
    shuffled: bool  # B in the order that the kernel reads
    step: int  # of K


@dataclasses.dataclass(frozen=True)
class Row:
    """A measured product."""

    number: int
    chip: str
    family: str
    m: int
    n: int
    k: int
    split: int  # workgroups along K
    kernel: str
    us: float
    result_bytes: int  # of an element

    @property
    def roofline_us(self):
        family = FAMILIES[self.family]
        moved = (self.m + self.n) * self.k * family.bits / 8 + self.m * self.n * self.result_bytes
        operations = 2 * self.m * self.n * self.k
        return max(operations / family.tera_ops, moved / family.tb_per_s) / 1e6


def parse_row(number, line):
    try:
        size = [int(line[name]) for name in "MNK"]
        split, us = int(line["splitK"]), float(line["us"])
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(f"row {number + 1}: expected whole numbers M, N, K, splitK and a time us, "
                         f"got {dict(line)}") from error  # fmt: skip
    if min(*size, us) <= 0 or split < 0:
        raise ValueError(f"row {number + 1}: expected M, N, K and us above 0, got {dict(line)}")
    family = line["family"]
    if family not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise ValueError(f"row {number + 1}: expected a family of {known}, got '{family}'")
    split = 1 << split if family == "f4" else max(1, split)
    wide = 4 if line.get("outdtype") == "torch.float32" else 2
    chip = CHIPS.get((line["gfx"], int(line["cu_num"])))
    return Row(number, chip, family, *size, split, line["kernelName"], us, wide)


def read_rows(path, families=tuple(FAMILIES)):
    """The rows of `families` on chips that the emulator has."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [parse_row(number, line) for number, line in enumerate(csv.DictReader(file))]
    return [row for row in rows if row.chip and row.family in families]


def parse_kernel(folder, line):
    """A line of the table; AITER writes the same names in several ways."""
    cells = {name.replace("_", "").lower(): value for name, value in line.items()}
    return Kernel(
        cells["knlname"], os.path.join(folder, cells["coname"]), int(cells["tilem"]),
        int(cells["tilen"]), cells["splitk"] == "1", cells["bpreshuffle"] == "1",
        int(cells.get("subk", 128)),
    )  # fmt: skip


def read_kernels(root, chip, family):
    """The kernels of a family by name, from `root`, a checkout of ROCm/aiter."""
    folder = os.path.join(root, "hsa", chip.split(":")[0], FAMILIES[family].folder)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"expected the code objects of ROCm/aiter in {folder}")
    kernels = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".csv"):
            with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
                for line in csv.DictReader(file):
                    kernel = parse_kernel(folder, line)
                    kernels[kernel.name] = kernel
    return kernels


def align(value, step):
    return -(-value // step) * step


def sizes(row):
    """Bytes of the operands, of the result and of the scales, each with rows for a whole tile."""
    bits, m, n = FAMILIES[row.family].bits, align(row.m, 256), align(row.n, 512)
    result = {
        "A": m * row.k * bits // 8,
        "B": n * row.k * bits // 8,
        "D": m * n * row.result_bytes,
        "bias": n * 4,
    }
    if row.family == "bf16":
        result["semaphores"] = SEMAPHORES * 4
    elif row.family == "fp8bs":
        result.update(scale_a=m * row.k // 128 * 4, scale_b=n * row.k // 128 // 32)
    elif row.family == "f4":
        result.update(scale_a=m * align(row.k // 32, 8), scale_b=n * align(row.k // 32, 8))
    else:
        result.update(scale_a=m * 4, scale_b=n * 4)
    return {name: size + 4096 for name, size in result.items()}


def cold_bytes(row):
    """Bytes of other arguments that a measurement goes through between two uses of the same ones;
    the caches forget. 0 where the MALL holds them all."""
    bits = FAMILIES[row.family].bits
    others = ((row.m + row.n) * row.k * bits // 8) * (ITERATIONS - 1)
    return others if others > MALL_BYTES else 0


def slots(values):
    """Arguments in slots of 16 bytes: addresses, floating-point numbers and whole numbers."""
    data = bytearray()
    for value in values:
        if isinstance(value, float):
            part = bytes(ctypes.c_float(value))
        elif isinstance(value, ctypes.c_void_p):
            part = bytes(value)
        else:
            part = bytes(ctypes.c_uint32(value))
        data += part.ljust(SLOT_BYTES, b"\0")
    return bytes(data.ljust(KERNEL_BYTES, b"\0"))


def bf16_arguments(row, split, at):
    wide, none = row.result_bytes, ctypes.c_void_p()
    strides = [row.n * wide, 0, row.n * wide, 0, row.k * 2, 0, row.k * 2, 0]
    semaphores = at["semaphores"] if split > 1 else none
    ends = [split, int(wide == 2), none, 0, semaphores]
    return [at["D"], none, at["A"], at["B"], 1.0, 0.0, *strides, row.m, row.n, row.k, *ends]


def f4_arguments(row, split, at):
    strides = [0, 0, row.n, 0, row.k, 0, row.k, 0]
    scales = [at["scale_a"], at["scale_b"]]
    stride = align(row.k // 32, 8)
    return [
        at["D"], ctypes.c_void_p(), at["A"], at["B"], 1.0, 0.0, *strides, row.m, row.n, row.k,
        *scales, stride, 0, stride, 0, split.bit_length() - 1,
    ]  # fmt: skip


def fp8_arguments(row, split, at):
    pointers = [at[name] for name in ("D", "A", "B", "scale_a", "scale_b", "bias")]
    scales = [row.m, align(row.n, 128) // 128, align(row.k, 128) // 128]
    return [*pointers, row.m, row.n, row.k, row.k, row.k, row.n * 2, split, *scales]


def i8_arguments(row, split, at):
    pointers = [at[name] for name in ("D", "A", "B", "scale_a", "scale_b", "bias")]
    return [*pointers, row.m, row.n, row.k, row.k, row.k, row.n * 2, split]


ARGUMENTS = {
    "bf16": bf16_arguments,
    "f4": f4_arguments,
    "fp8bs": fp8_arguments,
    "i8": i8_arguments,
}


def grid(row, kernel, split):
    rows, columns = -(-row.m // kernel.m), -(-row.n // kernel.n)
    if row.family == "bf16":
        return columns, rows, split
    if row.family == "f4":
        return columns, rows, -(-row.k // align(row.k // split, 256))
    return row.n // kernel.n * split, rows, 1


def fills(row, split):
    """Whether the result is filled with zeros in front of the kernel."""
    return split > 1 and row.family != "bf16"


def is_valid(row, kernel, split):
    """Whether AITER would launch the kernel."""
    if split > 1 and not kernel.splits and row.family != "bf16":
        return False
    if row.family == "f4":
        return row.n % kernel.n == 0 or (kernel.m, kernel.n) != (128, 512)
    if row.n % kernel.n:
        return False
    if row.family == "bf16":
        columns, rows, _ = grid(row, kernel, split)
        return (split > 1) == kernel.splits and (split == 1 or columns * rows <= SEMAPHORES)
    part = align(-(-row.k // split), 128)
    return -(-row.k // part) == split


def splits_of(row, kernel, units):
    """The splits of a kernel that are tried: the largest that still fits into one round, half of
    it, and none, which AITER's rules for the type admit."""
    columns, rows, _ = grid(row, kernel, 1)
    most = min(16, max(1, units // (columns * rows)), max(1, row.k // kernel.step))
    wanted = {most, max(1, most // 2), 1, 2}
    if row.family == "f4":
        wanted = {1 << (split.bit_length() - 1) for split in wanted}
    return sorted(split for split in wanted if is_valid(row, kernel, split))


def candidates(row, kernels, units):
    """Pairs of kernels and splits that could have been chosen for a row, with that which was."""
    chosen = kernels[row.kernel]
    result = {
        (kernel.name, split)
        for kernel in kernels.values()
        if kernel.shuffled == chosen.shuffled
        for split in splits_of(row, kernel, units)
    }
    return sorted(result | {(chosen.name, row.split)})


def time_call(device, row, kernel, split, fill):
    """What the model says of a call. `fill` times the filling of an address with some bytes."""
    try:
        at = {name: device.allocate(size) for name, size in sizes(row).items()}
        if cold_bytes(row):
            device.allocate(cold_bytes(row))
        others = []
        if fills(row, split):
            others.append(fill(at["D"], row.m * row.n * row.result_bytes))
        with open(kernel.path, "rb") as file:
            code = file.read()
        arguments = slots(ARGUMENTS[row.family](row, split, at))
        shape = grid(row, kernel, split), (THREADS, 1, 1)
        return {**device.time_packed(code, kernel.name, *shape, arguments), "others_us": others}
    finally:
        device.free_all()
