"""Puts a code object into an offload bundle, as clang-offload-bundler does.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: bundle.py CODE_OBJECT BUNDLE CHIP
"""

import struct
import sys

ALIGNMENT = 4096


def main(code_object, bundle, chip):
    with open(code_object, "rb") as file:
        code = file.read()
    targets = [
        (b"host-x86_64-unknown-linux-gnu-", b""),
        (b"hipv4-amdgcn-amd-amdhsa--" + chip.encode(), code),
    ]
    header = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(targets))
    for name, data in targets:
        header += struct.pack("<QQQ", ALIGNMENT, len(data), len(name)) + name
    with open(bundle, "wb") as file:
        file.write(header.ljust(ALIGNMENT, b"\0") + code)


main(*sys.argv[1:])
