#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command that must fail as the tools promise: status 2 and one line on stderr.

usage: usage_error.py COMMAND ARGUMENTS...

Prints that line for FileCheck and exits with status 0; otherwise says what was different and exits
with status 1. In lit tests: %usage-error COMMAND ARGUMENTS...
"""

import subprocess
import sys


def main(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = result.stderr.splitlines()
    if result.returncode == 2 and len(lines) == 1 and not result.stdout:
        print(lines[0])
        return 0
    print(f"expected status 2, one line on stderr and nothing on stdout, got {result.returncode}:")
    print(result.stdout + result.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
