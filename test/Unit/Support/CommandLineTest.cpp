//===- CommandLineTest.cpp - Options of the tools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms in which options may be written, and the one line that each mistake gets.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/CommandLine.h"
#include "gtest/gtest.h"

using namespace cksupport;

namespace {
/// A command line with one option of each kind.
struct Example {
  std::string input, chip = "gfx942", format = "text";
  std::vector<std::string> files;
  std::string note = "none";
  int64_t repeat = 1, waves = 1;
  bool verbose = false;
  CommandLine line{"example [options] INPUT", "An example."};

  Example() {
    line.addPositional("INPUT", "what to read", input);
    line.addOption("chip", "CHIP", "the chip", chip);
    line.addOption("format", "FORMAT", "of the output", format, {"text", "json"});
    line.addOption("i", "FILE", "a file", files);
    line.addOption("repeat", "N", "how often", repeat);
    line.addOption("waves", "N", "how many", waves, /*minimum=*/1);
    line.addText("note", "TEXT", "anything", note);
    line.addFlag("verbose", "say more", verbose);
  }

  /// The error of `arguments`, or "ok".
  std::string parse(llvm::ArrayRef<const char *> arguments) {
    llvm::Error error = line.parse(arguments);
    return error ? llvm::toString(std::move(error)) : "ok";
  }
};
} // namespace

TEST(CommandLine, FormsOfOptions) {
  Example example;
  EXPECT_EQ(example.parse({"--chip=gfx950", "in.mlir", "--format", "json", "-i", "a", "-i=b",
                           "--repeat=3", "--verbose"}),
            "ok");
  EXPECT_EQ(example.input, "in.mlir");
  EXPECT_EQ(example.chip, "gfx950");
  EXPECT_EQ(example.format, "json");
  EXPECT_EQ(example.files, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(example.repeat, 3);
  EXPECT_TRUE(example.verbose);
  EXPECT_FALSE(example.line.wantsHelp());
  EXPECT_EQ(example.line.getGivenNames(),
            (std::vector<std::string>{"chip", "format", "i", "i", "repeat", "verbose"}));
}

TEST(CommandLine, ACommandTakesAllThatFollows) {
  for (const bool isMarked : {false, true}) {
    std::vector<std::string> command;
    std::string chip;
    CommandLine line("example [options] [--] PROGRAM", "An example.");
    line.addOption("chip", "CHIP", "the chip", chip);
    line.addCommand("PROGRAM", "what to run", command);
    std::vector<const char *> arguments = {"--chip", "gfx950", "program", "--chip=other", "--"};
    if (isMarked)
      arguments.insert(arguments.begin() + 2, "--");
    llvm::Error error = line.parse(arguments);
    EXPECT_FALSE(bool(error));
    EXPECT_EQ(chip, "gfx950");
    EXPECT_EQ(command, (std::vector<std::string>{"program", "--chip=other", "--"}));
  }
}

TEST(CommandLine, ValuesBehindALetter) {
  Example example;
  EXPECT_EQ(example.parse({"-ifirst", "-i2=3", "-i", "last"}), "ok");
  EXPECT_EQ(example.files, (std::vector<std::string>{"first", "2=3", "last"}));
  EXPECT_EQ(example.parse({"-x5"}), "unknown option '-x5'; --help lists the options");
}

TEST(CommandLine, Version) {
  Example example;
  EXPECT_EQ(example.parse({"--version"}), "ok");
  EXPECT_TRUE(example.line.wantsVersion());
  const std::string text = getVersionText("ck-example");
  EXPECT_EQ(text.find("ck-example "), 0u) << text;
  EXPECT_NE(text.find(", LLVM 22."), std::string::npos) << text;
}

TEST(CommandLine, ColoursNeedATerminal) {
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_FALSE(usesColours(os));
}

TEST(CommandLine, ValuesMayContainEqualSigns) {
  Example example;
  EXPECT_EQ(example.parse({"--chip=tile=1x1x1,waves=2"}), "ok");
  EXPECT_EQ(example.chip, "tile=1x1x1,waves=2");
}

TEST(CommandLine, DefaultsStay) {
  Example example;
  EXPECT_EQ(example.parse({"-"}), "ok");
  EXPECT_EQ(example.input, "-");
  EXPECT_EQ(example.chip, "gfx942");
  EXPECT_FALSE(example.verbose);
}

TEST(CommandLine, ErrorsNameTheArgument) {
  EXPECT_EQ(Example().parse({"--colour"}), "unknown option '--colour'; --help lists the options");
  EXPECT_EQ(Example().parse({"--chips=gfx942"}),
            "unknown option '--chips=gfx942'; did you mean '--chip'?");
  EXPECT_EQ(Example().parse({"--n"}), "unknown option '--n'; --help lists the options");
  EXPECT_EQ(Example().parse({"a", "b"}), "unexpected argument 'b'");
  EXPECT_EQ(Example().parse({"--chip"}), "--chip requires a value: CHIP");
  EXPECT_EQ(Example().parse({"--chip", "--", "a"}), "--chip requires a value: CHIP");
  EXPECT_EQ(Example().parse({"-i", "--"}), "-i requires a value: FILE");
  EXPECT_EQ(Example().parse({"--format=xml"}), "--format must be text, json; got 'xml'");
  EXPECT_EQ(Example().parse({"--repeat=-1"}), "--repeat must be a non-negative number, got '-1'");
  EXPECT_EQ(Example().parse({"--waves=0"}), "--waves must be a positive number, got '0'");
  EXPECT_EQ(Example().parse({"--verbose=yes"}), "--verbose takes no value, got 'yes'");
}

TEST(CommandLine, EmptyValues) {
  EXPECT_EQ(Example().parse({"--chip="}), "--chip requires a value: CHIP");
  EXPECT_EQ(Example().parse({"--chip", ""}), "--chip requires a value: CHIP");
  EXPECT_EQ(Example().parse({"--format="}), "--format requires a value: FORMAT");
  EXPECT_EQ(Example().parse({"--repeat="}), "--repeat must be a non-negative number, got ''");
  Example example;
  EXPECT_EQ(example.parse({"--note="}), "ok");
  EXPECT_EQ(example.note, "");
}

TEST(CommandLine, HelpListsTheOptions) {
  Example example;
  EXPECT_EQ(example.parse({"--help"}), "ok");
  EXPECT_TRUE(example.line.wantsHelp());
  std::string text;
  llvm::raw_string_ostream os(text);
  example.line.printHelp(os);
  for (const char *expected : {"usage: example [options] INPUT", "An example.", "--chip=CHIP",
                               "-i=FILE", "--verbose", "--help"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
}

TEST(CommandLine, MessagesAreOneLine) {
  EXPECT_EQ(toOneLine("a\nb\tc\x01"
                      "d"),
            "a b c d");
}
