//===- IsaTest.cpp - Runs assembly on one wave -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See IsaTest.h.
//
//===----------------------------------------------------------------------===//

#include "IsaTest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace ckemu;
using namespace ckemu::test;

/// LLVM's features: named halves of registers, and waves that are not of the chip's default size.
static std::string getFeatures(const std::string &chip, unsigned waveSize) {
  const bool isDefault = waveSize == 0 || waveSize == (*getChipModel(chip))->waveSize;
  std::string features = (*getChipModel(chip))->isa == Isa::Gfx12 ? "+real-true16" : "";
  if (!isDefault)
    features += ",+wavefrontsize64,-wavefrontsize32";
  return features;
}

/// The ELF object of `source`, or an empty one after a failure.
static llvm::SmallVector<char, 0> assembleObject(const std::string &source, const std::string &chip,
                                                 unsigned waveSize) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> info(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, chip, getFeatures(chip, waveSize)));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source), llvm::SMLoc());
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> file(target->createMCObjectFileInfo(context, true));
  context.setObjectFileInfo(file.get());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  auto backend = std::unique_ptr<llvm::MCAsmBackend>(
      target->createMCAsmBackend(*subtarget, *registers, options));
  auto writer = backend->createObjectWriter(stream);
  auto emitter =
      std::unique_ptr<llvm::MCCodeEmitter>(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    object.clear();
  return object;
}

std::vector<uint8_t> ckemu::test::assemble(const std::string &source, const std::string &chip,
                                           unsigned waveSize) {
  const llvm::SmallVector<char, 0> object = assembleObject(source, chip, waveSize);
  if (object.empty()) {
    ADD_FAILURE() << "does not assemble: " << source;
    return {};
  }
  auto elf = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "test"));
  if (!elf) {
    ADD_FAILURE() << llvm::toString(elf.takeError());
    return {};
  }
  for (const llvm::object::SectionRef &section : (*elf)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName(), contents = section.getContents();
    if (name && contents && *name == ".text")
      return std::vector<uint8_t>(contents->bytes_begin(), contents->bytes_end());
    llvm::consumeError(name.takeError());
    llvm::consumeError(contents.takeError());
  }
  return {};
}

const std::vector<VectorLevel> &ckemu::test::getVectorLevels() {
  static const std::vector<VectorLevel> levels = [] {
    std::vector<VectorLevel> result = {{"portable", getInstructionTable}};
    for (llvm::StringRef name : llvm::split(CK_EMULATOR_LEVELS, ',')) {
      if (!hasVectorLevel(name))
        continue;
      llvm::Expected<VectorLevel> level = loadVectorLevel(name, CK_LIBRARY_FOLDER);
      if (level)
        result.push_back(*level);
      else
        ADD_FAILURE() << llvm::toString(level.takeError());
    }
    return result;
  }();
  return levels;
}

/// Decodes `bytes` for `chip`, to handlers of `level`.
static std::unique_ptr<DecodedCode> decode(llvm::ArrayRef<uint8_t> bytes, const std::string &chip,
                                           const VectorLevel &level, unsigned waveSize = 0) {
  CodeSection section;
  section.bytes = bytes;
  llvm::Expected<DecodedCode> code = decodeCode(
      section, **getChipModel(chip), level.getTable((*getChipModel(chip))->isa), waveSize);
  if (!code) {
    ADD_FAILURE() << llvm::toString(code.takeError());
    return nullptr;
  }
  return std::make_unique<DecodedCode>(std::move(*code));
}

IsaWave::IsaWave(const std::string &chip, unsigned waveSize) : chip(chip), registers(512) {
  std::memset(wave.sgpr, 0, sizeof(wave.sgpr));
  wave.vgprs = registers.data();
  wave.agprs = registers.data() + 256;
  wave.numVgprs = wave.numAgprs = 256;
  wave.mode = 0x3f0; // IEEE, DX10 clamp, all denormals, to nearest
  wave.laneCount = uint8_t(waveSize ? waveSize : (*getChipModel(chip))->waveSize);
  wave.setExec(wave.laneCount == 64 ? ~0ull : 0xffffffffull);
}

