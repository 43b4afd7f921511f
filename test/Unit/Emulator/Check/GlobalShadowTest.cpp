//===- GlobalShadowTest.cpp - Races that depend on when threads run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's threads execute workgroups in any order. Here one thread executes the instructions of
// two workgroups in the order that a test wants.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/GlobalShadow.h"
#include "../Isa/Memory/MemoryWave.h"

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::test;

namespace {
/// Two workgroups of one wave, whose s[0:1] is the address of memory. Only lane 0 is active.
class TwoWorkgroups {
public:
  explicit TwoWorkgroups(const std::string &chip) : waves(chip, /*numWaves=*/2) {
    LaunchContext &launch = *waves.wave().launch;
    launch.globalShadow = std::make_shared<GlobalShadow>(*launch.snapshot);
    for (unsigned i = 0; i < 2; ++i) {
      knowledge[i] = std::make_shared<GroupKnowledge>();
      knowledge[i]->reset();
      waves.s(0, i) = uint32_t(waves.getAddress());
      waves.s(1, i) = uint32_t(waves.getAddress() >> 32);
      waves.wave(i).vgprs[0][0] = 0;
      waves.wave(i).setExec(1);
    }
  }
  /// Executes `source` on the wave of workgroup `number`; fails the test at a race.
  void run(const std::string &source, unsigned number) {
    waves.group.linearId = number;
    waves.group.knowledge = knowledge[number];
    waves.run(source, number);
  }

private:
  MemoryWave waves;
  std::shared_ptr<GroupKnowledge> knowledge[2];
};
} // namespace

// Between the check of a load and the load, the host may execute all of the other workgroup. So the
// load below can find the flag set though it is checked before anything is stored.
TEST(GlobalShadow, FlagIsSetBetweenItsFirstCheckAndItsLoad) {
  TwoWorkgroups groups("gfx942");
  groups.run("global_load_dword v1, v0, s[0:1] sc1", 0);
  groups.run("global_store_dword v0, v1, s[0:1] offset:256\n"
             "buffer_wbl2 sc1\n"
             "s_waitcnt vmcnt(0)\n"
             "global_store_dword v0, v1, s[0:1] sc1",
             1);
  groups.run("s_waitcnt vmcnt(0)\n"
             "buffer_inv sc1\n"
             "global_load_dword v1, v0, s[0:1] offset:256",
             0);
}
