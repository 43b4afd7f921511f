//===- Decoder.cpp - Machine code to decoded instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Decoder.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/Decoder.h"
#include "Emulator/Decode/DisassemblerFaults.h"
#include "Emulator/Decode/ModifierParser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <mutex>

using namespace ckemu;
using llvm::StringRef;

/// Bytes; also enough for any literal behind an instruction.
static constexpr size_t kLongestInstruction = 24;
/// Between the halves of an instruction that is two.
static constexpr llvm::StringLiteral kPairSeparator = " :: ";
/// Bytes of code that are decoded as a whole for a kernel with computed jumps.
static constexpr uint64_t kSmallCode = 64 * 1024;
static constexpr const char *kTriple = "amdgcn-amd-amdhsa";

const Instruction *DecodedCode::find(uint32_t offset) const {
  auto it = offset % 4 == 0 ? indexOf.find(offset) : indexOf.end();
  return it == indexOf.end() ? nullptr : &instructions[it->second];
}

StringRef DecodedCode::getText(const Instruction *inst) const {
  return StringRef(textArena).slice(textBegin[inst->index], textBegin[inst->index + 1]);
}

llvm::ArrayRef<Instruction> DecodedCode::getParts(const Instruction &inst) const {
  if (errors.contains(inst.index) || !getText(&inst).contains(kPairSeparator))
    return inst;
  return *static_cast<const InstructionPair *>(inst.extra.pointer);
}

StringRef DecodedCode::getDecodeError(const Instruction *inst) const {
  auto it = errors.find(inst->index);
  return it == errors.end() ? StringRef() : StringRef(it->second);
}

namespace {
/// LLVM's objects for one processor.
struct Disassembler {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};
} // namespace

static llvm::Expected<Disassembler> createDisassembler(StringRef cpu, StringRef features) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("cannot disassemble AMDGPU code: " + error);
  Disassembler result;
  result.registers.reset(target->createMCRegInfo(triple));
  result.assembly.reset(
      target->createMCAsmInfo(*result.registers, triple, llvm::MCTargetOptions()));
  result.instructions.reset(target->createMCInstrInfo());
  result.subtarget.reset(target->createMCSubtargetInfo(triple, cpu, features));
  if (!result.subtarget || !result.subtarget->isCPUStringValid(cpu))
    return llvm::createStringError("unknown processor '" + cpu + "'");
  result.context = std::make_unique<llvm::MCContext>(
      triple, result.assembly.get(), result.registers.get(), result.subtarget.get());
  result.disassembler.reset(target->createMCDisassembler(*result.subtarget, *result.context));
  result.printer.reset(target->createMCInstPrinter(triple, /*SyntaxVariant=*/0, *result.assembly,
                                                   *result.instructions, *result.registers));
  if (!result.disassembler || !result.printer)
    return llvm::createStringError("cannot disassemble code for '" + cpu + "'");
  return result;
}

namespace ckemu {
/// Fills a DecodedCode section by section.
class Decoder {
public:
  Decoder(const Disassembler &llvmObjects, const InstructionTable &table, DecodedCode &code)
      : mc(llvmObjects), table(table), code(code) {}

  void decodeSection(const CodeSection &section);
  /// Decodes all regions that a wave can reach from `entry`; true when it has computed jumps.
  bool decodeReachable(const CodeRegions &regions, uint64_t entry);
  /// Resolves branches and lets the families prepare; pointers are stable from here on.
  void finish();

private:
  const Disassembler &mc;
  const InstructionTable &table;
  DecodedCode &code;

  void append(const Instruction &inst, StringRef text, llvm::Error error);
  llvm::Error decodeText(StringRef text, Instruction &inst);
  llvm::Error decodePair(StringRef first, StringRef second, Instruction &inst);
  void fail(Instruction &inst, const llvm::Twine &message);
  void resolveTarget(Instruction &inst);
};
} // namespace ckemu

void Decoder::fail(Instruction &inst, const llvm::Twine &message) {
  inst.handler = table.getUndecodedHandler();
  inst.effect = Effect::Unknown;
  code.errors[inst.index] = message.str();
}

void Decoder::append(const Instruction &inst, StringRef text, llvm::Error error) {
  code.textBegin.push_back(uint32_t(code.textArena.size()));
  code.textArena += text;
  code.instructions.push_back(inst);
  Instruction &added = code.instructions.back();
  added.index = uint32_t(code.instructions.size() - 1);
  if (error)
    fail(added, llvm::toString(std::move(error)));
}

static bool isSopp(const Instruction &inst) { return inst.encoding[0] >> 23 == 0x17f; }

