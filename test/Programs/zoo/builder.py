# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the writers of linalg and of TOSA share: values, names, the text of a function.

A model is a function over a writer. It speaks of batches of images with channels and does not say
in which order these lie in memory: that, and the ops, are the writer's business.
"""

import dataclasses


@dataclasses.dataclass
class Value:
    """A tensor: its SSA name, its shape in memory and its element type."""

    name: str
    shape: tuple
    element: str

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


# Stands for the size of a batch that the text of a function does not know.
UNKNOWN = 7919


def to_list(value, count):
    """One number stands for all dimensions."""
    return [value] * count if isinstance(value, int) else list(value)


def conv_size(size, window, stride, pad, dilation):
    return (size + 2 * pad - dilation * (window - 1) - 1) // stride + 1


class Writer:
    """The text of one function. Inputs and weights are its arguments."""

    def __init__(self, element="f32"):
        self.element = element
        self.batch = None  # of all inputs, whatever the model says
        self.arguments = []
        self.lines = []
        self.count = 0
        self.products = 0  # convolutions and matrix products

    def name(self):
        self.count += 1
        return f"%{self.count - 1}"

    def argument(self, shape, element=None):
        value = Value(f"%arg{len(self.arguments)}", tuple(shape), element or self.element)
        self.arguments.append(value)
        return value

    def op(self, text, shape, element=None):
        """Adds an op with one result, whose type is put behind `text` where this ends in '->'."""
        value = Value(self.name(), tuple(shape), element or self.element)
        self.lines.append(f"{value.name} = {text} {value.type}")
        return value

    def finish(self, results):
        """The function that returns `results`."""
        arguments = ", ".join(f"{value.name}: {value.type}" for value in self.arguments)
        types = ", ".join(value.type for value in results)
        names = ", ".join(value.name for value in results)
        lines = [f"func.func @forward({arguments}) -> ({types}) {{"]
        lines += [f"  {line}" for line in self.lines]
        lines += [f"  return {names} : {types}", "}"]
        return "\n".join(lines) + "\n"
