//===- Capture.cpp - HIP: capturing streams into graphs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work of a captured stream becomes nodes. A stream that waits for an event of a captured stream is
// captured, too, and must be joined again by an event before the end.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Version.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;
using namespace ckemu::hip;

/// The capture of `stream`, or null. Wants the lock of GraphTables.
static Capture *getCapture(State &state, hipStream_t stream) {
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.streams.contains(stream) || !stream->capture || !stream->capture->graph)
    return nullptr;
  return stream->capture.get();
}

static Result invalidate(Capture &capture, hipError_t code, std::string reason) {
  if (capture.failure.empty())
    capture.failure = reason;
  return Result(code, std::move(reason));
}

static Result describeInvalid(const Capture &capture) {
  return Result(hipErrorStreamCaptureInvalidated,
                "the capture was invalidated before: " + capture.failure);
}

bool hip::isCapturing(State &state, hipStream_t stream) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  return getCapture(state, stream) != nullptr;
}

bool hip::captureWork(State &state, hipStream_t stream, Work work, Result &result) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  Capture *capture = getCapture(state, stream);
  if (!capture)
    return false;
  if (!capture->failure.empty()) {
    result = describeInvalid(*capture);
    return true;
  }
  hipGraphNode_t node = nullptr;
  result = addNode(capture->graph, stream->capturedTail.data(), stream->capturedTail.size(),
                   std::move(work), &node);
  if (result.code == hipSuccess)
    stream->capturedTail = {node};
  return true;
}

bool hip::refuseInCapture(State &state, hipStream_t stream, const char *what, Result &result) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  Capture *capture = getCapture(state, stream);
  if (capture)
    result = invalidate(*capture, hipErrorStreamCaptureUnsupported,
                        std::string(what) + " is not permitted while the stream is captured");
  return capture != nullptr;
}

Result hip::checkEvent(State &state, hipEvent_t event) {
  std::lock_guard<std::mutex> lock(state.mutex);
  return state.events.contains(event) ? Result()
                                      : Result(hipErrorInvalidHandle, state.events.explain(event));
}

Result hip::checkNotCaptured(State &state, hipEvent_t event) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  if (Result result = checkEvent(state, event); result.code != hipSuccess)
    return result;
  if (!event->capture || !event->capture->graph)
    return Result();
  return invalidate(*event->capture, hipErrorCapturedEvent,
                    "the event was recorded in a stream that is captured");
}

bool hip::captureRecord(State &state, hipStream_t stream, hipEvent_t event, Result &result) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  result = checkEvent(state, event);
  if (result.code != hipSuccess)
    return true;
  Capture *capture = getCapture(state, stream);
  if (!capture) {
    event->capture.reset();
    event->capturedTail.clear();
    return false;
  }
  if (!capture->failure.empty())
    result = describeInvalid(*capture);
  event->capture = stream->capture;
  event->capturedTail = stream->capturedTail;
  return true;
}

bool hip::captureWait(State &state, hipStream_t stream, hipEvent_t event, Result &result) {
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  result = checkEvent(state, event);
  if (result.code != hipSuccess)
    return true;
  Capture *capture = getCapture(state, stream);
  const bool isCaptured = event->capture && event->capture->graph;
  if (!capture && !isCaptured)
    return false;
  if (!isCaptured) {
    result = invalidate(*capture, hipErrorStreamCaptureIsolation,
                        "the event was not recorded in a stream of the capture");
  } else if (capture && capture != event->capture.get()) {
    result = invalidate(*capture, hipErrorStreamCaptureMerge,
                        "the event was recorded in a stream of another capture");
  } else if (reinterpret_cast<uintptr_t>(stream) <= 2) {
    result = invalidate(*event->capture, hipErrorStreamCaptureImplicit,
                        "the default stream cannot be captured");
  } else {
    if (!capture) {
      stream->capture = event->capture;
      stream->capturedTail.clear();
      event->capture->streams.push_back(stream);
    }
    for (hipGraphNode_t node : event->capturedTail)
      if (!llvm::is_contained(stream->capturedTail, node))
        stream->capturedTail.push_back(node);
  }
  return true;
}

static Result begin(State &state, hipStream_t stream, hipGraph_t graph,
                    std::vector<hipGraphNode_t> tail, hipStreamCaptureMode mode) {
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  if (reinterpret_cast<uintptr_t>(stream) <= 2)
    return Result(hipErrorStreamCaptureUnsupported, "the default stream cannot be captured");
  if (unsigned(mode) > hipStreamCaptureModeRelaxed)
    return invalidValue("mode must be in [0, 2], got " + std::to_string(int(mode)));
  GraphTables &tables = GraphTables::get();
  std::lock_guard<std::mutex> lock(tables.mutex);
  if (getCapture(state, stream))
    return Result(hipErrorIllegalState, "the stream is captured already");
  if (graph && !tables.graphs.contains(graph))
    return invalidValue(tables.graphs.explain(graph));
  static unsigned long long lastId = 0;
  auto capture = std::make_shared<Capture>();
  capture->graph = graph ? graph : tables.graphs.add(std::make_unique<ihipGraph>());
  capture->origin = stream;
  capture->mode = mode;
  capture->id = ++lastId;
  capture->streams.push_back(stream);
  stream->capture = std::move(capture);
  stream->capturedTail = std::move(tail);
  return Result();
}

CK_HIP_EXPORT hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return call("hipStreamBeginCapture",
              [&](State &state) { return begin(state, stream, nullptr, {}, mode); });
}

