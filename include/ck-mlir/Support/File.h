//===- File.h - Reading and writing whole files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every tool reads and writes whole files and must say in one line why it could not.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SUPPORT_FILE_H
#define CK_MLIR_SUPPORT_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace cksupport {

/// A regular file that is open for reading. It is never mapped: one that another process cuts off
/// meanwhile makes reading fail, and does not end this process.
class RegularFile {
public:
  /// Opens a file. Error: "cannot read '<path>': <reason>", as for devices, pipes and folders.
  static llvm::Expected<RegularFile> open(llvm::StringRef path);
  /// Takes `descriptor`, which it closes. Error: it is no regular file.
  static llvm::Expected<RegularFile> take(int descriptor, llvm::StringRef path);
  RegularFile(RegularFile &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)), bytes(other.bytes),
        path(std::move(other.path)) {}
  RegularFile(const RegularFile &) = delete;
  RegularFile &operator=(const RegularFile &) = delete;
  ~RegularFile();

  /// The number of bytes when it was opened.
  uint64_t getSize() const { return bytes; }
  int getDescriptor() const { return descriptor; }
  /// Reads `size` bytes from `offset` on. Error: the file has fewer, or cannot be read.
  llvm::Expected<std::string> read(uint64_t offset, uint64_t size) const;

private:
  RegularFile(int descriptor, uint64_t bytes, llvm::StringRef path)
      : descriptor(descriptor), bytes(bytes), path(path.str()) {}

  int descriptor;
  uint64_t bytes;
  std::string path;
};

/// The bytes of a file, "-" for standard input. Errors: "cannot read '<path>': <reason>".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(llvm::StringRef path);

/// Writes a file as a whole: on an error ("cannot write '<path>': <reason>") the file is what it
/// was before, never half of the new content. A file that was there keeps its mode, and a symbolic
/// link names the same file as before; `removed` is what `removeFile` returned of a file that is
/// made again. Devices and pipes are written directly.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content,
                      std::optional<llvm::sys::fs::file_status> removed = std::nullopt);

/// Fails as `writeFile` would, as far as that is known before there is content, and leaves what is
/// there as it is: for a tool that works long for what it writes.
llvm::Error checkWriteFile(llvm::StringRef path);

/// Removes a file, or the one that a symbolic link names, and returns its owner and mode for
/// `writeFile`; none if there was no file. Errors: "cannot remove '<path>': <reason>".
llvm::Expected<std::optional<llvm::sys::fs::file_status>> removeFile(llvm::StringRef path);

/// Parses JSON that `what` names in errors, which carry line and column. Values may be nested 256
/// levels deep.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, const llvm::Twine &what);

/// Parses a JSON file.
llvm::Expected<llvm::json::Value> readJsonFile(llvm::StringRef path);

} // namespace cksupport

#endif // CK_MLIR_SUPPORT_FILE_H
