# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rocBLAS' matrix products as AMD's tuning recorded them, and how its kernels are launched.

The kernels are those of a rocBLAS library (MIT license), rocblas/VERSION/library/*.co: Tensile's,
whose names say what they do. Grids and arguments are those of Tensile's ContractionSolution.cpp.
Nothing of rocBLAS is part of this project."""

import csv
import dataclasses
import os
import re
import struct

MAGIC_SHIFT = 31


@dataclasses.dataclass(frozen=True)
class Chip:
    """What a product can do at best, by its data sheet."""

    tera_ops: float
    tb_per_s: float


CHIPS = {"gfx1100": Chip(122.9, 0.96), "gfx90a": Chip(191.5, 1.638)}
LEAST_US = 10.0  # of the roofline: what is shorter was not measured beyond the launch


@dataclasses.dataclass(frozen=True)
class Row:
    """A measured product, of column-major matrices."""

    number: int
    chip: str
    dtype: str  # HH or BB
    layout: str  # Tensile's, Ailk_Bjlk: the first index of A and B runs along memory
    m: int
    n: int
    k: int
    kernel: str
    percent: float  # of a speed that is not recorded

    @property
    def family(self):
        return self.chip

    @property
    def split(self):
        return 1

    @property
    def operations(self):
        return 2 * self.m * self.n * self.k

    @property
    def us(self):
        """The measured time but for a factor of the chip."""
        return self.operations / (self.percent / 100 * CHIPS[self.chip].tera_ops) / 1e6

    @property
    def roofline_us(self):
        chip = CHIPS[self.chip]
        moved = 2 * ((self.m + self.n) * self.k + self.m * self.n)
        return max(self.operations / chip.tera_ops, moved / chip.tb_per_s) / 1e6


def field(kernel, name, pattern=r"-?\d+"):
    """What stands behind `name` in a kernel's name."""
    found = re.search(rf"_{name}({pattern})(?:_|$)", kernel)
    if not found:
        raise ValueError(f"expected _{name}{pattern} in the name of Tensile's kernel '{kernel}'")
    return found[1]


def number_of(kernel, name):
    return int(field(kernel, name))


def parse_row(number, line):
    try:
        sizes = [int(size) for size in line["key"].split("x")]
        percent = float(line["speed"])
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(f"row {number + 1}: expected a key of sizes and a speed, "
                         f"got {dict(line)}") from error  # fmt: skip
    if len(sizes) not in (3, 4) or min(*sizes, percent) <= 0:
        raise ValueError(f"row {number + 1}: expected a key MxNxK or MxNxBATCHxK and a speed, all "
                         f"above 0, got '{line['key']}' and {percent}")  # fmt: skip
    dtype = line["type"].split("_")[1]
    if len(sizes) == 4 and sizes.pop(2) != 1:
        return None
    return Row(number, line["chip"], dtype, line["layout"], *sizes, line["kernel"], percent)


def is_as_measured(row):
    """In Debian's library the kernels for gfx90a that prefetch two steps ahead wait for each load
    right behind it, in the main loop too: prefetching is void, and they are not what was tuned."""
    return row.chip != "gfx90a" or number_of(row.kernel, "PGR") == 1


def read_rows(path):
    """Rows of one batch, whose kernels are those that were measured and do not split K, that take
    long enough to be told from a launch."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [parse_row(number, line) for number, line in enumerate(csv.DictReader(file))]
    return [
        row
        for row in rows
        if row
        and row.chip in CHIPS
        and number_of(row.kernel, "GSU") == 1
        and is_as_measured(row)
        and row.roofline_us >= LEAST_US
    ]


def library_files(folder, row):
    """Where the kernels of a row may be."""
    start = f"TensileLibrary_Type_{row.dtype}_HPA_Contraction_l_{row.layout}_Cijk_Dijk"
    names = [f"{start}{units}_{row.chip}.co" for units in ("", "_CU104")]
    return [os.path.join(folder, name) for name in names]


def read_code(folder, row):
    """The code object that has the row's kernel."""
    for path in library_files(folder, row):
        if os.path.exists(path):
            with open(path, "rb") as file:
                code = file.read()
            if row.kernel.encode() + b"\0" in code:
                return code
    paths = " or ".join(library_files(folder, row))
    raise FileNotFoundError(f"expected the kernel {row.kernel} in {paths}")


def stagger(row):
    """OrigStaggerUIter: a mask for the steps by which workgroups start at different places of K."""
    kernel = row.kernel
    depth = int(field(kernel, "MT", r"\d+x\d+x\d+").split("x")[2])
    steps, count = row.k // depth, number_of(kernel, "SU")
    stride = max(1, number_of(kernel, "SUS") // (depth * 2))
    while count > 1 and steps < count * stride:
        count //= 2
    return max(0, count - 1)


def tiles(row):
    height, width, _ = map(int, field(row.kernel, "MT", r"\d+x\d+x\d+").split("x"))
    return -(-row.m // height), -(-row.n // width)


def arguments(row, a, b, d):
    """The bytes of the kernel's arguments; its name says which there are."""
    lda = row.m if row.layout[1] == "i" else row.k
    ldb = row.n if row.layout[6] == "j" else row.k
    sizes = (row.m * row.k, row.n * row.k, row.m * row.n)
    data = struct.pack("<2Q4Q2f", sizes[0], sizes[1], d, d, a, b, 1.0, 0.0)
    for leading, size in ((row.m, sizes[2]), (row.m, sizes[2]), (lda, sizes[0]), (ldb, sizes[1])):
        data += struct.pack("<2I", leading, size)
    data += struct.pack("<4I", row.m, row.n, 1, row.k)
    if number_of(row.kernel, "SU"):
        data += struct.pack("<I", stagger(row))
    rows, columns = tiles(row)
    data += struct.pack("<2I", rows, columns)
    width = number_of(row.kernel, "WGM")
    if width > 1:
        rest = columns % width or width
        data += struct.pack("<3I", columns // width, rest, (1 << MAGIC_SHIFT) // rest + 1)
    return data


def threads(row):
    x, y, z = map(int, field(row.kernel, "WG", r"\d+_\d+_\d+").split("_"))
    return x * y * z


def time_call(device, row, code):
    """What the model says of a product; its operands lie in memory, and the MALL has of them what
    the launch before has left."""
    try:
        a = device.allocate(row.m * row.k * 2 + 4096)
        b = device.allocate(row.n * row.k * 2 + 4096)
        d = device.allocate(row.m * row.n * 2 + 4096)
        data = arguments(row, *(address.value for address in (a, b, d)))
        shape = (*tiles(row), 1), (threads(row), 1, 1)
        return {**device.time_packed(code, row.kernel, *shape, data), "others_us": []}
    finally:
        device.free_all()
