//===- KernelLibrary.cpp - Kernels on demand -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle enters the map before the work begins, so that whoever asks next finds it.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/KernelLibrary.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

llvm::json::Value LibraryCounters::toJson() const {
  return llvm::json::Object{{"memory_hits", memoryHits},
                            {"layer_hits", layerHits},
                            {"disk_hits", diskHits},
                            {"compilations", compilations},
                            {"failures", failures},
                            {"memory_evictions", memoryEvictions},
                            {"disk_evictions", diskEvictions},
                            {"damaged", damaged},
                            {"store_failures", storeFailures},
                            {"compile_ms", compileMilliseconds}};
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

bool KernelHandle::isReady() const { return wait(0); }

bool KernelHandle::wait(double seconds) const {
  return future.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
}

Expected<std::shared_ptr<const KernelImage>> KernelHandle::get() const {
  const Outcome &outcome = future.get();
  if (!outcome.image)
    return createStringError(outcome.error);
  return outcome.image;
}

KernelHandle KernelHandle::fail(const std::string &error) {
  std::promise<Outcome> promise;
  promise.set_value({nullptr, error});
  return KernelHandle(promise.get_future().share());
}

//===----------------------------------------------------------------------===//
// Layers and the cache
//===----------------------------------------------------------------------===//

KernelLibrary::KernelLibrary(const LibraryOptions &options)
    : warnCaller(options.warn), memoryBytes(options.memoryBytes),
      pool(llvm::hardware_concurrency(options.threads)) {}

KernelLibrary::~KernelLibrary() { isClosing = true; }

Expected<std::unique_ptr<KernelLibrary>> KernelLibrary::create(const LibraryOptions &options) {
  std::unique_ptr<KernelLibrary> library(new KernelLibrary(options));
  for (const std::string &path : options.layers)
    if (Error error = library->addLayer(path, options.allowStaleLayers))
      return std::move(error);
  for (const std::string &path : options.tuningFiles)
    if (Error error = library->addTuning(path))
      return std::move(error);
  if (!options.cacheDirectory.empty())
    library->openCache(options);
  return library;
}

Error KernelLibrary::addLayer(const std::string &path, bool allowStale) {
  if (llvm::sys::fs::is_directory(path)) {
    layers.emplace_back(llvm::cantFail(DiskCache::openReadOnly(path)));
    return Error::success();
  }
  Expected<KernelArchive> archive = KernelArchive::open(path);
  if (!archive)
    return archive.takeError();
  if (archive->getCompiler() != getCompilerVersion() && !allowStale)
    return createStringError("stale archive '" + path + "': expected kernels of '" +
                             getCompilerVersion() + "', got those of '" + archive->getCompiler() +
                             "'");
  layers.emplace_back(std::move(*archive));
  return Error::success();
}

Error KernelLibrary::addTuning(const std::string &path) {
  Expected<TuningTable> table = TuningTable::read(path);
  if (!table)
    return table.takeError();
  std::string chip = table->getChip();
  if (!tuning.try_emplace(chip, std::move(*table)).second)
    return createStringError("'" + path + "', line 1: expected one tuning file for a chip, got " +
                             "another one for " + chip);
  return Error::success();
}

void KernelLibrary::openCache(const LibraryOptions &options) {
  Expected<DiskCache> opened = DiskCache::open(options.cacheDirectory, options.cacheBytes);
  if (opened) {
    cache = std::move(*opened);
    return;
  }
  warn(llvm::toString(opened.takeError()));
  Expected<DiskCache> readOnly = DiskCache::openReadOnly(options.cacheDirectory);
  if (readOnly)
    cache = std::move(*readOnly);
  else
    llvm::consumeError(readOnly.takeError());
}

void KernelLibrary::warn(StringRef text) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (std::exchange(hasWarned, true))
      return;
  }
  if (warnCaller)
    warnCaller(text);
  else
    llvm::errs() << "ck-mlir: warning: " << text << "; kernels are kept in memory\n";
}

std::optional<KernelImage> KernelLibrary::findInFolder(const DiskCache &folder,
                                                       const KernelRequest &request,
                                                       uint64_t LibraryCounters::*hits) {
  bool isDamaged = false;
  std::optional<KernelImage> image = folder.find(request, isDamaged);
  std::lock_guard<std::mutex> lock(mutex);
  counters.damaged += isDamaged;
  counters.*hits += image.has_value();
  return image;
}

