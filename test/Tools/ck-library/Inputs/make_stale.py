# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes an archive look as if another compiler had made it.

usage: make_stale.py ARCHIVE STALE
"""

import hashlib
import json
import sys


def main():
    with open(sys.argv[1], "rb") as file:
        magic, _, size, rest = file.read().split(b"\n", 3)
    header = json.loads(rest[: int(size)])
    header["compiler"] = "another compiler"
    text = json.dumps(header).encode()
    parts = [magic, hashlib.sha256(text).hexdigest().encode(), str(len(text)).encode()]
    with open(sys.argv[2], "wb") as file:
        file.write(b"\n".join(parts) + b"\n" + text + rest[int(size) :])
    return 0


if __name__ == "__main__":
    sys.exit(main())
