#===- generate.py - Random kernels for differential testing ---------------===#
#
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Writes kernels that are valid OpenCL C and C++ (see Portable.h) from a seed.

Every kernel computes one result from two operands with random statements: arithmetic of all
widths, conversions, branches, loops and a private array. Whatever C leaves undefined is avoided:
shift amounts are masked, divisors checked, conversions to integers bounded. Floats are compared
bit for bit, so the operations are those that are rounded the same everywhere.

usage: generate.py SEED COUNT
"""

import random
import sys

UNSIGNED = ['U8', 'U16', 'U32', 'U64']
SIGNED = ['I8', 'I16', 'I32', 'I64']
INTEGERS = UNSIGNED + SIGNED
FLOATS = ['Half', 'float', 'double']
BITS = {'8': 8, '6': 16, '2': 32, '4': 64}  # by the last character of the name
COMPARISONS = ['<', '<=', '>', '>=', '==', '!=']


def bits(kind):
    return BITS[kind[-1]]


def is_float(kind):
    return kind in FLOATS


class Kernel:
    """One kernel: typed variables and statements over them."""

    def __init__(self, source, name):
        self.random = source
        self.name = name
        self.operand = source.choice(INTEGERS + FLOATS)
        self.result = source.choice(INTEGERS + FLOATS)
        self.variables = {'x': self.operand, 'y': self.operand}
        self.lines = []
        self.depth = 0

    def emit(self, text):
        self.lines.append('  ' * (self.depth + 1) + text)

    def convert(self, text, source, target):
        """`text` of type `source` as `target`, defined for every value."""
        if source == target:
            return text
        if is_float(source) and not is_float(target):
            return f'to_{target}({text if source == "double" else f"(double){text}"})'
        if target == 'Half' and source != 'float':
            return f'(Half)(float){text}'  # in two steps, as compilers for the GPU may do
        return f'({target}){text}'

    def constant(self, kind):
        if is_float(kind):
            return f'({kind}){self.random.choice([0.5, -2.0, 3.25, 1024.0, -0.125, 7.0])}'
        return f'({kind}){self.random.choice([1, 3, 5, 17, 100, 127])}'

    def leaf(self, kind):
        if self.random.random() < 0.2:
            return self.constant(kind)
        name = self.random.choice(sorted(self.variables))
        return self.convert(name, self.variables[name], kind)

    def expression(self, kind, depth=0):
        if depth > 2 or self.random.random() < 0.2:
            return self.leaf(kind)
        a = self.expression(kind, depth + 1)
        b = self.expression(kind, depth + 1)
        if self.random.random() < 0.15:
            return f'({self.condition(depth + 1)} ? {a} : {b})'
        return self.float_operation(kind, a, b) if is_float(kind) else self.integer(kind, a, b)

    def float_operation(self, kind, a, b):
        operators = ['+', '-', '*'] + (['/'] if kind != 'Half' else [])
        choice = self.random.randrange(6)
        suffix = {'float': 'f', 'double': ''}.get(kind)
        if choice == 0 and suffix is not None:
            return f'__builtin_fma{suffix}({a}, {b}, {self.leaf(kind)})'
        if choice == 1 and suffix is not None:
            function = self.random.choice(['floor', 'trunc', 'rint', 'ceil', 'fabs'])
            return f'__builtin_{function}{suffix}({a})'
        return f'({kind})({a} {self.random.choice(operators)} {b})'

    def integer(self, kind, a, b):
        choice = self.random.randrange(12)
        if choice < 6:
            return f'({kind})({a} {self.random.choice(["+", "-", "*", "&", "|", "^"])} {b})'
        if choice < 8:
            shift = self.random.choice(['<<', '>>'])
            return f'({kind})({a} {shift} ((U32){b} & {bits(kind) - 1}))'
        if choice == 8:
            return f'{self.random.choice(["divide", "modulo"])}_{kind}({a}, {b})'
        if choice == 9:
            return f'({kind})({self.random.choice(["-", "~"])}{a})'
        if choice == 10:
            return f'({a} < {b} ? {a} : {b})'
        return f'({kind})__builtin_popcountl((U64){a})'

    def condition(self, depth=0):
        kind = self.random.choice(INTEGERS + FLOATS)
        return (f'{self.expression(kind, depth + 1)} {self.random.choice(COMPARISONS)} '
                f'{self.expression(kind, depth + 1)}')

    def assign(self):
        name = self.random.choice([v for v in sorted(self.variables) if v[0] == 'v'])
        self.emit(f'{name} = {self.expression(self.variables[name])};')

    def statement(self):
        choice = self.random.randrange(8)
        if self.depth > 1 or choice < 4:
            return self.assign()
        if choice < 6:
            return self.branch()
        if choice == 6:
            return self.loop()
        index = self.random.choice(sorted(self.variables))
        where = f'{self.convert(index, self.variables[index], "U32")} & 7'
        if self.random.random() < 0.5:
            return self.emit(f'array[{where}] = {self.expression("U32")};')
        return self.emit(f'v0 = {self.convert(f"array[{where}]", "U32", self.variables["v0"])};')

    def block(self, count):
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1

    def branch(self):
        self.emit(f'if ({self.condition()}) {{')
        self.block(self.random.randrange(1, 4))
        if self.random.random() < 0.5:
            self.emit('} else {')
            self.block(self.random.randrange(1, 4))
        self.emit('}')

    def loop(self):
        counter = f'i{self.depth}'
        limit = self.expression('U32')
        self.emit(f'for (U32 {counter} = 0, n = {limit} & 7; {counter} < n; ++{counter}) {{')
        self.block(self.random.randrange(1, 3))
        self.emit('}')

    def write(self, out):
        for i in range(4):
            kind = self.random.choice(INTEGERS + FLOATS)
            self.emit(f'{kind} v{i} = {self.expression(kind)};')
            self.variables[f'v{i}'] = kind
        self.emit('U32 array[8];')
        self.emit('for (U32 i = 0; i < 8; ++i)')
        self.emit(f'  array[i] = {self.expression("U32", 2)} + i;')
        for _ in range(self.random.randrange(4, 10)):
            self.statement()
        out.write(f'ELEMENTWISE({self.name}, {self.operand}, {self.result}) {{\n')
        out.write('\n'.join(self.lines))
        value = self.expression(self.result)
        if not is_float(self.result):
            value = f'({self.result})({value} + ({self.result})array[3])'
        out.write(f'\n  return {value};\n}}\n')


def write_helpers(out):
    """Conversions and divisions that are defined for all operands."""
    limits = {8: '127.0', 16: '32767.0', 32: '2147483647.0', 64: '9223372036854774784.0'}
    for kind in INTEGERS:
        high = limits[bits(kind)]
        low = '0.0' if kind in UNSIGNED else f'-{high}'
        out.write(f'static {kind} to_{kind}(double v) {{\n'
                  f'  return ({kind})(!(v > {low}) ? {low} : v < {high} ? v : {high});\n}}\n')
        guard = 'b == 0' if kind in UNSIGNED else 'b == 0 || b == -1'
        for name, operator in (('divide', '/'), ('modulo', '%')):
            out.write(f'static {kind} {name}_{kind}({kind} a, {kind} b) {{\n'
                      f'  return {guard} ? a : ({kind})(a {operator} b);\n}}\n')


def main(seed, count):
    source = random.Random(seed)
    sys.stdout.write('#include "Portable.h"\n')
    write_helpers(sys.stdout)
    for i in range(count):
        Kernel(source, f'random_{seed}_{i}').write(sys.stdout)


if __name__ == '__main__':
    main(int(sys.argv[1]), int(sys.argv[2]))
