//===- FaultTest.cpp - What kernels do wrong -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fault names the kernel, the instruction and the reason; the right twin of a faulty kernel
// runs silently.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <numeric>

using uint = unsigned;

namespace {
class Faults : public testing::Test {
protected:
  DeviceModule module{CK_FAULTS_CODE};
};
} // namespace

TEST_F(Faults, StoreInBoundsIsSilent) {
  DeviceArray<uint> out(64);
  ASSERT_HIP(module.launch("store_at", 1, 64, out.get(), 64u, size_t(0)));
  std::vector<uint> expected(64);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(Faults, StoreBehindAnAllocationNamesLaneAndAllocation) {
  DeviceArray<uint> out(64);
  EXPECT_EQ(module.launch("store_at", 1, 64, out.get(), 64u, size_t(4)), hipErrorIllegalAddress);
  expectMessage("lane 63 store of 4 bytes");
  expectMessage("0 bytes past the end of the device allocation");
  expectMessage("of 256 bytes, in kernel 'store_at': workgroup (0,0,0) wave 0 at pc");
  expectMessage("global_store_dword");
}

TEST_F(Faults, StoreAcrossTheEndOfAnAllocation) {
  DeviceArray<uint> out(64);
  EXPECT_EQ(module.launch("store_at", 1, 64, out.get(), 64u, size_t(2)), hipErrorIllegalAddress);
  expectMessage("lane 63");
  expectMessage("at offset 254 of the device allocation");
}

TEST_F(Faults, LoadBeforeAnAllocation) {
  DeviceArray<uint> in(64), out(64);
  EXPECT_EQ(module.launch("load_at", 1, 64, in.get(), out.get(), size_t(-8)),
            hipErrorIllegalAddress);
  expectMessage("lane 0 load of 4 bytes");
  expectMessage("8 bytes before the begin of the device allocation");
}

TEST_F(Faults, LoadFromAFreedAllocation) {
  DeviceArray<uint> out(64);
  uint *freed = nullptr;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&freed), 256));
  ASSERT_HIP(hipFree(freed));
  EXPECT_EQ(module.launch("load_at", 1, 64, freed, out.get(), size_t(0)), hipErrorIllegalAddress);
  expectMessage("is out of bounds");
}

TEST_F(Faults, ScalarLoadOutOfBounds) {
  DeviceArray<uint> in(std::vector<uint>(64, 1)), out(64);
  EXPECT_EQ(module.launch("scalar_load_at", 1, 64, in.get(), out.get(), size_t(252)), hipSuccess);
  EXPECT_EQ(module.launch("scalar_load_at", 1, 64, in.get(), out.get(), size_t(256)),
            hipErrorIllegalAddress);
  expectMessage("s_load_dword");
  expectMessage("scalar load of 4 bytes");
}

TEST_F(Faults, LdsOutOfBounds) {
  DeviceArray<uint> out(64);
  ASSERT_HIP(module.launch("lds_at", 1, 64, out.get(), 0u));
  EXPECT_EQ(module.launch("lds_at", 1, 64, out.get(), 4u), hipErrorIllegalAddress);
  expectMessage("lane 63 LDS store of 4 bytes at offset 256 is out of bounds: the workgroup has "
                "256 bytes of LDS");
}

TEST_F(Faults, UnimplementedInstructionIsNamed) {
  DeviceArray<uint> out(std::vector<uint>{0});
  EXPECT_EQ(module.launch("unimplemented", 1, 1, out.get()), hipErrorLaunchFailure);
  expectMessage("instruction 'ds_gws_barrier' is not implemented, in kernel 'unimplemented'");
  EXPECT_EQ(out.read()[0], 1u) << "what comes before the instruction is executed";
}

TEST_F(Faults, Trap) {
  DeviceArray<uint> out(1);
  EXPECT_EQ(module.launch("trap", 1, 1, out.get()), hipErrorLaunchFailure);
  expectMessage("s_trap");
}

