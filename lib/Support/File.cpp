//===- File.cpp - Reading and writing whole files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// New content goes to a temporary file in the same folder, which then takes the place of the old
// one in one step.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cksupport;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

static Error makeError(const Twine &verb, StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot " + verb + " '" + path + "': " + code.message());
}

Expected<std::unique_ptr<llvm::MemoryBuffer>> cksupport::readFile(StringRef path) {
  if (path != "-" && fs::is_directory(path))
    return makeError("read", path, std::make_error_code(std::errc::is_a_directory));
  // A file that is volatile, and needs a terminator, is read, never mapped.
  auto buffer = path == "-" ? llvm::MemoryBuffer::getSTDIN()
                            : llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                          /*RequiresNullTerminator=*/true,
                                                          /*IsVolatile=*/true);
  if (!buffer)
    return makeError("read", path, buffer.getError());
  return std::move(*buffer);
}

Expected<RegularFile> RegularFile::open(StringRef path) {
  // Without O_NONBLOCK opening a pipe waits for its writer.
  int descriptor = ::open(path.str().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return makeError("read", path, std::error_code(errno, std::generic_category()));
  return take(descriptor, path);
}

Expected<RegularFile> RegularFile::take(int descriptor, StringRef path) {
  RegularFile file(descriptor, 0, path);
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return makeError("read", path, std::error_code(errno, std::generic_category()));
  if (!S_ISREG(status.st_mode))
    return llvm::createStringError("cannot read '" + path + "': expected a regular file");
  file.bytes = status.st_size;
  return file;
}

RegularFile::~RegularFile() {
  if (descriptor >= 0)
    close(descriptor);
}

Expected<std::string> RegularFile::read(uint64_t offset, uint64_t size) const {
  if (offset > bytes || size > bytes - offset)
    return llvm::createStringError("cannot read '" + path + "': it ends at byte " + Twine(bytes));
  std::string content(size, '\0');
  for (uint64_t done = 0; done < size;) {
    ssize_t count = pread(descriptor, content.data() + done, size - done, offset + done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeError("read", path, std::error_code(errno, std::generic_category()));
    if (count == 0)
      return llvm::createStringError("cannot read '" + path + "': it was cut off at byte " +
                                     Twine(offset + done));
    done += count;
  }
  return content;
}

/// Writes all of `content` and reports a full disk or closed pipe.
static std::error_code writeAll(int fd, StringRef content) {
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/false);
  os << content;
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code;
}

static Error writeDirectly(StringRef path, StringRef content) {
  int fd;
  if (std::error_code code = fs::openFileForWrite(path, fd, fs::CD_OpenExisting))
    return makeError("write", path, code);
  std::error_code code = writeAll(fd, content);
  fs::file_t file = fs::convertFDToNativeFile(fd);
  std::error_code closeCode = fs::closeFile(file);
  if (code || closeCode)
    return makeError("write", path, code ? code : closeCode);
  return Error::success();
}

/// What the symbolic links at `path` name in the end, whether it exists or not.
static Expected<std::string> followLinks(StringRef verb, StringRef path) {
  constexpr int kMaxLinks = 40;
  llvm::SmallString<256> current = path;
  for (int links = 0; fs::is_symlink_file(Twine(current)); ++links) {
    char target[PATH_MAX];
    ssize_t length = readlink(current.c_str(), target, sizeof(target));
    if (links == kMaxLinks || length < 0)
      return makeError(verb, path,
                       length < 0 ? std::error_code(errno, std::generic_category())
                                  : std::make_error_code(std::errc::too_many_symbolic_link_levels));
    StringRef name(target, length);
    if (llvm::sys::path::is_absolute(name))
      current.clear();
    else
      llvm::sys::path::remove_filename(current);
    llvm::sys::path::append(current, name);
  }
  return current.str().str();
}

/// Gives the new file the owner, if that is allowed, and the mode of the old one.
static std::error_code keepMode(int fd, const fs::file_status &old) {
  if (fchown(fd, old.getUser(), old.getGroup()) != 0 && errno != EPERM)
    return std::error_code(errno, std::generic_category());
  return fs::setPermissions(fd, old.permissions());
}

/// An error for a file that may not be written: it must be neither replaced nor removed. One that
/// was removed meanwhile, as other processes may do at any time, is no longer in the way.
static std::error_code checkWritable(const Twine &path, const fs::file_status &status) {
  if (!fs::exists(status))
    return std::error_code();
  std::error_code code = fs::access(path, fs::AccessMode::Write);
  return code == std::errc::no_such_file_or_directory ? std::error_code() : code;
}

Expected<std::optional<fs::file_status>> cksupport::removeFile(StringRef path) {
  Expected<std::string> followed = followLinks("remove", path);
  if (!followed)
    return followed.takeError();
  fs::file_status status;
  std::error_code code = fs::status(*followed, status);
  if (code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory)
    return std::nullopt;
  if (!code)
    code = checkWritable(*followed, status);
  if (!code)
    code = fs::remove(*followed);
  if (code)
    return makeError("remove", path, code);
  return status;
}

Error cksupport::writeFile(StringRef path, StringRef content,
                           std::optional<fs::file_status> removed) {
  Expected<std::string> followed = followLinks("write", path);
  if (!followed)
    return followed.takeError();
  StringRef target = *followed;
  fs::file_status status;
  if (!fs::status(target, status) && status.type() != fs::file_type::regular_file) {
    if (status.type() == fs::file_type::directory_file)
      return makeError("write", target, std::make_error_code(std::errc::is_a_directory));
    return writeDirectly(target, content);
  }
  if (std::error_code code = checkWritable(target, status))
    return makeError("write", target, code);
  auto mode = fs::perms(fs::all_read | fs::all_write); // without those of the umask
  Expected<fs::TempFile> file = fs::TempFile::create(target + ".tmp-%%%%%%", mode);
  if (!file)
    return makeError("write", target, llvm::errorToErrorCode(file.takeError()));
  std::error_code code = writeAll(file->FD, content);
  if (!code && (removed || fs::exists(status)))
    code = keepMode(file->FD, removed.value_or(status));
  if (code) {
    llvm::consumeError(file->discard());
    return makeError("write", target, code);
  }
  if (Error error = file->keep(target)) {
    std::error_code keepCode = llvm::errorToErrorCode(std::move(error));
    llvm::consumeError(file->discard());
    return makeError("write", target, keepCode);
  }
  return Error::success();
}

/// Whether a device takes what is written. Some refuse even nothing, such as one that is full.
static std::error_code checkDevice(const std::string &path, fs::file_type type) {
  if (type == fs::file_type::fifo_file) // its reader may come later
    return fs::access(path, fs::AccessMode::Write);
  const int fd = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const bool fails = fd < 0 || (type == fs::file_type::character_file && write(fd, "", 0) < 0);
  const std::error_code code(fails ? errno : 0, std::generic_category());
  if (fd >= 0)
    close(fd);
  return code;
}

Error cksupport::checkWriteFile(StringRef path) {
  Expected<std::string> target = followLinks("write", path);
  if (!target)
    return target.takeError();
  fs::file_status status;
  std::error_code code;
  if (!fs::status(*target, status) && status.type() != fs::file_type::regular_file) {
    code = status.type() == fs::file_type::directory_file
               ? std::make_error_code(std::errc::is_a_directory)
               : checkDevice(*target, status.type());
  } else if (code = checkWritable(*target, status); !code) {
    // The mode of a folder does not say that it takes a file: some file systems have none but
    // their own.
    int fd = -1;
    llvm::SmallString<256> created;
    code = fs::createUniqueFile(*target + ".tmp-%%%%%%", fd, created);
    if (!code) {
      close(fd);
      code = fs::remove(created);
    }
  }
  return code ? makeError("write", *target, code) : Error::success();
}

/// The parser calls itself for each level.
static constexpr unsigned kMaxJsonDepth = 256;

/// True if more than `kMaxJsonDepth` brackets and braces are open somewhere in `text`.
static bool exceedsDepth(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (inString && letter == '\\')
      ++i;
    else if (letter == '"')
      inString = !inString;
    else if (!inString && (letter == '[' || letter == '{') && ++depth > kMaxJsonDepth)
      return true;
    else if (!inString && (letter == ']' || letter == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<llvm::json::Value> cksupport::parseJson(StringRef text, const Twine &what) {
  if (exceedsDepth(text))
    return llvm::createStringError("malformed JSON in " + what +
                                   ": values are nested in more than " + Twine(kMaxJsonDepth) +
                                   " levels");
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("malformed JSON in " + what + ": " +
                                   llvm::toString(value.takeError()));
  return value;
}

Expected<llvm::json::Value> cksupport::readJsonFile(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseJson((*buffer)->getBuffer(), "'" + path + "'");
}
