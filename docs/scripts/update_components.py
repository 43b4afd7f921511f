#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of docs/Contributing.md from the source tree.

usage: update_components.py [--check]

A picture of the page is a block of Mermaid behind a comment that names it:

    <!-- picture components -->   the folders of lib and which of them uses which: what their files
                                  include and their libraries link, without what follows from others
    <!-- picture way -->          the forms of the ladder and the passes between them, from
                                  lib/Compiler/Pipelines.cpp and the definitions of the passes

What a component does is taken from the table of folders in the README. With --check the page is not
written; it is an error if it would change.
"""

import argparse
import difflib
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/Contributing.md"
PIPELINES = "lib/Compiler/Pipelines.cpp"
BLOCK = re.compile(r"(<!-- picture (\w+) -->\n```mermaid\n)(.*?)(```)", re.S)
# Before and behind the ladder: (what a step does, where), and what it makes.
BEFORE = [
    ("a problem string", "parse", "lib/Problem/Parse.cpp"),
    ("a problem as a value", "generate IR", "lib/Compiler/Generate.cpp"),
]
BEHIND = [
    ("generate code, link", "lib/Serialize/Serialize.cpp", "code object and manifest"),
    ("launch on a GPU or on lib/Emulator", "lib/Run/Execute.cpp", "result"),
    ("compare with lib/Reference", "lib/Run/Verify.cpp", "verdict"),
]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def find_files(folder, suffixes):
    """Paths below `folder`, relative to the root of the tree."""
    for directory, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(directory, name), ROOT)


def get_components():
    """The components in the order in which lib/CMakeLists.txt builds them."""
    names = re.search(r"foreach\(component ([^)]*)\)", read("lib/CMakeLists.txt")).group(1).split()
    return [name for name in names if os.path.isdir(os.path.join(ROOT, "lib", name))]


def get_uses(components):
    """{component: the components that it includes or links}"""
    uses = {component: set() for component in components}
    for component in components:
        for folder in (f"lib/{component}", f"include/ck-mlir/{component}"):
            for path in find_files(folder, (".h", ".cpp", ".td")):
                includes = re.findall(r'include "ck-mlir/(\w+)/', read(path))
                uses[component] |= set(includes) & set(components)
            for path in find_files(folder, ("CMakeLists.txt",)):
                links = re.findall(r"\bCK([A-Z]\w*)", read(path))
                uses[component] |= set(links) & set(components)
        uses[component].discard(component)
    return uses


def get_reach(uses, component):
    """Everything that `component` uses, directly or through others."""
    reach = set()
    for used in uses[component]:
        reach |= {used} | get_reach(uses, used)
    return reach


def draw_components():
    components = get_components()
    uses = get_uses(components)
    roles = dict(re.findall(r"^\| `([A-Z]\w+)` \| (.*?) \|$", read("README.md"), flags=re.M))
    missing = [component for component in components if component not in roles]
    if missing:
        raise ValueError(f"the table of folders in README.md lacks {', '.join(missing)}")
    yield "flowchart BT"
    for component in components:
        role = roles[component].replace("`", "")
        yield f'  {component}["<b>{component}</b><br/>{role}"]'
    for component in components:
        implied = set().union(*(get_reach(uses, used) for used in uses[component]))
        for used in sorted(uses[component] - implied, key=components.index):
            yield f"  {used} --> {component}"
    for path in find_files("lib/Runtime", (".cpp",)):
        if "libck_hip_emulator.so" in read(path):
            yield '  Emulator -. "loaded at run time" .-> Runtime'
            break


def get_arguments():
    """{name of a pass: its command line argument}"""
    arguments = {}
    for path in find_files("include/ck-mlir", (".td",)):
        arguments |= dict(re.findall(r'^def (\w+)Pass : Pass<"([\w-]+)"', read(path), flags=re.M))
    return arguments


def get_rungs():
    """[(form, names of the passes that establish it)]"""
    text = read(PIPELINES)
    rungs = []
    for form, function in re.findall(r'\{Form::\w+, "([\w-]+)",\s*"[^"]*",\s*(\w+)\}', text):
        body = re.search(rf"void {function}\(.*?\n\}}\n", text, flags=re.S)
        passes = re.findall(r"create(\w+)Pass\(", body.group(0)) if body else []
        rungs.append((form, passes or ["AttachTarget"]))
    if not rungs:
        raise ValueError(f"{PIPELINES} has no table of rungs")
    return rungs


def describe_pass(name, arguments):
    """The argument of a pass and the file that it is in."""
    paths = [p for p in find_files("lib", (".cpp",)) if os.path.basename(p) == name + ".cpp"]
    if name not in arguments or len(paths) != 1:
        raise ValueError(f"expected one definition and one file of the pass {name}, got {paths}")
    return f"{arguments[name]}<br/><i>{paths[0]}</i>"


def draw_way():
    arguments = get_arguments()
    steps = []  # (what is there, what happens to it)
    for value, action, path in BEFORE:
        steps.append((value, f"{action}<br/><i>{path}</i>"))
    rungs = get_rungs()
    for number, (form, _) in enumerate(rungs):
        passes = rungs[number][1] if number == 0 else []
        passes = passes + (rungs[number + 1][1] if number + 1 < len(rungs) else [])
        text = "<br/>".join(describe_pass(name, arguments) for name in passes)
        steps.append((f"form <b>{form}</b>", text))
    for action, path, value in BEHIND:
        text = f"{action}<br/><i>{path}</i>"
        steps[-1] = (steps[-1][0], text)
        steps.append((value, ""))
    for path in re.findall(r"<i>(.*?)</i>", str(steps)):
        if not os.path.exists(os.path.join(ROOT, path)):
            raise ValueError(f"there is no {path}")
    yield "flowchart TD"
    for number, (value, action) in enumerate(steps):
        yield f'  v{number}(["{value}"])'
        if action:
            yield f'  a{number}["{action}"]'
            yield f"  v{number} --> a{number} --> v{number + 1}"


PICTURES = {"components": draw_components, "way": draw_way}


def update(page):
    def fill(match):
        head, name, _, tail = match.groups()
        return head + "\n".join(PICTURES[name]()) + "\n" + tail

    return BLOCK.sub(fill, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    page = read(PAGE)
    updated = update(page)
    if arguments.check:
        lines = list(
            difflib.unified_diff(
                page.splitlines(), updated.splitlines(), PAGE, "generated", lineterm=""
            )
        )
        print("\n".join(lines) if lines else f"{PAGE} is up to date")
        return 1 if lines else 0
    with open(os.path.join(ROOT, PAGE), "w", encoding="utf-8") as file:
        file.write(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
