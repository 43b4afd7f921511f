# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The entry of a module: its inputs, a @main that calls it, and the results that this prints."""

import random
import re
import struct

# How a float is stored: format of struct, and the integer type of the same size.
FLOATS = {"f16": ("e", "i16"), "bf16": (None, "i16"), "f32": ("f", "i32"), "f64": ("d", "i64")}
INTEGERS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q"}


def split_list(text):
    """The parts of `text` between commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += letter in "([{<"
        depth -= letter in ")]}" or (letter == ">" and text[position - 1] != "-")
        if letter == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def parse_tensor(text):
    """Sizes (None: dynamic) and element type of a tensor type."""
    match = re.match(r"tensor<((?:(?:\d+|\?)x)*)([a-z]+\d+)>", text)
    if not match:
        raise ValueError(f"expected a ranked tensor of numbers, got {text}")
    sizes = [None if size == "?" else int(size) for size in match.group(1).split("x") if size]
    element = match.group(2)
    if element not in FLOATS and element not in INTEGERS and element != "i1":
        raise ValueError(f"cannot make inputs of type {element}")
    return sizes, element


def read_brackets(text, start):
    """The end of the bracket that begins at `start`."""
    depth = 0
    for position in range(start, len(text)):
        depth += text[position] in "({["
        depth -= text[position] in ")}]"
        if depth == 0:
            return position
    raise ValueError("brackets do not match")


def read_entry(text, name=""):
    """The function `name` of a printed module, or its first one with a body."""
    pattern = rf"func\.func (?:public )?@({re.escape(name) or '[^ (]+'})\("
    match = re.search(pattern, text)
    if not match:
        raise ValueError(f"expected a function {name or 'with a body'} in the module")
    end = read_brackets(text, match.end() - 1)
    arguments = [part.split(": ", 1)[1] for part in split_list(text[match.end() : end])]
    line = text[end + 1 : text.index("\n", end)]
    results = re.match(r" -> (.*?)(?: attributes .*)? \{$", line)
    results = results.group(1) if results else ""
    if results.startswith("("):
        results = results[1 : read_brackets(results, 0)]
    return Entry(match.group(1), arguments, split_list(results))


def parse_numbers(text):
    return [int(number) for number in re.findall(r"-?\d+", text)]


def decode(element, bits):
    """The value of an element that was printed as an integer."""
    if element not in FLOATS:
        return bits
    if element == "bf16":
        return struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0]
    letter, integer = FLOATS[element]
    size = int(integer[1:]) // 8
    return struct.unpack("<" + letter, (bits % (1 << 8 * size)).to_bytes(size, "little"))[0]


def encode(element, value):
    if element == "bf16":
        return struct.pack("<f", value)[2:]
    return struct.pack(
        "<" + (FLOATS[element][0] if element in FLOATS else INTEGERS[element]), value
    )


def draw(generator, count):
    """The elements of an input: small integers, of which sums are exact."""
    return [generator.randint(-2, 2) for _ in range(count)]


class Entry:
    """A function on tensors."""

    def __init__(self, name, arguments, results):
        self.name = name
        self.arguments = [argument.split(" {")[0] for argument in arguments]
        self.results = [result.split(" {")[0] for result in results]
        self.result_elements = [parse_tensor(result)[1] for result in self.results]

    def _make_input(self, number, generator, batch, suffix):
        """The lines that define input `number` as %in`suffix`."""
        sizes, element = parse_tensor(self.arguments[number])
        static = [batch if size is None else size for size in sizes]
        count = 1
        for size in static:
            count *= size
        shape = "".join(f"{size}x" for size in static) + element
        if element == "i1":
            values = ", ".join(generator.choice(("true", "false")) for _ in range(count))
            flat = f"[{values}]" if count > 1 else values
            type_name = f"tensor<{count}xi1>" if sizes else "tensor<i1>"
            yield f"%flat{suffix} = arith.constant dense<{flat}> : {type_name}"
            rank = f"tensor<{len(static)}xindex>"
            yield f"%s{suffix} = arith.constant dense<{static}> : {rank}"
            reshape = f"tensor.reshape %flat{suffix}(%s{suffix}) : ({type_name}, {rank})"
            yield f"%static{suffix} = {reshape} -> tensor<{shape}>"
        else:
            data = b"".join(encode(element, value) for value in draw(generator, count))
            text = f'dense<"0x{data.hex().upper()}"> : tensor<{shape}>'
            yield f"%static{suffix} = arith.constant {text}"
        cast = f"tensor.cast %static{suffix} : tensor<{shape}> to {self.arguments[number]}"
        yield f"%in{suffix} = {cast}"

    def _print_result(self, number, suffix):
        """The lines that print the bits of result `number`, which is %r`suffix`."""
        sizes, element = parse_tensor(self.results[number])
        shape = "".join("?x" if size is None else f"{size}x" for size in sizes)
        value, integer = f"%r{suffix}", element
        if element in FLOATS:
            integer = FLOATS[element][1]
            types = f"tensor<{shape}{element}> to tensor<{shape}{integer}>"
            yield f"%b{suffix} = arith.bitcast {value} : {types}"
            value = f"%b{suffix}"
        if integer != "i64":
            extension = "extui" if integer == "i1" else "extsi"
            types = f"tensor<{shape}{integer}> to tensor<{shape}i64>"
            yield f"%w{suffix} = arith.{extension} {value} : {types}"
            value = f"%w{suffix}"
        yield f"%u{suffix} = tensor.cast {value} : tensor<{shape}i64> to tensor<*xi64>"
        yield f"call @printMemrefI64(%u{suffix}) : (tensor<*xi64>) -> ()"

    def _make_call(self, name, generator, batch, run):
        """The lines that call the function `name` with new inputs and print the results."""
        arguments = [f"{run}_{number}" for number in range(len(self.arguments))]
        results = [f"{run}_{number}" for number in range(len(self.results))]
        for number, suffix in enumerate(arguments):
            yield from self._make_input(number, generator, batch, suffix)
        values = ", ".join(f"%in{suffix}" for suffix in arguments)
        names = ", ".join(f"%r{suffix}" for suffix in results)
        signature = f"({', '.join(self.arguments)}) -> ({', '.join(self.results)})"
        yield f"{names} = call @{name}({values}) : {signature}"
        for number, suffix in enumerate(results):
            yield from self._print_result(number, suffix)

    def add_main(self, text, seed, batches):
        """The module with a @main that calls the entry once for each of `batches`, the size of its
        dynamic dimensions. What has that name gets another one."""
        text = re.sub(r"@main\b", "@program_entry", text)
        name = "program_entry" if self.name == "main" else self.name
        generator = random.Random(seed)
        lines = ["func.func private @printMemrefI64(tensor<*xi64>)", "func.func @main() {"]
        for run, batch in enumerate(batches):
            lines += self._make_call(name, generator, batch, run)
        lines += ["return", "}"]
        resources = text.find("{-#")
        end = text.rindex("}", 0, resources if resources >= 0 else len(text))
        return text[:end] + "\n".join(lines) + "\n" + text[end:]

    def read_results(self, output, runs):
        """The elements of every result of each of `runs` calls that @main printed."""
        printed = output.split("Unranked Memref")[1:]
        elements = self.result_elements * runs
        if len(printed) != len(elements):
            raise ValueError(f"expected {len(elements)} printed results, got {len(printed)}")
        return [
            [decode(element, bits) for bits in parse_numbers(part.split("data =", 1)[1])]
            if re.search(r"sizes = \[(?!.*\b0\b)", part) or "sizes = []" in part
            else []  # the printer reads an element where there is none
            for element, part in zip(elements, printed)
        ]
