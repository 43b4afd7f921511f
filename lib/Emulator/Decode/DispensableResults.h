//===- DispensableResults.h - What does not decide what waves do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who only wants to know which instructions waves execute and what they access need not compute
// what a kernel computes: products and the data that go into them decide neither a branch nor an
// address.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_DISPENSABLERESULTS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_DISPENSABLERESULTS_H

#include <cstdint>
#include <vector>

namespace ckemu {

class DecodedCode;
struct Instruction;

/// What of an instruction need not be executed.
enum class Dispensable : uint8_t {
  None,
  Data, ///< of an access of memory, the data that it moves; what it touches matters
  Whole ///< it writes registers that nobody needs
};

/// What the analysis knows of a kernel beside its code.
struct KernelFacts {
  unsigned waveSize = 64;
  /// Waves may look at what others do while the kernel runs, with loads of the scope of the device.
  bool synchronizes = false;
  bool hasPrivateMemory = false;
};

/// For each instruction of a kernel that begins at `entry` with all lanes active what is
/// dispensable; empty when nothing is. It holds for the instructions that waves execute, what they
/// access, and where waves see the stores of others. Loads of a kernel are assumed to find what a
/// store of it has left only where both move as many dwords per lane, and scalar loads only where
/// the kernel synchronizes.
std::vector<Dispensable> findDispensable(const DecodedCode &code, const Instruction *entry,
                                         const KernelFacts &facts);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_DISPENSABLERESULTS_H
