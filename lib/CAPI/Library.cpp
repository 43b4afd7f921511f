//===- Library.cpp - Kernels on demand in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Library.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Library.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Library/KernelLibrary.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

namespace {
/// A handle, and what it was asked for.
struct Pending {
  KernelHandle handle;
  KernelRequest request;
};
} // namespace

static LibraryOptions *unwrap(CkMlirLibraryOptions options) {
  return static_cast<LibraryOptions *>(options.ptr);
}
static KernelLibrary *unwrap(CkMlirLibrary library) {
  return static_cast<KernelLibrary *>(library.ptr);
}
static Pending *unwrap(CkMlirPending pending) { return static_cast<Pending *>(pending.ptr); }

KernelLibrary &capi::getLibrary(CkMlirLibrary library) { return *unwrap(library); }

const char *ckMlirGetCompilerVersion(void) { return getCompilerVersion().c_str(); }

CkMlirStatus ckMlirCreateDefaultCacheDirectory(CkMlirText *directory) {
  return guard([&]() -> Outcome {
    if (!directory)
      return missing("a place for the text");
    *directory = createText(getDefaultCacheDirectory());
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

CkMlirStatus ckMlirLibraryOptionsCreate(CkMlirLibraryOptions *options) {
  return guard([&]() -> Outcome {
    if (!options)
      return missing("a place for the options");
    options->ptr = new LibraryOptions();
    return {};
  });
}

void ckMlirLibraryOptionsDestroy(CkMlirLibraryOptions options) { delete unwrap(options); }

/// Changes options by `set`, once they are there.
static CkMlirStatus setOption(CkMlirLibraryOptions options,
                              llvm::function_ref<Outcome(LibraryOptions &)> set) {
  return guard(
      [&]() -> Outcome { return options.ptr ? set(*unwrap(options)) : missing("options"); });
}

CkMlirStatus ckMlirLibraryOptionsSetCacheDirectory(CkMlirLibraryOptions options,
                                                   const char *directory) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    if (!directory)
      return missing("the name of a folder");
    changed.cacheDirectory = directory;
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsSetCacheBytes(CkMlirLibraryOptions options, uint64_t bytes) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    changed.cacheBytes = bytes;
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsSetMemoryBytes(CkMlirLibraryOptions options, uint64_t bytes) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    changed.memoryBytes = bytes;
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsAddLayer(CkMlirLibraryOptions options, const char *path) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    if (!path)
      return missing("the name of an archive or folder");
    changed.layers.emplace_back(path);
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsAddTuningFile(CkMlirLibraryOptions options, const char *path) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    if (!path)
      return missing("the name of a tuning file");
    changed.tuningFiles.emplace_back(path);
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsSetAllowStaleLayers(CkMlirLibraryOptions options, bool allow) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    changed.allowStaleLayers = allow;
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsSetThreads(CkMlirLibraryOptions options, int64_t threads) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    constexpr int64_t maximum = 1024;
    if (threads < 0 || threads > maximum)
      return invalid("threads must be in [0, " + llvm::Twine(maximum) + "], got " +
                     llvm::Twine(threads));
    changed.threads = threads;
    return {};
  });
}

