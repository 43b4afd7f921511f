#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how the judge of the model of time reads rows, builds calls and counts.

Expectations are MIOpen's: names of its files, its choices of tiles, and results worked out by hand.
"""

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import alternatives  # noqa: E402
import choices  # noqa: E402
import metrics  # noqa: E402
import miopen_calls  # noqa: E402
import modelling  # noqa: E402
import other_kernels  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import sample  # noqa: E402
import tables  # noqa: E402

HEADER = (
    "dir,dtype,layout,N,C,H,W,K,Y,X,Ho,Wo,pad,stride,dil,G,ms,ws_bytes,tile_m,tile_n,tile_k,gks,"
    "params,best_ms,best_solver\n"
)
BACKWARD = (
    '"bwd,nhwc,fp16,0,1,128,128,32,32,32,8,1,1,2,2,1,0,0,0,0,1,8,2,1,1,4,1,64,1,8,1,2,1,4,1,64,145"'
)
FORWARD = (
    '"fwd,nhwc,fp32,0,0,128,64,16,32,32,2,1,1,1,2,0,0,2,0,1,1,8,1,1,1,2,4,32,1,4,1,1,1,4,1,64,9"'
)
WEIGHT = (
    '"wrw,nhwc,fp16,0,1,64,64,64,32,32,8,1,1,1,1,0,1,5,0,0,1,4,1,1,1,16,1,16,1,4,1,1,1,16,1,16,2"'
)
NAMES = [
    "igemm_bwd_gtcx3_nhwc_fp16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64"
    "_tb1x8x1x2_1x4x1x64_mh",
    "igemm_fwd_gtcx3_nhwc_fp32_bx0_ex0_bt128x64x16_wt32x32x2_ws1x1_wr1x2_ta1x8x1x1_1x2x4x32"
    "_tb1x4x1x1_1x4x1x64_pta_gkgs",
    "igemm_wrw_gtcx3_nhwc_fp16_bx0_ex1_bt64x64x64_wt32x32x8_ws1x1_wr1x1_ta1x4x1x1_1x16x1x16"
    "_tb1x4x1x1_1x16x1x16_vs1_gkgs",
]


def read(*lines):
    """The rows of a file with these lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(line + "\n" for line in lines))
        return miopen_calls.read_rows(path)


def example_rows():
    """Backward-data with a stride; forward in NHWC, in four parts; backward-weight in parts."""
    begin = (
        "B,FP16,NCHW,128,96,56,56,192,2,2,28,28,0x0x0,1x2x2,1x1x1,1,0.2,0,128,128,32,0,",
        "F,FP32,NHWC,16,1024,7,7,96,1,1,7,7,0x0x0,1x1x1,1x1x1,1,0.05,0,128,64,16,2,",
        "W,FP16,NCHW,16,128,14,14,128,3,3,14,14,0x1x1,1x1x1,1x1x1,1,0.03,0,64,64,64,5,",
    )
    return read(*(a + b + ",0.2,S" for a, b in zip(begin, (BACKWARD, FORWARD, WEIGHT))))


