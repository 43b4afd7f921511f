//===- ScheduleTextTest.cpp - Schedule strings -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips of every field, and errors that name key and value.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Schedule.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

/// The error of a schedule string that must not parse.
static std::string parseError(llvm::StringRef text) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(text);
  if (request)
    return "parsed";
  return llvm::toString(request.takeError());
}

/// Parses all fields of `text` and prints them again.
static std::string roundTrip(llvm::StringRef text) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(text);
  if (!request)
    return llvm::toString(request.takeError());
  Schedule schedule;
  schedule.tile = request->tile.value();
  schedule.waves = request->waves.value();
  schedule.mma = request->mma.value();
  schedule.roles = request->roles.value();
  schedule.stages = request->stages.value();
  schedule.partition = request->partition.value();
  schedule.mapping = request->mapping.value_or(WorkgroupMapping());
  schedule.deterministic = request->deterministic.value_or(false);
  schedule.hints = request->hints;
  return toString(schedule);
}

TEST(ScheduleText, EmptyRequestLeavesEverythingOpen) {
  llvm::Expected<ScheduleRequest> request = parseSchedule("");
  ASSERT_TRUE(static_cast<bool>(request));
  EXPECT_FALSE(request->tile || request->waves || request->mma || request->roles ||
               request->stages || request->partition || request->mapping || request->deterministic);
}

TEST(ScheduleText, EveryFieldRoundTrips) {
  std::string base = "tile=128x64x32,waves=2x1,mma=16x16x16,roles=";
  for (std::string roles : {"uniform", "4+2"})
    for (std::string partition :
         {"data_parallel", "split_k:8", "split_k:auto", "split_k:8:two_stage", "stream_k:linear",
          "stream_k:tree", "stream_k:tree:persistent", "stream_k:parallel"})
      for (std::string deterministic : {"", ",deterministic=true"}) {
        std::string text = base + roles + ",stages=3,partition=" + partition + deterministic;
        EXPECT_EQ(roundTrip(text), text);
      }
  std::string uneven = base + "uniform,stages=2+3,partition=data_parallel";
  EXPECT_EQ(roundTrip(uneven), uneven);
  EXPECT_EQ(parseError("stages=2+"), "stages must be a number, got ''");
}

TEST(ScheduleText, FieldsMayComeInAnyOrder) {
  EXPECT_EQ(roundTrip("partition=data_parallel,stages=2,roles=uniform,mma=32x32x8,waves=2x2,"
                      "tile=128x128x32"),
            toString(Schedule()));
}

TEST(ScheduleText, ErrorsNameKeyAndValue) {
  EXPECT_EQ(parseError("tiles=1x1x1"),
            "unknown schedule key 'tiles'; expected one of tile, waves, mma, roles, stages, "
            "partition, mapping, deterministic, hints, copies, reads, direct");
  EXPECT_EQ(parseError("tile"), "expected KEY=VALUE in the schedule, got 'tile'");
  EXPECT_EQ(parseError("tile=128x128x32,"), "expected KEY=VALUE in the schedule, got ''");
  EXPECT_EQ(parseError("tile=128x128"), "tile must have 3 sizes separated by 'x', got '128x128'");
  EXPECT_EQ(parseError("tile=ax128x32"), "tile must be a number, got 'a'");
  EXPECT_EQ(parseError("tile=-1x128x32"), "tile must be in [1, 65536], got -1");
  EXPECT_EQ(parseError("waves=2x99999999999"), "waves must be in [1, 65536], got 99999999999");
  EXPECT_EQ(parseError("waves=2x99999999999999999999"),
            "waves must be a number, got '99999999999999999999'");
  EXPECT_EQ(parseError("stages=0"), "stages must be in [1, 65536], got 0");
  EXPECT_EQ(parseError("stages=2,stages=2"), "schedule key 'stages' is given twice");
  EXPECT_EQ(parseError("roles=4"), "roles must be 'uniform' or LOAD+MATH as in '4+4', got '4'");
  EXPECT_EQ(parseError("hints=waves"),
            "hints must be none, loads, priority or loads+priority, got 'waves'");
  EXPECT_EQ(parseError("deterministic=1"), "deterministic must be true or false, got '1'");
}

