//===- CodeObject.cpp - Reading the metadata of a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The note NT_AMDGPU_METADATA holds a MessagePack document with the resources of each kernel
// (AMDGPUUsage, "Code Object Metadata"); the symbol table gives the size of its code.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Serialize/CodeObject.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::msgpack::DocNode;
using ElfFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// The bytes of the metadata note.
static Expected<StringRef> findMetadataNote(const ElfFile &elf) {
  Expected<ElfFile::Elf_Phdr_Range> headers = elf.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != llvm::ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : elf.notes(header, error)) {
      if (note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA) {
        llvm::consumeError(std::move(error));
        return note.getDescAsStringRef(header.p_align);
      }
    }
    if (error)
      return std::move(error);
  }
  return createStringError("code object has no metadata note");
}

/// An integer field of a kernel's map; 0 when it is absent.
static int64_t getInteger(llvm::msgpack::MapDocNode &map, StringRef key) {
  auto it = map.find(key);
  if (it == map.end())
    return 0;
  DocNode &node = it->second;
  if (node.getKind() == llvm::msgpack::Type::UInt)
    return static_cast<int64_t>(node.getUInt());
  return node.getKind() == llvm::msgpack::Type::Int ? node.getInt() : 0;
}

static Expected<KernelResources> readKernel(DocNode &node) {
  if (!node.isMap())
    return createStringError("code object metadata: expected a map for each kernel");
  llvm::msgpack::MapDocNode &map = node.getMap();
  auto name = map.find(".name");
  if (name == map.end() || !name->second.isString())
    return createStringError("code object metadata: a kernel has no name");
  KernelResources kernel;
  kernel.name = name->second.getString().str();
  kernel.vgprs = getInteger(map, ".vgpr_count");
  kernel.agprs = getInteger(map, ".agpr_count");
  kernel.sgprs = getInteger(map, ".sgpr_count");
  kernel.ldsBytes = getInteger(map, ".group_segment_fixed_size");
  kernel.scratchBytes = getInteger(map, ".private_segment_fixed_size");
  kernel.vgprSpills = getInteger(map, ".vgpr_spill_count");
  kernel.sgprSpills = getInteger(map, ".sgpr_spill_count");
  kernel.kernargBytes = getInteger(map, ".kernarg_segment_size");
  kernel.maxThreads = getInteger(map, ".max_flat_workgroup_size");
  return kernel;
}

static Expected<std::vector<KernelResources>> parseMetadata(StringRef note) {
  llvm::msgpack::Document document;
  if (!document.readFromBlob(note, /*Multi=*/false) || !document.getRoot().isMap())
    return createStringError("code object metadata is malformed");
  llvm::msgpack::MapDocNode &root = document.getRoot().getMap();
  auto list = root.find("amdhsa.kernels");
  if (list == root.end() || !list->second.isArray())
    return createStringError("code object metadata has no amdhsa.kernels");
  std::vector<KernelResources> kernels;
  for (DocNode &node : list->second.getArray()) {
    Expected<KernelResources> kernel = readKernel(node);
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

/// Sets `codeBytes` of every kernel.
static Error readCodeSizes(const llvm::object::ELF64LEObjectFile &object,
                           std::vector<KernelResources> &kernels) {
  for (KernelResources &kernel : kernels) {
    for (llvm::object::ELFSymbolRef symbol : object.getDynamicSymbolIterators()) {
      Expected<StringRef> name = symbol.getName();
      if (!name)
        return name.takeError();
      if (*name == kernel.name && symbol.getELFType() == llvm::ELF::STT_FUNC)
        kernel.codeBytes = symbol.getSize();
    }
    if (kernel.codeBytes == 0)
      return createStringError("code object has no code for kernel '" + kernel.name + "'");
  }
  return Error::success();
}

Expected<std::vector<KernelResources>> mlir::ck::readKernelResources(StringRef codeObject) {
  if (!codeObject.starts_with(StringRef("\x7f"
                                        "ELF",
                                        4)))
    return createStringError("not a code object: no ELF header");
  auto object =
      llvm::object::ELF64LEObjectFile::create(llvm::MemoryBufferRef(codeObject, "code object"));
  if (!object)
    return createStringError("code object is malformed: " + toString(object.takeError()));
  if (object->getELFFile().getHeader().e_machine != llvm::ELF::EM_AMDGPU)
    return createStringError("not an AMDGPU code object: ELF machine " +
                             llvm::Twine(object->getELFFile().getHeader().e_machine));
  Expected<StringRef> note = findMetadataNote(object->getELFFile());
  if (!note)
    return createStringError("code object is malformed: " + toString(note.takeError()));
  Expected<std::vector<KernelResources>> kernels = parseMetadata(*note);
  if (!kernels)
    return kernels.takeError();
  if (Error error = readCodeSizes(*object, *kernels))
    return createStringError("code object is malformed: " + toString(std::move(error)));
  return kernels;
}
