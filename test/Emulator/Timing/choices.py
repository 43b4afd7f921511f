# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which of MIOpen's kernels its tuning tries for a call, and a score that knows only their tiles.

The rules are those of PerformanceConfigAsmImplicitGemmGTC{Fwd,Bwd,Wrw}XdlopsNHWC::IsValid for the
search over all of them."""

import math

import miopen_calls

SPLITS = {"fwd": range(1, 9), "bwd": range(1, 9), "wrw": range(1, 11)}
TFLOPS = {"fp16": 1307.4, "bf16": 1307.4, "fp32": 163.4}  # MI300X, AMD's data sheet
TB_PER_S = 5.3


def is_unit(p):
    ones = p.y, p.x, *p.stride, *p.dilation
    return all(value == 1 for value in ones) and p.pad == (0, 0)


def is_valid(config, row):
    """Whether tuning tries `config` for the call."""
    p = row.problem
    if (config.direction, config.dtype) != (row.direction, row.dtype):
        return False
    if config.nxe == 0 and not is_unit(p):
        return False
    return {"fwd": valid_forward, "bwd": valid_backward_data, "wrw": valid_backward_weight}[
        row.direction
    ](config, p)


def valid_forward(config, p):
    c, k = p.c // p.group, p.k // p.group
    pads_channels = config.a_thread[1] == 1 and config.b_thread[1] == 1
    if config.merges_filter:
        steps = config.k // (p.x * c) % p.y, config.k // c % p.x, config.k % c
        if max(c, p.y, p.x) >= 2**24 - 1 or max(steps) >= 256:
            return False
    if is_unit(p) and config.nxe and not pads_channels:
        return False
    if pads_channels:
        return True
    part = (p.c >> config.split) // p.group
    return part > 0 and part % config.k == 0 and stores(config, k)


def stores(config, width):
    """Whether the kernel's stores divide a row of the result."""
    if config.dtype == "fp32" or (config.dtype == "bf16" and config.split):
        return True
    step = 2 if config.split else math.gcd(config.n, config.vector_store or 8)
    return width % step == 0


def valid_backward_data(config, p):
    c, k = p.c // p.group, p.k // p.group
    if not (config.a_thread[1] == 1 and config.merges_filter):
        if config.split and config.k << config.split > k:
            return False
        if (p.k >> config.split) // p.group % config.k:
            return False
    anything = config.a_thread[1] == 1 and config.b_thread[3] == 1 and config.merges_filter
    if not (anything and not config.split) and not stores(config, c):
        return False
    pads_channels = config.a_thread[1] == 1 and config.b_thread[1] == 1
    return not (is_unit(p) and config.nxe and not pads_channels)


def valid_backward_weight(config, p):
    if config.dtype != "fp32":
        if p.c // p.group % config.b_thread[3] or p.k // p.group % config.a_thread[3]:
            return False
    return not (is_unit(p) and config.nxe)


def candidates(row, names):
    """The configurations that tuning tries, of kernels of these names; of those that are one and
    the same launch, the first."""
    found = {}
    for name in sorted(names):
        config = miopen_calls.parse_name(name)
        if (config.direction, config.dtype) != (row.direction, row.dtype):
            continue
        for split in SPLITS[row.direction] if config.split else [0]:
            choice = config.with_split(split)
            if is_valid(choice, row):
                _, grid, words = miopen_calls.plan(row, choice)
                found.setdefault((name, grid, tuple(words)), choice)
    return list(found.values())


def launch_key(row, config):
    """Equal for configurations that are one and the same launch."""
    _, grid, words = miopen_calls.plan(row, config)
    return config.name, grid, tuple(words)


def roofline_us(row):
    """No call is faster."""
    memory = sum(row.elements) * row.size / TB_PER_S
    return max(row.flops / TFLOPS[row.dtype], memory) / 1e6


def trivial_us(row, config=None):
    """Waves of tiles over the compute units times the longer of a tile's arithmetic and traffic."""
    config = config or row.config
    _, grid, _ = miopen_calls.plan(row, config)
    groups = math.prod(grid)
    outputs = {"fwd": row.elements[2], "bwd": row.elements[0]}.get(row.direction, row.elements[1])
    parts = grid[2] if row.direction == "wrw" else 1 << config.split
    steps = max(row.flops / 2 / outputs / parts, config.k)
    share = miopen_calls.COMPUTE_UNITS
    compute = 2 * config.m * config.n * steps / (TFLOPS[row.dtype] / share)
    memory = (config.m + config.n) * steps * row.size / (TB_PER_S / share)
    return -(-groups // share) * max(compute, memory) / 1e6
