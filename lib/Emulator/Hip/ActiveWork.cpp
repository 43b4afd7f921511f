//===- ActiveWork.cpp - What other threads have under way -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ActiveWork.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/ActiveWork.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ckemu;
using namespace ckemu::hip;

/// The work that this thread is in, or 0.
static thread_local uint64_t currentTicket = 0;

template <class Matches>
void ActiveWork::waitFor(std::unique_lock<std::mutex> &lock, uint64_t before, Matches matches) {
  ended.wait(lock, [&] {
    return std::none_of(tickets.begin(), tickets.lower_bound(before), [&](const auto &entry) {
      return entry.first != currentTicket && matches(entry.second);
    });
  });
}

ActiveWork::Scope::Scope(ActiveWork &work, const void *stream) : work(work) {
  if (currentTicket != 0)
    return;
  std::unique_lock<std::mutex> lock(work.mutex);
  ticket = ++work.lastTicket;
  work.tickets[ticket] = stream;
  work.waitFor(lock, ticket, [&](const void *other) { return other == stream; });
  currentTicket = ticket;
}

ActiveWork::Scope::~Scope() {
  if (ticket == 0)
    return;
  {
    std::lock_guard<std::mutex> lock(work.mutex);
    work.tickets.erase(ticket);
  }
  currentTicket = 0;
  work.ended.notify_all();
}

void ActiveWork::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  waitFor(lock, lastTicket + 1, [](const void *) { return true; });
}

void ActiveWork::wait(const void *stream) {
  std::unique_lock<std::mutex> lock(mutex);
  waitFor(lock, lastTicket + 1, [&](const void *other) { return other == stream; });
}

bool ActiveWork::isActive(const void *stream) const {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::any_of(tickets, [&](const auto &entry) {
    return entry.first != currentTicket && entry.second == stream;
  });
}
