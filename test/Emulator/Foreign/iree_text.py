# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders of MLIR programs as IREE reads them.

Types are written without `tensor<>`: "2x8xf16" is a tensor, "f16" one of rank 0. The inputs of a
program are %a, %b, %c and %d, its results %r or %r#0, %r#1.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Program:
    """A function `main`, its inputs and the difference that two correct executions may have.

    `draw` says for each input how it is drawn: "integers" (-3 to 3, so that sums are exact),
    "normal", "positive" (0.25 to 4), "A..B" (integers from A to below B), "order" (a permutation)
    or "bits" (all patterns).

    A program that is linear in each input names with `depth` how many products a result sums up;
    it is run with integers, which must be exact, and with normal inputs. Any other program has a
    bound of `roundings` units in the last place of the largest result.
    """

    name: str
    inputs: tuple
    results: tuple
    body: str
    draw: tuple
    depth: int = 0
    roundings: float = 0

    def get_text(self):
        names = [f"%{'abcd'[i]}: {tensor(kind)}" for i, kind in enumerate(self.inputs)]
        types = ", ".join(tensor(kind) for kind in self.results)
        several = len(self.results) > 1
        values = ", ".join(f"%r#{i}" for i in range(len(self.results))) if several else "%r"
        return (
            f"func.func @main({', '.join(names)}) -> ({types}) {{\n{self.body}\n"
            f"  return {values} : {types}\n}}\n"
        )


def tensor(kind):
    return f"tensor<{kind}>"


def element(kind):
    """The element type of a type."""
    return kind.rsplit("x", 1)[-1]


def shape(kind):
    return tuple(int(size) for size in kind.split("x")[:-1])


def function(inputs, results):
    """The type of an operation of StableHLO or TOSA."""
    types = ", ".join(tensor(kind) for kind in inputs)
    return f"({types}) -> {tensor(results[0])}" if len(results) == 1 else (
        f"({types}) -> ({', '.join(tensor(kind) for kind in results)})"
    )  # fmt: skip


def program(name, inputs, results, body, draw="integers", **bound):
    """A program; `inputs`, `results` and `draw` are lists separated by spaces."""
    inputs, results, draw = tuple(inputs.split()), tuple(results.split()), tuple(draw.split())
    draw = draw * len(inputs) if len(draw) == 1 else draw
    return Program(name, inputs, results, body, draw, **bound)


def fill(name, kind, value=None):
    """Lines that make %`name` a tensor of zeros, or of `value`."""
    scalar = element(kind)
    value = value or ("0.0" if scalar[0] in "fb" else "0")
    return (
        f"  %{name}_value = arith.constant {value} : {scalar}\n"
        f"  %{name}_empty = tensor.empty() : {tensor(kind)}\n"
        f"  %{name} = linalg.fill ins(%{name}_value : {scalar}) outs(%{name}_empty : "
        f"{tensor(kind)}) -> {tensor(kind)}\n"
    )


def named(op, inputs, result, attributes="", value=None, constants=""):
    """The body of a named operation of linalg. `constants` are scalars of i32, as zero points."""
    kinds = inputs.split()
    operands = [f"%{'abcd'[i]}" for i in range(len(kinds))]
    types = [tensor(kind) for kind in kinds]
    lines = fill("init", result, value)
    for i, constant in enumerate(constants.split()):
        lines += f"  %zero{i} = arith.constant {constant} : i32\n"
        operands, types = operands + [f"%zero{i}"], types + ["i32"]
    return lines + (
        f"  %r = linalg.{op} {attributes} ins({', '.join(operands)} : {', '.join(types)}) "
        f"outs(%init : {tensor(result)}) -> {tensor(result)}"
    )


def linalg(op, inputs, result, depth, variant="", attributes="", constants=""):
    """A contraction or convolution of linalg, named after it."""
    name = " ".join(filter(None, [op, element(inputs.split()[0]), variant]))
    body = named(op, inputs, result, attributes, constants=constants)
    return program(name, inputs, result, body, depth=depth)


def windows(rank, stride=1, dilation=1):
    """The attributes of a convolution of linalg."""
    return (
        f"{{dilations = dense<{dilation}> : tensor<{rank}xi64>, "
        f"strides = dense<{stride}> : tensor<{rank}xi64>}}"
    )


def convolution(name, dims, inputs, result, depth, window="", groups=1, batch_groups=1):
    """A convolution of StableHLO, `dims` as in "b01f 01io b01f"."""
    spelled = ["[" + ", ".join(dim) + "]" for dim in dims.split()]
    body = (
        f"  %r = stablehlo.convolution(%a, %b) dim_numbers = {spelled[0]}x{spelled[1]}->"
        f"{spelled[2]}, window = {{{window}}} {{batch_group_count = {batch_groups} : i64, "
        f"feature_group_count = {groups} : i64}} : {function(inputs.split(), [result])}"
    )
    kind = element(inputs.split()[0])
    return program(f"convolution {name} {kind}", inputs, result, body, depth=depth)


def hlo(op, inputs, results, attributes="", region=""):
    """The body of an operation of StableHLO in its generic form."""
    inputs, results = inputs.split(), results.split()
    operands = ", ".join(f"%{'abcd'[i]}" for i in range(len(inputs)))
    number = f":{len(results)}" if len(results) > 1 else ""
    region = f" ({{\n{region}\n  }})" if region else ""
    attributes = f" {{{attributes}}}" if attributes else ""
    types = f": {function(inputs, results)}"
    return f'  %r{number} = "stablehlo.{op}"({operands}){region}{attributes} {types}'


def block(scalar, lines, result="%t"):
    """A region of StableHLO over two scalars %x and %y."""
    kind = tensor(scalar)
    returned = tensor("i1") if "compare" in lines else kind
    return f"  ^bb0(%x: {kind}, %y: {kind}):\n{lines}    stablehlo.return {result} : {returned}"


def binary(op, scalar):
    """The region that applies the operation `op`."""
    return block(scalar, f"    %t = stablehlo.{op} %x, %y : {tensor(scalar)}\n")


def compare(direction, scalar):
    """The region that compares."""
    kind = tensor(scalar)
    return block(
        scalar, f"    %t = stablehlo.compare {direction}, %x, %y : ({kind}, {kind}) -> tensor<i1>\n"
    )
