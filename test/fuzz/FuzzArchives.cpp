//===- FuzzArchives.cpp - Archives, entries of caches and manifests -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An archive or an entry of a cache is opened, and each of its kernels is loaded and written again.
// The checksums of a changed input are made right, so that more than they is tested.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Kernel/DiskCache.h"
#include "ck-mlir/Kernel/KernelArchive.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace mlir::ck;
using namespace ckfuzz;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef kArchive = "ck-mlir archive 1\n", kEntry = "ck-mlir kernel 1\n";
static constexpr size_t kDigits = 64;

/// A file of this process alone.
static const std::string &getFile() {
  static const std::string path = [] {
    llvm::SmallString<64> made;
    require(!llvm::sys::fs::createTemporaryFile("fuzz", "cka", made), "no temporary file");
    return std::string(made);
  }();
  return path;
}

static void write(StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(getFile(), code);
  os << bytes;
  require(!code, "the temporary file cannot be written");
}

/// What a program does with an image before it launches it.
static void testImage(const KernelImage &image) {
  require(!image.tensors.empty(), "an image without tensors");
  for (size_t i = 0; i < image.tensors.size(); ++i) {
    const TensorDesc &tensor = image.tensors[i];
    require(tensor.getSizeInBytes() >= 0, "a tensor of " + tensor.name + " has no size");
    const std::vector<int64_t> strides(tensor.shape.size(), 1);
    llvm::consumeError(image.checkArray(i, {tensor.type, tensor.shape, strides}));
  }
  llvm::consumeError(image.checkWorkspace(&image, size_t(image.workspaceBytes)));
  Expected<KernelImage> again = KernelImage::parse(image.manifest, image.codeObject);
  require(bool(again), "an image's manifest is no manifest: " + image.manifest);
}

static void testArchive(StringRef bytes) {
  write(bytes);
  Expected<KernelArchive> archive = KernelArchive::open(getFile());
  if (!archive)
    return llvm::consumeError(archive.takeError());
  std::vector<ArchiveKernel> kernels;
  std::set<std::string> problems;
  for (const ArchiveEntry &entry : archive->getEntries()) {
    Expected<KernelImage> image = archive->load(entry);
    if (!image) {
      llvm::consumeError(image.takeError());
      continue;
    }
    testImage(*image);
    if (problems.insert(toString(entry.request)).second)
      kernels.push_back(
          {entry.request, entry.layer, std::make_shared<KernelImage>(std::move(*image))});
  }
  const std::string name = archive->getName();
  require(!KernelArchive::write(getFile(), name, kernels), "an archive cannot be written again");
  Expected<KernelArchive> again = KernelArchive::open(getFile());
  require(again && again->getEntries().size() == kernels.size(), "what was written is no archive");
  for (const ArchiveKernel &kernel : kernels) {
    const ArchiveEntry *entry = again->find(kernel.request);
    require(entry && again->load(*entry), "a kernel is lost: " + toString(kernel.request));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.starts_with(kEntry)) {
    if (Expected<CachedKernel> kernel = parseEntry(bytes))
      testImage(kernel->image);
    else
      llvm::consumeError(kernel.takeError());
  } else if (bytes.starts_with("{")) {
    if (Expected<KernelImage> image = KernelImage::parse(bytes, "code"))
      testImage(*image);
    else
      llvm::consumeError(image.takeError());
  } else {
    testArchive(bytes);
  }
  return 0;
}

static std::string makeArchive(const KernelRequest &request,
                               const std::shared_ptr<const KernelImage> &image) {
  const ArchiveKernel kernels[] = {{request, "first", image}, {KernelRequest(), "", image}};
  require(!KernelArchive::write(getFile(), "seed", kernels), "no archive for the seed");
  return llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(getFile())))
      ->getBuffer()
      .str();
}

std::vector<std::string> makeFuzzSeeds() {
  std::vector<std::string> seeds;
  for (StringRef problem : {"gemm:f16:M=32,N=32,K=32,epilogue=bias+relu",
                            "conv_bwd_weight:f16:N=1,K=16,C=16,in=5x5,filter=3x3"}) {
    KernelRequest named;
    named.problem = problem.str();
    const KernelRequest request = llvm::cantFail(named.canonicalize());
    const auto image = std::make_shared<KernelImage>(llvm::cantFail(compileRequest(request)));
    seeds.push_back(image->manifest);
    seeds.push_back(makeArchive(request, image));
    llvm::SmallString<64> folder;
    require(!llvm::sys::fs::createUniqueDirectory("fuzz", folder), "no temporary folder");
    const DiskCache cache = llvm::cantFail(DiskCache::open(folder, uint64_t(1) << 30));
    llvm::cantFail(cache.store(request, *image));
    seeds.push_back(
        llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(cache.list()[0].path)))
            ->getBuffer()
            .str());
    (void)llvm::sys::fs::remove_directories(folder);
  }
  return seeds;
}

/// Changes the header of an archive, which then has the right size and checksum.
static void mutateArchive(std::string &bytes, Random &random) {
  StringRef rest = StringRef(bytes).drop_front(kArchive.size());
  auto [checksum, sized] = rest.split('\n');
  auto [text, body] = sized.split('\n');
  size_t size = 0;
  if (text.getAsInteger(10, size) || size > body.size())
    return;
  std::string header = body.take_front(size).str();
  mutateText(header, random);
  bytes = (kArchive + getChecksum(header) + "\n" + llvm::Twine(header.size()) + "\n" + header +
           body.drop_front(size))
              .str();
}

/// Changes the parts of an entry of a cache, which then has the right checksum.
static void mutateEntry(std::string &bytes, Random &random) {
  std::string body = StringRef(bytes).drop_front(kEntry.size() + kDigits + 1).str();
  mutateText(body, random);
  bytes = (kEntry + getChecksum(body) + "\n" + body).str();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, [](std::string &bytes, Random &random) {
    if (random.oneIn(8))
      mutateBytes(bytes, random);
    else if (StringRef(bytes).starts_with(kArchive))
      mutateArchive(bytes, random);
    else if (bytes.size() > kEntry.size() + kDigits && StringRef(bytes).starts_with(kEntry))
      mutateEntry(bytes, random);
    else
      mutateText(bytes, random);
  });
}
