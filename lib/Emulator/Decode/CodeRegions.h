//===- CodeRegions.h - The parts that machine code is decoded in -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code object may hold thousands of kernels, of which a program launches one. Its code is cut
// into regions, a function or what lies between two, and a kernel needs those that it can reach.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_CODEREGIONS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_CODEREGIONS_H

#include "Emulator/Chip/ChipModel.h"
#include "llvm/ADT/ArrayRef.h"
#include <mutex>
#include <vector>

namespace ckemu {

/// A range of machine code in the image of a code object.
struct CodeSection {
  uint32_t offset = 0; ///< in the image
  llvm::ArrayRef<uint8_t> bytes;

  uint64_t getEnd() const { return offset + bytes.size(); }
  bool contains(uint64_t at) const { return at >= offset && at < getEnd(); }
};

/// Code cut into regions. What it says of jumps whose target is computed is a superset of what
/// compilers emit: `s_getpc_b64` with a literal that is added, and functions that the data of the
/// code object point to.
class CodeRegions {
public:
  CodeRegions() = default;
  /// `boundaries` are the offsets at which functions begin and end, `pointers` those that data
  /// point to; what of them lies outside of `sections` is ignored.
  CodeRegions(std::vector<CodeSection> sections, std::vector<uint64_t> boundaries,
              std::vector<uint64_t> pointers, Isa isa);

  bool contains(uint64_t offset) const { return findSection(offset) != nullptr; }
  /// The region at `offset`, which must lie in the code, with those that control falls through to
  /// at its end.
  CodeSection getRegion(uint64_t offset) const;
  /// The whole code.
  llvm::ArrayRef<CodeSection> getSections() const { return sections; }
  uint64_t countBytes() const;
  /// The offsets that `s_getpc_b64` at `offset` and the literals behind it can lead to.
  std::vector<uint64_t> getTargets(uint64_t offset) const;
  /// Where computed jumps from any region can lead: what data point to, and the targets of
  /// `s_getpc_b64` in other regions than its own. Looked for once, on the first call.
  llvm::ArrayRef<uint64_t> getTakenAddresses() const;

private:
  std::vector<CodeSection> sections;
  std::vector<uint64_t> boundaries; ///< sorted, without duplicates
  std::vector<uint64_t> pointers;
  Isa isa = Isa::Gfx942;
  mutable std::once_flag searched;
  mutable std::vector<uint64_t> taken;

  const CodeSection *findSection(uint64_t offset) const;
  uint32_t readDword(const CodeSection &section, uint64_t offset) const;
  bool isGetPc(uint32_t encoding) const;
  bool isJump(uint32_t encoding) const;
  bool fallsThrough(const CodeSection &section, uint64_t end) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_CODEREGIONS_H
