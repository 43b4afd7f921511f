# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that a lane executes for itself: control flow, private arrays, its own part of memory.

A program is a tree so that a failing one can be made smaller: a node is a line of text or a Block
whose children can be left out one by one.
"""

from generator.expressions import SCALARS, VECTORS, Expressions, is_float

OWN_BYTES = 64  # of global memory, and as many of LDS, for each work-item
UNIFORM = [("u0", "U32"), ("u1", "I32"), ("u2", "U64"), ("u3", "float")]
ACCESS = [
    "U8",
    "I8",
    "U16",
    "I16",
    "U32",
    "U32",
    "U64",
    "Half",
    "float",
    "double",
    "U32x2",
    "U32x4",
    "Halfx2",
    "Halfx4",
    "floatx4",
    "U16x2",
    "doublex2",
]
SIZES = {
    "U8": 1,
    "I8": 1,
    "U16": 2,
    "I16": 2,
    "Half": 2,
    "U32": 4,
    "I32": 4,
    "float": 4,
    "Halfx2": 4,
    "U16x2": 4,
    "U64": 8,
    "I64": 8,
    "double": 8,
    "U32x2": 8,
    "Halfx4": 8,
    "U32x4": 16,
    "floatx4": 16,
    "doublex2": 16,
}


class Block:
    """Lines between a header and a footer."""

    def __init__(self, header, footer="}", children=None):
        self.header, self.footer = header, footer
        self.children = children if children is not None else []

    def render(self, indent=0):
        lines = ["  " * indent + self.header]
        for child in self.children:
            if isinstance(child, Block):
                lines += child.render(indent + 1)
            else:
                lines.append("  " * (indent + 1) + child)
        return lines + ["  " * indent + self.footer]


class LaneCode:
    """Writes one function that every lane executes for itself."""

    def __init__(self, program, step):
        self.program = program
        self.random = program.random
        self.step = step
        self.targets = [(f"s->{v}", kind) for v, kind in program.variables]
        self.expressions = Expressions(self.random, self.targets + UNIFORM + [("tid", "U32")])
        self.uniform = Expressions(self.random, UNIFORM)
        self.depth = 0
        self.names = 0

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def body(self, count):
        """Statements of the function, after the private array that they use."""
        self.array = self.random.choice(
            ["U8", "U16", "U32", "U32", "U64", "I32", "float", "Half", "double"]
        )
        body = Block("{")
        if self.random.random() < 0.6:
            body.children += [
                f"{self.array} array[8];",
                "for (U32 i = 0; i < 8; ++i)",
                f"  array[i] = ({self.array})({self.e(self.array, 2)} + " f"({self.array})i);",
            ]
            self.has_array = True
        else:
            self.has_array = False
        self.fill(body, count)
        return body

    def e(self, kind, depth=0):
        return self.expressions.expression(kind, depth)

    def fill(self, block, count):
        self.depth += 1
        for _ in range(count):
            self.statement(block)
        self.depth -= 1
        return block

    def statement(self, block):
        choice = self.random.randrange(22)
        if choice < 7 or (self.depth > 2 and choice >= 13):
            self.assign(block)
        elif choice < 10:
            self.memory(block)
        elif choice < 11:
            self.atomic(block)
        elif choice < 12:
            self.table(block)
        elif choice < 13:
            self.function(block)
        elif choice < 16:
            self.branch(block)
        elif choice < 18:
            self.loop(block)
        elif choice < 19:
            self.escape(block)
        elif choice < 20:
            self.switch(block)
        elif choice < 21:
            self.scalar(block)
        else:
            self.private(block)

    def assign(self, block):
        target, kind = self.random.choice(self.targets)
        if kind in VECTORS and self.random.random() < 0.3:
            base, count = VECTORS[kind]
            part = self.random.choice("xyzw"[:count])
            block.children.append(f"{target}.{part} = {self.e(base)};")
        else:
            block.children.append(f"{target} = {self.e(kind)};")

    def branch(self, block):
        condition = (self.uniform if self.random.random() < 0.15 else self.expressions).condition()
        body = self.fill(Block(f"if ({condition}) {{"), self.random.randrange(1, 3))
        block.children.append(body)
        if self.random.random() < 0.4:
            other = self.fill(Block("else {"), self.random.randrange(1, 3))
            body.footer = "}"
            block.children[-1] = Block("{", "}", [body, other])
            self.join(block)

    def join(self, block):
        """Keeps `if` and `else` one node: they can go together only."""
        both = block.children.pop()
        first, second = both.children
        lines = first.render()
        lines[-1] = "} else {"
        block.children.append(Block("\n".join(lines), "}", second.children))

    def loop(self, block):
        i, n = self.name("i"), self.name("n")
        source = self.uniform if self.random.random() < 0.2 else self.expressions
        limit = source.expression("U32", 1)
        header = f"for (U32 {i} = 0, {n} = {limit} & 7; {i} < {n}; ++{i}) {{"
        self.expressions.leaves.append((i, "U32"))
        body = self.fill(Block(header), self.random.randrange(1, 3))
        self.expressions.leaves.remove((i, "U32"))
        if self.random.random() < 0.4:
            word = self.random.choice(["break", "continue"])
            body.children.insert(
                self.random.randrange(len(body.children) + 1),
                f"if ({self.expressions.condition(1)}) {word};",
            )
        block.children.append(body)

    def escape(self, block):
        """A loop that lanes leave one after the other."""
        w = self.name("w")
        block.children.append(f'U32 {w} = {self.e("U32", 1)} & 0xff;')
        footer = f"}} while (({w} >>= 1) && {self.expressions.condition(2)});"
        body = self.fill(Block("do {", footer), self.random.randrange(1, 3))
        block.children.append(body)

    def switch(self, block):
        count = self.random.choice([3, 4, 6, 8])
        body = Block(f'switch ({self.e("U32", 1)} & 7) {{')
        for case in self.random.sample(range(8), count):
            one = self.fill(Block(f"case {case}: {{", "}"), 1)
            body.children.append(one)
            if self.random.random() < 0.7:
                one.footer = "} break;"
        if self.random.random() < 0.6:
            body.children.append(self.fill(Block("default: {", "}"), 1))
        block.children.append(body)

    def scalar(self, block):
        """Code that is the same for all lanes: the scalar unit's."""
        kind = self.random.choice(
            ["U32", "I32", "U64", "I64", "float", "U16", "U32", "double", "Half"]
        )
        x, i = self.name("x"), self.name("i")
        body = Block("{", "}", [f"{kind} {x} = {self.uniform.expression(kind)};"])
        inside = Expressions(self.random, UNIFORM + [(x, kind), (i, "U32")])
        limit = self.uniform.expression("U32", 2)
        loop = Block(f"for (U32 {i} = 0; {i} < ({limit} & 7); ++{i}) {{")
        loop.children.append(f"{x} = {inside.expression(kind)};")
        loop.children.append(f"if ({inside.condition(1)}) {x} = {inside.expression(kind, 1)};")
        body.children.append(loop)
        target, of = self.random.choice(self.targets)
        body.children.append(f"{target} = {self.expressions.convert(x, kind, of)};")
        block.children.append(body)

    def private(self, block):
        if not self.has_array:
            return self.assign(block)
        at = f'array[{self.e("U32", 2)} & 7]'
        if self.random.random() < 0.5:
            block.children.append(f"{at} = {self.e(self.array, 1)};")
        else:
            target, kind = self.random.choice(self.targets)
            block.children.append(f"{target} = {self.expressions.convert(at, self.array, kind)};")

    def address(self, kind):
        """An aligned place in the lane's own part of a memory."""
        space, pointer = self.random.choice([("GLOBAL", "mem")] * 2 + [("LOCAL", "own")])
        mask = OWN_BYTES - SIZES[kind]
        mask -= mask % SIZES[kind]
        if self.random.random() < 0.5:
            offset = self.random.randrange(0, mask + 1, SIZES[kind])
        else:
            offset = f'({self.e("U32", 2)} & {mask})'
        return f"({space} {kind} *)({pointer} + {offset})", space

    def memory(self, block):
        target, of = self.random.choice(self.targets)
        if self.random.random() < 0.1:
            kind, width = self.random.choice([("PackedU32", "U32"), ("PackedU64", "U64")])
            at = f'((GLOBAL {kind} *)(mem + ({self.e("U32", 2)} & 31)))->v'
            if self.random.random() < 0.5:
                block.children.append(f"{at} = {self.e(width, 2)};")
            else:
                block.children.append(f"{target} = {self.expressions.convert(at, width, of)};")
            return
        kind = self.random.choice(ACCESS)
        place, _ = self.address(kind)
        if self.random.random() < 0.5:
            # Of floats the payload of a NaN must not reach memory that is read as integers.
            value = self.e(kind, 1)
            base, count = VECTORS.get(kind, (kind, 1))
            if is_float(kind):
                temporary = self.name("t")
                parts = [temporary] if count == 1 else [f"{temporary}.{c}" for c in "xyzw"[:count]]
                parts = [f"{p} != {p} ? ({base})1 : {p}" for p in parts]
                value = parts[0] if count == 1 else f'({kind}){{{", ".join(parts)}}}'
                block.children.append(
                    f"{{ {kind} {temporary} = {self.e(kind, 1)}; " f"*{place} = {value}; }}"
                )
            else:
                block.children.append(f"*{place} = {value};")
            return
        load = {"Half": "U16", "float": "U32", "double": "U64"}.get(kind, kind)
        if is_float(kind) and kind in VECTORS:  # bits that are no number would be signaling NaNs
            load = {4: "U32", 8: "U32x2", 16: "U32x4"}[SIZES[kind]]
        text = f"*{place.replace(kind, load, 1)}"
        if load != kind and kind not in VECTORS:
            text, load = f"of_{kind}({text})", kind
        block.children.append(f"{target} = {self.expressions.convert(text, load, of)};")

    def atomic(self, block):
        """On the lane's own memory with the old value, or on a shared cell without it."""
        kind = self.random.choice(["U32", "I32", "U64", "I64"])
        operation = self.random.choice(["add", "sub", "and", "or", "xor", "min", "max"])
        value = self.e(kind, 1)
        if self.random.random() < 0.5:
            cell = self.program.cell()
            index = f'{cell} + ({self.e("U32", 2)} & 1)'
            if self.random.random() < 0.25:
                block.children.append(
                    f"(void)ATOMIC(float, add, (GLOBAL float *)(acc + {index}), "
                    f'(float)({self.e("U32", 1)} & 63));'
                )
                return
            block.children.append(
                f"(void)ATOMIC({kind}, {operation}, (GLOBAL {kind} *)(acc + {index}), {value});"
            )
            return
        target, of = self.random.choice(self.targets)
        place, space = self.address(kind)
        choice = self.random.randrange(6)
        if choice == 0 and space == "GLOBAL":
            text = f"ATOMIC_SWAP({place}, {value})"
        elif choice == 1 and space == "GLOBAL":
            expected = self.name("c")
            block.children.append(f"{kind} {expected} = {self.e(kind, 2)};")
            block.children.append(f"(void)ATOMIC_CAS({place}, &{expected}, {value});")
            text = expected
        else:
            macro = "ATOMIC" if space == "GLOBAL" else "ATOMIC_LDS"
            text = f"{macro}({kind}, {operation}, {place}, {value})"
        block.children.append(f"{target} = {self.expressions.convert(text, kind, of)};")

    def table(self, block):
        name, kind = self.program.table()
        target, of = self.random.choice(self.targets)
        source = self.uniform if self.random.random() < 0.3 else self.expressions
        text = f'{name}[{source.expression("U32", 2)} & 15]'
        block.children.append(f"{target} = {self.expressions.convert(text, kind, of)};")

    def function(self, block):
        name, result, operands = self.program.function()
        target, of = self.random.choice(self.targets)
        call = f'{name}({", ".join(self.e(o, 1) for o in operands)})'
        block.children.append(f"{target} = {self.expressions.convert(call, result, of)};")


def write_function(program, name):
    """A function of two or three operands: its definition, result and operands."""
    source = program.random
    kinds = SCALARS + ["U32", "I32", "float", "floatx2", "U32x2", "Halfx2", "floatx4", "I16x2"]
    result = source.choice(kinds)
    operands = [source.choice(kinds) for _ in range(source.randrange(2, 5))]
    names = [(f"p{i}", kind) for i, kind in enumerate(operands)]
    expressions = Expressions(source, names)
    body = [f"  {result} r = {expressions.expression(result)};"]
    expressions.leaves.append(("r", result))
    body.append(f"  if ({expressions.condition(1)})")
    body.append(f"    r = {expressions.expression(result, 1)};")
    body.append(f"  return {expressions.expression(result, 1)};")
    attribute = source.choice(["NOINLINE", "NOINLINE", "inline"])
    parameters = ", ".join(f"{kind} {n}" for n, kind in names)
    text = "\n".join([f"static {attribute} {result} {name}({parameters}) {{", *body, "}"])
    return text, result, operands
