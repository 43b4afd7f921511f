//===- Driver.cpp - Runs a fuzzer -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the place of libFuzzer's main. Input I of seed S depends on these and the corpus alone. A
// child process runs the inputs; whatever ends it, its parent knows the input, saves it and goes on
// with the next one in another child.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "Supervisor.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace ckfuzz;

static constexpr char kUsage[] =
    "usage: %s [--seed=N] [--count=N] [--corpus=PATH]... [--split] [--timeout=SECONDS]\n"
    "       [--memory=MB] [--failures=N] [--save=DIR] [FILE]...\n"
    "Runs every file of the corpus (files, or folders with all they hold) and --count=N changed\n"
    "ones, or only each FILE, in this process. Prints and saves the inputs that fail; then the\n"
    "status is 1. --split takes each part of a file between lines '// -----' as an input;\n"
    "--timeout is in seconds of computing for one input, --failures how many end the run.\n";

namespace {
struct Arguments {
  uint64_t seed = 1, count = 1000, timeout = 60, memory = 4096, failures = 10;
  bool split = false;
  std::string save = ".";
  std::vector<std::string> corpus, files;
};
} // namespace

[[noreturn]] static void fail(const char *program, const std::string &message) {
  std::fprintf(stderr, "%s: error: %s\n", program, message.c_str());
  std::fprintf(stderr, kUsage, program);
  std::exit(2);
}

/// The value of `--name=value`, or null.
static const char *getValue(const char *argument, const char *name) {
  size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 && argument[length] == '='
             ? argument + length + 1
             : nullptr;
}

static bool readNumber(const char *program, const char *argument, const char *name,
                       uint64_t &number) {
  const char *value = getValue(argument, name);
  if (!value)
    return false;
  char *end = nullptr;
  number = std::strtoull(value, &end, 10);
  if (!std::isdigit(static_cast<unsigned char>(*value)) || *end)
    fail(program, std::string(name) + " must be a number, got '" + value + "'");
  return true;
}

static Arguments parseArguments(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const char *text = argv[i];
    if (readNumber(argv[0], text, "--seed", arguments.seed) ||
        readNumber(argv[0], text, "--count", arguments.count) ||
        readNumber(argv[0], text, "--timeout", arguments.timeout) ||
        readNumber(argv[0], text, "--memory", arguments.memory) ||
        readNumber(argv[0], text, "--failures", arguments.failures))
      continue;
    if (const char *path = getValue(text, "--corpus"))
      arguments.corpus.emplace_back(path);
    else if (const char *folder = getValue(text, "--save"))
      arguments.save = folder;
    else if (std::strcmp(text, "--split") == 0)
      arguments.split = true;
    else if (text[0] == '-')
      fail(argv[0], std::string("unknown option '") + text + "'");
    else
      arguments.files.emplace_back(text);
  }
  return arguments;
}

static std::string readFile(const char *program, const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail(program, "cannot read '" + path + "'");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The files at or below `path`, in order of their names.
static void findFiles(const char *program, const std::string &path,
                      std::vector<std::string> &files) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    fail(program, "cannot read '" + path + "'");
  if (!S_ISDIR(status.st_mode)) {
    files.push_back(path);
    return;
  }
  DIR *folder = opendir(path.c_str());
  if (!folder)
    fail(program, "cannot read '" + path + "'");
  std::vector<std::string> names;
  while (const dirent *entry = readdir(folder))
    if (entry->d_name[0] != '.')
      names.emplace_back(entry->d_name);
  closedir(folder);
  std::sort(names.begin(), names.end());
  for (const std::string &name : names)
    findFiles(program, std::string(path).append("/").append(name), files);
}

static void splitParts(const std::string &text, std::vector<std::string> &parts) {
  static constexpr char kLine[] = "// -----";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(kLine, begin), text.size());
    if (end > begin)
      parts.push_back(text.substr(begin, end - begin));
    begin = end + sizeof(kLine) - 1;
  }
}

static std::vector<std::string> readCorpus(const char *program, const Arguments &arguments) {
  std::vector<std::string> files, corpus;
  for (const std::string &path : arguments.corpus)
    findFiles(program, path, files);
  for (const std::string &path : files) {
    std::string text = readFile(program, path);
    if (arguments.split)
      splitParts(text, corpus);
    else
      corpus.push_back(std::move(text));
    if (corpus.empty() || corpus.back().size() > kMaxInputBytes)
      fail(program, "'" + path + "' must have 1 to " + std::to_string(kMaxInputBytes) + " bytes");
  }
  if (makeFuzzSeeds)
    for (std::string &seed : makeFuzzSeeds())
      corpus.push_back(std::move(seed));
  if (corpus.empty())
    fail(program, "no corpus");
  return corpus;
}

/// Input `index`: first the corpus as it is, then what is drawn from it.
static std::string makeInput(const std::vector<std::string> &corpus, uint64_t seed,
                             uint64_t index) {
  if (index < corpus.size())
    return corpus[index];
  index -= corpus.size();
  Random random(seed * 0x9e3779b97f4a7c15ull + index);
  std::string input = random.pick(corpus);
  if (random.oneIn(4))
    splice(input, random.pick(corpus), random);
  size_t size = std::min(input.size(), kMaxInputBytes);
  input.resize(kMaxInputBytes);
  size = LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t *>(input.data()), size, kMaxInputBytes,
                                 unsigned(random.next()));
  input.resize(size);
  return input;
}

static int runFiles(const char *program, const Arguments &arguments) {
  for (const std::string &path : arguments.files) {
    std::string input = readFile(program, path);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
    std::printf("%s: passed\n", path.c_str());
  }
  return 0;
}

int main(int argc, char **argv) {
  const Arguments arguments = parseArguments(argc, argv);
  if (LLVMFuzzerInitialize)
    LLVMFuzzerInitialize(&argc, &argv);
  if (!arguments.files.empty())
    return runFiles(argv[0], arguments);
  const std::vector<std::string> corpus = readCorpus(argv[0], arguments);
  Limits limits;
  limits.seconds = unsigned(arguments.timeout);
  limits.megabytes = arguments.memory;
  Supervisor supervisor(limits,
                        [&](uint64_t index) { return makeInput(corpus, arguments.seed, index); });
  const char *slash = std::strrchr(argv[0], '/');
  const std::string name = slash ? slash + 1 : argv[0];
  const uint64_t total = corpus.size() + arguments.count;
  uint64_t failures = 0, upstream = 0, index = 0;
  while (index < total && failures < arguments.failures) {
    Failure failure;
    if (supervisor.run(index, total, failure))
      break;
    index = failure.index + 1;
    if (failure.upstream) {
      ++upstream;
      continue;
    }
    ++failures;
    failure.print(name, arguments.save + "/" + name + "-" + std::to_string(arguments.seed) + "-" +
                            std::to_string(failure.index));
  }
  if (failures == arguments.failures && index < total)
    std::printf("%s: stopped after %llu inputs\n", name.c_str(), (unsigned long long)index);
  if (upstream != 0)
    std::printf("%s: %llu inputs met known errors of LLVM\n", name.c_str(),
                (unsigned long long)upstream);
  std::printf("%s: %llu inputs of seed %llu and %zu of the corpus: %llu failed\n", name.c_str(),
              (unsigned long long)arguments.count, (unsigned long long)arguments.seed,
              corpus.size(), (unsigned long long)failures);
  return failures == 0 ? 0 : 1;
}
