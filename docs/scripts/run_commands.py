#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands that the documentation shows, and compares what they print.

usage: run_commands.py [--wide] [--by PATH] [--build DIR] [PAGE]...

Every block of a page that is fenced as `sh` is run: the blocks of one page in order, by one shell,
in a new folder that has the files of the source tree and the build as `build`, with the tools on
the path and the build's folder in BUILD. A block fenced as `text` behind it is what they print: its
lines appear in this order, and `...` stands for anything, in a line or for lines.

A comment in front of a block says what is different about it:

    <!-- wide -->           it takes longer, or needs what is not everywhere: only run with --wide
    <!-- run by PATH -->    that file runs it
    <!-- from PATH -->      it is quoted from that file, which a test runs
    <!-- not run: WHY -->   nothing does

Without pages it runs those of README.md and of all pages in docs/. With --by it runs the blocks
that PATH is said to run, and no others. Ends with status 1 if a command fails or prints something
else.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*) -->\n+)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)
MARK = "=== end of block"
TIMEOUT = 1200


class Block:
    """Commands of a page: where they stand, what is said about them, and what they print."""

    def __init__(self, page, line, note, text):
        self.page, self.line, self.note, self.text = page, line, note, text
        self.expected = None

    def __str__(self):
        return f"{self.page}:{self.line}"

    def is_run(self, wide, by):
        """Whether the commands are run here, on behalf of the file `by` if that is not empty; an
        error if the note is none that is known."""
        if self.note == "wide":
            return wide and not by
        made = re.fullmatch(r"(?:run by|from) (\S+)|not run: .+", self.note)
        if self.note and not made:
            raise ValueError(f"{self}: unknown note '{self.note}'")
        if made and made.group(1) and not os.path.exists(os.path.join(ROOT, made.group(1))):
            raise ValueError(f"{self}: there is no {made.group(1)}")
        return self.note == f"run by {by}" if by else not self.note


def find_blocks(page):
    """The blocks of commands of the page at the path `page`, from the root of the tree."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        text = file.read()
    blocks, last = [], None
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("text"))
        if match["kind"] == "sh":
            last = Block(page, line, match["note"] or "", match["text"])
            blocks.append(last)
        elif match["kind"] == "text" and last is not None:
            last.expected, last = match["text"], None
    return blocks


def find_missing(expected, printed):
    """The first line of `expected` that is not in `printed`, in order; None if all are."""
    lines = iter(line.rstrip() for line in printed.splitlines())
    for line in expected.splitlines():
        if line.strip() == "...":
            continue
        pattern = re.compile(re.escape(line.rstrip()).replace(r"\.\.\.", ".*"))
        if not any(pattern.fullmatch(candidate) for candidate in lines):
            return line
    return None


def run_blocks(blocks, build, folder):
    """What is wrong with the commands of a page, one line each; they are run in `folder`."""
    for name in os.listdir(ROOT):
        if name != "build":
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    os.symlink(build, os.path.join(folder, "build"))
    tools = [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ["PATH"]]
    environment = dict(os.environ, BUILD=build, LLVM="/usr/lib/llvm-22", PATH=":".join(tools))
    script = "".join(f"{block.text}\necho '{MARK}'\n" for block in blocks)
    done = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    printed = done.stdout.split(MARK + "\n")
    if len(printed) <= len(blocks):
        failed = blocks[len(printed) - 1]
        return [f"{failed}: failed with status {done.returncode}:\n{printed[-1]}"]
    errors = []
    for block, output in zip(blocks, printed):
        missing = None if block.expected is None else find_missing(block.expected, output)
        if missing is not None:
            errors.append(f"{block}: does not print '{missing}' at its place, but:\n{output}")
    return errors


def find_pages():
    pages = ["README.md"]
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
        where = os.path.relpath(folder, ROOT)
        pages += [os.path.join(where, name) for name in sorted(names) if name.endswith(".md")]
    return pages


def run_page(page, options):
    """Runs the commands of a page. Returns how many blocks were run and what is wrong."""
    blocks = [block for block in find_blocks(page) if block.is_run(options.wide, options.by)]
    if not blocks:
        return 0, []
    with tempfile.TemporaryDirectory() as folder:
        return len(blocks), run_blocks(blocks, os.path.abspath(options.build), folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wide", action="store_true", help="run what takes longer, too")
    parser.add_argument(
        "--by", metavar="PATH", default="", help="run what this file is said to run"
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="the build tree")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="from the root of the tree")
    arguments = parser.parse_args()
    count, errors = 0, []
    try:
        for page in arguments.pages or find_pages():
            ran, wrong = run_page(page, arguments)
            count, errors = count + ran, errors + wrong
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        errors.append(str(error))
    for error in errors:
        print(f"run_commands.py: error: {error}", file=sys.stderr)
    print(f"{count} blocks of commands, {len(errors)} wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
