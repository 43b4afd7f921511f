#!/bin/sh
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: install-deps.sh [--wide]
#
# Installs what building and testing needs on Debian 12; with --wide also what is large and only
# used by tests of `ctest -C all`, which are skipped without it. To be run as root. The packages of
# LLVM 22 come from Debian's own bookworm-security, which every Debian 12 has in its sources; the
# others are in bookworm itself. Nothing is downloaded from elsewhere.
set -eu

if [ $# -gt 1 ] || [ "${1:---wide}" != --wide ]; then
  echo "install-deps.sh: error: expected nothing or --wide, got '$*'" >&2
  exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "install-deps.sh: error: must be run as root" >&2
  exit 2
fi

packages="
  clang-22 lld-22            # compiler and linker of this project
  libclang-rt-22-dev         # the sanitizers
  llvm-22-dev llvm-22-tools  # the AMDGPU backend; lit, FileCheck
  libmlir-22-dev mlir-22-tools
  liblld-22-dev              # the linker as a library
  zlib1g-dev libzstd-dev     # of liblld
  libamdhip64-dev            # the HIP headers
  cmake ninja-build python3
  pkg-config                 # finds the installed package for programs in C
  dpkg-dev file              # what a package of the project depends on
  qemu-user                  # processors without AVX, for a test of the emulator
  libgtest-dev libgmock-dev  # unit tests
  python3-dev python3-venv   # the Python package; its tests take the rest from PyPI
  clang-tools-22             # clang-offload-bundler, with which a test compresses a bundle
  clang-format-22 black      # the formatters that test/Style runs
  clang-tidy-22              # of the wide tests
  libdnnl-dev                # the library that the reference is checked against
"
[ $# -eq 0 ] || packages="$packages
  python3-torch              # the operators of the Python package
"

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2046
apt-get install -y -qq --no-install-recommends $(printf '%s' "$packages" | sed 's/#.*//')
