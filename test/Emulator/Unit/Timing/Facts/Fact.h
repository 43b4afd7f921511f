//===- Fact.h - Something measured that the model of time must say as well -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fact is a small kernel, what it takes on hardware, and who measured that. The kernel is a loop;
// what a turn takes is the difference of runs with twice and once as many turns.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_TIMING_FACTS_FACT_H
#define CK_MLIR_TEST_UNIT_EMULATOR_TIMING_FACTS_FACT_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ckemu::test {

/// What the result of a fact is.
enum class Quantity {
  Cycles,        ///< of an operation of a wave
  Nanoseconds,   ///< the same
  BytesPerCycle, ///< of a workgroup
  Gigabytes,     ///< a second, of the launch
  Teraflops      ///< of the launch, at the clock under its load
};
const char *getUnit(Quantity quantity);

/// Names begin with a letter and are unique.
struct Fact {
  std::string name, chip, what, source;
  Quantity quantity = Quantity::Cycles;
  double measured = 0;

  /// Assembly before the loop and in it. s[4:5] points to the buffer, s2 is the workgroup, v0 the
  /// lane of the workgroup; s8 counts turns; registers from s9 and v1 on are free.
  std::string setup, body;
  /// If given, what is counted is by how much a turn of `body` is longer than one of `other`.
  std::string other;
  double perTurn = 1; ///< operations, bytes or 10^6 flops of a wave
  unsigned turns = 4, groups = 1, waves = 1, ldsBytes = 0;
  uint64_t bufferBytes = 4096;
  unsigned chainLines = 0; ///< the buffer holds pointers, each to another line, through so many
  bool isResident = false; ///< the buffer lies in the MALL
  unsigned computeUnits = 0;
  std::string parameters; ///< other than those of the chip
  std::string missed;     ///< why the model is known to be off by more than 10 %; mostly empty
};

/// All facts.
std::vector<Fact> getUnitFacts();
std::vector<Fact> getMemoryFacts();

/// `text` so many times.
std::string repeat(unsigned count, const std::string &text);

/// The kernels of the facts of a chip.
class FactRunner {
public:
  explicit FactRunner(const std::string &chip, const std::vector<Fact> &facts);
  ~FactRunner();

  /// What the model says, in the unit of the fact.
  double run(const Fact &fact);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_TIMING_FACTS_FACT_H
