# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the kernels in triton_operations.py: what NumPy computes in their place.

Inputs are integers wherever results can be exact. The other bounds are in units in the last place
of the result: what OpenCL permits to exp, exp2, log and log2 (3), sin and cos (4, of the largest
result), rsqrt (2) and erf (16).
"""

import ctypes
import math

import numpy as np
import triton.language as tl
import triton_operations as kernels
from compare import NUMPY_TYPES, differ

SIZE = 256


def in_ulps(got, expected, ulps):
    """A description of the difference, or None."""
    unit = np.spacing(np.abs(expected).astype(got.dtype)).astype(np.float64)
    return differ(got, expected, ulps * unit)


def normal(r, kind="fp32", count=SIZE):
    return r.random.normal(size=count).astype(NUMPY_TYPES[kind])


def bits(r, kind, count=SIZE):
    """All patterns of an integer type."""
    info = np.iinfo(NUMPY_TYPES[kind])
    return r.random.integers(info.min, info.max, count, info.dtype, endpoint=True)


def unary(op, kind, reference, draw, ulps=0.0):
    def check(r):
        x = draw(r)
        y = np.zeros_like(x)
        r.run(kernels.unary, [f"*{kind}"] * 2, {"B": SIZE, "OP": op}, (1,), [x, y])
        expected = reference(x if kind[0] in "iu" else x.astype(np.float64))
        return in_ulps(y, expected, ulps) if ulps else differ(y, expected)

    return f"{op} {kind}", check


def binary(op, kind, reference, draws):
    def check(r):
        x, y = (draw(r) for draw in draws)
        z = np.zeros_like(x)
        r.run(kernels.binary, [f"*{kind}"] * 3, {"B": SIZE, "OP": op}, (1,), [x, y, z])
        with np.errstate(over="ignore"):
            return differ(z, reference(x, y).astype(z.dtype))

    return f"{op} {kind}", check


def reduce_all(op, kind, reference, draw, output=None):
    def check(r):
        x, output_kind = draw(r), output or kind
        y = np.zeros(1, NUMPY_TYPES[output_kind])
        types = [f"*{kind}", f"*{output_kind}"]
        r.run(kernels.reduce_all, types, {"B": SIZE, "OP": op}, (1,), [x, y])
        return differ(y, np.array([reference(x)]).astype(y.dtype))

    return f"reduce {op} {kind}", check


def on_axis(kernel, op, axis, kind, reference, output=None, size=(32, 64)):
    """A reduction or a scan of a matrix of small integers."""
    is_scan = kernel is kernels.scan_axis

    def check(r):
        x = r.integers(-9, 10, size, kind)
        y = np.zeros(size if is_scan else size[1 - axis], NUMPY_TYPES[output or kind])
        constants = {"M": size[0], "N": size[1], "AXIS": axis, "OP": op}
        r.run(kernel, [f"*{kind}", f"*{output or kind}"], constants, (1,), [x, y])
        return differ(y, reference(x, axis))

    return f"{op} of axis {axis} {kind}", check


def recurrence(x, axis):
    """y[i] = x[i] - y[i - 1]."""
    y = x.copy()
    for i in range(1, x.shape[axis]):
        previous = np.take(y, i - 1, axis)
        if axis == 0:
            y[i] -= previous
        else:
            y[:, i] -= previous
    return y


def shape(op, kind, reference, count, low=-100, high=100):
    def check(r):
        x, y = r.integers(low, high, SIZE, kind), np.zeros(count, NUMPY_TYPES[kind])
        r.run(kernels.shape, [f"*{kind}"] * 2, {"B": SIZE, "OP": op}, (1,), [x, y])
        return differ(y, reference(x))

    return f"{op} {kind}", check


def gather(axis):
    def check(r):
        x, at = r.integers(-99, 99, (32, 64)), r.integers(0, (32, 64)[axis], (32, 64), "i32")
        y = np.zeros_like(x)
        constants = {"M": 32, "N": 64, "AXIS": axis}
        r.run(kernels.gather_axis, ["*fp32", "*i32", "*fp32"], constants, (1,), [x, at, y])
        return differ(y, np.take_along_axis(x, at, axis))

    return f"gather of axis {axis}", check


def convert(name, source, target, draw, reference, is_bitcast=False):
    def check(r):
        x = draw(r)
        y = np.zeros(SIZE, NUMPY_TYPES[target])
        names = {"i8": tl.int8, "i32": tl.int32, "i64": tl.int64, "fp16": tl.float16}
        kind = names.get(target, tl.float32)
        constants = {"B": SIZE, "TYPE": kind, "BITS": is_bitcast}
        r.run(kernels.convert, [f"*{source}", f"*{target}"], constants, (1,), [x, y])
        return differ(y, reference(x))

    return f"{name} {source} to {target}", check


def run_flow(op, x, n):
    """What the kernel `flow` computes, one row for each workgroup."""
    y = x.copy()
    if op == "for":
        for k in range(n):
            y = y * 3 + k
    elif op == "while":
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            y = y + n
    elif op == "nested":
        y = y + sum(j * k for k in range(n) for j in range(k))
    elif op == "unrolled":
        for k in range(5):
            y = y * k + n
    elif op == "branch":
        y[::2] += n
        y[1::2] -= y[1::2].sum(1, keepdims=True)
    else:
        y = np.where(np.arange(len(y))[:, None] == 1, 0, y + len(y))
    return y


def flow(op):
    def check(r):
        x = r.integers(-50, 50, (4, SIZE), "i32")
        y = np.zeros_like(x)
        arguments = [x, y, ctypes.c_int(9)]
        r.run(kernels.flow, ["*i32", "*i32", "i32"], {"B": SIZE, "OP": op}, (4,), arguments)
        return differ(y, run_flow(op, x, 9))

    return f"control flow {op}", check


def atomic(op, reference, kind="i32"):
    """Five workgroups update the same elements, of which each but "exchange" has one result."""

    def check(r):
        x = bits(r, kind, (5, SIZE)) if op in ("and", "or", "xor", "min") else r.integers(
            1, 50, (5, SIZE), kind)  # fmt: skip
        start = -1 if op == "and" else 0
        out, old = np.full(SIZE, start, x.dtype), np.zeros_like(x)
        r.run(kernels.atomic, [f"*{kind}"] * 3, {"B": SIZE, "OP": op}, (5,), [x, out, old])
        if op == "exchange":
            # What was there first and each value are seen once, by the next or at the end.
            return differ(np.sort(np.vstack([old, out]), 0), np.sort(np.vstack([x, 0 * out]), 0))
        if op == "compare and swap":
            # The first stores, and all others see what it stored.
            seen = (old == 0).sum(0) == 1
            seen &= ((old == out) | (old == 0)).all(0)
            return differ(seen, np.ones(SIZE))
        return differ(out, reference(x))

    return f"atomic {op} {kind}", check


def dot(op, kind, size, reference):
    def check(r):
        m, n, k = size
        a, b = r.integers(-3, 4, (m, k), kind), r.integers(-3, 4, (k, n), kind)
        c = r.integers(-3, 4, (n, n), kind) if op == "chain" else r.integers(-9, 9, max(m, n))
        d = np.zeros((m, n), np.float32)
        constants = {"M": m, "N": n, "K": k, "OP": op}
        types = [f"*{kind}", f"*{kind}", f"*{kind}" if op == "chain" else "*fp32", "*fp32"]
        r.run(kernels.dot, types, constants, (1,), [a, b, c, d])
        product = a.astype(np.float64) @ b.astype(np.float64)
        return differ(d, reference(product, c.astype(np.float64)))

    return f"dot {op} {kind} {size[0]}x{size[1]}x{size[2]}", check


def check_batched(r):
    a, b = (r.integers(-3, 4, (4, 32, 32), "fp16") for _ in range(2))
    c = np.zeros((4, 32, 32), np.float32)
    types = ["*fp16", "*fp16", "*fp32"]
    r.run(kernels.batched_dot, types, {"B": 4, "S": 32}, (1,), [a, b, c])
    return differ(c, a.astype(np.float64) @ b.astype(np.float64))


def random(op, moments):
    """The mean and the variance, five standard deviations around what they should be."""

    def check(r):
        count = 2048
        y = np.zeros(count, np.float32)
        constants = {"B": count, "OP": op}
        r.run(kernels.random, ["*fp32", "i32"], constants, (1,), [y, ctypes.c_int(5)])
        mean, variance, fourth = moments
        return differ(np.array([y.mean()]), [mean], 5 * math.sqrt(variance / count)) or differ(
            np.array([y.var()]), [variance], 5 * math.sqrt((fourth - variance**2) / count)
        )

    return f"random {op}", check


def positive(r):
    return r.random.uniform(0.1, 9, SIZE).astype(np.float32)


def small(kind):
    return lambda r: r.integers(-99, 100, SIZE, kind)


def all_of(kind):
    return lambda r: bits(r, kind)


def shifts(r):
    return r.integers(0, 32, SIZE, "i32")


ERF = np.vectorize(math.erf)
CASES = dict([
    unary("exp", "fp32", np.exp, normal, 3), unary("exp2", "fp32", np.exp2, normal, 3),
    unary("log", "fp32", np.log, lambda r: positive(r) + 1, 3),
    unary("log2", "fp32", np.log2, lambda r: positive(r) + 1, 3),
    unary("sqrt", "fp32", np.sqrt, positive, 0.5),
    unary("rsqrt", "fp32", lambda x: 1 / np.sqrt(x), positive, 2),
    unary("erf", "fp32", ERF, normal, 16),
    # An exponential, a sum and a division.
    unary("sigmoid", "fp32", lambda x: 1 / (1 + np.exp(-x)), normal, 3 + 1 + 3),
    unary("sin", "fp32", np.sin, lambda r: positive(r) / 9, 4),
    unary("cos", "fp32", np.cos, lambda r: positive(r) / 9, 4),
    unary("exp", "fp64", np.exp, lambda r: normal(r, "fp64"), 3),
    unary("abs", "fp16", np.abs, lambda r: normal(r, "fp16")),
    unary("abs", "i32", np.abs, small("i32")), unary("floor", "fp32", np.floor, normal),
    unary("ceil", "fp32", np.ceil, normal), unary("negate", "bf16", np.negative, small("bf16")),
    unary("negate", "i64", np.negative, all_of("i64")),
    unary("invert", "i8", np.invert, all_of("i8")),
    unary("clamp", "fp32", lambda x: np.clip(x, -1, 1), normal),
    unary("flip", "i32", lambda x: x[::-1], all_of("i32")),
    unary("sort", "i32", lambda x: np.sort(x)[::-1], all_of("i32")),
    unary("sort", "fp32", lambda x: np.sort(x)[::-1], normal),
    unary("sum of squares", "fp32", lambda x: np.full(SIZE, (x * x).sum()), small("fp32")),
    unary("cumulative product", "i32", lambda x: np.cumprod(x, dtype=np.int32), all_of("i32")),
    unary("reverse cumulative sum", "i64", lambda x: np.cumsum(x[::-1])[::-1], all_of("i64")),
    *[binary(op, kind, function, [all_of(kind)] * 2)
      for kind in ("i8", "i32", "i64")
      for op, function in (("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply))],
    *[binary(op, kind, function, [small(kind)] * 2)
      for kind in ("fp16", "bf16", "fp32")
      for op, function in (("add", np.add), ("minimum", np.minimum), ("maximum", np.maximum))],
    *[binary(op, "i32", function, [all_of("i32")] * 2)
      for op, function in (
          ("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor))],
    binary("shift left", "i32", np.left_shift, [all_of("i32"), shifts]),
    binary("shift right", "i32", np.right_shift, [all_of("i32"), shifts]),
    binary("multiply high", "u32", lambda x, y: (x.astype(np.uint64) * y) >> np.uint64(32),
           [all_of("u32")] * 2),
    binary("divide", "fp32", np.divide, [normal, positive]),
    binary("remainder", "i32", np.fmod, [all_of("i32"), lambda r: r.integers(1, 99, SIZE, "i32")]),
    binary("less", "i32", np.less, [all_of("i32")] * 2),
    binary("equal", "i8", np.equal, [all_of("i8")] * 2),
    binary("not greater", "fp32", np.less_equal, [small("fp32")] * 2),
    binary("where", "fp32", lambda x, y: np.where(x > y, x - y, x), [small("fp32")] * 2),
    binary("fma", "fp32", lambda x, y: x * y + x, [small("fp32")] * 2),
    *[reduce_all(op, kind, function, draw)
      for kind, draw in (("fp32", small("fp32")), ("i32", all_of("i32")), ("i64", all_of("i64")))
      for op, function in (
          ("sum", lambda x: x.sum(dtype=x.dtype)), ("max", np.max), ("min", np.min))],
    reduce_all("max", "fp16", np.max, lambda r: normal(r, "fp16")),
    reduce_all("xor", "i32", np.bitwise_xor.reduce, all_of("i32")),
    reduce_all("argmax", "fp32", np.argmax, small("fp32"), "i32"),
    reduce_all("argmin", "i32", np.argmin, small("i32"), "i32"),
    *[on_axis(kernels.reduce_axis, op, axis, kind, function)
      for op, function in (("sum", np.sum), ("max", np.max), ("min", np.min))
      for axis in (0, 1) for kind in ("fp32", "i32")],
    on_axis(kernels.reduce_axis, "argmax", 0, "fp32", np.argmax, "i32"),
    on_axis(kernels.reduce_axis, "argmax", 1, "i32", np.argmax, "i32"),
    on_axis(kernels.scan_axis, "cumulative sum", 0, "i32", np.cumsum),
    on_axis(kernels.scan_axis, "cumulative sum", 1, "fp32", np.cumsum),
    on_axis(kernels.scan_axis, "recurrence", 0, "i32", recurrence),
    on_axis(kernels.scan_axis, "recurrence", 1, "i32", recurrence),
    on_axis(kernels.scan_axis, "sort", 1, "i32", np.sort),
    on_axis(kernels.scan_axis, "flip", 1, "fp16", np.flip),
    shape("interleave", "i32", lambda x: np.stack([x, -x], 1).ravel(), 2 * SIZE),
    shape("join", "fp32", lambda x: np.stack([x, x + 1], 1).ravel(), 2 * SIZE),
    shape("split", "i32", lambda x: x[::2] - x[1::2], SIZE // 2),
    shape("permute", "fp16", lambda x: x.reshape(4, 8, -1).transpose(2, 0, 1).ravel(), SIZE),
    shape("broadcast", "i8", lambda x: np.tile(x, 4), 4 * SIZE),
    shape("histogram", "i32", lambda x: np.bincount(x, minlength=16), 16, 0, 16),
    shape("masked load", "i32", lambda x: np.where(np.arange(SIZE) % 3 == 0, x, 7), SIZE),
    shape("masked store", "fp32", lambda x: np.where(np.arange(SIZE) & 5, x, 0), SIZE),
    gather(0), gather(1),
    convert("truncate", "fp32", "i32", lambda r: 1000 * normal(r), np.trunc),
    convert("widen", "i8", "fp32", all_of("i8"), lambda x: x),
    convert("widen", "i8", "i64", all_of("i8"), lambda x: x),
    convert("narrow", "i32", "i8", all_of("i32"), lambda x: x.astype(np.int8)),
    convert("round", "i64", "fp32", all_of("i64"), lambda x: x.astype(np.float32)),
    convert("round", "fp64", "fp32", lambda r: normal(r, "fp64"), lambda x: x.astype(np.float32)),
    convert("bits of", "fp32", "i32", normal, lambda x: x.view(np.int32), True),
    convert("bits of", "i16", "fp16", small("i16"), lambda x: x.view(np.float16), True),
    *[flow(op) for op in ("for", "while", "nested", "unrolled", "branch", "return")],
    atomic("and", np.bitwise_and.reduce), atomic("or", np.bitwise_or.reduce),
    atomic("xor", np.bitwise_xor.reduce), atomic("min", lambda x: np.minimum(x.min(0), 0)),
    atomic("scalar add", lambda x: np.where(np.arange(SIZE) == 0, x.sum(), 0)),
    atomic("masked add", lambda x: np.where(np.arange(SIZE) % 3 == 0, x.sum(0), 0)),
    atomic("masked add", lambda x: np.where(np.arange(SIZE) % 3 == 0, x.sum(0), 0), "fp32"),
    atomic("exchange", None), atomic("compare and swap", None), atomic("xor", np.bitwise_xor.reduce,
                                                                       "i64"),
    dot("plain", "fp16", (16, 16, 16), lambda x, c: x),
    dot("plain", "fp32", (16, 32, 64), lambda x, c: x),
    dot("plain", "bf16", (64, 32, 16), lambda x, c: x),
    dot("add rows", "fp16", (32, 32, 32), lambda x, c: x + c[:32, None]),
    dot("add columns", "bf16", (32, 64, 32), lambda x, c: x + c[:64]),
    dot("chain", "fp16", (32, 32, 32), lambda x, c: x @ c),
    dot("maximum", "fp16", (32, 32, 64),
        lambda x, c: np.maximum(x, 0) - x.max(1, keepdims=True)),
    ("batched dot fp16", check_batched),
    random("uniform", (1 / 2, 1 / 12, 1 / 80)), random("normal", (0, 1, 3)),
])  # fmt: skip
