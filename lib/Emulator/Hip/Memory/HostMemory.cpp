//===- HostMemory.cpp - Reading memory that may not be there -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See HostMemory.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/HostMemory.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

using namespace ckemu;
using namespace ckemu::hip;

/// Copies one range in as many steps as it takes.
static bool readRange(HostRange range) {
  auto *to = static_cast<char *>(range.to);
  auto *from = const_cast<char *>(static_cast<const char *>(range.from));
  while (range.size != 0) {
    iovec local = {to, range.size}, remote = {from, range.size};
    ssize_t count = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (count < 0 && (errno == ENOSYS || errno == EPERM)) { // forbidden in some containers
      std::memcpy(to, from, range.size);
      return true;
    }
    if (count <= 0)
      return false;
    to += count;
    from += count;
    range.size -= size_t(count);
  }
  return true;
}

std::optional<size_t> hip::readHostMemory(llvm::ArrayRef<HostRange> ranges) {
  for (size_t first = 0; first < ranges.size(); first += IOV_MAX) {
    llvm::ArrayRef<HostRange> part =
        ranges.slice(first, std::min<size_t>(IOV_MAX, ranges.size() - first));
    std::vector<iovec> local, remote;
    size_t total = 0;
    for (const HostRange &range : part) {
      local.push_back({range.to, range.size});
      remote.push_back({const_cast<void *>(range.from), range.size});
      total += range.size;
    }
    if (process_vm_readv(getpid(), local.data(), local.size(), remote.data(), remote.size(), 0) ==
        ssize_t(total))
      continue;
    for (size_t i = 0; i < part.size(); ++i)
      if (!readRange(part[i]))
        return first + i;
  }
  return std::nullopt;
}
