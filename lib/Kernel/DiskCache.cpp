//===- DiskCache.cpp - Kernels in a folder -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers need no lock: a file is renamed into place, and one that is removed stays readable for
// whom has it open. Removing is under a lock, so that two processes do not both make room.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/DiskCache.h"
#include "Kernel/CacheFolder.h"
#include "ck-mlir/Runtime/Environment.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr StringRef kMagic = "ck-mlir kernel 1\n";
static constexpr size_t kDigits = 64;
static constexpr uint64_t kMaxEntryBytes = uint64_t(256) << 20;

std::string mlir::ck::getDefaultCacheDirectory() {
  std::string given = getVariable("CK_KERNEL_CACHE");
  if (!given.empty())
    return given;
  llvm::SmallString<128> folder(getVariable("XDG_CACHE_HOME"));
  if (folder.empty()) {
    folder = getVariable("HOME");
    if (folder.empty())
      return "";
    path::append(folder, ".cache");
  }
  path::append(folder, "ck-mlir", "kernels");
  return folder.str().str();
}

std::string mlir::ck::writeEntry(const KernelRequest &request, const KernelImage &image) {
  std::string body;
  std::string json = llvm::formatv("{0}", request.toJson());
  for (StringRef part : {StringRef(getCompilerVersion()), StringRef(json),
                         StringRef(image.manifest), StringRef(image.codeObject)})
    body += (Twine(part.size()) + "\n" + part).str();
  return (kMagic + getChecksum(body) + "\n" + body).str();
}

/// Takes a part with the line of its size off `text`.
static Expected<StringRef> takePart(StringRef &text) {
  size_t bytes = 0;
  auto [line, rest] = text.split('\n');
  if (line.getAsInteger(10, bytes) || bytes > rest.size())
    return createStringError("expected a part of '" + line + "' bytes, got " + Twine(rest.size()));
  text = rest.drop_front(bytes);
  return rest.take_front(bytes);
}

Expected<CachedKernel> mlir::ck::parseEntry(StringRef content) {
  if (!content.consume_front(kMagic))
    return createStringError("expected the line '" + kMagic.rtrim() + "' at its beginning");
  StringRef checksum = content.take_front(kDigits), body = content.drop_front(checksum.size());
  if (!body.consume_front("\n") || getChecksum(body) != checksum)
    return createStringError("the checksum differs");
  StringRef parts[4];
  for (StringRef &part : parts) {
    Expected<StringRef> taken = takePart(body);
    if (!taken)
      return taken.takeError();
    part = *taken;
  }
  Expected<llvm::json::Value> json = parseJson(parts[1], "the request");
  if (!json)
    return json.takeError();
  Expected<KernelRequest> request = KernelRequest::fromJson(*json);
  if (!request)
    return request.takeError();
  Expected<KernelImage> image = KernelImage::parse(parts[2], parts[3].str());
  if (!image)
    return image.takeError();
  return CachedKernel{parts[0].str(), std::move(*request), std::move(*image)};
}

Expected<DiskCache> DiskCache::open(StringRef directory, uint64_t limitBytes) {
  std::error_code code = fs::create_directories(directory);
  if (!code)
    code = fs::access(directory, fs::AccessMode::Write);
  if (code)
    return createStringError(code,
                             "cannot write kernels to '" + directory + "': " + code.message());
  return DiskCache(directory, limitBytes, /*readOnly=*/false);
}

Expected<DiskCache> DiskCache::openReadOnly(StringRef directory) {
  if (!fs::is_directory(directory))
    return createStringError("cannot read kernels from '" + directory +
                             "': expected a folder that exists");
  return DiskCache(directory, 0, /*readOnly=*/true);
}

/// The file of a request in the folder.
static std::string getFile(const KernelRequest &request) {
  std::string key = request.getKey(getCompilerVersion());
  return key.substr(0, 2) + "/" + key + ".ckk";
}

/// Reads what `file` holds; none if it cannot be of this compiler and `request`.
static std::optional<KernelImage> readEntry(const RegularFile &file, const KernelRequest &request) {
  if (file.getSize() > kMaxEntryBytes)
    return std::nullopt;
  Expected<std::string> content = file.read(0, file.getSize());
  if (!content) {
    llvm::consumeError(content.takeError());
    return std::nullopt;
  }
  Expected<CachedKernel> entry = parseEntry(*content);
  if (entry && entry->request == request && entry->compiler == getCompilerVersion())
    return std::move(entry->image);
  llvm::consumeError(entry.takeError());
  return std::nullopt;
}

