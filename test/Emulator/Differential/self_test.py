# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the host twin or the kernel of a program and expects to be told.

usage: self_test.py CLANG RUNNER GUARD
"""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from generator.program import Program, device_source, host_source  # noqa: E402
from generator.statements import Block  # noqa: E402
from reduction import pieces, reduce_program, signature  # noqa: E402
from toolchain import Setting, Toolchain  # noqa: E402

SETTING = Setting("gfx942", "O1", 64)
TOOLS = None


def run(program, folder, change_host=lambda text: text, change_device=lambda text: text):
    """The result of `program` after changes of its sources."""
    paths = [os.path.join(folder, name) for name in ("p.cl", "p.c", "p.co", "p.so")]
    for path, text in (
        (paths[0], change_device(device_source([program]))),
        (paths[1], change_host(host_source([program]))),
    ):
        with open(path, "w") as file:
            file.write(text)
    TOOLS.compile_device(paths[0], SETTING, paths[2])
    TOOLS.compile_host(paths[1], paths[3])
    return TOOLS.run(paths[2], paths[3], SETTING)[0]


def before_output(statement):
    """A change that puts `statement` before a program's first output."""
    return lambda text: text.replace("  out[gid * ", f"  {statement}\n  out[gid * ", 1)


class SelfTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_equal(self):
        self.assertEqual(run(Program("1", 0), self.folder.name)["status"], "ok")

    def test_one_wrong_bit_in_one_lane(self):
        result = run(
            Program("1", 0), self.folder.name, before_output("if (gid == 5) s[i].v0 ^= 0x100;")
        )
        self.assertEqual((result["status"], result["count"]), ("mismatch", 1))
        difference = result["differences"][0]
        self.assertEqual(
            (difference["buffer"], difference["element"], difference["item"]), ("out", 0, 5)
        )
        self.assertEqual(int(difference["expected"], 16) ^ int(difference["got"], 16), 0x100)

    def test_wrong_memory(self):
        result = run(
            Program("1", 0), self.folder.name, before_output("if (gid == 0) mem[9] = ~mem[9];")
        )
        self.assertEqual(result["differences"][0]["buffer"], "mem")

    def test_trap(self):
        result = run(
            Program("1", 0), self.folder.name, change_device=before_output("__builtin_trap();")
        )
        self.assertEqual(result["status"], "fault")
        self.assertIn("trap", signature(result))

    def test_reduction(self):
        """What is not needed for the failure is left out: here all but one statement."""
        program = Program("1", 3)
        marked = Block("{", "}", ["s->v0 = 0xabcdef;"])
        next(s for s in program.steps if hasattr(s, "body")).body.children.append(marked)
        reduce_program(program, lambda p: "0xabcdef" in device_source([p]), seconds=20)
        self.assertEqual(len(pieces(program)), 3)  # the step, the block and its line


if __name__ == "__main__":
    TOOLS = Toolchain(*sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
