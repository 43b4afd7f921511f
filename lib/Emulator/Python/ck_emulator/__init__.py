# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the emulator of this package is, for programs that start it.

command         ck-emulate, to stand in front of the command of a program
library         the HIP library with the functions of ck-mlir/Emulator/EmulatorApi.h
library_folder  a folder for LD_LIBRARY_PATH with the names of AMD's libraries
"""

import os
import sys

folder = os.path.dirname(os.path.realpath(__file__))
command = os.path.join(folder, "bin", "ck-emulate")
library = os.path.join(folder, "lib", "libck_hip_emulator.so")
library_folder = os.path.join(folder, "lib", "ck-mlir", "hip")


def main():
    """Becomes ck-emulate, with the arguments of this process."""
    os.execv(command, ["ck-emulate", *sys.argv[1:]])
