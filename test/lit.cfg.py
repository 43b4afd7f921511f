"""Configuration of the lit tests.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A test is a .mlir or .test file below test/ with RUN lines. The tools of the build, FileCheck, not,
count and split-file are found by name.

Substitutions: %python, %source and %build (the source and the build tree), %libraries (the folder
of the build's libraries), %test-passes (a plugin of ck-opt with the passes of test/lib),
%run-broken (ck-run with one of them, see test/lib/RunBroken.cpp), %plugin (our plugin of mlir-opt),
%stock-opt (an mlir-opt with that plugin), %c-compiler and %configure (CMake, both for projects
outside of ours), %emulator (the emulator's library), %preloaded-emulator (what LD_PRELOAD must be
for a program to meet the emulator first), %idle-hip (a HIP library whose GPU does nothing; with
CK_IDLE_HIP_NONE set, one without a GPU), %usage-error COMMAND (the command must end with status 2
and one line on stderr, which is printed), %foreign-python (the Python with other compilers: of
test/Emulator/Foreign/make-environment, or %python), %models-bin (the programs of the environment
with the frameworks of test/Models).
Features: wide (runs under check-ck-all only), asan (a build with AddressSanitizer), x86-64-v3 (the
emulator has handlers for this level, and the processor is of it), qemu (qemu-x86_64 can be other
processors), debian (packages of Debian can be made), triton and iree (%foreign-python has these
packages), miopen (it has NumPy, and the environment variable MIOPEN_KERNELS names a folder, for
which %miopen-kernels stands), miopen-timing (MIOPEN_TIMING names a file, for which %miopen-timing
stands), models (there are the frameworks of test/Models).
"""

import os
import shutil
import subprocess

import lit.formats

config.name = "ck-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Style", "fuzz", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ck_binary_dir, "test", "lit")

config.environment["PATH"] = os.path.pathsep.join(
    [config.ck_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
# Variables of one CHECK-LABEL block do not leak into the next.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input=fail"

if config.asan_runtime:
    config.available_features.add("asan")
    # Programs that we do not build load our libraries: they need the runtime from the beginning.
    config.environment["LD_PRELOAD"] = config.asan_runtime
    config.environment["ASAN_OPTIONS"] = config.asan_options

usage_error = os.path.join(config.test_source_root, "usage_error.py")
config.substitutions.append(("%usage-error", f"{config.python_executable} {usage_error}"))
emulator = os.path.join(config.ck_library_dir, "libck_hip_emulator.so")
preloaded = ":".join(filter(None, [config.asan_runtime, emulator]))
config.substitutions.append(("%preloaded-emulator", preloaded))
config.substitutions.append(("%emulator", emulator))
level = os.path.join(config.ck_library_dir, "libck_emulator_x86-64-v3.so")
with open("/proc/cpuinfo") as cpuinfo:
    if os.path.exists(level) and {"avx2", "bmi2", "f16c", "fma"} <= set(cpuinfo.read().split()):
        config.available_features.add("x86-64-v3")
if shutil.which("qemu-x86_64") and not config.asan_runtime:
    config.available_features.add("qemu")
if all(shutil.which(tool) for tool in ("dpkg-deb", "dpkg-shlibdeps", "file")):
    config.available_features.add("debian")
idle_hip = os.path.join(config.ck_library_dir, "libck_idle_hip.so")
config.substitutions.append(("%idle-hip", idle_hip))
config.substitutions.append(
    ("%test-passes", os.path.join(config.ck_library_dir, "libck_test_passes.so"))
)
broken = os.path.join(config.ck_binary_dir, "test", "bin", "ck-run-broken")
config.substitutions.append(("%run-broken", broken))
config.substitutions.append(("%python", config.python_executable))
plugin = os.path.join(config.ck_library_dir, "CKMLIRPlugin.so")
config.substitutions.append(
    ("%stock-opt", f"mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}")
)
config.substitutions.append(("%plugin", plugin))
config.substitutions.append(("%libraries", config.ck_library_dir))
config.substitutions.append(("%build", config.ck_binary_dir))
configure = ["cmake", "-G", "Ninja", f"-DCMAKE_C_COMPILER={config.c_compiler}"]
configure += [f"-DCMAKE_CXX_COMPILER={config.cxx_compiler}"]
config.substitutions.append(("%c-compiler", config.c_compiler))
config.substitutions.append(("%configure", " ".join(configure)))
config.substitutions.append(("%source", config.ck_source_dir))

foreign_python = os.path.join(config.ck_binary_dir, "test", "foreign", "bin", "python")
if not os.path.exists(foreign_python):
    foreign_python = config.python_executable
config.substitutions.append(("%foreign-python", foreign_python))
models_bin = os.path.join(config.ck_binary_dir, "test", "models", "bin")
config.substitutions.append(("%models-bin", models_bin))

if lit_config.params.get("wide"):
    config.available_features.add("wide")

    def has_packages(names, python=foreign_python):
        command = [python, "-c", f"import {names}"]
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0

    if has_packages("triton, numpy, ml_dtypes"):
        config.available_features.add("triton")
    if has_packages("iree.compiler, iree.runtime, numpy"):
        config.available_features.add("iree")
    models_python = os.path.join(models_bin, "python")
    frameworks = "torchvision, torch_mlir, onnx, onnxscript, iree.compiler, flax"
    if os.path.exists(models_python) and has_packages(frameworks, models_python):
        config.available_features.add("models")
    miopen = os.environ.get("MIOPEN_KERNELS", "")
    if os.path.isdir(miopen) and has_packages("numpy"):
        config.available_features.add("miopen")
        config.substitutions.append(("%miopen-kernels", miopen))
    timing = os.environ.get("MIOPEN_TIMING", "")
    if os.path.isfile(timing):
        config.available_features.add("miopen-timing")
        config.substitutions.append(("%miopen-timing", timing))
