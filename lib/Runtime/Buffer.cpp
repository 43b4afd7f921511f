//===- Buffer.cpp - Device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocation and copies.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Buffer.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<Buffer> Buffer::allocate(const Device &device, size_t bytes) {
  Buffer buffer;
  buffer.api = device.getSharedApi();
  buffer.size = bytes;
  if (bytes == 0)
    return buffer;
  std::string call = "hipMalloc of " + std::to_string(bytes) + " bytes";
  if (Error error = buffer.api->check(buffer.api->Malloc(&buffer.pointer, bytes), call))
    return error;
  return buffer;
}

Buffer::~Buffer() {
  if (pointer)
    (void)api->Free(pointer);
}

static Error checkSize(size_t expected, size_t size) {
  if (expected == size)
    return Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "expected " + Twine(expected) + " bytes, got " + Twine(size));
}

Error Buffer::copyFromHost(llvm::ArrayRef<uint8_t> data) {
  if (Error error = checkSize(size, data.size()))
    return error;
  if (size == 0)
    return Error::success();
  return api->check(api->Memcpy(pointer, data.data(), size, hip::hostToDevice), "hipMemcpy");
}

Error Buffer::copyToHost(llvm::MutableArrayRef<uint8_t> data) const {
  if (Error error = checkSize(size, data.size()))
    return error;
  if (size == 0)
    return Error::success();
  return api->check(api->Memcpy(data.data(), pointer, size, hip::deviceToHost), "hipMemcpy");
}

Error Buffer::fill(uint8_t byte) {
  if (size == 0)
    return Error::success();
  return api->check(api->Memset(pointer, byte, size), "hipMemset");
}

Error Buffer::zero(size_t bytes) {
  if (bytes > size)
    return llvm::createStringError("expected at most " + Twine(size) +
                                   " bytes, the size of the buffer, got " + Twine(bytes));
  if (bytes == 0)
    return Error::success();
  const std::vector<uint8_t> zeros(bytes);
  return api->check(api->Memcpy(pointer, zeros.data(), bytes, hip::hostToDevice), "hipMemcpy");
}
