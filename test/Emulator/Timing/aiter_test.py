#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how the judge of the model of time reads AITER's products, launches and counts.

Expectations are AITER's: its tables, structures of arguments and grids, worked out by hand.
"""

import contextlib
import ctypes
import dataclasses
import importlib.machinery
import importlib.util
import io
import os
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)

import aiter_calls  # noqa: E402
import product_report  # noqa: E402

HEADER = "gfx,cu_num,family,M,N,K,splitK,kernelName,us,tflops,bw_GBps,outdtype,bias,bpreshuffle\n"
BF16 = "gfx950,256,bf16,200,256,5120,4,k96,9.3,37,442,torch.float32,False,False"
F4 = "gfx950,256,f4,200,512,4096,2,k128x512,5.4,0.78,194,,,"
FP8 = "gfx950,256,fp8bs,16,512,7168,7,k32,7.9,14,476,,,"
I8 = "gfx942,304,i8,128,1536,5120,1,k16,17.9,112,496,,,"
TABLE = "knl_name,co_name,tn,tileM,tileN,pf,bPreshuffle,splitK,subK,bias\n"


def read(*lines, **options):
    """The rows of a file with these lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(line + "\n" for line in lines))
        return aiter_calls.read_rows(path, **options)


def make_kernel(name="k", m=96, n=64, splits=True, shuffled=False, step=64):
    return aiter_calls.Kernel(name, name + ".co", m, n, splits, shuffled, step)


def addresses(row):
    names = aiter_calls.sizes(row)
    return {name: ctypes.c_void_p(0x1000 + i) for i, name in enumerate(names)}


class RowsTest(unittest.TestCase):
    def test_rows(self):
        bf16, f4, fp8, i8 = read(BF16, F4, FP8, I8)
        self.assertEqual((bf16.m, bf16.n, bf16.k, bf16.split), (200, 256, 5120, 4))
        self.assertEqual((bf16.result_bytes, f4.result_bytes), (4, 2))
        self.assertEqual(f4.split, 4, "the logarithm stands in the table")
        self.assertEqual([fp8.chip, i8.chip], ["gfx950", "gfx942"])
        self.assertEqual([row.number for row in read(BF16, F4, FP8, families=("fp8bs",))], [2])
        self.assertEqual(read(I8.replace("304", "80"))[0].chip, "gfx942:mi308x")
        self.assertEqual(read(I8.replace("304", "64")), [], "a chip that is not modelled")

    def test_wrong_rows(self):
        with self.assertRaisesRegex(ValueError, "row 2: expected whole numbers M, N, K, splitK"):
            read(BF16, BF16.replace("5120", "many"))
        with self.assertRaisesRegex(ValueError, "row 1: expected M, N, K and us above 0"):
            read(BF16.replace("9.3", "0"))
        with self.assertRaisesRegex(ValueError, "row 1: expected a family of bf16, .* got 'f6'"):
            read(F4.replace("f4", "f6"))

    def test_roofline(self):
        long = dataclasses.replace(read(BF16)[0], m=4096, n=4096, k=4096)
        self.assertAlmostEqual(long.roofline_us, 2 * 4096**3 / 2516.6e6)
        flat = read(F4)[0]
        moved = (200 + 512) * 4096 / 2 + 200 * 512 * 2
        self.assertAlmostEqual(flat.roofline_us, moved / 8e6)

    def test_kernels(self):
        with tempfile.TemporaryDirectory() as root:
            with self.assertRaisesRegex(FileNotFoundError, "hsa/gfx950/bf16gemm"):
                aiter_calls.read_kernels(root, "gfx950", "bf16")
            folder = os.path.join(root, "hsa", "gfx950", "bf16gemm")
            os.makedirs(folder)
            with open(os.path.join(folder, "t.csv"), "w", encoding="utf-8") as file:
                file.write(TABLE + "k,k.co,1,96,64,0,0,1,64,1\n")
            found = aiter_calls.read_kernels(root, "gfx950", "bf16")["k"]
        expected = dataclasses.replace(make_kernel(), path=os.path.join(folder, "k.co"))
        self.assertEqual(found, expected)


