//===- GlobalShadowTest.cpp - Races that depend on when threads run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's threads execute waves and workgroups in any order. Here one thread executes the
// instructions of two waves, of one workgroup or of two, in the order that a test wants.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/GlobalShadow.h"
#include "../Isa/Memory/MemoryWave.h"
#include "gtest/gtest-spi.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
/// Two waves, whose s[0:1] is the address of memory. The first lanes are active, or lane 0 alone;
/// v0 is 16 times the number of the lane, v1 is 7.
class TwoWaves {
public:
  explicit TwoWaves(const std::string &chip, unsigned lanes = 1,
                    unsigned flagLimit = GlobalShadow::kFlagLimit)
      : waves(chip, /*numWaves=*/2) {
    LaunchContext &launch = *waves.wave().launch;
    launch.globalShadow = std::make_shared<GlobalShadow>(*launch.snapshot, /*exempt=*/0, flagLimit);
    for (unsigned i = 0; i < 2; ++i) {
      knowledge[i] = std::make_shared<GroupKnowledge>();
      knowledge[i]->reset();
      waves.s(0, i) = uint32_t(waves.getAddress());
      waves.s(1, i) = uint32_t(waves.getAddress() >> 32);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        waves.wave(i).vgprs[0][lane] = 16 * lane;
        waves.wave(i).vgprs[1][lane] = 7;
      }
      waves.wave(i).setExec((1u << lanes) - 1);
    }
  }
  /// Executes `source` on wave `wave`, of workgroup `group`; fails the test at a race.
  void run(const std::string &source, unsigned wave, unsigned group) {
    waves.group.linearId = group;
    waves.group.knowledge = knowledge[group];
    waves.run(source, wave);
  }

private:
  MemoryWave waves;
  std::shared_ptr<GroupKnowledge> knowledge[2];
};

/// Stores data, and behind it the flag.
constexpr const char *kStoreAndRelease = "global_store_dword v0, v1, s[0:1] offset:256\n"
                                         "buffer_wbl2 sc1\n"
                                         "s_waitcnt vmcnt(0)\n"
                                         "global_store_dword v0, v1, s[0:1] sc1";
/// Loads the flag, and then the data.
constexpr const char *kAcquireAndLoad = "global_load_dword v2, v0, s[0:1] sc1\n"
                                        "s_waitcnt vmcnt(0)\n"
                                        "buffer_inv sc1\n"
                                        "global_load_dword v2, v0, s[0:1] offset:256";
} // namespace

// Between the check of a load and the load, the host may execute all of the other workgroup. So the
// load below can find the flag set though it is checked before anything is stored.
TEST(GlobalShadow, FlagIsSetBetweenItsFirstCheckAndItsLoad) {
  TwoWaves waves("gfx942");
  waves.run("global_load_dword v2, v0, s[0:1] sc1", 0, /*group=*/0);
  waves.run(kStoreAndRelease, 1, /*group=*/1);
  waves.run("s_waitcnt vmcnt(0)\n"
            "buffer_inv sc1\n"
            "global_load_dword v2, v0, s[0:1] offset:256",
            0, /*group=*/0);
}

// The same for the first of two flags, which are acquired together.
TEST(GlobalShadow, FlagIsSetBeforeAnotherOneIsChecked) {
  TwoWaves waves("gfx942");
  waves.run("global_load_dword v2, v0, s[0:1] sc1", 0, /*group=*/0);
  waves.run(kStoreAndRelease, 1, /*group=*/1);
  waves.run("global_load_dword v3, v0, s[0:1] offset:128 sc1\n"
            "s_waitcnt vmcnt(0)\n"
            "buffer_inv sc1\n"
            "global_load_dword v2, v0, s[0:1] offset:256",
            0, /*group=*/0);
}

// Waves that compute the same may store it to the same place, and load what they stored. On gfx90a
// the stores look like those of flags, which never conflict with one another.
TEST(GlobalShadow, WavesStoreTheSameAndLoadIt) {
  for (const char *chip : {"gfx90a", "gfx942"}) {
    SCOPED_TRACE(chip);
    TwoWaves waves(chip);
    for (unsigned wave : {0, 1})
      waves.run("global_store_dword v0, v1, s[0:1] offset:256\n"
                "s_waitcnt vmcnt(0)\n"
                "global_load_dword v2, v0, s[0:1] offset:256",
                wave, /*group=*/0);
  }
}

/// Hands data from workgroup 1 to workgroup 0 behind a flag that `store`, of two lanes, sets.
static void handOver(const std::string &store) {
  TwoWaves waves("gfx942", /*lanes=*/2);
  waves.run("global_store_dword v0, v1, s[0:1] offset:256\n"
            "buffer_wbl2 sc1\n"
            "s_waitcnt vmcnt(0)\n" +
                store + " s[0:1] sc1",
            1, /*group=*/1);
  waves.run(kAcquireAndLoad, 0, /*group=*/0);
}

// Stores of several lanes set flags if they are no wider than an atomic. Wider ones are results
// that go past the L2 of an XCD, of which there are too many to remember.
TEST(GlobalShadow, WideStoresSetNoFlags) {
  handOver("global_store_dword v0, v1,");
  handOver("global_store_dwordx2 v0, v[2:3],");
  EXPECT_FATAL_FAILURE(handOver("global_store_dwordx4 v0, v[2:5],"), "no release");
}

// A release through a flag that is not remembered cannot be told from none.
TEST(GlobalShadow, NothingIsCheckedAfterMoreFlagsThanAreRemembered) {
  auto handOverBehindAnotherFlag = [](unsigned flagLimit) {
    TwoWaves waves("gfx942", /*lanes=*/1, flagLimit);
    waves.run("global_store_dword v0, v1, s[0:1] offset:128 sc1", 1, /*group=*/1);
    waves.run(kStoreAndRelease, 1, /*group=*/1);
    waves.run(kAcquireAndLoad, 0, /*group=*/0);
  };
  handOverBehindAnotherFlag(/*flagLimit=*/2);
  handOverBehindAnotherFlag(/*flagLimit=*/1);
}
