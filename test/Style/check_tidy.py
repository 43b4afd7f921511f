#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy with the checks of .clang-tidy over every C++ file that a build compiles.

usage: check_tidy.py [--jobs N] SOURCE_DIR BUILD_DIR [FOLDER]...

With folders, such as lib/IR, only over the files below them. Prints each finding once, though many
files include the header that it is in, and exits with status 1 if there is one, with 77 if there is
no clang-tidy of the version that the tree is checked with.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TIDY = "clang-tidy-22"
FINDING = re.compile(r"^(\S+):\d+:\d+: (?:warning|error): ")


def strip_precompiled_header(arguments):
    """`arguments` of a compiler without a precompiled header, which is of that compiler alone."""
    result = []
    for argument in arguments:
        if argument == "-Winvalid-pch":
            continue
        if re.search(r"cmake_pch\.hxx(\.pch)?$", argument):
            while result and result[-1] in ("-Xclang", "-include", "-include-pch"):
                result.pop()
            continue
        result.append(argument)
    return result


def read_commands(source, build, folders):
    """The entries of the compile database for files of the tree below `folders`."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    result = []
    for entry in entries:
        path = os.path.relpath(entry["file"], source)
        generated = not os.path.relpath(entry["file"], build).startswith("..")
        if generated or path.startswith("..") or not path.endswith(".cpp"):
            continue
        if folders and not any(path.startswith(folder.rstrip("/") + "/") for folder in folders):
            continue
        arguments = strip_precompiled_header(shlex.split(entry["command"]))
        result.append(dict(file=entry["file"], directory=entry["directory"], arguments=arguments))
    return sorted(result, key=lambda entry: entry["file"])


def find_findings(output):
    """The findings in what clang-tidy printed, each with its notes and lines of code."""
    findings = []
    for line in output.splitlines():
        if FINDING.match(line):
            findings.append([line])
        elif findings:
            findings[-1].append(line)
    return ["\n".join(lines) for lines in findings]


def run_tidy(source, database, path):
    """What clang-tidy finds in one file, or why it could not run."""
    configuration = os.path.join(source, ".clang-tidy")
    command = [TIDY, "--quiet", f"--config-file={configuration}", "-p", database, path]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    findings = find_findings(result.stdout)
    if result.returncode and not findings:
        findings = [f"{path}: clang-tidy ended with {result.returncode}:\n{result.stderr}"]
    return findings


def check(arguments):
    source, build = os.path.abspath(arguments.source), os.path.abspath(arguments.build)
    commands = read_commands(source, build, arguments.folders)
    if not commands:
        print("check_tidy.py: error: the compile database has no such files", file=sys.stderr)
        return 2
    seen = set()
    with tempfile.TemporaryDirectory() as database:
        with open(os.path.join(database, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(commands, file)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            paths = dict.fromkeys(command["file"] for command in commands)
            for findings in pool.map(lambda path: run_tidy(source, database, path), paths):
                for finding in findings:
                    if finding not in seen:
                        print(finding, flush=True)
                    seen.add(finding)
    print(f"{len(paths)} files, {len(seen)} findings")
    return 1 if seen else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("source", metavar="SOURCE_DIR")
    parser.add_argument("build", metavar="BUILD_DIR")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    arguments = parser.parse_args()
    if shutil.which(TIDY) is None:
        print(f"check_tidy.py: skipped: there is no {TIDY}")
        return 77
    return check(arguments)


if __name__ == "__main__":
    sys.exit(main())
