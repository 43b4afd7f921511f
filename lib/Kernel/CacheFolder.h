//===- CacheFolder.h - Files of a folder that others may write -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Others may put links, pipes and devices where kernels are expected. Nothing here follows a link
// within the folder, waits for a pipe, or leaves the folder.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_KERNEL_CACHEFOLDER_H
#define CK_MLIR_LIB_KERNEL_CACHEFOLDER_H

#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <optional>
#include <sys/stat.h>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// A descriptor that is closed at the end; negative if there is none.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor();

  int get() const { return number; }
  int release() { return std::exchange(number, -1); }

private:
  int number;
};

/// A lock that no other process has, from construction to destruction, which removes its file.
class FileClaim {
public:
  FileClaim(Descriptor parent, Descriptor file, std::string name)
      : parent(std::move(parent)), file(std::move(file)), name(std::move(name)) {}
  FileClaim(FileClaim &&other) = default;
  ~FileClaim();

private:
  Descriptor parent, file;
  std::string name;
};

/// The files `xx/name` of a folder.
class CacheFolder {
public:
  explicit CacheFolder(llvm::StringRef directory) : directory(directory.str()) {}

  /// Opens a file for reading; none if there is none. Error: it is no regular file.
  llvm::Expected<std::optional<cksupport::RegularFile>> open(llvm::StringRef file) const;
  /// Writes a file, which takes the place of what had its name.
  std::error_code write(llvm::StringRef file, llvm::StringRef content) const;
  /// Removes a file; one that is not there is no error.
  std::error_code remove(llvm::StringRef file) const;
  /// Calls `visit` for every regular file, as "xx/name".
  void visitFiles(llvm::function_ref<void(const std::string &, const struct stat &)> visit) const;
  /// Locks the folder among processes, as long as the descriptor lives. Error: another process has
  /// had the lock for `limit`, or what is there is no lock.
  llvm::Expected<Descriptor> lock(std::chrono::milliseconds limit) const;

  /// Locks `file`, which is made, among processes. `waited` is set when another one had it. None
  /// when it has had it for `limit`, or what is there cannot be locked.
  std::optional<FileClaim> claim(llvm::StringRef file, std::chrono::milliseconds limit,
                                 bool &waited) const;

private:
  /// Opens the folder "xx" of `file`, which is made with `create`.
  Descriptor openParent(llvm::StringRef file, bool create = false) const;

  std::string directory;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_KERNEL_CACHEFOLDER_H
