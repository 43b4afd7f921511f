//===- CommandLine.h - Options of the tools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of options, parsed into variables, with errors as values. For why this is neither llvm::cl
// nor llvm::opt see docs/decisions/0002-command-line.md.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SUPPORT_COMMANDLINE_H
#define CK_MLIR_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <vector>

namespace cksupport {

/// Exit status of a tool for wrong usage and for what is not supported.
constexpr int kUsageStatus = 2;

/// The options of one tool. `--name=value` and `--name value` are the same, `-o value` and
/// `-ovalue` as well.
class CommandLine {
public:
  /// `usage` follows "usage: " in the help, `overview` is its second line.
  CommandLine(llvm::StringRef usage, llvm::StringRef overview)
      : usage(usage.str()), overview(overview.str()) {}

  /// An option with a value that is not empty. `name` comes without dashes; one letter takes one
  /// dash. If `choices` are given the value must be one of them.
  void addOption(llvm::StringRef name, llvm::StringRef valueName, llvm::StringRef help,
                 std::string &value, llvm::ArrayRef<llvm::StringRef> choices = {});
  /// An option whose value may be empty.
  void addText(llvm::StringRef name, llvm::StringRef valueName, llvm::StringRef help,
               std::string &value);
  /// An option with a number of at least `minimum`, 0 or 1.
  void addOption(llvm::StringRef name, llvm::StringRef valueName, llvm::StringRef help,
                 int64_t &value, int64_t minimum = 0);
  /// An option that may be repeated.
  void addOption(llvm::StringRef name, llvm::StringRef valueName, llvm::StringRef help,
                 std::vector<std::string> &values);
  /// An option without a value.
  void addFlag(llvm::StringRef name, llvm::StringRef help, bool &value);
  /// The argument without a name, at most one.
  void addPositional(llvm::StringRef name, llvm::StringRef help, std::string &value);

  /// The first argument that is no option and all behind it, or all behind "--": a command.
  void addCommand(llvm::StringRef name, llvm::StringRef help, std::vector<std::string> &words);

  /// Parses the arguments behind the program's name. Errors name the argument and what was
  /// expected.
  llvm::Error parse(llvm::ArrayRef<const char *> arguments);

  /// The options among the arguments, without dashes, in their order.
  const std::vector<std::string> &getGivenNames() const { return givenNames; }
  /// Whether --help was among the arguments.
  bool wantsHelp() const { return help; }
  void printHelp(llvm::raw_ostream &os) const;
  /// Whether --version was among them.
  bool wantsVersion() const { return version; }

private:
  struct Option {
    std::string name, valueName, help;
    std::function<llvm::Error(llvm::StringRef)> store; // null for flags
    bool *flag = nullptr;
  };
  void add(Option option) { options.push_back(std::move(option)); }
  const Option *find(llvm::StringRef name) const;
  llvm::Error makeUnknownError(llvm::StringRef name, llvm::StringRef argument) const;
  llvm::Error parseOption(llvm::ArrayRef<const char *> &arguments);

  std::string usage, overview;
  std::vector<Option> options;
  std::vector<std::string> givenNames;
  std::string positionalName, positionalHelp;
  std::string *positional = nullptr;
  bool positionalSeen = false;
  std::vector<std::string> *command = nullptr;
  bool help = false, version = false;
};

/// `text` with line ends and other control characters as spaces: messages quote what users typed.
std::string toOneLine(llvm::StringRef text);

/// "ck-run 0.3.0, LLVM 22.1.8" and a line end.
std::string getVersionText(llvm::StringRef tool);

/// Whether what is written to `os` should have colours: it is a terminal that has them, and
/// NO_COLOR is not set.
bool usesColours(llvm::raw_ostream &os);

/// Prints "<tool>: error: <message>" as one line on standard error.
void printError(llvm::StringRef tool, llvm::StringRef message);

/// Writes all of `text` to standard output and returns `status`; a full disk or a closed pipe is an
/// error.
llvm::Expected<int> printOutput(llvm::StringRef text, int status);

/// Takes the place of standard streams that the caller closed, so that no file that is opened gets
/// their numbers: reading from and writing to them fails. Writing to a pipe that nobody reads fails
/// as well, and no longer ends the process.
void guardStandardStreams();

/// Runs a tool: parses `arguments` (program name first), prints the help if asked for, otherwise
/// calls `body`, which returns an exit status. An error goes to stderr as one line
/// "<tool>: error: <message>" and gives status 2.
int runTool(llvm::StringRef tool, CommandLine &commandLine, llvm::ArrayRef<const char *> arguments,
            llvm::function_ref<llvm::Expected<int>()> body);

} // namespace cksupport

#endif // CK_MLIR_SUPPORT_COMMANDLINE_H
