# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints which vectors an emulator uses.

usage: print_vectors.py EMULATOR VALUE [FOLDER]

VALUE is that of CK_EMULATOR_VECTORS. With FOLDER, the program goes there after it has loaded the
emulator.
"""

import ctypes
import os
import sys

library = ctypes.CDLL(sys.argv[1])
if len(sys.argv) > 3:
    os.chdir(sys.argv[3])
library.ckEmulatorGetVectors.restype = ctypes.c_char_p
if not library.ckEmulatorSetVariable(b"CK_EMULATOR_VECTORS", sys.argv[2].encode()):
    sys.exit("the emulator has no variable CK_EMULATOR_VECTORS")
print(library.ckEmulatorGetVectors().decode())
