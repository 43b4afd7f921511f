# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries of kernels: shared among threads and processes."""

import json
import subprocess
import sys
import threading

import ck_mlir
import numpy as np
import pytest
from reference import make_integers

PROBLEM = "gemm:f16:M=32,N=32,K=64"


def test_one_compilation(chip):
    # However many threads ask for however many spellings.
    library = ck_mlir.Library()
    barrier = threading.Barrier(8)
    kernels = []

    def ask(number):
        barrier.wait()
        problem = PROBLEM if number % 2 else "gemm:f16:K=64,N=32,M=32,G=1"
        kernels.append(library.get(problem, chip=chip))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kernels) == 8 and {kernel.problem for kernel in kernels} == {PROBLEM}
    assert library.counters["compilations"] == 1 and library.counters["memory_hits"] == 7


def write_tuning(path, chip, schedule):
    """A tuning file with a schedule for the problem."""
    header = {"format": "ck-mlir tuning", "version": 1, "chip": chip}
    entry = {"problem": PROBLEM, "schedule": schedule, "us": 1, "judged": "modelled", "tried": 1}
    lines = [header, {**entry, "compiler": "another"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_tuned_schedules(chip, tmp_path):
    # A schedule that is not the chosen one.
    chosen = ck_mlir.compile(PROBLEM, chip=chip).schedule
    tiles = [tile for tile in ("16x16x16", "32x32x32") if f"tile={tile}," not in chosen]
    schedule = ck_mlir.compile(PROBLEM, chip=chip, schedule=f"tile={tiles[0]}").schedule
    path = tmp_path / f"{chip}.tuning"
    write_tuning(path, chip, schedule)
    assert ck_mlir.compile(PROBLEM, chip=chip, tuning=path).schedule == schedule
    assert ck_mlir.Library(tuning=[path]).get(PROBLEM, chip=chip).schedule == schedule
    assert ck_mlir.Library().get(PROBLEM, chip=chip).schedule == chosen
    write_tuning(path, "gfx908", schedule)
    with pytest.raises(ck_mlir.UnsupportedError, match="line 1: expected the chip"):
        ck_mlir.compile(PROBLEM, chip=chip, tuning=path)
    path.write_text("{")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="line 1: expected a whole line"):
        ck_mlir.Library(tuning=[path])


def test_functions_take_tuned_schedules(tmp_path):
    chip = ck_mlir.default_chip()
    chosen = ck_mlir.problems.get_kernel(PROBLEM, chip, "").schedule
    path = tmp_path / "own.tuning"
    tiles = [tile for tile in ("16x16x16", "32x32x32") if f"tile={tile}," not in chosen]
    schedule = ck_mlir.compile(PROBLEM, chip=chip, schedule=f"tile={tiles[0]}").schedule
    write_tuning(path, chip, schedule)
    ck_mlir.use_tuning(path)
    try:
        assert ck_mlir.problems.get_kernel(PROBLEM, chip, "").schedule == schedule
        with pytest.raises(ck_mlir.InvalidArgumentError, match="expected one tuning file"):
            ck_mlir.use_tuning(path, path)
        with pytest.raises(ck_mlir.InvalidArgumentError, match="cannot read"):
            ck_mlir.use_tuning(tmp_path / "none.tuning")
        assert ck_mlir.problems.get_kernel(PROBLEM, chip, "").schedule == schedule
    finally:
        ck_mlir.use_tuning()
    assert ck_mlir.problems.get_kernel(PROBLEM, chip, "").schedule == chosen


def test_prepared_kernels_run(chip):
    library = ck_mlir.Library(threads=2)
    pending = library.prepare(PROBLEM, chip=chip)
    refused = library.prepare(PROBLEM, chip=chip, schedule="tile=8192x8192x32")
    assert pending.wait(60) and pending.is_ready
    a, b = make_integers((1, 32, 64), np.float16, 1), make_integers((1, 32, 64), np.float16, 2)
    expected = a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1)
    assert np.array_equal(pending.result()(a, b), expected)
    with pytest.raises(ck_mlir.UnsupportedError, match="bytes of LDS"):
        refused.result()


def test_folder(chip, tmp_path):
    # Another process takes from the folder what this one compiled; a damaged file is not used.
    kernel = ck_mlir.Library(tmp_path).get(PROBLEM, chip=chip)
    program = f"""
import ck_mlir
library = ck_mlir.Library({str(tmp_path)!r})
kernel = library.get("{PROBLEM}", chip="{chip}")
print(library.counters["disk_hits"], library.counters["compilations"], len(kernel.code_object))
"""
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["1", "0", str(len(kernel.code_object))]
    (entry,) = tmp_path.glob("*/*.ckk")
    entry.write_bytes(entry.read_bytes()[:-1])
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.split()[:2] == ["0", "1"]


def test_layers(chip, tmp_path):
    # A folder that was a cache is read before the library's own, and never written.
    ck_mlir.Library(tmp_path / "layer").get(PROBLEM, chip=chip)
    library = ck_mlir.Library(layers=[tmp_path / "layer"])
    library.get(PROBLEM, chip=chip)
    assert library.counters["layer_hits"] == 1 and library.counters["compilations"] == 0
    with pytest.raises(ck_mlir.InvalidArgumentError, match="missing"):
        ck_mlir.Library(layers=[tmp_path / "missing"])


def test_texts(chip, monkeypatch):
    assert ck_mlir.compiler_version()
    monkeypatch.setenv("CK_KERNEL_CACHE", "/somewhere")
    assert ck_mlir.default_cache_directory() == "/somewhere"
    with pytest.raises(ck_mlir.InvalidArgumentError, match="conv_up"):
        ck_mlir.Library().get("conv_up:f16:N=1", chip=chip)
