//===- KernelCheck.cpp - Register use of a kernel against its descriptor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See KernelCheck.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/KernelCheck.h"
#include "Emulator/Load/KernelName.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;
using llvm::StringRef;

namespace {
struct Reachable {
  llvm::BitVector instructions; ///< by index
  bool everything = false;      ///< there is a computed jump
};
} // namespace

/// The instructions that control can reach from `entry`.
static Reachable findReachable(const DecodedCode &code, const Instruction *entry) {
  llvm::ArrayRef<Instruction> all = code.getInstructions();
  Reachable result;
  result.instructions.resize(unsigned(all.size()));
  std::vector<uint32_t> work = {entry->index};
  while (!work.empty()) {
    uint32_t index = work.back();
    work.pop_back();
    for (; index < all.size() && !result.instructions[index]; ++index) {
      result.instructions.set(index);
      const Instruction &inst = all[index];
      const ControlFlowKind control = inst.facts->control;
      if (control == ControlFlowKind::ComputedJump) {
        result.instructions.set();
        result.everything = true;
        return result;
      }
      if (inst.target)
        work.push_back(inst.target->index);
      if (control == ControlFlowKind::End || control == ControlFlowKind::Branch ||
          !code.getDecodeError(&inst).empty())
        break;
    }
  }
  return result;
}

/// Waves of 32 lanes have no upper half of EXEC; true for instructions that would write it.
static bool writesExecHigh(const Instruction &inst) {
  const Operand &op = inst.op(0);
  return inst.kind == InstructionClass::Salu && inst.numOperands > 0 && op.isScalar() &&
         op.index <= kExec + 1 && op.index + op.count > kExec + 1 && !inst.facts->comparesScalars;
}

/// The vector operands of an instruction, or of both halves of one that is two.
static llvm::SmallVector<Operand, 2 * kMaxOperands> vectorOperands(const DecodedCode &code,
                                                                   const Instruction &inst) {
  llvm::SmallVector<Operand, 2 * kMaxOperands> result;
  for (const Instruction &part : code.getParts(inst))
    for (const Operand &op : llvm::ArrayRef(part.operands, part.numOperands))
      if (op.isVector())
        result.push_back(op);
  return result;
}

void ckemu::checkKernelRegisters(const Kernel &kernel, DecodedKernel &decoded) {
  const DecodedCode &code = decoded.code;
  Reachable reachable = findReachable(code, decoded.entry);
  decoded.numVgprs = kernel.descriptor.numVgprs;
  decoded.numAgprs = kernel.descriptor.numAgprs;
  for (unsigned index : reachable.instructions.set_bits()) {
    const Instruction &inst = code.getInstructions()[index];
    if (kernel.descriptor.waveSize == 32 && !reachable.everything && writesExecHigh(inst)) {
      decoded.launchError =
          llvm::formatv("waves of 32 lanes have no exec_hi, in kernel '{0}' at pc {1:x}: {2}",
                        shortenKernelName(kernel.metadata.name), inst.offset, code.getText(&inst));
      return;
    }
    for (const Operand &op : vectorOperands(code, inst)) {
      const bool isVgpr = op.kind == OperandKind::Vgpr;
      const uint32_t end = op.index + op.count;
      const uint32_t allocated = decoded.numAgprs + (isVgpr ? decoded.numVgprs : 0);
      if (end <= allocated)
        continue;
      if (!reachable.everything) {
        decoded.launchError = llvm::formatv(
            "register {0}{1} is beyond the {2} registers that the kernel descriptor allocates, in "
            "kernel '{3}' at pc {4:x}: {5}",
            isVgpr ? "v" : "a", end - 1, allocated, shortenKernelName(kernel.metadata.name),
            inst.offset, code.getText(&inst));
        return;
      }
      // AGPRs stay where they are: behind the VGPRs of the descriptor.
      (isVgpr && decoded.numAgprs == 0 ? decoded.numVgprs : decoded.numAgprs) += end - allocated;
    }
  }
}
