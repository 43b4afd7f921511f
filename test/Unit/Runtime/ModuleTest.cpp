//===- ModuleTest.cpp - Tests of the code object check -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small ELF file is accepted whole and refused in every truncation, for another machine, and with
// headers that point outside.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Module.h"
#include "llvm/BinaryFormat/ELF.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace mlir::ck;
using testing::StartsWith;
namespace ELF = llvm::ELF;

namespace {
/// An ELF file with one segment and two sections, the second of which takes the last 16 bytes.
struct SmallElf {
  ELF::Elf64_Ehdr header = {};
  ELF::Elf64_Phdr segment = {};
  ELF::Elf64_Shdr sections[2] = {};
  char content[16] = {};

  SmallElf() {
    std::memcpy(header.e_ident, ELF::ElfMagic, 4);
    header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
    header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
    header.e_machine = ELF::EM_AMDGPU;
    header.e_phoff = offsetof(SmallElf, segment);
    header.e_phnum = 1;
    header.e_phentsize = sizeof(segment);
    header.e_shoff = offsetof(SmallElf, sections);
    header.e_shnum = 2;
    header.e_shentsize = sizeof(sections[0]);
    segment.p_filesz = offsetof(SmallElf, content);
    sections[1].sh_type = ELF::SHT_PROGBITS;
    sections[1].sh_offset = offsetof(SmallElf, content);
    sections[1].sh_size = sizeof(content);
  }

  llvm::StringRef getBytes() const {
    return llvm::StringRef(reinterpret_cast<const char *>(this), sizeof(*this));
  }
  std::string check() const { return llvm::toString(checkCodeObject(getBytes())); }
};
} // namespace

TEST(ModuleTest, AcceptsAWholeFile) { EXPECT_EQ(SmallElf().check(), ""); }

TEST(ModuleTest, RefusesEveryTruncation) {
  SmallElf elf;
  for (size_t size = 0; size < sizeof(elf); ++size) {
    std::string error = llvm::toString(checkCodeObject(elf.getBytes().take_front(size)));
    EXPECT_THAT(error, StartsWith(size < 4 ? "not a code object" : "truncated code object"))
        << size;
  }
}

TEST(ModuleTest, RefusesForeignFiles) {
  EXPECT_EQ(llvm::toString(checkCodeObject("#!/bin/sh\n")),
            "not a code object: the file does not begin as an ELF file");
  SmallElf host;
  host.header.e_machine = ELF::EM_X86_64;
  EXPECT_EQ(host.check(), "not an AMDGPU code object: expected ELF machine 224, got 62");
  SmallElf narrow;
  narrow.header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS32;
  EXPECT_THAT(narrow.check(), StartsWith("not an AMDGPU code object: expected a 64-bit"));
}

TEST(ModuleTest, RefusesHeadersThatPointOutside) {
  SmallElf segment;
  segment.segment.p_offset = ~0ull - 8; // the end would wrap around
  segment.segment.p_filesz = 16;
  EXPECT_THAT(segment.check(), StartsWith("truncated code object: segment 0 needs 16 bytes"));
  SmallElf section;
  section.sections[1].sh_size = 17;
  EXPECT_THAT(section.check(), StartsWith("truncated code object: section 1 needs 17 bytes"));
  section.sections[1].sh_type = ELF::SHT_NOBITS;
  EXPECT_EQ(section.check(), "");
  SmallElf entry;
  entry.header.e_shentsize = 1;
  EXPECT_THAT(entry.check(), StartsWith("malformed code object: expected section headers of 64"));
}
