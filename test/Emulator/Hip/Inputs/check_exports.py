"""Compares what the emulator exports with AMD's library, the source and the documentation.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_exports.py NM EMULATOR AMD_LIBRARY SOURCE_DIR
"""

import os
import re
import subprocess
import sys


def list_exports(nm, library):
    """The functions of a library: names with versions."""
    text = subprocess.run(
        [nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True
    ).stdout
    return set(re.findall(r" T ((?:__)?hip\w+@@?hip_[\d.]+)$", text, flags=re.M))


# What programs for HIP 6 and 7 look for, with the versions that they are linked to.
EXPECTED = (
    "hipGetDevicePropertiesR0600@@hip_6.0",
    "hipChooseDeviceR0600@@hip_6.0",
    "hipGetProcAddress@@hip_6.1",
    "hipModuleLaunchCooperativeKernel@@hip_5.5",
    "hipExtModuleLaunchKernel@@hip_4.2",
    "hipLaunchHostFunc@@hip_5.3",
    "hipLaunchKernelExC@@hip_6.5",
    "hipDrvLaunchKernelEx@@hip_6.5",
    "hipLibraryLoadData@@hip_7.2",
)


def main(nm, emulator, amd_library, source):
    ours, amd = list_exports(nm, emulator), list_exports(nm, amd_library)
    # What only AMD's own tools call.
    missing = {name for name in amd - ours if not name.startswith("__hipGetPCH@")}
    assert not missing, f"not exported: {sorted(missing)}"
    # AMD's later libraries have functions more, each with the version that brought it.
    added = ours - amd
    versions = {name.split("@@hip_")[1] for name in added}
    assert {"6.0", "6.1", "6.5", "7.2"} <= versions, sorted(versions)
    for name in EXPECTED:
        assert name in ours, f"not exported: {name}"

    folder = os.path.join(source, "lib", "Emulator", "Hip")
    with open(os.path.join(folder, "Unsupported.cpp"), encoding="utf-8") as file:
        refused = set(re.findall(r"^REFUSE(?:_TEXTURE)?\((\w+)\)", file.read(), flags=re.M))
    names = {name.split("@")[0] for name in ours}
    assert refused <= names
    implemented = {name for name in names - refused if not name.startswith("__")}
    with open(os.path.join(source, "docs", "emulator", "hip.md"), encoding="utf-8") as file:
        documented = set(re.findall(r"`(hip[A-Z]\w+)`", file.read()))
    assert documented == implemented, (
        f"not documented: {sorted(implemented - documented)}; "
        f"not implemented: {sorted(documented - implemented)}"
    )
    print(f"{len(implemented)} implemented, {len(refused)} refused")


main(*sys.argv[1:])
