//===- Stream.cpp - HIP: streams -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation has finished when its call returns, which keeps the order of each stream.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"

using namespace ckemu::hip;

/// The number that hipStreamGetId gives to the next stream; 0 is the default stream.
static std::atomic<uint64_t> nextId{1};

/// True for the streams that nobody created.
static bool isDefault(hipStream_t stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

static Result create(State &state, hipStream_t *stream, unsigned flags, int priority) {
  if (!stream)
    return invalidValue("stream is null");
  if (flags > hipStreamNonBlocking)
    return invalidValue("flags must be in [0, 1], got " + std::to_string(flags));
  auto created = std::make_unique<ihipStream_t>();
  created->flags = flags;
  created->priority = priority;
  created->id = nextId++;
  std::lock_guard<std::mutex> lock(state.mutex);
  *stream = state.streams.add(std::move(created));
  return Result();
}

CK_HIP_EXPORT hipError_t hipStreamCreate(hipStream_t *stream) {
  return call("hipStreamCreate", [&](State &state) { return create(state, stream, 0, 0); });
}

CK_HIP_EXPORT hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
  return call("hipStreamCreateWithFlags",
              [&](State &state) { return create(state, stream, flags, 0); });
}

CK_HIP_EXPORT hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags,
                                                     int priority) {
  return call("hipStreamCreateWithPriority",
              [&](State &state) { return create(state, stream, flags, priority); });
}

CK_HIP_EXPORT hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return call("hipDeviceGetStreamPriorityRange", [&](State &) {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = 0;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipStreamDestroy(hipStream_t stream) {
  return call("hipStreamDestroy", [&](State &state) {
    {
      std::lock_guard<std::mutex> lock(state.mutex);
      if (!state.streams.contains(stream))
        return Result(hipErrorInvalidHandle, state.streams.explain(stream));
      state.streams.destroy(stream);
      state.clocks.forget(stream);
    }
    state.active.wait(stream);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipStreamSynchronize(hipStream_t stream) {
  return call("hipStreamSynchronize", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess && !refuseInCapture(state, stream, "waiting", result))
      state.active.wait(stream);
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamQuery(hipStream_t stream) {
  return call("hipStreamQuery", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess && refuseInCapture(state, stream, "a question", result))
      return result;
    return result.code == hipSuccess && state.active.isActive(stream)
               ? quiet(hipErrorNotReady, "another thread's work in the stream has not ended")
               : result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int) {
  return call("hipStreamWaitEvent", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess)
      return result;
    if (!captureWait(state, stream, event, result)) {
      std::lock_guard<std::mutex> lock(state.mutex);
      if (state.events.contains(event)) // another thread may have destroyed it
        state.clocks.wait(stream, event->modelled);
    }
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
  return call("hipStreamGetFlags", [&](State &state) {
    if (!flags)
      return invalidValue("flags is null");
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess)
      *flags = isDefault(stream) ? hipStreamDefault : stream->flags;
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return call("hipStreamGetPriority", [&](State &state) {
    if (!priority)
      return invalidValue("priority is null");
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess)
      *priority = isDefault(stream) ? 0 : stream->priority;
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId) {
  return call("hipStreamGetId", [&](State &state) {
    if (!streamId)
      return invalidValue("streamId is null");
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess)
      *streamId = isDefault(stream) ? 0 : stream->id;
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return call("hipStreamGetDevice", [&](State &state) {
    if (!device)
      return invalidValue("device is null");
    *device = 0;
    return checkStream(state, stream);
  });
}

CK_HIP_EXPORT int hipGetStreamDeviceId(hipStream_t) { return 0; }

CK_HIP_EXPORT hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData) {
  return call("hipLaunchHostFunc", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess && !fn)
      return invalidValue("fn is null");
    if (result.code == hipSuccess &&
        captureWork(state, stream, hipHostNodeParams{fn, userData}, result))
      return result;
    if (result.code == hipSuccess) {
      state.active.wait(stream);
      fn(userData);
    }
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                              void *userData, unsigned int) {
  return call("hipStreamAddCallback", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess && !callback)
      return invalidValue("callback is null");
    if (result.code == hipSuccess && refuseInCapture(state, stream, "a callback", result))
      return result;
    if (result.code == hipSuccess) {
      state.active.wait(stream);
      callback(stream, hipSuccess, userData);
    }
    return result;
  });
}
