# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ck dialect in MLIR's own Python bindings, as python/bindings/make-bindings makes them."""

import subprocess
import sys

import ck_mlir
import numpy as np
import pytest

ir = pytest.importorskip("mlir.ir", reason="MLIR's Python bindings are missing")

from mlir.dialects import ck, func  # noqa: E402
from mlir.passmanager import PassManager  # noqa: E402


@pytest.fixture
def context():
    """A context, and unknown locations."""
    with ir.Context() as made, ir.Location.unknown():
        yield made


def make_product(m=32, n=48, k=64):
    """A module whose function multiplies matrices, built by the bindings."""
    module = ir.Module.create()
    shapes = ([1, m, k], [1, n, k], [1, m, n])
    types = [ir.MemRefType.get(shape, ir.F16Type.get()) for shape in shapes]
    with ir.InsertionPoint(module.body):

        @func.FuncOp.from_py_func(*types)
        def product(a, b, c):
            ck.BatchedGemmOp([], a, b, c, "rcr", [])

    return module


def find(module, kind):
    """The operations of a class in the first function of a module."""
    return [op for op in module.body.operations[0].entry_block if isinstance(op, kind)]


def test_classes(context):
    # What the parser makes has the classes of the dialect, with operands and attributes by name.
    module = ir.Module.parse(
        ck_mlir.problem_ir("conv_fwd:f16:N=2,K=16,C=8,in=6x6,filter=3x3,pad=1")
    )
    (convolution,) = find(module, ck.ConvFwdOp)
    assert convolution.name == "ck.conv_fwd"
    assert list(ir.MemRefType(convolution.x.type).shape) == [2, 6, 6, 1, 8]
    assert list(convolution.pad_low) == [1, 1]
    assert str(ir.Attribute.parse('#ck.target<"gfx942">')) == '#ck.target<"gfx942">'


def test_operations_are_built(context, device):
    # What was built is verified, printed and compiled, and computes what it says.
    module = make_product()
    assert module.operation.verify() and 'layout "rcr"' in str(module)
    kernel = ck_mlir.compile(str(module), chip=device.chip)
    a, b = (np.random.default_rng(1).integers(-3, 4, (1, size, 64)) for size in (32, 48))
    c = kernel(a.astype(np.float16), b.astype(np.float16))
    assert np.array_equal(c.astype(np.int64), a @ b.transpose(0, 2, 1))


def test_verifier(context):
    # Our verifiers speak through MLIR's exceptions.
    with pytest.raises(ir.MLIRError) as raised:
        ir.Module.parse(str(make_product()).replace("memref<1x48x64xf16>", "memref<1x48x32xf16>"))
    assert "ck.batched_gemm" in str(raised.value)


def test_passes(context, chip):
    # Our passes and pipelines are in MLIR's pass manager, beside upstream's.
    module = make_product()
    PassManager.parse(f"builtin.module(ck-lower-to-scheduled{{chip={chip}}},cse)").run(
        module.operation
    )
    assert "#ck.schedule" in str(module) and "ck.gemm" in str(module)
    PassManager.parse(f"builtin.module(ck-compile-pipeline{{chip={chip}}})").run(module.operation)
    assert "gpu.binary" in str(module)


def test_linalg(context):
    # Upstream's builders make linalg, of which our conversion makes operations with our classes.
    from mlir.dialects import linalg, tensor

    module = ir.Module.create()
    types = [ir.RankedTensorType.get(shape, ir.F32Type.get()) for shape in ([2, 8, 4], [2, 4, 6])]
    with ir.InsertionPoint(module.body):

        @func.FuncOp.from_py_func(*types)
        def product(a, b):
            from mlir.dialects import arith

            zero = arith.constant(ir.F32Type.get(), 0.0)
            empty = tensor.empty([2, 8, 6], ir.F32Type.get())
            return linalg.batch_matmul(a, b, outs=[linalg.fill(zero, outs=[empty])])

    PassManager.parse("builtin.module(convert-linalg-to-ck)").run(module.operation)
    assert len(find(module, ck.BatchedGemmOp)) == 1


@pytest.mark.parametrize("first", ["ck_mlir", "mlir.ir"])
def test_one_library(first):
    # Whichever comes first, both packages have one compiler, whose passes are registered once.
    program = f"""
import {first}
import ck_mlir, mlir.ir
from mlir.passmanager import PassManager
text = ck_mlir.lower("gemm:f16:M=32,N=32,K=32", to="scheduled", chip="gfx942")
with mlir.ir.Context():
    module = mlir.ir.Module.parse(text)
    PassManager.parse("builtin.module(ck-lower-to-grid)").run(module.operation)
paths = {{line.split()[-1] for line in open("/proc/self/maps") if "libCKMLIR" in line}}
others = {{line.split()[-1] for line in open("/proc/self/maps") if "libMLIR.so" in line}}
print(len(paths), len(others))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, ["1", "1"]), done.stderr
