//===- Support.cpp - Statuses, messages and texts of the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Support.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Support.h"
#include "CAPI/Calls.h"
#include <exception>

using namespace mlir::ck;
using namespace mlir::ck::capi;

/// The message of the thread. What cannot be copied for want of memory is said by `fixed`.
static thread_local std::string lastMessage;
static thread_local const char *fixedMessage = nullptr;

static CkMlirStatus fail(CkMlirStatus status, llvm::StringRef message) noexcept {
  try {
    lastMessage.assign(message.data(), message.size());
    for (char &c : lastMessage)
      if (c == '\n' || c == '\0')
        c = ' ';
    fixedMessage = nullptr;
  } catch (...) {
    fixedMessage = "out of memory";
  }
  return status;
}

CkMlirStatus capi::guard(llvm::function_ref<Outcome()> body) noexcept {
  try {
    Outcome outcome = body();
    return outcome.status == CkMlirStatusSuccess ? CkMlirStatusSuccess
                                                 : fail(outcome.status, outcome.message);
  } catch (const std::exception &exception) {
    return fail(CkMlirStatusInternal, exception.what());
  } catch (...) {
    return fail(CkMlirStatusInternal, "unknown exception");
  }
}

const char *ckMlirStatusGetName(CkMlirStatus status) {
  switch (status) {
  case CkMlirStatusSuccess:
    return "success";
  case CkMlirStatusInvalidArgument:
    return "invalid argument";
  case CkMlirStatusUnsupported:
    return "unsupported";
  case CkMlirStatusDeviceError:
    return "device error";
  case CkMlirStatusInternal:
    return "internal error";
  }
  return "unknown status";
}

const char *ckMlirGetLastMessage(void) { return fixedMessage ? fixedMessage : lastMessage.c_str(); }

const char *ckMlirGetVersion(void) { return CK_MLIR_VERSION; }

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

CkMlirText capi::createText(std::string text) { return {new std::string(std::move(text))}; }

static std::string *unwrap(CkMlirText text) { return static_cast<std::string *>(text.ptr); }

const char *ckMlirTextGetData(CkMlirText text) { return text.ptr ? unwrap(text)->c_str() : ""; }

size_t ckMlirTextGetSize(CkMlirText text) { return text.ptr ? unwrap(text)->size() : 0; }

void ckMlirTextDestroy(CkMlirText text) { delete unwrap(text); }
