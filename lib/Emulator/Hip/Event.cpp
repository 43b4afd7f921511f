//===- Event.cpp - HIP: events -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event is the time of its recording; the time that kernels take is that of their emulation.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"

using namespace mlir::ck::emulator::hip;

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

CK_HIP_EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return call("hipEventRecord", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess || captureRecord(state, stream, event, result))
      return result;
    return withEvent(state, event, [&] {
      event->recorded = true;
      event->time = std::chrono::steady_clock::now();
      return Result();
    });
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
    *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
    return Result();
  });
}
