#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks which problems the comparison takes from the tables of other projects, and how it counts.

Expectations are worked out by hand from the tables' own columns."""

import contextlib
import csv
import dataclasses
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))


def load(name):
    """The program of that name as a module."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


peers, make_iree = load("peers"), load("make-iree")

import aiter_calls  # noqa: E402
import listed  # noqa: E402
import miopen_kernels  # noqa: E402
import rivals  # noqa: E402
import tensile_calls  # noqa: E402


@dataclasses.dataclass
class Call:
    """What of a row of MIOpen's makes a problem."""

    direction: str
    dtype: str
    problem: miopen_kernels.Problem


class Store:
    """Times by task."""

    def __init__(self, times):
        self.times = times

    def get(self, task):
        return self.times[task]


def duels_of(*pairs):
    """Duels with times of theirs and ours, and their store."""
    times, duels = {}, []
    for i, (theirs, ours) in enumerate(pairs):
        task = rivals.OwnTask(f"problem{i}", "", ("gfx950", "only"))
        duels.append(rivals.Duel("Peer", "gemm", f"theirs{i}", task))
        for key, us in ((f"theirs{i}", theirs), (task, ours)):
            times[key] = {"modelled_us": us, "schedule": "s"} if us else {"error": "refused"}
    return duels, Store(times)


class ProblemsTest(unittest.TestCase):
    def test_convolution(self):
        problem = miopen_kernels.Problem(8, 56, 28, 64, 32, 3, 1, (2, 1), (1, 1), (1, 0), 4)
        self.assertEqual(
            rivals.convolution(Call("wrw", "fp16", problem)),
            "conv_bwd_weight:f16:N=8,G=4,K=16,C=8,in=56x28,filter=3x1,stride=2x1,pad=1x0",
        )
        plain = miopen_kernels.Problem(1, 7, 7, 64, 32, dilation=(2, 2))
        self.assertEqual(
            rivals.convolution(Call("bwd", "fp32", plain)),
            "conv_bwd_data:f32:N=1,K=64,C=32,in=7x7,filter=1x1,dilation=2x2",
        )

    def test_product(self):
        """D' = B' A' of rows: B of Tensile has K (l) or N (j) along memory, A has M (i) or K."""
        for layout, ours in (("Ailk_Bjlk", "crr"), ("Ailk_Bljk", "rrr"), ("Alik_Bljk", "rcr"),
                             ("Alik_Bjlk", "ccr")):  # fmt: skip
            row = tensile_calls.Row(0, "gfx1100", "HH", layout, 128, 256, 512, "k", 50.0)
            self.assertEqual(
                rivals.product(row), f"gemm:f16:M=256,N=128,K=512,layout={ours}", layout
            )

    def test_aiter(self):
        row = aiter_calls.Row(0, "gfx950", "bf16", 32, 64, 128, 2, "kernel", 3.0, 2)
        wide = dataclasses.replace(row, number=1, result_bytes=4)
        (duel,) = rivals.aiter_duels([row, wide], 10, 1, "tile=1")
        self.assertEqual(
            (duel.ours.problem, duel.ours.schedule, duel.ours.setting[0], duel.theirs.split),
            ("gemm:bf16:M=32,N=64,K=128", "tile=1", "gfx950", 2),
        )


class LaunchesTest(unittest.TestCase):
    def test_launches(self):
        """Those between kernels count, and those that zero memory in front of them."""
        kernel = {"modelled_us": 5.0, "launch_us": 3.0}
        two = {"modelled_us": 10.0, "kernels": [kernel, kernel], "zeroed_bytes": 0}
        self.assertEqual(peers.launched_us(kernel), 5)
        self.assertEqual(peers.launched_us(kernel, fills=1), 8)
        self.assertEqual(peers.launched_us(two), 13)
        self.assertEqual(peers.launched_us({**two, "zeroed_bytes": 64}), 16)
        self.assertIsNone(peers.launched_us({"error": "refused"}))


