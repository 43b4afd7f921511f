# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: what they say about themselves, and calls with arrays."""

import json

import ck_mlir
import numpy as np
import pytest
from reference import make_integers

PROBLEM = "gemm:f16:M=32,N=48,K=64"


@pytest.fixture(scope="module", name="kernel")
def make_kernel(chip):
    return ck_mlir.compile(PROBLEM, chip=chip, schedule="tile=32x16x32")


def make_arrays():
    return make_integers((1, 32, 64), np.float16, 1), make_integers((1, 48, 64), np.float16, 2)


def multiply(a, b):
    return a.astype(np.int64) @ b.astype(np.int64).transpose(0, 2, 1)


def test_properties(kernel, chip):
    assert (kernel.problem, kernel.chip) == (PROBLEM, chip)
    assert kernel.schedule.startswith("tile=32x16x32,")
    assert kernel.manifest["schedule"] == kernel.schedule
    assert kernel.code_object[:4] == b"\x7fELF"
    assert [t.shape for t in kernel.tensors] == [(1, 32, 64), (1, 48, 64), (1, 32, 48)]
    assert [t.is_written for t in kernel.tensors] == [False, False, True]
    assert chip in repr(kernel)


def test_assembly_and_statistics(kernel):
    # The classes of the statistics are those of the assembly, and all matrix instructions are.
    assert "s_endpgm" in kernel.assembly
    matrix = kernel.assembly.count("v_mfma") + kernel.assembly.count("v_wmma")
    instructions = kernel.statistics["instructions"]
    assert instructions["mfma"] + instructions["wmma"] == matrix > 0
    assert kernel.statistics["kernels"] == kernel.manifest["kernels"]


def test_rungs(kernel):
    # Each form has what the one before does not.
    assert list(kernel.ir) == list(ck_mlir.FORMS)
    marks = {"problem": "ck.batched_gemm", "implicit-gemm": "ck.gemm", "rocdl": "llvm.func"}
    for form, mark in marks.items():
        assert mark in kernel.ir[form]
    assert "tile = 32x16x32" in kernel.ir["scheduled"] or "32x16x32" in kernel.ir["scheduled"]
    with pytest.raises(KeyError, match="expected a form"):
        kernel.ir["wrong"]


def test_call(kernel):
    a, b = make_arrays()
    c = kernel(a, b)
    assert np.array_equal(c, multiply(a, b))
    out = np.empty_like(c)
    assert kernel(a, b, out=out) is out and np.array_equal(out, c)


@pytest.mark.parametrize("partition", ["split_k:4:two_stage", "stream_k:tree"])
def test_workspace(chip, partition):
    # Calls see to the workspace of a partition, on the host's and on the device's memory.
    problem, schedule = "gemm:f16:M=96,N=32,K=512", f"tile=32x32x32,partition={partition}"
    kernel = ck_mlir.compile(problem, chip=chip, schedule=schedule, residents=2)
    assert kernel.workspace_bytes > 0
    a, b = make_integers((1, 96, 512), np.float16, 1), make_integers((1, 32, 512), np.float16, 2)
    assert np.array_equal(kernel(a, b), multiply(a, b))
    device = ck_mlir.open_device("emulator", chip)
    for _ in range(2):
        assert np.array_equal(kernel(device.array(a), device.array(b)).numpy(), multiply(a, b))


def test_streams(kernel, device):
    # Launches on a stream return at once; its results are there behind the synchronization.
    a, b = make_arrays()
    stream = device.stream()
    arrays = device.array(a), device.array(b)
    results = [kernel(*arrays, stream=stream) for _ in range(3)]
    results.append(kernel(*arrays, stream=stream.handle))
    stream.synchronize()
    assert all(np.array_equal(result.numpy(), multiply(a, b)) for result in results)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="a stream requires arrays on the dev"):
        kernel(a, b, stream=stream)
    with pytest.raises(TypeError, match="expected a stream"):
        kernel(*arrays, stream="main")


