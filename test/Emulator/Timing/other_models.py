# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What others would say of the time of a GEMM kernel, to compare with: llvm-mca, which sees the
instructions of one wave, and the formulas of origami (ROCm/rocm-libraries, shared/origami), which
see tiles and bandwidths."""

import functools
import math
import re
import subprocess
import tempfile

import choices
import miopen_calls

CLOCK_MHZ, SIMDS, XCDS = 2100, 4, 8
LINE = re.compile(r"^\t(.*?)\s*// ([0-9A-F]{12}): ([0-9A-F]{8})")
LLVM = "/usr/lib/llvm-22/bin/"


def count_steps(row, config):
    """Steps of the K loop of a workgroup, and the workgroups."""
    _, grid, _ = miopen_calls.plan(row, config)
    outputs = {"fwd": row.elements[2], "bwd": row.elements[0]}.get(row.direction, row.elements[1])
    parts = grid[2] if row.direction == "wrw" else 1 << config.split
    depth = max(row.flops / 2 / outputs / parts, config.k)
    return math.ceil(depth / config.k), math.prod(grid)


def find_loop(text):
    """The instructions of the loop with the most matrix instructions, of a disassembly."""
    lines = [match.groups() for match in map(LINE.match, text.splitlines()) if match]
    places = {int(address, 16): number for number, (_, address, _) in enumerate(lines)}
    best = []
    for number, (name, address, encoding) in enumerate(lines):
        if not name.startswith(("s_cbranch", "s_branch")):
            continue
        offset = int(encoding, 16) & 0xFFFF
        offset -= 0x10000 if offset >= 0x8000 else 0
        first = places.get(int(address, 16) + 4 + 4 * offset, number)
        body = [line[0] for line in lines[first:number] if "branch" not in line[0]]
        if sum("mfma" in line for line in body) > sum("mfma" in line for line in best):
            best = body
    return best


@functools.lru_cache(maxsize=None)
def count_loop_cycles(code):
    """Cycles of the shader clock that llvm-mca gives for an iteration of the main loop."""
    with tempfile.NamedTemporaryFile(suffix=".hsaco") as file:
        file.write(code)
        file.flush()
        command = [LLVM + "llvm-objdump", "-d", "--mcpu=gfx942", file.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # llvm-mca 22 corrupts its heap on loads into halves of registers: whole ones in their place.
    loop = [re.sub(r"_short_d16(_hi)?", "_ushort", line) for line in find_loop(text)]
    command = [LLVM + "llvm-mca", "-mtriple=amdgcn", "-mcpu=gfx942", "-iterations=20"]
    output = subprocess.run(
        command,
        input="\n".join(loop) + "\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return 4 * int(re.search(r"Total Cycles:\s*(\d+)", output)[1]) / 20  # in steps of four


def mca_us(row, config, code):
    """Iterations of all waves of a SIMD one after another, as if nothing else took time."""
    steps, groups = count_steps(row, config)
    kernel, _, _ = miopen_calls.plan(row, config)
    waves = -(-groups // miopen_calls.COMPUTE_UNITS) * kernel.threads / 64 / SIMDS
    return waves * steps * count_loop_cycles(code) / CLOCK_MHZ


def get_reuse(config, groups, width):
    """The share of what the workgroups of an XCD load that others of it load as well, when they run
    through a grid of `width` tiles along n."""
    running = min(groups, miopen_calls.COMPUTE_UNITS)
    own = max(1, running // XCDS)
    unique_n = min(width, own)
    unique_m = min(-(-running // width), own)
    loaded = own * (config.m + config.n)
    return max(0.0, 1 - (unique_m * config.m + unique_n * config.n) / loaded)


def origami_us(row, config):
    """origami's latency of a tile times the rounds of tiles, without its launch."""
    steps, groups = count_steps(row, config)
    units = miopen_calls.COMPUTE_UNITS
    running = min(groups, units)
    outputs_n = row.problem.k if row.direction == "fwd" else row.problem.c
    reuse = get_reuse(config, groups, max(1, outputs_n // config.n))
    rate = choices.TFLOPS[row.dtype] / 2 / units / CLOCK_MHZ * 1e6  # products a cycle
    compute = config.m * config.n * config.k / rate
    # Bytes a cycle of the L2s, the MALL and the memory, of origami's table for gfx942; of the
    # latter two few compute units get a part only.
    l2, mall, memory = (tb * 1e6 / CLOCK_MHZ for tb in (17, 1.21875 * 6, 4))
    limited = min(1.0, 0.015 * running)
    size = row.size
    loaded = sum(-(-config.k * size // 64) * 64 * side for side in (config.m, config.n)) * running
    hits = reuse * (0.75 + 0.25 * steps**2 / (steps**2 + 4))
    beyond = loaded * (1 - hits)
    warm = 0.85 + 0.15 * steps**2 / (steps**2 + 2)
    load = max(
        loaded / (l2 * running / units),
        beyond / (mall * limited),
        beyond * (1 - warm) / (memory * limited) + 200,
    )
    rounds = -(-groups // units)
    stored = config.m * config.n * size / (memory / running)
    tile = load + steps * max(load, compute) + compute + 500 * steps + 1500 + 1.1 * stored
    return rounds * tile / CLOCK_MHZ


def get_models(kernels):
    """Names and functions of a row and a configuration; `kernels` has their code."""

    def mca(row, config):
        return mca_us(row, config, kernels.code(config.name))

    return {
        "waves of tiles": choices.trivial_us,
        "llvm-mca": mca,
        "origami": origami_us,
    }
