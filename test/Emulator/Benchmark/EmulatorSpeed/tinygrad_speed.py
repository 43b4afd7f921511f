#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the speed of tinygrad's emulator beside this one's, on the same code objects.

usage: tinygrad_speed.py TINYGRAD BUILD

TINYGRAD is a checkout of tinygrad, whose package comes without its emulator; BUILD is a build
folder in which EmulatorSpeed and ck-emulator were built. Each emulator executes vector_code and
scalar_code several times, with one workgroup and the checks of this emulator off; the fastest time
counts, after the first, in which all is decoded and compiled. Both results are compared.
"""

import argparse
import ctypes
import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

CHIPS = {"gfx942": "cdna", "gfx1100": "rdna3", "gfx1201": "rdna4"}
ITEMS, STEPS = 256, 1000
KERNELS = {"Vector": "vector_code", "Scalar": "scalar_code"}


def measure_repeated(launch):
    """Seconds of processor time of the fastest of five calls after the first."""
    launch()
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        launch()
        best = min(best, time.process_time() - start)
    return best


def run_own(build, chip, code, kernel):
    """(seconds, wave instructions, result) of this emulator."""
    os.environ.update(CK_EMULATOR_CHIP=chip, CK_EMULATOR_CHECKS="off")
    hip = ctypes.CDLL(str(build / "lib" / "libck_hip_emulator.so"))
    hip.ckEmulatorGetLaunchStatistics.restype = ctypes.c_char_p

    def check(code):
        if code != 0:
            hip.ckEmulatorGetLastMessage.restype = ctypes.c_char_p
            sys.exit(hip.ckEmulatorGetLastMessage().decode())

    module, function, device = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(hip.hipModuleLoad(ctypes.byref(module), str(code).encode()))
    check(hip.hipModuleGetFunction(ctypes.byref(function), module, kernel.encode()))
    check(hip.hipMalloc(ctypes.byref(device), ctypes.c_size_t(4 * ITEMS)))
    steps = ctypes.c_uint32(STEPS)
    parameters = (ctypes.c_void_p * 2)(ctypes.addressof(device), ctypes.addressof(steps))

    def launch():
        check(hip.hipModuleLaunchKernel(function, 1, 1, 1, ITEMS, 1, 1, 0, None, parameters, None))

    seconds = measure_repeated(launch)
    result = ctypes.create_string_buffer(4 * ITEMS)
    check(hip.hipMemcpy(result, device, ctypes.c_size_t(4 * ITEMS), 2))
    count = json.loads(hip.ckEmulatorGetLaunchStatistics())["wave_instructions"]
    return seconds, count, result.raw


def run_tinygrad(tinygrad, chip, code):
    """(seconds, result) of tinygrad's emulator."""
    sys.path.insert(0, str(tinygrad))
    from test.mockgpu.amd.emu import run_asm  # pylint: disable=import-outside-toplevel
    from tinygrad.runtime.support.elf import (
        elf_loader,
    )  # pylint: disable=import-outside-toplevel

    image, sections, _ = elf_loader(code.read_bytes())
    memory = (ctypes.c_uint8 * len(image)).from_buffer_copy(bytes(image))
    descriptor = next(s.header.sh_addr for s in sections if s.name == ".rodata")
    entry = struct.unpack_from("<q", bytes(image), descriptor + 16)[0]
    rsrc2 = struct.unpack_from("<I", bytes(image), descriptor + 52)[0]
    result = (ctypes.c_uint8 * (4 * ITEMS))()
    arguments = ctypes.create_string_buffer(
        struct.pack("<QI", ctypes.addressof(result), STEPS), 256
    )
    begin = ctypes.addressof(memory) + descriptor + entry

    def launch():
        run_asm(
            begin,
            len(image),
            1,
            1,
            1,
            ITEMS,
            1,
            1,
            ctypes.addressof(arguments),
            rsrc2,
            0,
            CHIPS[chip],
        )

    return measure_repeated(launch), bytes(result)


def measure(options):
    """Prints one line for the chip and kernel that the options name."""
    file = f"{options.kernel}.O3.{options.chip}.hsaco"
    code = options.build / "test" / "Emulator" / "Benchmark" / "EmulatorSpeed" / file
    seconds, count, result = run_own(options.build, options.chip, code, KERNELS[options.kernel])
    line = f"{options.chip}, {KERNELS[options.kernel]}: {count * 1e-6 / seconds:.1f} million wave"
    line += " instructions per second; tinygrad's emulator"
    try:
        other, expected = run_tinygrad(options.tinygrad, options.chip, code)
    except Exception as error:  # pylint: disable=broad-exception-caught
        print(f"{line} fails: {type(error).__name__}: {error}"[:400])
        return
    same = "the same result" if result == expected else "another result"
    print(f"{line} {count * 1e-6 / other:.3f}, {same}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tinygrad", type=Path, help="a checkout of tinygrad")
    parser.add_argument("build", type=Path, help="a build folder")
    parser.add_argument("--chip", choices=CHIPS, help="only this one, in this process")
    parser.add_argument("--kernel", choices=KERNELS, help="only this one, in this process")
    options = parser.parse_args()
    if not (options.tinygrad / "test" / "mockgpu" / "amd" / "emu.py").is_file():
        print(f"skipped: no test/mockgpu/amd/emu.py in '{options.tinygrad}'")
        return
    if options.chip and options.kernel:
        measure(options)
        return
    for chip in CHIPS:  # a process has one chip for good
        for kernel in KERNELS:
            command = [sys.executable, __file__, options.tinygrad, options.build]
            subprocess.run([*command, f"--chip={chip}", f"--kernel={kernel}"], check=False)


if __name__ == "__main__":
    main()
