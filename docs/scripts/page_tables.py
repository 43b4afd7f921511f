# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of a page that a script makes, between `<!-- NAME -->` and `<!-- end -->`."""

import argparse
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def fill(page, name, table):
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", page)


def run(description, path, make_tables):
    """The command line of a script: writes the tables, a dict by name, that `make_tables` returns
    to the page at `path` below the repository; with --check it only says whether they are there."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    arguments = parser.parse_args()
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        page = file.read()
    updated = page
    for name, table in make_tables().items():
        updated = fill(updated, name, table)
    if arguments.check:
        state = "up to date" if updated == page else "out of date"
        print(f"{path} is {state}")
        return updated != page
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(updated)
    return 0