class LaunchesTest(unittest.TestCase):
    def test_slots(self):
        data = aiter_calls.slots([ctypes.c_void_p(0x123456789A), 1.0, 7, ctypes.c_void_p()])
        self.assertEqual(struct.unpack_from("<Q8xf12xI12xQ8x", data), (0x123456789A, 1.0, 7, 0))
        self.assertFalse(any(data[64:]), "nothing where a kernel has more than its launcher gives")

    def test_arguments(self):
        # The places of M, N, K and of the split in the launchers' structures.
        for line, count, place, last in ((BF16, 22, 14, None), (F4, 24, 14, 23), (FP8, 16, 6, 12)):
            row = read(line)[0]
            arguments = aiter_calls.ARGUMENTS[row.family](row, row.split, addresses(row))
            self.assertEqual(len(arguments), count, row.family)
            self.assertEqual(arguments[place : place + 3], [row.m, row.n, row.k], row.family)
            if last:
                split = {"f4": 2, "fp8bs": 7}[row.family]
                self.assertEqual(arguments[last], split)
        row = read(I8)[0]
        self.assertEqual(aiter_calls.i8_arguments(row, 1, addresses(row))[6:],
                         [128, 1536, 5120, 5120, 5120, 3072, 1])  # fmt: skip

    def test_grids(self):
        bf16, f4, fp8, _ = read(BF16, F4, FP8, I8)
        self.assertEqual(aiter_calls.grid(bf16, make_kernel(), 4), (4, 3, 4))
        self.assertEqual(aiter_calls.grid(f4, make_kernel(m=128, n=512), 4), (1, 2, 4))
        # 4096 / 32 is less than the 256 that a workgroup takes at least.
        self.assertEqual(aiter_calls.grid(f4, make_kernel(m=128, n=512), 32), (1, 2, 16))
        self.assertEqual(aiter_calls.grid(fp8, make_kernel(m=32, n=128), 7), (28, 1, 1))

    def test_fills(self):
        bf16, _, fp8, i8 = read(BF16, F4, FP8, I8)
        self.assertFalse(aiter_calls.fills(bf16, 4), "these kernels clear for themselves")
        self.assertTrue(aiter_calls.fills(fp8, 7))
        self.assertFalse(aiter_calls.fills(i8, 1))

    def test_cold(self):
        row = read(BF16)[0]
        self.assertEqual(aiter_calls.cold_bytes(row), (200 + 256) * 5120 * 2 * 100)
        small = dataclasses.replace(row, m=16, k=1024)
        self.assertEqual(aiter_calls.cold_bytes(small), 0, "101 of them fit into the MALL")


class ChoiceTest(unittest.TestCase):
    def test_valid(self):
        bf16, f4, fp8, _ = read(BF16, F4, FP8, I8)
        self.assertTrue(aiter_calls.is_valid(bf16, make_kernel(), 4))
        self.assertFalse(aiter_calls.is_valid(bf16, make_kernel(), 1), "it always splits")
        self.assertFalse(aiter_calls.is_valid(bf16, make_kernel(n=96), 4), "256 % 96")
        wide = dataclasses.replace(bf16, n=64 * 600)
        self.assertFalse(aiter_calls.is_valid(wide, make_kernel(), 2), "more tiles than semaphores")
        self.assertTrue(aiter_calls.is_valid(fp8, make_kernel(n=128), 7))
        self.assertFalse(aiter_calls.is_valid(fp8, make_kernel(n=128), 9), "56 steps in 8 of 7")
        odd = dataclasses.replace(f4, n=640)
        self.assertFalse(aiter_calls.is_valid(odd, make_kernel(m=128, n=512), 1))
        self.assertTrue(aiter_calls.is_valid(odd, make_kernel(m=128, n=256), 1))

    def test_candidates(self):
        row = read(BF16)[0]
        kernels = [make_kernel("k96"), make_kernel("k32", m=32), make_kernel("b", shuffled=True)]
        found = aiter_calls.candidates(row, {kernel.name: kernel for kernel in kernels}, 256)
        # 3 x 4 tiles leave room for 21 parts, of which AITER takes 16 at most; 7 x 4 for 9.
        self.assertEqual(found, [("k32", 2), ("k32", 4), ("k32", 9),
                                 ("k96", 2), ("k96", 4), ("k96", 8), ("k96", 16)])  # fmt: skip

    def test_place(self):
        row = read(BF16)[0]
        store = Modelled({("k96", 4): 9.0, ("k96", 8): 10.0, ("k32", 2): 8.0, ("k64", 2): None})
        tried = [key[:2] for key in store.us]
        self.assertEqual(product_report.place_of(row, tried, store), (1, 2))
        self.assertIsNone(
            product_report.place_of(row, tried, Modelled({key: None for key in tried}))
        )


class ReportTest(unittest.TestCase):
    def test_judgement(self):
        rows = [dataclasses.replace(row, number=i, us=9.0) for i, row in enumerate(read(BF16) * 4)]
        store = Modelled({("k96", 4): 10.8})
        tried = {row.number: [("k96", 4)] for row in rows}
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            figures = product_report.judgement(rows, rows, tried, store)
        self.assertAlmostEqual(figures["fits"]["bf16"]["median_error"], 0.2)
        self.assertAlmostEqual(figures["fits"]["bf16 split"]["bias"], 1.2)
        self.assertEqual(figures["choice"]["bf16"]["first_three"], 1)
        with contextlib.redirect_stdout(text):
            figures = product_report.judgement(rows, [], {}, Modelled({("k96", 4): None}))
        self.assertIn("row 1 refused: not modelled", text.getvalue())
        self.assertEqual(figures["fits"], {})


class OptionsTest(unittest.TestCase):
    def test_errors(self):
        loader = importlib.machinery.SourceFileLoader("judge", os.path.join(HERE, "judge"))
        judge = importlib.util.module_from_spec(importlib.util.spec_from_loader("judge", loader))
        loader.exec_module(judge)
        for arguments, message in (
            ([], "expected --miopen, --aiter, --rocblas or --ck"),
            (["--aiter", "x"], "expected --aiter and --aiter-timing together"),
            (["--aiter=x", "--aiter-timing=y", "--families=f6"], "expected --families of bf16"),
        ):
            text = io.StringIO()
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(text):
                judge.parse_arguments(arguments)
            self.assertIn(message, text.getvalue())


class Modelled:
    """Times by kernel and split that no emulator modelled."""

    def __init__(self, us):
        self.us = us

    def get(self, task):
        us = self.us[task.kernel, task.split]
        return {"modelled_us": us, "others_us": []} if us else {"error": "not modelled"}


if __name__ == "__main__":
    unittest.main()
