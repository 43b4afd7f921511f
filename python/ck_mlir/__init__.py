# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution and GEMM kernels for AMD GPUs, and an emulator to run them on.

`compile` makes a kernel of a problem string; `conv2d`, `gemm` and their neighbours do so when they
are called, with arrays of NumPy, of PyTorch or of anything that speaks DLPack. See docs/Python.md.
"""

import atexit as _atexit
import os as _os

from . import _native
from .chips import chips
from .devices import Device, DeviceArray, Stream, open_device
from .dtypes import dtype
from .errors import DeviceError, Error, InternalError, InvalidArgumentError, UnsupportedError
from .executors import build
from .functions import (
    conv1d,
    conv1d_input,
    conv1d_weight,
    conv2d,
    conv2d_input,
    conv2d_weight,
    conv3d,
    conv3d_input,
    conv3d_weight,
    gemm,
)
from .ir import FORMS, IR, lower, problem_ir, run_passes
from .kernel import Kernel, Tensor, compile, default_chip
from .kernel import unload_all as _unload_all
from .library import Library, Pending, compiler_version, default_cache_directory
from .problems import use_tuning
from .registry import Registry, built_in_sets
from .statistics import Explanation, PartitionReport, RunReport, explain, partition_report
from .weights import ShuffledWeights, preshuffle

__version__ = _native.version()

__all__ = [
    "FORMS",
    "IR",
    "Device",
    "DeviceArray",
    "DeviceError",
    "Error",
    "Explanation",
    "InternalError",
    "InvalidArgumentError",
    "Kernel",
    "Library",
    "PartitionReport",
    "Pending",
    "Registry",
    "RunReport",
    "ShuffledWeights",
    "Stream",
    "Tensor",
    "UnsupportedError",
    "build",
    "built_in_sets",
    "canonical_problem",
    "chips",
    "compile",
    "compiler_version",
    "conv1d",
    "conv1d_input",
    "conv1d_weight",
    "conv2d",
    "conv2d_input",
    "conv2d_weight",
    "conv3d",
    "conv3d_input",
    "conv3d_weight",
    "default_cache_directory",
    "default_chip",
    "dtype",
    "explain",
    "gemm",
    "lower",
    "open_device",
    "partition_report",
    "preshuffle",
    "problem_ir",
    "run_passes",
    "use_tuning",
]


def canonical_problem(problem: str) -> str:
    """The problem string that all equal problems share.

    >>> canonical_problem("gemm:f16:K=8,N=8,M=8,G=1")
    'gemm:f16:M=8,N=8,K=8'
    """
    return _native.canonical_problem(problem)


def _wait_at_exit() -> None:
    """Lets calls end that Ctrl-C left behind; a second Ctrl-C ends the process at once."""
    try:
        _native.wait_for_abandoned()
    except KeyboardInterrupt:
        _os._exit(130)
    _unload_all()


_atexit.register(_wait_at_exit)
