//===- Event.cpp - Points in time of a stream -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recording and measuring.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Event.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

Expected<Event> Event::create(const Device &device) {
  Event event;
  event.api = device.getSharedApi();
  if (Error error = event.api->check(event.api->EventCreate(&event.handle), "hipEventCreate"))
    return error;
  return event;
}

Event::~Event() {
  if (handle)
    (void)api->EventDestroy(handle);
}

Error Event::record(const Stream &stream) {
  return api->check(api->EventRecord(handle, stream.getHandle()), "hipEventRecord");
}

Error Event::synchronize() const {
  return api->check(api->EventSynchronize(handle), "hipEventSynchronize");
}

Expected<float> Event::getMillisecondsSince(const Event &start) const {
  float milliseconds = 0;
  if (Error error = api->check(api->EventElapsedTime(&milliseconds, start.handle, handle),
                               "hipEventElapsedTime"))
    return error;
  return milliseconds;
}
