//===- Instructions.cpp - The instructions that a chip has -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's tables have the instructions of all chips. The names of their entries end in the
// generation whose encoding they have, and its assembler tells which of them a chip has: it says of
// a mnemonic without operands either that there is no such instruction or what it lacks. The
// assembler alone would not do, because it also accepts names of earlier generations.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Lists.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <set>

using namespace ckemu;
using llvm::StringRef;

namespace {
/// LLVM's description of a chip.
struct LLVM_LIBRARY_VISIBILITY ChipDescription {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  const llvm::Target *target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
};
} // namespace

static llvm::Expected<ChipDescription> describeChip(StringRef chip) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  ChipDescription result;
  std::string error;
  result.target = llvm::TargetRegistry::lookupTarget(result.triple, error);
  if (!result.target)
    return llvm::createStringError("LLVM has no AMDGPU: " + error);
  result.registers.reset(result.target->createMCRegInfo(result.triple));
  result.assembly.reset(
      result.target->createMCAsmInfo(*result.registers, result.triple, result.options));
  result.instructions.reset(result.target->createMCInstrInfo());
  result.subtarget.reset(result.target->createMCSubtargetInfo(result.triple, chip, ""));
  return result;
}

/// A mnemonic without what only tells encodings apart.
static StringRef dropSuffixes(StringRef mnemonic) {
  for (bool again = true; again;) {
    again = false;
    for (StringRef suffix : {"_e32", "_e64", "_dpp", "_sdwa", "_dpp8"})
      again |= mnemonic.consume_back(suffix);
  }
  return mnemonic;
}

/// Whether the entry `name` of LLVM's table, such as V_ADD_F32_e64_gfx11, has an encoding of
/// `chip`.
static bool isEncodedOn(StringRef chip, StringRef name) {
  auto endsIn = [&](StringRef generation) {
    const size_t at = name.rfind(("_" + generation).str());
    return at != StringRef::npos && name.find("_gfx", at + 1) == StringRef::npos;
  };
  if (chip.starts_with("gfx11"))
    return endsIn("gfx11");
  if (chip.starts_with("gfx12"))
    return endsIn("gfx12") && !name.contains("gfx1250");
  const bool isCdna2 = chip == "gfx90a";
  if (name.contains("MFMA") && !isCdna2) // the others have names of their own
    return endsIn("gfx940");
  return endsIn("vi") || endsIn("gfx9") || endsIn("gfx90a") || (!isCdna2 && endsIn("gfx940"));
}

/// The mnemonics that may be some of `chip`.
static std::vector<std::string> getCandidates(const ChipDescription &description, StringRef chip) {
  const std::unique_ptr<llvm::MCInstPrinter> printer(
      description.target->createMCInstPrinter(description.triple, 0, *description.assembly,
                                              *description.instructions, *description.registers));
  std::set<std::string> names;
  for (unsigned opcode = 0; opcode < description.instructions->getNumOpcodes(); ++opcode) {
    if (description.instructions->get(opcode).isPseudo() ||
        !isEncodedOn(chip, description.instructions->getName(opcode)))
      continue;
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    const char *text = printer->getMnemonic(inst).first;
    const StringRef name = dropSuffixes(StringRef(text ? text : "").trim());
    constexpr llvm::StringLiteral letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (!name.empty() && name.find_first_not_of(letters) == StringRef::npos)
      names.insert(name.str());
  }
  return std::vector<std::string>(names.begin(), names.end());
}

/// Whether the assembler says by `message` that there is no such instruction.
static bool saysMissing(StringRef message) {
  return message.contains("not supported on this GPU") ||
         message.starts_with("invalid instruction");
}

llvm::Expected<std::vector<std::string>> ckemu::getMnemonics(StringRef chip) {
  llvm::Expected<ChipDescription> description = describeChip(chip);
  if (!description)
    return description.takeError();
  const std::vector<std::string> all = getCandidates(*description, chip);
  std::string text;
  for (const std::string &name : all)
    text += name + "\n";
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "instructions"), llvm::SMLoc());
  std::set<size_t> missing;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *lines) {
        if (saysMissing(diagnostic.getMessage()))
          static_cast<std::set<size_t> *>(lines)->insert(size_t(diagnostic.getLineNo()) - 1);
      },
      &missing);
  llvm::MCContext context(description->triple, description->assembly.get(),
                          description->registers.get(), description->subtarget.get(), &sources,
                          &description->options);
  const std::unique_ptr<llvm::MCObjectFileInfo> objectFile(
      description->target->createMCObjectFileInfo(context, /*PIC=*/false));
  context.setObjectFileInfo(objectFile.get());
  const std::unique_ptr<llvm::MCStreamer> streamer(
      description->target->createNullStreamer(context));
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *description->assembly));
  const std::unique_ptr<llvm::MCTargetAsmParser> target(description->target->createMCAsmParser(
      *description->subtarget, *parser, *description->instructions, description->options));
  parser->setTargetParser(*target);
  parser->Run(/*NoInitialTextSection=*/false);
  std::vector<std::string> result;
  for (size_t i = 0; i < all.size(); ++i)
    if (!missing.count(i))
      result.push_back(all[i]);
  return result;
}
