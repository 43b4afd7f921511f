//===- Event.cpp - HIP: events -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event is the time of its recording. The time that kernels take is that of their emulation or,
// when launches are timed, what the model says.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"

using namespace ckemu::hip;

static Result create(State &state, hipEvent_t *event, unsigned flags) {
  if (!event)
    return invalidValue("event is null");
  auto created = std::make_unique<ihipEvent_t>();
  created->flags = flags;
  std::lock_guard<std::mutex> lock(state.mutex);
  *event = state.events.add(std::move(created));
  return Result();
}

/// Runs `body` with the lock held when `event` exists.
template <class Body>
static Result withEvent(State &state, hipEvent_t event, Body body) {
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.events.contains(event))
    return Result(hipErrorInvalidHandle, state.events.explain(event));
  return body();
}

CK_HIP_EXPORT hipError_t hipEventCreate(hipEvent_t *event) {
  return call("hipEventCreate", [&](State &state) { return create(state, event, 0); });
}

CK_HIP_EXPORT hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  return call("hipEventCreateWithFlags", [&](State &state) { return create(state, event, flags); });
}

CK_HIP_EXPORT hipError_t hipEventDestroy(hipEvent_t event) {
  return call("hipEventDestroy", [&](State &state) {
    return withEvent(state, event, [&] {
      state.events.destroy(event);
      return Result();
    });
  });
}

Result ckemu::hip::recordEvent(State &state, hipEvent_t event, hipStream_t stream) {
  llvm::Expected<TimingMode> timing = readTimingMode();
  if (!timing)
    return invalidValue(llvm::toString(timing.takeError()));
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  event->modelled.reset();
  if (*timing != TimingMode::Off)
    event->modelled = state.clocks.get(stream);
  return Result();
}

CK_HIP_EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return call("hipEventRecord", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess || captureRecord(state, stream, event, result))
      return result;
    return withEvent(state, event, [&] { return recordEvent(state, event, stream); });
  });
}

CK_HIP_EXPORT hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream,
                                                 unsigned int flags) {
  if (flags > 1) // hipEventRecordExternal
    return call("hipEventRecordWithFlags", [&](State &) {
      return invalidValue("flags must be in [0, 1], got " + std::to_string(flags));
    });
  return hipEventRecord(event, stream);
}

CK_HIP_EXPORT hipError_t hipEventSynchronize(hipEvent_t event) {
  return call("hipEventSynchronize", [&](State &state) { return checkNotCaptured(state, event); });
}

CK_HIP_EXPORT hipError_t hipEventQuery(hipEvent_t event) {
  return call("hipEventQuery", [&](State &state) { return checkNotCaptured(state, event); });
}

CK_HIP_EXPORT hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
  return call("hipEventElapsedTime", [&](State &state) {
    if (!ms)
      return invalidValue("ms is null");
    std::lock_guard<std::mutex> lock(state.mutex);
    for (hipEvent_t event : {start, stop}) {
      if (!state.events.contains(event))
        return Result(hipErrorInvalidHandle, state.events.explain(event));
      if (!event->recorded)
        return Result(hipErrorInvalidHandle, "expected two recorded events");
      if (event->flags & hipEventDisableTiming)
        return Result(hipErrorInvalidHandle, "expected events with timing");
    }
    if (start->modelled.has_value() != stop->modelled.has_value())
      return Result(hipErrorInvalidHandle,
                    "one of the events was recorded when launches were timed by the model "
                    "(CK_EMULATOR_TIMING), and the other one was not");
    if (start->modelled) {
      state.timingSummary.noteRead();
      *ms = float((*stop->modelled - *start->modelled) * 1e-3);
      return Result();
    }
    state.timingSummary.noteHostTime();
    *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
    return Result();
  });
}
