//===- LibraryCommands.cpp - What ck-library can do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LibraryCommands.h.
//
//===----------------------------------------------------------------------===//

#include "Tools/LibraryCommands.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/VerifyKernel.h"
#include "ck-mlir/Support/File.h"
#include "ck-mlir/Support/ProgressBar.h"
#include "ck-mlir/Tune/KernelTimer.h"
#include "ck-mlir/Tune/TimeRanker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <sys/resource.h>

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// What commands share
//===----------------------------------------------------------------------===//

/// "KEY=V,V".
static Expected<SetAxes> parseValues(llvm::ArrayRef<std::string> texts) {
  SetAxes axes;
  for (StringRef text : texts) {
    auto [key, list] = text.split('=');
    llvm::SmallVector<StringRef> values;
    list.split(values, ',');
    if (key.empty() || list.empty())
      return createStringError("--values must be KEY=V,..., got '" + text + "'");
    axes.emplace_back(key.str(), std::vector<std::string>(values.begin(), values.end()));
  }
  return axes;
}

static Expected<std::unique_ptr<KernelLibrary>> openLibrary(const LibraryToolOptions &options,
                                                            std::vector<std::string> layers = {}) {
  LibraryOptions library;
  library.cacheDirectory = options.cache;
  library.cacheBytes = uint64_t(options.cacheMegabytes) << 20;
  library.layers = std::move(layers);
  library.tuningFiles = options.tuning;
  library.threads = unsigned(options.threads);
  library.allowStaleLayers = options.allowStale;
  return KernelLibrary::create(library);
}

/// Opens the library of `opened` and a registry over it.
static Error openRegistry(const LibraryToolOptions &options, std::vector<std::string> layers,
                          OpenSet &opened) {
  auto library = openLibrary(options, std::move(layers));
  if (!library)
    return library.takeError();
  opened.library = std::move(*library);
  opened.registry = std::make_unique<Registry>(*opened.library);
  return Error::success();
}

static Expected<OpenSet> openArchive(const LibraryToolOptions &options, StringRef path) {
  if (!options.chips.empty() || !options.values.empty())
    return createStringError("--chip and --values are for sets, got the archive '" + path + "'");
  OpenSet opened;
  if (Error error = openRegistry(options, {path.str()}, opened))
    return std::move(error);
  Expected<KernelArchive> archive = KernelArchive::open(path);
  if (!archive)
    return archive.takeError();
  opened.name = archive->getName();
  opened.description = "made by " + archive->getCompiler();
  opened.registry->add(*archive);
  opened.archive = std::move(*archive);
  return opened;
}

Expected<OpenSet> mlir::ck::openSet(const LibraryToolOptions &options, StringRef input) {
  if (input.ends_with(".cka"))
    return openArchive(options, input);
  Expected<SetAxes> values = parseValues(options.values);
  if (!values)
    return values.takeError();
  Expected<KernelSet> set = KernelSet::open(input, *values);
  if (!set)
    return set.takeError();
  if (!options.chips.empty())
    if (Error error = set->setChips(options.chips))
      return std::move(error);
  OpenSet opened;
  if (Error error = openRegistry(options, {}, opened))
    return std::move(error);
  opened.name = set->getName();
  opened.description = set->getDescription();
  opened.registry->add(*set);
  return opened;
}

static std::string printExclusions(llvm::ArrayRef<Exclusion> exclusions) {
  std::string text;
  for (const Exclusion &exclusion : exclusions)
    text += "excluded  " + toString(exclusion.declaration.request) + ": " + exclusion.reason + "\n";
  return text;
}

static std::string print(json::Value value) { return llvm::formatv("{0:2}\n", value); }

/// Seconds of computing by this process.
static double getCpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
}

/// Runs `work` with an executor of `--j` threads and a progress bar.
static void runInParallel(const LibraryToolOptions &options, const Registry &registry,
                          llvm::function_ref<void(const Executor &, const Progress &)> work) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.threads));
  ProgressBar bar(llvm::errs(), registry.getKernels().size());
  work([&](std::function<void()> task) { pool.async(std::move(task)); },
       [&](size_t done, size_t, StringRef last) { bar.show(done, last); });
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