llvm::Error Decoder::decodeText(StringRef text, Instruction &inst) {
  StringRef mnemonic, rest;
  inst.form = splitMnemonic(text, mnemonic, rest);
  // LLVM marks registers that the instruction cannot name: "v[35:36]/*Invalid register, ...*/".
  if (text.contains("/*Invalid register"))
    return llvm::createStringError("invalid register operand");
  const OpcodeInfo *info = table.lookup(mnemonic);
  if (!info)
    return llvm::createStringError("instruction '" + mnemonic + "' is not implemented");
  inst.handler = info->handler;
  inst.kind = info->kind;
  inst.effect = info->effect;
  inst.facts = &info->facts;
  inst.extra.pointer = info->data;
  if (!isSopp(inst))
    if (llvm::Error error = parseOperands(rest, info->sourceType, code.constants, inst))
      return llvm::createStringError("cannot decode '" + mnemonic +
                                     "': " + llvm::toString(std::move(error)));
  if (ModifierSet refused = inst.mods.present & ~info->accepts)
    return llvm::createStringError("instruction '" + mnemonic +
                                   "' is not implemented with modifier " +
                                   describeModifiers(refused));
  if (info->numOperands != kAnyOperands && inst.numOperands != info->numOperands)
    return llvm::createStringError("expected " + llvm::Twine(int(info->numOperands)) +
                                   " operands of '" + mnemonic + "', got " +
                                   llvm::Twine(unsigned(inst.numOperands)));
  return llvm::Error::success();
}

/// The operands and what is special of them are those of the halves.
static constexpr InstructionFacts kPairFacts = describeTiming(TimingClass::Valu);

/// Decodes both halves of an instruction as instructions of their own.
llvm::Error Decoder::decodePair(StringRef first, StringRef second, Instruction &inst) {
  InstructionPair &pair = code.pairs.emplace_back();
  inst.effect = Effect::Changes;
  const StringRef texts[] = {first, second};
  for (unsigned i = 0; i < 2; ++i) {
    Instruction &half = pair[i];
    half = inst;
    half.index = uint32_t(code.instructions.size());
    if (llvm::Error error = decodeText(texts[i], half))
      return error;
    StringRef mnemonic, rest;
    splitMnemonic(texts[i], mnemonic, rest);
    if (Prepare prepare = table.lookup(mnemonic)->prepare)
      if (llvm::Error error = prepare(half))
        return error;
    if (half.effect != Effect::Sets && half.effect != Effect::Changes)
      inst.effect = Effect::Unknown;
  }
  inst.kind = InstructionClass::Valu;
  inst.facts = &kPairFacts;
  inst.handler = table.getPairHandler(pair);
  inst.extra.pointer = &pair;
  return llvm::Error::success();
}

void Decoder::decodeSection(const CodeSection &section) {
  std::string text;
  for (size_t at = 0; at < section.bytes.size();) {
    Instruction inst;
    inst.offset = uint32_t(section.offset + at);
    llvm::ArrayRef<uint8_t> rest = section.bytes.drop_front(at);
    uint8_t bytes[kLongestInstruction] = {}; // zeros behind the end of the section
    std::memcpy(bytes, rest.data(), std::min(rest.size(), sizeof(bytes)));
    for (unsigned i = 0; i < 2; ++i)
      inst.encoding[i] = llvm::support::endian::read32le(bytes + size_t(4) * i);
    const bool hasSentinel = hasSentinelLiteral(inst.encoding, table.getIsa());
    if (hasSentinel)
      llvm::support::endian::write32le(bytes + 4, kSentinelSubstitute);
    llvm::MCInst mcInst;
    uint64_t size = 0;
    auto status = llvm::MCDisassembler::Fail;
    if (!crashesDisassembler(inst.encoding, table.getIsa()))
      status = mc.disassembler->getInstruction(mcInst, size, bytes, inst.offset, llvm::nulls());
    if (inst.offset % 4 == 0)
      code.indexOf.try_emplace(inst.offset, uint32_t(code.instructions.size()));
    if (status == llvm::MCDisassembler::Fail || size == 0 || size > rest.size()) {
      inst.size = uint8_t(std::min<size_t>(4, rest.size()));
      append(inst, "<undecodable>",
             llvm::createStringError("cannot decode the instruction 0x%08x", inst.encoding[0]));
    } else {
      inst.size = uint8_t(size);
      text.clear();
      llvm::raw_string_ostream stream(text);
      mc.printer->printInst(&mcInst, inst.offset, "", *mc.subtarget, stream);
      if (hasSentinel)
        restoreSentinelLiteral(text);
      StringRef trimmed = StringRef(text).trim();
      auto [first, second] = trimmed.split(kPairSeparator);
      llvm::Error error =
          second.empty() ? decodeText(trimmed, inst) : decodePair(first, second, inst);
      append(inst, trimmed, std::move(error));
    }
    at += inst.size;
  }
  Instruction sentinel;
  sentinel.offset = uint32_t(section.getEnd());
  append(sentinel, "<end of code>",
         llvm::createStringError("execution ran past the end of the code"));
}

