//===- Module.cpp - Loaded code objects -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks before loading, and the loading.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Module.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace ELF = llvm::ELF;

/// [offset, offset + size) must lie inside `bytes`.
static Error checkRange(StringRef bytes, const Twine &what, uint64_t offset, uint64_t size) {
  if (offset <= bytes.size() && size <= bytes.size() - offset)
    return Error::success();
  return createStringError("truncated code object: " + what + " needs " + Twine(size) +
                           " bytes at offset " + Twine(offset) + ", the file has " +
                           Twine(bytes.size()));
}

/// Checks one table of headers and what each of its `Header`s refers to in the file.
template <typename Header, typename GetExtent>
static Error checkTable(StringRef bytes, StringRef what, uint64_t offset, uint64_t count,
                        uint64_t entrySize, const GetExtent &getExtent) {
  if (count == 0)
    return Error::success();
  if (entrySize != sizeof(Header))
    return createStringError("malformed code object: expected " + what + " headers of " +
                             Twine(sizeof(Header)) + " bytes, got " + Twine(entrySize));
  if (Error error = checkRange(bytes, "the table of " + what + "s", offset, count * entrySize))
    return error;
  for (uint64_t i = 0; i < count; ++i) {
    Header header;
    std::memcpy(&header, bytes.data() + offset + i * entrySize, sizeof(Header));
    auto [begin, size] = getExtent(header);
    if (Error error = checkRange(bytes, what + " " + Twine(i), begin, size))
      return error;
  }
  return Error::success();
}

Error mlir::ck::checkCodeObject(StringRef bytes) {
  ELF::Elf64_Ehdr header;
  if (!bytes.starts_with(StringRef(ELF::ElfMagic, 4)))
    return createStringError("not a code object: the file does not begin as an ELF file");
  if (Error error = checkRange(bytes, "the ELF header", 0, sizeof(header)))
    return error;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return createStringError("not an AMDGPU code object: expected a 64-bit little-endian ELF file");
  if (header.e_machine != ELF::EM_AMDGPU)
    return createStringError("not an AMDGPU code object: expected ELF machine " +
                             Twine(ELF::EM_AMDGPU) + ", got " + Twine(header.e_machine));
  if (Error error = checkTable<ELF::Elf64_Phdr>(
          bytes, "segment", header.e_phoff, header.e_phnum, header.e_phentsize,
          [](const ELF::Elf64_Phdr &h) { return std::make_pair(h.p_offset, h.p_filesz); }))
    return error;
  return checkTable<ELF::Elf64_Shdr>(
      bytes, "section", header.e_shoff, header.e_shnum, header.e_shentsize,
      [](const ELF::Elf64_Shdr &h) {
        bool empty = h.sh_type == ELF::SHT_NOBITS || h.sh_type == ELF::SHT_NULL;
        return empty
                   ? std::make_pair<uint64_t, uint64_t>(0, 0)
                   : std::make_pair<uint64_t, uint64_t>(uint64_t(h.sh_offset), uint64_t(h.sh_size));
      });
}

Expected<Module> Module::load(const Device &device, StringRef codeObject) {
  if (Error error = checkCodeObject(codeObject))
    return error;
  Module module;
  module.api = device.getSharedApi();
  module.bytes = codeObject.str();
  if (Error error = module.api->check(
          module.api->ModuleLoadData(&module.handle, module.bytes.data()), "hipModuleLoadData"))
    return error;
  return module;
}

Module::~Module() {
  if (handle)
    (void)api->ModuleUnload(handle);
}

Expected<hip::FunctionHandle> Module::getFunction(const std::string &name) const {
  hip::FunctionHandle function = nullptr;
  if (Error error = api->check(api->ModuleGetFunction(&function, handle, name.c_str()),
                               "hipModuleGetFunction of '" + name + "'"))
    return error;
  return function;
}
