# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a plugin of mlir-opt into a program without MLIR and prints what it says of itself.

usage: load_plugin.py PLUGIN
"""

import ctypes
import os
import sys


class PluginInfo(ctypes.Structure):
    """mlir::DialectPluginLibraryInfo and mlir::PassPluginLibraryInfo."""

    _fields_ = [
        ("api_version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("register", ctypes.c_void_p),
    ]


plugin = ctypes.CDLL(sys.argv[1])
for function in (plugin.mlirGetDialectPluginInfo, plugin.mlirGetPassPluginInfo):
    function.restype = PluginInfo
    info = function()
    print(f"{info.name.decode()} {info.version.decode()}, interface {info.api_version}")
sys.stdout.flush()
os._exit(0)
