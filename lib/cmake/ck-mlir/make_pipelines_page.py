#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the reference page of the pass pipelines, from what ck-opt --help says about them.

usage: make_pipelines_page.py CK_OPT PAGE

Ops and passes have definitions that mlir-tblgen makes pages of; pipelines are registered in C++, so
that the tool itself is asked.
"""

import re
import subprocess
import sys

PIPELINE = re.compile(r" {6}--(ck-[a-z-]+) +- +(.+)")
OPTION = re.compile(r" {8}--([a-z-]+)(=<\w+>)? +- +(.+)")
VALUE = re.compile(r" {4}=([a-z-]+) +- +(.+)")


def read_pipelines(text):
    """The pipelines of a help text: (name, description, [(option, description)])."""
    pipelines = []
    start = text.index("Pass Pipelines:\n")
    for line in text[start:].splitlines()[1:]:
        pipeline, option, value = (r.fullmatch(line) for r in (PIPELINE, OPTION, VALUE))
        if pipeline:
            pipelines.append((pipeline[1], pipeline[2], []))
        elif option and pipelines:
            pipelines[-1][2].append((option[1] + (option[2] or ""), option[3]))
        elif value and pipelines and pipelines[-1][2]:
            pipelines[-1][2].append((f"  {value[1]}", value[2]))
        elif not line.startswith("    "):
            break
        else:  # a pipeline of upstream's, and its options
            pipelines.append(("", "", []))
    return [pipeline for pipeline in pipelines if pipeline[0]]


def make_page(pipelines):
    """The page, laid out like those that mlir-tblgen writes of passes."""
    lines = ["<!-- Written by make_pipelines_page.py -->", "", "# Pass pipelines", ""]
    lines += ['They run as `ck-opt --NAME="OPTION=VALUE ..."`, or as part of a pipeline:']
    lines += ["`--pass-pipeline='builtin.module(NAME{OPTION=VALUE ...})'`.", ""]
    for name, description, options in pipelines:
        lines += [f"### `{name}`", "", f"_{description}_", ""]
        if options:
            width = max(len(option) for option, _ in options)
            lines += ["#### Options", "", "```"]
            lines += [f"{option:{width}} : {text}" for option, text in options]
            lines += ["```", ""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        print("usage: make_pipelines_page.py CK_OPT PAGE", file=sys.stderr)
        return 2
    done = subprocess.run([sys.argv[1], "--help"], capture_output=True, text=True, check=False)
    pipelines = read_pipelines(done.stdout) if "Pass Pipelines:\n" in done.stdout else []
    if done.returncode or not pipelines:
        print(f"make_pipelines_page.py: error: {sys.argv[1]} lists no pipelines", file=sys.stderr)
        return 1
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(make_page(pipelines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
