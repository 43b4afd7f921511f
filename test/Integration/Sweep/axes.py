# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The axes of the sweep, their values, and the cases that values make.

A new feature (a partition, wave roles) is a new value of an axis, or a new axis with a line in
`make_conv` and `make_gemm`.
"""

from cases import (
    CHIPS,
    DIRECTIONS,
    DTYPES,
    GEMM_LAYOUTS,
    ConvProblem,
    GemmProblem,
    Setting,
    get_out_dtype,
    get_work,
    resolve_schedule,
)

# Multiply-accumulates of one case, tails of the tiles included.
MAX_WORK = 40_000_000

EPILOGUES = [
    "",
    "relu",
    "bias",
    "add",
    "bias(f16)+gelu",
    "scale+bias(bf16)+silu",
    "bilinear(0.5,-2)+clamp(-3,20)",
    "scale(f16)+tanh",
    "sigmoid",
    "add(f32)+leaky_relu",
    "bias+add(f16)+relu",
    "convert(bf16)+add",
]
# Tiles and waves that every type divides into. A matrix instruction is chosen if none is named.
SCHEDULES = [
    "",
    "waves=1x1",
    "mma=32",
    "mma=16,waves=2x2",
    "tile=32x32x32,waves=1x1",
    "tile=64x64x64,waves=2x2",
    "tile=16x64x64,waves=1x1",
    "tile=128x64x32,waves=2x1",
    "tile=64x128x32,waves=1x4",
    "tile=128x128x32,waves=2x2",
]
# Waves and the slots that they share; with load waves any schedule above loses its waves.
ROLES = [
    "",
    "roles=4+4",
    "roles=4+2,stages=3,hints=loads+priority",
    "roles=2+4,stages=4,hints=none",
    "roles=1+4",
    "roles=3+2",
    "roles=8+8",
    "roles=uniform,stages=4",
]
# How workgroups share the work; data-parallel by default.
PARTITIONS = [
    "",
    "split_k:4",
    "split_k:3:two_stage",
    "split_k:auto:two_stage",
    "stream_k:linear",
    "stream_k:tree",
    "stream_k:tree:persistent",
    "stream_k:parallel",
]
COMMON_AXES = {
    "chip": CHIPS,
    "dtype": DTYPES,
    "out_dtype": ["", "wide", "same", "other"],
    "epilogue": EPILOGUES,
    "schedule": SCHEDULES,
    "roles": ROLES,
    "partition": PARTITIONS,
    "preshuffle": ["", "16", "32"],
    "init": ["int", "uniform", "normal"],
    "verify": ["cpu", "cpu", "cpu", "device"],
}
CONV_AXES = {
    **COMMON_AXES,
    "direction": DIRECTIONS,
    "rank": [2, 1, 3],
    "size": [(4, 8, 8), (3, 7, 5), (2, 9, 16), (5, 1, 12), (1, 14, 3)],
    "batch": [2, 1, 5],
    "filter": [(3, 3, 3), (1, 1, 1), (2, 1, 3), (1, 4, 2), (1, 5, 5)],
    "stride": [(1, 1, 1), (2, 2, 2), (2, 1, 3)],
    "dilation": [(1, 1, 1), (1, 2, 1), (2, 2, 3)],
    "pad": [
        ((1, 1), (1, 1), (1, 1)),
        ((0, 0), (0, 0), (0, 0)),
        ((1, 0), (0, 1), (2, 0)),
        ((2, 1), (3, 3), (4, 5)),
    ],
    "groups": [1, 2, 3, 32],  # 32 is depthwise
    # (K, C): full tiles, tails of every vector width, single channels.
    "channels": [(64, 64), (1, 1), (3, 65), (36, 3), (65, 36), (16, 8), (128, 20), (40, 130)],
    "layout": [
        "",
        "NGCS_GKCF_NGKS",
        "GNSC_GKFC_GNSK",
        "NSGC_KFGC_NSGK",
        "NGCS_GKFC_NSGK",
        "CGsN_CfKG_KGsN",
    ],
}
GEMM_AXES = {
    **COMMON_AXES,
    "size": [
        (64, 64, 64),
        (1, 1, 1),
        (65, 36, 100),
        (16, 130, 33),
        (200, 8, 40),
        (130, 72, 128),
        (50, 96, 144),
    ],
    "groups": [1, 2, 5],
    "layout": GEMM_LAYOUTS,
}


def join_schedule(schedule, roles):
    """Both as one schedule string."""
    fields = [field for field in (*schedule.split(","), *roles.split(",")) if field]
    if "+" in roles:
        fields = [field for field in fields if not field.startswith("waves=")]
    return ",".join(fields)


def make_setting(values):
    schedule = join_schedule(values["schedule"], values["roles"])
    if values["partition"]:
        schedule = ",".join(filter(None, [schedule, "partition=" + values["partition"]]))
    return Setting(
        chip=values["chip"],
        schedule=resolve_schedule(schedule, values["chip"], values["dtype"]),
        init=values["init"],
        verify=values["verify"],
    )


def get_preshuffle(values, columns, reduced):
    """The size of blocks of shuffled weights, where that and a unit of 16 bytes divide them and
    every chip multiplies the type as it is."""
    block, unit = values["preshuffle"], {"f16": 8, "bf16": 8, "i8": 16}.get(values["dtype"])
    fits = block and unit and columns % int(block) == 0 and reduced % unit == 0
    return block if fits else ""


def make_conv(values):
    """The problem of a value for each axis of CONV_AXES."""
    rank = values["rank"]
    k, c = values["channels"] if values["groups"] < 32 else (1, 1)
    shuffles = values["direction"] == "conv_fwd" and values["layout"] == ""
    return ConvProblem(
        direction=values["direction"],
        dtype=values["dtype"],
        n=values["batch"],
        g=values["groups"],
        k=k,
        c=c,
        size=values["size"][-rank:],
        filter=values["filter"][-rank:],
        stride=values["stride"][-rank:],
        dilation=values["dilation"][-rank:],
        pad=values["pad"][-rank:],
        layout=values["layout"],
        out_dtype=get_out_dtype(values["out_dtype"], values["dtype"]),
        epilogue=values["epilogue"],
        preshuffle=get_preshuffle(values, k, c) if shuffles else "",
    )


def make_gemm(values):
    """The problem of a value for each axis of GEMM_AXES."""
    m, n, k = values["size"]
    return GemmProblem(
        dtype=values["dtype"],
        m=m,
        n=n,
        k=k,
        g=values["groups"],
        layout=values["layout"],
        out_dtype=get_out_dtype(values["out_dtype"], values["dtype"]),
        epilogue=values["epilogue"],
        preshuffle=get_preshuffle(values, n, k) if values["layout"] in ("rcr", "ccr") else "",
    )


def get_tile(schedule):
    """The tile of a schedule string, or None where it is left to the compiler."""
    for field in schedule.split(","):
        if field.startswith("tile="):
            return tuple(int(size) for size in field.removeprefix("tile=").split("x"))
    return None


def is_runnable(problem, setting):
    return problem.is_legal() and get_work(problem, get_tile(setting.schedule)) <= MAX_WORK


# Each family of problems: its axes, and what makes a problem of their values.
FAMILIES = {"conv": (CONV_AXES, make_conv), "gemm": (GEMM_AXES, make_gemm)}
