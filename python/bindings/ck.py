# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ck dialect: `mlir.dialects.ck`. make-bindings puts this file beside upstream's dialects."""

from ._ck_enum_gen import *
from ._ck_ops_gen import *
from ._ck_ops_gen import _Dialect
