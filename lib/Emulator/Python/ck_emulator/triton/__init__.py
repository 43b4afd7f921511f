# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A backend of Triton: its own compiler and launcher for AMD GPUs, with the emulator as the device.

Triton loads `compiler` and `driver` as it loads those of its own backends. `Tensor` makes a NumPy
array an argument of a kernel.
"""


def __getattr__(name):
    # Later than when Triton imports this module, which it does before it is complete itself.
    if name != "Tensor":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from ck_emulator.triton.memory import Tensor

    return Tensor
