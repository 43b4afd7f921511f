//===- FuzzInstructions.cpp - Random instructions on five chips -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is "CHIP HEX HEX ...": up to 64 words of machine code that take the place of those of
// the kernel in Stream.cl, which is launched with the default checks; with an even number of words,
// without that of waits, which random code seldom has.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/Dispatcher.h"
#include "Fuzz.h"
#include "Mutate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace ckemu;
using namespace ckfuzz;
using llvm::StringRef;

static constexpr const char *kChips[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
/// `s_nop 9`, with which Stream.cl leaves room, and how often.
static constexpr uint32_t kRoomWord = 0xbf800009;
static constexpr size_t kRoomWords = 64;
static constexpr uint64_t kBufferBytes = 8192;

static std::string readCode(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(CK_STREAM_FOLDER "/" + name);
  require(bool(file), "no code object " + name);
  return (*file)->getBuffer().str();
}

/// Stream.cl for `chip` with `words` in its room.
static std::string makeCodeObject(const std::string &chip, llvm::ArrayRef<uint32_t> words) {
  std::string code = readCode("Stream.O1." + chip + ".hsaco");
  std::string room;
  for (size_t i = 0; i < kRoomWords; ++i)
    room.append(reinterpret_cast<const char *>(&kRoomWord), sizeof(kRoomWord));
  // The compiler may keep a second copy of the kernel, as a function.
  size_t at = code.find(room);
  require(at != std::string::npos, "the kernel has no room");
  for (; at != std::string::npos; at = code.find(room, at + room.size()))
    for (size_t i = 0; i < words.size(); ++i)
      std::memcpy(&code[at + i * sizeof(uint32_t)], &words[i], sizeof(uint32_t));
  return code;
}

/// Data of 4096 finite numbers and small integers.
static void fillBuffer(uint64_t address) {
  auto *words = reinterpret_cast<uint32_t *>(address);
  for (uint32_t i = 0; i < kBufferBytes / 4; ++i)
    words[i] = i % 3 == 0 ? i : 0x3f800000 + (i << 12);
}

static void run(const ChipModel &chip, llvm::ArrayRef<uint32_t> words) {
  MemoryTable memory;
  auto object = CodeObject::load(makeCodeObject(chip.name.str(), words), chip,
                                 getInstructionTable(chip.isa), memory);
  require(bool(object), "the code object does not load");
  auto buffer = memory.allocate(kBufferBytes, "device allocation", /*host=*/false, 1 << 20);
  require(bool(buffer), "no device memory");
  fillBuffer(*buffer);
  Options options;
  options.chip = &chip;
  options.computeUnits = 2;
  options.hangInstructions = 20000;
  options.checks.waits = words.size() % 2 != 0;
  LaunchShape shape;
  shape.groups[0] = 2;
  shape.groupSize[0] = 128;
  uint8_t arguments[12];
  const uint32_t flags = isCdna(chip.isa) ? 0x00027000 : 0x31004000;
  std::memcpy(arguments, &*buffer, 8);
  std::memcpy(arguments + 8, &flags, 4);
  const Kernel *kernel = (*object)->findKernel("stream");
  auto outcome = launchKernel(**object, *kernel, shape, arguments, memory, options);
  std::string message = "the launch succeeded";
  if (!outcome)
    message = llvm::toString(outcome.takeError());
  else if (!outcome->succeeded)
    message = outcome->fault.message;
  require(!message.empty(), "an error without a message");
  llvm::errs() << message << '\n';
  MemoryTable::unmap(llvm::cantFail(memory.remove(*buffer)));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::SmallVector<StringRef> parts;
  StringRef(reinterpret_cast<const char *>(data), size).trim().split(parts, ' ', -1, false);
  if (parts.empty() || !llvm::is_contained(kChips, parts.front()))
    return 0;
  std::vector<uint32_t> words;
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    uint32_t word = 0;
    if (part.getAsInteger(16, word) || words.size() == kRoomWords)
      return 0;
    words.push_back(word);
  }
  run(**getChipModel(parts.front()), words);
  return 0;
}

static std::string print(const std::string &chip, llvm::ArrayRef<uint32_t> words) {
  std::string text = chip;
  for (uint32_t word : words)
    text += " " + llvm::utohexstr(word, /*LowerCase=*/true, /*Width=*/8);
  return text;
}

