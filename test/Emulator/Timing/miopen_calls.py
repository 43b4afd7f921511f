# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of MIOpen consists of that runs one of its assembly implicit-GEMM kernels: the
kernel with its grid and arguments, and the other kernels around it.

The rules are those of ConvAsmImplicitGemmGTCDynamic{Fwd,Bwd,Wrw}XdlopsNHWC and of
BatchedTransposeSolution in MIOpen of October 2024."""

import csv
import dataclasses
import math
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Foreign"))

import miopen_kernels  # noqa: E402

DIRECTIONS = {"F": "fwd", "B": "bwd", "W": "wrw"}
COMPUTE_UNITS = 304
FIELDS = """nxb nxe m n k wave_m wave_n wave_k step_m step_n repeat_m repeat_n many_gemms
vector_store split merges_filter pass_through""".split()


@dataclasses.dataclass(frozen=True)
class Config:
    """MIOpen's description of a kernel, with the split that it is launched with: 0 for none,
    forward and backward-data the logarithm of the parts, backward-weight workgroups per unit."""

    direction: str
    dtype: str
    values: tuple  # of FIELDS
    a_thread: tuple
    a_cluster: tuple
    b_thread: tuple
    b_cluster: tuple

    def __getattr__(self, name):
        if name not in FIELDS:
            raise AttributeError(name)
        return self.values[FIELDS.index(name)]

    @property
    def name(self):
        """The kernel's name on gfx94x."""
        v = dict(zip(FIELDS, self.values))
        by = "x".join
        lengths = [by(map(str, part)) for part in dataclasses.astuple(self)[3:]]
        text = f"igemm_{self.direction}_gtcx3_nhwc_{self.dtype}_bx{v['nxb']}_ex{v['nxe']}"
        text += f"_bt{v['m']}x{v['n']}x{v['k']}_wt{v['wave_m']}x{v['wave_n']}x{v['wave_k']}"
        text += f"_ws{v['step_m']}x{v['step_n']}_wr{v['repeat_m']}x{v['repeat_n']}"
        text += f"_ta{lengths[0]}_{lengths[1]}_tb{lengths[2]}_{lengths[3]}"
        for field, mark in (
            ("pass_through", "_pta"),
            ("many_gemms", "_mh"),
            ("merges_filter", "_me"),
        ):
            text += mark if v[field] else ""
        text += f"_vs{v['vector_store']}" if v["vector_store"] else ""
        return text + ("_gkgs" if v["split"] else "")

    def with_split(self, split):
        values = list(self.values)
        values[FIELDS.index("split")] = split
        return dataclasses.replace(self, values=tuple(values))


def parse_params(text):
    """The Config of a perf-config string; what follows the lengths is an index."""
    parts = text.split(",")
    if len(parts) < 36 or parts[1] != "nhwc":
        raise ValueError(f"expected a perf config of an NHWC kernel, got '{text}'")
    numbers = [int(part) for part in parts[3:36]]
    lengths = [tuple(numbers[i : i + 4]) for i in range(17, 33, 4)]
    return Config(parts[0], parts[2], tuple(numbers[:17]), *lengths)


def parse_name(name):
    """The Config of a kernel's name, split into two parts if the kernel can split, or None."""
    if not miopen_kernels.parse(name):
        return None
    parts = name.split("_")

    def numbers(part, prefix=2):
        return tuple(int(number) for number in part[prefix:].split("x"))

    store = [int(part[2:]) for part in parts[14:] if part.startswith("vs")]
    values = [*numbers(parts[5]), *numbers(parts[6]), *numbers(parts[7]), *numbers(parts[8])]
    values += [*numbers(parts[9]), *numbers(parts[10]), "mh" in parts, *store[:1]] if store else [
        *numbers(parts[9]), *numbers(parts[10]), "mh" in parts, 0]  # fmt: skip
    values += ["gkgs" in parts, "me" in parts, "pta" in parts]
    lengths = numbers(parts[11]), numbers(parts[12], 0), numbers(parts[13]), numbers(parts[14], 0)
    return Config(parts[1], parts[4], tuple(int(value) for value in values), *lengths)