class Foreign:
    """An array of another package, which has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack(kernel, device):
    # Of the host, and of the device without a copy, both as arguments and for the result.
    a, b = make_arrays()
    assert np.array_equal(kernel(Foreign(a), Foreign(b)), multiply(a, b))
    out = device.empty((1, 32, 48), np.float16)
    foreign = Foreign(device.array(a)), Foreign(device.array(b))
    assert foreign[0].__dlpack_device__() == (10, 0)
    kernel(*foreign, out=Foreign(out))
    assert np.array_equal(out.numpy(), multiply(a, b))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="a: expected elements of float16, got"):
        kernel(Foreign(a.astype(np.float32)), b)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="a: expected an array by DLPack"):
        kernel(Foreign(Nonsense()), b)


class Nonsense:
    """Not what DLPack says."""

    def __dlpack__(self, **_):
        return 7


def test_wrong_arrays(kernel):
    a, b = make_arrays()
    wrong = {
        r"expected 2 arrays \(a, b\), got 1": (a,),
        "a: expected elements of float16, got int16": (a.astype(np.int16), b),
        r"b: expected shape \(1, 48, 64\) \(layout GNK\), got \(48, 64\)": (a, b[0]),
        r"a: expected the strides \(2048, 64, 1\) of a packed array": (a[:, ::-1], b),
        "a: expected the byte order of the host": (a.astype(">f2"), b),
    }
    for message, arrays in wrong.items():
        with pytest.raises(ck_mlir.InvalidArgumentError, match=message):
            kernel(*arrays)
    with pytest.raises(TypeError, match="a: expected a NumPy array, .* got list"):
        kernel([1, 2], b)
    odd = np.lib.stride_tricks.as_strided(a, strides=(1, 1, 3))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected strides of whole elements"):
        kernel(odd, b)


def test_wrong_requests(chip):
    with pytest.raises(ck_mlir.InvalidArgumentError, match="'gfx1'"):
        ck_mlir.compile(PROBLEM, chip="gfx1")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="conv_up"):
        ck_mlir.compile("conv_up:f16:N=1", chip=chip)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="tile"):
        ck_mlir.compile(PROBLEM, chip=chip, schedule="tile=wrong")
    with pytest.raises(ck_mlir.UnsupportedError, match=f"bytes of LDS, {chip} has"):
        ck_mlir.compile(PROBLEM, chip=chip, schedule="tile=8192x8192x32")
    with pytest.raises(ck_mlir.Error):
        ck_mlir.open_device("gpu")


def test_another_chip(chip):
    # The emulator is one chip in a process: the message says so, and what to do.
    other = "gfx90a" if chip != "gfx90a" else "gfx942"
    kernel = ck_mlir.compile(PROBLEM, chip=other)
    with pytest.raises(ck_mlir.DeviceError, match=f"one chip in a process, here {chip}.*{other}"):
        kernel(*make_arrays(), device="emulator")
    with pytest.raises(
        ck_mlir.InvalidArgumentError, match=f"expected a kernel for {chip}.*{other}"
    ):
        kernel(*make_arrays(), device=ck_mlir.open_device("emulator", chip))


def test_modules(chip):
    # The text of a module is compiled as its problem is.
    text = ck_mlir.problem_ir(PROBLEM, chip)
    kernel = ck_mlir.compile(text, chip=chip)
    a, b = make_arrays()
    assert np.array_equal(kernel(a, b), multiply(a, b))
    assert "s_endpgm" in kernel.assembly and "llvm.func" in kernel.ir["rocdl"]


def test_reports(kernel):
    report = kernel.verify("emulator")
    assert (report["status"], report["problem"]) == ("ok", PROBLEM)
    assert kernel.verify("emulator", against="device")["reference"] == "device"
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected a reference"):
        kernel.verify("emulator", against="gpu")
    profile = kernel.profile()
    roles = profile["profile"][0]["roles"]
    assert roles[-1]["name"] in ("uniform", "math")
    # The emulator executed as many matrix instructions as the product has.
    executed = roles[-1]["instructions"]
    assert executed.get("mfma", 0) + executed.get("wmma", 0) > 0


def test_modelled_time(kernel, device, tmp_path):
    trace = tmp_path / "trace.json"
    report = kernel.model_time(against="cpu", trace=str(trace))
    assert (report["status"], report["run_ms"]) == ("ok", None)
    low, high = report["modelled_error"]
    assert low < report["modelled_us"] < high
    assert [kernel["name"] for kernel in report["modelled_kernels"]] == ["gemm"]
    assert "not measured" in report._repr_html_()
    assert json.loads(trace.read_text())["traceEvents"]
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected a reference"):
        kernel.model_time(against="gpu")
    # Launches of the caller's own are timed on request.
    kernel(*make_arrays())
    with pytest.raises(ck_mlir.InvalidArgumentError, match="the last launch was not timed"):
        device.launch_timing()
    device.set_variable("CK_EMULATOR_TIMING", "on")
    try:
        kernel(*make_arrays())
        assert device.launch_timing()["modelled_us"] > 0
    finally:
        device.set_variable("CK_EMULATOR_TIMING", "")


def test_emulator_statistics(kernel, device):
    kernel(*make_arrays())
    statistics = device.launch_statistics()
    assert (statistics["chip"], statistics["kernel"]) == (device.chip, "gemm")
    assert statistics["bytes_stored"] == 32 * 48 * 2


def test_nul_is_refused(chip):
    # The texts of C end at a NUL: what is behind it would be dropped without a word.
    message = "expected a text without NUL characters, got one behind 'gemm:f16:M=32,N=48,K=64'"
    library = ck_mlir.Library()
    for call in (
        lambda: ck_mlir.compile(PROBLEM + "\0,epilogue=relu", chip=chip),
        lambda: ck_mlir.canonical_problem(PROBLEM + "\0"),
        lambda: library.get(PROBLEM + "\0", chip=chip),
        lambda: ck_mlir.problem_ir(PROBLEM + "\0"),
    ):
        with pytest.raises(ck_mlir.InvalidArgumentError, match=message):
            call()
    with pytest.raises(ck_mlir.InvalidArgumentError, match="NUL"):
        ck_mlir.compile(PROBLEM, chip=chip, schedule="tile=32x16x32\0")
