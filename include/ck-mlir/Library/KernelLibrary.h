//===- KernelLibrary.h - Kernels on demand -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks ask for a kernel whenever they meet a problem: the library compiles it once, and has
// it the next time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIBRARY_KERNELLIBRARY_H
#define CK_MLIR_LIBRARY_KERNELLIBRARY_H

#include "ck-mlir/Kernel/DiskCache.h"
#include "ck-mlir/Kernel/KernelArchive.h"
#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"
#include <functional>
#include <future>
#include <memory>
#include <mutex>

namespace mlir::ck {

/// What a library is made of.
struct LibraryOptions {
  std::string cacheDirectory;                 // where kernels are kept; empty: in memory alone
  uint64_t cacheBytes = uint64_t(1) << 30;    // of that folder, at most
  uint64_t memoryBytes = uint64_t(256) << 20; // of the kernels in memory, at most
  /// Archives, or folders that were caches, that are read and never written, searched in order
  /// before the cache.
  std::vector<std::string> layers;
  /// Files of tuned schedules, at most one for a chip: kernels have the schedule that the file of
  /// their chip has for their problem, if it agrees with the request and can be compiled.
  std::vector<std::string> tuningFiles;
  /// Whether archives of another version of the compiler are taken.
  bool allowStaleLayers = false;
  unsigned threads = 0; // that compile what is prepared; 0: one on every core
  /// Is told in one line what does not stop the library, once a library; null: standard error.
  std::function<void(llvm::StringRef)> warn;
};

/// What a library has done so far. Every request counts as one of the first five.
struct LibraryCounters {
  uint64_t memoryHits = 0;        // in memory, or being compiled for another request
  uint64_t layerHits = 0;         // in a layer
  uint64_t diskHits = 0;          // in the cache folder
  uint64_t compilations = 0;      // compiled
  uint64_t failures = 0;          // malformed, or could not be compiled
  uint64_t memoryEvictions = 0;   // kernels that the limit of the memory removed from it
  uint64_t diskEvictions = 0;     // files that the limit of the cache folder removed
  uint64_t damaged = 0;           // files or kernels of layers that were damaged and not used
  uint64_t storeFailures = 0;     // that could not be written to the cache folder, or found no room
  double compileMilliseconds = 0; // of all compilations together

  llvm::json::Value toJson() const;
};

/// A kernel that is being made, or is there. Cheap to copy; may outlive its library.
class KernelHandle {
public:
  /// True when `get` does not wait.
  bool isReady() const;
  /// Waits at most `seconds`; returns `isReady`.
  bool wait(double seconds) const;
  /// The kernel, once it is there; otherwise why there is none.
  llvm::Expected<std::shared_ptr<const KernelImage>> get() const;

private:
  friend class KernelLibrary;
  struct Outcome {
    std::shared_ptr<const KernelImage> image;
    std::string error; // without an image
  };
  explicit KernelHandle(std::shared_future<Outcome> future) : future(std::move(future)) {}
  static KernelHandle fail(const std::string &error);

  std::shared_future<Outcome> future;
};

/// Compiles kernels, each once, and keeps them in memory and in a folder. All members may be called
/// by several threads at once. Destruction waits for the compilations that run; those that wait for
/// a thread fail.
class KernelLibrary {
public:
  /// Errors: a layer is missing, no archive or folder, damaged, or made by another compiler; a
  /// tuning file is missing, damaged or of another version, or there are two for a chip. A
  /// cache folder that cannot be written to is none: it is read, if it is there, and there is a
  /// warning.
  static llvm::Expected<std::unique_ptr<KernelLibrary>> create(const LibraryOptions &options);
  ~KernelLibrary();

  /// Returns at once; the kernel is looked for and compiled in the background. Requests that are
  /// equal in canonical form share one compilation. What is wrong with a request, the handle says.
  KernelHandle prepare(const KernelRequest &request);
  /// The kernel; if nobody else does so already, this thread looks for it and compiles it.
  llvm::Expected<std::shared_ptr<const KernelImage>> get(const KernelRequest &request);

  /// The kernel, loaded on a device once and for all requests; it stays there until `unload`.
  llvm::Expected<std::shared_ptr<const LoadedKernel>> load(const Device &device,
                                                           const KernelRequest &request);
  /// Launches a kernel on the caller's stream and workspace, see `LoadedKernel::run`. Only the
  /// first call for a request waits, namely for `load`.
  llvm::Error run(const Device &device, const KernelRequest &request, hip::StreamHandle stream,
                  const LaunchArguments &arguments);
  /// Forgets the kernels that are loaded; their launches must have ended.
  void unload();

  LibraryCounters getCounters() const;
  /// The cache folder; null if there is none.
  const DiskCache *getCache() const { return cache ? &*cache : nullptr; }

private:
  /// A kernel in memory.
  struct Entry {
    KernelHandle handle;
    uint64_t bytes = 0;   // once it is there
    uint64_t lastUse = 0; // in requests
  };
  using Promise = std::promise<KernelHandle::Outcome>;

  explicit KernelLibrary(const LibraryOptions &options);
  llvm::Error addLayer(const std::string &path, bool allowStale);
  llvm::Error addTuning(const std::string &path);
  void openCache(const LibraryOptions &options);
  /// The handle of `given`, and a promise to keep if the caller must make the kernel of `request`.
  KernelHandle enter(const KernelRequest &given, KernelRequest &request,
                     std::shared_ptr<Promise> &promise);
  void make(const KernelRequest &request, Promise &promise);
  KernelHandle::Outcome find(const KernelRequest &request);
  std::optional<KernelRequest> tune(const KernelRequest &request) const;
  std::optional<KernelImage> findInLayers(const KernelRequest &request);
  std::optional<KernelImage> findInFolder(const DiskCache &folder, const KernelRequest &request,
                                          uint64_t LibraryCounters::*hits);
  void store(const KernelRequest &request, const KernelImage &image);
  void account(const std::string &key, uint64_t bytes);
  void warn(llvm::StringRef text);

  std::function<void(llvm::StringRef)> warnCaller;
  std::vector<std::variant<KernelArchive, DiskCache>> layers;
  std::optional<DiskCache> cache;
  llvm::StringMap<TuningTable> tuning; // by chip
  uint64_t memoryBytes;

  mutable std::mutex mutex;          // guards what follows
  llvm::StringMap<std::string> keys; // of requests as they were given
  llvm::StringMap<Entry> entries;    // by key
  llvm::StringMap<std::shared_ptr<const LoadedKernel>> loaded;
  LibraryCounters counters;
  uint64_t usedBytes = 0, requests = 0;
  bool hasWarned = false;

  std::atomic<bool> isClosing = false;
  llvm::DefaultThreadPool pool; // last, so that its threads end first
};

} // namespace mlir::ck

#endif // CK_MLIR_LIBRARY_KERNELLIBRARY_H
