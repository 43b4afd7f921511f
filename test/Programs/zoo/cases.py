# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which models are run in which form."""

import dataclasses
import re

import models
from builder import UNKNOWN
from linalg import Linalg
from tosa import Tosa

WRITERS = {
    "nchw": lambda element: Linalg(element),
    "nhwc": lambda element: Linalg(element, first=False),
    "tosa": Tosa,
}

# Roundings one after the other on the way to a result; all others are exact.
REDUCTIONS = {"wavenet": 512}

# One case of each kind, which the quick tests run.
QUICK = {
    "resnet_basic-nchw-f32",
    "resnet_strided-tosa-f32",
    "mobilenet_inverted-nhwc-f32",
    "unet-tosa-f32",
    "dilated-nchw-f16",
    "chain-nhwc-f32-dynamic",
    "products-tosa-f32",
}

FORMS = {
    "resnet_basic": ["nchw-f32", "nhwc-f32", "tosa-f32", "nhwc-f16"],
    "resnet_bottleneck": ["nchw-f32", "tosa-f32"],
    "resnet_strided": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "resnet_stem": ["nchw-f32", "tosa-f32"],
    "resnet": ["nchw-f32", "tosa-f32"],
    "mobilenet_separable": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "mobilenet_inverted": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "mobilenet_strided": ["nchw-f32", "tosa-f32"],
    "convnext": ["nhwc-f32", "tosa-f32"],
    "unet": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "transposed": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "volume": ["nchw-f32", "nhwc-f32", "tosa-f32"],
    "volume_strided": ["nchw-f32", "tosa-f32"],
    "wavenet": ["nchw-f32", "tosa-f32"],
    "dilated": ["nchw-f16", "nhwc-f32", "tosa-f32"],
    "atrous": ["nchw-f32", "tosa-f32"],
    "inception": ["nchw-f32", "tosa-f32"],
    "vgg": ["nchw-f32", "tosa-f32"],
    "chain": ["nchw-f32", "nchw-bf16", "nhwc-f16", "tosa-f32"],
    "asymmetric": ["nchw-f32", "tosa-f32"],
    "perceptron": ["nchw-f32", "tosa-f32", "nchw-f16"],
    "products": ["nchw-f32", "tosa-f32"],
    "two_results": ["nhwc-f32", "tosa-f32"],
}


# The same with a batch of unknown size, for which the function is compiled when it is called.
DYNAMIC = {
    "resnet_basic": ["nchw-f32", "tosa-f32"],
    "resnet_strided": ["nhwc-f32", "tosa-f32"],
    "resnet": ["nchw-f32", "tosa-f32"],
    "mobilenet_inverted": ["nchw-f32", "tosa-f32"],
    "convnext": ["nhwc-f32"],
    "unet": ["tosa-f32"],
    "volume": ["nhwc-f32", "tosa-f32"],
    "wavenet": ["nchw-f32"],
    "inception": ["nchw-f32", "tosa-f32"],
    "chain": ["nhwc-f32", "nchw-f16"],
    "two_results": ["nhwc-f32", "tosa-f32"],
}
BATCHES = [2, 1, 2]


def forget_batch(text):
    """The function with `?` where it has UNKNOWN, which it reads from its first argument."""
    text = re.sub(rf"(const_shape .*)\b{UNKNOWN}\b", r"\1-1", text)  # TOSA infers it
    text = text.replace(f"tensor.empty() : tensor<{UNKNOWN}x", "tensor.empty(%batch) : tensor<?x")
    text = text.replace(f"[{UNKNOWN},", "[%batch,").replace(f"{UNKNOWN}x", "?x")
    if "%batch" not in text:
        return text
    type_name = text.split("%arg0: ", 1)[1].split(">", 1)[0] + ">"
    head, body = text.split("\n", 1)
    lines = [head, "  %first = arith.constant 0 : index"]
    lines.append(f"  %batch = tensor.dim %arg0, %first : {type_name}")
    return "\n".join([*lines, body])


@dataclasses.dataclass
class Case:
    name: str
    model: str
    form: str
    element: str
    dynamic: bool = False

    @property
    def reduction(self):
        return REDUCTIONS.get(self.model, 0)

    def write(self):
        """The module, and how many products are in it."""
        writer = WRITERS[self.form](self.element)
        writer.batch = UNKNOWN if self.dynamic else None
        text = writer.finish(getattr(models, self.model)(writer))
        return forget_batch(text) if self.dynamic else text, writer.products

    def expect(self, products):
        """The options of run-program that say how the case is run and what must come out."""
        options = [f"--reduction={self.reduction}"]
        if not self.dynamic:
            return [*options, f"--kernels={products}"]
        sizes = len(set(BATCHES))
        options += [f"--batch={','.join(map(str, BATCHES))}", f"--compiled={sizes}"]
        return [*options, f"--kernels={products * sizes}"]


def list_cases():
    for model, forms in FORMS.items():
        for form in forms:
            yield Case(f"{model}-{form}", model, *form.split("-"))
    for model, forms in DYNAMIC.items():
        for form in forms:
            yield Case(f"{model}-{form}-dynamic", model, *form.split("-"), True)
