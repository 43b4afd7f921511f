# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints values of a JSON file.

usage: show.py FILE PATH...

A PATH is the names and numbers on the way to a value, with / between them.
"""

import json
import sys


def main(file, *paths):
    with open(file, encoding="utf-8") as text:
        content = json.load(text)
    for path in paths:
        value = content
        for step in path.split("/"):
            value = value[int(step)] if isinstance(value, list) else value[step]
        print(f"{path}: {json.dumps(value)}")


main(*sys.argv[1:])
