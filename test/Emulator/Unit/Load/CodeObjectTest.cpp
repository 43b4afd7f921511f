//===- CodeObjectTest.cpp - What is read and decoded of a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several notes in one code object of version 4, and the code that each kernel can reach.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/CodeObject.h"
#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/Dispatcher.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
class Notes : public testing::Test {
protected:
  void SetUp() override {
    auto file = llvm::MemoryBuffer::getFile(CK_NOTES_CODE);
    ASSERT_TRUE(bool(file));
    auto loaded =
        CodeObject::load((*file)->getBuffer(), *chip, getInstructionTable(chip->isa), memory);
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    object = std::move(*loaded);
  }
  /// What `kernel` stores.
  uint32_t run(const char *kernel) {
    const uint64_t buffer = llvm::cantFail(memory.allocate(4, "result", /*host=*/false, 1 << 20));
    Options options;
    options.chip = chip;
    options.computeUnits = 1;
    uint8_t arguments[8];
    std::memcpy(arguments, &buffer, sizeof(buffer));
    auto outcome =
        launchKernel(*object, *object->findKernel(kernel), {}, arguments, memory, options);
    if (!outcome)
      ADD_FAILURE() << llvm::toString(outcome.takeError());
    else
      EXPECT_TRUE(outcome->succeeded) << outcome->fault.message;
    const uint32_t result = *reinterpret_cast<const uint32_t *>(buffer);
    MemoryTable::unmap(llvm::cantFail(memory.remove(buffer)));
    return result;
  }
  /// True when an instruction that begins with `text` was decoded for `kernel`.
  bool decodes(const char *kernel, llvm::StringRef text) {
    const DecodedCode &code = object->decode(*object->findKernel(kernel)).code;
    return llvm::any_of(code.getInstructions(), [&](const Instruction &inst) {
      return code.getText(&inst).ltrim().starts_with(text);
    });
  }

  const ChipModel *chip = *getChipModel("gfx942");
  MemoryTable memory;
  std::unique_ptr<CodeObject> object;
};
} // namespace

TEST_F(Notes, KernelsOfAllNotes) {
  EXPECT_EQ(object->getKernels().size(), 2u);
  EXPECT_NE(object->findKernel("jumps"), nullptr);
  EXPECT_NE(object->findKernel("calls"), nullptr);
}

TEST_F(Notes, HiddenArgumentsOfVersion4) { EXPECT_EQ(run("jumps"), 1u); }

TEST_F(Notes, CallOfAFunction) { EXPECT_EQ(run("calls"), 7u); }

TEST_F(Notes, OnlyReachableCodeIsDecoded) {
  EXPECT_TRUE(decodes("calls", "v_mov_b32_e32 v1, 7"));
  for (const char *kernel : {"jumps", "calls"}) {
    EXPECT_FALSE(decodes(kernel, "v_mov_b32_e32 v200")) << kernel;
    EXPECT_EQ(object->decode(*object->findKernel(kernel)).numVgprs, 8u) << kernel;
  }
}

TEST_F(Notes, KernelsAreDecodedOnce) {
  const Kernel &kernel = *object->findKernel("calls");
  EXPECT_EQ(&object->decode(kernel), &object->decode(kernel));
}
