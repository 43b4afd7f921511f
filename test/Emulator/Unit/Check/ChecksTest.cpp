//===- ChecksTest.cpp - What the checks find, and what they must not -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check that stays silent is worth as much as none, and one that complains of right kernels is
// switched off by its users. So each error has a kernel that provokes it and a twin that is right,
// which runs in several orders of waves and workgroups.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <functional>
#include <numeric>

using uint = unsigned;

namespace {
class ChecksFind : public testing::Test {
protected:
  DeviceModule module{CK_CHECKS_CODE};

  /// Runs `launch`, which must succeed, in several orders.
  void expectSilence(const std::function<hipError_t()> &launch) {
    EXPECT_HIP(launch());
    for (const char *seed : {"random:1", "random:2", "random:3", "random:4"}) {
      ScopedVariable schedule("CK_EMULATOR_SCHEDULE", seed);
      EXPECT_HIP(launch()) << seed;
    }
  }
  /// The arrays of a reduction over `groups` workgroups.
  hipError_t reduce(const char *kernel, uint groups) {
    DeviceArray<uint> partial(64 * groups), out(64);
    DeviceArray<uint> flags(std::vector<uint>(groups, 0));
    return module.launch(kernel, groups, 64, partial.get(), flags.get(), out.get());
  }
};
} // namespace

TEST_F(ChecksFind, UninitializedLds) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("lds_uninitialized", 1, 256, out.get(), 256u); });
  EXPECT_EQ(module.launch("lds_uninitialized", 1, 256, out.get(), 255u), hipErrorIllegalAddress);
  expectMessage("lane 0 LDS load of 4 bytes at offset 1020 reads byte 1020, which no wave has "
                "written, in kernel 'lds_uninitialized': workgroup (0,0,0) wave 0 at pc");
}

TEST_F(ChecksFind, NoRaceBetweenHalvesOfAWord) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("lds_halves", 1, 256, out.get()); });
}

TEST_F(ChecksFind, LdsRaceWithoutBarrier) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("lds_race", 1, 256, out.get(), 1u); });
  ScopedVariable checks("CK_EMULATOR_CHECKS", "races");
  EXPECT_EQ(module.launch("lds_race", 1, 256, out.get(), 0u), hipErrorIllegalAddress);
  expectMessage("races with the");
  expectMessage("ds_");
  expectMessage("no barrier between");
}

TEST_F(ChecksFind, MissingWaitBeforeABarrier) {
  DeviceArray<uint> out(256);
  EXPECT_EQ(module.launch("lds_missing_wait", 1, 256, out.get()), hipErrorIllegalAddress);
  expectMessage("races with the store of wave");
  expectMessage("ds_write_b32");
}

TEST_F(ChecksFind, LdsReusedTooEarly) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("lds_reuse", 1, 256, out.get(), 1u); });
  EXPECT_EQ(module.launch("lds_reuse", 1, 256, out.get(), 0u), hipErrorIllegalAddress);
  expectMessage("races with the");
}

TEST_F(ChecksFind, NoRaceInARingBetweenRoles) {
  std::vector<uint> values(64 * 8);
  std::iota(values.begin(), values.end(), 0u);
  DeviceArray<uint> in(values), out(256);
  expectSilence([&] { return module.launch("lds_ring", 1, 256, in.get(), out.get(), 8u); });
}

TEST_F(ChecksFind, LdsAtomicsSynchronize) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("lds_atomics", 1, 256, out.get()); });
}

TEST_F(ChecksFind, DifferentNumbersOfBarriersWhenAsked) {
  DeviceArray<uint> out(256);
  expectSilence([&] { return module.launch("barrier_mismatch", 1, 256, out.get(), 0u); });
  ScopedVariable checks("CK_EMULATOR_CHECKS", "on,barriers");
  expectSilence([&] { return module.launch("barrier_mismatch", 1, 256, out.get(), 1u); });
  EXPECT_EQ(module.launch("barrier_mismatch", 1, 256, out.get(), 0u), hipErrorLaunchFailure);
  expectMessage("waves passed different numbers of barriers: wave 0 (0 barriers, pc");
  expectMessage("wave 1 (1 barriers, pc");
  expectMessage("in kernel 'barrier_mismatch': workgroup (0,0,0)");
}

TEST_F(ChecksFind, UninitializedDeviceMemory) {
  DeviceArray<uint> in(64), written(std::vector<uint>(64, 1)), out(64);
  EXPECT_EQ(module.launch("global_uninitialized", 1, 64, in.get(), out.get()),
            hipErrorIllegalAddress);
  expectMessage("lane 0 load of 4 bytes at");
  expectMessage("reads memory that was never written: at offset 0 of the device allocation");
  expectSilence(
      [&] { return module.launch("global_uninitialized", 1, 64, written.get(), out.get()); });
  EXPECT_HIP(module.launch("global_uninitialized", 1, 64, out.get(), in.get()));
  EXPECT_HIP(module.launch("global_uninitialized", 1, 64, in.get(), out.get()));
}

TEST_F(ChecksFind, PartlyInitializedDeviceMemory) {
  DeviceArray<uint> in(64), out(64);
  ASSERT_HIP(hipMemset(in.get(), 0, 4 * 63));
  EXPECT_EQ(module.launch("global_uninitialized", 1, 64, in.get(), out.get()),
            hipErrorIllegalAddress);
  expectMessage("lane 63 load of 4 bytes");
}

