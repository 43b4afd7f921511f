# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads, signals and the end of the process, and what it is loaded from."""

import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import ck_mlir
import numpy as np
import pytest
from reference import make_integers

LONG = """
import os, sys, time
import ck_mlir, numpy as np
kernel = ck_mlir.compile("gemm:f32:M=512,N=256,K=1024", chip="%s")
a, b = np.ones((1, 512, 1024), np.float32), np.ones((1, 256, 1024), np.float32)
print("started", flush=True)
try:
    while True:
        kernel(a, b)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(3)
"""


def test_ctrl_c(chip):
    # The exception comes while a kernel runs, and the process ends as it wishes to.
    command = [sys.executable, "-c", LONG % chip]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 3


INTERRUPTED = """
import sys
import ck_mlir
chip = "%s"
problems = [f"gemm:f16:M={32 * m},N={32 * n},K=4096" for m in range(1, 30) for n in range(1, 30)]
try:
    %s
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(3)
"""

LARGE = 'kernel = ck_mlir.compile("gemm:f32:M=4096,N=4096,K=4096", chip=chip)\n'
REGISTRY = """registry = ck_mlir.Registry(ck_mlir.Library())
    registry.add_set({"name": "s", "chips": [chip], "kernels": [{"problem": p} for p in problems]})
"""
STARTED = '    print("started", flush=True)\n    '


@pytest.mark.parametrize(
    "program",
    [
        "pass\n" + STARTED + "ck_mlir.build(problems, chip=chip)",
        REGISTRY + STARTED + "registry.build()",
        LARGE + STARTED + 'kernel.verify("emulator")',
        LARGE + STARTED + "kernel.model_time()",
    ],
    ids=["build", "registry", "verify", "model_time"],
)
def test_ctrl_c_ends_the_process(chip, program):
    # All of them take minutes. What is left of one does not keep the process from ending.
    command = [sys.executable, "-c", INTERRUPTED % (chip, program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 3
        assert time.monotonic() - begin < 10


def test_registry_is_usable_behind_ctrl_c(chip):
    # What had not begun is still declared, and can be built.
    program = """REGISTRY
    import signal, threading
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    try:
        registry.build()
    except KeyboardInterrupt:
        report = registry.report()
        print(len(report["kernels"]), len(report["excluded"]), flush=True)
"""
    program = INTERRUPTED % (chip, program.replace("REGISTRY", REGISTRY))
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout == "841 0\n"


def test_other_threads_run(chip):
    # While a kernel runs, other threads of Python do: the GIL is released.
    kernel = ck_mlir.compile("gemm:f32:M=256,N=256,K=1024", chip=chip)
    a = make_integers((1, 256, 1024), np.float32, 1)
    b = make_integers((1, 256, 1024), np.float32, 2)
    counts, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counts[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    before = counts[0]
    thread.start()
    result = kernel(a, b)
    during = counts[0] - before
    ended.set()
    thread.join()
    assert during > 0
    assert np.array_equal(result, a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1))


def test_threads_compile_and_run(chip):
    # The same kernel, and kernels of their own, in several threads at once.
    shared = ck_mlir.compile("gemm:f16:M=32,N=32,K=32", chip=chip)
    a, b = make_integers((1, 32, 32), np.float16, 1), make_integers((1, 32, 32), np.float16, 2)
    expected = a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1)
    wrong = []

    def work(number):
        own = ck_mlir.compile(f"gemm:f16:M=32,N={32 + 16 * number},K=32", chip=chip)
        more = np.resize(b, (1, 32 + 16 * number, 32))
        for _ in range(3):
            if not np.array_equal(shared(a, b), expected):
                wrong.append("shared")
            if not np.array_equal(own(a, more)[:, :, :32], expected):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_faults_are_exceptions(chip):
    # Device memory that is too small for what it is said to be: the kernel's fault names itself.
    program = f"""
import ck_mlir, numpy as np
device = ck_mlir.open_device("emulator", "{chip}")
kernel = ck_mlir.compile("gemm:f32:M=64,N=64,K=64", chip="{chip}")
short = device.array(np.ones((1, 8, 64), np.float32))
short.shape = (1, 64, 64)
stream = device.stream()
try:
    kernel(short, device.array(np.ones((1, 64, 64), np.float32)), stream=stream)
    stream.synchronize()
except ck_mlir.DeviceError as error:
    print(error)
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    assert "gemm" in result.stdout and "out of bounds" in result.stdout


def test_emulator_has_vectors():
    # The emulator of the package finds its handlers for the vectors of this processor.
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    library = pathlib.Path(ck_mlir.__file__).parent / "lib" / "libck_hip_emulator.so"
    emulator = ctypes.CDLL(str(library))
    emulator.ckEmulatorGetVectors.restype = ctypes.c_char_p
    wide = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags)
    widest = b"x86-64-v3" if {"avx2", "fma"} <= set(flags) else b"portable"
    assert emulator.ckEmulatorGetVectors() == (b"x86-64-v4" if wide else widest)
