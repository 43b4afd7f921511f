//===- KernelArchive.h - Kernels in one file -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is compiled on one machine and shipped to others: many kernels in a file that is read as it
// is, without the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_KERNEL_KERNELARCHIVE_H
#define CK_MLIR_KERNEL_KERNELARCHIVE_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Kernel/KernelRequest.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace mlir::ck {

/// A kernel of an archive.
struct ArchiveEntry {
  KernelRequest request;          // canonical
  std::string layer;              // where it is used, for people; may be empty
  std::string manifest;           // JSON
  uint64_t offset = 0, bytes = 0; // of the code object, behind the header
  std::string checksum;           // SHA-256 of the code object
};

/// A kernel for a new archive.
struct ArchiveKernel {
  KernelRequest request; // canonical
  std::string layer;
  std::shared_ptr<const KernelImage> image;
};

/// An archive: the line "ck-mlir archive 1", the SHA-256 of the header in hexadecimal digits, its
/// number of bytes, the header, and the code objects one behind the other. The header is a JSON
/// object: `name`, `compiler`, and `kernels`, an object for each with `request`, `layer`,
/// `manifest`, `offset`, `bytes` and `sha256`.
class KernelArchive {
public:
  /// Opens an archive. Errors name the file: it cannot be read, is no archive, is of another
  /// version of the format, is truncated, or its header is damaged.
  static llvm::Expected<KernelArchive> open(llvm::StringRef path);
  /// Writes an archive of kernels that this compiler made, as a whole or not at all.
  static llvm::Error write(llvm::StringRef path, llvm::StringRef name,
                           llvm::ArrayRef<ArchiveKernel> kernels);

  const std::string &getPath() const { return path; }
  const std::string &getName() const { return name; }
  /// The version of the compiler that made the kernels, see `getCompilerVersion`.
  const std::string &getCompiler() const { return compiler; }
  llvm::ArrayRef<ArchiveEntry> getEntries() const { return entries; }

  /// The entry of a canonical request, or null.
  const ArchiveEntry *find(const KernelRequest &request) const;
  /// Reads a kernel. Error: its code object is damaged, or the file has changed since.
  llvm::Expected<KernelImage> load(const ArchiveEntry &entry) const;

private:
  KernelArchive() = default;
  llvm::Error parse();
  llvm::Error parseHeader(const llvm::json::Value &header);
  llvm::Error parseKernel(const llvm::json::Value &kernel);

  std::string path, name, compiler;
  std::unique_ptr<cksupport::RegularFile> file;
  uint64_t codeBegin = 0, codeBytes = 0; // of all kernels, in the file
  std::vector<ArchiveEntry> entries;
  llvm::StringMap<size_t> numbers; // of entries, by their requests' JSON
};

} // namespace mlir::ck

#endif // CK_MLIR_KERNEL_KERNELARCHIVE_H
