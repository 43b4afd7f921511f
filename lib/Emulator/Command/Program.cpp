//===- Program.cpp - The program that is run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Program.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ckemu;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static std::string describeError(int number) {
  return std::error_code(number, std::generic_category()).message();
}

Expected<std::string> ckemu::findProgram(StringRef name) {
  if (name.empty())
    return createStringError("expected a program to run, got an empty name");
  if (!name.contains('/')) {
    if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
      return *found;
    return createStringError("cannot find the program '" + name + "' in PATH");
  }
  const std::string path = name.str();
  if (access(path.c_str(), X_OK) != 0)
    return createStringError("cannot execute '" + name + "': " + describeError(errno));
  if (llvm::sys::fs::is_directory(path))
    return createStringError("cannot execute '" + name + "': it is a folder");
  return path;
}

/// The program, for the handler.
static std::atomic<pid_t> child{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

static void forwardSignal(int signal) {
  if (const pid_t target = child; target > 0)
    kill(target, signal);
}

namespace {
/// While it lives, this process outlives what ends the program.
class SignalScope {
public:
  SignalScope() {
    // A terminal sends these to the program as well.
    for (int signal : {SIGINT, SIGQUIT})
      set(signal, SIG_IGN);
    for (int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
      set(signal, forwardSignal);
  }
  ~SignalScope() { restore(); }
  SignalScope(const SignalScope &) = delete;
  SignalScope &operator=(const SignalScope &) = delete;

  /// What the program starts with.
  void restore() const {
    for (const auto &[signal, action] : saved)
      sigaction(signal, &action, nullptr);
  }

private:
  std::vector<std::pair<int, struct sigaction>> saved;

  void set(int signal, void (*handler)(int)) {
    struct sigaction action = {}, before = {};
    action.sa_handler = handler;
    sigaction(signal, &action, &before);
    saved.emplace_back(signal, before);
  }
};
} // namespace

/// In the new process; writes the error number to `pipe` when there is no program to become.
[[noreturn]] static void becomeProgram(const std::string &path,
                                       const std::vector<std::string> &command, int pipe,
                                       const SignalScope &signals) {
  signals.restore();
  signal(SIGPIPE, SIG_DFL); // ignored by all tools of ours
  std::vector<char *> words;
  words.reserve(command.size() + 1);
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  execv(path.c_str(), words.data());
  const int number = errno;
  if (write(pipe, &number, sizeof(number)) != sizeof(number))
    _exit(127);
  _exit(126);
}

Expected<ProgramEnd> ckemu::runProgram(const std::string &path,
                                       const std::vector<std::string> &command) {
  std::array<int, 2> pipe{};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0)
    return createStringError("cannot start '" + path + "': " + describeError(errno));
  const SignalScope signals;
  const pid_t started = fork();
  if (started == 0)
    becomeProgram(path, command, pipe[1], signals);
  const int failure = errno;
  close(pipe[1]);
  child = started;
  int number = 0;
  const bool hasFailed = started > 0 && read(pipe[0], &number, sizeof(number)) == sizeof(number);
  close(pipe[0]);
  if (started < 0)
    return createStringError("cannot start '" + path + "': " + describeError(failure));
  int status = 0;
  while (waitpid(started, &status, 0) < 0 && errno == EINTR)
    ;
  child = 0;
  if (hasFailed)
    return createStringError("cannot execute '" + path + "': " + describeError(number));
  ProgramEnd end;
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return end;
}

void ckemu::endBySignal(int number) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
  _exit(128 + number);
}
