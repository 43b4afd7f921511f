# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same problems with portable vectors and with those of each level of this processor.

usage: compare_vectors.py EMULATOR CK_RUN FOLDER

The inputs are real numbers, so that another order or rounding of operations would be seen; results
are compared byte by byte. A level that the processor lacks, or that was not built, is left out.
"""

import concurrent.futures
import ctypes
import os
import pathlib
import subprocess
import sys

LEVELS = ["portable", "x86-64-v3", "x86-64-v4"]
CHIPS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]
# Without matrix instructions of their type, too: f32 on gfx11, fp8 on all but gfx94x and gfx12.
PROBLEMS = [
    "conv_fwd:f16:N=1,K=16,C=16,in=6x6,filter=3x3,pad=1,epilogue=bias+gelu",
    "gemm:f32:M=16,N=16,K=40",
    "gemm:fp8:M=16,N=16,K=64,out_dtype=f16",
]


def find_levels(emulator):
    """The levels that the emulator offers here."""
    library = ctypes.CDLL(emulator)
    library.ckEmulatorGetVectors.restype = ctypes.c_char_p
    for level in LEVELS:
        library.ckEmulatorSetVariable(b"CK_EMULATOR_VECTORS", level.encode())
        if library.ckEmulatorGetVectors().decode() == level:
            yield level


def run(ck_run, folder, level, chip, number):
    """The bytes of the result of a problem."""
    output = pathlib.Path(folder, f"{level}-{chip}-{number}.npy")
    command = [ck_run, PROBLEMS[number], f"--chip={chip}", "--device=emulator", "--verify=none"]
    command += ["--init=normal", "--seed=11", f"--output={output}"]
    environment = {**os.environ, "CK_EMULATOR_VECTORS": level}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return output.read_bytes()


def main(arguments):
    emulator, ck_run, folder = arguments
    levels = list(find_levels(emulator))
    print("levels:", " ".join(levels))
    cases = [(chip, number) for chip in CHIPS for number in range(len(PROBLEMS))]
    different = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [[pool.submit(run, ck_run, folder, l, *case) for l in levels] for case in cases]
        for case, results in zip(cases, futures):
            if len({result.result() for result in results}) != 1:
                different += 1
                print(f"{PROBLEMS[case[1]]} on {case[0]} differs between {' and '.join(levels)}")
    if different:
        return 1
    print(f"{len(cases)} results are identical")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
