//===- Mutate.cpp - Small changes of inputs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Mutate.h.
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

using namespace ckfuzz;

/// Numbers at the edges of types, and what stands for a number in texts.
static const char *const kNumbers[] = {"0",
                                       "1",
                                       "-1",
                                       "2",
                                       "3",
                                       "7",
                                       "64",
                                       "255",
                                       "256",
                                       "65535",
                                       "65536",
                                       "2147483647",
                                       "2147483648",
                                       "-2147483648",
                                       "4294967295",
                                       "4294967296",
                                       "3037000500",
                                       "6148914691236517206",
                                       "4611686018427387904",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "99999999999999999999999999",
                                       "0x10",
                                       "1e9",
                                       "1e999",
                                       "nan",
                                       "inf",
                                       "0.5",
                                       ""};
static constexpr uint64_t kWords[] = {0,
                                      1,
                                      2,
                                      7,
                                      8,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x100,
                                      0x1000,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x10000,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x100000000,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0xfffffffffffffff0,
                                      0xffffffffffffffff};

namespace {
/// A part of a text. Names carry the sign before them ("%acc", "#map"), which says what they are.
struct Token {
  size_t begin = 0, size = 0;
  char kind = 0; ///< '0' a number, 'a' a word, otherwise the first character
};
} // namespace

static bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

static Token readToken(const std::string &text, size_t at) {
  char first = text[at];
  size_t end = at + 1;
  if (std::isdigit(static_cast<unsigned char>(first))) {
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    return {at, end - at, '0'};
  }
  bool sign = std::strchr("%#!@^", first) != nullptr;
  if (!sign && !isWordChar(first))
    return {at, 1, first};
  while (end < text.size() && isWordChar(text[end]))
    ++end;
  return {at, end - at, sign ? first : 'a'};
}

static std::vector<Token> tokenize(const std::string &text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    tokens.push_back(readToken(text, at));
    at += tokens.back().size;
  }
  return tokens;
}

static void replaceToken(std::string &text, const Token &token, const std::string &by) {
  text.replace(token.begin, token.size, by);
}

/// A token of the same kind elsewhere in the text takes the place of one.
static void exchangeToken(std::string &text, const std::vector<Token> &tokens, Random &random) {
  const Token token = random.pick(tokens);
  std::vector<Token> others;
  for (const Token &other : tokens)
    if (other.kind == token.kind)
      others.push_back(other);
  const Token by = random.pick(others);
  replaceToken(text, token, text.substr(by.begin, by.size));
}

static void changeNumber(std::string &text, const std::vector<Token> &tokens, Random &random) {
  std::vector<Token> numbers;
  for (const Token &token : tokens)
    if (token.kind == '0')
      numbers.push_back(token);
  if (numbers.empty())
    return exchangeToken(text, tokens, random);
  const Token token = random.pick(numbers);
  if (random.oneIn(2) && token.size < 10) {
    // Numbers nearby keep the sense of more of the text.
    long long near = std::stoll(text.substr(token.begin, token.size)) + int(random.below(5)) - 2;
    return replaceToken(text, token, std::to_string(random.oneIn(3) ? near * 2 : near));
  }
  replaceToken(text, token, random.pick(kNumbers));
}

/// [begin, end) of a line, with its end.
static std::pair<size_t, size_t> pickLine(const std::string &text, Random &random) {
  size_t at = random.below(text.size());
  size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  size_t end = text.find('\n', begin);
  return {begin, end == std::string::npos ? text.size() : end + 1};
}

static void changeLines(std::string &text, Random &random) {
  auto [begin, end] = pickLine(text, random);
  std::string line = text.substr(begin, end - begin);
  if (random.oneIn(2))
    text.erase(begin, end - begin);
  if (random.oneIn(2) && !text.empty())
    text.insert(pickLine(text, random).first, line);
}

/// Many times the same, as in brackets that are never closed.
static void repeatToken(std::string &text, const std::vector<Token> &tokens, Random &random) {
  const Token token = random.pick(tokens);
  const std::string part = text.substr(token.begin, token.size);
  std::string repeated;
  for (size_t count = size_t(1) << random.below(15); count != 0; --count)
    repeated += part;
  text.insert(token.begin, repeated);
}

