# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the passes of a plugin with those of ck-opt.

usage: check_passes.py INCLUDE MLIR_OPT CK_OPT PLUGIN

The passes are those that TableGen files below INCLUDE define, the pipelines those that CK_OPT
lists. All of them are put into one pipeline, which MLIR_OPT with PLUGIN must be able to parse and
print.
"""

import pathlib
import re
import subprocess
import sys

PASS = re.compile(r'^def \w+Pass : (?:InterfacePass|Pass)<"([\w-]+)"(?:, "([\w:]+)")?', re.M)
ANCHORS = {
    "::mlir::ModuleOp": "builtin.module",
    "::mlir::func::FuncOp": "func.func",
    "::mlir::gpu::GPUModuleOp": "gpu.module",
}


def find_passes(include):
    """{name: op that it works on} of all passes."""
    passes = {}
    for path in sorted(pathlib.Path(include).rglob("*.td")):
        passes |= dict(PASS.findall(path.read_text(encoding="utf-8")))
    return passes


def find_pipelines(ck_opt, passes):
    """The names of ck-opt's options that are pipelines of ours."""
    text = subprocess.run([ck_opt, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^ +--(ck-[\w-]+)", text, flags=re.M)
    return sorted(set(names) - set(passes))


def wrap(name, anchor):
    """The element of a pipeline on modules for a pass."""
    operation = ANCHORS.get(anchor, anchor or "any")
    return name if operation == "builtin.module" else f"{operation}({name})"


def main(arguments):
    include, mlir_opt, ck_opt, plugin = arguments
    passes = find_passes(include)
    pipelines = find_pipelines(ck_opt, passes)
    elements = [wrap(name, anchor) for name, anchor in passes.items()] + pipelines
    command = [mlir_opt, f"--load-dialect-plugin={plugin}", f"--load-pass-plugin={plugin}"]
    command += [f"--pass-pipeline=builtin.module({','.join(elements)})", "--dump-pass-pipeline"]
    # The empty module is no input for some of the passes; all that counts is the printed pipeline.
    result = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    printed = result.stderr.partition("Pass Manager with")[2]
    missing = [name for name in passes if not re.search(rf"\b{name}\b", printed)]
    if not printed or missing:
        print(f"missing: {', '.join(missing)}\n{result.stderr}")
        return 1
    print(f"{len(passes)} passes and {len(pipelines)} pipelines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
