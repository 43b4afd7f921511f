//===- CommandLine.cpp - Options of the tools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header for why this is not llvm::cl.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Support/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace cksupport;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// The option as a user types it.
static std::string withDashes(StringRef name) {
  return ((name.size() == 1 ? "-" : "--") + name).str();
}

void CommandLine::addOption(StringRef name, StringRef valueName, StringRef help, std::string &value,
                            ArrayRef<StringRef> choices) {
  std::vector<std::string> allowed(choices.begin(), choices.end());
  auto store = [&value, allowed, name = name.str(),
                valueName = valueName.str()](StringRef text) -> Error {
    if (text.empty())
      return createStringError(withDashes(name) + " requires a value: " + valueName);
    if (!allowed.empty() && !llvm::is_contained(allowed, text))
      return createStringError(withDashes(name) + " must be " + llvm::join(allowed, ", ") +
                               "; got '" + text + "'");
    value = text.str();
    return Error::success();
  };
  add({name.str(), valueName.str(), help.str(), store});
}

void CommandLine::addText(StringRef name, StringRef valueName, StringRef help, std::string &value) {
  auto store = [&value](StringRef text) -> Error {
    value = text.str();
    return Error::success();
  };
  add({name.str(), valueName.str(), help.str(), store});
}

void CommandLine::addOption(StringRef name, StringRef valueName, StringRef help, int64_t &value,
                            int64_t minimum) {
  auto store = [&value, minimum, name = name.str()](StringRef text) -> Error {
    int64_t number = 0;
    if (text.getAsInteger(10, number) || number < minimum)
      return createStringError(withDashes(name) + " must be a " +
                               (minimum > 0 ? "positive" : "non-negative") + " number, got '" +
                               text + "'");
    value = number;
    return Error::success();
  };
  add({name.str(), valueName.str(), help.str(), store});
}

void CommandLine::addOption(StringRef name, StringRef valueName, StringRef help,
                            std::vector<std::string> &values) {
  auto store = [&values](StringRef text) -> Error {
    values.push_back(text.str());
    return Error::success();
  };
  add({name.str(), valueName.str(), help.str(), store});
}

void CommandLine::addFlag(StringRef name, StringRef help, bool &value) {
  add({name.str(), "", help.str(), nullptr, &value});
}

void CommandLine::addPositional(StringRef name, StringRef help, std::string &value) {
  positionalName = name.str();
  positionalHelp = help.str();
  positional = &value;
}

void CommandLine::addCommand(StringRef name, StringRef help, std::vector<std::string> &words) {
  positionalName = name.str();
  positionalHelp = help.str();
  command = &words;
}

const CommandLine::Option *CommandLine::find(StringRef name) const {
  auto it = llvm::find_if(options, [&](const Option &option) { return option.name == name; });
  return it == options.end() ? nullptr : &*it;
}

/// "unknown option ...", with the option that is spelled most alike.
Error CommandLine::makeUnknownError(StringRef name, StringRef argument) const {
  constexpr unsigned kMaxEdits = 2;
  const Option *nearest = nullptr;
  unsigned edits = kMaxEdits + 1;
  for (const Option &option : options) {
    unsigned distance = name.edit_distance(option.name, /*AllowReplacements=*/true, edits);
    if (name.size() > kMaxEdits && distance < edits) {
      nearest = &option;
      edits = distance;
    }
  }
  if (nearest)
    return createStringError("unknown option '" + argument + "'; did you mean '" +
                             withDashes(nearest->name) + "'?");
  return createStringError("unknown option '" + argument + "'; --help lists the options");
}

/// Consumes the option at the front of `arguments` and its value.
Error CommandLine::parseOption(ArrayRef<const char *> &arguments) {
  StringRef argument = arguments.front();
  arguments = arguments.drop_front();
  auto [name, value] = argument.ltrim('-').split('=');
  bool hasValue = argument.contains('=');
  if (name == "help" || argument == "-h") {
    help = true;
    return Error::success();
  }
  if (name == "version" && !hasValue) {
    version = true;
    return Error::success();
  }
  const Option *option = find(name);
  if (!option && argument.size() > 2 && argument[1] != '-') {
    option = find(argument.substr(1, 1));
    if (option && option->flag != nullptr)
      option = nullptr;
    hasValue = option != nullptr;
    value = argument.drop_front(2);
  }
  if (!option)
    return makeUnknownError(name, argument);
  givenNames.push_back(option->name);
  if (option->flag) {
    if (hasValue)
      return createStringError(withDashes(name) + " takes no value, got '" + value + "'");
    *option->flag = true;
    return Error::success();
  }
  if (!hasValue) {
    // What ends the options is no value.
    if (arguments.empty() || StringRef(arguments.front()) == "--")
      return createStringError(withDashes(name) + " requires a value: " + option->valueName);
    value = arguments.front();
    arguments = arguments.drop_front();
  }
  return option->store(value);
}