TEST_F(ChecksFind, StoresOfTwoWorkgroupsToOnePlace) {
  DeviceArray<uint> out(64 * 8);
  expectSilence([&] { return module.launch("global_write_race", 8, 64, out.get(), 64u); });
  EXPECT_EQ(module.launch("global_write_race", 8, 64, out.get(), 32u), hipErrorIllegalAddress);
  expectMessage("races with the store of workgroup (");
  expectMessage("no release and acquire at device scope between");
}

TEST_F(ChecksFind, ReductionThroughFlags) {
  expectSilence([&] { return reduce("reduction", 6); });
}

TEST_F(ChecksFind, MissingRelease) {
  EXPECT_EQ(reduce("reduction_without_release", 3), hipErrorIllegalAddress);
  expectMessage("the release misses its writeback or its wait for the store");
}

TEST_F(ChecksFind, MissingAcquire) {
  EXPECT_EQ(reduce("reduction_without_acquire", 3), hipErrorIllegalAddress);
  expectMessage("the acquire misses its cache invalidation");
}

TEST_F(ChecksFind, MissingReleaseAndAcquire) {
  EXPECT_EQ(reduce("reduction_without_both", 3), hipErrorIllegalAddress);
  expectMessage("races with the store of workgroup (");
}

TEST_F(ChecksFind, NoRaceBetweenAtomics) {
  expectSilence([&] {
    DeviceArray<uint> sums(std::vector<uint>(64, 0)), count(std::vector<uint>{0}), out(64);
    hipError_t result = module.launch("atomic_sum", 8, 64, sums.get(), count.get(), out.get());
    if (result == hipSuccess)
      EXPECT_EQ(out.read(), std::vector<uint>(64, 36));
    return result;
  });
}

TEST_F(ChecksFind, MisalignedLds) {
  DeviceArray<uint> out(64);
  expectSilence([&] { return module.launch("lds_misaligned", 1, 64, out.get(), 0u); });
  EXPECT_EQ(module.launch("lds_misaligned", 1, 64, out.get(), 2u), hipErrorIllegalAddress);
  expectMessage("ds_read_b128");
  expectMessage("is misaligned");
}

TEST_F(ChecksFind, MisalignedScalarLoads) {
  DeviceArray<uint> out(std::vector<uint>(64, 0x01020304));
  for (const char *kernel : {"scalar_misaligned", "scalar_buffer_misaligned"}) {
    expectSilence([&] { return module.launch(kernel, 1, 64, out.get(), 8u); });
    EXPECT_EQ(module.launch(kernel, 1, 64, out.get(), 6u), hipErrorIllegalAddress);
    expectMessage("scalar load of 4 bytes");
    expectMessage("is misaligned, and the scalar unit drops the low bits");
    ScopedVariable checks("CK_EMULATOR_CHECKS", "bounds");
    EXPECT_HIP(module.launch(kernel, 1, 64, out.get(), 6u));
    EXPECT_EQ(out.read(), std::vector<uint>(64, 0x01020304));
  }
}

TEST_F(ChecksFind, NothingWrongWithUnalignedVectorLoads) {
  DeviceArray<uint> out(std::vector<uint>(64, 0x01020304));
  for (uint offset : {0u, 1u, 2u, 3u})
    EXPECT_HIP(module.launch("vector_unaligned", 1, 64, out.get(), offset));
  EXPECT_EQ(out.read(), std::vector<uint>(64, 0));
}

TEST_F(ChecksFind, MissingWaitForALoad) {
  DeviceArray<uint> in(std::vector<uint>(64, 6)), out(64);
  auto launch = [&](const char *kernel) {
    return module.launch(kernel, 1, 64, in.get(), out.get());
  };
  expectSilence([&] { return launch("load_then_wait"); });
  for (const char *variable :
       {"CK_EMULATOR_PROFILE", "CK_EMULATOR_TIMING", "CK_EMULATOR_PROGRESS"}) {
    ScopedVariable way(variable, "on"); // loops over instructions of their own
    EXPECT_EQ(launch("load_without_wait"), hipErrorLaunchFailure);
    expectMessage(" is read before global_load_dword v");
    expectMessage(" has returned: s_waitcnt vmcnt(0) is missing, in kernel 'load_without_wait'");
  }
  ScopedVariable checks("CK_EMULATOR_CHECKS", "uninitialized,races,barriers,alignment");
  EXPECT_HIP(launch("load_without_wait"));
  EXPECT_EQ(out.read(), std::vector<uint>(64, 7));
}

TEST_F(ChecksFind, OnlyWhatIsAsked) {
  ScopedVariable checks("CK_EMULATOR_CHECKS", "bounds,races");
  DeviceArray<uint> out(256);
  EXPECT_HIP(module.launch("lds_uninitialized", 1, 256, out.get(), 255u));
}

TEST_F(ChecksFind, UnknownChecksAreRefused) {
  ScopedVariable checks("CK_EMULATOR_CHECKS", "bounds,speed");
  DeviceArray<uint> out(256);
  EXPECT_EQ(module.launch("lds_uninitialized", 1, 256, out.get(), 256u), hipErrorInvalidValue);
  expectMessage("CK_EMULATOR_CHECKS: expected on, off or a list of bounds, uninitialized, races, "
                "barriers, alignment, waits, leaks, got 'speed'");
}