std::optional<KernelImage> DiskCache::find(const KernelRequest &request, bool &isDamaged) const {
  isDamaged = false;
  CacheFolder folder(directory);
  Expected<std::optional<RegularFile>> file = folder.open(getFile(request));
  if (file && !*file)
    return std::nullopt;
  if (file) {
    if (std::optional<KernelImage> image = readEntry(**file, request)) {
      if (!readOnly)
        (void)futimens((*file)->getDescriptor(), nullptr); // used now
      return image;
    }
  }
  llvm::consumeError(file.takeError());
  isDamaged = true;
  if (!readOnly)
    (void)folder.remove(getFile(request));
  return std::nullopt;
}

Expected<unsigned> DiskCache::store(const KernelRequest &request, const KernelImage &image) const {
  std::string file = getFile(request), content = writeEntry(request, image);
  if (std::error_code code = CacheFolder(directory).write(file, content))
    return createStringError(code,
                             "cannot write '" + directory + "/" + file + "': " + code.message());
  if (allowance->fetch_sub(content.size()) > int64_t(content.size()))
    return 0;
  uint64_t total = 0;
  for (const CacheEntry &entry : list())
    total += entry.bytes;
  constexpr uint64_t slack = 16;
  // Where no room can be made, for want of the lock, not every kernel tries again.
  *allowance = (total < limitBytes ? limitBytes - total : limitBytes) / slack;
  return total > limitBytes ? prune(limitBytes - limitBytes / slack) : 0;
}

std::shared_ptr<const void> DiskCache::claim(const KernelRequest &request, bool &waited,
                                             std::chrono::milliseconds limit) const {
  waited = false;
  if (readOnly)
    return nullptr;
  std::optional<FileClaim> claim = CacheFolder(directory).claim(
      getFile(request) + ".lock", *mayWait ? limit : std::chrono::milliseconds(0), waited);
  if (!claim && waited)
    *mayWait = false;
  return claim ? std::make_shared<const FileClaim>(std::move(*claim)) : nullptr;
}

static int64_t getLastUse(const struct stat &status) {
  return status.st_mtim.tv_sec * int64_t(1000000000) + status.st_mtim.tv_nsec;
}

std::vector<CacheEntry> DiskCache::list() const {
  std::vector<CacheEntry> entries;
  CacheFolder(directory).visitFiles([&](const std::string &file, const struct stat &status) {
    if (path::extension(file) == ".ckk")
      entries.push_back({directory + "/" + file, uint64_t(status.st_size), getLastUse(status)});
  });
  llvm::sort(entries, [](const CacheEntry &a, const CacheEntry &b) {
    return std::tie(a.lastUse, a.path) < std::tie(b.lastUse, b.path);
  });
  return entries;
}

/// Removes files that their writers never finished, and locks of processes that were killed.
static void removeUnfinished(const CacheFolder &folder) {
  auto hourAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  int64_t limit =
      std::chrono::duration_cast<std::chrono::nanoseconds>(hourAgo.time_since_epoch()).count();
  folder.visitFiles([&](const std::string &file, const struct stat &status) {
    const bool isUnfinished =
        StringRef(file).contains(".ckk.tmp-") || StringRef(file).ends_with(".ckk.lock");
    if (isUnfinished && getLastUse(status) < limit)
      (void)folder.remove(file);
  });
}

Expected<unsigned> DiskCache::prune(uint64_t bytes, std::chrono::milliseconds lockLimit) const {
  CacheFolder folder(directory);
  Expected<Descriptor> lock = folder.lock(lockLimit);
  if (!lock)
    return lock.takeError();
  removeUnfinished(folder);
  std::vector<CacheEntry> entries = list();
  uint64_t total = 0;
  for (const CacheEntry &entry : entries)
    total += entry.bytes;
  unsigned removed = 0;
  for (const CacheEntry &entry : entries) {
    if (total <= bytes)
      break;
    if (std::error_code code = folder.remove(StringRef(entry.path).substr(directory.size() + 1)))
      return createStringError(code, "cannot remove '" + entry.path + "': " + code.message());
    total -= entry.bytes;
    ++removed;
  }
  return removed;
}
