# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of torch.nn whose convolutions are kernels of ours.

Each has the name, the arguments and the parameters of PyTorch's and differs in what computes alone,
so that a layer of PyTorch becomes one of ours by its class. `activation`, empty or "relu", is what
the kernel does behind the bias.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from . import functions


class _Layer:
    """What all have in common."""

    activation = ""

    def extra_repr(self) -> str:
        """What PyTorch says of the layer, and its activation."""
        text: str = super().extra_repr()  # type: ignore[misc]
        return f"{text}, activation={self.activation}" if self.activation else text


class _Conv(_Layer):
    """A convolution, whose `forward` is PyTorch's."""

    def _conv_forward(self: Any, input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            pads = self._reversed_padding_repeated_twice
            input = torch.nn.functional.pad(input, pads, mode=self.padding_mode)
            padding = 0
        function = getattr(functions, f"conv{len(self.kernel_size)}d")
        window = (self.stride, padding, self.dilation)
        result: Tensor = function(input, weight, bias, *window, self.groups, self.activation)
        return result


class _ConvTranspose(_Layer):
    """A transposed convolution."""

    def forward(self: Any, input: Tensor, output_size: Optional[Sequence[int]] = None) -> Tensor:
        """The output, of the size `output_size` where several are possible."""
        rank = len(self.kernel_size)
        sizes = (self.stride, self.padding, self.kernel_size, rank, self.dilation)
        extra = self._output_padding(input, output_size, *sizes)
        function = getattr(functions, f"conv_transpose{rank}d")
        window = (self.stride, self.padding, extra)
        rest = (self.groups, self.dilation, self.activation)
        result: Tensor = function(input, self.weight, self.bias, *window, *rest)
        return result


class Conv1d(_Conv, torch.nn.Conv1d):
    """torch.nn.Conv1d."""


class Conv2d(_Conv, torch.nn.Conv2d):
    """torch.nn.Conv2d."""


class Conv3d(_Conv, torch.nn.Conv3d):
    """torch.nn.Conv3d."""


class ConvTranspose1d(_ConvTranspose, torch.nn.ConvTranspose1d):
    """torch.nn.ConvTranspose1d."""


class ConvTranspose2d(_ConvTranspose, torch.nn.ConvTranspose2d):
    """torch.nn.ConvTranspose2d."""


class ConvTranspose3d(_ConvTranspose, torch.nn.ConvTranspose3d):
    """torch.nn.ConvTranspose3d."""


# The class of ours that takes the place of one of PyTorch's.
LAYERS: dict[type, type] = {
    torch.nn.Conv1d: Conv1d,
    torch.nn.Conv2d: Conv2d,
    torch.nn.Conv3d: Conv3d,
    torch.nn.ConvTranspose1d: ConvTranspose1d,
    torch.nn.ConvTranspose2d: ConvTranspose2d,
    torch.nn.ConvTranspose3d: ConvTranspose3d,
}
