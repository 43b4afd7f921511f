# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's Python bindings run when they are imported: it registers our dialect and passes.

make-bindings puts this file into the package as `_site_initialize_N`. The library is that of the
package ck_mlir, of which there must not be a second one in a process: its passes have names.
"""

import ctypes
import glob
import importlib.util
import os


def _find_library():
    """The path of libCKMLIR in the package ck_mlir, which is not imported."""
    found = importlib.util.find_spec("ck_mlir")
    if found is None or found.origin is None:
        raise ImportError("mlir.dialects.ck requires the package ck_mlir")
    libraries = glob.glob(os.path.join(os.path.dirname(found.origin), "lib", "libCKMLIR.so.*"))
    if len(libraries) != 1:
        raise ImportError(f"ck_mlir: expected one libCKMLIR.so, got {libraries}")
    return libraries[0]


_library = ctypes.CDLL(_find_library())
_library.ckMlirRegisterAllDialects.argtypes = [ctypes.c_void_p]
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def register_dialects(registry):
    """Registers the ck dialect and what its lowering makes, and all passes and pipelines."""
    pointer = _get_pointer(registry._CAPIPtr, b"mlir.ir.DialectRegistry._CAPIPtr")
    if _library.ckMlirRegisterAllDialects(pointer) or _library.ckMlirRegisterAllPasses():
        raise ImportError("failed to register the ck dialect")
