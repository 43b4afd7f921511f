# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stubs of the extension, which mypy takes for what it is."""

import ast
import pathlib
import re

from ck_mlir import _native


def read_stub():
    """Names of functions and methods of the stub, with the number of their parameters."""
    path = pathlib.Path(_native.__file__).parent / "_native.pyi"
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, ast.FunctionDef):
                arguments = member.args.posonlyargs + member.args.args
                found[prefix + member.name] = len(arguments)
    return found


def count_parameters(function):
    """The parameters of a function of nanobind."""
    signature = re.sub(r"\[[^\]]*=[^\]]*\]|\[\]", "", function.__nb_signature__[0][0])
    arguments = ast.parse(f"{signature}: ...").body[0].args
    return len(arguments.posonlyargs + arguments.args)


def read_extension():
    """The same of the extension."""
    found = {}
    for name, value in vars(_native).items():
        if isinstance(value, type):
            for member, method in vars(value).items():
                if hasattr(method, "__nb_signature__"):
                    found[f"{name}.{member}"] = count_parameters(method)
        elif hasattr(value, "__nb_signature__"):
            found[name] = count_parameters(value)
    return found


def test_stubs():
    assert read_stub() == read_extension()
