//===- Scheduler.cpp - Running the workgroups of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Scheduler.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/Scheduler.h"
#include "Emulator/Check/SpinDetector.h"
#include "Emulator/Launch/Hostcalls.h"
#include "Emulator/Launch/InitialState.h"
#include "Emulator/Launch/LaunchProgress.h"
#include "Emulator/Launch/StartOrder.h"
#include "Emulator/Launch/WaveRunner.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/Workgroup.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <xmmintrin.h>

using namespace ckemu;

/// Wave instructions of a workgroup between two looks at its progress: few for one that was
/// waiting, more the longer it runs.
static constexpr uint64_t kFirstSlice = 1 << 14, kShortestSlice = 1 << 9, kLongestSlice = 1 << 17;
/// Wave instructions of a wave, on the average, after which a recorder takes a glimpse: mostly,
/// loads of all operands are among them.
static constexpr uint64_t kGlimpse = 1 << 8;
/// So many times as many after which it does if no vector access of device memory is among them.
static constexpr unsigned kLatestGlimpse = 16;
/// Wave instructions before the next wave of a workgroup runs.
static constexpr uint64_t kWaveQuantum = 4096;
/// Slices after which a workgroup that makes progress lets others run, too.
static constexpr unsigned kSlicesBeforeRotation = 64;
/// Rounds over all waves in which none used up its quantum, before a slice ends early.
static constexpr unsigned kIdleRounds = 16;

namespace {
enum class SliceEnd { Ended, Waiting, Stopped };

/// The queue that the host threads of a launch share.
class GroupQueue {
public:
  GroupQueue(LaunchContext &launch, uint64_t capacity);

  /// A workgroup to run: a new one while the device has room, else one that waits. Null when the
  /// launch is over.
  Workgroup *acquire();
  /// Gives back a workgroup that has ended or waits.
  void release(Workgroup *group, SliceEnd end);
  /// Notes that device memory may have changed, or that a wave has ended.
  void noteProgress();
  /// Ends the launch because of what a host thread has thrown.
  void fail(const char *reason);
  /// Reports that `group` hangs.
  void reportHang(const Workgroup &group);
  void reportHang(const std::string &reason, const Workgroup &group, llvm::StringRef waves);
  /// Changes whenever memory may have changed.
  uint64_t getEpoch() const { return epoch.load(); }

private:
  LaunchContext &launch;
  const uint64_t capacity;
  std::mutex mutex;
  StartOrder order;
  LaunchProgress progress;
  std::condition_variable changed;
  uint64_t started = 0, ended = 0;
  std::deque<Workgroup *> waiting;
  std::vector<std::unique_ptr<Workgroup>> owned;
  std::vector<Workgroup *> unused;
  std::atomic<uint64_t> epoch{0};

  void startRecording(Workgroup &group);
  Workgroup *takeNew(uint64_t linearId, std::unique_lock<std::mutex> &lock);
  std::optional<uint64_t> takeLeftOut();
  Workgroup *takeWaiting();
  void reportDeadlock();
};

/// One host thread.
class Worker {
public:
  Worker(LaunchContext &launch, GroupQueue &queue, uint64_t seed);

  void run();
  void addTo(LaunchStatistics &statistics) const;

private:
  LaunchContext &launch;
  GroupQueue &queue;
  std::mt19937_64 random;
  std::vector<uint64_t> executions; ///< empty when there is a profile
  LaunchProfile profile;
  WaveCounters counters;
  uint64_t waves = 0;

  SliceEnd runGroup(Workgroup &group);
  bool noteProgress(Workgroup &group, uint64_t globalBefore, uint64_t executed);
  bool takeGlimpse(Workgroup &group);
  uint64_t runSlice(Workgroup &group);
  uint64_t runRound(Workgroup &group, uint64_t longestQuantum, bool &anyUsedQuantum);
  template <bool checksWaits>
  unsigned runInstructions(Wave &wave, unsigned quantum);
  unsigned runQuantum(Wave &wave, unsigned quantum);
  void collect(const Workgroup &group);
};
} // namespace

GroupQueue::GroupQueue(LaunchContext &launch, uint64_t capacity)
    : launch(launch), capacity(capacity),
      order(launch.shape.getNumGroups(), launch.options.shuffleSeed, launch.recorder.get()),
      progress(launch) {}

