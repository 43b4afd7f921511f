# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the options of ck-emulate with the variables of the emulator and of the documentation.

usage: variables.py EMULATOR SOURCE_DIR
"""

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

# By variable: the option and a value.
OPTIONS = {
    "CK_EMULATOR_CHIP": "--chip=gfx950",
    "CK_EMULATOR_CUS": "--cus=3",
    "CK_EMULATOR_THREADS": "--threads=1",
    "CK_EMULATOR_SCHEDULE": "--schedule=random:7",
    "CK_EMULATOR_VECTORS": "--vectors=portable",
    "CK_EMULATOR_CHECKS": "--checks=bounds,races",
    "CK_EMULATOR_HANG_INSTRUCTIONS": "--hang-instructions=1000",
    "CK_EMULATOR_WAIT_SECONDS": "--wait-seconds=2",
    "CK_EMULATOR_TIMING": "--timing=only",
    "CK_EMULATOR_TIMING_PARAMETERS": "--timing-parameters=clock_mhz=2000",
    "CK_EMULATOR_TIMING_MEMORY": "--timing-memory=1048576",
    "CK_EMULATOR_TIMING_TRACE": "--trace=FOLDER/trace.json",
    "CK_EMULATOR_PROFILE": "--profile",
    "CK_EMULATOR_PROGRESS": "--progress=off",
    "CK_EMULATOR_LOG": "--log=FOLDER/log",
    "CK_EMULATOR_HIP_VERSION": "--hip-version=6",
}


def find_wrong(option, variable, folder):
    """What an option does wrong, or None."""
    option = option.replace("FOLDER", folder)
    # Most of the model of time means nothing where it is off.
    timed = ["--time"] if variable.startswith("CK_EMULATOR_TIMING_") else []
    command = ["ck-emulate", "--quiet", *timed, option, "--", "env"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    value = option.split("=", 1)[1] if "=" in option else "on"
    if f"{variable}={value}" in shown.splitlines():
        return None
    return f"{option} does not set {variable}"


def main(emulator, source):
    library = ctypes.CDLL(emulator)
    library.ckEmulatorList.restype = ctypes.c_char_p
    names = set(json.loads(library.ckEmulatorList(b"variables")))
    with open(os.path.join(source, "docs", "Environment.md"), encoding="utf-8") as page:
        documented = set(re.findall(r"^\| `(CK_EMULATOR_\w+)`", page.read(), flags=re.M))
    # Which library is taken is no setting of the library.
    documented.remove("CK_EMULATOR_LIBRARY")
    wrong = [f"{name} is not documented" for name in sorted(names - documented)]
    wrong += [f"the emulator does not read {name}" for name in sorted(documented - names)]
    wrong += [f"{name} has no option" for name in sorted(names - set(OPTIONS))]
    with tempfile.TemporaryDirectory() as folder:
        wrong += filter(None, (find_wrong(OPTIONS[name], name, folder) for name in OPTIONS))
    for line in wrong:
        print(line)
    print(f"{len(names)} variables")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
