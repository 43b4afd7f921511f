//===- DeviceRun.cpp - Runs kernels of a code object on the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DeviceRun.h.
//
//===----------------------------------------------------------------------===//

#include "DeviceRun.h"
#include "Emulator/Isa/InstructionTables.h"

using namespace ckemu;
using namespace ckemu::test;

DeviceRun::DeviceRun(const std::string &name) {
  llvm::Expected<const ChipModel *> chip = getChipModel("gfx942");
  if (!chip) {
    ADD_FAILURE() << llvm::toString(chip.takeError());
    return;
  }
  options.chip = *chip;
  options.computeUnits = 4;
  const std::string path = std::string(CK_CODE_OBJECTS) + "/" + name + ".co";
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    ADD_FAILURE() << path << ": " << file.getError().message();
    return;
  }
  llvm::Expected<std::unique_ptr<CodeObject>> loaded =
      CodeObject::load((*file)->getBuffer(), **chip, getInstructionTable((*chip)->isa), memory);
  if (!loaded)
    ADD_FAILURE() << path << ": " << llvm::toString(loaded.takeError());
  else
    object = std::move(*loaded);
}

void *DeviceRun::allocateBytes(const void *data, size_t bytes) {
  llvm::Expected<uint64_t> address =
      memory.allocate(bytes, "test buffer", /*host=*/false, uint64_t(1) << 30);
  if (!address) {
    ADD_FAILURE() << llvm::toString(address.takeError());
    return nullptr;
  }
  void *pointer = reinterpret_cast<void *>(*address);
  std::memcpy(pointer, data, bytes);
  return pointer;
}

void DeviceRun::launch(const std::string &name, unsigned groups, unsigned groupSize,
                       std::vector<uint64_t> arguments, unsigned lastInteger, bool hasInteger) {
  const Kernel *kernel = object ? object->findKernel(name) : nullptr;
  ASSERT_NE(kernel, nullptr) << name;
  std::vector<uint8_t> bytes(arguments.size() * 8 + (hasInteger ? 4 : 0));
  std::memcpy(bytes.data(), arguments.data(), arguments.size() * 8);
  if (hasInteger)
    std::memcpy(bytes.data() + arguments.size() * 8, &lastInteger, 4);
  LaunchShape shape;
  shape.groups[0] = groups;
  shape.groupSize[0] = groupSize;
  llvm::Expected<LaunchOutcome> outcome =
      launchKernel(*object, *kernel, shape, bytes, memory, options);
  if (!outcome) {
    ADD_FAILURE() << name << ": " << llvm::toString(outcome.takeError());
    return;
  }
  EXPECT_TRUE(outcome->succeeded) << outcome->fault.message;
}