CK_HIP_EXPORT hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                                      const hipGraphNode_t *dependencies,
                                                      const void *, size_t count,
                                                      hipStreamCaptureMode mode) {
  return call("hipStreamBeginCaptureToGraph", [&](State &state) {
    if (!graph || (count != 0 && !dependencies))
      return invalidValue(graph ? "dependencies is null" : "graph is null");
    return begin(state, stream, graph, {dependencies, dependencies + count}, mode);
  });
}

/// All nodes that the nodes in `tail` come after, and these.
static std::set<const hipGraphNode *> getAncestors(const std::vector<hipGraphNode_t> &tail) {
  std::set<const hipGraphNode *> result;
  std::vector<const hipGraphNode *> open(tail.begin(), tail.end());
  while (!open.empty()) {
    const hipGraphNode *node = open.back();
    open.pop_back();
    if (result.insert(node).second)
      open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return result;
}

/// Takes the streams out of the capture; true when the work of all of them comes before the end of
/// the stream in which the capture began.
static bool release(State &state, Capture &capture) {
  const std::set<const hipGraphNode *> joined = getAncestors(capture.origin->capturedTail);
  bool allJoined = true;
  std::lock_guard<std::mutex> lock(state.mutex);
  for (hipStream_t stream : capture.streams) {
    if (!state.streams.contains(stream))
      continue;
    allJoined &= llvm::all_of(stream->capturedTail,
                              [&](hipGraphNode_t node) { return joined.count(node) != 0; });
    if (stream != capture.origin)
      stream->capture.reset();
    stream->capturedTail.clear();
  }
  return allJoined;
}

CK_HIP_EXPORT hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
  return call("hipStreamEndCapture", [&](State &state) {
    if (!graph)
      return invalidValue("pGraph is null");
    *graph = nullptr;
    if (Result result = checkStream(state, stream); result.code != hipSuccess)
      return result;
    GraphTables &tables = GraphTables::get();
    std::lock_guard<std::mutex> lock(tables.mutex);
    Capture *capture = getCapture(state, stream);
    if (!capture)
      return Result(hipErrorIllegalState, "the stream is not captured");
    if (capture->origin != stream)
      return invalidate(*capture, hipErrorStreamCaptureUnmatched,
                        "the capture was begun in another stream");
    const std::shared_ptr<Capture> ended = stream->capture;
    hipGraph_t captured = ended->graph;
    const bool allJoined = release(state, *ended);
    stream->capture.reset();
    ended->graph = nullptr;
    if (!ended->failure.empty())
      return describeInvalid(*ended);
    if (!allJoined)
      return Result(hipErrorStreamCaptureUnjoined,
                    "the work of another captured stream was not joined by an event");
    *graph = captured;
    return Result();
  });
}

static Result getStatus(State &state, hipStream_t stream, hipStreamCaptureStatus *status,
                        unsigned long long *id, hipGraph_t *graph,
                        const hipGraphNode_t **dependencies, size_t *count) {
  if (!status)
    return invalidValue("the destination of the status is null");
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
  const Capture *capture = getCapture(state, stream);
  *status = !capture                   ? hipStreamCaptureStatusNone
            : capture->failure.empty() ? hipStreamCaptureStatusActive
                                       : hipStreamCaptureStatusInvalidated;
  if (!capture)
    return Result();
  if (id)
    *id = capture->id;
  if (graph)
    *graph = capture->graph;
  if (dependencies)
    *dependencies = stream->capturedTail.data();
  if (count)
    *count = stream->capturedTail.size();
  return Result();
}

CK_HIP_EXPORT hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
  return call("hipStreamIsCapturing", [&](State &state) {
    return getStatus(state, stream, status, nullptr, nullptr, nullptr, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                                 unsigned long long *id) {
  return call("hipStreamGetCaptureInfo", [&](State &state) {
    return getStatus(state, stream, status, id, nullptr, nullptr, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream,
                                                    hipStreamCaptureStatus *status,
                                                    unsigned long long *id, hipGraph_t *graph,
                                                    const hipGraphNode_t **dependencies,
                                                    size_t *count) {
  return call("hipStreamGetCaptureInfo_v2", [&](State &state) {
    return getStatus(state, stream, status, id, graph, dependencies, count);
  });
}

CK_HIP_EXPORT hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream,
                                                            hipGraphNode_t *dependencies,
                                                            size_t count, unsigned int flags) {
  return call("hipStreamUpdateCaptureDependencies", [&](State &state) {
    if (flags > 1 || (count != 0 && !dependencies))
      return invalidValue("expected flags in [0, 1] and a list of nodes");
    std::lock_guard<std::mutex> lock(GraphTables::get().mutex);
    const Capture *capture = getCapture(state, stream);
    if (!capture)
      return Result(hipErrorIllegalState, "the stream is not captured");
    for (size_t i = 0; i < count; ++i)
      if (!llvm::is_contained(capture->graph->nodes, dependencies[i]))
        return invalidValue("dependency " + std::to_string(i) + " is no node of the graph");
    if (flags == 1) // hipStreamSetCaptureDependencies
      stream->capturedTail.clear();
    stream->capturedTail.insert(stream->capturedTail.end(), dependencies, dependencies + count);
    return Result();
  });
}

/// The mode of a thread says which calls are refused while a stream is captured; none is here.
CK_HIP_EXPORT hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  return call("hipThreadExchangeStreamCaptureMode", [&](State &) {
    static thread_local hipStreamCaptureMode current = hipStreamCaptureModeGlobal;
    if (!mode || unsigned(*mode) > hipStreamCaptureModeRelaxed)
      return invalidValue(mode ? "mode must be in [0, 2], got " + std::to_string(int(*mode))
                               : "mode is null");
    std::swap(*mode, current);
    return Result();
  });
}
