//===- PortsTest.cpp - The units of SIMDs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves that want the same unit at the same time.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Ports.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
/// Three waves of SIMD 1, of which the last is the oldest.
class PortsTest : public testing::Test {
protected:
  static constexpr size_t kSimds = 2;
  using Kind = Ports::Kind;

  TimingParameters parameters;
  std::vector<WaveReplay> waves = std::vector<WaveReplay>(3);
  EventWheel events = EventWheel(waves.size() + Ports::countEntries(kSimds));
  Ports ports = Ports(kSimds, waves, events, parameters);
  InstructionCost product, sum, packed;
  std::vector<uint32_t> served;

  void SetUp() override {
    parameters.packedSwitchCycles = 8;
    for (uint32_t i = 0; i < 3; ++i) {
      waves[i].simd = 1;
      waves[i].age = 10 - i;
    }
    product.unit = TimingUnit::Matrix;
    product.matrix = 32;
    sum.unit = TimingUnit::Valu;
    packed.unit = TimingUnit::Packed;
    product.busy = sum.busy = packed.busy = 4;
  }

  /// Serves the unit whose turn is next; the time of its turn.
  Cycle serveNext() {
    uint32_t entry = 0;
    EXPECT_TRUE(events.take(entry));
    EXPECT_GE(entry, waves.size());
    ports.serve(entry - uint32_t(waves.size()), events.getNow(), [&](uint32_t id) {
      served.push_back(id);
      EXPECT_TRUE(ports.acquire(id, Kind::Valu, events.getNow())) << "it was given the unit";
      ports.useVector(1, sum, events.getNow());
    });
    return events.getNow();
  }
};
} // namespace

TEST_F(PortsTest, AUnitIsGivenByPriorityThenByAge) {
  ASSERT_TRUE(ports.acquire(0, Kind::Valu, 0));
  ports.useVector(1, sum, 0);
  for (uint32_t id = 0; id < 3; ++id)
    EXPECT_FALSE(ports.acquire(id, Kind::Valu, 1));
  EXPECT_EQ(waves[0].stall, Stall::Valu);
  waves[1].priority = 3;
  EXPECT_EQ(serveNext(), 4);
  EXPECT_EQ(serveNext(), 8);
  EXPECT_EQ(serveNext(), 12);
  EXPECT_EQ(served, (std::vector<uint32_t>{1, 2, 0}));
}

TEST_F(PortsTest, UnitsOfASimdAreIndependent) {
  ASSERT_TRUE(ports.acquire(0, Kind::Matrix, 0));
  ports.useVector(1, product, 0);
  EXPECT_FALSE(ports.acquire(1, Kind::Matrix, 4)) << "until 32";
  EXPECT_EQ(waves[1].stall, Stall::Matrix);
  EXPECT_TRUE(ports.acquire(2, Kind::Valu, 4));
  ports.useScalar(1, 4, 4);
  EXPECT_FALSE(ports.acquire(0, Kind::Salu, 7));
  EXPECT_EQ(waves[0].stall, Stall::Salu);
  waves[0].simd = 0;
  EXPECT_TRUE(ports.acquire(0, Kind::Salu, 7)) << "of another SIMD";
}

TEST_F(PortsTest, PackedArithmeticBehindAProductKeepsThePipeLonger) {
  ports.useVector(1, packed, 0);
  EXPECT_TRUE(ports.acquire(0, Kind::Matrix, 4));
  ports.useVector(1, product, 4);
  ports.useVector(1, packed, 36);
  EXPECT_FALSE(ports.acquire(0, Kind::Matrix, 47)) << "4 cycles and 8 of the switch";
  waves[0].simd = 0;
  EXPECT_TRUE(ports.acquire(0, Kind::Matrix, 0));
}