/// The compiler's instructions: every part of the code of Kernels.cl, with and without
/// optimization.
std::vector<std::string> makeFuzzSeeds() {
  std::vector<std::string> seeds;
  for (const char *chip : kChips)
    for (const char *level : {"O0", "O2"}) {
      std::string code = readCode("Kernels." + std::string(level) + "." + chip + ".hsaco");
      auto file = llvm::object::ELFObjectFileBase::createELFObjectFile(
          llvm::MemoryBufferRef(code, "Kernels"));
      require(bool(file), "the code object is no ELF file");
      for (const llvm::object::ELFSectionRef section : (*file)->sections()) {
        if (!section.isText())
          continue;
        const StringRef text = llvm::cantFail(section.getContents());
        std::vector<uint32_t> words(text.size() / 4);
        std::memcpy(words.data(), text.data(), words.size() * 4);
        for (size_t i = 0; i + 16 <= words.size(); i += 16)
          seeds.push_back(print(chip, llvm::ArrayRef(words).slice(i, 16)));
      }
    }
  return seeds;
}

/// The first word of an instruction of some format and random opcode. The formats of both
/// families, of gfx9 and of gfx11 and later, stand together.
static uint32_t drawFirstWord(Random &random) {
  static constexpr uint8_t kFormats[] = {0x7c, 0x7e, 0x80, 0x8c, 0x98, 0xb0, 0xbe, 0xbf, 0xc0,
                                         0xc4, 0xc8, 0xcc, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5,
                                         0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xe0,
                                         0xe1, 0xe8, 0xe9, 0xec, 0xed, 0xee, 0xf4, 0xf5};
  const uint32_t format = random.oneIn(6) ? random.below(0x7c) : random.pick(kFormats);
  uint32_t word = format << 24 | uint32_t(random.below(1 << 24));
  // Registers near the first are those that hold something.
  if (random.oneIn(2))
    word &= ~uint32_t(0xf0);
  if (random.oneIn(2))
    word &= ~uint32_t(0xe000);
  return word;
}

/// The second word: a literal, half of them numbers that stand for something as an operand.
static uint32_t drawLiteral(Random &random) {
  static constexpr uint32_t kLiterals[] = {0,          1,          0xf9,       0xfe,   0xff,
                                           0x100,      0x1ff,      0x3c00,     0xffff, 0x3f800000,
                                           0x7f800000, 0x7fc00000, 0x80000000, ~0u};
  return random.oneIn(2) ? random.pick(kLiterals) : uint32_t(random.below(0x200));
}

/// Operands: mostly low registers, and what the encodings have for none.
static uint32_t drawOperandWord(Random &random) {
  static constexpr uint8_t kBytes[] = {0,  0,  1,    2,    3,    4,    5,    6,    7,    8,   9,
                                       10, 12, 0x7c, 0x7d, 0x7f, 0x80, 0x81, 0xc0, 0xf2, 0xff};
  if (random.oneIn(4))
    return drawLiteral(random);
  uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i)
    word = word << 8 | (random.oneIn(5) ? uint32_t(random.below(256)) : random.pick(kBytes));
  return word;
}

static void changeWords(std::vector<uint32_t> &words, Random &random) {
  const size_t at = random.below(words.size());
  switch (random.below(words.empty() ? 2 : 6)) {
  case 0:
  case 1:
    words.insert(words.begin() + at,
                 {drawFirstWord(random), drawOperandWord(random), drawOperandWord(random)});
    // Formats of one and two words read what follows as instructions.
    words.resize(std::min(words.size(), at + 1 + random.below(3)));
    return;
  case 2:
    words.erase(words.begin() + at);
    return;
  case 3:
    words[at] = drawOperandWord(random);
    return;
  default:
    words[at] ^= 1u << random.below(32);
  }
}

static void mutateInstructions(std::string &text, Random &random) {
  llvm::SmallVector<StringRef> parts;
  StringRef(text).trim().split(parts, ' ', -1, false);
  std::string chip = random.pick(kChips);
  if (!parts.empty() && random.oneIn(2))
    chip = parts.front().str();
  std::vector<uint32_t> words;
  // Half of the inputs are all new.
  for (StringRef part : llvm::ArrayRef(parts).drop_front(std::min<size_t>(parts.size(), 1)))
    if (uint32_t word = 0; words.size() < kRoomWords / 2 && !part.getAsInteger(16, word))
      words.push_back(word);
  if (random.oneIn(2))
    words.clear();
  for (size_t count = 1 + random.below(8); count != 0; --count)
    changeWords(words, random);
  text = print(chip, words);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateInstructions);
}
