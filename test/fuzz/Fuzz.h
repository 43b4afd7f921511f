//===- Fuzz.h - What a fuzzer defines -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points are those of libFuzzer, so that it can take the place of Driver.cpp, which needs
// no runtime of the compiler and draws the same inputs on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_FUZZ_FUZZ_H
#define CK_MLIR_TEST_FUZZ_FUZZ_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The largest input that is drawn.
inline constexpr size_t kMaxInputBytes = 1 << 16;

/// The status with which a known error of LLVM or MLIR, listed in docs/Testing.md, ends the
/// process. It is no failure.
inline constexpr int kUpstreamStatus = 77;

/// Gives one input to the code under test. Whatever is wrong ends the process: a crash, an abort,
/// an exit, a report of a sanitizer.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Runs once, before all inputs. Need not be defined.
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/// Changes the input in place and returns its new size.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed);

/// Inputs that are made, not stored. Need not be defined.
__attribute__((weak)) std::vector<std::string> makeFuzzSeeds();

namespace ckfuzz {

/// Ends the process unless `holds`; `what` names the property that an input broke.
void require(bool holds, const std::string &what);

} // namespace ckfuzz

#endif // CK_MLIR_TEST_FUZZ_FUZZ_H