Expected<CommandResult> mlir::ck::buildSet(const LibraryToolOptions &options) {
  Expected<OpenSet> opened = openSet(options, options.input);
  if (!opened)
    return opened.takeError();
  Registry &registry = *opened->registry;
  auto start = std::chrono::steady_clock::now();
  double cpuStart = getCpuSeconds();
  runInParallel(options, registry, [&](const Executor &executor, const Progress &progress) {
    registry.build(executor, progress);
  });
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  double cpu = getCpuSeconds() - cpuStart;
  if (registry.getKernels().empty())
    return createStringError("no kernel of set '" + opened->name +
                             "' can be compiled: " + registry.getExclusions().front().reason);
  LibraryCounters counters = opened->library->getCounters();
  if (options.json)
    return CommandResult{print(json::Object{{"set", opened->name},
                                            {"kernels", registry.getKernels().size()},
                                            {"excluded", toJson(registry.getExclusions())},
                                            {"seconds", elapsed.count()},
                                            {"cpu_seconds", cpu},
                                            {"counters", counters.toJson()}})};
  return CommandResult{
      printExclusions(registry.getExclusions()) +
      llvm::formatv("{0}: {1} kernels, {2} compiled, {3} were there, {4} excluded\n"
                    "{5:F2} s, {6:F2} s of computing, {7:F2} cores busy\n",
                    opened->name, registry.getKernels().size(), counters.compilations,
                    counters.diskHits + counters.layerHits, registry.getExclusions().size(),
                    elapsed.count(), cpu, cpu / elapsed.count())
          .str()};
}

Expected<CommandResult> mlir::ck::listSets(const LibraryToolOptions &options) {
  json::Array sets;
  std::string text;
  for (const std::string &name : getBuiltInSets()) {
    Expected<KernelSet> set = KernelSet::open(name);
    if (!set)
      return set.takeError();
    sets.push_back(json::Object{{"name", name},
                                {"description", set->getDescription()},
                                {"kernels", set->getKernels().size()}});
    text += llvm::formatv("{0,-18} {1,4} kernels  {2}\n", name, set->getKernels().size(),
                          set->getDescription());
  }
  uint64_t bytes = 0;
  size_t entries = 0;
  if (llvm::sys::fs::is_directory(options.cache))
    for (const CacheEntry &entry : llvm::cantFail(DiskCache::openReadOnly(options.cache)).list()) {
      bytes += entry.bytes;
      ++entries;
    }
  if (options.json)
    return CommandResult{print(json::Object{
        {"sets", std::move(sets)},
        {"cache", json::Object{{"folder", options.cache}, {"kernels", entries}, {"bytes", bytes}}},
        {"compiler", getCompilerVersion()}})};
  text += llvm::formatv("cache '{0}': {1} kernels, {2:F1} MB\n", options.cache, entries,
                        double(bytes) / (1 << 20));
  return CommandResult{text + "compiler " + getCompilerVersion() + "\n"};
}

Expected<CommandResult> mlir::ck::showSet(const LibraryToolOptions &options) {
  Expected<OpenSet> opened = openSet(options, options.input);
  if (!opened)
    return opened.takeError();
  Registry &registry = *opened->registry;
  runInParallel(options, registry, [&](const Executor &executor, const Progress &progress) {
    registry.validate(executor, progress);
  });
  if (options.json) {
    json::Object object = registry.toJson();
    object["set"] = opened->name;
    object["description"] = opened->description;
    return CommandResult{print(std::move(object))};
  }
  std::string text = opened->name + ": " + opened->description + "\n";
  for (const Declaration &kernel : registry.getKernels())
    text +=
        toString(kernel.request) + (kernel.layer.empty() ? "" : "  (" + kernel.layer + ")") + "\n";
  text += printExclusions(registry.getExclusions());
  text += llvm::formatv("{0} kernels, {1} excluded\n", registry.getKernels().size(),
                        registry.getExclusions().size());
  return CommandResult{text};
}

/// What `--device` and `--chip` ask for.
static RunOptions makeRunOptions(const LibraryToolOptions &options) {
  RunOptions run;
  run.device = options.device == "hip"        ? DeviceChoice::Hip
               : options.device == "emulator" ? DeviceChoice::Emulator
                                              : DeviceChoice::Auto;
  if (!options.chips.empty())
    run.chip = options.chips.front();
  return run;
}

