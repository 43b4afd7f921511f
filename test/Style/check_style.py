#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of the source tree that no compiler checks.

usage: check_style.py RULE SOURCE_DIR

Prints each violation as "file:line: message" and exits with status 1 if there is one.
"""

import ast
import collections
import os
import re
import shutil
import subprocess
import sys

from components import DEPENDENCIES, EMULATOR_LAYERS, EMULATOR_LLVM

MAX_LINES = 500
MAX_COLUMNS = 100
MAX_FUNCTION_LINES = 60
MAX_FOLDER_FILES = 25
C_SUFFIXES = (".cpp", ".h", ".c", ".cl", ".hip", ".inc")
# The formatters, each with the option that makes it name the files it would change.
FORMATTERS = {
    "clang-format-22": ["--dry-run", "-Werror"],
    "black": ["--check", "--required-version=23", f"--line-length={MAX_COLUMNS}"],
}
BANNER = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
BANNER_SUFFIXES = (".cpp", ".h", ".td", ".py", ".sh", ".def")
TEXT_SUFFIXES = BANNER_SUFFIXES + (".mlir", ".test", ".txt", ".cmake", ".in", ".md")
FOLDERS = ("include", "lib", "python", "tools", "test", "docs", ".ci")


def find_files(root, suffixes):
    """Paths below the source folders, relative to `root`, whose names end in one of `suffixes`."""
    paths = []
    for folder in FOLDERS:
        for directory, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [f for f in folders if f != "__pycache__"]
            paths += [
                os.path.relpath(os.path.join(directory, name), root)
                for name in names
                if name.endswith(suffixes)
            ]
    return sorted(paths)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def find_scripts(root):
    """Paths of the Python files, those without a suffix included."""
    for path in find_files(root, ("",)):
        name = os.path.basename(path)
        if name.endswith(".py"):
            yield path
        elif "." not in name and read(root, path).startswith("#!/usr/bin/env python3\n"):
            yield path


def get_component(path):
    """The component of a path such as lib/Chip/ChipTable.cpp or include/ck-mlir/Chip/..."""
    if path.startswith("include/ck-mlir-c/"):
        return "CAPI"
    match = re.match(r"(?:lib|include/ck-mlir)/([A-Z]\w*)/", path)
    return match.group(1) if match else None


def get_closure(component, dependencies=None):
    """Everything that `component` may use, itself included."""
    dependencies = DEPENDENCIES if dependencies is None else dependencies
    closure = {component}
    for dependency in dependencies[component]:
        closure |= get_closure(dependency, dependencies)
    return closure


def check_include(component, header):
    """Why `component` must not include `header`, or None."""
    own = re.match(r"ck-mlir/([A-Z]\w*)/", header)
    if own and own.group(1) not in get_closure(component):
        return f"{component} must not include {own.group(1)}"
    internal = re.match(r"([A-Z]\w*)/", header)
    if internal and internal.group(1) in DEPENDENCIES and internal.group(1) != component:
        return f"{component} must not include what is internal to {internal.group(1)}"
    if header.startswith("ck-mlir-c/") and component != "CAPI":
        return f"{component} must not include the C API"
    if header.startswith("mlir/") and "IR" not in get_closure(component):
        return f"{component} must not include MLIR"
    llvm = re.match(r"llvm/(\w+)", header)
    if component == "Emulator" and llvm and llvm.group(1) not in EMULATOR_LLVM:
        return f"Emulator must not include llvm/{llvm.group(1)}"
    return None


def check_includes(root):
    for path in find_files(root, (".h", ".cpp", ".td")):
        component = get_component(path)
        if component is None:
            continue
        if component not in DEPENDENCIES:
            yield path, 1, f"unknown component {component}"
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            match = re.match(r'\s*(?:#\s*)?include\s*["<]([^">]+)[">]', line)
            reason = match and check_include(component, match.group(1))
            if reason:
                yield path, number, f"{reason}: {match.group(1)}"


def check_links(root):
    for path in find_files(root, ("CMakeLists.txt",)):
        component = get_component(path)
        if component not in DEPENDENCIES or not path.startswith("lib/"):
            continue
        calls = r"(?:add_ck_library|target_link_libraries)\(([^)]*)\)"
        for call in re.finditer(calls, read(root, path)):
            libraries = re.findall(r"\bCK([A-Z]\w*)\b", call.group(1))
            for library in libraries:
                if library in DEPENDENCIES and library not in get_closure(component):
                    yield path, 1, f"{component} must not link CK{library}"


def check_dependencies(root):
    """Components include and link only what stands below them."""
    yield from check_includes(root)
    yield from check_links(root)


def get_layer(path):
    """The layer of a path below lib/Emulator: its longest folder that is one, or None."""
    folders = path.split("/")[:-1]
    for length in range(len(folders), 0, -1):
        if "/".join(folders[:length]) in EMULATOR_LAYERS:
            return "/".join(folders[:length])
    return None


def check_layers(root):
    """Folders of the emulator include only those below them, by their path from lib."""
    prefix = "lib/Emulator/"
    for path in find_files(root, (".h", ".cpp")):
        if not path.startswith(prefix):
            continue
        layer = get_layer(path[len(prefix) :])
        if layer is None:
            yield path, 1, "expected a file in a folder of EMULATOR_LAYERS"
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            match = re.match(r'#include "([^"]+)"', line)
            if not match or re.match(r"(ck-mlir|llvm|hip)/", match.group(1)):
                continue
            header = match.group(1)
            if not header.startswith("Emulator/"):
                yield path, number, f"expected the path from lib: {header}"
            elif get_layer(header[len("Emulator/") :]) not in get_closure(layer, EMULATOR_LAYERS):
                yield path, number, f"{layer} must not include {header}"


def check_visibility(root):
    """What private headers and sources of components declare is not exported by libCKMLIR.so."""
    for path in find_files(root, (".h", ".cpp")):
        component = get_component(path)
        exported = component and path.startswith("lib/") and component != "Emulator"
        if not exported or "/Mgpu/" in path or os.path.basename(path) == "Pch.h":
            continue
        text = read(root, path)
        if path.endswith(".cpp"):
            ours = r"^namespace mlir::ck\b[\w:]* \{$.*?^\}"
            for namespace in re.finditer(ours, text, re.S | re.M):
                for found in re.finditer(r"^(class|struct) (\w+)\b[^;{]*\{", namespace[0], re.M):
                    if found[2] != "LLVM_LIBRARY_VISIBILITY":
                        line = text.count("\n", 0, namespace.start() + found.start()) + 1
                        yield path, line, f"expected LLVM_LIBRARY_VISIBILITY before '{found[2]}'"
            continue
        if not re.search(
            r"^#pragma GCC visibility push\(hidden\)$.*^namespace .*pop$", text, re.S | re.M
        ):
            yield path, 1, "expected '#pragma GCC visibility push(hidden)' before the namespace"


def check_text(root):
    """Size budget, white space and left-over notes of every text file."""
    for path in find_files(root, TEXT_SUFFIXES):
        lines = read(root, path).split("\n")
        if len(lines) - 1 > MAX_LINES:
            yield path, MAX_LINES, f"expected at most {MAX_LINES} lines, got {len(lines) - 1}"
        for number, line in enumerate(lines, 1):
            if "\t" in line:
                yield path, number, "tab"
            if line != line.rstrip():
                yield path, number, "white space at the end of the line"
            if re.search(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b", line):
                yield path, number, "left-over note"
        if lines[-1]:
            yield path, len(lines), "no newline at the end of the file"


def check_width(root):
    """Lines of code fit the width that .clang-format sets."""
    for path in find_files(root, (".cpp", ".h", ".py", ".sh", ".txt", ".cmake")):
        for number, line in enumerate(read(root, path).split("\n"), 1):
            if len(line) > MAX_COLUMNS and "http" not in line:
                yield path, number, f"expected at most {MAX_COLUMNS} columns, got {len(line)}"


def find_functions(lines):
    """(first line, last line) of every function that begins and ends in the first column."""
    no_function = ("namespace", "struct", "class", "enum", "union", 'extern "C" {')
    start, depth = None, 0
    for number, line in enumerate(lines, 1):
        if line == "}" and start:
            yield start, number
            start = None
        elif line == "};":
            start = None
        elif re.match(r"[A-Za-z_~]", line) and (start is None or depth == 0):
            declaration = line.endswith((";", "}")) or line.startswith(no_function)
            start, depth = (None if declaration else number), 0
        if start:
            depth += line.count("{") - line.count("}")


def find_script_functions(text):
    """(first line, last line) of every function of a Python file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno, node.end_lineno


