//===- PrintfTextTest.cpp - The text of a printf in a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats and arguments as a kernel sends them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/PrintfText.h"
#include "gtest/gtest.h"
#include <cstring>
#include <type_traits>
#include <vector>

using ckemu::formatPrintf;

namespace {
/// The words of a message.
struct Message {
  explicit Message(const std::string &format) { add(format); }

  Message &add(const std::string &text) {
    const size_t begin = words.size();
    words.resize(begin + text.size() / 8 + 1);
    std::memcpy(&words[begin], text.data(), text.size());
    return *this;
  }
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  Message &add(T word) {
    words.push_back(uint64_t(word));
    return *this;
  }
  Message &add(double number) {
    uint64_t word;
    std::memcpy(&word, &number, sizeof(word));
    return add(word);
  }
  operator std::string() const { return formatPrintf(words); }
  std::vector<uint64_t> words;
};
} // namespace

static std::string format(const Message &message) { return message; }

TEST(PrintfText, Integers) {
  const uint64_t minusOne = UINT64_MAX;
  EXPECT_EQ(format(Message("%d %u %hhx").add(minusOne).add(minusOne).add(minusOne)),
            "-1 4294967295 ff");
  EXPECT_EQ(format(Message("%lld|%5d|%-5d|%05d").add(minusOne).add(42).add(42).add(42)),
            "-1|   42|42   |00042");
  EXPECT_EQ(format(Message("%c%% %p").add(uint64_t('x')).add(uint64_t(0x1000))), "x% 0x1000");
}

TEST(PrintfText, NumbersAndStrings) {
  EXPECT_EQ(format(Message("%.2f %g").add(3.14159).add(0.5)), "3.14 0.5");
  EXPECT_EQ(format(Message("[%s] [%4s] [%.2s]").add("a longer text").add("ab").add("abcd")),
            "[a longer text] [  ab] [ab]");
  EXPECT_EQ(format(Message("%*d|%-*d|%.*f").add(4).add(7).add(4).add(7).add(1).add(2.55)),
            "   7|7   |2.5");
}

TEST(PrintfText, Hostile) {
  EXPECT_EQ(format(Message("%d and %d").add(1)), "1 and ");
  EXPECT_EQ(format(Message("%n%d").add(5).add(6)), "6");
  EXPECT_EQ(format(Message("before %y after").add(5)), "before ");
  EXPECT_EQ(format(Message("%999999999999d").add(1)).size(), 4096u);
  EXPECT_EQ(format(Message("%*d").add(uint64_t(1) << 31).add(1)).size(), 4096u);
  EXPECT_EQ(format(Message("%")), "");
  EXPECT_EQ(formatPrintf({}), "");
  Message unterminated("%s");
  unterminated.add(0x6161616161616161);
  EXPECT_EQ(format(unterminated), "aaaaaaaa");
}
