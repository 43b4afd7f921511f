//===- PrintfText.cpp - The text of a printf in a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each conversion goes to the host's snprintf by itself, in a spelling that is composed here: what
// a kernel sends is never a format of the host.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/PrintfText.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

using namespace ckemu;
using llvm::StringRef;

static constexpr int kLongest = 4096;

namespace {
/// The arguments behind the format.
class Words {
public:
  explicit Words(llvm::ArrayRef<uint64_t> words) : words(words) {}

  std::optional<uint64_t> takeWord() {
    if (words.empty())
      return std::nullopt;
    uint64_t word = words.front();
    words = words.drop_front();
    return word;
  }
  /// A string up to its zero, or to the end of the message.
  StringRef takeString() {
    StringRef bytes(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint64_t));
    StringRef text = bytes.take_until([](char c) { return c == '\0'; });
    words = words.drop_front(std::min(words.size(), text.size() / sizeof(uint64_t) + 1));
    return text;
  }

private:
  llvm::ArrayRef<uint64_t> words;
};

/// One conversion of a format.
struct Conversion {
  std::string flags;
  int width = 0, precision = -1;
  std::string length; ///< "", "hh", "h", "l", "ll", ...
  char kind = 0;
};
} // namespace

/// A number, or the next argument for "*"; false when that is missing.
static bool readNumber(StringRef &format, Words &arguments, int &value) {
  if (format.consume_front("*")) {
    std::optional<uint64_t> word = arguments.takeWord();
    value = word ? int(*word) : 0;
    return word.has_value();
  }
  const StringRef digits = format.take_while([](char c) { return c >= '0' && c <= '9'; });
  format = format.drop_front(digits.size());
  if (digits.empty() || digits.getAsInteger(10, value))
    value = digits.empty() ? value : kLongest;
  return true;
}

/// Reads what follows the "%"; false when arguments are missing.
static bool readConversion(StringRef &format, Words &arguments, Conversion &result) {
  auto isFlag = [](char c) { return StringRef("-+ #0").contains(c); };
  result.flags = format.take_while(isFlag).str();
  format = format.drop_front(result.flags.size());
  if (!readNumber(format, arguments, result.width))
    return false;
  if (result.width < 0)
    result.flags += '-';
  result.width = std::min(std::abs(std::max(result.width, -kLongest)), kLongest);
  if (format.consume_front(".")) {
    result.precision = 0;
    if (!readNumber(format, arguments, result.precision))
      return false;
    result.precision = std::clamp(result.precision, -1, kLongest);
  }
  result.length = format.take_while([](char c) { return StringRef("hlLqjzt").contains(c); }).str();
  format = format.drop_front(result.length.size());
  result.kind = format.empty() ? '\0' : format.front();
  format = format.drop_front(std::min<size_t>(format.size(), 1));
  return true;
}

template <class T>
static void print(std::string &text, const Conversion &conversion, const char *length, T value) {
  std::string spelling = "%" + conversion.flags + "*";
  if (conversion.precision >= 0)
    spelling += "." + std::to_string(conversion.precision);
  spelling += length;
  spelling += conversion.kind;
  const int size = std::snprintf(nullptr, 0, spelling.c_str(), conversion.width, value);
  if (size <= 0)
    return;
  const size_t begin = text.size();
  text.resize(begin + size_t(size) + 1);
  std::snprintf(text.data() + begin, size_t(size) + 1, spelling.c_str(), conversion.width, value);
  text.pop_back();
}

/// The bits of `word` that an integer of that length has, extended to 64.
static long long truncate(uint64_t word, StringRef length, bool isSigned) {
  if (length == "hh")
    return isSigned ? (long long)(int8_t(word)) : (long long)(uint8_t(word));
  if (length == "h")
    return isSigned ? (long long)(int16_t(word)) : (long long)(uint16_t(word));
  if (length.empty())
    return isSigned ? (long long)(int32_t(word)) : (long long)(uint32_t(word));
  return (long long)(word);
}

/// Prints the argument of `conversion`; false when it is missing or not one of C.
static bool printArgument(std::string &text, const Conversion &conversion, Words &arguments) {
  if (conversion.kind == 's') {
    print(text, conversion, "", arguments.takeString().str().c_str());
    return true;
  }
  const std::optional<uint64_t> word = arguments.takeWord();
  if (!word)
    return false;
  if (StringRef("di").contains(conversion.kind)) {
    print(text, conversion, "ll", truncate(*word, conversion.length, /*isSigned=*/true));
  } else if (StringRef("ouxX").contains(conversion.kind)) {
    print(text, conversion, "ll", truncate(*word, conversion.length, /*isSigned=*/false));
  } else if (StringRef("fFeEgGaA").contains(conversion.kind)) {
    double number;
    std::memcpy(&number, &*word, sizeof(number));
    print(text, conversion, "", number);
  } else if (conversion.kind == 'c') {
    print(text, conversion, "", int(*word));
  } else if (conversion.kind == 'p') {
    print(text, conversion, "", reinterpret_cast<void *>(*word));
  } else {
    return conversion.kind == 'n';
  }
  return true;
}

std::string ckemu::formatPrintf(llvm::ArrayRef<uint64_t> words) {
  Words arguments(words);
  StringRef format = arguments.takeString();
  std::string text;
  while (!format.empty()) {
    const size_t percent = format.find('%');
    text += format.take_front(percent);
    if (percent == StringRef::npos)
      break;
    format = format.drop_front(percent + 1);
    if (format.consume_front("%")) {
      text += '%';
      continue;
    }
    Conversion conversion;
    if (!readConversion(format, arguments, conversion) ||
        !printArgument(text, conversion, arguments))
      break;
  }
  return text;
}
