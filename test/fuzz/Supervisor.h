//===- Supervisor.h - Runs inputs in a child process -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code under test may crash, exit, hang or take all memory; only another process sees all of these.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_FUZZ_SUPERVISOR_H
#define CK_MLIR_TEST_FUZZ_SUPERVISOR_H

#include <cstdint>
#include <functional>
#include <string>

namespace ckfuzz {

/// What one input may take. Time is that of the processor, so that a busy machine makes no failure.
struct Limits {
  unsigned seconds = 60;
  uint64_t megabytes = 4096; ///< of addresses; not with a sanitizer, which needs terabytes
};

/// An input that ended its process.
struct Failure {
  uint64_t index = 0;
  std::string input;
  std::string reason;    ///< "signal 11 (Segmentation fault)"
  bool upstream = false; ///< a known error of LLVM or MLIR ended it, see `kUpstreamStatus`
  std::string output;    ///< what the code under test wrote to stderr

  /// Prints it and saves the input at `path`.
  void print(const std::string &name, const std::string &path) const;
};

/// Runs inputs by their number.
class Supervisor {
public:
  Supervisor(const Limits &limits, std::function<std::string(uint64_t)> makeInput);
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;
  Supervisor &operator=(const Supervisor &) = delete;

  /// Runs inputs [begin, end) in a child. True if all passed; otherwise `failure` is the first that
  /// did not.
  bool run(uint64_t begin, uint64_t end, Failure &failure);

private:
  struct Shared;
  [[noreturn]] void runChild(uint64_t begin, uint64_t end);
  std::string readOutput() const;

  Limits limits;
  std::function<std::string(uint64_t)> makeInput;
  Shared *shared = nullptr; ///< memory that both processes see
  int output = -1;          ///< file that stands for stderr of the child
};

} // namespace ckfuzz

#endif // CK_MLIR_TEST_FUZZ_SUPERVISOR_H
