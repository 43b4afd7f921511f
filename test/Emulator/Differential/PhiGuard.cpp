//===- PhiGuard.cpp - Keeps errors of LLVM 22.1 out of the way -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StructurizeCFG of LLVM 22.1 moves instructions that cost nothing, such as inserting an element or
// extending an integer, out of nested branches and onto paths that had another value
// (https://github.com/llvm/llvm-project/pull/183792 corrects a part of it). About one random
// program in a hundred is compiled to something else by it, which no emulator can tell from an
// error of its own. This plugin of clang, at the end of its optimizations, puts an empty asm
// statement between such an instruction and the phi that uses it, so that nothing is moved.
//
// The backend also takes x * y + ((x * y) >> 7), which the division of a product of bytes by 2
// comes to, for a dot product of bytes. The dividend gets an empty asm statement, too.
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

/// Instructions for which the GPU may need none.
static bool mayBeFree(const Value *value) {
  return isa<CastInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst, InsertValueInst,
             ExtractValueInst, FreezeInst, GetElementPtrInst, UnaryOperator, IntrinsicInst>(value);
}

/// `value` behind an empty asm statement, in vector registers.
static Value *hide(IRBuilder<> &builder, Value *value, const DataLayout &layout) {
  Type *type = value->getType();
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  const uint64_t words = PowerOf2Ceil((bits + 31) / 32);
  Type *plain = builder.getIntNTy(bits), *padded = builder.getIntNTy(words * 32);
  Type *registers = words == 1 ? padded : FixedVectorType::get(builder.getInt32Ty(), words);
  Value *number = type->isPointerTy() ? builder.CreatePtrToInt(value, plain)
                                      : builder.CreateBitCast(value, plain);
  number = builder.CreateBitCast(builder.CreateZExt(number, padded), registers);
  InlineAsm *nothing = InlineAsm::get(FunctionType::get(registers, {registers}, false), "", "=v,0",
                                      /*hasSideEffects=*/false);
  number = builder.CreateBitCast(builder.CreateCall(nothing, {number}), padded);
  number = builder.CreateTrunc(number, plain);
  return type->isPointerTy() ? builder.CreateIntToPtr(number, type)
                             : builder.CreateBitCast(number, type);
}

namespace {
struct PhiGuard : PassInfoMixin<PhiGuard> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    for (Function &function : module)
      for (BasicBlock &block : function) {
        for (PHINode &phi : block.phis())
          if (phi.getType()->isSingleValueType())
            guard(phi, module.getDataLayout());
        for (Instruction &instruction : block)
          guardDivision(instruction, module.getDataLayout());
      }
    return PreservedAnalyses::none();
  }

  static void guardDivision(Instruction &instruction, const DataLayout &layout) {
    if (instruction.getOpcode() != Instruction::SDiv ||
        instruction.getType()->getScalarSizeInBits() != 8 || instruction.getType()->isVectorTy())
      return;
    IRBuilder<> builder(&instruction);
    instruction.setOperand(0, hide(builder, instruction.getOperand(0), layout));
  }

  static void guard(PHINode &phi, const DataLayout &layout) {
    SmallDenseMap<BasicBlock *, Value *> hidden; // a block may be there more than once
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (!mayBeFree(phi.getIncomingValue(i)))
        continue;
      Value *&value = hidden[phi.getIncomingBlock(i)];
      if (!value) {
        IRBuilder<> builder(phi.getIncomingBlock(i)->getTerminator());
        value = hide(builder, phi.getIncomingValue(i), layout);
      }
      phi.setIncomingValue(i, value);
    }
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "PhiGuard", "1", [](PassBuilder &builder) {
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase) {
                  if (level != OptimizationLevel::O0)
                    passes.addPass(PhiGuard());
                });
          }};
}
