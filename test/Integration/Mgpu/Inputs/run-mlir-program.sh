#!/bin/sh
# Runs an MLIR program with gpu.launch on the emulator: run-mlir-program.sh PROGRAM.mlir
# BUILD is the build tree of ck-mlir, LLVM the prefix of LLVM and MLIR 22.
#
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
PATH="$BUILD/bin:$LLVM/bin:$PATH"
chip=gfx942

kernels="convert-scf-to-cf,convert-gpu-to-rocdl{chipset=$chip},reconcile-unrealized-casts"
mlir-opt "$1" --pass-pipeline="builtin.module(gpu-kernel-outlining,
    rocdl-attach-target{chip=$chip},gpu.module($kernels),convert-scf-to-cf,gpu-to-llvm)" |
  ck-opt --ck-serialize-kernels |
  mlir-opt --convert-func-to-llvm --reconcile-unrealized-casts |
  CK_RUNTIME_DEVICE=emulator CK_EMULATOR_CHIP=$chip mlir-runner --entry-point-result=void \
    --shared-libs="$BUILD/lib/libck_mgpu_runtime.so" \
    --shared-libs="$LLVM/lib/libmlir_runner_utils.so"