Error CommandLine::parse(ArrayRef<const char *> arguments) {
  while (!arguments.empty()) {
    StringRef argument = arguments.front();
    if (command && (argument == "--" || !argument.starts_with("-"))) {
      ArrayRef<const char *> words = arguments.drop_front(argument == "--" ? 1 : 0);
      command->assign(words.begin(), words.end());
      return Error::success();
    }
    if (argument.size() > 1 && argument.starts_with("-")) {
      if (Error error = parseOption(arguments))
        return error;
      continue;
    }
    if (!positional || positionalSeen)
      return createStringError("unexpected argument '" + argument + "'");
    *positional = argument.str();
    positionalSeen = true;
    arguments = arguments.drop_front();
  }
  return Error::success();
}

void CommandLine::printHelp(llvm::raw_ostream &os) const {
  os << "usage: " << usage << "\n" << overview << "\n\n";
  auto printRow = [&](StringRef left, StringRef right) {
    os << llvm::formatv("  {0,-26} {1}\n", left, right);
  };
  if (positional || command)
    printRow(positionalName, positionalHelp);
  for (const Option &option : options)
    printRow(withDashes(option.name) + (option.flag ? "" : "=" + option.valueName), option.help);
  printRow("--help", "print this text");
  printRow("--version", "print the versions of the tool and of LLVM");
}

std::string cksupport::getVersionText(StringRef tool) {
  return (tool + " " + CK_VERSION + ", LLVM " + LLVM_VERSION_STRING + "\n").str();
}

bool cksupport::usesColours(llvm::raw_ostream &os) {
  const char *refused = std::getenv("NO_COLOR");
  return (!refused || !*refused) && os.is_displayed() && os.has_colors();
}

void cksupport::printError(StringRef tool, StringRef message) {
  llvm::raw_ostream &os = llvm::errs();
  const bool colours = usesColours(os);
  os << tool << ": ";
  if (colours)
    os.changeColor(llvm::raw_ostream::RED, /*Bold=*/true);
  os << "error:";
  if (colours)
    os.resetColor();
  os << " " << toOneLine(message) << "\n";
}

std::string cksupport::toOneLine(StringRef text) {
  std::string line = text.str();
  for (char &letter : line)
    if (llvm::isSpace(letter) || static_cast<unsigned char>(letter) < ' ')
      letter = ' ';
  return line;
}

Expected<int> cksupport::printOutput(StringRef text, int status) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os << text;
  os.flush();
  if (!os.has_error())
    return status;
  std::string reason = os.error().message();
  os.clear_error();
  return createStringError("cannot write to standard output: " + reason);
}

void cksupport::guardStandardStreams() {
  signal(SIGPIPE, SIG_IGN);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
      continue;
    // The lowest free number is `fd`. The stream is opened for the other direction.
    int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != fd)
      close(opened);
  }
}

int cksupport::runTool(StringRef tool, CommandLine &commandLine, ArrayRef<const char *> arguments,
                       llvm::function_ref<Expected<int>()> body) {
  guardStandardStreams();
  auto run = [&]() -> Expected<int> {
    if (Error error = commandLine.parse(arguments.drop_front()))
      return std::move(error);
    if (commandLine.wantsVersion())
      return printOutput(getVersionText(tool), 0);
    if (!commandLine.wantsHelp())
      return body();
    std::string help;
    llvm::raw_string_ostream os(help);
    commandLine.printHelp(os);
    return printOutput(help, 0);
  };
  Expected<int> result = run();
  int status = result ? *result : kUsageStatus;
  if (!result)
    printError(tool, llvm::toString(result.takeError()));
  // Nobody is left to hear of a standard error that cannot be written.
  llvm::errs().clear_error();
  return status;
}
