# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels of one operation each, the operations that Triton's own tests of its language go
through: `OP` names the operation, so that a kernel stands for many."""

import triton
import triton.language as tl


@triton.jit
def unary(x, y, B: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    if OP == "exp":
        r = tl.exp(a)
    elif OP == "exp2":
        r = tl.exp2(a)
    elif OP == "log":
        r = tl.log(a)
    elif OP == "log2":
        r = tl.log2(a)
    elif OP == "sin":
        r = tl.sin(a)
    elif OP == "cos":
        r = tl.cos(a)
    elif OP == "sqrt":
        r = tl.sqrt_rn(a)
    elif OP == "rsqrt":
        r = tl.rsqrt(a)
    elif OP == "erf":
        r = tl.erf(a)
    elif OP == "sigmoid":
        r = tl.sigmoid(a)
    elif OP == "abs":
        r = tl.abs(a)
    elif OP == "floor":
        r = tl.floor(a)
    elif OP == "ceil":
        r = tl.ceil(a)
    elif OP == "negate":
        r = -a
    elif OP == "invert":
        r = ~a
    elif OP == "clamp":
        r = tl.clamp(a, -1.0, 1.0)
    elif OP == "softmax":
        r = tl.softmax(a)
    elif OP == "flip":
        r = tl.flip(a)
    elif OP == "sort":
        r = tl.sort(a, descending=True)
    elif OP == "sum of squares":
        r = tl.zeros_like(a) + tl.sum(a * a)
    elif OP == "cumulative product":
        r = tl.cumprod(a, 0)
    elif OP == "reverse cumulative sum":
        r = tl.cumsum(a, 0, reverse=True)
    tl.store(y + i, r)


@triton.jit
def binary(x, y, z, B: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    if OP == "add":
        r = a + b
    elif OP == "subtract":
        r = a - b
    elif OP == "multiply":
        r = a * b
    elif OP == "divide":
        r = tl.div_rn(a, b)
    elif OP == "and":
        r = a & b
    elif OP == "or":
        r = a | b
    elif OP == "xor":
        r = a ^ b
    elif OP == "shift left":
        r = a << b
    elif OP == "shift right":
        r = a >> b
    elif OP == "minimum":
        r = tl.minimum(a, b)
    elif OP == "maximum":
        r = tl.maximum(a, b)
    elif OP == "multiply high":
        r = tl.umulhi(a, b)
    elif OP == "remainder":
        r = a % b
    elif OP == "less":
        r = (a < b).to(a.dtype)
    elif OP == "equal":
        r = (a == b).to(a.dtype)
    elif OP == "not greater":
        r = (a <= b).to(a.dtype)
    elif OP == "where":
        r = tl.where(a > b, a - b, a)
    elif OP == "fma":
        r = tl.fma(a, b, a)
    elif OP == "assembly":
        r = tl.inline_asm_elementwise(
            "v_add_u32_e32 $0, $1, $2", "=v,v,v", [a, b], dtype=tl.int32, is_pure=True, pack=1
        )
    tl.store(z + i, r)


@triton.jit
def convert(x, y, B: tl.constexpr, TYPE: tl.constexpr, BITS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.load(x + i).to(TYPE, bitcast=BITS))


@triton.jit
def reduce_all(x, y, B: tl.constexpr, OP: tl.constexpr):
    a = tl.load(x + tl.arange(0, B))
    if OP == "sum":
        r = tl.sum(a)
    elif OP == "max":
        r = tl.max(a)
    elif OP == "min":
        r = tl.min(a)
    elif OP == "xor":
        r = tl.xor_sum(a)
    elif OP == "argmax":
        r = tl.argmax(a, 0)
    elif OP == "argmin":
        r = tl.argmin(a, 0)
    tl.store(y, r)


@triton.jit
def reduce_axis(x, y, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, OP: tl.constexpr):
    a = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if OP == "sum":
        r = tl.sum(a, AXIS)
    elif OP == "max":
        r = tl.max(a, AXIS)
    elif OP == "min":
        r = tl.min(a, AXIS)
    elif OP == "argmax":
        r = tl.argmax(a, AXIS)
    tl.store(y + tl.arange(0, M if AXIS == 1 else N), r)


@triton.jit
def _recur(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scan_axis(x, y, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, OP: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + at)
    if OP == "cumulative sum":
        r = tl.cumsum(a, AXIS)
    elif OP == "recurrence":
        _, r = tl.associative_scan((tl.zeros_like(a) - 1, a), AXIS, _recur)
    elif OP == "sort":
        r = tl.sort(a)
    elif OP == "flip":
        r = tl.flip(a, AXIS)
    tl.store(y + at, r)


@triton.jit
def shape(x, y, B: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    if OP == "interleave":
        r = tl.reshape(tl.interleave(a, -a), (2 * B,))
        tl.store(y + tl.arange(0, 2 * B), r)
    elif OP == "join":
        r = tl.join(a, a + 1)
        tl.store(y + i[:, None] * 2 + tl.arange(0, 2)[None, :], r)
    elif OP == "split":
        first, second = tl.split(tl.reshape(a, (B // 2, 2)))
        tl.store(y + tl.arange(0, B // 2), first - second)
    elif OP == "permute":
        r = tl.permute(tl.reshape(a, (4, 8, B // 32)), (2, 0, 1))
        tl.store(y + i, tl.reshape(r, (B,)))
    elif OP == "broadcast":
        r = tl.broadcast_to(a[None, :], (4, B))
        tl.store(y + tl.arange(0, 4)[:, None] * B + i[None, :], r)
    elif OP == "histogram":
        tl.store(y + tl.arange(0, 16), tl.histogram(a, 16))
    elif OP == "masked load":
        tl.store(y + i, tl.load(x + i, mask=i % 3 == 0, other=7))
    elif OP == "masked store":
        tl.store(y + i, a, mask=(i & 5) != 0)


@triton.jit
def gather_axis(x, at, y, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + i, tl.gather(tl.load(x + i), tl.load(at + i), AXIS))


@triton.jit
def flow(x, y, n, B: tl.constexpr, OP: tl.constexpr):
    p = tl.program_id(0)
    i = p * B + tl.arange(0, B)
    a = tl.load(x + i)
    if OP == "for":
        for k in range(n):
            a = a * 3 + k
    elif OP == "while":
        k = n
        while k > 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            a += k
    elif OP == "nested":
        for k in range(n):
            for j in range(k):
                a += j * k
    elif OP == "unrolled":
        for k in tl.static_range(5):
            a = a * k + n
    elif OP == "branch":
        if p % 2 == 0:
            a = a + n
        else:
            a = a - tl.sum(a, 0)
    elif OP == "return":
        if p == 1:
            return
        a = a + tl.num_programs(0)
    tl.store(y + i, a)


@triton.jit
def atomic(x, out, old, B: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + tl.program_id(0) * B + i)
    if OP == "and":
        tl.atomic_and(out + i, a)
    elif OP == "or":
        tl.atomic_or(out + i, a)
    elif OP == "xor":
        tl.atomic_xor(out + i, a)
    elif OP == "min":
        tl.atomic_min(out + i, a)
    elif OP == "scalar add":
        tl.atomic_add(out, tl.sum(a, 0))
    elif OP == "masked add":
        tl.atomic_add(out + i, a, mask=i % 3 == 0)
    elif OP == "exchange":
        tl.store(old + tl.program_id(0) * B + i, tl.atomic_xchg(out + i, a))
    elif OP == "compare and swap":
        tl.store(old + tl.program_id(0) * B + i, tl.atomic_cas(out + i, i * 0, a))


@triton.jit
def dot(a, b, c, d, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, OP: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + n[None, :])
    z = tl.dot(x, y)
    if OP == "add rows":
        z += tl.load(c + m)[:, None]
    elif OP == "add columns":
        z += tl.load(c + n)[None, :]
    elif OP == "chain":
        w = tl.load(c + n[:, None] * N + n[None, :])
        z = tl.dot(z.to(w.dtype), w)
    elif OP == "maximum":
        z = tl.maximum(z, 0.0) - tl.max(z, 1)[:, None]
    tl.store(d + m[:, None] * N + n[None, :], z)


@triton.jit
def batched_dot(a, b, c, B: tl.constexpr, S: tl.constexpr):
    p = tl.arange(0, B)[:, None, None] * S * S
    at = p + tl.arange(0, S)[None, :, None] * S + tl.arange(0, S)[None, None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))


@triton.jit
def random(y, seed, B: tl.constexpr, OP: tl.constexpr):
    i = tl.arange(0, B)
    if OP == "uniform":
        r = tl.rand(seed, i)
    else:
        r = tl.randn(seed, i)
    tl.store(y + i, r)
