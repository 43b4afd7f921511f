//===- WaveRolesTest.cpp - What the waves of a workgroup are for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What waves did is given; ReplayTest.cpp has waves that do it.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/WaveRoles.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ckemu;
using testing::ElementsAre;

static WaveActivity make(bool multiplies, bool loads) {
  WaveActivity wave;
  wave.multiplies = multiplies;
  wave.loads = loads;
  return wave;
}
static const WaveActivity kIdle = make(false, false), kLoads = make(false, true);
static const WaveActivity kMultiplies = make(true, false), kBoth = make(true, true);

TEST(WaveRoles, WhoMultipliesIsMathWhateverItLoads) {
  EXPECT_THAT(findRoles({kLoads, kMultiplies, kIdle, kBoth}),
              ElementsAre(WaveRole::Load, WaveRole::Math, WaveRole::Other, WaveRole::Math));
}

TEST(WaveRoles, WavesOfOneKindHaveNone) {
  EXPECT_THAT(findRoles({kMultiplies, kBoth}), ElementsAre(WaveRole::All, WaveRole::All));
  EXPECT_THAT(findRoles({kLoads, kIdle}), ElementsAre(WaveRole::All, WaveRole::All))
      << "nobody multiplies";
  EXPECT_THAT(findRoles({}), ElementsAre());
}