TEST_F(Faults, BarrierDeadlockIsFoundWithinSeconds) {
  DeviceArray<uint> out(128);
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(module.launch("barrier_deadlock", 1, 128, out.get()), hipErrorLaunchTimeOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  expectMessage("deadlock: no wave can make progress, in kernel 'barrier_deadlock': workgroup");
  expectMessage("workgroup (0,0,0) wave 0 runs at pc");
  expectMessage("; workgroup (0,0,0) wave 1 waits at the barrier at pc");
  expectMessage("s_barrier");
  EXPECT_FALSE(llvm::StringRef(ckEmulatorGetLastMessage()).ends_with(";"));
}

TEST_F(Faults, WorkgroupsMayWaitForLaterOnes) {
  DeviceArray<uint> flags(std::vector<uint>(200, 0));
  ASSERT_HIP(module.launch("chain", 200, 64, flags.get(), 199u));
  std::vector<uint> expected(200);
  std::iota(expected.begin(), expected.end(), 1u);
  EXPECT_EQ(flags.read(), expected);
}

TEST_F(Faults, WaitingForAWorkgroupThatHasNoRoomIsADeadlock) {
  // One CU holds 32 workgroups of one wave; the 33rd would have to start the chain.
  ScopedVariable units("CK_EMULATOR_CUS", "1");
  DeviceArray<uint> flags(std::vector<uint>(33, 0));
  EXPECT_EQ(module.launch("chain", 33, 64, flags.get(), 32u), hipErrorLaunchTimeOut);
  expectMessage("deadlock: no wave can make progress, in kernel 'chain'");
  DeviceArray<uint> fewer(std::vector<uint>(32, 0));
  EXPECT_HIP(module.launch("chain", 32, 64, fewer.get(), 31u));
}

TEST_F(Faults, EndlessLoopExceedsTheBudget) {
  ScopedVariable budget("CK_EMULATOR_HANG_INSTRUCTIONS", "1000000");
  DeviceArray<uint> out(1);
  EXPECT_EQ(module.launch("endless", 1, 64, out.get()), hipErrorLaunchTimeOut);
  expectMessage("hang: a workgroup executed 1000000 wave instructions");
  expectMessage("in kernel 'endless': workgroup (0,0,0) wave 0 runs at pc");
}

TEST_F(Faults, ASmallBudgetEndsASmallLoop) {
  DeviceArray<uint> out(64);
  EXPECT_HIP(module.launch("count", 1, 64, out.get(), 1000u));
  EXPECT_EQ(out.read(), std::vector<uint>(64, 1000));
  ScopedVariable budget("CK_EMULATOR_HANG_INSTRUCTIONS", "10");
  EXPECT_EQ(module.launch("count", 1, 64, out.get(), 1000u), hipErrorLaunchTimeOut);
  expectMessage("hang: a workgroup executed 10 wave instructions");
}

TEST_F(Faults, TheBudgetIsThatOfAWorkgroup) {
  // All workgroups together execute far more than what one of them may without progress.
  ScopedVariable budget("CK_EMULATOR_HANG_INSTRUCTIONS", "8000");
  DeviceArray<uint> out(64);
  EXPECT_HIP(module.launch("count_in_turns", 8, 64, out.get(), 1000u, 20u));
  // The progress of others does not help the one that has none.
  EXPECT_EQ(module.launch("one_counts_on", 8, 64, out.get(), 1000u), hipErrorLaunchTimeOut);
  expectMessage("workgroup (3,0,0) wave 0 runs at pc");
}

TEST_F(Faults, BufferRangeIsCheckedPerDword) {
  // 64 bytes of a buffer that lies in an allocation of the same size. Steps of 12 bytes: lane 4
  // reads [48, 64), lane 5 [60, 76) of which one dword is in range, lane 6 nothing.
  std::vector<uint> values(16);
  std::iota(values.begin(), values.end(), 1u);
  DeviceArray<uint> data(values), out(4 * 64);
  ASSERT_HIP(module.launch("buffer_range", 1, 64, data.get(), out.get(), 64u, 12u));
  std::vector<uint> words = out.read();
  for (uint lane = 0; lane < 64; ++lane)
    for (uint k = 0; k < 4; ++k) {
      uint index = 3 * lane + k;
      EXPECT_EQ(words[4 * lane + k], index < 16 ? values[index] : 0u) << "lane " << lane;
    }
  std::vector<uint> stored = data.read();
  for (uint index = 0; index < 16; ++index)
    EXPECT_EQ(stored[index], index % 3 == 0 ? 100 + index / 3 : values[index]);
}

TEST_F(Faults, BufferLargerThanItsAllocation) {
  DeviceArray<uint> data(16), out(4 * 64);
  EXPECT_EQ(module.launch("buffer_range", 1, 64, data.get(), out.get(), 128u, 16u),
            hipErrorIllegalAddress);
  expectMessage("buffer_load_dwordx4");
  expectMessage("lane 4 load of 16 bytes");
}

TEST_F(Faults, PrivateMemory) {
  std::vector<uint> in(128);
  std::iota(in.begin(), in.end(), 3u);
  DeviceArray<uint> deviceIn(in), deviceOut(128);
  ASSERT_HIP(module.launch("private_memory", 2, 64, deviceIn.get(), deviceOut.get()));
  std::vector<uint> out = deviceOut.read();
  for (uint i = 0; i < 128; ++i) {
    uint slots[16];
    for (uint k = 0; k < 16; ++k)
      slots[(k * 5 + in[i]) % 16] = k * i;
    ASSERT_EQ(out[i], slots[in[i] % 16] + slots[3]) << "item " << i;
  }
}

static int64_t getStatistic(const char *name) {
  auto parsed = llvm::json::parse(ckEmulatorGetLaunchStatistics());
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return -1;
  }
  return parsed->getAsObject()->getInteger(name).value_or(-1);
}

