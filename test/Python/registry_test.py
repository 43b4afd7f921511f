# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registries: declared, built, selected from, exported."""

import concurrent.futures
import multiprocessing

import ck_mlir
import pytest

PROBLEM = "gemm:f16:M=64,N=64,K=64"
SCHEDULES = ["tile=32x32x32", "tile=64x64x32", "tile=8192x8192x32"]


def make_set(chip):
    """One problem with several schedules, one of which there cannot be."""
    tiles = [schedule.split("=")[1] for schedule in SCHEDULES]
    kernels = [{"problem": PROBLEM, "schedule": {"tile": tiles}}]
    return {"name": "mine", "chips": [chip], "kernels": kernels}


def check_built(report):
    assert [kernel["schedule"] for kernel in report["kernels"]] == SCHEDULES[:2]
    (excluded,) = report["excluded"]
    assert excluded["schedule"] == SCHEDULES[2] and "LDS" in excluded["reason"]


def test_build_and_select(chip, tmp_path):
    library = ck_mlir.Library()
    registry = ck_mlir.Registry(library)
    registry.add_set(make_set(chip))
    check_built(registry.validate())
    assert library.counters["compilations"] == 0
    check_built(registry.build())
    assert library.counters["compilations"] == 2
    best = registry.select(PROBLEM, chip)["candidates"][0]
    assert best["declared"] and best["why"]
    kernel = library.get(PROBLEM, chip=chip, schedule=best["request"]["schedule"])
    assert kernel.verify("emulator")["status"] == "ok"
    # The archive is a layer of another library, which compiles nothing.
    registry.write_archive(tmp_path / "mine.cka", "mine")
    other = ck_mlir.Library(layers=[tmp_path / "mine.cka"])
    again = other.get(PROBLEM, chip=chip, schedule=best["request"]["schedule"])
    assert again.code_object == kernel.code_object and other.counters["compilations"] == 0


def test_processes(chip, tmp_path):
    # Worker processes compile into the folder, and the library takes the kernels from there.
    library = ck_mlir.Library(tmp_path)
    registry = ck_mlir.Registry(library)
    registry.add_set(make_set(chip))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        check_built(registry.build(executor))
    assert library.counters["compilations"] == 0 and library.counters["disk_hits"] == 2


def test_refused(chip, tmp_path):
    registry = ck_mlir.Registry(ck_mlir.Library())
    with pytest.raises(ck_mlir.InvalidArgumentError, match="no-such-set"):
        registry.add_set("no-such-set")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="missing"):
        registry.add_archive(tmp_path / "missing.cka")
    with pytest.raises(ck_mlir.InvalidArgumentError):
        registry.select(PROBLEM, chip)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="requires a library with a cache_dir"):
        registry.build(executor=object())