/// A ranker for kernels of `chip` in `library`.
static Expected<std::unique_ptr<Ranker>> openRanker(const LibraryToolOptions &options,
                                                    StringRef chip, KernelLibrary &library) {
  const StringRef rank = options.rank;
  if (rank == "estimate")
    return createEstimateRanker();
  if (rank == "time") {
    RunOptions run = makeRunOptions(options);
    run.chip = chip.str();
    Expected<Device> device = openTimedDevice(run);
    if (!device)
      return device.takeError();
    return createTimeRanker(*device, library);
  }
  if (rank.ends_with(".tuning")) {
    Expected<std::shared_ptr<const TuningTable>> table = openTuningFile(rank, chip);
    if (!table)
      return table.takeError();
    return createTuningRanker(**table);
  }
  Expected<json::Value> table = readJsonFile(rank);
  if (!table)
    return table.takeError();
  return createTableRanker(*table, "'" + rank + "'");
}

namespace {
/// Shows how many kernels another ranker has judged.
class ShownRanker final : public Ranker {
public:
  ShownRanker(const Ranker &judge, size_t total) : judge(judge), bar(llvm::errs(), total) {}
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &work) const override {
    bar.show(done++, request.schedule);
    return judge.rank(request, work);
  }

private:
  const Ranker &judge;
  mutable ProgressBar bar;
  mutable size_t done = 0;
};
} // namespace

/// Ranks kernels by their time. They are compiled in the background, in the order of the estimate.
static Expected<Selection> selectByTime(const OpenSet &opened, StringRef problem, StringRef chip,
                                        const Ranker &ranker) {
  Expected<Selection> candidates = opened.registry->select(problem, chip, *createEstimateRanker());
  if (!candidates)
    return candidates.takeError();
  for (const Candidate &candidate : candidates->candidates)
    opened.library->prepare(candidate.request);
  return opened.registry->select(problem, chip, ShownRanker(ranker, candidates->candidates.size()));
}

Expected<CommandResult> mlir::ck::selectKernel(const LibraryToolOptions &options) {
  if (options.set.empty())
    return createStringError("expected --set=SET|ARCHIVE; --help shows the usage");
  if (options.chips.size() > 1)
    return createStringError("expected one --chip, got " + llvm::Twine(options.chips.size()));
  LibraryToolOptions declared = options; // where the chip is that of the problem
  if (StringRef(options.set).ends_with(".cka"))
    declared.chips.clear();
  Expected<OpenSet> opened = openSet(declared, options.set);
  if (!opened)
    return opened.takeError();
  std::string chip = options.chips.empty() ? "gfx942" : options.chips.front();
  Expected<std::unique_ptr<Ranker>> ranker = openRanker(options, chip, *opened->library);
  if (!ranker)
    return ranker.takeError();
  Expected<Selection> selection = options.rank == "time"
                                      ? selectByTime(*opened, options.input, chip, **ranker)
                                      : opened->registry->select(options.input, chip, **ranker);
  if (!selection)
    return selection.takeError();
  if (options.json)
    return CommandResult{print(selection->toJson())};
  std::string text;
  for (auto [number, candidate] : llvm::enumerate(selection->candidates))
    text +=
        llvm::formatv("{0}. {1}\n   {2}{3}\n", number + 1, candidate.schedule, candidate.rank.why,
                      candidate.isDeclared ? "" : "; declared for another problem");
  return CommandResult{text + printExclusions(selection->exclusions)};
}

/// The kernel that is verified. That of an archive is never compiled: it is the archive that is
/// judged.
static Expected<std::shared_ptr<const KernelImage>> getImage(const OpenSet &opened,
                                                             const KernelRequest &request) {
  if (!opened.archive)
    return opened.library->get(request);
  Expected<KernelImage> image = opened.archive->load(*opened.archive->find(request));
  if (!image)
    return image.takeError();
  return std::make_shared<const KernelImage>(std::move(*image));
}

/// Verifies one kernel; what is wrong with it, or nothing.
static std::string verifyOne(const Device &device, const OpenSet &opened, const Declaration &kernel,
                             int64_t seed) {
  Expected<std::shared_ptr<const KernelImage>> image = getImage(opened, kernel.request);
  if (!image)
    return llvm::toString(image.takeError());
  Expected<Comparison> comparison = verifyKernel(device, *image, seed);
  if (!comparison)
    return llvm::toString(comparison.takeError());
  return comparison->passed() ? "" : comparison->firstMismatch;
}

