//===- Mutate.h - Small changes of inputs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs that are nearly right come further than noise: texts change by tokens and lines, files by
// fields.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_FUZZ_MUTATE_H
#define CK_MLIR_TEST_FUZZ_MUTATE_H

#include "Random.h"
#include <string>

namespace ckfuzz {

/// Changes some tokens or lines of a text: numbers become extreme ones, names others of the text.
void mutateText(std::string &text, Random &random);

/// Changes some bytes, or numbers of 2, 4 and 8 bytes, of a file; seldom its length.
void mutateBytes(std::string &bytes, Random &random);

/// Puts a part of `other` into `input`: whole lines where there are some.
void splice(std::string &input, const std::string &other, Random &random);

/// Runs a mutator on the buffer of LLVMFuzzerCustomMutator.
size_t mutateBuffer(uint8_t *data, size_t size, size_t maxSize, unsigned seed,
                    void (*mutator)(std::string &, Random &));

} // namespace ckfuzz

#endif // CK_MLIR_TEST_FUZZ_MUTATE_H