class ListedTest(unittest.TestCase):
    """Kernels and programs of a folder."""

    def duels(self, entries):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "peers.json"), "w", encoding="utf-8") as file:
                json.dump(entries, file)
            return rivals.listed_duels(folder, "")

    def test_duels(self):
        entry = {"peer": "P 1", "kind": "gemm f16", "chip": "gfx1100", "problem": "gemm:...",
                 "candidates": [{"command": ["run"]}]}  # fmt: skip
        (duel,) = self.duels([entry])
        self.assertEqual((duel.peer, duel.kind), ("P 1", "gemm f16 gfx1100"))
        self.assertEqual(duel.ours.problem, "gemm:...")
        self.assertEqual(duel.theirs.setting, ("gfx1100", "only"))

    def test_missing_key(self):
        with self.assertRaisesRegex(ValueError, "entry 0: .* got none for chip, candidates"):
            self.duels([{"peer": "P", "kind": "k", "problem": "p"}])

    def test_arguments_of_kernels(self):
        self.assertEqual(listed.make_argument(None, {"i32": 7}).value, 7)
        self.assertIsNone(listed.make_argument(None, {"pointer": 0}).value)


class IreeTest(unittest.TestCase):
    """Programs of our problems."""

    def test_product(self):
        text, inputs = make_iree.make_program("gemm:f16:M=64,N=32,K=128")
        self.assertEqual(inputs, ["64x128xf16", "32x128xf16"])
        self.assertIn("-> tensor<64x32xf16>", text)
        self.assertIn("#b = affine_map<(m, n, k) -> (n, k)>", text)

    def test_convolution(self):
        problem = "conv_fwd:bf16:N=2,K=32,C=16,in=14x12,filter=3x5,stride=2,pad=1x2"
        text, inputs = make_iree.make_program(problem)
        self.assertEqual(inputs, ["2x16x16x16xbf16", "32x3x5x16xbf16"])
        self.assertIn("strides = dense<[2, 2]> : tensor<2xi64>", text)
        self.assertIn("-> tensor<2x7x6x32xbf16>", text)

    def test_others(self):
        with self.assertRaisesRegex(ValueError, "expected gemm or conv_fwd of f16 or bf16"):
            make_iree.make_program("conv_bwd_data:f16:N=2,K=32,C=16,in=14x14,filter=3x3")


class EarlierTest(unittest.TestCase):
    def test_duels(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "problems.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"problems": [{"problem": "conv_fwd:f16:N=2,K=64,C=3,in=8x8"}]}, file)
            options = peers.parse_arguments(
                ["--before", "old", "--problems", path, "--batch", "32", "--chips", "gfx942"]
            )
            (duel,) = rivals.earlier_duels(options)
        self.assertEqual(duel.ours.problem, "conv_fwd:f16:N=32,K=64,C=3,in=8x8")
        self.assertEqual((duel.theirs.compiler, duel.ours.compiler), ("old", ""))
        self.assertNotEqual(duel.theirs.key, duel.ours.key)


class SummaryTest(unittest.TestCase):
    def test_summary(self):
        duels, store = duels_of((8.0, 4.0), (2.0, 4.0), (3.9, 4.0), (None, 1.0))
        line = peers.summarize(duels, store)["Peer", "gemm"]
        self.assertEqual((line["problems"], line["lost"], line["worst"]), (3, 1, 0.5))
        self.assertAlmostEqual(line["mean"], 0.975 ** (1 / 3))
        self.assertAlmostEqual(line["sum"], 13.9 / 12)

    def test_report(self):
        duels, store = duels_of((8.0, 4.0), (2.0, 4.0), (None, 1.0))
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            peers.print_summary(duels, store, 5)
        self.assertIn("| Peer | gemm | 2 | 1.00 | 1.25 | 1 | 0.50 |", text.getvalue())
        self.assertIn("0.50 Peer problem1 gfx950: 4.0 us with s", text.getvalue())
        self.assertIn("Peer problem2: refused", text.getvalue())

    def test_rows(self):
        duels, store = duels_of((8.0, 4.0), (None, 1.0))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            peers.write_rows(path, duels, store)
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual((rows[0]["theirs_us"], rows[0]["ours_us"]), ("8.0", "4.0"))
        self.assertEqual(rows[1]["theirs_us"], "")

    def test_arguments(self):
        for arguments, message in (
            ([], "expected --miopen, --aiter, --rocblas, --listed or --before"),
            (["--aiter", "x"], "expected --aiter and --aiter-timing together"),
        ):
            text = io.StringIO()
            with contextlib.redirect_stderr(text), self.assertRaises(SystemExit):
                peers.parse_arguments(arguments)
            self.assertIn(message, text.getvalue())


if __name__ == "__main__":
    unittest.main()
