//===- CodeObject.cpp - Loading of a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks come first and name what was found and what was expected; nothing in a malformed file may
// lead out of its bytes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/CodeObject.h"
#include "Emulator/Decode/RegisterUses.h"
#include "Emulator/Load/DeviceError.h"
#include "Emulator/Load/KernelCheck.h"
#include "Emulator/Load/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/mman.h>

using namespace ckemu;
using llvm::StringRef;
using llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<ELF64LE>;

/// Largest image that is accepted, so that a malformed address cannot ask for all memory.
static constexpr uint64_t kMaxImageBytes = 1ull << 31;

static llvm::Error malformed(const llvm::Twine &message) {
  return makeError(DeviceError::Kind::InvalidImage, message);
}

static llvm::Error otherTarget(const llvm::Twine &message) {
  return makeError(DeviceError::Kind::OtherTarget, message);
}

/// The end of a message about a kernel.
static std::string inKernel(StringRef name) {
  return ", in kernel '" + shortenKernelName(name) + "'";
}

static std::string describeMachine(unsigned machine) {
  switch (machine) {
  case llvm::ELF::EM_X86_64:
    return "x86-64";
  case llvm::ELF::EM_AARCH64:
    return "AArch64";
  default:
    return "machine " + std::to_string(machine);
  }
}

/// True for the numbers of processors that LLVM has names for: all but the reserved ones.
static bool isKnownMachine(unsigned machine) {
  using namespace llvm::ELF;
  constexpr unsigned kReserved[] = {0x27, 0x40, 0x4b, 0x4d, 0x50, 0x56,
                                    0x57, 0x5b, 0x5c, 0x5d, 0x5e};
  const bool isAmdgcn =
      machine >= EF_AMDGPU_MACH_AMDGCN_FIRST && machine <= EF_AMDGPU_MACH_AMDGCN_LAST;
  return isAmdgcn && !llvm::is_contained(kReserved, machine);
}

/// Any error of LLVM's readers as a malformed code object.
static llvm::Error malformed(llvm::Error error) {
  return malformed("malformed code object: " + llvm::toString(std::move(error)));
}

void CodeObject::hide() {
  if (imageBase)
    memory.removeExternal(imageBase);
}

CodeObject::~CodeObject() {
  if (!imageBase)
    return;
  hide();
  munmap(reinterpret_cast<void *>(imageBase), imageSize);
}

const Kernel *CodeObject::findKernel(StringRef name) const {
  auto it = kernels.find(name);
  return it == kernels.end() ? nullptr : &it->second;
}

const GlobalSymbol *CodeObject::findGlobal(StringRef name) const {
  auto it = globals.find(name);
  return it == globals.end() ? nullptr : &it->second;
}

const DecodedKernel &CodeObject::decode(const Kernel &kernel) const {
  std::lock_guard<std::mutex> lock(decoding);
  std::unique_ptr<const DecodedKernel> &result = decoded[&kernel];
  if (result)
    return *result;
  auto added = std::make_unique<DecodedKernel>();
  const uint64_t offset = kernel.descriptor.entryOffset;
  auto code = decodeReachable(*regions, offset, chip, table, kernel.descriptor.waveSize);
  if (code) {
    added->code = std::move(*code);
    added->entry = added->code.find(uint32_t(offset));
  }
  if (!code)
    added->launchError = llvm::toString(code.takeError());
  else if (!added->entry)
    added->launchError = "the entry is no instruction" + inKernel(kernel.metadata.name);
  else
    checkKernelRegisters(kernel, *added);
  result = std::move(added);
  return *result;
}

const Dispensable *CodeObject::findDispensable(const Kernel &kernel, bool synchronizes) const {
  const DecodedKernel &code = decode(kernel);
  std::lock_guard<std::mutex> lock(decoding);
  auto [found, isNew] = dispensable.try_emplace(&kernel);
  if (isNew && code.entry)
    found->second = ckemu::findDispensable(
        code.code, code.entry,
        {kernel.descriptor.waveSize, synchronizes, kernel.descriptor.privateBytes != 0});
  return found->second.empty() ? nullptr : found->second.data();
}

const RegisterUses &CodeObject::getRegisterUses(const Kernel &kernel) const {
  const DecodedKernel &code = decode(kernel);
  std::lock_guard<std::mutex> lock(decoding);
  std::shared_ptr<const RegisterUses> &found = registerUses[&kernel];
  if (!found)
    found = std::make_shared<const RegisterUses>(code.code, code.entry, chip, code.numVgprs);
  return *found;
}

