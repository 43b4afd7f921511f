# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and prints how it has ended.

usage: status.py [--terminate] COMMAND ARGUMENTS...

With --terminate the command gets SIGTERM when it has printed its first line.
"""

import subprocess
import sys


def main(arguments):
    terminates = arguments[0] == "--terminate"
    command = arguments[1:] if terminates else arguments
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        if terminates:
            process.stdout.readline()
            process.terminate()
        process.stdout.read()
        status = process.wait()
    print(f"status {status}" if status >= 0 else f"signal {-status}")


main(sys.argv[1:])
