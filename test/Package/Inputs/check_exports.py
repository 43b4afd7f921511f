# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what libCKMLIR.so exports with what its components declare in public headers.

usage: check_exports.py NM LIBRARIES

LIBRARIES is the folder with libCKMLIR.so and, in folders of their own, the static components. What
private headers declare is hidden in the objects of the components already.
"""

import pathlib
import re
import shutil
import subprocess
import sys

# What may be exported, as the linker names it: what is in mlir::ck, what is in cksupport, which the
# emulator has as well, tables of classes and TypeIDs. An instance of a template of another
# namespace has no such name, even if its result does.
PUBLIC = re.compile(
    r"_ZNK?4mlir2ck|_ZNK?9cksupport|_ZT[VIS]N4mlir2ck|_ZN4mlir6detail14TypeIDResolverINS_2ck"
)
# Four of seven are members of generated op classes, some 35 for an op. Whoever declares so much
# that this is exceeded should look for what needs not be public.
MAX_SYMBOLS = 3200
C_FUNCTION = re.compile(r"ckMlir\w+|mlirGetDialectHandle__ck__")
# Components that are no part of the library.
OTHERS = {"libCKEmulator.a", "libCKEmulatorTiming.a", "libCKPch.a"}


def run(tool, *arguments, text=None):
    """What one of LLVM's tools prints."""
    command = [tool, *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def read_exports(nm, library):
    """{name as the linker has it: (kind, name as in C++)}, both without the version."""
    text = run(nm, "--dynamic", "--defined-only", "--format=posix", library)
    symbols = re.findall(r"^(\w+)(?:@\S*)? ([A-Za-z])\b", text, flags=re.M)
    names = run(nm.replace("nm", "cxxfilt"), text="\n".join(name for name, _ in symbols))
    return {s[0]: (s[1], readable) for s, readable in zip(symbols, names.splitlines())}


def find_declared(readelf, library):
    """The mangled names of strong symbols of a static library that are visible from outside."""
    text = run(readelf, "--symbols", "--wide", library)
    pattern = r" (?:FUNC|OBJECT) +GLOBAL +DEFAULT +\d+ (\S+)$"
    return set(re.findall(pattern, text, flags=re.M))


def find_system_symbols(nm):
    """The strong symbols of the libMLIR.so and the libLLVM.so that belong to the tool `nm`."""
    folder = pathlib.Path(shutil.which(nm)).resolve().parent.parent / "lib"
    text = ""
    for name in ("libMLIR.so", "libLLVM.so"):
        text += run(nm, "--dynamic", "--defined-only", "--format=posix", folder / name)
    ours = ("_init", "_fini", "__bss_start", "_end", "_edata")
    return set(re.findall(r"^(\w+)\S* [TBDR]\b", text, flags=re.M)) - set(ours)


def main(arguments):
    nm, libraries = arguments[0], pathlib.Path(arguments[1])
    library = libraries / "libCKMLIR.so"
    exported = read_exports(nm, library)
    wrong = [
        name
        for symbol, (kind, name) in exported.items()
        if kind != "A" and not PUBLIC.match(symbol) and not C_FUNCTION.fullmatch(name)
    ]
    declared = set()
    for path in sorted(libraries.rglob("libCK*.a")):
        if path.name not in OTHERS:
            declared |= find_declared(nm.replace("nm", "readelf"), path)
    missing = sorted(declared - set(exported))
    for title, names in (("not public", wrong), ("not exported", missing)):
        for name in names:
            print(f"{title}: {name}")
    if len(exported) > MAX_SYMBOLS:
        print(f"expected at most {MAX_SYMBOLS} symbols, got {len(exported)}")
    kinds = [kind.upper() for kind, _ in exported.values()]
    print(f"{kinds.count('T')} functions and {sum(map(kinds.count, 'DBR'))} objects")

    # What is defined here and exported there, too, would be a second copy. Instances of templates
    # are weak, and each library has those that it uses.
    here = set(re.findall(r"^(\S+) [TBDRtbdr]\b", run(nm, "--format=posix", library), flags=re.M))
    copies = here & find_system_symbols(nm)
    for name in sorted(copies):
        print(f"second copy: {name}")
    print(f"{len(copies)} symbols of LLVM's or MLIR's")
    return 1 if wrong or missing or copies or len(exported) > MAX_SYMBOLS else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
