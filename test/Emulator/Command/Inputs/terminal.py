# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose standard error is a terminal, and prints what that got, line by line.

usage: terminal.py COMMAND ARGUMENTS...
"""

import os
import pty
import subprocess
import sys


def main(command):
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            shown += block
    print(shown.decode().replace("\r", "\n"))
    return process.returncode


sys.exit(main(sys.argv[1:]))