std::optional<KernelImage> KernelLibrary::findInLayers(const KernelRequest &request) {
  for (const auto &layer : layers) {
    if (const auto *folder = std::get_if<DiskCache>(&layer)) {
      if (auto image = findInFolder(*folder, request, &LibraryCounters::layerHits))
        return image;
      continue;
    }
    const auto &archive = std::get<KernelArchive>(layer);
    const ArchiveEntry *entry = archive.find(request);
    if (!entry)
      continue;
    Expected<KernelImage> image = archive.load(*entry);
    std::lock_guard<std::mutex> lock(mutex);
    ++(image ? counters.layerHits : counters.damaged);
    if (image)
      return std::move(*image);
    llvm::consumeError(image.takeError());
  }
  return std::nullopt;
}

void KernelLibrary::store(const KernelRequest &request, const KernelImage &image) {
  if (!cache || cache->isReadOnly())
    return;
  Expected<unsigned> evicted = cache->store(request, image);
  if (!evicted)
    warn(llvm::toString(evicted.takeError()));
  std::lock_guard<std::mutex> lock(mutex);
  if (evicted)
    counters.diskEvictions += *evicted;
  else
    ++counters.storeFailures;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// The members of a request as they were given, as a key.
static void writeKey(const KernelRequest &request, llvm::SmallVectorImpl<char> &key) {
  for (StringRef text :
       {StringRef(request.problem), StringRef(request.chip), StringRef(request.schedule)}) {
    key.append(text.begin(), text.end());
    key.push_back('\0');
  }
  const char *residents = reinterpret_cast<const char *>(&request.residents);
  key.append(residents, residents + sizeof(request.residents));
}

KernelHandle KernelLibrary::enter(const KernelRequest &given, KernelRequest &request,
                                  std::shared_ptr<Promise> &promise) {
  llvm::SmallString<256> name;
  writeKey(given, name);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto key = keys.find(name);
    auto entry = key == keys.end() ? entries.end() : entries.find(key->second);
    if (entry != entries.end()) {
      ++counters.memoryHits;
      entry->second.lastUse = ++requests;
      return entry->second.handle;
    }
  }
  Expected<KernelRequest> canonical = given.canonicalize();
  std::string key = canonical ? canonical->getKey(getCompilerVersion()) : "";
  std::lock_guard<std::mutex> lock(mutex);
  if (!canonical) {
    ++counters.failures;
    return KernelHandle::fail(llvm::toString(canonical.takeError()));
  }
  keys[name] = key;
  auto found = entries.find(key);
  if (found != entries.end()) {
    ++counters.memoryHits;
    found->second.lastUse = ++requests;
    return found->second.handle;
  }
  request = std::move(*canonical);
  promise = std::make_shared<Promise>();
  KernelHandle handle(promise->get_future().share());
  entries.try_emplace(key, Entry{handle, 0, ++requests});
  return handle;
}

KernelHandle KernelLibrary::prepare(const KernelRequest &request) {
  KernelRequest canonical;
  std::shared_ptr<Promise> promise;
  KernelHandle handle = enter(request, canonical, promise);
  if (promise)
    pool.async([this, promise, canonical = std::move(canonical)] { make(canonical, *promise); });
  return handle;
}

Expected<std::shared_ptr<const KernelImage>> KernelLibrary::get(const KernelRequest &request) {
  KernelRequest canonical;
  std::shared_ptr<Promise> promise;
  KernelHandle handle = enter(request, canonical, promise);
  if (promise)
    make(canonical, *promise);
  return handle.get();
}

void KernelLibrary::make(const KernelRequest &request, Promise &promise) {
  if (isClosing) {
    promise.set_value({nullptr, "the library was closed before it compiled " + toString(request)});
    return;
  }
  KernelHandle::Outcome outcome;
  if (std::optional<KernelRequest> tuned = tune(request))
    outcome = find(*tuned);
  // A schedule that was tuned by another compiler may be none of this one.
  if (!outcome.image)
    outcome = find(request);
  if (!outcome.image) {
    std::lock_guard<std::mutex> lock(mutex);
    ++counters.failures;
  }
  uint64_t bytes =
      outcome.image ? outcome.image->codeObject.size() + outcome.image->manifest.size() : 0;
  promise.set_value(std::move(outcome));
  account(request.getKey(getCompilerVersion()), bytes);
}

