//===- Supervisor.cpp - Runs inputs in a child process -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Supervisor.h.
//
//===----------------------------------------------------------------------===//

#include "Supervisor.h"
#include "Fuzz.h"
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ckfuzz;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CK_FUZZ_SANITIZED 1
#endif
#endif
#ifdef CK_FUZZ_SANITIZED
static constexpr bool kSanitized = true;
#else
static constexpr bool kSanitized = false;
#endif

/// A child that waits for ever computes nothing; then this many seconds end it.
static constexpr unsigned kIdleSeconds = 1200;
/// Bytes of a child's messages, and of an input, that are printed.
static constexpr size_t kPrintedOutput = 8000, kPrintedInput = 1000;

/// The input that the child is at.
struct Supervisor::Shared {
  uint64_t index = 0, size = 0;
  bool finished = false;
  uint8_t data[kMaxInputBytes] = {};
};

void ckfuzz::require(bool holds, const std::string &what) {
  if (holds)
    return;
  std::fprintf(stderr, "requirement violated: %s\n", what.c_str());
  std::fflush(stderr);
  std::abort();
}

Supervisor::Supervisor(const Limits &limits, std::function<std::string(uint64_t)> makeInput)
    : limits(limits), makeInput(std::move(makeInput)) {
  void *memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char name[] = "/tmp/ck-fuzz-XXXXXX";
  output = mkstemp(name);
  if (memory == MAP_FAILED || output < 0) {
    std::perror("cannot set up the child process");
    std::exit(2);
  }
  unlink(name);
  shared = new (memory) Shared();
}

Supervisor::~Supervisor() {
  munmap(shared, sizeof(Shared));
  close(output);
}

static void setTimers(unsigned seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(kIdleSeconds);
}

void Supervisor::runChild(uint64_t begin, uint64_t end) {
  dup2(output, STDERR_FILENO);
  if (!kSanitized && limits.megabytes != 0) {
    rlimit limit = {limits.megabytes << 20, limits.megabytes << 20};
    setrlimit(RLIMIT_AS, &limit);
  }
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  for (uint64_t i = begin; i < end; ++i) {
    const std::string input = makeInput(i);
    shared->index = i;
    shared->size = input.size();
    std::memcpy(shared->data, input.data(), input.size());
    if (ftruncate(STDERR_FILENO, 0) != 0 || lseek(STDERR_FILENO, 0, SEEK_SET) != 0)
      _exit(2);
    setTimers(limits.seconds);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
  }
  setTimers(0);
  shared->finished = true;
  _exit(0);
}

std::string Supervisor::readOutput() const {
  std::string text(kPrintedOutput, '\0');
  ssize_t size = pread(output, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : size_t(size));
  return text;
}

static std::string describeStatus(int status, unsigned seconds) {
  if (WIFEXITED(status))
    return "exit with status " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGPROF)
    return "no end after " + std::to_string(seconds) + " seconds of computing";
  if (signal == SIGALRM)
    return "no end after " + std::to_string(kIdleSeconds) + " seconds";
  return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

bool Supervisor::run(uint64_t begin, uint64_t end, Failure &failure) {
  shared->index = begin;
  shared->finished = false;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("cannot fork");
    std::exit(2);
  }
  if (child == 0)
    runChild(begin, end);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      std::perror("cannot wait for the child process");
      std::exit(2);
    }
  if (shared->finished)
    return true;
  failure.index = shared->index;
  failure.input.assign(reinterpret_cast<const char *>(shared->data), shared->size);
  failure.reason = describeStatus(status, limits.seconds);
  failure.upstream = WIFEXITED(status) && WEXITSTATUS(status) == kUpstreamStatus;
  failure.output = readOutput();
  return false;
}

void Failure::print(const std::string &name, const std::string &path) const {
  std::ofstream(path, std::ios::binary) << input;
  std::printf("%s: input %llu failed: %s\n", name.c_str(), (unsigned long long)index,
              reason.c_str());
  std::printf("--- input of %zu bytes, saved as %s\n", input.size(), path.c_str());
  for (size_t i = 0; i < input.size() && i < kPrintedInput; ++i) {
    const unsigned char c = static_cast<unsigned char>(input[i]);
    if (std::isprint(c) || c == '\n')
      std::putchar(c);
    else
      std::printf("\\x%02x", c);
  }
  std::printf("\n--- stderr\n%s\n---\n", output.c_str());
  std::fflush(stdout);
}
