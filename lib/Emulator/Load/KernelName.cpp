//===- KernelName.cpp - Names of kernels that a reader can read -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of template libraries have names of several thousand characters, of which the template is
// what tells them apart from the others of a program.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/KernelName.h"
#include <cstdlib>
#include <cxxabi.h>

using namespace ckemu;
using llvm::StringRef;

/// Characters of a name at most.
static constexpr size_t kLongest = 100;

/// True at the operators whose names contain brackets.
static bool endsWithOperator(StringRef text) {
  return text.ends_with("operator") || text.ends_with("operator<") || text.ends_with("operator>") ||
         text.ends_with("operator-");
}

/// Replaces what stands between < and > by three points.
static std::string dropTemplateArguments(StringRef name) {
  std::string result;
  unsigned depth = 0;
  for (char c : name) {
    const bool isOperator = (c == '<' || c == '>') && depth == 0 && endsWithOperator(result);
    const bool opens = c == '<' && !isOperator, closes = c == '>' && !isOperator && depth > 0;
    if (closes && depth == 1)
      result += "...>";
    else if (depth == 0)
      result += c;
    depth += opens;
    depth -= closes;
  }
  return result;
}

/// Where the parameters begin: the last ( at depth 0, which may be nested.
static size_t findParameters(StringRef name) {
  unsigned depth = 0;
  for (size_t i = name.rfind(')'); i != StringRef::npos && i > 0; --i) {
    depth += name[i] == ')';
    if (name[i] == '(' && --depth == 0)
      return i;
  }
  return name.size();
}

std::string ckemu::shortenKernelName(StringRef name) {
  std::string text = name.str();
  char *demangled = name.starts_with("_Z")
                        ? abi::__cxa_demangle(text.c_str(), nullptr, nullptr, nullptr)
                        : nullptr;
  if (demangled) {
    text = dropTemplateArguments(demangled);
    std::free(demangled);
    StringRef rest = StringRef(text).take_front(findParameters(text));
    rest.consume_front("void ");
    text = rest.str();
  }
  if (text.size() > kLongest)
    text = text.substr(0, kLongest - 3) + "...";
  return text;
}
