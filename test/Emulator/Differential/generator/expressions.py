# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Typed expressions that are defined for every operand.

Whatever C leaves undefined is avoided: shift amounts are masked, divisors checked, conversions to
integers bounded. Floats are compared bit for bit, so the operations are those that are rounded the
same everywhere. A leaf that begins with `@` is a variable of the lane; the program says how it is
spelled where the expression stands.
"""

UNSIGNED = ["U8", "U16", "U32", "U64"]
SIGNED = ["I8", "I16", "I32", "I64"]
INTEGERS = UNSIGNED + SIGNED
FLOATS = ["Half", "float", "double"]
SCALARS = INTEGERS + FLOATS
VECTORS = {
    f"{base}x{n}": (base, n)
    for base, n in [
        ("Half", 2),
        ("Half", 4),
        ("I16", 2),
        ("U16", 2),
        ("U8", 4),
        ("I32", 2),
        ("U32", 2),
        ("I32", 4),
        ("U32", 4),
        ("U64", 2),
        ("float", 2),
        ("float", 4),
        ("double", 2),
    ]
}
BITS = {
    "U8": 8,
    "I8": 8,
    "U16": 16,
    "I16": 16,
    "U32": 32,
    "I32": 32,
    "U64": 64,
    "I64": 64,
    "Half": 16,
    "float": 32,
    "double": 64,
}
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
# Functions of Portable.h: result, name, operands.
FUNCTIONS = [
    ("U32", "op_ubfe", "U32 U32 U32"),
    ("I32", "op_sbfe", "I32 U32 U32"),
    ("U32", "op_alignbit", "U32 U32 U32"),
    ("U32", "op_alignbyte", "U32 U32 U32"),
    ("U32", "op_perm", "U32 U32 U32"),
    ("U32", "op_sad_u8", "U32 U32 U32"),
    ("U32", "op_msad_u8", "U32 U32 U32"),
    ("U32", "op_sad_u16", "U32 U32 U32"),
    ("U32", "op_sad_hi_u8", "U32 U32 U32"),
    ("U32", "op_lerp", "U32 U32 U32"),
    ("U32", "op_udot4", "U32 U32 U32"),
    ("U32", "op_udot8", "U32 U32 U32"),
    ("float", "op_fmed3", "float float float"),
    ("U32", "op_pkrtz", "float float"),
    ("float", "op_fract", "float"),
    ("I32", "op_exponent", "float"),
    ("float", "op_mantissa", "float"),
    ("U32", "op_class", "float"),
    ("U32", "dot4", "U32 U32 U32"),
    ("U32", "product24", "U32 U32"),
    ("I32", "product24s", "I32 I32"),
    ("U32", "high_U32", "U32 U32"),
    ("I32", "high_I32", "I32 I32"),
    ("U64", "mad_U64", "U32 U32 U64"),
    ("U16", "swap_U16", "U16"),
    ("U32", "swap_U32", "U32"),
    ("U64", "swap_U64", "U64"),
    ("float", "scale_float", "float I32"),
    ("double", "scale_double", "double I32"),
    ("U32", "bits_float", "float"),
    ("U16", "bits_Half", "Half"),
    ("U64", "bits_double", "double"),
    ("float", "of_float", "U64"),
    ("Half", "of_Half", "U64"),
    ("double", "of_double", "U64"),
    ("Halfx2", "fma_Halfx2", "Halfx2 Halfx2 Halfx2"),
]


def element(kind):
    """The scalar type of the elements of `kind` and their number."""
    return VECTORS.get(kind, (kind, 1))


def is_float(kind):
    return element(kind)[0] in FLOATS


def bit_value(kind, text):
    """`text` of type `kind` as a U64 that tells all values apart, but for payloads of NaNs."""
    base, count = element(kind)
    parts = [text] if count == 1 else [f'({text}).{"xyzw"[i]}' for i in range(count)]
    parts = [f"(U64)bits_{base}({p})" if base in FLOATS else f"(U64){p}" for p in parts]
    result = parts[0]
    for part in parts[1:]:
        result = f"({result} * 0x9e3779b97f4a7c15u + {part})"
    return result


class Expressions:
    """Random expressions over `leaves`, pairs of a text and its type."""

    def __init__(self, source, leaves):
        self.random = source
        self.leaves = list(leaves)

    def convert(self, text, source, target):
        """`text` of type `source` as `target`, defined for every value."""
        if source == target:
            return text
        base, count = element(target)
        source_base, source_count = element(source)
        if count == 1:
            if source_count > 1:
                text = f'({text}).{self.random.choice("xyzw"[:source_count])}'
            return self.convert_scalar(text, source_base, base)
        if source_count == count and base in INTEGERS and source_base in INTEGERS:
            return f"__builtin_convertvector({text}, {target})"
        if source_count == 1:
            one = self.convert_scalar(text, source_base, base)
            parts = [one] + [self.leaf(base) for _ in range(count - 1)]
            self.random.shuffle(parts)
        else:
            parts = [self.convert(text, source, base) for _ in range(count)]
        return f'({target}){{{", ".join(parts)}}}'

    def convert_scalar(self, text, source, target):
        if source == target:
            return text
        if source in FLOATS and target in INTEGERS:
            if source != "double" and self.random.random() < 0.5:
                return f"near_{target}({text})"
            return f"to_{target}({text})"
        if target == "Half" and source not in ("float", "double", "U8", "I8"):
            return f"(Half)(float){text}"  # in two steps, as compilers for the GPU may do
        return f"({target}){text}"

    def constant(self, kind):
        base, count = element(kind)
        if count > 1:
            return f'({kind}){{{", ".join(self.constant(base) for _ in range(count))}}}'
        if base in FLOATS:
            values = [0.5, -2.0, 3.25, 1024.0, -0.125, 7.0, 0.15625, 1.0, -4.0, 0.0, 333.0]
            return f"({base}){self.random.choice(values)}"
        if self.random.random() < 0.3:
            return f'({base}){self.random.getrandbits(BITS[base])}{"u" if base in UNSIGNED else ""}'
        return f"({base}){self.random.choice([1, 2, 3, 5, 17, 63, 64, 65, 100, 127, -1, -16, -17])}"

    def leaf(self, kind):
        if self.random.random() < 0.15:
            return self.constant(kind)
        same = [text for text, of in self.leaves if of == kind]
        if same and self.random.random() < 0.5:
            return self.random.choice(same)
        return self.convert(*self.random.choice(self.leaves), kind)

    def expression(self, kind, depth=0):
        if depth > 2 or self.random.random() < 0.15 + 0.15 * depth:
            return self.leaf(kind)
        if self.random.random() < 0.12:
            a, b = self.expression(kind, depth + 1), self.expression(kind, depth + 1)
            return f"({kind})(({self.condition(depth + 1)}) ? {a} : {b})"
        if self.random.random() < 0.2:
            call = self.call(kind, depth)
            if call:
                return call
        base, count = element(kind)
        operation = self.float_operation if base in FLOATS else self.integer_operation
        return operation(kind, base, count, depth + 1)

    def call(self, kind, depth):
        """A call of a function of Portable.h, or None when none gives `kind`."""
        functions = [f for f in FUNCTIONS if f[0] == kind]
        if not functions:
            return None
        _, name, operands = self.random.choice(functions)
        return f'{name}({", ".join(self.expression(o, depth + 2) for o in operands.split())})'

    def float_operation(self, kind, base, count, depth):
        a, b = self.expression(kind, depth), self.expression(kind, depth)
        choice = self.random.randrange(10)
        if choice < 5 or (count > 1 and choice > 7):
            return f'({kind})({a} {self.random.choice("+-*")} {b})'
        if choice == 5 and count > 1:
            return f"__builtin_shufflevector({a}, {b}, {self.shuffle(count)})"
        if choice == 6:
            return f"({kind})(-{a})"
        if count > 1:
            if base == "Half":
                return f"({kind})({a} - {b} * {a})"
            return f"__builtin_elementwise_fma({a}, {b}, {self.leaf(kind)})"
        if choice == 5:
            return f"fma_{kind}({a}, {b}, {self.leaf(kind)})"
        if choice == 7:
            return f'{self.random.choice(["min", "max", "sign", "quotient"])}_{kind}({a}, {b})'
        unary = ["floor", "ceil", "trunc", "rint", "round", "abs", "root"]
        return f"{self.random.choice(unary)}_{kind}({a})"

    def shuffle(self, count):
        return ", ".join(str(self.random.randrange(2 * count)) for _ in range(count))

    def integer_operation(self, kind, base, count, depth):
        a = self.expression(kind, depth)
        choice = self.random.randrange(14)
        if choice < 6:
            operator = self.random.choice(["+", "-", "*", "&", "|", "^", "+", "^"])
            return f"({kind})({a} {operator} {self.expression(kind, depth)})"
        if choice < 8:
            shift, mask = self.random.choice(["<<", ">>"]), BITS[base] - 1
            if count > 1:
                return f"({kind})({a} {shift} ({self.expression(kind, depth)} & ({base}){mask}))"
            return f'({kind})({a} {shift} ({self.leaf("U32")} & {mask}))'
        if choice == 8:
            return f'({kind})({self.random.choice("-~")}{a})'
        if choice < 11:
            name = self.random.choice(["min", "max", "min", "max", "add_sat", "sub_sat"])
            return f"__builtin_elementwise_{name}({a}, {self.expression(kind, depth)})"
        if count > 1:
            other = self.expression(kind, depth)
            return f"__builtin_shufflevector({a}, {other}, {self.shuffle(count)})"
        if choice == 11:
            name = self.random.choice(["divide", "modulo"])
            return f"{name}_{kind}({a}, {self.expression(kind, depth)})"
        if kind in SIGNED:
            return f"({kind})__builtin_elementwise_abs(({kind})({a} / 2))"
        if choice == 12:
            return f'{self.random.choice(["clz", "ctz", "ones", "reverse"])}_{kind}({a})'
        return f'{self.random.choice(["left", "right"])}_{kind}({a}, {self.leaf(kind)})'

    def condition(self, depth=0):
        kind = self.random.choice(SCALARS + ["U32", "I32"])
        text = (
            f"{self.expression(kind, depth + 1)} {self.random.choice(COMPARISONS)} "
            f"{self.expression(kind, depth + 1)}"
        )
        if depth < 2 and self.random.random() < 0.15:
            return f'({text}) {self.random.choice(["&&", "||"])} ({self.condition(2)})'
        return text
