//===- Judgement.h - How far modelled times can be trusted -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What test/Emulator/Timing/judge found: between which multiples of the modelled time nine of ten
// measured ones lie, for kinds of kernels on the chips of which there are measured times.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_JUDGEMENT_H
#define CK_MLIR_LIB_EMULATOR_TIMING_JUDGEMENT_H

#include "Emulator/Timing/Replay/InstructionCost.h"
#include "Emulator/Timing/Replay/Stalls.h"
#include "llvm/Support/JSON.h"

namespace ckemu {

/// What a kernel is judged as: by its widest matrix instruction in bits of an operand, or by none.
enum class KernelKind : uint8_t { Matrix32, Matrix16, Matrix8, Matrix4, Other };

/// Of the measured times of kernels of one kind on one chip, five in a hundred are less than
/// `lowest` times the modelled one, and five are more than `highest` times.
struct Judgement {
  Isa isa;
  KernelKind kind;
  bool hasAtomics; ///< the kernel adds to what other workgroups write
  double lowest, highest;
  unsigned calls;             ///< that were judged
  llvm::StringLiteral source; ///< of the measured times, and the product
};

llvm::ArrayRef<Judgement> getJudgements();

/// The judgement for a kernel: of its kind and chip, else of the chip, else of the chip that is
/// next of kin. Never none.
const Judgement &findJudgement(Isa isa, KernelKind kind, bool hasAtomics);

/// What a kernel is, by the instructions of which `executions` are not 0.
std::pair<KernelKind, bool> classifyKernel(llvm::ArrayRef<InstructionCost> costs,
                                           llvm::ArrayRef<uint64_t> executions);

/// The field `modelled_error` of a launch of docs/emulator/time.md.
llvm::json::Object describeJudgement(const Judgement &judgement);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_JUDGEMENT_H
