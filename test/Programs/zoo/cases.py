# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which models are run in which form."""

import dataclasses

import models
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


@dataclasses.dataclass
class Case:
    name: str
    model: str
    form: str
    element: str

    @property
    def reduction(self):
        return REDUCTIONS.get(self.model, 0)

    def write(self):
        """The module, and how many products are in it."""
        writer = WRITERS[self.form](self.element)
        text = writer.finish(getattr(models, self.model)(writer))
        return text, writer.products


def list_cases():
    for model, forms in FORMS.items():
        for form in forms:
            yield Case(f"{model}-{form}", model, *form.split("-"))
