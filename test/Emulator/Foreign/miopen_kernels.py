# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the implicit-GEMM kernels of MIOpen are given: the parameters that a kernel's name
spells, a small problem that it takes, its grid and its arguments.

The conventions are MIOpen's (ConvAsmImplicitGemmGTCDynamic{Fwd,Bwd,Wrw}XdlopsNHWC); tensors are
N H W C, filters K Y X C."""

import dataclasses
import math
import os
import re
import subprocess
import tempfile

NAME = re.compile(
    r"igemm_(fwd|bwd|wrw)_gtcx[23]_nhwc_(fp16|bf16|fp32)_bx(\d)_ex(\d)_bt(\d+)x(\d+)x(\d+)"
    r"_wt\d+x\d+x\d+_ws\d+x\d+_wr\d+x\d+"
    r"_ta(\d+)x(\d+)x(\d+)x(\d+)_(\d+)x(\d+)x(\d+)x(\d+)"
    r"_tb(\d+)x(\d+)x(\d+)x(\d+)_(\d+)x(\d+)x(\d+)x(\d+)"
    r"(_pta)?(_mh)?(_me)?(?:_vs(\d+))?(_gkgs)?$"
)


@dataclasses.dataclass
class Kernel:
    name: str
    direction: str
    dtype: str
    any_filter: bool  # else 1x1, stride 1, no padding
    m: int  # the tile
    n: int
    k: int
    a_thread: list
    a_cluster: list
    b_thread: list
    many_gemms: bool  # of backward-data: one launch for all remainders modulo the stride
    merges_filter: bool  # K runs over channels and taps in one
    vector_store: int
    splits_k: bool

    @property
    def threads(self):
        return math.prod(self.a_cluster)

    @property
    def stores_f32(self):
        """Parts of sums are added in f32, which another kernel then converts; f16 may also be
        added in pairs."""
        if self.dtype == "fp32" or not self.splits_k:
            return self.dtype == "fp32"
        scalar = self.direction == "wrw" and self.b_thread[3] == 1
        return self.dtype == "bf16" or self.vector_store == 1 or scalar


def parse(name):
    """The kernel of this name, or None when it is no implicit GEMM."""
    match = NAME.match(name)
    if not match:
        return None
    text = match.groups()
    number = [int(value) for value in text[2:23]]
    return Kernel(
        name, text[0], text[1], number[1] != 0, *number[2:5], number[5:9], number[9:13],
        number[13:17], bool(text[24]), bool(text[25]), int(text[26] or 0), bool(text[27]),
    )  # fmt: skip


@dataclasses.dataclass
class Problem:
    """A convolution; channels are those of all groups."""

    n: int
    hi: int
    wi: int
    k: int
    c: int
    y: int = 1
    x: int = 1
    stride: tuple = (1, 1)
    dilation: tuple = (1, 1)
    pad: tuple = (0, 0)
    group: int = 1

    def output_size(self, i, size, taps):
        return (size + 2 * self.pad[i] - self.dilation[i] * (taps - 1) - 1) // self.stride[i] + 1

    @property
    def ho(self):
        return self.output_size(0, self.hi, self.y)

    @property
    def wo(self):
        return self.output_size(1, self.wi, self.x)


def round_up(value, multiple):
    return -(-value // multiple) * multiple


def choose_filters(kernel, random):
    """Filter, stride, dilation and padding that the kernel takes."""
    if not kernel.any_filter:
        return {}
    y, x = random.choice([(3, 3), (1, 3), (3, 1), (3, 2)])
    dilation = (random.choice([1, 2]) if y > 1 else 1, random.choice([1, 2]) if x > 1 else 1)
    if kernel.direction == "fwd" and kernel.merges_filter:
        # Their step from one row of the filter to the next is one row of the input in any case.
        dilation = (1, dilation[1])
    stride = (random.choice([1, 2]), random.choice([1, 2]))
    return {"y": y, "x": x, "stride": stride, "dilation": dilation, "pad": (y // 2, x // 2)}


def choose_channels(kernel, random):
    """Channels of one group (K, C): the kernel's last tile of M or N is partly empty."""
    if kernel.direction == "wrw":
        k_step, c_step = kernel.a_thread[3], kernel.b_thread[3]
        k = round_up(kernel.m // 2 + random.randrange(1, 40), k_step)
        return k, round_up(random.randrange(8, 40), c_step)
    parts = 2 if kernel.splits_k else 1
    reduced = kernel.k * parts * random.choice([1, 2])
    padded = kernel.a_thread[1] == 1 and kernel.b_thread[1] == 1
    if kernel.direction == "bwd":
        padded = kernel.a_thread[1] == 1 and kernel.merges_filter
    if padded and not kernel.splits_k and kernel.merges_filter:
        reduced = random.randrange(3, 30)
    # What is stored is a vector of up to 8 elements of 16 bits.
    step = 1 if kernel.dtype == "fp32" else math.gcd(kernel.n, 8)
    width = round_up(kernel.n // 2 + random.randrange(1, 2 * kernel.n // 2 + 2), step)
    return (width, reduced) if kernel.direction == "fwd" else (reduced, width)


def choose_problem(kernel, random):
    """A problem of more than one tile along M or N where that stays small."""
    group = random.choice([1, 2]) if kernel.m * kernel.n <= 128 * 128 else 1
    k, c = choose_channels(kernel, random)
    filters = choose_filters(kernel, random)
    if kernel.direction == "wrw":
        batch = 2 * kernel.a_thread[1] if kernel.any_filter else 3
        size = random.randrange(5, 9)
        return Problem(batch, size, size + 1, k * group, c * group, group=group, **filters)
    positions = min(3 * kernel.m // 2, 300) if kernel.m > 32 else 70
    side = max(4, math.isqrt(positions // 2))
    side *= max(filters.get("stride", (1, 1))) if kernel.direction == "fwd" else 1
    return Problem(2, side, side + 1, k * group, c * group, group=group, **filters)


def magic(divisor):
    """Multiplier and shift of a division by `divisor` without a division."""
    shift = (divisor - 1).bit_length()
    return (2**32 * (2**shift - divisor)) // divisor + 1, shift


def pack(shifts):
    return sum(shift << (8 * i) for i, shift in enumerate(shifts))


def plan(kernel, problem, splits):
    """Grid in workgroups, and the integers that follow the three pointers. `splits` is the number
    of parts of a sum, or for forward and backward-data its logarithm."""
    planners = {"fwd": plan_forward, "bwd": plan_backward_data, "wrw": plan_backward_weight}
    return planners[kernel.direction](kernel, problem, splits)


def plan_forward(kernel, p, split):
    c, k = p.c // p.group, p.k // p.group
    tiles_m, tiles_n = -(-p.n * p.ho * p.wo // kernel.m), -(-k // kernel.n)
    divisors = [tiles_n, p.ho * p.wo, p.wo, tiles_m * tiles_n]
    merged = [p.x * c, c] if kernel.merges_filter else [1, 1]
    magics = [magic(divisor) for divisor in divisors + merged]
    y, x, c_word = p.y, p.x, c
    if kernel.merges_filter:
        y |= (kernel.k // (p.x * c) % p.y) << 24
        x |= (kernel.k // c % p.x) << 24
        c_word |= (kernel.k % c) << 24
    second = pack([shift for _, shift in magics[4:]]) if kernel.merges_filter else 0
    words = [p.hi, p.wi, p.n, k, c_word, p.ho, p.wo, *p.stride, *p.dilation, *p.pad, y, x, p.group]
    words += [value for value, _ in magics]
    words += [pack([shift for _, shift in magics[:4]]), second, split, 0]
    return (p.group * tiles_m * tiles_n << split, 1, 1), words


def plan_backward_data(kernel, p, split):
    c, k = p.c // p.group, p.k // p.group
    common = [math.gcd(s, d) for s, d in zip(p.stride, p.dilation)]
    # Input positions of each remainder modulo the stride are one GEMM.
    tilda = [s // g for s, g in zip(p.stride, common)]
    slices, left, whole = [], [], []
    for i, (out, size, taps) in enumerate(((p.ho, p.hi, p.y), (p.wo, p.wi, p.x))):
        stride, dilation, pad = p.stride[i], p.dilation[i], p.pad[i]
        whole.append(out + (dilation * (taps - 1) + stride - 1) // stride)
        left.append(max(0, pad - dilation * (tilda[i] - 1)) // stride)
        right = min(whole[i], (pad + size - 1 + stride - 1) // stride + 1)
        slices.append(right - left[i])
    gemms = math.prod(tilda)
    tiles_m, tiles_n = -(-p.n * math.prod(slices) // kernel.m), -(-c // kernel.n)
    width = slices[1] if kernel.any_filter else p.wi
    magics = [magic(d) for d in (tiles_n, tiles_m * tiles_n, width, math.prod(slices))]
    many = gemms > 1
    words = [p.hi, p.wi, p.n, k, c, p.ho, p.wo, *p.stride, *p.dilation, *p.pad, p.y, p.x]
    words += magic(tilda[1]) if many else (0, 0)
    words += [d // g for d, g in zip(p.dilation, common)] + tilda
    words += magic(p.group * tiles_m * tiles_n) if many else whole
    words += magic(tilda[0]) if many else (p.y, p.x)
    words += slices + left + [p.group] + [value for value, _ in magics]
    words += [pack([shift for _, shift in magics]), split]
    grid = p.group * tiles_m * tiles_n << split
    return (grid * (gemms if kernel.many_gemms else 1), 1, 1), words


def plan_backward_weight(kernel, p, splits):
    c, k = p.c // p.group, p.k // p.group
    tiles_m = -(-k // kernel.m)
    tiles_n = -(-round_up(c, kernel.b_thread[3]) * p.y * p.x // kernel.n)
    images = -(-p.n // (kernel.a_thread[1] if kernel.any_filter else 1))
    step = kernel.a_cluster[1] if kernel.any_filter else kernel.k
    reduced = images * p.ho * p.wo
    each = round_up(-(-reduced // splits), step)
    splits = -(-reduced // each)
    words = [p.hi, p.wi, p.n, k, c, p.ho, p.wo, *p.stride, *p.dilation, *p.pad, p.y, p.x]
    words += [splits, p.group, each]
    return (p.group * tiles_m * tiles_n, 1, splits), words


def assemble(path, chip, clang):
    """The code object of an assembly file."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "code.hsaco")
        symbols = ["ROCM_METADATA_VERSION=5", "force_sc0_sc1=0", "atomic_add_using_cas=0"]
        symbols += [f"igemm_{direction}_fp16_alt_impl=0" for direction in ("fwd", "bwd", "wrw")]
        command = [clang, "-x", "assembler", "-target", "amdgcn-amd-amdhsa", f"-mcpu={chip}"]
        command += ["-mcode-object-version=5", "-I" + os.path.dirname(path)]
        command += [f"-Wa,-defsym,{symbol}" for symbol in symbols] + [path, "-o", output]
        subprocess.run(command, check=True)
        with open(output, "rb") as file:
            return file.read()
