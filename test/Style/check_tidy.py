#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy with the checks of .clang-tidy over every C++ file that a build compiles.

usage: check_tidy.py [--jobs N] [--group N] SOURCE_DIR BUILD_DIR [FOLDER]...

As for clang-tidy itself, the `.clang-tidy` of the nearest folder at or above a file holds for it.
With folders, such as lib/IR, only over the files below them. Prints each finding once, though many
files include the header that it is in, and exits with status 1 if there is one, with 77 if there is
no clang-tidy of the version that the tree is checked with.

Most of the time of a run goes into the headers of MLIR. Therefore files that are compiled with the
same options are checked together, in a generated file that includes them, unless they define the
same name at file scope. Where that does not compile, each of its files is checked alone. Fewer
things are found so: `misc-unused-using-decls` and `misc-unused-alias-decls` take a name as used
that another file of the group uses. A precompiled header is used if clang-tidy can read it. A file
that is compiled several times is checked with the options of the first.
"""

import argparse
import collections
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
# What a line that is not indented defines: the last name before a bracket, `=`, `:` or `;`. The
# same `using` in two files is no conflict.
DEFINITION = re.compile(
    r"^(?!namespace|using|extern|return|TEST|INSTANTIATE)(?=[A-Za-z])"
    r"[^(={;\[/]*?(?<!:)\b(\w+)(?=(?: final)?(?:\(| ?[={;\[]| : |$))",
    re.MULTILINE,
)

FURTHER_DEFINITION = re.compile(r"^(?=[A-Za-z])[^(\n]*, (\w+) = ", re.MULTILINE)

# Options of a compiler with the folder that they are valid in, the folder whose `.clang-tidy` holds
# for the files that are compiled with them, relative to the tree, and these files.
Target = collections.namedtuple("Target", "directory options checks files")


def strip_precompiled_header(arguments):
    """`arguments` of a compiler without a precompiled header."""
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


def strip_input_and_output(arguments):
    """`arguments` without the name of the compiler, of the source file and of the object file."""
    result, rest = [], iter(arguments[1:])
    for argument in rest:
        if argument in ("-c", "-o"):
            next(rest)
        else:
            result.append(argument)
    return tuple(result)


def find_checks(source, path):
    """The nearest folder at or above the one of `path` that has a `.clang-tidy`, or the tree's."""
    folder = os.path.dirname(os.path.relpath(path, source))
    while folder and not os.path.exists(os.path.join(source, folder, ".clang-tidy")):
        folder = os.path.dirname(folder)
    return folder