/// Starts a workgroup; the lock is released.
Workgroup *GroupQueue::takeNew(uint64_t linearId, std::unique_lock<std::mutex> &lock) {
  ++started;
  if (unused.empty()) {
    owned.push_back(std::make_unique<Workgroup>());
    unused.push_back(owned.back().get());
  }
  Workgroup *group = unused.back();
  unused.pop_back();
  lock.unlock();
  group->sliceInstructions = kFirstSlice;
  initializeWorkgroup(*group, launch, linearId);
  if (launch.recorder)
    startRecording(*group);
  return group;
}

/// The first waiting workgroup that may get further: not one that was shown to repeat itself with
/// memory as it is now.
Workgroup *GroupQueue::takeWaiting() {
  auto isStuck = [&](const Workgroup *group) {
    return group->spinning && group->spinEpoch == epoch.load();
  };
  auto it = llvm::find_if_not(waiting, isStuck);
  if (it == waiting.end())
    return nullptr;
  Workgroup *group = *it;
  waiting.erase(it);
  return group;
}

/// Gives the waves their recorders.
void GroupQueue::startRecording(Workgroup &group) {
  group.recorder = launch.recorder->start(group.linearId, unsigned(group.waves.size()));
  if (!group.recorder)
    return;
  group.sliceInstructions = kGlimpse * group.waves.size();
  for (Wave &wave : group.waves)
    wave.recorder = &group.recorder->waves[wave.waveInGroup];
}

Workgroup *GroupQueue::acquire() {
  if (launch.recorder)
    launch.recorder->waitForRoom();
  std::unique_lock<std::mutex> lock(mutex);
  while (!launch.hasStopped()) {
    const uint64_t running = started - ended;
    if (running < capacity)
      if (const std::optional<uint64_t> next = order.takeNext())
        return takeNew(*next, lock);
    if (Workgroup *group = takeWaiting())
      return group;
    if (running == 0) {
      if (!order.resume())
        break;
    } else if (waiting.size() < running) {
      changed.wait(lock);
    } else if (const std::optional<uint64_t> other = takeLeftOut()) {
      return takeNew(*other, lock);
    } else {
      reportDeadlock();
    }
  }
  changed.notify_all();
  return nullptr;
}

void GroupQueue::release(Workgroup *group, SliceEnd end) {
  std::lock_guard<std::mutex> lock(mutex);
  if (end == SliceEnd::Ended) {
    progress.note(++ended);
    unused.push_back(group);
  } else {
    waiting.push_back(group);
  }
  changed.notify_all();
}

/// A workgroup that those that wait may wait for.
std::optional<uint64_t> GroupQueue::takeLeftOut() {
  auto isLower = [](const Workgroup *a, const Workgroup *b) { return a->linearId < b->linearId; };
  return order.takeLeftOut((*llvm::min_element(waiting, isLower))->linearId);
}

/// With the lock held, when every resident workgroup waits for a store that nobody can make and no
/// further one can start.
void GroupQueue::reportDeadlock() {
  std::string waves;
  for (const Workgroup *group : waiting)
    describeWaves(*group, waves);
  reportHang("deadlock: no wave can make progress", *waiting.front(), waves);
}

void GroupQueue::fail(const char *reason) {
  launch.reportFault(FaultKind::Execution,
                     llvm::formatv("the host failed: {0}, in kernel '{1}'", reason,
                                   shortenKernelName(launch.kernel.metadata.name)));
  std::lock_guard<std::mutex> lock(mutex);
  changed.notify_all();
}

void GroupQueue::noteProgress() {
  std::lock_guard<std::mutex> lock(mutex);
  ++epoch;
  changed.notify_all();
}

void GroupQueue::reportHang(const Workgroup &group) {
  std::string waves;
  describeWaves(group, waves);
  reportHang(llvm::formatv("hang: a workgroup executed {0} wave instructions "
                           "(CK_EMULATOR_HANG_INSTRUCTIONS) without a store to device memory or "
                           "the end of a wave",
                           launch.options.hangInstructions),
             group, waves);
}

/// The place is that of the first of `waves`, which are those of `group` and maybe of others.
void GroupQueue::reportHang(const std::string &reason, const Workgroup &group,
                            llvm::StringRef waves) {
  const std::string kernel = shortenKernelName(launch.kernel.metadata.name);
  const std::string message = llvm::formatv("{0}, in kernel '{1}':{2}", reason, kernel, waves);
  launch.reportFault({FaultKind::Hang, message, reason, findPlace(group)});
}