TEST(ScheduleText, PartitionErrorsListTheForms) {
  for (llvm::StringRef partition :
       {"", "split_k", "split_k:2:three", "split_k:2:two_stage:x", "stream_k", "stream_k:star",
        "stream_k:tree:often", "stream_k:parallel:persistent"}) {
    std::string message = parseError(("partition=" + partition).str());
    EXPECT_EQ(message, "partition must be data_parallel, split_k:FACTOR, split_k:auto, "
                       "split_k:FACTOR:two_stage, split_k:auto:two_stage, stream_k:linear, "
                       "stream_k:tree, stream_k:linear:persistent, stream_k:tree:persistent or "
                       "stream_k:parallel, got '" +
                           partition.str() + "'");
  }
  // What the error lists is accepted.
  for (const char *partition :
       {"data_parallel", "split_k:3", "split_k:auto", "split_k:3:two_stage",
        "split_k:auto:two_stage", "stream_k:linear", "stream_k:tree", "stream_k:linear:persistent",
        "stream_k:tree:persistent", "stream_k:parallel"})
    EXPECT_EQ(
        toString(*llvm::cantFail(parseSchedule(std::string("partition=") + partition)).partition),
        partition);
  EXPECT_EQ(parseError("partition=split_k:0"), "partition must be in [1, 65536], got 0");
}

TEST(ScheduleText, MappingsRoundTrip) {
  const std::string base = "tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,stages=2,partition="
                           "data_parallel";
  for (std::string mapping : {",mapping=8", ",mapping=8:64", ",mapping=1:64"})
    for (std::string deterministic : {"", ",deterministic=true"})
      EXPECT_EQ(roundTrip(base + mapping + deterministic), base + mapping + deterministic);
  for (std::string mapping : {",mapping=1", ",mapping=1:1"})
    EXPECT_EQ(roundTrip(base + mapping), base);
  EXPECT_EQ(roundTrip(base + ",mapping=8:1"), base + ",mapping=8");
}

TEST(ScheduleText, MappingErrorsNameTheForms) {
  for (llvm::StringRef mapping : {"", ":", "8:", ":64", "8:64:2", "8::64"})
    EXPECT_EQ(parseError(("mapping=" + mapping).str()),
              "mapping must be WINDOW or WINDOW:CHUNK as in '8:64', got '" + mapping.str() + "'");
  EXPECT_EQ(parseError("mapping=8x64"), "mapping must be a number, got '8x64'");
  EXPECT_EQ(parseError("mapping=0"), "mapping must be in [1, 65536], got 0");
  EXPECT_EQ(parseError("mapping=8:65537"), "mapping must be in [1, 65536], got 65537");
  EXPECT_EQ(parseError("mapping=8,mapping=4"), "schedule key 'mapping' is given twice");
}

TEST(ScheduleText, DirectTilesRoundTripAlone) {
  for (std::string rest : {"", ",deterministic=true"})
    for (std::string tile :
         {"8x4x2", "4x7x2:1", "4x7x2:304", "4x2x2:mfma4", "4x7x2:mfma16", "1x4x4:152:mfma4"}) {
      const std::string text = "direct=" + tile + ",partition=data_parallel" + rest;
      const ScheduleRequest request = llvm::cantFail(parseSchedule(text));
      Schedule schedule;
      schedule.direct = request.direct;
      schedule.partition = request.partition.value();
      schedule.deterministic = request.deterministic.value_or(false);
      EXPECT_EQ(toString(schedule), text);
      EXPECT_EQ(makeRequest(schedule).direct, schedule.direct);
      EXPECT_FALSE(makeRequest(schedule).tile);
    }
  for (std::string key : {"tile=32x32x32", "waves=1x1", "mma=32x32x8", "roles=uniform", "stages=2",
                          "mapping=1", "hints=none", "copies=staged", "reads=step"})
    EXPECT_EQ(parseError("direct=8x4x2," + key),
              "cannot combine schedule key 'direct' with '" + key.substr(0, key.find('=')) + "'");
  EXPECT_EQ(parseError("direct=8x4"), "direct must have 3 sizes separated by 'x', got '8x4'");
  EXPECT_EQ(parseError("direct=8x0x1"), "direct must be in [1, 65536], got 0");
  EXPECT_EQ(parseError("direct=8x1x1:0"), "direct must be in [1, 65536], got 0");
  EXPECT_EQ(parseError("direct=8x1x1:mfma4:2"), "direct must be a number, got 'mfma4:2'");
  EXPECT_EQ(parseError("direct=8x1x1:mfma8"), "direct must be a number, got 'mfma8'");
  EXPECT_EQ(parseError("direct=8x1x1:"), "direct must be a number, got ''");
}

TEST(ScheduleText, HintsThatAreSetArePrinted) {
  const std::string base = "tile=128x128x32,waves=2x2,mma=32x32x8,roles=";
  const std::string rest = ",stages=2,partition=data_parallel";
  for (std::string hints :
       {"", ",hints=none", ",hints=loads", ",hints=priority", ",hints=loads+priority"})
    EXPECT_EQ(roundTrip(base + "4+4" + rest + hints), base + "4+4" + rest + hints);
}
