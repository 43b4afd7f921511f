# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels that use what compilers for AMD GPUs use: matrix instructions of every type, LDS
transposition, reductions, scans, sorting, atomics, locks, conversions, division, math."""

import dataclasses

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
           TA: tl.constexpr, TB: tl.constexpr, ACC: tl.constexpr, ZERO: tl.constexpr):  # fmt: skip
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_row = 1 if TA else K
    a_column = M if TA else 1
    b_row = 1 if TB else N
    b_column = K if TB else 1
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, K, BK):
        kk = k + rk
        x_at = a + rm[:, None] * a_row + kk[None, :] * a_column
        y_at = b + kk[:, None] * b_row + rn[None, :] * b_column
        if ZERO is None:
            x = tl.load(x_at)
            y = tl.load(y_at)
        else:
            x = tl.load(x_at, mask=(rm[:, None] < M) & (kk[None, :] < K), other=ZERO)
            y = tl.load(y_at, mask=(kk[:, None] < K) & (rn[None, :] < N), other=ZERO)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def scaled_matmul(a, a_scale, b, b_scale, c, K, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, A_FORMAT: tl.constexpr, B_FORMAT: tl.constexpr,
                  A_PACK: tl.constexpr, B_PACK: tl.constexpr):  # fmt: skip
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rs = tl.arange(0, BK // 32)
    ra = tl.arange(0, BK // A_PACK)
    rb = tl.arange(0, BK // B_PACK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * (K // A_PACK) + (k // A_PACK) + ra[None, :])
        y = tl.load(b + rn[None, :] * (K // B_PACK) + (k // B_PACK) + rb[:, None])
        x_scale = tl.load(a_scale + rm[:, None] * (K // 32) + k // 32 + rs[None, :])
        y_scale = tl.load(b_scale + rn[:, None] * (K // 32) + k // 32 + rs[None, :])
        acc = tl.dot_scaled(x, x_scale, A_FORMAT, y, y_scale, B_FORMAT, acc)
    tl.store(c + rm[:, None] * BN + rn[None, :], acc)


@triton.jit
def attention(q, k, v, o, n, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(q + rm[:, None] * D + rd[None, :], mask=rm[:, None] < n, other=0.0)
    largest = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(0, n, BN):
        rn = start + tl.arange(0, BN)
        keys = tl.load(k + rn[None, :] * D + rd[:, None], mask=rn[None, :] < n, other=0.0)
        scores = tl.where(rn[None, :] < n, tl.dot(x, keys) * scale, -float("inf"))
        next_largest = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp(scores - next_largest[:, None])
        shrink = tl.exp(largest - next_largest)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + rn[:, None] * D + rd[None, :], mask=rn[:, None] < n, other=0.0)
        acc = tl.dot(weights.to(values.dtype), values, acc * shrink[:, None])
        largest = next_largest
    tl.store(o + rm[:, None] * D + rd[None, :], acc / total[:, None], mask=rm[:, None] < n)


@triton.jit
def softmax(x, y, n, B: tl.constexpr):
    row = tl.program_id(0) * n
    i = tl.arange(0, B)
    v = tl.load(x + row + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def histogram(x, counts, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(counts + (v & 63), 1, mask=i < n)


@triton.jit
def sort(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.sort(tl.load(x + i)))


@triton.jit
def scan(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.cumsum(tl.load(x + i), 0))


@triton.jit
def gather(x, indices, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.gather(tl.load(x + i), tl.load(indices + i), 0))


@triton.jit
def transpose(x, y, M, N, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * N + j[None, :], mask=(i[:, None] < M) & (j[None, :] < N))
    tl.store(y + j[:, None] * M + i[None, :], tl.trans(v), mask=(j[:, None] < N) & (i[None, :] < M))


@triton.jit
def locked_sum(lock, count, x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * B + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    c = tl.load(count)
    if c == 0:
        tl.store(out + i, v)
    else:
        tl.store(out + i, tl.load(out + i) + v)
    tl.store(count, c + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def atomic_sum(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(out + i, tl.load(x + tl.program_id(0) * B + i))


@triton.jit
def atomic_max(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_max(out + i, tl.load(x + tl.program_id(0) * B + i))


@triton.jit
def convert(x, y, B: tl.constexpr, TYPE: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i).to(TYPE).to(tl.float32))


@triton.jit
def divide(x, y, quotient, remainder, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(quotient + i, a // b)
    tl.store(remainder + i, a % b)


@triton.jit
def random_integers(y, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.randint(seed, i))


@dataclasses.dataclass(frozen=True)
class Compiled:
    """A code object and how to launch it."""

    code: bytes
    name: str
    threads: int
    lds_bytes: int


def compile_kernel(function, types, constants, chip, options):
    """`function` for `chip`: `types` are those of its runtime parameters in order, "*fp16" for
    example; pointers are taken to be aligned to 16 bytes."""
    wave_size = 64 if chip.startswith("gfx9") else 32
    names = function.arg_names
    signature = dict(zip(names, types)) | {name: "constexpr" for name in constants}
    attributes = {
        (i,): [["tt.divisibility", 16]] for i, kind in enumerate(types) if kind.startswith("*")
    }
    values = {(names.index(name),): value for name, value in constants.items()}
    source = ASTSource(fn=function, signature=signature, constexprs=values, attrs=attributes)
    result = triton.compile(source, target=GPUTarget("hip", chip, wave_size), options=options)
    metadata = result.metadata
    threads = metadata.num_warps * metadata.warp_size
    return Compiled(result.asm["hsaco"], metadata.name, threads, metadata.shared)
