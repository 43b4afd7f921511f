"""Lets tinygrad's device HIP compile with clang 22 in place of AMD's comgr.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Debian's comgr is of LLVM 15 and refuses what tinygrad asks for. Import this before the first
tensor: tinygrad renders HIP as before, clang compiles it, with the device libraries that come with
Triton.
"""

import importlib.util
import os
import subprocess

from tinygrad.device import CompileError, Compiler
from tinygrad.renderer.cstyle import HIPRenderer
from tinygrad.runtime import ops_hip

CLANG = os.environ.get("CLANG", "/usr/lib/llvm-22/bin/clang++")
LIBRARIES = os.path.join(
    os.path.dirname(importlib.util.find_spec("triton").origin), "backends", "amd", "lib"
)
# What AMD's compiler takes from further libraries.
CONSTANTS = """
#ifdef __GFX9__
#define WAVE64 true
#else
#define WAVE64 false
#endif
#define CONSTANT extern "C" __attribute__((device, constant, weak)) const
CONSTANT bool __oclc_daz_opt = false, __oclc_finite_only_opt = false,
    __oclc_unsafe_math_opt = false, __oclc_correctly_rounded_sqrt32 = true,
    __oclc_wavefrontsize64 = WAVE64;
CONSTANT int __oclc_ABI_version = 600, __oclc_ISA_version = 9402;
"""


class ClangCompiler(Compiler):
    """Compiles HIP to a code object for `arch`, such as "gfx942:sramecc+:xnack-"."""

    def __init__(self, arch):
        self.arch = arch
        super().__init__(None)

    def compile(self, src):
        """The bytes of the code object of the source `src`."""
        command = [CLANG, "-x", "hip", "-", "-o", "-", "-O3", f"--offload-arch={self.arch}"]
        command += ["--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-w"]
        for name in ("ocml.bc", "ockl.bc"):
            library = os.path.join(LIBRARIES, name)
            command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", library]
        result = subprocess.run(command, input=(CONSTANTS + src).encode(), capture_output=True)
        if result.returncode != 0:
            raise CompileError(result.stderr.decode())
        return result.stdout


class ClangRenderer(HIPRenderer):
    """Renders HIP as tinygrad does."""

    def __init__(self, target):
        # The compiler of the base is created, too: it must not look for comgr.
        from tinygrad.runtime.support import compiler_amd

        compiler_amd.HIPCompiler = ClangCompiler
        super().__init__(target)


ops_hip.HIPRenderer = ClangRenderer
