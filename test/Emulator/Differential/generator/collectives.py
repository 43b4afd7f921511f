# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps in which work-items read each other: cross-lane builtins, LDS and barriers.

Each is written twice: for the GPU, and for the host over the functions of HostTwin.h. `@v0` is the
variable v0 of a work-item in both.
"""

from generator.expressions import INTEGERS, VECTORS, Expressions, element, is_float
from generator.statements import UNIFORM


class Collective:
    """Lines for the GPU and for the host; leaving it out is one reduction."""

    def __init__(self, device, host):
        self.device, self.host = device, host


def on_device(text):
    return text.replace("@", "s.")


def on_host(text, index="i"):
    return text.replace("@", f"s[{index}].")


class Writer:
    """Draws one collective of `program`."""

    def __init__(self, program):
        self.program = program
        self.random = program.random
        leaves = [(f"@{v}", kind) for v, kind in program.variables]
        self.expressions = Expressions(self.random, leaves + UNIFORM + [("tid", "U32")])
        self.targets = [(f"@{v}", kind) for v, kind in program.variables if kind in INTEGERS]

    def write(self):
        kinds = [
            self.exchange,
            self.exchange,
            self.lds_atomic,
            self.dpp,
            self.dpp,
            self.dpp,
            self.readfirstlane,
            self.readlane,
            self.bpermute,
            self.permute,
            self.swizzle,
            self.ballot,
            self.ballot,
            self.mbcnt,
            self.reduce,
            self.chip,
            self.chip,
        ]
        return self.random.choice(kinds)()

    def guard(self):
        return self.expressions.condition(1) if self.random.random() < 0.4 else ""

    def varying(self):
        """A value, or an address, that differs between lanes: with one that does not, LLVM takes no
        notice of inactive lanes, which for the GPU read as 0 or leave the old value, nor of the
        number of lanes in the exclusive or of all."""
        return f"({self.value()}) ^ tid * 0x9e3779b1u"

    def value(self, kind="U32"):
        return self.expressions.expression(kind, 1)

    def combine(self, result, kind="U32"):
        target, of = self.random.choice(self.targets)
        return f'{target} = ({of})({target} {self.random.choice("^+")} ({of}){result});'

    def builtin(self, call, twin, a, b="0", guard="", field="r", masks=""):
        """`call` over the operands `x` and `y`, and what the host does instead."""
        kind = "U64" if field == "wide" else "U32"
        combine = self.combine("result", kind)
        device = [
            f"{{ U32 x = {a}, y = {b}; (void)x, (void)y;",
            f"  {kind} result = {call};",
            f"  {combine} }}",
        ]
        if guard:
            device.insert(0, f"if ({guard})")
        host = [
            "{ Exchange x = {m->wave, m->rdna, SIZE};",
            "  EACH_LANE {",
            f'    x.active[i] = {guard or "1"};',
            f"    x.a[i] = {a};",
            f"    x.b[i] = {b};",
        ]
        host += [f"    {masks}"] if masks else []
        host += [
            "  }",
            f"  {twin};",
            "  EACH_LANE {",
            "    if (!x.active[i]) continue;",
            f"    {kind} result = x.{field}[i];",
            f"    {combine}",
            "  } }",
        ]
        return Collective([on_device(line) for line in device], [on_host(line) for line in host])

    def choice(self, gfx9, rdna):
        """One collective for gfx9 and one for later chips."""
        device = ["#if GFX9", *gfx9.device, "#else", *rdna.device, "#endif"]
        host = ["if (!m->rdna) {", *gfx9.host, "} else {", *rdna.host, "}"]
        return Collective(device, host)

    def readfirstlane(self):
        return self.builtin(
            "__builtin_amdgcn_readfirstlane(x)",
            "twin_readfirstlane(&x)",
            self.value(),
            guard=self.guard(),
        )

    def lane(self):
        """A lane that every wave of the program has, of 32 or of 64 lanes."""
        size = self.program.size
        return self.random.randrange(min(size, size % 32 or 32, size % 64 or 64))

    def readlane(self):
        lane = self.lane()
        return self.builtin(
            f"__builtin_amdgcn_readlane(x, {lane})", f"twin_readlane(&x, {lane})", self.value()
        )

    def bpermute(self):
        return self.builtin(
            "__builtin_amdgcn_ds_bpermute(y, x)",
            "twin_bpermute(&x)",
            self.varying(),
            self.varying(),
            self.guard(),
        )

    def permute(self):
        flip = self.random.randrange(32)
        return self.builtin(
            f"__builtin_amdgcn_ds_permute((LANE ^ {flip}) * 4, x)",
            f"twin_permute(&x, {flip})",
            self.varying(),
            guard=self.guard(),
        )

    def swizzle(self):
        pattern = self.random.choice(
            [0x8000 | self.random.getrandbits(8), self.random.getrandbits(15)]
        )
        return self.builtin(
            f"__builtin_amdgcn_ds_swizzle(x, {pattern:#x})",
            f"twin_swizzle(&x, {pattern:#x})",
            self.varying(),
            guard=self.guard(),
        )

    def dpp(self, controls=None):
        if controls is None:
            shift = self.random.randrange(1, 16)
            controls = [
                self.random.getrandbits(8),
                0x100 + shift,
                0x110 + shift,
                0x120 + shift,
                0x140,
                0x141,
                0x150 + shift,
                0x110 + self.random.choice([1, 2, 4, 8]),
            ]
        control = self.random.choice(controls)
        rows = self.random.choice([15, 15, 15, self.random.getrandbits(4)])
        banks = self.random.choice([15, 15, 15, self.random.getrandbits(4)])
        zero = self.random.choice([0, 1])
        old = self.random.choice(["0", self.value()])
        text = f"{control:#x}, {rows}, {banks}, {zero}"
        return self.builtin(
            f"__builtin_amdgcn_update_dpp(y, x, {text})",
            f"twin_dpp(&x, {text})",
            self.varying(),
            old,
            self.guard(),
        )

    def chip(self):
        """What gfx9 and later chips do differently."""
        gfx9 = self.dpp([0x130, 0x134, 0x138, 0x13C, 0x142, 0x143])
        select, low, high = (self.random.getrandbits(n) for n in (24, 32, 32))
        name, other = self.random.choice([("permlane16", 0), ("permlanex16", 1)])
        zero = self.random.choice([0, 1])
        rdna = self.random.choice(
            [
                lambda: self.dpp([0x160 + self.random.randrange(16)]),
                lambda: self.builtin(
                    f"PINNED(__builtin_amdgcn_mov_dpp8(x, {select}))",
                    f"twin_dpp8(&x, {select})",
                    self.varying(),
                    guard=self.guard(),
                ),
                lambda: self.builtin(
                    f"__builtin_amdgcn_{name}(y, x, {low:#x}u, {high:#x}u, 0, {zero})",
                    f"twin_permlane16(&x, {low:#x}u, {high:#x}u, {other}, {zero})",
                    self.varying(),
                    self.value(),
                    self.guard(),
                ),
                self.permlane64,
            ]
        )()
        return self.choice(gfx9, rdna)

    def permlane64(self):
        if self.program.size % 64:  # lanes that do not exist have no defined value
            return self.dpp([0x160 + self.random.randrange(16)])
        # In a wave of 32 lanes the instruction does nothing: its result is not defined.
        value = "(__builtin_amdgcn_wavefrontsize() == 64 ? __builtin_amdgcn_permlane64(x) : x)"
        return self.builtin(value, "twin_permlane64(&x)", self.varying())

    def ballot(self):
        a = f"({self.expressions.condition(1)})"
        return self.builtin("BALLOT(x)", "twin_ballot(&x)", a, guard=self.guard(), field="wide")

    def mbcnt(self):
        mask = self.random.choice(["u2", "~0ul", self.value("U64")])
        return self.builtin(
            f"MBCNT({mask}, y)",
            "twin_mbcnt(&x)",
            "0",
            self.value(),
            self.guard(),
            masks=f"x.wide[i] = {mask};",
        )

    def reduce(self):
        name, operation = self.random.choice(
            [
                ("add_u32", "+"),
                ("min_u32", "<"),
                ("max_u32", ">"),
                ("and_b32", "&"),
                ("or_b32", "|"),
                ("xor_b32", "^"),
            ]
        )
        return self.builtin(
            f"reduce_{name}(x)",
            f"twin_reduce(&x, '{operation}')",
            self.varying(),
            guard=self.guard(),
        )

    def exchange(self):
        """Every work-item writes a value to LDS and reads that of another."""
        names = [(f"@{v}", kind) for v, kind in self.program.variables]
        target, kind = self.random.choice(names)
        factor, offset = self.random.choice([1, 3, 5, 7, 11]), self.random.randrange(256)
        which = f"(tid * {factor} + {offset}) % SIZE"
        if self.random.random() < 0.3:
            which = f"({self.value()}) % SIZE"
        device = [
            "BARRIER();",
            f"((LOCAL {kind} *)lds)[tid] = {target};",
            "BARRIER();",
            f"{target} = ((LOCAL {kind} *)lds)[{which}];",
            "BARRIER();",
        ]
        host = [
            f"{{ {kind} lds[SIZE]; {kind} after[SIZE];",
            f"  EACH_LANE lds[i] = {target};",
            f"  EACH_LANE after[i] = lds[{which}];",
            f"  EACH_LANE {target} = after[i]; }}",
        ]
        return Collective([on_device(line) for line in device], [on_host(line) for line in host])

    def lds_atomic(self):
        """Every work-item updates one of 16 counters in LDS, and then reads one."""
        kind, operation = self.random.choice(["U32", "I32", "U64", "I64"]), self.random.choice(
            ["add", "sub", "and", "or", "xor", "min", "max"]
        )
        guard = self.guard()
        start, value, index = self.expressions.constant(kind), self.value(kind), self.value()
        if self.random.random() < 0.25:
            kind, operation, start = "float", "add", "0.0f"
            value = f"(float)(({self.value()}) & 63)"
        result = f'{"bits_float" if kind == "float" else ""}(lds[(tid * 3) & 15])'
        combine = self.combine("result", "U32")
        condition = f"if ({guard}) " if guard else ""
        atomic = (
            f"{condition}(void)ATOMIC_LDS({kind}, {operation}, (LOCAL {kind} *)lds + "
            f"(({index}) & 15), {value});"
        )
        counters = f"((LOCAL {kind} *)lds)"
        device = [
            "BARRIER();",
            f"if (tid < 16) {counters}[tid] = {start};",
            "BARRIER();",
            atomic,
            "BARRIER();",
            f'{{ U64 result = {result.replace("lds", counters)}; {combine} }}',
            "BARRIER();",
        ]
        host = [
            f"{{ {kind} lds[16]; for (U32 k = 0; k < 16; ++k) lds[k] = {start};",
            f"  EACH_LANE {{ {atomic} }}",
            f"  EACH_LANE {{ U64 result = {result}; {combine} }} }}",
        ]
        return Collective([on_device(line) for line in device], [on_host(line) for line in host])
