//===- time-trace.cpp - A program that asks the model of time alone -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a wave that ends at once: the start of its workgroup, the fetch of the instruction and the
// end.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Emulator/Timing.h"
#include <iostream>

int main() {
  ckemu::LaunchTrace launch;
  launch.chip = "gfx942";
  launch.code.resize(1);
  launch.code[0].timing = ckemu::TimingClass::End;
  launch.groups.resize(1);
  launch.groups[0].waves.resize(1);
  launch.groups[0].waves[0].runs = {{0, 0}};
  ckemu::LaunchTimes times;
  if (const std::string error = ckemu::timeTraces(launch, times); !error.empty()) {
    std::cerr << error << "\n";
    return 1;
  }
  std::cout << "a wave that only ends takes " << times.cycles << " cycles\n";
  return 0;
}