CkMlirStatus ckMlirLibraryOptionsSetWarningCallback(CkMlirLibraryOptions options,
                                                    CkMlirWarningCallback callback, void *data) {
  return setOption(options, [&](LibraryOptions &changed) -> Outcome {
    changed.warn = nullptr;
    if (callback)
      changed.warn = [=](llvm::StringRef text) { callback(text.str().c_str(), data); };
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

CkMlirStatus ckMlirLibraryCreate(CkMlirLibraryOptions options, CkMlirLibrary *library) {
  return guard([&]() -> Outcome {
    if (!library)
      return missing("a place for the library");
    Expected<std::unique_ptr<KernelLibrary>> created =
        KernelLibrary::create(options.ptr ? *unwrap(options) : LibraryOptions());
    if (!created)
      return invalid(created.takeError());
    library->ptr = created->release();
    return {};
  });
}

void ckMlirLibraryDestroy(CkMlirLibrary library) { delete unwrap(library); }

/// Whose fault it is that there is no kernel for `request`.
static Outcome blame(const KernelRequest &request, llvm::Error error) {
  Expected<KernelRequest> canonical = request.canonicalize();
  if (canonical)
    return unsupported(std::move(error));
  llvm::consumeError(canonical.takeError());
  return invalid(std::move(error));
}

/// The request of a call.
static Outcome readRequest(CkMlirLibrary library, const char *problem, CkMlirCompileOptions options,
                           KernelRequest &request) {
  if (!library.ptr || !problem)
    return missing(library.ptr ? "a problem string" : "a library");
  CompileOptions given = getOptions(options);
  if (!given.tuningFile.empty())
    return invalid("the tuning file of a kernel is that of its library: expected none in the "
                   "options, got '" +
                   given.tuningFile + "'");
  if (given.emitAssembly || given.verify)
    return invalid(std::string("expected options of a library without ") +
                   (given.emitAssembly ? "assembly" : "verification of IR"));
  request = makeKernelRequest(problem, given);
  return {};
}

CkMlirStatus ckMlirLibraryPrepare(CkMlirLibrary library, const char *problem,
                                  CkMlirCompileOptions options, CkMlirPending *pending) {
  return guard([&]() -> Outcome {
    if (!pending)
      return missing("a place for the handle");
    KernelRequest request;
    Outcome outcome = readRequest(library, problem, options, request);
    if (outcome.status == CkMlirStatusSuccess)
      pending->ptr = new Pending{unwrap(library)->prepare(request), request};
    return outcome;
  });
}

void ckMlirPendingDestroy(CkMlirPending pending) { delete unwrap(pending); }

bool ckMlirPendingIsReady(CkMlirPending pending) {
  return !pending.ptr || unwrap(pending)->handle.isReady();
}

bool ckMlirPendingWait(CkMlirPending pending, double seconds) {
  return !pending.ptr || unwrap(pending)->handle.wait(seconds);
}

CkMlirStatus ckMlirPendingGetProgram(CkMlirPending pending, CkMlirProgram *program) {
  return guard([&]() -> Outcome {
    if (!pending.ptr || !program)
      return missing(pending.ptr ? "a place for the program" : "a handle");
    Expected<std::shared_ptr<const KernelImage>> image = unwrap(pending)->handle.get();
    if (!image)
      return blame(unwrap(pending)->request, image.takeError());
    *program = createProgram(std::move(*image));
    return {};
  });
}

CkMlirStatus ckMlirLibraryGetProgram(CkMlirLibrary library, const char *problem,
                                     CkMlirCompileOptions options, CkMlirProgram *program) {
  return guard([&]() -> Outcome {
    if (!program)
      return missing("a place for the program");
    KernelRequest request;
    Outcome outcome = readRequest(library, problem, options, request);
    if (outcome.status != CkMlirStatusSuccess)
      return outcome;
    Expected<std::shared_ptr<const KernelImage>> image = unwrap(library)->get(request);
    if (!image)
      return blame(request, image.takeError());
    *program = createProgram(std::move(*image));
    return {};
  });
}

/// Why a kernel could not be loaded: the request, the chip or the device.
static Outcome blameLoad(KernelLibrary &library, const Device &device, const KernelRequest &request,
                         llvm::Error error) {
  Expected<std::shared_ptr<const KernelImage>> image = library.get(request);
  if (!image) {
    llvm::consumeError(image.takeError());
    return blame(request, std::move(error));
  }
  if (llvm::Error chip = LoadedKernel::checkChip(device, **image)) {
    llvm::consumeError(std::move(chip));
    return invalid(std::move(error));
  }
  return onDevice(std::move(error));
}

/// Loads the kernel of a call.
static Outcome load(CkMlirLibrary library, CkMlirDevice device, const char *problem,
                    CkMlirCompileOptions options, std::shared_ptr<const LoadedKernel> &kernel) {
  KernelRequest request;
  Outcome outcome = readRequest(library, problem, options, request);
  if (outcome.status != CkMlirStatusSuccess)
    return outcome;
  if (!device.ptr)
    return missing("a device");
  Expected<std::shared_ptr<const LoadedKernel>> loaded =
      unwrap(library)->load(getDevice(device), request);
  if (!loaded)
    return blameLoad(*unwrap(library), getDevice(device), request, loaded.takeError());
  kernel = std::move(*loaded);
  return {};
}

CkMlirStatus ckMlirLibraryLoad(CkMlirLibrary library, CkMlirDevice device, const char *problem,
                               CkMlirCompileOptions options, CkMlirExecutable *executable) {
  return guard([&]() -> Outcome {
    if (!executable)
      return missing("a place for the executable");
    std::shared_ptr<const LoadedKernel> kernel;
    Outcome outcome = load(library, device, problem, options, kernel);
    if (outcome.status == CkMlirStatusSuccess)
      *executable = createExecutable(std::move(kernel));
    return outcome;
  });
}

CkMlirStatus ckMlirLibraryRun(CkMlirLibrary library, CkMlirDevice device, const char *problem,
                              CkMlirCompileOptions options, void *hipStream, void *const *tensors,
                              size_t numTensors, void *workspace, size_t workspaceBytes) {
  return guard([&]() -> Outcome {
    if (!tensors && numTensors > 0)
      return missing("the pointers of the tensors");
    std::shared_ptr<const LoadedKernel> kernel;
    Outcome outcome = load(library, device, problem, options, kernel);
    if (outcome.status != CkMlirStatusSuccess)
      return outcome;
    return launch(*kernel, hipStream,
                  {llvm::ArrayRef(tensors, numTensors), workspace, workspaceBytes});
  });
}

CkMlirStatus ckMlirLibraryCreateCounters(CkMlirLibrary library, CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!library.ptr || !json)
      return missing(library.ptr ? "a place for the text" : "a library");
    *json = createText(llvm::formatv("{0:2}\n", unwrap(library)->getCounters().toJson()));
    return {};
  });
}
