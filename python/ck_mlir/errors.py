# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of the package."""


class Error(Exception):
    """What all exceptions of the package are. The text has the diagnostics of the compiler."""


class InvalidArgumentError(Error, ValueError):
    """A text that cannot be parsed, a name that is not known, an array that does not fit."""


class UnsupportedError(Error, NotImplementedError):
    """There is no kernel for the problem, the chip and the schedule; the text says why."""


class DeviceError(Error, RuntimeError):
    """There is no such device, or a kernel failed on it."""


class InternalError(Error, RuntimeError):
    """Memory ran out, or there is a bug."""
