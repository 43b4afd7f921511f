# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that executors build: threads, processes, and Dask's workers."""

import concurrent.futures
import multiprocessing
import os
import pickle

import ck_mlir
import numpy as np
import pytest
from reference import make_integers

PROBLEMS = [f"gemm:f16:M=32,N=32,K={depth}" for depth in (32, 64, 96, 128)]


def check_kernels(kernels, chip):
    """The kernels of PROBLEMS are what they should be, and run."""
    assert [kernel.problem for kernel in kernels] == PROBLEMS
    for kernel in kernels:
        a, b, _ = (
            make_integers(t.shape, np.float16, seed) for seed, t in enumerate(kernel.tensors)
        )
        expected = a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1)
        assert kernel.chip == chip and np.array_equal(kernel(a, b), expected)


def test_threads(chip):
    check_kernels(ck_mlir.build(PROBLEMS, chip=chip), chip)
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        check_kernels(ck_mlir.build([(p, chip) for p in PROBLEMS], executor), chip)


def test_processes(chip):
    # Kernels come back from other processes whole: they are not compiled again.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        kernels = ck_mlir.build(PROBLEMS, executor, chip=chip)
        assert executor.submit(os.getpid).result() != os.getpid()
    check_kernels(kernels, chip)
    direct = ck_mlir.compile(PROBLEMS[0], chip=chip)
    assert kernels[0].code_object == direct.code_object
    assert kernels[0].manifest == direct.manifest
    assert "s_endpgm" in kernels[0].assembly and "llvm.func" in kernels[0].ir["rocdl"]


def test_pickle(chip):
    kernel = ck_mlir.compile(PROBLEMS[0], chip=chip, schedule="tile=32x32x16")
    again = pickle.loads(pickle.dumps(kernel))
    assert (again.problem, again.schedule) == (kernel.problem, kernel.schedule)
    assert again.statistics["compile_milliseconds"] == 0


def test_refused(chip):
    # What the compiler refuses is raised when all have ended, or stands in the list.
    requests = [PROBLEMS[0], (PROBLEMS[1], chip, "tile=8192x8192x32"), (PROBLEMS[2], "gfx1")]
    with pytest.raises(ck_mlir.UnsupportedError, match="bytes of LDS"):
        ck_mlir.build(requests, chip=chip)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        results = ck_mlir.build(requests, executor, chip=chip, errors="return")
    assert isinstance(results[0], ck_mlir.Kernel)
    assert isinstance(results[1], ck_mlir.UnsupportedError)
    assert isinstance(results[2], ck_mlir.InvalidArgumentError) and "'gfx1'" in str(results[2])
    with pytest.raises(ValueError, match="expected 'raise' or 'return', got 'ignore'"):
        ck_mlir.build(requests, errors="ignore")


class Answers:
    """An executor that returns the same whatever it is given to run."""

    def __init__(self, answer):
        self.answer = answer

    def submit(self, *_):
        future = concurrent.futures.Future()
        future.set_result(self.answer)
        return future


def test_wrong_results(chip):
    # What no compiler returned is refused, by name and also where errors stand in the list.
    for answer in (None, float("nan"), "kernel", [1, 2]):
        for errors in ("raise", "return"):
            with pytest.raises(
                ck_mlir.InvalidArgumentError,
                match=f"for '{PROBLEMS[0]}', got {type(answer).__name__}$",
            ):
                ck_mlir.build(PROBLEMS[:1], Answers(answer), chip=chip, errors=errors)
    other = ck_mlir.compile(PROBLEMS[0], chip="gfx90a" if chip != "gfx90a" else "gfx942")
    with pytest.raises(ck_mlir.InvalidArgumentError, match=f"on {chip}, got one for .* on gfx9"):
        ck_mlir.build(PROBLEMS[:1], Answers(other), chip=chip)


def test_progress(chip, capsys):
    seen = []
    ck_mlir.build(PROBLEMS[:2], chip=chip, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    ck_mlir.build(PROBLEMS[:2], chip=chip, progress=True)
    assert capsys.readouterr().err.endswith("] 2/2\n")


def test_dask(chip):
    # Several worker processes of Dask, each of which compiles some.
    distributed = pytest.importorskip("distributed", reason="the package distributed is missing")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        with client.get_executor(pure=False) as executor:
            check_kernels(ck_mlir.build(PROBLEMS, executor, chip=chip), chip)
        workers = client.run(os.getpid)
        assert len(set(workers.values()) | {os.getpid()}) == 3
