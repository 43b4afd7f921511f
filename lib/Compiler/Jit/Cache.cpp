//===- Cache.cpp - Programs that were compiled -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Cache.h. Entries are few, so that they are searched one after the other.
//
//===----------------------------------------------------------------------===//

#include "Compiler/Jit/Cache.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck::jit;

/// The entry of `key`, a new one if there is none, put first.
std::shared_ptr<Cache::Entry> Cache::find(llvm::StringRef key) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = llvm::find_if(entries, [&](const auto &entry) { return entry->key == key; });
  if (found != entries.end()) {
    entries.splice(entries.begin(), entries, found);
    return entries.front();
  }
  auto entry = std::make_shared<Entry>();
  entry->key = key.str();
  entries.push_front(entry);
  if (entries.size() > capacity)
    entries.pop_back();
  return entry;
}

std::shared_ptr<const Specialization> Cache::get(llvm::StringRef key, Compile compile) {
  std::shared_ptr<Entry> entry = find(key);
  std::call_once(entry->once, [&] { entry->program = compile(); });
  return {entry, entry->program.get()};
}

void Cache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  entries.clear();
}