/// Executes `code` from its begin to its end on `wave`.
static void execute(Wave &wave, const DecodedCode &code) {
  wave.constants = code.getConstants();
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  wave.applyMode();
  for (const Instruction *inst = instructions.begin(); inst + 1 != instructions.end();) {
    const llvm::StringRef error = code.getDecodeError(inst);
    const std::string text = code.getText(inst).str();
    ASSERT_TRUE(error.empty()) << text << ": " << error.str();
    inst = inst->handler(wave, inst);
    ASSERT_NE(inst, nullptr) << text;
  }
  wave.mode = 0x3f0;
  wave.applyMode();
}

namespace {
/// The registers that the instructions of a text name, when their effects are known.
struct NamedRegisters {
  std::vector<bool> vectors = std::vector<bool>(512), results = std::vector<bool>(512);
  std::vector<bool> scalars = std::vector<bool>(kNumScalarSlots);
  bool areKnown = true;

  explicit NamedRegisters(const DecodedCode &code);
  void add(const Instruction &inst);
};
} // namespace

static unsigned getVector(const Operand &op) {
  return op.index + (op.kind == OperandKind::Agpr ? 256 : 0);
}

NamedRegisters::NamedRegisters(const DecodedCode &code) {
  for (const Instruction &inst : code.getInstructions().drop_back()) {
    areKnown &= inst.effect == Effect::Sets || inst.effect == Effect::Changes ||
                inst.effect == Effect::SetsScalar || inst.effect == Effect::SetsTwo;
    for (const Instruction &part : code.getParts(inst))
      add(part);
    const llvm::StringRef text = code.getText(&inst);
    if (text.contains("v_div_fmas") || text.contains("v_dual_cndmask"))
      scalars[kVcc] = scalars[kVcc + 1] = true;
  }
}

void NamedRegisters::add(const Instruction &inst) {
  for (unsigned i = 0; i < inst.numOperands; ++i) {
    const Operand &op = inst.op(i);
    const bool isResult = i == 0 || (i == 1 && inst.effect == Effect::SetsTwo);
    for (unsigned part = 0; part < op.count; ++part) {
      if (op.isScalar())
        scalars[op.index + part] = true;
      if (op.isVector())
        vectors[getVector(op) + part] = true;
      if (op.isVector() && isResult)
        results[getVector(op) + part] = true;
    }
  }
}

/// What `code` did to a wave that was `before` fits the effects of its instructions: they write no
/// other registers than they say, and whatever others hold has no influence.
static void checkEffects(const DecodedCode &code, const Wave &before,
                         const std::vector<Lanes> &registersBefore, const Wave &after,
                         const std::vector<Lanes> &registers, const std::string &source) {
  const NamedRegisters named(code);
  if (!named.areKnown)
    return;
  Wave copy = before;
  std::vector<Lanes> others = registersBefore;
  copy.vgprs = others.data();
  copy.agprs = others.data() + 256;
  const Instruction &first = code.getInstructions().front();
  const bool isAlone = code.getInstructions().size() == 2 && first.effect == Effect::Sets &&
                       before.exec() == (before.laneCount == 64 ? ~0ull : 0xffffffffull);
  auto isSource = [&](unsigned vector) {
    for (unsigned i = 1; i < first.numOperands; ++i)
      if (const Operand &op = first.op(i);
          op.isVector() && vector >= getVector(op) && vector < getVector(op) + op.count)
        return true;
    return false;
  };
  for (unsigned i = 0; i < others.size(); ++i)
    if (!named.vectors[i] || (isAlone && named.results[i] && !isSource(i)))
      for (unsigned lane = 0; lane < before.laneCount; ++lane)
        others[i][lane] ^= 0x5a5a0000u + i;
  for (unsigned slot = 0; slot < kVcc + 2; ++slot)
    if (!named.scalars[slot])
      copy.sgpr[slot] ^= 0x5a5a0000u + slot;
  execute(copy, code);
  for (unsigned i = 0; i < others.size(); ++i) {
    if (!named.results[i])
      EXPECT_EQ(std::memcmp(&registers[i], &registersBefore[i], sizeof(Lanes)), 0)
          << "register " << i << " is no result of " << source;
    else
      EXPECT_EQ(std::memcmp(&registers[i], &others[i], sizeof(Lanes)), 0)
          << "register " << i << " depends on what is not named by " << source;
  }
  for (unsigned slot = 0; slot < kVcc + 2; ++slot)
    if (named.scalars[slot])
      EXPECT_EQ(copy.sgpr[slot], after.sgpr[slot])
          << "scalar register " << slot << " depends on what is not named by " << source;
}

