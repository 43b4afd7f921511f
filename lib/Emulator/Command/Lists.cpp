//===- Lists.cpp - What the emulator executes and refuses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Lists.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Lists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace ckemu;
using llvm::Expected;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Expected<std::string> ckemu::listChips(const EmulatorLibrary &library) {
  Expected<Array> products = library.list("products");
  if (!products)
    return products.takeError();
  std::string text = llvm::formatv("{0,-20} {1,-30} {2,5} {3,5} {4,7}\n", "chip:product", "device",
                                   "units", "MHz", "memory");
  for (const Value &value : *products) {
    const Object &product = *value.getAsObject();
    const std::string name =
        (product.getString("chip").value_or("") + ":" + product.getString("product").value_or(""))
            .str();
    text += llvm::formatv("{0,-20} {1,-30} {2,5} {3,5} {4,3} GiB\n", name,
                          product.getString("device").value_or("").split(" (").first,
                          product.getInteger("units").value_or(0),
                          product.getInteger("clock_mhz").value_or(0),
                          product.getInteger("memory_bytes").value_or(0) >> 30);
  }
  return text;
}

static std::set<std::string> toSet(const Array &names) {
  std::set<std::string> result;
  for (const Value &name : names)
    result.insert(name.getAsString().value_or("").str());
  return result;
}

/// A line for each of `names`: the first of `states` before those in `marked`, else the second.
static std::string listStates(const std::vector<std::string> &names,
                              const std::set<std::string> &marked,
                              std::pair<const char *, const char *> states) {
  std::string text;
  for (const std::string &name : names)
    text += (marked.count(name) ? states.first : states.second) + name + "\n";
  return text;
}

Expected<std::string> ckemu::listFunctions(const EmulatorLibrary &library) {
  Expected<std::vector<std::string>> functions = library.getFunctions();
  if (!functions)
    return functions.takeError();
  Expected<Array> names = library.list("refused functions");
  if (!names)
    return names.takeError();
  return listStates(*functions, toSet(*names), {"refused ", "executed "});
}

Expected<std::string> ckemu::listInstructions(const EmulatorLibrary &library, StringRef chip) {
  if (llvm::Error error = library.check({{"CK_EMULATOR_CHIP", chip.str()}})) {
    const std::string message = llvm::toString(std::move(error));
    return llvm::createStringError("--list-instructions" +
                                   StringRef(message).drop_front(strlen("--chip")));
  }
  const StringRef processor = chip.split(':').first;
  Expected<Array> names = library.list("instructions " + processor.str());
  if (!names)
    return names.takeError();
  Expected<std::vector<std::string>> mnemonics = getMnemonics(processor);
  if (!mnemonics)
    return mnemonics.takeError();
  return listStates(*mnemonics, toSet(*names), {"executed ", "refused "});
}
