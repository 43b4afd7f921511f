//===- ProblemFile.cpp - Problems by name -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ProblemFile.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/ProblemFile.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/Twine.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Of a problem in a network.
static constexpr int64_t kMaxCount = 1000000;

Expected<std::vector<NamedProblem>> mlir::ck::readProblemFile(const std::string &path,
                                                              StringRef filter) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError("'" + path + "': " + message);
  };
  Expected<llvm::json::Value> file = readJsonFile(path);
  if (!file)
    return file.takeError();
  const llvm::json::Object *object = file->getAsObject();
  const llvm::json::Array *array = object ? object->getArray("problems") : nullptr;
  if (!array)
    return fail("expected an object with an array 'problems'");
  std::vector<NamedProblem> problems;
  for (size_t i = 0; i < array->size(); ++i) {
    const llvm::json::Object *entry = (*array)[i].getAsObject();
    std::optional<StringRef> text = entry ? entry->getString("problem") : std::nullopt;
    if (!text)
      return fail("expected a string 'problem' in entry " + Twine(i));
    StringRef name = entry->getString("name").value_or(*text);
    const llvm::json::Value *given = entry->get("count");
    const std::optional<int64_t> count = given ? given->getAsInteger() : 1;
    if (!count || *count < 1 || *count > kMaxCount)
      return fail("expected a count in [1, " + Twine(kMaxCount) + "] in entry " + Twine(i));
    if (name.contains(filter) || text->contains(filter))
      problems.push_back({name.str(), text->str(), *count});
  }
  if (problems.empty())
    return fail(filter.empty() ? Twine("contains no problems")
                               : "no problem matches '" + filter + "'");
  return problems;
}
