//===- ExecMasks.h - Where all lanes of a wave are active -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the masks that compilers make for divergent branches and loops: what is taken out of EXEC
// is kept in scalar registers, and added again where the ways meet.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_EXECMASKS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_EXECMASKS_H

#include "Emulator/Decode/Decoder.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace ckemu {

/// Which instructions a wave can execute directly after each.
class ControlFlow {
public:
  /// None for code with jumps whose target is computed, calls, traps, or registers whose number is
  /// computed, that can be reached from `entry`.
  static std::optional<ControlFlow> find(const DecodedCode &code, const Instruction *entry);

  /// Indices of instructions; at most two.
  llvm::ArrayRef<uint32_t> getSuccessors(uint32_t index) const { return successors[index]; }
  bool isReached(uint32_t index) const { return reached[index]; }

private:
  std::vector<llvm::SmallVector<uint32_t, 2>> successors;
  std::vector<bool> reached;
};

/// For each instruction whether all lanes are active whenever a wave of `waveSize` lanes executes
/// it, given that all are at `entry`.
std::vector<bool> findFullExec(const DecodedCode &code, const ControlFlow &flow,
                               const Instruction *entry, unsigned waveSize);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_EXECMASKS_H
