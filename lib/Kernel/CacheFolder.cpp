//===- CacheFolder.cpp - Files of a folder that others may write -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CacheFolder.h.
//
//===----------------------------------------------------------------------===//

#include "Kernel/CacheFolder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
namespace path = llvm::sys::path;

static std::error_code getLastError() { return {errno, std::generic_category()}; }

Descriptor::~Descriptor() {
  if (number >= 0)
    ::close(number);
}

static Descriptor openFolder(int parent, const std::string &name) {
  // The folder itself may be a link of its owner's; those in it may not.
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (parent == AT_FDCWD ? 0 : O_NOFOLLOW);
  return Descriptor(openat(parent, name.c_str(), flags));
}

Descriptor CacheFolder::openParent(StringRef file, bool create) const {
  Descriptor folder = openFolder(AT_FDCWD, directory);
  const std::string name = path::parent_path(file).str();
  if (folder.get() < 0 ||
      (create && mkdirat(folder.get(), name.c_str(), 0777) != 0 && errno != EEXIST))
    return Descriptor(-1);
  return openFolder(folder.get(), name);
}

Expected<std::optional<RegularFile>> CacheFolder::open(StringRef file) const {
  Descriptor parent = openParent(file);
  if (parent.get() < 0)
    return std::nullopt;
  // Without O_NONBLOCK opening a pipe waits for its writer.
  int opened = openat(parent.get(), path::filename(file).str().c_str(),
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened >= 0)
    return RegularFile::take(opened, directory + "/" + file.str());
  if (errno == ENOENT)
    return std::nullopt;
  return createStringError(getLastError(), "cannot read '" + file + "'");
}

/// Writes all of `content`.
static std::error_code writeAll(int descriptor, StringRef content) {
  while (!content.empty()) {
    ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count < 0 && errno != EINTR)
      return getLastError();
    if (count > 0)
      content = content.drop_front(count);
  }
  return {};
}

std::error_code CacheFolder::write(StringRef file, StringRef content) const {
  const std::string name = path::filename(file).str();
  Descriptor parent = openParent(file, /*create=*/true);
  if (parent.get() < 0)
    return getLastError();
  std::string temporary =
      name +
      llvm::formatv(".tmp-{0:x-}{1:x-8}", getpid(), llvm::sys::Process::GetRandomNumber()).str();
  Descriptor opened(openat(parent.get(), temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (opened.get() < 0)
    return getLastError();
  std::error_code code = writeAll(opened.get(), content);
  if (::close(opened.release()) != 0 && !code)
    code = getLastError();
  if (!code && renameat(parent.get(), temporary.c_str(), parent.get(), name.c_str()) != 0)
    code = getLastError();
  if (code)
    (void)unlinkat(parent.get(), temporary.c_str(), 0);
  return code;
}

std::error_code CacheFolder::remove(StringRef file) const {
  Descriptor parent = openParent(file);
  if (parent.get() >= 0 && unlinkat(parent.get(), path::filename(file).str().c_str(), 0) == 0)
    return {};
  return errno == ENOENT ? std::error_code() : getLastError();
}

/// Calls `visit` for what is in an open folder.
static void visitFolder(Descriptor folder, mode_t type,
                        llvm::function_ref<void(StringRef, const struct stat &)> visit) {
  DIR *stream = folder.get() < 0 ? nullptr : fdopendir(folder.get());
  if (!stream)
    return;
  int descriptor = folder.release(); // the stream's now
  while (const dirent *entry = readdir(stream)) {
    struct stat status;
    if (StringRef(entry->d_name).trim('.').empty() ||
        fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if ((status.st_mode & S_IFMT) == type)
      visit(entry->d_name, status);
  }
  closedir(stream);
}

void CacheFolder::visitFiles(
    llvm::function_ref<void(const std::string &, const struct stat &)> visit) const {
  Descriptor folder = openFolder(AT_FDCWD, directory);
  Descriptor listed(folder.get() < 0 ? -1 : dup(folder.get()));
  visitFolder(std::move(listed), S_IFDIR, [&](StringRef parent, const struct stat &) {
    visitFolder(openFolder(folder.get(), parent.str()), S_IFREG,
                [&](StringRef name, const struct stat &status) {
                  visit((parent + "/" + name).str(), status);
                });
  });
}

Expected<Descriptor> CacheFolder::lock(std::chrono::milliseconds limit) const {
  std::string file = directory + "/lock";
  auto fail = [&](const llvm::Twine &reason) {
    return createStringError("cannot lock '" + file + "': " + reason);
  };
  Descriptor opened(
      ::open(file.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat status;
  if (opened.get() < 0 || fstat(opened.get(), &status) != 0)
    return fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail("expected a regular file");
  auto end = std::chrono::steady_clock::now() + limit;
  while (flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK)
      return fail(std::strerror(errno));
    if (std::chrono::steady_clock::now() >= end)
      return fail("another process has held it for " + llvm::Twine(limit.count()) + " ms");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return opened;
}

FileClaim::~FileClaim() {
  if (parent.get() >= 0 && file.get() >= 0)
    (void)unlinkat(parent.get(), name.c_str(), 0);
}

/// Whether `name` in the folder still is the file that was opened.
static bool isSame(const Descriptor &parent, const std::string &name, const Descriptor &opened) {
  struct stat there, ours;
  return fstatat(parent.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(opened.get(), &ours) == 0 && there.st_ino == ours.st_ino &&
         there.st_dev == ours.st_dev;
}

std::optional<FileClaim> CacheFolder::claim(StringRef file, std::chrono::milliseconds limit,
                                            bool &waited) const {
  waited = false;
  Descriptor parent = openParent(file, /*create=*/true);
  const std::string name = path::filename(file).str();
  const auto end = std::chrono::steady_clock::now() + limit;
  while (parent.get() >= 0) {
    Descriptor opened(openat(parent.get(), name.c_str(),
                             O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
    struct stat status;
    if (opened.get() < 0 || fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode))
      break;
    if (flock(opened.get(), LOCK_EX | LOCK_NB) == 0) {
      // Who had it before has removed the file: another one may have been made meanwhile.
      if (isSame(parent, name, opened))
        return FileClaim(std::move(parent), std::move(opened), name);
      continue;
    }
    if (errno != EINTR && errno != EWOULDBLOCK)
      break;
    waited = true;
    if (std::chrono::steady_clock::now() >= end)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::nullopt;
}