class RowsTest(unittest.TestCase):
    def test_names(self):
        rows = example_rows()
        self.assertEqual([row.config.name for row in rows], NAMES)
        for row in rows:
            again = miopen_calls.parse_name(row.config.name)
            self.assertEqual(again.with_split(row.config.split), row.config)
        self.assertIsNone(miopen_calls.parse_name("batched_transpose_16x16_half"))

    def test_wrong_rows(self):
        line = f"F,FP32,NHWC,16,96,7,7,96,1,1,8,7,0x0x0,1x1x1,1x1x1,1,1,0,1,1,1,0,{FORWARD},1,S"
        with self.assertRaisesRegex(ValueError, "row 1: expected an output of .8, 7., got 7 x 7"):
            read(line)
        with self.assertRaisesRegex(ValueError, "row 1: expected a perf config"):
            read(line.replace("fwd,nhwc", "fwd,nchw"))

    def test_grids(self):
        backward, forward, weight = example_rows()
        # One launch for four remainders modulo the stride, of 96 channels and, by MIOpen's formula,
        # 29 x 29 positions, of which the last ones are empty.
        _, grid, _ = miopen_calls.plan(backward)
        self.assertEqual(grid, (4 * 128 * 29 * 29 // 128, 1, 1))
        # 784 positions in tiles of 128, 96 filters in tiles of 64, in four parts.
        kernel, grid, words = miopen_calls.plan(forward)
        self.assertEqual((grid, kernel.threads), ((4 * 7 * 2, 1, 1), 256))
        self.assertEqual(words[-2:], [2, 0])
        # 2 x 18 tiles: 304 * 5 // 36 = 42 parts of the 784 positions of four images,
        # each a multiple of 16.
        _, grid, words = miopen_calls.plan(weight)
        self.assertEqual((grid, words[-3:]), ((36, 1, 25), [25, 1, 32]))

    def test_large_tensors(self):
        row = example_rows()[1]
        self.assertEqual(miopen_calls.batches(row.problem, 4), 1)
        problem = miopen_calls.miopen_kernels.Problem(12, 8192, 8192, 4, 4)
        self.assertEqual(miopen_calls.batches(problem, 4), 4)
        self.assertEqual(miopen_calls.batches(problem, 16), 0)


class OtherKernelsTest(unittest.TestCase):
    def test_tiles(self):
        expected = {
            (96, 3136, 2): (32, 32),
            (3136, 96, 4): (32, 32),
            (48, 49, 2): (32, 16),
            (16, 3136, 2): (32, 16),
            (3, 50176, 2): (256, 4),
            (50176, 3, 4): (4, 256),
            (2048, 49, 2): (32, 32),
            (2048, 48, 2): (16, 32),
            (9, 64, 4): (32, 16),
        }
        for (height, width, size), tile in expected.items():
            self.assertEqual(miopen_calls.choose_tile(height, width, size), tile, (height, width))

    def test_calls(self):
        backward, forward, weight = map(miopen_calls.others, example_rows())
        sizes = [(t.batch, t.height, t.width) for t in backward.transpositions]
        self.assertEqual(sizes, [(128, 3136, 96), (192, 96, 4), (128, 192, 784)])
        self.assertEqual((backward.zeroed_bytes, backward.cast_bytes), (0, 0))
        self.assertEqual(forward, miopen_calls.Others((), 16 * 96 * 49 * 4, 0))
        # The sum is in f32. MIOpen counts the filter's transposition twice in place of the cast.
        sizes = [(t.batch, t.height, t.width) for t in weight.transpositions]
        self.assertEqual(sizes, [(16, 128, 196), (128, 9, 128), (16, 128, 196), (128, 9, 128)])
        self.assertEqual((weight.zeroed_bytes, weight.cast_bytes), (128 * 128 * 9 * 4, 0))
        self.assertEqual(weight.kernels, 5)

    def test_fit(self):
        hidden, draw, cases = other_kernels.Costs(2.5), random.Random(3), []
        for count in range(60):
            others = [draw.uniform(2, 40) for _ in range(count % 5)]
            timing = {"modelled_us": draw.uniform(5, 100), "others_us": others}
            cases.append((timing, hidden.call_us(timing)))
        self.assertAlmostEqual(other_kernels.fit(cases).start_us, 2.5, delta=0.01)

    def test_costs(self):
        costs = other_kernels.Costs(2.0, 4.0)
        self.assertEqual(costs.call_us({"modelled_us": 10, "others_us": [3, 4]}), 23)
        call = miopen_calls.Others((None,), 8_000_000, 0)
        self.assertEqual(costs.choice_us(10, call), 16)


class ChoicesTest(unittest.TestCase):
    def test_valid(self):
        backward, forward, weight = example_rows()
        for row in (backward, forward, weight):
            self.assertTrue(choices.is_valid(row.config, row))
        self.assertFalse(choices.is_valid(forward.config, backward))
        # 1024 channels in 128 parts are less than a step of 16; in 64 parts they are one.
        self.assertFalse(choices.is_valid(forward.config.with_split(7), forward))
        self.assertTrue(choices.is_valid(forward.config.with_split(6), forward))
        # Stores of 8 elements do not divide a row of 100 channels.
        backward.problem.c = 100
        self.assertFalse(choices.is_valid(backward.config, backward))

    def test_candidates(self):
        _, forward, weight = example_rows()
        found = choices.candidates(forward, NAMES)
        self.assertEqual([config.split for config in found], [1, 2, 3, 4, 5, 6])
        # Of backward-weight, those of more parts than steps are one and the same launch.
        grids = [miopen_calls.plan(weight, c)[1] for c in choices.candidates(weight, NAMES)]
        self.assertEqual([grid[2] for grid in grids], [7, 13, 25, 49])

    def test_times(self):
        _, forward, _ = example_rows()
        flops, size = 2 * 784 * 1024 * 96, 4 * (784 * 1024 + 1024 * 96 + 784 * 96)
        expected = max(flops / 163.4, size / 5.3) / 1e6
        self.assertAlmostEqual(choices.roofline_us(forward), expected)
        # One wave of tiles, each with 256 of the 1024 channels.
        compute = 2 * 128 * 64 * 256 / (163.4 / 304)
        memory = (128 + 64) * 256 * 4 / (5.3 / 304)
        self.assertAlmostEqual(choices.trivial_us(forward), max(compute, memory) / 1e6)


class MetricsTest(unittest.TestCase):
    def test_fit(self):
        measured, roofline = [10.0, 20, 40, 80, 160], [1.0, 4, 1, 4, 1]
        fit = metrics.judge([11.0, 22, 36, 80, 320], measured, roofline)
        self.assertAlmostEqual(fit.median_error, 0.1)
        self.assertAlmostEqual(fit.high_error, 0.1 + 0.6 * 0.9)
        self.assertAlmostEqual(fit.bias, 1.1)
        self.assertAlmostEqual(metrics.judge(measured, measured, roofline).correlation, 1)
        self.assertEqual(metrics.judge(roofline, measured, roofline).correlation, 0)

    def test_place(self):
        self.assertEqual(metrics.place([3, 1, 2, 5, 4], 3), (0.5, 2))
        self.assertEqual(metrics.place([1, 1, 1], 1), (0.5, 1))
        self.assertEqual(metrics.place([7], 7), (0, 0))

    def test_choice(self):
        row = example_rows()[1]
        slow, fast = (row.config.with_split(split) for split in (1, 2))
        other = miopen_calls.parse_name(NAMES[1].replace("128x64x16", "128x64x32")).with_split(0)
        times = {slow: 9, fast: 5, other: 7}
        place = report.judge_choice(row, list(times), lambda _, config: times[config])
        self.assertEqual(place, (0, 0, 2))  # by the faster of its two splits
        times[other] = None  # refused
        place = report.judge_choice(row, list(times), lambda _, config: times[config])
        self.assertEqual(place, (0, 0, 1))

    def test_samples(self):
        rows, template = [], example_rows()
        for number in range(400):
            row = miopen_calls.dataclasses.replace(template[number % 3], number=number)
            row.us, row.nchw = float(number), number % 50 != 0
            rows.append(row)
        chosen = sample.judged_rows(rows, 60, 1)
        self.assertEqual(chosen, sample.judged_rows(rows, 60, 1))
        self.assertNotEqual(chosen, sample.judged_rows(rows, 60, 2))
        self.assertEqual(len(chosen), 60)
        self.assertEqual(sum(not row.nchw for row in chosen), 8)
        for quarter in range(4):
            count = sum(quarter * 100 <= row.us < quarter * 100 + 100 for row in chosen)
            self.assertGreater(count, 10)
        first, second = sample.halves(chosen)
        self.assertEqual((len(first), len(second)), (30, 30))
        self.assertFalse({row.number for row in first} & {row.number for row in second})


class ReportTest(unittest.TestCase):
    def test_judgement(self):
        rows, store = [], Modelled()
        draw = random.Random(5)
        for number in range(60):
            row = miopen_calls.dataclasses.replace(example_rows()[number % 3], number=number)
            timing = {"modelled_us": draw.uniform(10, 400), "others_us": [5.0, 3.0], "seconds": 1}
            store.timings[number] = timing
            row.us = other_kernels.Costs().call_us(timing)
            rows.append(row)
        store.timings[7] = {"error": "an instruction is not known", "seconds": 1}
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = report.judgement(rows, [], {}, store, {"trivial": choices.trivial_us})
        self.assertEqual(figures["refused"], 1)
        self.assertIn("row 8 refused: an instruction is not known", text.getvalue())
        self.assertEqual(figures["standing"]["all"]["count"], 59)
        self.assertAlmostEqual(figures["standing"]["all"]["median_error"], 0)
        self.assertAlmostEqual(figures["standing"]["all"]["correlation"], 1)
        self.assertLess(figures["validated"]["all"]["median_error"], 0.02)
        self.assertGreater(figures["trivial"]["all"]["median_error"], 0.05)


class AlternativesTest(unittest.TestCase):
    def test_cross_validation(self):
        rows, exact, long = [], Modelled(), Modelled()
        draw = random.Random(6)
        for number in range(40):
            row = miopen_calls.dataclasses.replace(example_rows()[number % 3], number=number)
            timing = {"modelled_us": draw.uniform(10, 400), "others_us": [], "seconds": 1}
            row.us = other_kernels.Costs().call_us(timing)
            exact.timings[number] = timing
            long.timings[number] = {**timing, "modelled_us": 2 * timing["modelled_us"]}
            rows.append(row)
        long.timings[3] = {"error": "refused", "seconds": 1}
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = alternatives.judge(rows, {alternatives.STANDING: long, "a=1": exact})
        self.assertEqual(figures["chosen"], ["a=1", "a=1"])
        self.assertEqual(figures["validated"]["count"], 39)
        self.assertAlmostEqual(figures["validated"]["median_error"], 0, delta=0.01)
        self.assertGreater(figures[alternatives.STANDING]["median_error"], 0.5)
        self.assertIn("the halves choose: a=1; a=1", text.getvalue())


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = folder.name

    def write(self, name, text):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_other_rows_have_another_file(self):
        # Tasks name rows by their numbers, which mean others in another table.
        options = argparse.Namespace(
            library=self.write("library", "emulator"), parameters="", work=self.work
        )
        paths = [modelling.Store(options).path]
        for text in ("row 1", "row 2"):
            options.rocblas_timing = self.write("rows.csv", text)
            paths.append(modelling.Store(options).path)
        self.assertEqual(len(set(paths)), 3)
        self.write("rows.csv", "row 1")
        self.assertEqual(modelling.Store(options).path, paths[1])


class TablesTest(unittest.TestCase):
    def test_judgement(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = tables.judge(Kernels())
        # Roles are modelled as faster wherever the filter is 3x3, which is so in 12 of 17 layers.
        counts = {name: sum(line["right"] for line in lines) for name, lines in figures.items()}
        self.assertEqual(counts["wave roles, 3x3"], 12)
        self.assertEqual(counts["wave roles, 1x1"], 14)
        self.assertIn("wave roles, 3x3: 12 of 17 right", text.getvalue())
        # StreamK, never refused, is modelled as slower, which is so in 6 of 8 rows.
        self.assertEqual(counts["StreamK"], 6)
        line = figures["StreamK"][0]
        self.assertAlmostEqual(line["modelled"], 0.5, delta=0.1)
        self.assertIn("all schedules were refused", text.getvalue())
        self.assertNotIn("MFMA of 16 rows", figures)
        self.assertNotIn("XCD grouping", figures)
        # Of schedules with load waves one is refused, and the others are modelled as slower.
        self.assertEqual(counts["load waves in a product"], 6)


class ProgramsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.options = argparse.Namespace(library="lib/emulator.so", ck_chip="gfx950")
        self.options.parameters = "launch_us=3"
        self.write("published.csv", "table,cell,first,second,speedup\n"
                   "Tiles,a,StreamK,Split-K,0.5\nTiles,b,StreamK,Split-K,1.2\n"
                   "Tiles,c,StreamK,Split-K,1.1\nRoles,a,Split-K,StreamK,1.5\n")  # fmt: skip

    def write(self, name, text, mode=0o600):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def run_all(self):
        tasks = programs.tasks(self.folder, "gfx950")
        return [programs.run(task, self.options) for task in tasks]

    def judge(self, timings):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = programs.judgement(programs.read_comparisons(self.folder), timings)
        return figures, text.getvalue()

    def test_winners(self):
        # Stands in for a HIP program: prints what the judge asks the emulator for as well.
        self.write("tiles", "#!/bin/sh\n"
                   "echo a,StreamK,tree,20\necho a,StreamK,linear,40\n"
                   "echo a,Split-K,$CK_EMULATOR_CHIP,12\necho not a row\necho a,b,c,d\n"
                   "echo b,StreamK,tree,10\necho b,Split-K,$CK_EMULATOR_TIMING,8\n"
                   'echo "c,StreamK,$CK_EMULATOR_TIMING_PARAMETERS ${LD_LIBRARY_PATH%%:*},9"\n',
                   0o700)  # fmt: skip
        timings = self.run_all()
        place = os.path.abspath("lib/hip")
        self.assertIn(f"c,StreamK,launch_us=3 {place},9", timings[0]["lines"])
        figures, text = self.judge(timings)
        self.assertEqual([line["right"] for line in figures["Tiles"]], [True, False])
        self.assertAlmostEqual(figures["Tiles"][0]["modelled"], 0.6)
        self.assertEqual(figures["Roles"], [{"cell": "a", "modelled": 20 / 12, "right": True}])
        self.assertIn("right  20.0 us (tree), 12.0 us (gfx950)", text)
        self.assertIn("wrong  10.0 us (tree), 8.0 us (only)", text)
        self.assertIn("1.10  no time of Split-K", text)
        self.assertIn("Tiles: 1 of 2 right", text)

    def test_failing_program(self):
        self.write("fails", "#!/bin/sh\necho no device >&2\nexit 3\n", 0o700)
        figures, text = self.judge(self.run_all())
        self.assertEqual(figures, {"Tiles": [], "Roles": []})
        self.assertIn("fails ended with 3: no device", text)

    def test_errors(self):
        with self.assertRaisesRegex(FileNotFoundError, "has no executable file"):
            programs.tasks(self.folder, "gfx950")
        self.write("published.csv", "cell,speedup\na,1\n")
        with self.assertRaisesRegex(ValueError, "expected the columns table,cell,first,second"):
            programs.read_comparisons(self.folder)
        self.write("published.csv", "table,cell,first,second,speedup\nTiles,a,b,c,fast\n")
        with self.assertRaisesRegex(ValueError, "expected 5 values in a line"):
            programs.read_comparisons(self.folder)


class Kernels:
    """Times of own kernels that no emulator modelled."""

    def get(self, task):
        if "mma=16x16" in task.schedule:
            return {"error": "refused", "seconds": 1}
        fast = "uniform" in task.schedule
        if "stream_k" in task.schedule:
            fast = False
        elif "filter=3x3" in task.problem and "roles" in task.schedule:
            fast = not fast
        us = 1000.0 if fast or "split_k:4" in task.schedule else 2000.0
        return {"modelled_us": us, "kernels": [{}], "zeroed_bytes": 0, "seconds": 1}


class Modelled:
    """Times that no emulator modelled."""

    def __init__(self):
        self.timings = {}

    def get(self, task):
        return self.timings[task.number]


if __name__ == "__main__":
    unittest.main()