TEST_F(Faults, BankConflictsAreCounted) {
  DeviceArray<uint> out(64);
  ASSERT_HIP(module.launch("bank_conflicts", 1, 64, out.get(), 1u));
  EXPECT_EQ(getStatistic("lds_bank_conflicts"), 0);
  ASSERT_HIP(module.launch("bank_conflicts", 1, 64, out.get(), 32u));
  // A store and a load, each of two groups of 32 lanes in one bank: 31 extra cycles per group.
  int64_t conflicts = getStatistic("lds_bank_conflicts");
  EXPECT_EQ(conflicts, 2 * 2 * 31);
  ASSERT_HIP(module.launch("bank_conflicts", 1, 64, out.get(), 33u));
  EXPECT_EQ(getStatistic("lds_bank_conflicts"), 0);
}

TEST_F(Faults, BoundsHoldUnderAllSettings) {
  for (const char *names : {"off", "leaks", "races", "bounds"}) {
    ScopedVariable checks("CK_EMULATOR_CHECKS", names);
    DeviceArray<uint> words(63), in(64), out(64);
    EXPECT_EQ(module.launch("store_at", 1, 64, words.get(), 64u, size_t(0)),
              hipErrorIllegalAddress);
    expectMessage("lane 63 store of 4 bytes");
    EXPECT_EQ(module.launch("load_at", 1, 64, words.get(), out.get(), size_t(0)),
              hipErrorIllegalAddress);
    EXPECT_EQ(module.launch("scalar_load_at", 1, 64, in.get(), out.get(), size_t(1) << 40),
              hipErrorIllegalAddress);
    EXPECT_EQ(module.launch("atomic_at", 1, 64, words.get(), size_t(4)), hipErrorIllegalAddress);
    EXPECT_EQ(module.launch("atomic_at", 1, 62, words.get(), size_t(2)), hipErrorIllegalAddress);
    expectMessage("is misaligned");
  }
}

TEST_F(Faults, MalformedVariablesAreRefused) {
  DeviceArray<uint> out(64);
  ScopedVariable schedule("CK_EMULATOR_SCHEDULE", "sometimes");
  EXPECT_EQ(module.launch("store_at", 1, 64, out.get(), 64u, size_t(0)), hipErrorInvalidValue);
  expectMessage("CK_EMULATOR_SCHEDULE must be round_robin or random:SEED, got 'sometimes'");
}

TEST_F(Faults, VariablesOfTheProgramStandBeforeTheEnvironment) {
  DeviceArray<uint> out(64);
  ScopedVariable schedule("CK_EMULATOR_SCHEDULE", "random:1");
  EXPECT_EQ(ckEmulatorSetVariable("CK_EMULATOR_SCHEDULE", "never"), 1);
  EXPECT_EQ(module.launch("store_at", 1, 64, out.get(), 64u, size_t(0)), hipErrorInvalidValue);
  expectMessage("CK_EMULATOR_SCHEDULE must be round_robin or random:SEED, got 'never'");
  EXPECT_EQ(ckEmulatorSetVariable("CK_EMULATOR_SCHEDULE", ""), 1) << "the environment's again";
  EXPECT_HIP(module.launch("store_at", 1, 64, out.get(), 64u, size_t(0)));
  EXPECT_EQ(ckEmulatorSetVariable("CK_EMULATOR_CHIPS", "gfx942"), 0);
  EXPECT_EQ(ckEmulatorSetVariable("CK_EMULATOR_CHIP", nullptr), 0);
}

TEST_F(Faults, ShuffledSchedulesComputeTheSame) {
  for (const char *seed : {"random:1", "random:2", "random:3"}) {
    ScopedVariable schedule("CK_EMULATOR_SCHEDULE", seed);
    DeviceArray<uint> flags(std::vector<uint>(200, 0));
    ASSERT_HIP(module.launch("chain", 200, 128, flags.get(), 199u));
    EXPECT_EQ(flags.read()[0], 1u);
  }
}
