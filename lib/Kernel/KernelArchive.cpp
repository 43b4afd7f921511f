//===- KernelArchive.cpp - Kernels in one file -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is checked when the file is opened, a code object when it is read: opening an archive
// of a thousand kernels takes no longer than reading their manifests.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelArchive.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kMagic = "ck-mlir archive ";
static constexpr StringRef kVersion = "1";
static constexpr size_t kDigits = 64;

static std::string getText(const llvm::json::Value &value) {
  return llvm::formatv("{0}", value).str();
}

Error KernelArchive::write(StringRef path, StringRef name, llvm::ArrayRef<ArchiveKernel> kernels) {
  llvm::json::Array list;
  std::string code;
  for (const ArchiveKernel &kernel : kernels) {
    const std::string &bytes = kernel.image->codeObject;
    list.push_back(llvm::json::Object{{"request", kernel.request.toJson()},
                                      {"layer", kernel.layer},
                                      {"manifest", kernel.image->manifest},
                                      {"offset", code.size()},
                                      {"bytes", bytes.size()},
                                      {"sha256", getChecksum(bytes)}});
    code += bytes;
  }
  std::string header = getText(llvm::json::Object{
      {"name", name}, {"compiler", getCompilerVersion()}, {"kernels", std::move(list)}});
  return writeFile(path, (kMagic + kVersion + "\n" + getChecksum(header) + "\n" +
                          Twine(header.size()) + "\n" + header + code)
                             .str());
}

Expected<KernelArchive> KernelArchive::open(StringRef path) {
  Expected<RegularFile> file = RegularFile::open(path);
  if (!file)
    return file.takeError();
  KernelArchive archive;
  archive.path = path.str();
  archive.file = std::make_unique<RegularFile>(std::move(*file));
  if (Error error = archive.parse())
    return createStringError("cannot open the archive '" + path +
                             "': " + llvm::toString(std::move(error)));
  return archive;
}

Error KernelArchive::parse() {
  constexpr uint64_t maxLineBytes = 256; // of the three lines before the header
  Expected<std::string> begin = file->read(0, std::min(file->getSize(), maxLineBytes));
  if (!begin)
    return begin.takeError();
  StringRef content = *begin;
  if (!content.consume_front(kMagic))
    return createStringError("expected '" + kMagic.rtrim() + "' at its beginning");
  auto [version, rest] = content.split('\n');
  if (version != kVersion)
    return createStringError("expected version " + kVersion + " of the format, got '" +
                             version.take_front(kDigits) + "'");
  auto [checksum, sized] = rest.split('\n');
  auto [size, body] = sized.split('\n');
  uint64_t headerBegin = begin->size() - body.size(), left = file->getSize() - headerBegin;
  uint64_t bytes = 0;
  if (size.getAsInteger(10, bytes) || bytes > left)
    return createStringError("expected a header of '" + size.take_front(kDigits) + "' bytes, got " +
                             Twine(left));
  Expected<std::string> header = file->read(headerBegin, bytes);
  if (!header)
    return header.takeError();
  if (getChecksum(*header) != checksum)
    return createStringError("the checksum of the header differs");
  codeBegin = headerBegin + bytes;
  codeBytes = left - bytes;
  Expected<llvm::json::Value> value = parseJson(*header, "the header");
  if (!value)
    return value.takeError();
  return parseHeader(*value);
}

Error KernelArchive::parseHeader(const llvm::json::Value &header) {
  llvm::json::Path::Root root("header");
  llvm::json::ObjectMapper mapper(header, root);
  if (!mapper || !mapper.map("name", name) || !mapper.map("compiler", compiler))
    return root.getError();
  const llvm::json::Array *kernels = header.getAsObject()->getArray("kernels");
  if (!kernels)
    return createStringError("expected an array 'kernels' in the header");
  for (const llvm::json::Value &kernel : *kernels)
    if (Error error = parseKernel(kernel))
      return error;
  return Error::success();
}

Error KernelArchive::parseKernel(const llvm::json::Value &kernel) {
  ArchiveEntry entry;
  llvm::json::Path::Root root("kernel");
  llvm::json::ObjectMapper mapper(kernel, root);
  if (!mapper || !mapper.map("layer", entry.layer) || !mapper.map("manifest", entry.manifest) ||
      !mapper.map("offset", entry.offset) || !mapper.map("bytes", entry.bytes) ||
      !mapper.map("sha256", entry.checksum))
    return root.getError();
  const llvm::json::Value *given = kernel.getAsObject()->get("request");
  Expected<KernelRequest> request = KernelRequest::fromJson(given ? *given : nullptr);
  if (!request)
    return request.takeError();
  entry.request = std::move(*request);
  if (entry.offset > codeBytes || entry.bytes > codeBytes - entry.offset)
    return createStringError("the file is truncated: the code of " + toString(entry.request) +
                             " ends at byte " + Twine(entry.offset) + " + " + Twine(entry.bytes) +
                             " of " + Twine(codeBytes));
  numbers[getText(entry.request.toJson())] = entries.size();
  entries.push_back(std::move(entry));
  return Error::success();
}

const ArchiveEntry *KernelArchive::find(const KernelRequest &request) const {
  auto it = numbers.find(getText(request.toJson()));
  return it == numbers.end() ? nullptr : &entries[it->second];
}

Expected<KernelImage> KernelArchive::load(const ArchiveEntry &entry) const {
  auto fail = [&](const Twine &reason) {
    return createStringError("damaged kernel in the archive '" + path + "', " +
                             toString(entry.request) + ": " + reason);
  };
  Expected<std::string> code = file->read(codeBegin + entry.offset, entry.bytes);
  if (!code)
    return fail(llvm::toString(code.takeError()));
  if (getChecksum(*code) != entry.checksum)
    return fail("the checksum of its code differs");
  Expected<KernelImage> image = KernelImage::parse(entry.manifest, std::move(*code));
  if (!image)
    return fail(llvm::toString(image.takeError()));
  return image;
}
