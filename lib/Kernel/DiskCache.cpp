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
#include "ck-mlir/Runtime/Environment.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

std::string DiskCache::getPath(const KernelRequest &request) const {
  std::string key = request.getKey(getCompilerVersion());
  llvm::SmallString<256> result(directory);
  path::append(result, StringRef(key).take_front(2), key + ".ckk");
  return result.str().str();
}

std::optional<KernelImage> DiskCache::find(const KernelRequest &request, bool &isDamaged) const {
  isDamaged = false;
  std::string file = getPath(request);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!buffer)
    return std::nullopt;
  Expected<CachedKernel> entry = parseEntry((*buffer)->getBuffer());
  if (entry && entry->request == request && entry->compiler == getCompilerVersion()) {
    if (!readOnly)
      (void)utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // used now
    return std::move(entry->image);
  }
  llvm::consumeError(entry.takeError());
  isDamaged = true;
  if (!readOnly)
    (void)fs::remove(file);
  return std::nullopt;
}

Expected<unsigned> DiskCache::store(const KernelRequest &request, const KernelImage &image) const {
  std::string file = getPath(request);
  if (std::error_code code = fs::create_directories(path::parent_path(file)))
    return createStringError(code, "cannot write '" + file + "': " + code.message());
  std::string content = writeEntry(request, image);
  if (Error error = writeFile(file, content))
    return std::move(error);
  if (allowance->fetch_sub(content.size()) > int64_t(content.size()))
    return 0;
  uint64_t total = 0;
  for (const CacheEntry &entry : list())
    total += entry.bytes;
  constexpr uint64_t slack = 16;
  *allowance = total < limitBytes ? (limitBytes - total) / slack : 0;
  return total > limitBytes ? prune(limitBytes - limitBytes / slack) : 0;
}

/// Calls `visit` for every file of the folder.
static void visitFiles(StringRef directory,
                       llvm::function_ref<void(StringRef, const struct stat &)> visit) {
  std::error_code code;
  for (fs::recursive_directory_iterator it(directory, code), end; it != end && !code;
       it.increment(code)) {
    struct stat status;
    if (stat(it->path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      visit(it->path(), status);
  }
}

static int64_t getLastUse(const struct stat &status) {
  return status.st_mtim.tv_sec * int64_t(1000000000) + status.st_mtim.tv_nsec;
}

std::vector<CacheEntry> DiskCache::list() const {
  std::vector<CacheEntry> entries;
  visitFiles(directory, [&](StringRef file, const struct stat &status) {
    if (path::extension(file) == ".ckk")
      entries.push_back({file.str(), uint64_t(status.st_size), getLastUse(status)});
  });
  llvm::sort(entries, [](const CacheEntry &a, const CacheEntry &b) {
    return std::tie(a.lastUse, a.path) < std::tie(b.lastUse, b.path);
  });
  return entries;
}

namespace {
/// A lock of a folder among processes, held as long as the object lives.
class FolderLock {
public:
  explicit FolderLock(const std::string &file)
      : descriptor(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
      continue;
  }
  ~FolderLock() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int descriptor;
};
} // namespace

/// Removes files that their writers never finished.
static void removeUnfinished(StringRef directory) {
  auto hourAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  int64_t limit =
      std::chrono::duration_cast<std::chrono::nanoseconds>(hourAgo.time_since_epoch()).count();
  visitFiles(directory, [&](StringRef file, const struct stat &status) {
    if (file.contains(".ckk.tmp-") && getLastUse(status) < limit)
      (void)fs::remove(file);
  });
}

Expected<unsigned> DiskCache::prune(uint64_t bytes) const {
  FolderLock lock(directory + "/lock");
  removeUnfinished(directory);
  std::vector<CacheEntry> entries = list();
  uint64_t total = 0;
  for (const CacheEntry &entry : entries)
    total += entry.bytes;
  unsigned removed = 0;
  for (const CacheEntry &entry : entries) {
    if (total <= bytes)
      break;
    if (std::error_code code = fs::remove(entry.path))
      return createStringError(code, "cannot remove '" + entry.path + "': " + code.message());
    total -= entry.bytes;
    ++removed;
  }
  return removed;
}
