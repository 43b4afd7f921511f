//===- DiskCache.h - Kernels in a folder -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file a kernel, which appears whole or not at all. Many processes may use a folder at the same
// time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_KERNEL_DISKCACHE_H
#define CK_MLIR_KERNEL_DISKCACHE_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Kernel/KernelRequest.h"
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace mlir::ck {

/// An entry of a cache as it lies there.
struct CacheEntry {
  std::string path;
  uint64_t bytes = 0;
  int64_t lastUse = 0; // nanoseconds since 1970
};

/// What an entry's file holds.
struct CachedKernel {
  std::string compiler; // the version of the compiler that made it
  KernelRequest request;
  KernelImage image;
};

/// A folder of kernels under the keys of their requests: `xx/xx...x.ckk`, named by the key. A file
/// is the line "ck-mlir kernel 1", the SHA-256 of what follows it in hexadecimal digits, and the
/// compiler's version, the request, the manifest and the code object, each behind a line with its
/// number of bytes.
///
/// Others may be able to write to the folder: what is no regular file there, or of more than 256
/// MB, is no kernel, links are not followed, and nobody waits for ever.
class DiskCache {
public:
  /// Opens the folder, which is made if it is not there. Error: it cannot be made, or files cannot
  /// be written to it.
  static llvm::Expected<DiskCache> open(llvm::StringRef directory, uint64_t limitBytes);
  /// Opens a folder that nothing is written to. Error: there is none.
  static llvm::Expected<DiskCache> openReadOnly(llvm::StringRef directory);

  /// The image of a canonical request, or nothing if the cache has none that this compiler made. A
  /// file that is damaged is nothing, too, and is said to be: it is removed, unless the cache is
  /// read-only.
  std::optional<KernelImage> find(const KernelRequest &request, bool &isDamaged) const;
  /// Stores an image, in place of what has its name. Where there are more bytes than the limit
  /// then, those entries are removed that were not used for the longest time, a sixteenth of the
  /// limit more than needed. Returns how many were removed.
  llvm::Expected<unsigned> store(const KernelRequest &request, const KernelImage &image) const;

  /// Keeps other processes that ask for it from compiling a canonical request until the result is
  /// gone. `waited` says that another one has compiled it meanwhile, or tried to. Null when the
  /// folder is read-only or its lock no lock, and when another one has had it for `limit`: nothing
  /// is waited for then from that time on, so that one that hangs costs no more than this.
  std::shared_ptr<const void>
  claim(const KernelRequest &request, bool &waited,
        std::chrono::milliseconds limit = std::chrono::minutes(1)) const;

  /// All entries, those first that were not used for the longest time.
  std::vector<CacheEntry> list() const;
  /// Removes the oldest entries until at most `bytes` are left, and what writers that were killed
  /// left behind an hour ago or earlier. Returns how many entries. Error: one cannot be removed, or
  /// another process has had the lock of the folder for `lockLimit`.
  llvm::Expected<unsigned>
  prune(uint64_t bytes, std::chrono::milliseconds lockLimit = std::chrono::seconds(5)) const;

  bool isReadOnly() const { return readOnly; }

private:
  DiskCache(llvm::StringRef directory, uint64_t limitBytes, bool readOnly)
      : directory(directory), limitBytes(limitBytes), readOnly(readOnly) {}

  std::string directory;
  uint64_t limitBytes;
  bool readOnly;
  /// Bytes that may be stored before the folder is looked through again; other processes store,
  /// too.
  std::shared_ptr<std::atomic<int64_t>> allowance = std::make_shared<std::atomic<int64_t>>(0);
  std::shared_ptr<std::atomic<bool>> mayWait = std::make_shared<std::atomic<bool>>(true);
};

/// The folder where tools and programs keep their kernels: the variable CK_KERNEL_CACHE, else
/// ck-mlir/kernels in XDG_CACHE_HOME or in .cache of HOME; empty if none of these is set.
std::string getDefaultCacheDirectory();

/// The content of an entry's file.
std::string writeEntry(const KernelRequest &request, const KernelImage &image);

/// Reads the content of an entry's file. An error says what is damaged.
llvm::Expected<CachedKernel> parseEntry(llvm::StringRef content);

} // namespace mlir::ck

#endif // CK_MLIR_KERNEL_DISKCACHE_H
