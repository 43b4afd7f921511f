# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that a program captures into a HIP graph, as docs/Integrating.md says."""

import ctypes
import os

import ck_mlir
import numpy as np
import pytest
from reference import make_integers

LIBRARY = os.path.join(os.path.dirname(ck_mlir.__file__), "lib", "libck_hip_emulator.so")
RELAXED = 2


class Graph:
    """What is put on `stream` in a with block, as a graph that can be launched."""

    def __init__(self, stream):
        self.hip = ctypes.CDLL(LIBRARY)
        self.stream = ctypes.c_void_p(stream.handle)
        self.graph, self.executable = ctypes.c_void_p(), ctypes.c_void_p()

    def call(self, name, *arguments):
        assert getattr(self.hip, name)(*arguments) == 0, name

    def __enter__(self):
        self.call("hipStreamBeginCapture", self.stream, RELAXED)
        return self

    def __exit__(self, *_):
        self.call("hipStreamEndCapture", self.stream, ctypes.byref(self.graph))
        self.call("hipGraphInstantiate", ctypes.byref(self.executable), self.graph, None, None, 0)

    def launch(self):
        self.call("hipGraphLaunch", self.executable, self.stream)
        self.call("hipStreamSynchronize", self.stream)


@pytest.mark.parametrize("partition", ["data_parallel", "split_k:2", "stream_k:tree"])
def test_captured_launches(chip, device, partition):
    problem = "gemm:f16:M=64,N=64,K=128,out_dtype=f32"
    kernel = ck_mlir.compile(problem, chip, f"tile=32x32x32,partition={partition}")
    a, b, _ = (make_integers(t.shape, np.float16, seed) for seed, t in enumerate(kernel.tensors))
    inputs = [device.array(a), device.array(b)]
    stream = device.stream()
    # The first launch loads the kernel and makes the workspace of the stream.
    expected = kernel(*inputs, stream=stream).numpy()
    out = device.array(np.zeros_like(expected))
    with Graph(stream) as graph:
        kernel(*inputs, out=out, stream=stream)
    assert not out.numpy().any()
    for _ in range(2):
        graph.launch()
        assert np.array_equal(out.numpy(), expected)
    assert np.array_equal(expected, a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1))
