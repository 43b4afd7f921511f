# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program: variables of each work-item, and steps that work on them.

Steps alternate between code of each lane for itself and collectives. Program i of a seed is the
same however many are drawn.
"""

import random

from generator.collectives import Writer
from generator.expressions import INTEGERS, SCALARS, VECTORS, bit_value, element
from generator.statements import OWN_BYTES, LaneCode, write_function

INPUT_LETTERS = {"Half": "h", "float": "f", "double": "d"}


class LaneStep:
    """A function that each work-item executes."""

    def __init__(self, body, attribute, pointer):
        self.body, self.attribute, self.pointer = body, attribute, pointer


class Program:
    """Program `index` of `seed`."""

    def __init__(self, seed, index):
        self.random = random.Random(f"{seed}/{index}")
        self.name = f"p{seed}_{index}"
        self.size = self.random.choice([64, 96, 128, 100, 192, 70, 128, 64])
        self.groups = self.random.choice([1, 2, 2, 3])
        self.cells = 0
        self.tables, self.functions = [], []
        count = self.random.randrange(4, 8)
        kinds = ["U32", self.random.choice(INTEGERS)]
        kinds += [
            self.random.choice(SCALARS + ["U32", "I32", "float"] + sorted(VECTORS)[:13])
            for _ in range(count - 2)
        ]
        self.variables = [(f"v{i}", kind) for i, kind in enumerate(kinds)]
        self.steps = []
        for i in range(self.random.randrange(1, 4)):
            self.steps.append(self.lane_step(i))
            for _ in range(self.random.randrange(0, 3)):
                self.steps.append(Writer(self).write())

    def lane_step(self, number):
        body = LaneCode(self, number).body(self.random.randrange(1, 5))
        attribute = self.random.choice(["inline", "inline", "inline", "NOINLINE"])
        return LaneStep(body, attribute, self.random.choice(["PRIVATE ", ""]))

    def cell(self):
        """The first of two cells of `acc` that one atomic operation has for itself."""
        self.cells += 2
        return self.cells - 2

    def table(self):
        """A constant table: its name and the type of its 16 elements."""
        if not self.tables or self.random.random() < 0.3:
            kind = self.random.choice(["U8", "U16", "U32", "I32", "U64", "I16"])
            name = f"{self.name}_t{len(self.tables)}"
            values = ", ".join(f"({kind}){self.random.getrandbits(63)}" for _ in range(16))
            self.tables.append((f"CONSTANT {kind} {name}[16] = {{{values}}};", name, kind))
        return self.random.choice(self.tables)[1:]

    def function(self):
        if len(self.functions) < 2 and (not self.functions or self.random.random() < 0.3):
            name = f"{self.name}_f{len(self.functions)}"
            text, result, operands = write_function(self, name)
            self.functions.append((text, name, result, operands))
        return self.random.choice(self.functions)[1:]

    def inputs(self):
        """A letter per input value: how the runner draws it."""
        letters = ""
        for _, kind in self.variables:
            base, count = element(kind)
            letters += INPUT_LETTERS.get(base, "i") * count
        return letters

    def shared(self):
        """What the GPU and the host have in common."""
        lines = [text for text, *_ in self.tables]
        lines += [text for text, *_ in self.functions]
        fields = " ".join(f"{kind} {name};" for name, kind in self.variables)
        lines.append(f"typedef struct {{ {fields} }} State_{self.name};")
        for i, step in enumerate(self.steps):
            if isinstance(step, LaneStep):
                lines.append(
                    f"static {step.attribute} void {self.name}_s{i}("
                    f"{step.pointer}State_{self.name} *s, U32 tid, "
                    "GLOBAL U8 *mem, LOCAL U8 *own, GLOBAL U64 *acc, U32 u0, I32 u1, "
                    "U64 u2, float u3)"
                )
                lines += step.body.render()
        return lines

    def load(self, prefix):
        """Statements that give the variables their first values."""
        lines, at = [], 0
        for name, kind in self.variables:
            base, count = element(kind)
            read = f"of_{base}" if base in INPUT_LETTERS else f"({base})"
            values = [f"{read}(input[{at + i}])" for i in range(count)]
            at += count
            value = values[0] if count == 1 else f'({kind}){{{", ".join(values)}}}'
            lines.append(f"  {prefix}{name} = {value};")
        return lines

    def uniform(self):
        return (
            "  U32 u0 = (U32)in[0]; I32 u1 = (I32)in[1]; U64 u2 = in[2]; "
            "float u3 = of_float(in[3]);"
        )

    def call(self, i, state):
        return (
            f"{self.name}_s{i}({state}, tid, mem + gid * {OWN_BYTES}, (LOCAL U8 *)(own + tid * "
            f"{OWN_BYTES // 8}), acc, u0, u1, u2, u3);"
        )

    def device(self):
        """OpenCL C of the kernel."""
        count = len(self.inputs())
        lines = self.shared() + [
            "#undef SIZE",
            f"#define SIZE {self.size}",
            f"KERNEL({self.name}, SIZE) {{",
            "  local __attribute__((aligned(16))) U64 lds[2 * SIZE];",
            "  local __attribute__((aligned(16))) U64 " f"own[{OWN_BYTES // 8} * SIZE];",
            "  U32 tid = TID, gid = GROUP * SIZE + tid;",
            self.uniform(),
            f"  GLOBAL const U64 *input = in + 4 + gid * {count};",
            f"  State_{self.name} s;",
            *self.load("s."),
            f"  for (U32 k = 0; k < {OWN_BYTES // 8}; ++k)",
            f"    own[tid * {OWN_BYTES // 8} + k] = 0x0102030405060708ul * k;",
        ]
        for i, step in enumerate(self.steps):
            if isinstance(step, LaneStep):
                lines.append("  " + self.call(i, "&s"))
            else:
                lines += [line if line[0] == "#" else f"  {line}" for line in step.device]
        for k, (name, kind) in enumerate(self.variables):
            value = bit_value(kind, f"s.{name}")
            lines.append(f"  out[gid * {len(self.variables)} + {k}] = {value};")
        return lines + ["}"]

    def host(self):
        """C of the same program."""
        count = len(self.inputs())
        lines = self.shared() + [
            "#undef SIZE",
            f"#define SIZE {self.size}",
            f"static void run_{self.name}(const Machine *m, U64 *out, const U64 *in, U64 *acc, "
            "U8 *mem) {",
            self.uniform(),
            f"  for (U32 group = 0; group < {self.groups}; ++group) {{",
            f"  State_{self.name} s[SIZE];",
            f"  __attribute__((aligned(16))) U64 own[{OWN_BYTES // 8} * SIZE];",
            "  EACH_LANE {",
            f"  const U64 *input = in + 4 + gid * {count};",
            *self.load("s[i]."),
            f"  for (U32 k = 0; k < {OWN_BYTES // 8}; ++k)",
            f"    own[tid * {OWN_BYTES // 8} + k] = 0x0102030405060708ul * k;",
            "  }",
        ]
        for i, step in enumerate(self.steps):
            if isinstance(step, LaneStep):
                lines.append("  EACH_LANE " + self.call(i, "&s[i]"))
            else:
                lines += [f"  {line}" for line in step.host]
        lines.append("  EACH_LANE {")
        for k, (name, kind) in enumerate(self.variables):
            value = bit_value(kind, f"s[i].{name}")
            lines.append(f"    out[gid * {len(self.variables)} + {k}] = {value};")
        return lines + ["  }", "  }", "}"]

    def row(self):
        """The program's entry in the table of the host library."""
        return (
            f'{{"{self.name}", "{self.inputs()}", {self.groups}, {self.size}, '
            f"{len(self.variables)}, {OWN_BYTES}, run_{self.name}}},"
        )


def device_source(programs):
    lines = ['#include "Portable.h"']
    for program in programs:
        lines += program.device()
    return "\n".join(lines) + "\n"


def host_source(programs):
    lines = ['#include "HostTwin.h"']
    for program in programs:
        lines += program.host()
    lines += [
        "const Program programs[] = {",
        *(p.row() for p in programs),
        "};",
        "const U32 programCount = sizeof programs / sizeof *programs;",
    ]
    return "\n".join(lines) + "\n"
