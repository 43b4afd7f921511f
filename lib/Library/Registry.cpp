//===- Registry.cpp - Kernels that were declared -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Registry.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <condition_variable>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

void Registry::add(const KernelSet &set) {
  llvm::append_range(kernels, set.getKernels());
  llvm::append_range(exclusions, set.getExclusions());
}

void Registry::add(const KernelArchive &archive) {
  for (const ArchiveEntry &entry : archive.getEntries())
    kernels.push_back({entry.request, entry.layer});
}

void Registry::keep(llvm::function_ref<bool(const Declaration &)> isWanted) {
  llvm::erase_if(kernels, [&](const Declaration &kernel) { return !isWanted(kernel); });
}

llvm::json::Object Registry::toJson() const {
  llvm::json::Array list;
  for (const Declaration &kernel : kernels)
    list.push_back(mlir::ck::toJson(kernel));
  return llvm::json::Object{{"kernels", std::move(list)},
                            {"excluded", mlir::ck::toJson(exclusions)}};
}

llvm::json::Object Selection::toJson() const {
  llvm::json::Array list;
  for (const Candidate &candidate : candidates)
    list.push_back(llvm::json::Object{{"request", candidate.request.toJson()},
                                      {"schedule", candidate.schedule},
                                      {"declared", candidate.isDeclared},
                                      {"layer", candidate.layer},
                                      {"cost", candidate.rank.cost},
                                      {"why", candidate.rank.why}});
  return llvm::json::Object{{"candidates", std::move(list)},
                            {"excluded", mlir::ck::toJson(exclusions)}};
}

/// Schedules a request's problem.
static Expected<ScheduledWork> schedule(const KernelRequest &request) {
  Expected<Problem> problem = parseProblem(request.problem);
  if (!problem)
    return problem.takeError();
  CompileOptions options;
  options.chip = request.chip;
  options.schedule = request.schedule;
  options.residents = request.residents;
  return scheduleProblem(*problem, options);
}

void Registry::validate(const Executor &executor, const Progress &progress) {
  forAll(executor, progress,
         [](const Declaration &kernel) { return schedule(kernel.request).takeError(); });
}

void Registry::build(const Executor &executor, const Progress &progress) {
  forAll(executor, progress,
         [this](const Declaration &kernel) { return library.get(kernel.request).takeError(); });
}

/// Runs `check` as a task for every kernel; those that fail become exclusions.
void Registry::forAll(const Executor &executor, const Progress &progress, const Check &check) {
  std::mutex mutex;
  std::condition_variable allDone;
  size_t done = 0;
  std::vector<std::string> reasons(kernels.size());
  for (size_t i = 0; i < kernels.size(); ++i)
    executor([&, i] {
      std::string reason = isCancelled ? "" : llvm::toString(check(kernels[i]));
      std::lock_guard<std::mutex> lock(mutex);
      reasons[i] = std::move(reason);
      if (progress)
        progress(done + 1, kernels.size(), kernels[i].request.problem);
      if (++done == kernels.size())
        allDone.notify_all();
    });
  std::unique_lock<std::mutex> lock(mutex);
  allDone.wait(lock, [&] { return done == kernels.size(); });
  isCancelled = false;
  std::vector<Declaration> legal;
  for (auto [kernel, reason] : llvm::zip_equal(kernels, reasons)) {
    if (reason.empty())
      legal.push_back(std::move(kernel));
    else
      exclusions.push_back({std::move(kernel), std::move(reason)});
  }
  kernels = std::move(legal);
}

/// The operation and the type of a problem string: "conv_fwd:f16".
static StringRef getKind(StringRef problem) {
  size_t first = problem.find(':');
  return problem.substr(0, problem.find(':', first + 1));
}

Expected<Selection> Registry::select(StringRef problem, StringRef chip,
                                     const Ranker &ranker) const {
  Expected<KernelRequest> wanted = KernelRequest{problem.str(), chip.str(), "", 0}.canonicalize();
  if (!wanted)
    return wanted.takeError();
  Selection selection;
  llvm::StringSet<> requests, schedules;
  auto consider = [&](const Declaration &kernel, bool isDeclared) -> Error {
    Declaration applied = kernel;
    applied.request.problem = wanted->problem;
    if (!requests.insert(applied.request.getKey("")).second)
      return Error::success();
    Expected<ScheduledWork> work = schedule(applied.request);
    if (!work) {
      selection.exclusions.push_back({applied, llvm::toString(work.takeError())});
      return Error::success();
    }
    std::string complete = toString(work->schedule);
    if (!schedules.insert(complete).second)
      return Error::success();
    Expected<Rank> rank = ranker.rank(applied.request, *work);
    if (!rank)
      return rank.takeError();
    selection.candidates.push_back(
        {applied.request, complete, isDeclared, kernel.layer, std::move(*rank)});
    return Error::success();
  };
  for (bool isDeclared : {true, false})
    for (const Declaration &kernel : kernels)
      if (kernel.request.chip == chip &&
          (kernel.request.problem == wanted->problem) == isDeclared &&
          getKind(kernel.request.problem) == getKind(wanted->problem))
        if (Error error = consider(kernel, isDeclared))
          return std::move(error);
  if (selection.candidates.empty() && selection.exclusions.empty())
    return createStringError("expected a set with kernels of " + getKind(wanted->problem) +
                             " for " + chip + ", got none");
  llvm::sort(selection.candidates, [](const Candidate &a, const Candidate &b) {
    return std::tie(a.rank.group, a.rank.cost, a.schedule) <
           std::tie(b.rank.group, b.rank.cost, b.schedule);
  });
  return selection;
}

Error Registry::writeArchive(StringRef path, StringRef name) {
  std::vector<ArchiveKernel> list;
  for (const Declaration &kernel : kernels) {
    if (isCancelled.exchange(false))
      return createStringError("cannot export " + toString(kernel.request) + ": cancelled");
    Expected<std::shared_ptr<const KernelImage>> image = library.get(kernel.request);
    if (!image)
      return createStringError("cannot export " + toString(kernel.request) + ": " +
                               llvm::toString(image.takeError()));
    list.push_back({kernel.request, kernel.layer, std::move(*image)});
  }
  return KernelArchive::write(path, name, list);
}
