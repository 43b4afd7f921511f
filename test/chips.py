# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chips that tests run on, from `ck-gen --list-chips`: no test has a list of its own."""

import functools
import json
import subprocess
import sys


@functools.lru_cache(maxsize=None)
def list_chips(ck_gen="ck-gen"):
    """The chip table: {name: facts}, in ascending order."""
    command = [ck_gen, "--list-chips", "--format=json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        sys.exit(f"error: cannot list the chips (are the tools on PATH?): {reason.strip()}")
    return {chip["name"]: chip for chip in json.loads(done.stdout)}


def list_emulated(ck_gen="ck-gen"):
    """The names of the chips that the emulator executes, in ascending order."""
    names = [name for name, chip in list_chips(ck_gen).items() if chip["emulated"]]
    return names or sys.exit("error: the emulator executes no chip (is its library built?)")


def list_with_mfma(ck_gen="ck-gen"):
    """Those of them whose matrix instructions are MFMA, in ascending order."""
    facts = list_chips(ck_gen)
    return [
        name
        for name in list_emulated(ck_gen)
        if any(entry["kind"] == "mfma" for entry in facts[name]["matrix_instructions"])
    ]
