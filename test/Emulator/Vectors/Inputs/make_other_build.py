# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies a library of the emulator, changing the hash by which builds are told apart.

usage: make_other_build.py FROM TO
"""

import pathlib
import re
import sys

content = pathlib.Path(sys.argv[1]).read_bytes()
hashes = set(re.findall(rb"\b[0-9a-f]{64}\0", content))
if len(hashes) != 1:
    sys.exit(f"expected one hash in {sys.argv[1]}, found {len(hashes)}")
old = hashes.pop()
new = (b"0" if old[:1] != b"0" else b"1") + old[1:]
pathlib.Path(sys.argv[2]).write_bytes(content.replace(old, new))