static void changeText(std::string &text, Random &random) {
  const std::vector<Token> tokens = tokenize(text);
  if (tokens.empty()) {
    text += random.pick(kNumbers);
    return;
  }
  const Token token = random.pick(tokens);
  switch (random.below(16)) {
  case 0:
  case 1:
    return replaceToken(text, token, "");
  case 2:
    return text.insert(token.begin, text.substr(token.begin, token.size)), void();
  case 3:
  case 4:
    return changeLines(text, random);
  case 5:
    return text.resize(random.below(text.size())), void();
  case 6:
    text[random.below(text.size())] = char(random.next());
    return;
  case 7:
    return random.oneIn(8) ? repeatToken(text, tokens, random) : void();
  case 8:
  case 9:
  case 10:
  case 11:
    return exchangeToken(text, tokens, random);
  default:
    return changeNumber(text, tokens, random);
  }
}

void ckfuzz::mutateText(std::string &text, Random &random) {
  for (size_t count = 1 + random.below(random.oneIn(4) ? 6 : 2); count != 0; --count)
    changeText(text, random);
}

/// An offset, mostly of a byte that is not 0: padding says nothing.
static size_t pickOffset(const std::string &bytes, Random &random) {
  size_t at = random.below(bytes.size());
  for (unsigned tries = 0; tries < 8 && bytes[at] == 0; ++tries)
    at = random.below(bytes.size());
  return at;
}

static void changeWord(std::string &bytes, Random &random) {
  const size_t width = size_t(1) << random.below(4);
  if (bytes.size() < width)
    return;
  const size_t at = std::min(pickOffset(bytes, random) / width * width, bytes.size() - width);
  uint64_t value = 0;
  std::memcpy(&value, &bytes[at], width);
  switch (random.below(4)) {
  case 0:
    value = random.next();
    break;
  case 1:
    value += random.below(33) - 16;
    break;
  default:
    value = random.pick(kWords);
  }
  std::memcpy(&bytes[at], &value, width);
}

static void changeBytes(std::string &bytes, Random &random) {
  if (bytes.empty()) {
    bytes.push_back(char(random.next()));
    return;
  }
  const size_t at = pickOffset(bytes, random);
  const size_t length = std::min(bytes.size() - at, random.below(64) + 1);
  switch (random.below(16)) {
  case 0:
    return bytes.erase(at, length), void();
  case 1:
    return bytes.insert(at, bytes.substr(pickOffset(bytes, random), length)), void();
  case 2:
    return bytes.resize(at), void();
  case 3:
    return bytes.replace(at, length, bytes.substr(pickOffset(bytes, random), length)), void();
  case 4:
  case 5:
  case 6:
  case 7:
    bytes[at] = char(random.next());
    return;
  case 8:
  case 9:
  case 10:
    bytes[at] = char(bytes[at] ^ (1 << random.below(8)));
    return;
  default:
    return changeWord(bytes, random);
  }
}

void ckfuzz::mutateBytes(std::string &bytes, Random &random) {
  for (size_t count = 1 + random.below(random.oneIn(4) ? 8 : 2); count != 0; --count)
    changeBytes(bytes, random);
}

void ckfuzz::splice(std::string &input, const std::string &other, Random &random) {
  if (input.empty() || other.empty())
    return;
  auto [begin, end] = pickLine(other, random);
  for (size_t lines = random.below(4); lines != 0 && end < other.size(); --lines)
    end = std::min(other.find('\n', end), other.size() - 1) + 1;
  if (begin == 0 && end == other.size()) {
    begin = random.below(other.size());
    end = begin + 1 + random.below(other.size() - begin);
    return input.insert(random.below(input.size()), other, begin, end - begin), void();
  }
  input.insert(pickLine(input, random).first, other, begin, end - begin);
}

size_t ckfuzz::mutateBuffer(uint8_t *data, size_t size, size_t maxSize, unsigned seed,
                            void (*mutator)(std::string &, Random &)) {
  Random random(seed);
  std::string input(reinterpret_cast<const char *>(data), size);
  mutator(input, random);
  size = std::min(input.size(), maxSize);
  std::memcpy(data, input.data(), size);
  return size;
}