/// A number that grows whenever the workgroup changes device memory or one of its waves ends.
static uint64_t getGlobalProgress(const Workgroup &group) {
  uint64_t result = 0;
  for (const Wave &wave : group.waves)
    result += wave.counters.globalStores + (wave.state == WaveState::Ended ? 1 : 0);
  return result;
}

/// The same, and whenever its waves do something that other waves of it can see.
static uint64_t getProgress(const Workgroup &group) {
  uint64_t result = group.barriersPassed + getGlobalProgress(group);
  for (const Wave &wave : group.waves)
    result += wave.counters.ldsStores;
  return result;
}

Worker::Worker(LaunchContext &launch, GroupQueue &queue, uint64_t seed)
    : launch(launch), queue(queue), random(seed) {
  size_t numInstructions = launch.getCode().getInstructions().size();
  uint32_t waveSize = launch.kernel.descriptor.waveSize;
  if (launch.profile)
    profile =
        LaunchProfile((launch.shape.getGroupItems() + waveSize - 1) / waveSize, numInstructions);
  else
    executions.resize(numInstructions);
}

template <bool checksWaits>
unsigned Worker::runInstructions(Wave &wave, unsigned quantum) {
  uint64_t *counts = launch.profile ? profile.getExecutions(wave.waveInGroup) : executions.data();
  WaveCounters *counters = launch.profile ? profile.getCounters(wave.waveInGroup) : nullptr;
  if (wave.recorder)
    return runWaveRecorded<checksWaits>(wave, quantum, counts, counters);
  if (!launch.profile)
    return runWave<checksWaits>(wave, quantum, counts);
  return runWaveProfiled<checksWaits>(wave, quantum, counts, counters);
}

unsigned Worker::runQuantum(Wave &wave, unsigned quantum) {
  return wave.outstanding ? runInstructions<true>(wave, quantum)
                          : runInstructions<false>(wave, quantum);
}

uint64_t Worker::runRound(Workgroup &group, uint64_t longestQuantum, bool &anyUsedQuantum) {
  uint64_t executed = 0;
  size_t numWaves = group.waves.size();
  bool shuffle = launch.options.shuffleSeed.has_value();
  size_t first = shuffle ? random() % numWaves : 0;
  for (size_t i = 0; i < numWaves; ++i) {
    Wave &wave = group.waves[(first + i) % numWaves];
    if (wave.state != WaveState::Running)
      continue;
    unsigned quantum = unsigned(shuffle ? 1 + random() % 512 : longestQuantum);
    unsigned used = runQuantum(wave, quantum);
    anyUsedQuantum |= used == quantum;
    executed += used;
    if (wave.state == WaveState::Faulted)
      break;
  }
  return executed;
}

uint64_t Worker::runSlice(Workgroup &group) {
  uint64_t executed = 0;
  // No more than the workgroup may execute before it counts as hung.
  const uint64_t slice =
      std::min(group.sliceInstructions, launch.options.hangInstructions - group.idleInstructions);
  const uint64_t quantum = std::min(kWaveQuantum, slice);
  for (unsigned idleRounds = 0; executed < slice && idleRounds < kIdleRounds;) {
    if (launch.hasStopped() || group.hasEnded())
      break;
    bool anyUsedQuantum = false;
    executed += runRound(group, quantum, anyUsedQuantum);
    bool released = group.releaseBarrier();
    if (launch.hostcalls && launch.hostcalls->serve(launch)) {
      queue.noteProgress();
      released = true;
    }
    idleRounds = anyUsedQuantum || released ? 0 : idleRounds + 1;
  }
  return executed;
}

/// Notes what a workgroup did for itself and others; false when it hangs.
bool Worker::noteProgress(Workgroup &group, uint64_t globalBefore, uint64_t executed) {
  if (getGlobalProgress(group) != globalBefore) {
    group.idleInstructions = 0;
    queue.noteProgress();
    return true;
  }
  group.idleInstructions += executed;
  if (group.idleInstructions < launch.options.hangInstructions)
    return true;
  queue.reportHang(group);
  return false;
}

static bool awaitsGlimpse(const Workgroup &group) {
  return group.recorder && !group.recorder->wasGlimpsed;
}