void IsaWave::run(const std::string &source) {
  const std::vector<uint8_t> bytes = assemble(source, chip, wave.laneCount);
  const Wave before = wave;
  const std::vector<Lanes> registersBefore = registers;
  for (const VectorLevel &level : getVectorLevels()) {
    const bool isFirst = &level == &getVectorLevels().front();
    Wave copy = before;
    std::vector<Lanes> copiedRegisters = registersBefore;
    copy.vgprs = copiedRegisters.data();
    copy.agprs = copiedRegisters.data() + 256;
    const std::unique_ptr<DecodedCode> code = decode(bytes, chip, level, wave.laneCount);
    if (!code)
      return;
    execute(isFirst ? wave : copy, *code);
    if (isFirst) {
      checkEffects(*code, before, registersBefore, wave, registers, source);
      continue;
    }
    EXPECT_EQ(
        std::memcmp(copiedRegisters.data(), registers.data(), registers.size() * sizeof(Lanes)), 0)
        << level.name.str() << " leaves other vector registers: " << source;
    EXPECT_EQ(std::memcmp(copy.sgpr, wave.sgpr, sizeof(wave.sgpr)), 0)
        << level.name.str() << " leaves other scalar registers: " << source;
  }
}

std::string IsaWave::getRefusal(const std::string &source, const std::string &chip) {
  const std::unique_ptr<DecodedCode> code =
      decode(assemble(source, chip), chip, getVectorLevels().front());
  return code ? code->getDecodeError(code->getInstructions().begin()).str() : "";
}

uint32_t OperandSource::bits32() {
  static constexpr uint32_t special[] = {0,          1,          2,          0x7f,       0x80,
                                         0xff,       0x7fff,     0x8000,     0xffff,     0x10000,
                                         0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 31};
  const uint64_t random = engine();
  if (random % 4 == 0)
    return special[(random >> 8) % (sizeof(special) / sizeof(special[0]))];
  if (random % 4 == 1)
    return uint32_t(random >> 32) >> (random >> 8) % 32;
  return uint32_t(random >> 32);
}

uint64_t OperandSource::bits64() {
  const uint64_t low = bits32(), high = bits32();
  const uint64_t random = engine();
  return random % 4 == 0   ? low
         : random % 4 == 1 ? uint64_t(int64_t(int32_t(low)))
                           : high << 32 | low;
}

uint32_t OperandSource::float32() {
  static constexpr uint32_t special[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
      0x7f800001, 0xffc12345, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
      0xff7fffff, 0x3f000000, 0x4f000000, 0xcf000000, 0x4f800000, 0x3effffff, 0x477fe000};
  const uint64_t random = engine();
  if (random % 3 == 0)
    return special[(random >> 8) % (sizeof(special) / sizeof(special[0]))];
  if (random % 3 == 1)
    return asBits(float(int64_t(random >> 20) - (int64_t(1) << 43)) * 0x1p-30f);
  return uint32_t(random >> 32);
}

uint64_t OperandSource::float64() {
  static constexpr uint64_t special[] = {0,
                                         0x8000000000000000,
                                         0x3ff0000000000000,
                                         0xbff0000000000000,
                                         0x7ff0000000000000,
                                         0xfff0000000000000,
                                         0x7ff8000000000000,
                                         0x7ff0000000000001,
                                         1,
                                         0x000fffffffffffff,
                                         0x0010000000000000,
                                         0x7fefffffffffffff,
                                         0x41dfffffffc00000,
                                         0xc1e0000000000000,
                                         0x41f0000000000000};
  const uint64_t random = engine();
  if (random % 3 == 0)
    return special[(random >> 8) % (sizeof(special) / sizeof(special[0]))];
  if (random % 3 == 1)
    return asBits(double(int64_t(random)) * 0x1p-40);
  return random;
}

uint16_t OperandSource::float16() {
  static constexpr uint16_t special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00,
                                         0x7c01, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff};
  const uint64_t random = engine();
  return random % 3 == 0 ? special[(random >> 8) % (sizeof(special) / sizeof(special[0]))]
                         : uint16_t(random >> 32);
}