/// Those kernels of a set that are wrong.
static std::vector<Exclusion> verifyAll(const LibraryToolOptions &options, const OpenSet &opened,
                                        const Device &device) {
  std::vector<Exclusion> wrong;
  size_t done = 0;
  ProgressBar bar(llvm::errs(), opened.registry->getKernels().size());
  for (const Declaration &kernel : opened.registry->getKernels()) {
    bar.show(done++, kernel.request.problem);
    std::string reason = verifyOne(device, opened, kernel, options.seed);
    if (!reason.empty())
      wrong.push_back({kernel, reason});
  }
  return wrong;
}

Expected<CommandResult> mlir::ck::verifySet(const LibraryToolOptions &options) {
  Expected<OpenSet> opened = openSet(options, options.input);
  if (!opened)
    return opened.takeError();
  Expected<std::pair<Device, std::string>> device = openRunDevice(makeRunOptions(options));
  if (!device)
    return device.takeError();
  const auto &[place, chip] = *device;
  Registry &registry = *opened->registry;
  size_t declared = registry.getKernels().size();
  registry.keep([&, &chip = chip](const Declaration &kernel) {
    return kernel.request.chip == chip &&
           (StringRef(kernel.request.problem).contains(options.filter) ||
            StringRef(kernel.layer).contains(options.filter));
  });
  size_t others = declared - registry.getKernels().size();
  if (!opened->archive)
    runInParallel(options, registry, [&](const Executor &executor, const Progress &progress) {
      registry.build(executor, progress);
    });
  size_t verified = registry.getKernels().size();
  if (verified == 0)
    return createStringError("expected kernels of '" + opened->name + "' for " + chip +
                             " that contain '" + options.filter + "', got none");
  std::vector<Exclusion> wrong = verifyAll(options, *opened, place);
  int status = wrong.empty() ? 0 : 1;
  if (options.json)
    return CommandResult{print(json::Object{{"verified", verified},
                                            {"wrong", toJson(wrong)},
                                            {"excluded", toJson(registry.getExclusions())},
                                            {"not_run", others},
                                            {"chip", chip}}),
                         status};
  std::string text;
  for (const Exclusion &kernel : wrong)
    text += "wrong  " + toString(kernel.declaration.request) + ": " + kernel.reason + "\n";
  text += llvm::formatv("{0} kernels verified on {1} {2}, {3} wrong, {4} excluded, {5} not run\n",
                        verified, chip, place.isEmulated() ? "(emulator)" : "(HIP)", wrong.size(),
                        registry.getExclusions().size(), others);
  return CommandResult{text, status};
}

Expected<CommandResult> mlir::ck::exportSet(const LibraryToolOptions &options) {
  if (options.output.empty())
    return createStringError("expected -o FILE.cka; --help shows the usage");
  if (!StringRef(options.output).ends_with(".cka"))
    return createStringError("expected an archive that ends in '.cka', got '" + options.output +
                             "'");
  Expected<OpenSet> opened = openSet(options, options.input);
  if (!opened)
    return opened.takeError();
  Registry &registry = *opened->registry;
  runInParallel(options, registry, [&](const Executor &executor, const Progress &progress) {
    registry.build(executor, progress);
  });
  if (Error error = registry.writeArchive(options.output, opened->name))
    return std::move(error);
  uint64_t bytes = 0;
  (void)llvm::sys::fs::file_size(options.output, bytes);
  if (options.json)
    return CommandResult{print(json::Object{{"archive", options.output},
                                            {"kernels", registry.getKernels().size()},
                                            {"excluded", toJson(registry.getExclusions())},
                                            {"bytes", bytes}})};
  return CommandResult{printExclusions(registry.getExclusions()) +
                       llvm::formatv("{0}: {1} kernels, {2:F1} MB\n", options.output,
                                     registry.getKernels().size(), double(bytes) / (1 << 20))
                           .str()};
}

Expected<CommandResult> mlir::ck::pruneCache(const LibraryToolOptions &options) {
  Expected<DiskCache> cache =
      DiskCache::open(options.cache, uint64_t(options.cacheMegabytes) << 20);
  if (!cache)
    return cache.takeError();
  Expected<unsigned> removed = cache->prune(uint64_t(options.cacheMegabytes) << 20);
  if (!removed)
    return removed.takeError();
  size_t left = cache->list().size();
  if (options.json)
    return CommandResult{print(json::Object{{"removed", *removed}, {"kernels", left}})};
  return CommandResult{llvm::formatv("{0} kernels removed, {1} left\n", *removed, left).str()};
}
