# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler of the backend: none, because Triton's own compiles for the emulated chip."""

from triton.backends.amd import compiler as amd


class EmulatorCompiler(amd.HIPBackend):
    """What Triton expects beside a driver; leaves all targets to its base class."""

    @staticmethod
    def supports_target(target):
        return False