def check_functions(root):
    """Functions fit a screen."""
    functions = {p: find_functions(read(root, p).split("\n")) for p in find_files(root, C_SUFFIXES)}
    functions |= {p: find_script_functions(read(root, p)) for p in find_scripts(root)}
    for path, spans in functions.items():
        for first, last in spans:
            length = last - first + 1
            if length > MAX_FUNCTION_LINES:
                yield path, first, f"expected at most {MAX_FUNCTION_LINES} lines, got {length}"


def check_folders(root):
    """A folder is a list that one reads at a glance."""
    counts = collections.Counter(os.path.dirname(path) for path in find_files(root, ("",)))
    for folder, count in sorted(counts.items()):
        if count > MAX_FOLDER_FILES:
            yield folder, 1, f"expected at most {MAX_FOLDER_FILES} files, got {count}"


def check_format(root):
    """C++ and Python are what clang-format and black make of them."""
    files = {"clang-format-22": find_files(root, C_SUFFIXES), "black": sorted(find_scripts(root))}
    for tool, options in FORMATTERS.items():
        if shutil.which(tool) is None:
            yield ".", 1, f"the rule requires {tool}, which tools/install-deps.sh installs"
            continue
        if not files[tool]:
            continue
        command = [tool, *options, *files[tool]]
        result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        wrong = re.findall(r"^(\S+?):(\d+):\d+: error:", result.stderr, flags=re.M)
        wrong += [(p, 1) for p in re.findall(r"^would reformat (.*)", result.stderr, flags=re.M)]
        for path, line in {os.path.relpath(p, root): n for p, n in reversed(wrong)}.items():
            yield path, int(line), f"not formatted with {tool}"
        if result.returncode and not wrong:
            yield ".", 1, f"{tool} failed: {result.stderr.strip()}"