def read_targets(source, build, folders):
    """The files below `folders` in the compile database, those with the same options together."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    commands = {}
    for entry in entries:
        path = os.path.relpath(entry["file"], source)
        generated = not os.path.relpath(entry["file"], build).startswith("..")
        if generated or path.startswith("..") or not path.endswith(".cpp"):
            continue
        if folders and not any(path.startswith(folder.rstrip("/") + "/") for folder in folders):
            continue
        options = strip_input_and_output(shlex.split(entry["command"]))
        checks = find_checks(source, entry["file"])
        commands.setdefault(entry["file"], (entry["directory"], options, checks))
    targets = collections.defaultdict(list)
    for path, command in sorted(commands.items()):
        targets[command].append(path)
    return [Target(*command, files) for command, files in targets.items()]


def copy_checks(source, folder, target):
    """Copies the `.clang-tidy` of a target, and those that it inherits from, below `folder`."""
    checks = target.checks
    os.makedirs(os.path.join(folder, checks), exist_ok=True)
    while True:
        path = os.path.join(checks, ".clang-tidy")
        if os.path.exists(os.path.join(source, path)):
            shutil.copy(os.path.join(source, path), os.path.join(folder, path))
        if not checks:
            break
        checks = os.path.dirname(checks)


def write_unit(folder, files):
    """A new file in `folder` that includes `files`."""
    handle, path = tempfile.mkstemp(".cpp", "unit", folder)
    with open(handle, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{name}"\n' for name in files)
    return path


def can_compile_nothing(folder, target):
    """Whether clang-tidy accepts the options of `target`, such as a precompiled header."""
    command = [TIDY, "--quiet", "--config={}", "--checks=-*,modernize-use-nullptr"]
    command += [write_unit(folder, []), "--", *target.options]
    done = subprocess.run(command, cwd=target.directory, capture_output=True, check=False)
    return done.returncode == 0


def read_definitions(path):
    """The names that a file defines at file scope, judged by its layout, and some others."""
    with open(path, encoding="utf-8") as file:
        content = file.read()
    return {name for regex in (DEFINITION, FURTHER_DEFINITION) for name in regex.findall(content)}


def split_target(folder, target, size):
    """`target` as targets of at most `size` files that define different names."""
    if not can_compile_nothing(folder, target):
        target = target._replace(options=tuple(strip_precompiled_header(target.options)))
    groups = []
    for path in target.files:
        names = read_definitions(path)
        for files, taken in groups:
            if len(files) < size and taken.isdisjoint(names):
                files.append(path)
                taken |= names
                break
        else:
            groups.append(([path], names))
    return [target._replace(files=files) for files, _ in groups]


def find_findings(output, unit):
    """The findings in what clang-tidy printed, each with its notes and lines of code.

    What it finds in the generated file `unit` is left out.
    """
    findings = []
    for line in output.splitlines():
        if FINDING.match(line):
            findings.append([line])
        elif findings:
            findings[-1].append(line)
    return ["\n".join(lines) for lines in findings if FINDING.match(lines[0]).group(1) != unit]


def split_at_errors(files, findings):
    """Groups of `files`, which do not compile as one: those with an error alone."""
    errors = [finding.splitlines()[0] for finding in findings]
    erroneous = {FINDING.match(line).group(1) for line in errors if ": error: " in line}
    erroneous = erroneous.intersection(files) or set(files)
    rest = [path for path in files if path not in erroneous]
    return ([rest] if rest else []) + [[path] for path in files if path in erroneous]


def run_tidy(folder, target):
    """What clang-tidy finds in the files of a target, or why it could not run.

    Below `folder` there are copies of the `.clang-tidy` files.
    """
    unit = write_unit(os.path.join(folder, target.checks), target.files)
    command = [TIDY, "--quiet", unit, "--", *target.options]
    if len(target.files) > 1:
        command.append("-Wno-macro-redefined")
    done = subprocess.run(
        command, cwd=target.directory, capture_output=True, text=True, check=False
    )
    findings = find_findings(done.stdout, unit)
    if done.returncode and len(target.files) > 1:
        groups = split_at_errors(target.files, findings)
        found = [run_tidy(folder, target._replace(files=files)) for files in groups]
        return [finding for findings in found for finding in findings]
    if done.returncode and not findings:
        findings = [f"{target.files[0]}: clang-tidy ended with {done.returncode}:\n{done.stderr}"]
    return findings


def check(arguments):
    source, build = os.path.abspath(arguments.source), os.path.abspath(arguments.build)
    targets = read_targets(source, build, arguments.folders)
    if not targets:
        print("check_tidy.py: error: the compile database has no such files", file=sys.stderr)
        return 2
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            copy_checks(source, folder, target)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            split = pool.map(lambda target: split_target(folder, target, arguments.group), targets)
            groups = [group for groups in split for group in groups]
            for findings in pool.map(lambda group: run_tidy(folder, group), groups):
                for finding in findings:
                    line = finding.splitlines()[0]
                    if line not in seen:
                        print(finding, flush=True)
                    seen.add(line)
    count = sum(len(group.files) for group in groups)
    print(f"{count} files in {len(groups)} groups, {len(seen)} findings")
    return 1 if seen else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("--group", type=int, default=8, help="files that are checked together")
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