@dataclasses.dataclass
class Row:
    """A measured call."""

    number: int
    direction: str
    dtype: str
    nchw: bool
    problem: miopen_kernels.Problem
    config: Config
    us: float

    @property
    def size(self):
        """Bytes of an element."""
        return 4 if self.dtype == "fp32" else 2

    @property
    def elements(self):
        """Of input, filter and output."""
        p = self.problem
        filters = p.k * (p.c // p.group) * p.y * p.x
        return p.n * p.c * p.hi * p.wi, filters, p.n * p.k * p.ho * p.wo

    @property
    def flops(self):
        p = self.problem
        return 2 * p.n * p.k * p.ho * p.wo * (p.c // p.group) * p.y * p.x

    @property
    def splits(self):
        return self.config.split > 0


def read_problem(fields, direction):
    """The convolution; backward, MIOpen sets strides and dilations that do nothing to 1."""

    def pair(name):
        return tuple(int(value) for value in fields[name].split("x")[-2:])

    n, c, h, w, k, y, x, group = (int(fields[name]) for name in "N C H W K Y X G".split())
    stride, dilation = pair("stride"), pair("dil")
    if direction != "fwd":
        stride = tuple(s if size > 1 else 1 for s, size in zip(stride, (h, w)))
        dilation = tuple(d if taps > 1 else 1 for d, taps in zip(dilation, (y, x)))
    problem = miopen_kernels.Problem(n, h, w, k, c, y, x, stride, dilation, pair("pad"), group)
    expected = int(fields["Ho"]), int(fields["Wo"])
    if direction == "fwd" and (problem.ho, problem.wo) != expected:
        raise ValueError(f"expected an output of {expected}, got {problem.ho} x {problem.wo}")
    return problem


def read_rows(path):
    """The rows of a file as AMD measured them."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    rows = []
    for number, fields in enumerate(lines):
        direction = DIRECTIONS[fields["dir"]]
        try:
            config, problem = parse_params(fields["params"]), read_problem(fields, direction)
        except ValueError as error:
            raise ValueError(f"{path}: row {number + 1}: {error}") from error
        us, nchw = float(fields["ms"]) * 1000, fields["layout"] == "NCHW"
        rows.append(Row(number, direction, fields["dtype"].lower(), nchw, problem, config, us))
    return rows


def batches(problem, size):
    """In how many parts of the batch a call is divided so that 32 bits address each tensor; 0 if
    one image is too large."""
    image = size * max(problem.c * problem.hi * problem.wi, problem.k * problem.ho * problem.wo)
    most = (2**32 - 1) // image
    if not most:
        return 0
    return next(parts for parts in range(1, problem.n + 1)
                if problem.n % parts == 0 and problem.n // parts <= most)  # fmt: skip


def plan(row, config=None):
    """Kernel, grid in workgroups, and the integers behind the three pointers."""
    config = config or row.config
    kernel = miopen_kernels.parse(config.name)
    parts = batches(row.problem, row.size)
    part = dataclasses.replace(row.problem, n=row.problem.n // parts)
    if row.direction == "wrw":
        splits = 1
        if config.split:
            tiles = miopen_kernels.plan(kernel, part, 1)[0][0]
            splits = max(1, COMPUTE_UNITS * config.split // tiles)
    else:
        splits = config.split
    (x, _, z), words = miopen_kernels.plan(kernel, part, splits)
    return kernel, (x, parts, z), words


@dataclasses.dataclass(frozen=True)
class Transposition:
    """Of `batch` matrices of height x width; tiles as MIOpen chooses them on gfx94x."""

    batch: int
    height: int
    width: int
    size: int  # bytes of an element
    tile_x: int
    tile_y: int
    place: int = 0  # of input, filter and output

    @property
    def bytes(self):
        return 2 * self.batch * self.height * self.width * self.size

    @property
    def groups(self):
        return self.batch * -(-self.height // self.tile_y) * -(-self.width // self.tile_x)


def ratio(x, y):
    return max(x, y) / min(x, y)


def choose_tile(height, width, size):
    """Of columns and rows: see HeuristicGet. Its lists for 2 and 4 bytes differ in their order."""
    shape = ratio(height, width)
    if shape >= 12 and min(height, width) <= 8:
        long = 64 if shape <= 48 else 128 if shape <= 128 else 256
        return (4, long) if width <= 8 else (long, 4)
    tiles = [(32, 32), (16, 32), (32, 16)] if size == 2 else [(32, 32), (32, 16), (16, 32)]
    best, least = None, math.inf
    for x, y in tiles + [(16, 16)]:
        waste = -(-height // y) * y * -(-width // x) * x - height * width
        if shape <= 128 or best is None:
            better = waste < least
        elif not same_side(height, width, x, y):
            continue
        else:
            previous, current = ratio(ratio(best[1], best[0]), shape), ratio(ratio(y, x), shape)
            better = current * waste < previous * least and current <= previous
            if math.isclose(current * waste, previous * least, rel_tol=1e-6):
                better = (width > height and x > y and best[0] < best[1]) or (
                    width < height and x < y and best[0] > best[1]
                )
        if better:
            best, least = (x, y), waste
    return best


def same_side(height, width, x, y):
    return (x / y if width > height else y / x) >= 0.4


def transpositions(row):
    """Of input, filter and output of an NCHW call, those that move anything."""
    p = row.problem
    if not row.nchw:
        return []
    shapes = [(p.n, p.c, p.hi * p.wi), (p.k, p.c // p.group, p.y * p.x), (p.n, p.k, p.ho * p.wo)]
    result = []
    for place, (batch, height, width) in enumerate(shapes):
        if height == 1 or width == 1:
            continue
        if place == ("bwd", "wrw", "fwd").index(row.direction):  # back to NCHW
            height, width = width, height
        tile = choose_tile(height, width, row.size)
        result.append(Transposition(batch, height, width, row.size, *tile, place))
    return result


@dataclasses.dataclass(frozen=True)
class Others:
    """What a call runs beside its GEMM kernel."""

    transpositions: tuple
    zeroed_bytes: int
    cast_bytes: int  # read and written

    @property
    def kernels(self):
        return len(self.transpositions) + bool(self.zeroed_bytes) + bool(self.cast_bytes)


def others(row, config=None):
    """The kernels whose times MIOpen adds up beside the GEMM's."""
    config, p = config or row.config, row.problem
    elements = row.elements[("bwd", "wrw", "fwd").index(row.direction)]
    casts = row.dtype == "fp16" and config.split > 0 and config.vector_store == 1
    zeroes = config.split > 0
    if row.direction == "wrw":
        zeroes = True
        casts = row.dtype == "fp16" and (config.b_thread[3] == 1 or config.vector_store == 1)
    elif row.direction == "bwd":
        zeroes |= p.y < p.stride[0] or p.x < p.stride[1] or p.dilation != (1, 1)
    moved = transpositions(row)
    cast_bytes = elements * 6 if casts else 0
    if row.direction == "wrw" and casts and row.nchw and p.y * p.x > 1 and p.c // p.group > 1:
        # MIOpen adds the time of the last kernel, that of the filter's transposition, twice, and
        # leaves out that of the cast.
        moved.append(moved[1 if p.hi * p.wi > 1 and p.c > 1 else 0])
        cast_bytes = 0
    zeroed = elements * (4 if casts else row.size) if zeroes else 0
    return Others(tuple(moved), zeroed, cast_bytes)
