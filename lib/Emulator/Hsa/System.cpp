//===- System.cpp - HSA: the runtime and its status codes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Runtime.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hsa/Refuse.h"
#include "Emulator/Hsa/Runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hsa;

/// Calls of hsa_init less calls of hsa_shut_down.
static std::atomic<uint32_t> references{0};

bool hsa::isInitialized() { return references != 0; }

llvm::Expected<const Options *> hsa::getOptions() {
  // Never destroyed: programs ask from their own exit handlers.
  static llvm::Expected<Options> *const options =
      new llvm::Expected<Options>(Options::fromEnvironment());
  static const std::string *const error =
      new std::string(*options ? std::string() : llvm::toString(options->takeError()));
  if (!error->empty())
    return llvm::createStringError(*error);
  return &**options;
}

hsa_status_t hsa::fail(const char *name, hsa_status_t status, const std::string &why) noexcept {
  std::fprintf(stderr, "ck-mlir emulator: %s: %s\n", name, why.c_str());
  return status;
}

int hsa::refuse(const char *name) noexcept {
  return fail(name, HSA_STATUS_ERROR, "is not implemented: programs run through HIP");
}

CK_HSA_EXPORT hsa_status_t hsa_init() {
  ++references;
  const hsa_status_t status =
      call("hsa_init", [](const Options &) { return hsa_status_t(HSA_STATUS_SUCCESS); });
  if (status != HSA_STATUS_SUCCESS)
    --references;
  return status;
}

CK_HSA_EXPORT hsa_status_t hsa_shut_down() {
  uint32_t count = references;
  while (count != 0 && !references.compare_exchange_weak(count, count - 1))
    continue;
  return count == 0 ? HSA_STATUS_ERROR_NOT_INITIALIZED : HSA_STATUS_SUCCESS;
}

CK_HSA_EXPORT hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value) {
  return call("hsa_system_get_info", [&](const Options &) {
    if (!value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
    case HSA_SYSTEM_INFO_VERSION_MINOR:
      return answer<uint16_t>(value, 1);
    case HSA_SYSTEM_INFO_TIMESTAMP: {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      return answer<uint64_t>(
          value, uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
    }
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
      return answer<uint64_t>(value, std::nano::den);
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
      return answer<uint64_t>(value, UINT64_MAX);
    case HSA_SYSTEM_INFO_ENDIANNESS:
      return answer(value, HSA_ENDIANNESS_LITTLE);
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
      return answer(value, HSA_MACHINE_MODEL_LARGE);
    case HSA_SYSTEM_INFO_EXTENSIONS:
      std::memset(value, 0, 128);
      return HSA_STATUS_SUCCESS;
    default:
      return fail("hsa_system_get_info", HSA_STATUS_ERROR_INVALID_ARGUMENT,
                  "attribute " + std::to_string(unsigned(attribute)) + " is not known");
    }
  });
}

CK_HSA_EXPORT hsa_status_t hsa_system_extension_supported(uint16_t, uint16_t, uint16_t,
                                                          bool *result) {
  return call("hsa_system_extension_supported", [&](const Options &) {
    return result ? answer(result, false) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

CK_HSA_EXPORT hsa_status_t hsa_system_major_extension_supported(uint16_t, uint16_t, uint16_t *,
                                                                bool *result) {
  return hsa_system_extension_supported(0, 0, 0, result);
}

namespace {
struct StatusText {
  hsa_status_t status;
  const char *text;
};
} // namespace

#define STATUS(name, meaning) {HSA_STATUS_##name, "HSA_STATUS_" #name ": " meaning}
static const StatusText kStatusTexts[] = {
    STATUS(SUCCESS, "success"),
    STATUS(INFO_BREAK, "the caller ended an iteration"),
    STATUS(ERROR, "error without a code of its own"),
    STATUS(ERROR_INVALID_ARGUMENT, "invalid argument"),
    STATUS(ERROR_INVALID_QUEUE_CREATION, "the queue cannot be created"),
    STATUS(ERROR_INVALID_ALLOCATION, "the allocation is not possible"),
    STATUS(ERROR_INVALID_AGENT, "invalid agent"),
    STATUS(ERROR_INVALID_REGION, "invalid memory region"),
    STATUS(ERROR_INVALID_SIGNAL, "invalid signal"),
    STATUS(ERROR_INVALID_QUEUE, "invalid queue"),
    STATUS(ERROR_OUT_OF_RESOURCES, "out of resources"),
    STATUS(ERROR_INVALID_PACKET_FORMAT, "invalid packet"),
    STATUS(ERROR_RESOURCE_FREE, "a resource cannot be freed"),
    STATUS(ERROR_NOT_INITIALIZED, "hsa_init was not called"),
    STATUS(ERROR_REFCOUNT_OVERFLOW, "hsa_init was called too often"),
    STATUS(ERROR_INCOMPATIBLE_ARGUMENTS, "the arguments contradict each other"),
    STATUS(ERROR_INVALID_INDEX, "invalid index"),
    STATUS(ERROR_INVALID_ISA, "invalid instruction set"),
    STATUS(ERROR_INVALID_ISA_NAME, "no instruction set has that name"),
    STATUS(ERROR_INVALID_CODE_OBJECT, "invalid code object"),
    STATUS(ERROR_INVALID_EXECUTABLE, "invalid executable"),
    STATUS(ERROR_FROZEN_EXECUTABLE, "the executable is frozen"),
    STATUS(ERROR_INVALID_SYMBOL_NAME, "no symbol has that name"),
    STATUS(ERROR_VARIABLE_ALREADY_DEFINED, "the variable is defined already"),
    STATUS(ERROR_VARIABLE_UNDEFINED, "the variable is not defined"),
    STATUS(ERROR_EXCEPTION, "an operation raised an exception"),
    STATUS(ERROR_INVALID_CODE_SYMBOL, "invalid symbol of a code object"),
    STATUS(ERROR_INVALID_EXECUTABLE_SYMBOL, "invalid symbol of an executable"),
    STATUS(ERROR_INVALID_FILE, "invalid file"),
    STATUS(ERROR_INVALID_CODE_OBJECT_READER, "invalid reader of a code object"),
    STATUS(ERROR_INVALID_CACHE, "invalid cache"),
    STATUS(ERROR_INVALID_WAVEFRONT, "invalid wavefront"),
    STATUS(ERROR_INVALID_SIGNAL_GROUP, "invalid group of signals"),
    STATUS(ERROR_INVALID_RUNTIME_STATE, "the runtime is in a state that does not permit this"),
    STATUS(ERROR_FATAL, "fatal error"),
};
#undef STATUS

CK_HSA_EXPORT hsa_status_t hsa_status_string(hsa_status_t status, const char **text) {
  if (!text)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const StatusText *found =
      llvm::find_if(kStatusTexts, [&](const StatusText &entry) { return entry.status == status; });
  if (found == std::end(kStatusTexts))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *text = found->text;
  return HSA_STATUS_SUCCESS;
}