/// True for the instructions whose 16-bit immediate is a distance in dwords.
static bool isRelativeBranch(const Instruction &inst) {
  const ControlFlowKind control = inst.facts->control;
  return control == ControlFlowKind::Branch || control == ControlFlowKind::ConditionalBranch ||
         control == ControlFlowKind::Call;
}

/// Where a relative branch leads; negative before the image.
static int64_t getBranchOffset(const Instruction &inst) {
  return int64_t(inst.offset) + inst.size + int64_t(inst.simm16()) * 4;
}

bool Decoder::decodeReachable(const CodeRegions &regions, uint64_t entry) {
  std::vector<uint64_t> work = {entry};
  llvm::DenseSet<uint64_t> seen; // the beginnings of regions
  // Regions overlap where control falls through; real code hardly does.
  uint64_t budget = 4 * regions.countBytes();
  bool jumps = false;
  while (!work.empty()) {
    const uint64_t offset = work.back();
    work.pop_back();
    if (!regions.contains(offset) || code.find(uint32_t(offset)))
      continue;
    const CodeSection region = regions.getRegion(offset);
    if (region.bytes.size() > budget || !seen.insert(region.offset).second)
      continue;
    budget -= region.bytes.size();
    size_t index = code.instructions.size();
    decodeSection(region);
    for (; index + 1 < code.instructions.size(); ++index) {
      const Instruction &inst = code.instructions[index];
      if (isRelativeBranch(inst)) {
        work.push_back(uint64_t(getBranchOffset(inst)));
      } else if (inst.facts->control == ControlFlowKind::ProgramCounter) {
        llvm::append_range(work, regions.getTargets(inst.offset));
      } else if (inst.facts->control == ControlFlowKind::ComputedJump && !jumps) {
        jumps = true;
        llvm::append_range(work, regions.getTakenAddresses());
      }
    }
  }
  return jumps;
}

void Decoder::resolveTarget(Instruction &inst) {
  if (!isRelativeBranch(inst))
    return;
  int64_t offset = getBranchOffset(inst);
  if (offset >= 0)
    inst.target = code.find(uint32_t(offset));
  if (!inst.target)
    fail(inst, "branch target is no instruction of the code object");
}

void Decoder::finish() {
  code.textBegin.push_back(uint32_t(code.textArena.size()));
  for (Instruction &inst : code.instructions) {
    if (code.errors.contains(inst.index) || code.getText(&inst).contains(kPairSeparator))
      continue;
    resolveTarget(inst);
    StringRef mnemonic, rest;
    splitMnemonic(code.getText(&inst), mnemonic, rest);
    const OpcodeInfo *info = table.lookup(mnemonic);
    if (code.errors.contains(inst.index) || !info->prepare)
      continue;
    if (llvm::Error error = info->prepare(inst))
      fail(inst, llvm::toString(std::move(error)));
  }
}

/// The disassembler for waves of `waveSize` lanes.
static llvm::Expected<Disassembler> createDisassembler(const ChipModel &chip, unsigned waveSize) {
  std::string features;
  // Names the halves of registers, as the hardware uses them, also where LLVM's own compiler by
  // default does not.
  if (!isCdna(chip.isa))
    features = "+real-true16";
  if (waveSize != 0 && waveSize != chip.waveSize)
    features += ",+wavefrontsize64,-wavefrontsize32";
  return createDisassembler(chip.name, features);
}

llvm::Expected<DecodedCode> ckemu::decodeCode(llvm::ArrayRef<CodeSection> sections,
                                              const ChipModel &chip, const InstructionTable &table,
                                              unsigned waveSize) {
  llvm::Expected<Disassembler> mc = createDisassembler(chip, waveSize);
  if (!mc)
    return mc.takeError();
  DecodedCode code;
  Decoder decoder(*mc, table, code);
  for (const CodeSection &section : sections)
    decoder.decodeSection(section);
  decoder.finish();
  return code;
}

llvm::Expected<DecodedCode> ckemu::decodeReachable(const CodeRegions &regions, uint64_t entry,
                                                   const ChipModel &chip,
                                                   const InstructionTable &table,
                                                   unsigned waveSize) {
  llvm::Expected<Disassembler> mc = createDisassembler(chip, waveSize);
  if (!mc)
    return mc.takeError();
  DecodedCode code;
  Decoder decoder(*mc, table, code);
  if (decoder.decodeReachable(regions, entry) && regions.countBytes() <= kSmallCode)
    return decodeCode(regions.getSections(), chip, table, waveSize);
  decoder.finish();
  return code;
}
