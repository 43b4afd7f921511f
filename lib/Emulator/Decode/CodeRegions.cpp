//===- CodeRegions.cpp - The parts that machine code is decoded in -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CodeRegions.h. Regions are found in the bytes, before anything is decoded: an operand that
// looks like an instruction can only make a region larger, or end it where a fault follows.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/CodeRegions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace ckemu;

/// Dwords between functions: they are aligned to 256 bytes.
static constexpr unsigned kMaxFilling = 64;
/// Dwords behind `s_getpc_b64` in which the literals that are added to its result are looked for.
static constexpr unsigned kLiteralDistance = 10;

CodeRegions::CodeRegions(std::vector<CodeSection> sections, std::vector<uint64_t> boundaries,
                         std::vector<uint64_t> pointers, Isa isa)
    : sections(std::move(sections)), boundaries(std::move(boundaries)),
      pointers(std::move(pointers)), isa(isa) {
  llvm::erase_if(this->boundaries, [](uint64_t at) { return at % 4 != 0; });
  llvm::sort(this->boundaries);
  this->boundaries.erase(llvm::unique(this->boundaries), this->boundaries.end());
}

const CodeSection *CodeRegions::findSection(uint64_t offset) const {
  const llvm::ArrayRef<CodeSection> all = sections;
  const CodeSection *found =
      llvm::find_if(all, [&](const CodeSection &section) { return section.contains(offset); });
  return found == all.end() ? nullptr : found;
}

uint64_t CodeRegions::countBytes() const {
  uint64_t result = 0;
  for (const CodeSection &section : sections)
    result += section.bytes.size();
  return result;
}

/// The dword at `offset` of the image, or 0 behind the end.
uint32_t CodeRegions::readDword(const CodeSection &section, uint64_t offset) const {
  if (!section.contains(offset) || section.getEnd() - offset < 4)
    return 0;
  return llvm::support::endian::read32le(section.bytes.data() + (offset - section.offset));
}

/// The encoding of SOP1 without its operands.
static uint32_t getSop1(uint32_t opcode) { return 0x17du << 23 | opcode << 8; }
static constexpr uint32_t kSop1Mask = 0xff80ff00;

bool CodeRegions::isGetPc(uint32_t encoding) const {
  return (encoding & kSop1Mask) == getSop1(isCdna(isa) ? 0x1c : 0x47);
}

/// True for what assemblers fill the space between functions with: zeros, `s_nop 0`, `s_code_end`.
static bool isFilling(uint32_t encoding) {
  return encoding == 0 || encoding == 0xbf800000 || encoding == 0xbf9f0000;
}

/// False when the dword before `end`, or before what fills the space to it, never continues with
/// the next: the end of a program or a jump.
bool CodeRegions::fallsThrough(const CodeSection &section, uint64_t end) const {
  uint64_t at = end - 4;
  for (unsigned i = 0; i < kMaxFilling && isFilling(readDword(section, at)); ++i)
    at -= 4;
  const uint32_t last = readDword(section, at);
  const bool cdna = isCdna(isa);
  const uint32_t setPc = getSop1(cdna ? 0x1d : 0x48);
  const uint32_t endProgram = cdna ? 0x01 : 0x30, branch = cdna ? 0x02 : 0x20;
  if ((last & kSop1Mask) == setPc)
    return false;
  const uint32_t opcode = last >> 16 & 0x7f;
  return last >> 23 != 0x17f || (opcode != endProgram && opcode != branch);
}

CodeSection CodeRegions::getRegion(uint64_t offset) const {
  const CodeSection &section = *findSection(offset);
  auto next = llvm::upper_bound(boundaries, offset);
  uint64_t begin = section.offset, end = section.getEnd();
  if (next != boundaries.begin())
    begin = std::max(begin, *std::prev(next));
  while (next != boundaries.end() && *next < end && fallsThrough(section, *next))
    ++next;
  if (next != boundaries.end())
    end = std::min(end, *next);
  return {uint32_t(begin), section.bytes.slice(begin - section.offset, end - begin)};
}

/// True for additions and subtractions of a literal.
static bool addsLiteral(uint32_t encoding) {
  constexpr uint32_t kLastOfSums = 5, kAddU64 = 0x53; // s_add_u32, s_sub_u32, ... s_subb_u32
  const uint32_t opcode = encoding >> 23 & 0x7f;
  return encoding >> 30 == 2 && (opcode <= kLastOfSums || opcode == kAddU64) &&
         ((encoding & 0xff) == 0xff || (encoding >> 8 & 0xff) == 0xff);
}

/// True for `s_setpc_b64` and `s_swappc_b64`.
bool CodeRegions::isJump(uint32_t encoding) const {
  const uint32_t setPc = isCdna(isa) ? 0x1d : 0x48;
  return (encoding & kSop1Mask) == getSop1(setPc) || (encoding & kSop1Mask) == getSop1(setPc + 1);
}

std::vector<uint64_t> CodeRegions::getTargets(uint64_t offset) const {
  std::vector<uint64_t> result;
  const CodeSection &section = *findSection(offset);
  const uint64_t base = offset + 4;
  for (uint64_t at = base; at < base + uint64_t(4) * kLiteralDistance; at += 4) {
    const uint32_t encoding = readDword(section, at);
    if (isJump(encoding))
      break;
    if (!addsLiteral(encoding))
      continue;
    const uint64_t target = base + int64_t(int32_t(readDword(section, at + 4)));
    // The distance counts from behind s_getpc_b64, or from the literal.
    for (uint64_t candidate : {target, target + 4})
      if (candidate % 4 == 0 && contains(candidate))
        result.push_back(candidate);
  }
  return result;
}

llvm::ArrayRef<uint64_t> CodeRegions::getTakenAddresses() const {
  std::call_once(searched, [&] {
    llvm::copy_if(pointers, std::back_inserter(taken), [&](uint64_t at) { return contains(at); });
    for (const CodeSection &section : sections)
      for (uint64_t at = section.offset; at + 4 <= section.getEnd(); at += 4) {
        if (!isGetPc(readDword(section, at)))
          continue;
        const auto own = llvm::upper_bound(boundaries, at);
        llvm::copy_if(getTargets(at), std::back_inserter(taken), [&](uint64_t target) {
          return llvm::upper_bound(boundaries, target) != own;
        });
      }
    llvm::sort(taken);
    taken.erase(llvm::unique(taken), taken.end());
  });
  return taken;
}
