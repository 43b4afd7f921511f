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
short = device.empty((1, 8, 64), np.float32)
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
    widest = b"x86-64-v3" if {"avx2", "fma"} <= set(flags) else b"portable"
    assert emulator.ckEmulatorGetVectors() in (widest, b"x86-64-v4")
