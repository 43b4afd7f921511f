# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions as operators, functions and layers of PyTorch, with their gradients.

On tensors of the CPU by the emulator and on those of ROCm where they are. Channels-last tensors
stay so. `convert` puts our kernels into a network, and `report` says what it left out:

    network = ck_mlir.torch.convert(network)
    print(*ck_mlir.torch.report(network), sep="\\n")
"""

from . import batching as _batching  # noqa: F401  it registers the rules
from .conversion import Entry, convert, report
from .functions import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from .layers import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "Entry",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convert",
    "report",
]
