//===- SanitizerOptions.cpp - What sanitizers must know -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of every program of a build with sanitizers. What ASAN_OPTIONS, UBSAN_OPTIONS and
// TSAN_OPTIONS say goes before these. Sanitize.cmake has the reasons.
//
//===----------------------------------------------------------------------===//

#define CK_DEFAULT extern "C" __attribute__((visibility("default"), used)) const char *

CK_DEFAULT __asan_default_options() { return CK_ASAN_OPTIONS; }

CK_DEFAULT __ubsan_default_options() { return "print_stacktrace=1"; }

CK_DEFAULT __tsan_default_options() { return CK_TSAN_OPTIONS; }

// Where the emulator copies between registers and the memory of a device, workgroups on two threads
// may meet: that is a race of the kernel, which the emulator's own checks judge.
CK_DEFAULT __tsan_default_suppressions() { return "race:ckemu::copyIn\nrace:ckemu::copyOut\n"; }
