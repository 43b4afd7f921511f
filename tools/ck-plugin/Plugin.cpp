//===- Plugin.cpp - The compiler as a plugin of mlir-opt -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For mlir-opt --load-dialect-plugin --load-pass-plugin, and any other program with MLIR's plugins.
// ck-opt registers the same, and upstream's passes.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>
#include <link.h>

using namespace mlir;

namespace {
/// Where two objects stand in the list of what the process has loaded, from the first to the last.
struct LoadOrder {
  const void *mlir, *plugin; // where each is in memory
  bool mlirFirst = false;
};
} // namespace

/// Called for one object after the other, until it returns 1.
static int compareLoadOrder(dl_phdr_info *info, size_t, void *data) {
  auto &order = *static_cast<LoadOrder *>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD)
      continue;
    const char *begin = reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
    auto holds = [&](const void *address) {
      return address >= begin && address < begin + segment.p_memsz;
    };
    if (!holds(order.mlir) && !holds(order.plugin))
      continue;
    order.mlirFirst = holds(order.mlir);
    return 1;
  }
  return 0;
}

/// The version of the plugin interface, or one that no program has where the program is not linked
/// to the libMLIR.so of this plugin: what it would hand us is of another MLIR. Its own libMLIR.so
/// would have been there before the plugin.
static uint32_t getApiVersion() {
  LoadOrder order = {reinterpret_cast<const void *>(&registerPassPipeline),
                     reinterpret_cast<const void *>(&compareLoadOrder)};
  dl_iterate_phdr(compareLoadOrder, &order);
  if (order.mlirFirst)
    return MLIR_PLUGIN_API_VERSION;
  llvm::errs() << "CKMLIRPlugin.so: error: requires a program that is linked to libMLIR.so of LLVM "
               << LLVM_VERSION_STRING << ", such as Debian's mlir-opt-" << LLVM_VERSION_MAJOR
               << "\n";
  return 0;
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {getApiVersion(), "CKMLIR", CK_VERSION,
          [](DialectRegistry *registry) { ck::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {getApiVersion(), "CKMLIR", CK_VERSION, ck::registerAllPasses};
}
