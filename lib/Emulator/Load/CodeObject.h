//===- CodeObject.h - A loaded code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An AMDGPU ELF, checked and copied to device memory. Its kernels are decoded when they are first
// launched.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_CODEOBJECT_H
#define CK_MLIR_LIB_EMULATOR_LOAD_CODEOBJECT_H

#include "Emulator/Decode/Decoder.h"
#include "Emulator/Decode/DispensableResults.h"
#include "Emulator/Load/KernelDescriptor.h"
#include "Emulator/Load/MemoryTable.h"

namespace ckemu {

class RegisterUses;

/// A kernel that can be launched.
struct Kernel {
  KernelMetadata metadata;
  KernelDescriptor descriptor;
  uint32_t codeBytes = 0; ///< size of the kernel's function
};

/// The instructions of a kernel.
struct DecodedKernel {
  DecodedCode code; ///< all that a wave can reach
  const Instruction *entry = nullptr;
  /// Registers that a wave gets in the emulator, and why the kernel cannot be launched (empty when
  /// it can); see KernelCheck.h.
  uint32_t numVgprs = 0, numAgprs = 0;
  std::string launchError;
};

/// A symbol of the code object in device memory.
struct GlobalSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
};

/// A loaded code object. Owns its image, which is registered in `memory` while it lives.
class CodeObject {
public:
  /// Loads the ELF in `bytes` for `chip`, whose instructions `table` knows. Errors are DeviceErrors
  /// that say what was found and what was expected.
  static llvm::Expected<std::unique_ptr<CodeObject>> load(llvm::StringRef bytes,
                                                          const ChipModel &chip,
                                                          const InstructionTable &table,
                                                          MemoryTable &memory);
  ~CodeObject();

  /// Hides the image from launches that begin from now on.
  void hide();

  /// The kernel called `name`, or null.
  const Kernel *findKernel(llvm::StringRef name) const;
  /// The variable called `name`, or null.
  const GlobalSymbol *findGlobal(llvm::StringRef name) const;
  const llvm::StringMap<Kernel> &getKernels() const { return kernels; }
  /// The code of `kernel`, one of getKernels(); decoded on the first call. Any thread may call.
  const DecodedKernel &decode(const Kernel &kernel) const;
  /// What of the code of `kernel` is dispensable when all lanes of its waves are active at its
  /// entry; null when nothing is. Found on the first call. Any thread may call.
  const Dispensable *findDispensable(const Kernel &kernel, bool synchronizes) const;
  /// The registers of the code of `kernel`, for the check of waits; found in the same way.
  const RegisterUses &getRegisterUses(const Kernel &kernel) const;
  const ChipModel &getChip() const { return chip; }
  /// Device address of byte 0 of the image.
  uint64_t getImageBase() const { return imageBase; }

private:
  CodeObject(const ChipModel &chip, const InstructionTable &table, MemoryTable &memory)
      : chip(chip), table(table), memory(memory) {}
  friend class CodeObjectLoader;

  const ChipModel &chip;
  const InstructionTable &table;
  MemoryTable &memory;
  uint64_t imageBase = 0, imageSize = 0;
  std::unique_ptr<const CodeRegions> regions;
  llvm::StringMap<Kernel> kernels;
  llvm::StringMap<GlobalSymbol> globals;
  mutable std::mutex decoding;
  mutable llvm::DenseMap<const Kernel *, std::unique_ptr<const DecodedKernel>> decoded;
  mutable llvm::DenseMap<const Kernel *, std::vector<Dispensable>> dispensable;
  mutable llvm::DenseMap<const Kernel *, std::shared_ptr<const RegisterUses>> registerUses;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_CODEOBJECT_H
