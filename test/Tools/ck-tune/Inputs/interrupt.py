# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: interrupt.py FILE COMMAND...

Interrupts the command once it has begun to write the file; it must end with status 130, print what
it found, and leave a file of whole lines."""

import json
import os
import signal
import subprocess
import sys
import time

path, *command = sys.argv[1:]
if os.path.exists(path):
    os.remove(path)
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
while not os.path.exists(path) or len(open(path, encoding="utf-8").readlines()) < 2:
    assert process.poll() is None, "it ended too early"
    time.sleep(0.05)
process.send_signal(signal.SIGINT)
output, _ = process.communicate()
assert process.returncode == 130, process.returncode
assert "best " in output, output
header, entry = [json.loads(line) for line in open(path, encoding="utf-8")]
assert header["version"] == 1 and 0 < entry["tried"] < 300, entry