namespace ckemu {
/// The steps of CodeObject::load.
class CodeObjectLoader {
public:
  CodeObjectLoader(StringRef bytes, CodeObject &object) : bytes(bytes), object(object) {}
  llvm::Error run();

private:
  StringRef bytes;
  CodeObject &object;
  std::optional<ElfFile> elf;
  struct Symbol {
    std::string name;
    uint64_t value = 0, size = 0;
    unsigned type = 0;
  };
  std::vector<Symbol> symbols;
  llvm::StringMap<size_t> symbolOf; ///< the first symbol of a name
  std::vector<uint64_t> pointers;   ///< what relocated data point to, in the image
  std::vector<KernelMetadata> metadata;

  llvm::Error checkHeader();
  llvm::Error mapSegments();
  llvm::Error readSymbols();
  llvm::Error relocate();
  llvm::Error applyRelocation(const ElfFile::Elf_Rela &rela, const ElfFile::Elf_Shdr *symbolTable);
  llvm::Error readMetadata();
  llvm::Error findCode();
  llvm::Error createKernels();
  const Symbol *findSymbol(StringRef name) const;
};
} // namespace ckemu

llvm::Error CodeObjectLoader::checkHeader() {
  using namespace llvm::ELF;
  if (bytes.size() < sizeof(ElfFile::Elf_Ehdr))
    return malformed(
        llvm::formatv("expected an AMDGPU code object, got a file of {0} bytes", bytes.size()));
  if (!bytes.starts_with(StringRef(ElfMagic, 4)))
    return malformed("expected an AMDGPU code object, got a file that is no ELF");
  if (uint8_t(bytes[EI_CLASS]) != ELFCLASS64 || uint8_t(bytes[EI_DATA]) != ELFDATA2LSB)
    return otherTarget("expected a 64-bit little-endian AMDGPU code object, got another ELF class");
  llvm::Expected<ElfFile> file = ElfFile::create(bytes);
  if (!file)
    return malformed(file.takeError());
  elf = std::move(*file);
  const auto &header = elf->getHeader();
  if (header.e_machine != EM_AMDGPU)
    return otherTarget("expected an AMDGPU code object, got an ELF for " +
                       describeMachine(header.e_machine));
  if (header.e_ident[EI_OSABI] != ELFOSABI_AMDGPU_HSA)
    return otherTarget("expected a code object for amdhsa, got OS ABI " +
                       llvm::Twine(unsigned(header.e_ident[EI_OSABI])));
  auto objectFile =
      llvm::object::ELFObjectFile<ELF64LE>::create(llvm::MemoryBufferRef(bytes, "code object"));
  if (!objectFile)
    return malformed(objectFile.takeError());
  // LLVM ends the process on numbers that it does not know.
  const unsigned machine = header.e_flags & EF_AMDGPU_MACH;
  const bool known = isKnownMachine(machine);
  StringRef cpu = known ? objectFile->tryGetCPUName().value_or("") : "";
  if (cpu != object.getChip().name)
    return otherTarget("expected a code object for " + object.getChip().name + ", got one for " +
                       (cpu.empty() ? "an unknown processor (number 0x" +
                                          llvm::utohexstr(machine, /*LowerCase=*/true) + ")"
                                    : cpu.str()));
  if (header.e_type != ET_DYN)
    return malformed("expected a linked code object (shared object), got an ELF of type " +
                     llvm::Twine(unsigned(header.e_type)));
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::mapSegments() {
  auto segments = elf->program_headers();
  if (!segments)
    return malformed(segments.takeError());
  uint64_t end = 0;
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_LOAD)
      continue;
    if (segment.p_filesz > bytes.size() || segment.p_offset > bytes.size() - segment.p_filesz)
      return malformed(llvm::formatv(
          "truncated code object: a segment needs {0} bytes at offset {1}, the file has {2}",
          uint64_t(segment.p_filesz), uint64_t(segment.p_offset), bytes.size()));
    if (segment.p_memsz > kMaxImageBytes || segment.p_vaddr > kMaxImageBytes ||
        segment.p_filesz > segment.p_memsz)
      return malformed("malformed code object: a segment's size or address is out of range");
    end = std::max<uint64_t>(end, segment.p_vaddr + segment.p_memsz);
  }
  if (end == 0)
    return malformed("malformed code object: nothing to load");
  void *image = mmap(nullptr, end, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (image == MAP_FAILED)
    return malformed("cannot allocate memory for the code object");
  object.imageBase = reinterpret_cast<uint64_t>(image);
  object.imageSize = end;
  object.memory.addExternal(object.imageBase, end, "code object", /*writable=*/true);
  for (const auto &segment : *segments)
    if (segment.p_type == llvm::ELF::PT_LOAD && segment.p_filesz != 0)
      std::memcpy(static_cast<uint8_t *>(image) + segment.p_vaddr, bytes.data() + segment.p_offset,
                  segment.p_filesz);
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::readSymbols() {
  auto sections = elf->sections();
  if (!sections)
    return malformed(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM && section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto entries = elf->symbols(&section);
    if (!entries)
      return malformed(entries.takeError());
    auto strings = elf->getStringTableForSymtab(section);
    if (!strings)
      return malformed(strings.takeError());
    for (const auto &entry : *entries) {
      auto name = entry.getName(*strings);
      if (!name)
        return malformed(name.takeError());
      if (name->empty() || entry.st_shndx == llvm::ELF::SHN_UNDEF ||
          entry.st_value > object.imageSize || entry.st_size > object.imageSize - entry.st_value)
        continue;
      symbolOf.try_emplace(*name, symbols.size());
      symbols.push_back({name->str(), entry.st_value, entry.st_size, entry.getType()});
    }
  }
  for (const Symbol &symbol : symbols)
    if (symbol.type == llvm::ELF::STT_OBJECT && !StringRef(symbol.name).ends_with(".kd"))
      object.globals[symbol.name] = {object.imageBase + symbol.value, symbol.size};
  return llvm::Error::success();
}

const CodeObjectLoader::Symbol *CodeObjectLoader::findSymbol(StringRef name) const {
  auto it = symbolOf.find(name);
  return it == symbolOf.end() ? nullptr : &symbols[it->second];
}

llvm::Error CodeObjectLoader::applyRelocation(const ElfFile::Elf_Rela &rela,
                                              const ElfFile::Elf_Shdr *symbolTable) {
  uint64_t where = rela.r_offset;
  if (where > object.imageSize || object.imageSize - where < 8)
    return malformed("malformed code object: a relocation lies outside of the image");
  uint64_t value = object.imageBase + uint64_t(rela.r_addend);
  unsigned type = rela.getType(/*isMips64EL=*/false);
  if (type == llvm::ELF::R_AMDGPU_ABS64) {
    auto symbol = elf->getRelocationSymbol(rela, symbolTable);
    if (!symbol)
      return malformed(symbol.takeError());
    if (!*symbol || (*symbol)->st_shndx == llvm::ELF::SHN_UNDEF)
      return malformed("cannot load the code object: it refers to an undefined symbol");
    value += (*symbol)->st_value;
  } else if (type != llvm::ELF::R_AMDGPU_RELATIVE64) {
    return malformed("cannot load the code object: relocation type " + llvm::Twine(type) +
                     " is not implemented");
  }
  std::memcpy(reinterpret_cast<void *>(object.imageBase + where), &value, sizeof(value));
  pointers.push_back(value - object.imageBase);
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::relocate() {
  auto sections = elf->sections();
  if (!sections)
    return malformed(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_RELA || !(section.sh_flags & llvm::ELF::SHF_ALLOC))
      continue;
    auto entries = elf->relas(section);
    if (!entries)
      return malformed(entries.takeError());
    auto symbolTable = elf->getSection(section.sh_link);
    if (!symbolTable)
      return malformed(symbolTable.takeError());
    for (const auto &entry : *entries)
      if (llvm::Error error = applyRelocation(entry, *symbolTable))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::readMetadata() {
  auto segments = elf->program_headers();
  if (!segments)
    return malformed(segments.takeError());
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : elf->notes(segment, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
        continue;
      auto parsed =
          parseKernelMetadata(note.getDescAsStringRef(std::max<size_t>(segment.p_align, 4)));
      if (!parsed) {
        llvm::consumeError(std::move(error));
        return malformed(llvm::toString(parsed.takeError()));
      }
      // Some compilers write a note for each kernel.
      llvm::append_range(metadata, std::move(*parsed));
    }
    if (error)
      return malformed(std::move(error));
  }
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::findCode() {
  auto sections = elf->sections();
  if (!sections)
    return malformed(sections.takeError());
  std::vector<CodeSection> text;
  uint64_t codeBytes = 0;
  for (const auto &section : *sections) {
    if (!(section.sh_flags & llvm::ELF::SHF_EXECINSTR) ||
        section.sh_type != llvm::ELF::SHT_PROGBITS)
      continue;
    codeBytes += section.sh_size;
    if (section.sh_size > bytes.size() || codeBytes > bytes.size() ||
        section.sh_addr > object.imageSize || section.sh_size > object.imageSize - section.sh_addr)
      return malformed("malformed code object: a code section lies outside of the image");
    CodeSection added;
    added.offset = uint32_t(section.sh_addr);
    added.bytes = llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(object.imageBase + section.sh_addr), section.sh_size);
    text.push_back(added);
  }
  std::vector<uint64_t> boundaries;
  for (const Symbol &symbol : symbols)
    if (symbol.type == llvm::ELF::STT_FUNC)
      boundaries.insert(boundaries.end(), {symbol.value, symbol.value + symbol.size});
  object.regions = std::make_unique<CodeRegions>(std::move(text), std::move(boundaries),
                                                 std::move(pointers), object.getChip().isa);
  return llvm::Error::success();
}

/// What no hardware has, so that a malformed number cannot ask for all memory or hand out memory
/// that is not the kernel's.
static llvm::Error checkResources(const KernelMetadata &kernel, const KernelDescriptor &parsed) {
  // The scratch ring counts the 1 KiB blocks of a wave in 13 bits.
  const uint64_t privateLimit = 8191 * 1024 / parsed.waveSize;
  if (parsed.privateBytes > privateLimit)
    return malformed("private memory of a work-item must be in [0, " + llvm::Twine(privateLimit) +
                     "] bytes, got " + llvm::Twine(parsed.privateBytes) + inKernel(kernel.name));
  const uint64_t arguments = std::max(parsed.kernargSize, kernel.kernargSize);
  const uint64_t preloaded = 4 * (uint64_t(parsed.preloadOffset) + parsed.preloadLength);
  if (parsed.preloadLength > 0 && preloaded > llvm::alignTo(arguments, 4))
    return malformed("preloaded arguments must end within the " + llvm::Twine(arguments) +
                     " bytes of the argument segment, got an end at " + llvm::Twine(preloaded) +
                     inKernel(kernel.name));
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::createKernels() {
  for (KernelMetadata &entry : metadata) {
    const Symbol *descriptor = findSymbol(entry.symbol);
    if (!descriptor || descriptor->value + 64 > object.imageSize)
      return malformed("malformed code object: the kernel descriptor is missing" +
                       inKernel(entry.name));
    Kernel kernel;
    auto parsed = parseKernelDescriptor(
        llvm::ArrayRef<uint8_t>(
            reinterpret_cast<const uint8_t *>(object.imageBase + descriptor->value), 64),
        descriptor->value, object.getChip());
    if (!parsed)
      return malformed(llvm::toString(parsed.takeError()) + inKernel(entry.name));
    kernel.descriptor = *parsed;
    if (entry.waveSize != 32 && entry.waveSize != 64)
      return malformed("malformed code object: waves must have 32 or 64 lanes, got " +
                       llvm::Twine(entry.waveSize) + inKernel(entry.name));
    if (entry.waveSize != parsed->waveSize)
      return malformed("malformed code object: waves have " + llvm::Twine(entry.waveSize) +
                       " lanes in the metadata and " + llvm::Twine(parsed->waveSize) +
                       " in the descriptor" + inKernel(entry.name));
    if (parsed->entryOffset % 4 != 0 || !object.regions->contains(parsed->entryOffset))
      return malformed("malformed code object: the entry is no instruction" + inKernel(entry.name));
    if (llvm::Error error = checkResources(entry, *parsed))
      return error;
    if (const Symbol *function = findSymbol(entry.name))
      kernel.codeBytes = uint32_t(function->size);
    std::string name = entry.name;
    kernel.metadata = std::move(entry);
    object.kernels[name] = std::move(kernel);
  }
  return llvm::Error::success();
}

llvm::Error CodeObjectLoader::run() {
  for (auto step : {&CodeObjectLoader::checkHeader, &CodeObjectLoader::mapSegments,
                    &CodeObjectLoader::readSymbols, &CodeObjectLoader::relocate,
                    &CodeObjectLoader::readMetadata, &CodeObjectLoader::findCode,
                    &CodeObjectLoader::createKernels})
    if (llvm::Error error = (this->*step)())
      return error;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<CodeObject>> CodeObject::load(StringRef bytes, const ChipModel &chip,
                                                             const InstructionTable &table,
                                                             MemoryTable &memory) {
  // LLVM's readers want aligned bytes.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty())
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
  StringRef copy(reinterpret_cast<const char *>(aligned.data()), bytes.size());
  std::unique_ptr<CodeObject> object(new CodeObject(chip, table, memory));
  CodeObjectLoader loader(copy, *object);
  if (llvm::Error error = loader.run())
    return std::move(error);
  return std::move(object);
}
