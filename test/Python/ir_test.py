# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IR as text: forms, pass pipelines, the report on partitions, and what notebooks show."""

import xml.etree.ElementTree

import ck_mlir
import pytest

PROBLEM = "conv_fwd:f16:N=2,K=16,C=16,in=6x6,filter=3x3,pad=1"


def test_every_form():
    # Each form is reached from the problem, and from the form above.
    text = ck_mlir.problem_ir(PROBLEM)
    above, form = text, "problem"
    for below in ck_mlir.FORMS:
        lowered = ck_mlir.lower(text, below, verify_forms=True)
        assert ck_mlir.lower(above, below, form=form) == lowered
        above, form = lowered, below
    assert "llvm.func" in above


def test_options():
    ir = ck_mlir.lower(PROBLEM, "scheduled", chip="gfx1201", schedule="tile=32x16x32")
    assert "gfx1201" in ir and "32x16x32" in ir


def test_wrong_lowering():
    # Diagnostics are the text of the exception, with the place in the text.
    with pytest.raises(ck_mlir.InvalidArgumentError, match=r"ir:1:\d+.*custom op 'ck.wrong'"):
        ck_mlir.lower("module { ck.wrong }", "lane")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected a form .*, got 'wrong'"):
        ck_mlir.lower(PROBLEM, "wrong")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="at or below 'grid', got 'problem'"):
        ck_mlir.lower(ck_mlir.lower(PROBLEM, "grid"), "problem", form="grid")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="lane"):
        ck_mlir.lower(ck_mlir.problem_ir(PROBLEM), "rocdl", form="lane")
    with pytest.raises(ck_mlir.UnsupportedError, match="bytes of LDS, gfx942 has"):
        ck_mlir.lower(PROBLEM, "scheduled", schedule="tile=8192x8192x32")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="gfx1"):
        ck_mlir.lower(PROBLEM, "scheduled", chip="gfx1")


LINALG = """
func.func @f(%a: memref<32x64xf16>, %b: memref<64x48xf16>, %c: memref<32x48xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf16>, memref<64x48xf16>) outs(%c : memref<32x48xf32>)
  return
}
"""


def test_pass_pipelines():
    # Passes of ours and of upstream, on a program of linalg.
    ir = ck_mlir.run_passes(LINALG, "builtin.module(convert-linalg-to-loops,canonicalize)")
    assert "scf.for" in ir and "linalg" not in ir
    ir = ck_mlir.run_passes(ck_mlir.problem_ir(PROBLEM), "builtin.module(ck-lower-to-lane)")
    assert "rocdl.raw.ptr.buffer.store" in ir and "ck.gemm" not in ir


def test_wrong_pipelines():
    with pytest.raises(ck_mlir.InvalidArgumentError, match="no-such-pass"):
        ck_mlir.run_passes(LINALG, "builtin.module(no-such-pass)")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected a pipeline"):
        ck_mlir.run_passes(LINALG, "canonicalize")
    with pytest.raises(ck_mlir.UnsupportedError, match="gfx1"):
        ck_mlir.run_passes(LINALG, "builtin.module(ck-attach-target{chip=gfx1})")


def test_partitions():
    # 4 tiles of 2 x 2 on 8 compute units: half of them are idle unless tiles are split.
    problem = "gemm:f16:M=128,N=128,K=4096"
    report = ck_mlir.partition_report(problem, schedule="tile=64x64x64", compute_units=8)
    efficiency = {entry["partition"]: entry["efficiency"] for entry in report["partitions"]}
    assert efficiency["data_parallel"] == 0.5 and efficiency["split_k:2"] == 1
    picture = xml.etree.ElementTree.fromstring(report.svg)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    # A notebook keeps the picture once.
    assert not hasattr(report, "_repr_svg_") and report._repr_html_().count("<svg") == 1
    assert "split_k:2" in get_text(report._repr_html_()) and "split_k:2 " in repr(report)
    with pytest.raises(ck_mlir.InvalidArgumentError, match=r"in \[0, 65536\], got -1"):
        ck_mlir.partition_report(problem, compute_units=-1)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="expected none in the schedule"):
        ck_mlir.partition_report(problem, schedule="partition=data_parallel")


def test_explanations(chip):
    problem = "gemm:f16:M=1024,N=1024,K=1024"
    explanation = ck_mlir.explain(problem, "gfx90a", others=3)
    assert explanation["chip"] == "gfx90a" and explanation["considered"] > 4
    chosen, *others = explanation["schedules"]
    assert chosen["schedule"] == ck_mlir.compile(problem, chip="gfx90a").schedule
    assert len(others) == 3 and "modelled_us" not in chosen
    sums = [2 * entry["estimated_us"] + entry["from_memory_us"] for entry in (chosen, *others)]
    assert min(sums) == sums[0]
    assert all(0 <= part for part in chosen["parts_us"].values()) and "matrix" in repr(explanation)
    assert chosen["schedule"] in get_text(explanation._repr_html_())
    given = ck_mlir.explain(problem, schedule="tile=64x64x64", others=1)
    assert [entry["schedule"].split(",")[0] for entry in given["schedules"]] == ["tile=64x64x64"]
    small = ck_mlir.explain("gemm:f16:M=32,N=32,K=32", chip, others=0, modelled=True)
    assert small["schedules"][0]["modelled_us"] > 0 and "modelled us" in repr(small)
    with pytest.raises(ck_mlir.InvalidArgumentError, match=r"in \[0, 1000\], got -1"):
        ck_mlir.explain(problem, others=-1)
    with pytest.raises(ck_mlir.UnsupportedError, match="tile"):
        ck_mlir.explain(problem, schedule="tile=100x100x100")


def get_text(html):
    """The text of HTML, which must be well formed."""
    return "".join(xml.etree.ElementTree.fromstring(f"<div>{html}</div>").itertext())


def test_tables(chip):
    table = ck_mlir.chips()
    columns = [line.split()[0] for line in repr(table).splitlines()]
    assert columns == ["chip", *table]
    assert "MI300X" in get_text(table._repr_html_())
    kernel = ck_mlir.compile(PROBLEM, chip=chip)
    facts, launches, instructions = repr(kernel.statistics).split("\n\n")
    assert "workspace_bytes" in facts
    for launch, line in zip(kernel.manifest["kernels"], launches.splitlines()[1:]):
        assert line.split()[:4] == [
            launch["name"],
            "x".join(map(str, launch["grid"])),
            "x".join(map(str, launch["block"])),
            str(launch["vgprs"]),
        ]
    names, counts = map(str.split, instructions.splitlines())
    assert dict(zip(names, map(int, counts))) == kernel.statistics["instructions"]
    report = kernel.verify("emulator")
    assert ["status", "ok"] in [line.split() for line in repr(report).splitlines()]
    library = ck_mlir.Library()
    assert "memory_hits" in repr(library.counters)


def test_notebooks(chip):
    # Colours do not change the text; tables have the kernel and its roles.
    kernel = ck_mlir.compile(PROBLEM, chip=chip, schedule="roles=4+4")
    for text in (kernel.ir["problem"], kernel.ir["lane"], kernel.ir["rocdl"], kernel.assembly):
        assert get_text(text._repr_html_()) == text
        assert "<span" in text._repr_html_()
    assert kernel.problem in get_text(kernel._repr_html_())
    profile = kernel.profile()._repr_html_()
    assert "load waves" in get_text(profile) and "math waves" in get_text(profile)
    assert "ok" in get_text(kernel.verify("emulator")._repr_html_())