/// Behind the first slice of a workgroup that is recorded, or behind the one after that with its
/// first access; false when no more of it is wanted.
bool Worker::takeGlimpse(Workgroup &group) {
  if (!awaitsGlimpse(group))
    return true;
  GroupRecorder &recorder = *group.recorder;
  const bool had = std::exchange(recorder.hasTouched, recorder.touches());
  const bool isTime = recorder.looks++ == 0 ? recorder.hasTouched : had;
  if (!isTime && recorder.looks < kLatestGlimpse && !group.hasEnded())
    return true;
  if (launch.recorder->glimpse(*group.recorder))
    return true;
  group.recorder.reset();
  for (Wave &wave : group.waves)
    wave.recorder = nullptr;
  return launch.recorder->executesAll();
}

SliceEnd Worker::runGroup(Workgroup &group) {
  group.spinning = false;
  for (unsigned slice = 0;; ++slice) {
    uint64_t before = getProgress(group), globalBefore = getGlobalProgress(group);
    uint64_t executed = runSlice(group);
    if (!noteProgress(group, globalBefore, executed) || launch.hasStopped())
      return SliceEnd::Stopped;
    if (!takeGlimpse(group) || group.hasEnded()) {
      collect(group);
      return SliceEnd::Ended;
    }
    if (getProgress(group) != before) {
      if (!awaitsGlimpse(group))
        group.sliceInstructions = kLongestSlice;
      if (slice < kSlicesBeforeRotation)
        continue;
      return SliceEnd::Waiting;
    }
    group.spinEpoch = queue.getEpoch();
    uint64_t steps = 0;
    group.spinning = isSpinning(group, [&](Wave &wave) { steps += runQuantum(wave, 1); });
    // Who only waits for others does not hang: they may all wait, which is a deadlock.
    if (group.spinning)
      group.idleInstructions = 0;
    else if (!noteProgress(group, globalBefore, steps))
      return SliceEnd::Stopped;
    if (group.spinning)
      group.sliceInstructions = kShortestSlice;
    else if (!awaitsGlimpse(group))
      group.sliceInstructions = std::min(2 * group.sliceInstructions, kLongestSlice);
    return SliceEnd::Waiting;
  }
}

void Worker::collect(const Workgroup &group) {
  if (group.recorder)
    launch.recorder->finish(*group.recorder);
  waves += group.waves.size();
  for (const Wave &wave : group.waves)
    counters += wave.counters;
}

void Worker::run() {
  unsigned hostState = _mm_getcsr();
  try {
    while (Workgroup *group = queue.acquire())
      queue.release(group, runGroup(*group));
  } catch (const std::bad_alloc &) {
    queue.fail("out of memory for workgroups");
  } catch (const std::exception &error) {
    queue.fail(error.what());
  }
  _mm_setcsr(hostState);
}

void Worker::addTo(LaunchStatistics &statistics) const {
  statistics.waves += waves;
  statistics.bytesLoaded += counters.bytesLoaded;
  statistics.bytesStored += counters.bytesStored;
  statistics.ldsBankConflicts += counters.ldsBankConflicts;
  statistics.executions.resize(launch.getCode().getInstructions().size());
  for (size_t i = 0; i < executions.size(); ++i)
    statistics.executions[i] += executions[i];
  if (profile.isEmpty())
    return;
  for (size_t i = 0; i < statistics.executions.size(); ++i)
    statistics.executions[i] += profile.countExecutions(i);
  if (statistics.profile.isEmpty())
    statistics.profile = profile;
  else
    statistics.profile.add(profile);
}

LaunchStatistics ckemu::runWorkgroups(LaunchContext &launch, uint64_t residentGroups) {
  GroupQueue queue(launch, residentGroups);
  uint64_t numWorkers =
      std::min({uint64_t(launch.options.threads), residentGroups, launch.shape.getNumGroups()});
  // Who sees whose flag must not depend on the host.
  if (launch.recorder && launch.recorder->code.synchronizes)
    numWorkers = 1;
  std::deque<Worker> workers;
  for (uint64_t i = 0; i < numWorkers; ++i)
    workers.emplace_back(launch, queue, launch.options.shuffleSeed.value_or(0) + i);
  std::vector<std::thread> threads;
  threads.reserve(numWorkers);
  try {
    for (uint64_t i = 1; i < numWorkers; ++i)
      threads.emplace_back([&workers, i] { workers[i].run(); });
  } catch (const std::system_error &) { // NOLINT(bugprone-empty-catch)
    // The host has no more threads: fewer do the work.
  }
  workers[0].run();
  for (std::thread &thread : threads)
    thread.join();
  LaunchStatistics statistics;
  statistics.shape = launch.shape;
  for (const Worker &worker : workers)
    worker.addTo(statistics);
  return statistics;
}