/// The request for the tuned schedule of `request`; none if there is none.
std::optional<KernelRequest> KernelLibrary::tune(const KernelRequest &request) const {
  auto table = tuning.find(request.chip);
  if (table == tuning.end())
    return std::nullopt;
  Expected<Problem> problem = getProblem(request);
  if (!problem) {
    llvm::consumeError(problem.takeError());
    return std::nullopt;
  }
  const ScheduleRequest asked = llvm::cantFail(parseSchedule(request.schedule));
  const std::string key = getTuningKey(*problem);
  if (!table->second.findNearest(key, asked))
    return std::nullopt;
  CompileOptions options;
  options.chip = request.chip;
  options.schedule = request.schedule;
  options.residents = request.residents;
  Expected<ScheduledWork> work = scheduleProblem(*problem, options);
  if (!work) {
    llvm::consumeError(work.takeError());
    return std::nullopt;
  }
  const std::optional<Schedule> schedule = findTuned(table->second, key, asked, work->shapes,
                                                     *llvm::cantFail(getChip(request.chip)), {});
  if (!schedule)
    return std::nullopt;
  KernelRequest tuned = request;
  tuned.schedule = toString(*schedule);
  return llvm::cantFail(tuned.canonicalize());
}

KernelHandle::Outcome KernelLibrary::find(const KernelRequest &request) {
  std::optional<KernelImage> found = findInLayers(request);
  if (!found && cache)
    found = findInFolder(*cache, request, &LibraryCounters::diskHits);
  // Another process may be compiling it: its kernel is there when the lock is.
  std::shared_ptr<const void> claim;
  if (bool waited = false; !found && cache) {
    claim = cache->claim(request, waited);
    if (waited)
      found = findInFolder(*cache, request, &LibraryCounters::diskHits);
  }
  if (found)
    return {std::make_shared<const KernelImage>(std::move(*found)), ""};
  auto start = std::chrono::steady_clock::now();
  Expected<KernelImage> image = compileRequest(request);
  std::chrono::duration<double, std::milli> duration = std::chrono::steady_clock::now() - start;
  {
    std::lock_guard<std::mutex> lock(mutex);
    counters.compilations += bool(image);
    counters.compileMilliseconds += duration.count();
  }
  if (!image)
    return {nullptr, llvm::toString(image.takeError())};
  store(request, *image);
  return {std::make_shared<const KernelImage>(std::move(*image)), ""};
}

/// Counts the bytes of a kernel that is there now, and makes room for them.
void KernelLibrary::account(const std::string &key, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto own = entries.find(key);
  if (own == entries.end())
    return;
  own->second.bytes = bytes;
  usedBytes += bytes;
  while (usedBytes > memoryBytes) {
    auto oldest = entries.end();
    for (auto it = entries.begin(); it != entries.end(); ++it)
      if (it != own && it->second.bytes > 0 &&
          (oldest == entries.end() || it->second.lastUse < oldest->second.lastUse))
        oldest = it;
    if (oldest == entries.end())
      return;
    usedBytes -= oldest->second.bytes;
    ++counters.memoryEvictions;
    entries.erase(oldest);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Expected<std::shared_ptr<const LoadedKernel>> KernelLibrary::load(const Device &device,
                                                                  const KernelRequest &request) {
  llvm::SmallString<256> name;
  writeKey(request, name);
  const std::array<uint64_t, 2> place = {reinterpret_cast<uintptr_t>(&device.getApi()),
                                         uint64_t(device.getOrdinal())};
  name += StringRef(reinterpret_cast<const char *>(place.data()), sizeof(place));
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = loaded.find(name);
    if (it != loaded.end()) {
      ++counters.memoryHits;
      return it->second;
    }
  }
  Expected<std::shared_ptr<const KernelImage>> image = get(request);
  if (!image)
    return image.takeError();
  Expected<LoadedKernel> kernel = LoadedKernel::load(device, *image);
  if (!kernel)
    return kernel.takeError();
  auto shared = std::make_shared<const LoadedKernel>(std::move(*kernel));
  std::lock_guard<std::mutex> lock(mutex);
  // Another thread may have loaded it in the meantime, and launched it.
  return loaded.try_emplace(name, std::move(shared)).first->second;
}

Error KernelLibrary::run(const Device &device, const KernelRequest &request,
                         hip::StreamHandle stream, const LaunchArguments &arguments) {
  Expected<std::shared_ptr<const LoadedKernel>> kernel = load(device, request);
  if (!kernel)
    return kernel.takeError();
  return (*kernel)->run(stream, arguments);
}

void KernelLibrary::unload() {
  std::lock_guard<std::mutex> lock(mutex);
  loaded.clear();
}

LibraryCounters KernelLibrary::getCounters() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counters;
}
