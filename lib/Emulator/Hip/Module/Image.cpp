//===- Image.cpp - Bytes of a code object in host memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers say how many bytes there are; the memory is read with care, as they may lie.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Module/Image.h"
#include "Emulator/Hip/Memory/HostMemory.h"
#include "Emulator/Load/DeviceError.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;
using llvm::StringRef;

static constexpr llvm::StringLiteral kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
static constexpr llvm::StringLiteral kCompressedMagic = "CCOB";
static constexpr size_t kCompressedHeader = 32; ///< bytes, in version 3
static constexpr uint64_t kMaxImageBytes = 1ull << 31;

static llvm::Error malformed(const std::string &message) {
  return makeError(DeviceError::Kind::InvalidImage, message);
}

/// The bytes that an ELF's headers speak of.
static bool findElfSize(const char *image, const llvm::ELF::Elf64_Ehdr &header, uint64_t &size) {
  size = std::max<uint64_t>(header.e_phoff + uint64_t(header.e_phnum) * header.e_phentsize,
                            header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize);
  if (header.e_phoff > kMaxImageBytes || header.e_shoff > kMaxImageBytes || size > kMaxImageBytes)
    return false;
  std::vector<llvm::ELF::Elf64_Phdr> segments(header.e_phnum);
  if (!segments.empty() && (header.e_phentsize != sizeof(llvm::ELF::Elf64_Phdr) ||
                            !readHostMemory(image + header.e_phoff, segments.data(),
                                            segments.size() * sizeof(segments[0]))))
    return false;
  for (const auto &segment : segments)
    if (segment.p_filesz < kMaxImageBytes && segment.p_offset < kMaxImageBytes)
      size = std::max<uint64_t>(size, segment.p_offset + segment.p_filesz);
  return size <= kMaxImageBytes;
}

/// The bytes that an offload bundle's entries speak of.
static bool findBundleSize(const char *image, uint64_t &size) {
  uint64_t entries = 0;
  size = kBundleMagic.size() + sizeof(entries);
  if (!readHostMemory(image + kBundleMagic.size(), &entries, sizeof(entries)) || entries > 1024)
    return false;
  for (uint64_t i = 0, at = size; i < entries; ++i) {
    uint64_t fields[3]; // offset, size, length of the identifier
    if (!readHostMemory(image + at, fields, sizeof(fields)))
      return false;
    at += sizeof(fields) + fields[2];
    if (fields[0] > kMaxImageBytes || fields[1] > kMaxImageBytes || at > kMaxImageBytes)
      return false;
    size = std::max({size, at, fields[0] + fields[1]});
  }
  return size <= kMaxImageBytes;
}

/// What a compressed bundle's header says; version 1 does not say how many bytes there are.
static bool readCompressedHeader(StringRef begin, uint64_t &size, uint64_t &plainSize) {
  auto read = [&](size_t at, auto &value) {
    std::memcpy(&value, begin.data() + at, sizeof(value));
  };
  uint16_t version = 0;
  uint32_t sizes[2];
  read(4, version);
  read(8, sizes);
  size = sizes[0];
  plainSize = sizes[1];
  if (version == 3) {
    read(8, size);
    read(16, plainSize);
  }
  return (version == 2 || version == 3) && size >= kCompressedHeader && size <= kMaxImageBytes &&
         plainSize <= kMaxImageBytes;
}

llvm::Expected<std::string> hip::decompress(StringRef bytes) {
  if (!bytes.starts_with(kCompressedMagic))
    return bytes.str();
  uint64_t size = 0, plainSize = 0;
  if (bytes.size() < kCompressedHeader || !readCompressedHeader(bytes, size, plainSize) ||
      size > bytes.size())
    return malformed("expected a whole compressed offload bundle of version 2 or 3");
  auto input = llvm::MemoryBuffer::getMemBufferCopy(bytes.take_front(size));
  auto plain = llvm::object::CompressedOffloadBundle::decompress(*input);
  if (!plain)
    return malformed("malformed compressed offload bundle: " + llvm::toString(plain.takeError()));
  return (*plain)->getBuffer().str();
}

llvm::Expected<std::string> hip::readImage(const void *image) {
  const char *bytes = static_cast<const char *>(image);
  char begin[sizeof(llvm::ELF::Elf64_Ehdr)] = {};
  if (!readHostMemory(bytes, begin, kBundleMagic.size()))
    return malformed("the code object is not in readable memory");
  uint64_t size = kBundleMagic.size();
  bool known = true;
  if (StringRef(begin, kBundleMagic.size()) == kBundleMagic) {
    known = findBundleSize(bytes, size);
  } else if (StringRef(begin, 4) == kCompressedMagic) {
    uint64_t plainSize = 0;
    known = readHostMemory(bytes, begin, kCompressedHeader) &&
            readCompressedHeader(StringRef(begin, kCompressedHeader), size, plainSize);
  } else if (StringRef(begin, 4) == StringRef(llvm::ELF::ElfMagic, 4)) {
    llvm::ELF::Elf64_Ehdr header;
    known = readHostMemory(bytes, &header, sizeof(header)) && findElfSize(bytes, header, size);
  }
  if (!known)
    return malformed("truncated code object: its headers lead out of readable memory");
  std::string result(size, '\0');
  if (!readHostMemory(bytes, result.data(), size))
    return malformed(llvm::formatv(
        "truncated code object: its headers speak of {0} bytes, not all of them readable", size));
  return result;
}

llvm::Expected<StringRef> hip::unbundle(StringRef bytes, StringRef chip) {
  if (!bytes.starts_with(kBundleMagic))
    return bytes;
  auto read = [&](uint64_t at, uint64_t &value) {
    if (at > bytes.size() || bytes.size() - at < sizeof(value))
      return false;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return true;
  };
  uint64_t entries = 0, at = kBundleMagic.size() + sizeof(entries);
  bool whole = read(kBundleMagic.size(), entries);
  std::string targets;
  for (uint64_t i = 0; whole && i < entries; ++i) {
    uint64_t offset = 0, size = 0, length = 0;
    whole = read(at, offset) && read(at + 8, size) && read(at + 16, length) &&
            length <= bytes.size() && offset <= bytes.size() && size <= bytes.size() - offset;
    if (!whole)
      break;
    StringRef target = bytes.substr(at + 24, length);
    at += 24 + length;
    // "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", and one for the host
    if (!target.contains("amdgcn"))
      continue;
    const StringRef other = target.split("--").second.split(':').first;
    if (other == chip)
      return bytes.substr(offset, size);
    targets += (targets.empty() ? "" : ", ") + other.str();
  }
  if (!whole)
    return malformed("truncated offload bundle");
  return makeError(DeviceError::Kind::OtherTarget, "expected a code object for " + chip.str() +
                                                       ", got a bundle with code for " +
                                                       (targets.empty() ? "no chip" : targets));
}
