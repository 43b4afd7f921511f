#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how the judge of the model of time reads rocBLAS' products and launches Tensile's kernels.

Expectations are Tensile's, worked out by hand from its ContractionSolution.cpp.
"""

import contextlib
import dataclasses
import io
import os
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import product_report  # noqa: E402
import tensile_calls  # noqa: E402

HEADER = "package,chip,type,layout,key,index,speed,kernel\n"
KERNEL = (
    "Cijk_Ailk_Bljk_HHS_BH_MT128x64x32_MI16x16x16x1_SN_GSU1_GSUASB_PGR1_SU32_SUS256_WG32_4_1_WGM4"
)
SHORT = KERNEL.replace("SU32_SUS256", "SU0_SUS0").replace("WGM4", "WGM1")
LINE = "p,gfx1100,Type_HH_HPA,Ailk_Bljk,6144x512x2048,7,50.0,"


def read(*lines):
    """The rows of a file with these lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(line + "\n" for line in lines))
        return tensile_calls.read_rows(path)


class RowsTest(unittest.TestCase):
    def test_rows(self):
        row = read(LINE + KERNEL)[0]
        self.assertEqual((row.m, row.n, row.k, row.dtype), (6144, 512, 2048, "HH"))
        operations = 2 * 6144 * 512 * 2048
        self.assertAlmostEqual(row.us, operations / (0.5 * 122.9e6))
        self.assertAlmostEqual(row.roofline_us, operations / 122.9e6)
        self.assertEqual(len(read(LINE.replace("512x2", "512x1x2") + KERNEL)), 1)

    def test_left_out(self):
        for line in (
            LINE.replace("6144x512", "64x64") + KERNEL,  # short
            LINE.replace("512x2", "512x3x2") + KERNEL,  # three batches
            LINE.replace("gfx1100", "gfx906") + KERNEL,
            LINE + KERNEL.replace("GSU1_", "GSU3_"),  # with a second kernel that adds
            LINE.replace("gfx1100", "gfx90a") + KERNEL.replace("PGR1", "PGR2"),
        ):
            self.assertEqual(read(line), [], line)

    def test_wrong_rows(self):
        with self.assertRaisesRegex(ValueError, "row 1: expected a key of sizes and a speed"):
            read(LINE.replace("x512", "xmany") + KERNEL)
        with self.assertRaisesRegex(ValueError, "row 1: expected a key MxNxK .* got '6144x512'"):
            read(LINE.replace("x2048", "") + KERNEL)
        with self.assertRaisesRegex(ValueError, "expected _GSU.* in the name of Tensile's kernel"):
            read(LINE + "Cijk")

    def test_code(self):
        row = read(LINE + KERNEL)[0]
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "TensileLibrary_Type_HH_HPA"):
                tensile_calls.read_code(folder, row)
            for path, name in zip(tensile_calls.library_files(folder, row), ("x", row.kernel)):
                with open(path, "wb") as file:
                    file.write(b"\x7fELF" + name.encode() + b"\0")
            self.assertIn(KERNEL.encode(), tensile_calls.read_code(folder, row))


class LaunchesTest(unittest.TestCase):
    def test_arguments(self):
        row = read(LINE + KERNEL)[0]
        values = struct.unpack("<6Q2f18I", tensile_calls.arguments(row, 1, 2, 3))
        self.assertEqual(values[:8], (6144 * 2048, 512 * 2048, 3, 3, 1, 2, 1.0, 0.0))
        strides = (6144, 6144 * 512) * 2 + (6144, 6144 * 2048, 2048, 512 * 2048)
        self.assertEqual(values[8:16], strides)
        self.assertEqual(values[16:20], (6144, 512, 1, 2048))
        # Workgroups start at 16 places, 4 steps of 32 apart: 64 steps are too few for 32.
        self.assertEqual(values[20:], (15, 48, 8, 2, 4, (1 << 31) // 4 + 1))
        short = dataclasses.replace(row, kernel=SHORT)
        # Without staggered starts and without a width of tiles, four numbers less.
        self.assertEqual(len(tensile_calls.arguments(short, 1, 2, 3)), 48 + 8 + 32 + 16 + 8)

    def test_shape(self):
        row = read(LINE + KERNEL)[0]
        self.assertEqual((tensile_calls.tiles(row), tensile_calls.threads(row)), ((48, 8), 128))

    def test_stagger(self):
        row = read(LINE + KERNEL)[0]
        for k, mask in ((32, 0), (256, 1), (512, 3), (100000, 31)):
            self.assertEqual(tensile_calls.stagger(dataclasses.replace(row, k=k)), mask, k)


class ReportTest(unittest.TestCase):
    def test_one_factor(self):
        rows = [
            dataclasses.replace(read(LINE + KERNEL)[0], number=i, n=512 + 64 * i) for i in range(9)
        ]
        store = Modelled({row.number: 3 * row.us for row in rows})
        store.us[4] *= 1.1
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = product_report.print_fits(rows, store, "rocBLAS", scales=True)
        self.assertIn("gfx1100: measured times times 3.000", text.getvalue())
        self.assertAlmostEqual(figures["gfx1100"]["bias"], 1)
        self.assertAlmostEqual(figures["gfx1100"]["high_error"], 0.02)


class Modelled:
    """Times by row that no emulator modelled."""

    def __init__(self, us):
        self.us = us

    def get(self, task):
        return {"modelled_us": self.us[task.number], "others_us": []}


if __name__ == "__main__":
    unittest.main()