def check_readme(root):
    """The README opens with two commands: build and run one problem, and run the tests."""
    block = re.search(r"```sh\n(.*?)```", read(root, "README.md"), re.S)
    commands = block.group(1).splitlines() if block else []
    if len(commands) != 2:
        yield "README.md", 1, f"expected two commands in the first block, got {len(commands)}"
    elif not re.search(r"(^|&& )ctest [^&|;]*$", commands[1]):
        yield "README.md", 1, f"expected the second command to end with ctest, got {commands[1]}"


def check_banners(root):
    """Every source file names itself, its license and why it exists."""
    for path in find_files(root, BANNER_SUFFIXES):
        head = read(root, path).split("\n")[:12]
        if not any(BANNER in line for line in head[:8]):
            yield path, 1, f"no license banner ({BANNER})"
        name = os.path.basename(path)
        if path.endswith((".cpp", ".h", ".td")) and not head[0].startswith(f"//===- {name} - "):
            yield path, 1, f"expected the first line to begin with '//===- {name} - '"


def blank_out(text):
    """`text` without comments, strings and code blocks, same line structure."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return re.sub(r'\[\{.*?\}\]|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def find_records(text):
    """(header, body, line) of every def and class with a body of a .td file. Code blocks stay."""
    blanked = blank_out(text)
    for match in re.finditer(r"^(?:def|class)\b", blanked, flags=re.M):
        end = re.compile(r"[{;]").search(blanked, match.end())
        if end is None or end.group(0) == ";":
            continue
        depth, position = 1, end.end()
        while depth and position < len(blanked):
            depth += {"{": 1, "}": -1}.get(blanked[position], 0)
            position += 1
        line = text.count("\n", 0, match.start()) + 1
        yield text[match.start() : end.start()], text[end.end() : position - 1], line


def check_tablegen(root):
    """mlir-tblgen silently takes the last of two `let`s of a field."""
    for path in find_files(root, (".td",)):
        for header, body, line in find_records(read(root, path)):
            fields = re.findall(r"^\s*let\s+(\w+)", blank_out(body), flags=re.M)
            for field in sorted({f for f in fields if fields.count(f) > 1}):
                name = header.split()[1].rstrip(":")
                yield path, line, f"'{field}' is set twice in {name}"


def squeeze(text):
    """`text` without comments and white space."""
    return re.sub(r"\s+", "", re.sub(r"^\s*//.*", "", text, flags=re.M))


def find_mention(header):
    """What the IR of an example of a record must have; None for other records."""
    kinds = (
        (r":\s*CK_\w*Op<\s*\"([\w.]+)\"", "ck."),
        (r":\s*CK_Type<\s*\"\w+\",\s*\"([\w.]+)\"", "!ck."),
        (r":\s*CK_Attr<\s*\"\w+\",\s*\"([\w.]+)\"", "#ck."),
        (r":\s*Pass<\s*\"([\w-]+)\"", ""),
    )
    for regex, prefix in kinds:
        match = re.search(regex, header)
        if match and header.startswith("def"):
            return prefix + match.group(1)
    return None


def check_example(root, mention, body):
    """What is wrong with the example in `body`; its IR is that of a test, line by line. What passes
    make of theirs is pasted by docs/scripts/update_examples.py."""
    example = re.search(r"\btest/[\w/.-]+\.(?:mlir|test)", body)
    if example is None:
        return f"the description of {mention} names no tested example"
    path = example.group(0)
    if not os.path.exists(os.path.join(root, path)):
        return f"the example of {mention} does not exist: {path}"
    test = read(root, path)
    if not mention.startswith("#") and not re.search(rf"{re.escape(mention)}\b", test):
        return f"{path} does not use {mention}"
    blocks = re.findall(r"^ *```mlir\n(.*?)^ *```", body, flags=re.S | re.M)
    if not blocks:
        return f"the description of {mention} has no IR"
    if re.match("!?ck[.]", mention) and not any(
        re.search(rf"{re.escape(mention)}\b", b) for b in blocks
    ):
        return f"the IR in the description of {mention} does not use it"
    parts = [part for block in blocks for part in block.split("\n\n")]
    if "ck." in mention and not all(squeeze(part) in squeeze(test) for part in parts):
        return f"the IR in the description of {mention} is not that of {path}"
    return None


def check_examples(root):
    """Every op, type, attribute and pass has a summary and a description with a tested example."""
    for path in find_files(root, (".td",)):
        for header, body, line in find_records(read(root, path)):
            mention = find_mention(header)
            if mention is None:
                continue
            for field in ("summary", "description"):
                if not re.search(rf"^\s*let\s+{field}\b", body, flags=re.M):
                    yield path, line, f"{mention} has no {field}"
            reason = check_example(root, mention, body)
            if reason and not path.startswith("test/"):
                yield path, line, reason


def check_environment(root):
    """docs/Environment.md lists exactly the variables that the code reads."""
    page = "docs/Environment.md"
    documented = set(re.findall(r"^\| `(CK_\w+)`", read(root, page), flags=re.M))
    used = {}
    for path in find_files(root, (".cpp", ".h")):
        if path.startswith("test/"):
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            for name in re.findall(r'"(CK_[A-Z_]+)"', line):
                used.setdefault(name, (path, number))
    for name in sorted(set(used) - documented):
        yield *used[name], f"{name} is not in {page}"
    for name in sorted(documented - set(used)):
        yield page, 1, f"no code reads {name}"


def check_docs(root):
    """Links between pages resolve, files that a page names exist, and code that it quotes from one
    is that file's code."""
    pages = [p for p in find_files(root, (".md",)) if p.startswith("docs/")]
    for page in ["README.md"] + pages:
        text = read(root, page)
        folder = os.path.dirname(page)
        prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
        for link in re.findall(r"\]\(([^)#\s]+)", prose):
            if "://" not in link and not os.path.exists(os.path.join(root, folder, link)):
                yield page, 1, f"dead link: {link}"
        names = r"`((?:" + "|".join(FOLDERS) + r")/[\w./-]+|\w+\.md)"
        for name in re.findall(names, prose):
            if not any(os.path.exists(os.path.join(root, at, name)) for at in ("", folder)):
                yield page, 1, f"names a file that does not exist: {name}"
        for source, code in re.findall(r"<!-- from (\S+) -->\n```\w*\n(.*?)```", text, re.S):
            if not os.path.exists(os.path.join(root, source)):
                yield page, 1, f"quotes a file that does not exist: {source}"
            elif code not in read(root, source):
                yield page, 1, f"the code quoted from {source} differs"


RULES = {
    "dependencies": check_dependencies,
    "layers": check_layers,
    "visibility": check_visibility,
    "text": check_text,
    "width": check_width,
    "functions": check_functions,
    "folders": check_folders,
    "format": check_format,
    "readme": check_readme,
    "banners": check_banners,
    "tablegen": check_tablegen,
    "examples": check_examples,
    "environment": check_environment,
    "docs": check_docs,
}


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in RULES:
        print(f"usage: check_style.py {'|'.join(RULES)} SOURCE_DIR", file=sys.stderr)
        return 2
    rule, root = arguments
    violations = list(RULES[rule](root))
    for path, number, message in violations:
        print(f"{path}:{number}: {message}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
