//===- Runner.cpp - Runs programs on the emulator and on the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of ck-differential that is not Python: loads a code object and the library with the host
// twins of its kernels, gives both the same inputs and compares what they leave in memory, bit for
// bit. Prints a line of JSON for each program; the name of a program is printed before it runs, so
// that the caller knows which one crashed.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Load/CodeObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <random>
#include <set>

using namespace ckemu;
namespace cl = llvm::cl;

static cl::opt<std::string> chipName("chip", cl::init("gfx942"), cl::desc("chip to emulate"));
static cl::opt<std::string> objectFile("object", cl::Required, cl::desc("code object"));
static cl::opt<std::string> hostFile("host", cl::desc("library of host twins"));
static cl::opt<unsigned> waveSize("wave", cl::init(64), cl::desc("lanes of a wave"));
static cl::opt<uint64_t> inputSeed("inputs", cl::init(1), cl::desc("seed of the inputs"));
static cl::opt<uint64_t> shuffle("schedule", cl::init(0), cl::desc("seed of the schedule, or 0"));
static cl::opt<bool> refused("refused", cl::desc("print what is not implemented and run nothing"));
static cl::list<std::string> skipped("skip", cl::desc("programs to leave out"));

namespace {
/// As in HostTwin.h.
struct Machine {
  uint32_t wave, rdna;
};
/// As in HostTwin.h.
struct Program {
  const char *name, *inputs;
  uint32_t groups, size, outputs, memory;
  void (*run)(const Machine *, uint64_t *out, const uint64_t *in, uint64_t *acc, uint8_t *mem);
};
/// What a program reads and writes.
struct Buffers {
  std::vector<uint64_t> out, in, acc, mem;
};
} // namespace

static constexpr unsigned kUniformInputs = 4, kCells = 512;

static uint64_t drawInteger(std::mt19937_64 &engine) {
  static const uint64_t special[] = {0,     1,          2,          0x7f,       0x80,
                                     0xff,  0x7fff,     0x8000,     0xffff,     0x7fffffff,
                                     ~0ull, 0x80000000, 0xffffffff, 1ull << 63, ~0ull >> 1};
  const uint64_t bits = engine();
  switch (engine() % 4) {
  case 0:
    return special[bits % std::size(special)];
  case 1:
    return bits % 200 - 100;
  default:
    return bits;
  }
}

/// A float with `mantissa` and `exponent` bits: a special one, any bits, or one near 1.
static uint64_t drawFloat(std::mt19937_64 &engine, unsigned mantissa, unsigned exponent) {
  const uint64_t bits = engine(), one = ((1ull << (exponent - 1)) - 1) << mantissa;
  const uint64_t infinity = ((1ull << exponent) - 1) << mantissa;
  const uint64_t sign = (bits >> 63) << (mantissa + exponent);
  const uint64_t fraction = bits & ((1ull << mantissa) - 1);
  switch (engine() % 8) {
  case 0: {
    const uint64_t special[] = {0, 1, one, infinity, infinity + 1, infinity - 1, 1ull << mantissa};
    return sign | special[(bits >> 8) % std::size(special)];
  }
  case 1:
    return bits >> (63 - mantissa - exponent);
  case 2: // small integers
    return sign | (one + ((bits >> 40) % 4 << mantissa)) |
           (fraction >> (mantissa - 3) << (mantissa - 3));
  default:
    return sign | ((one + (((bits >> 52) % 9) << mantissa) - (4ull << mantissa)) | fraction);
  }
}

static uint64_t draw(std::mt19937_64 &engine, char kind) {
  switch (kind) {
  case 'h':
    return drawFloat(engine, 10, 5);
  case 'f':
    return drawFloat(engine, 23, 8);
  case 'd':
    return drawFloat(engine, 52, 11);
  default:
    return drawInteger(engine);
  }
}

static Buffers makeBuffers(const Program &program) {
  Buffers buffers;
  const unsigned items = program.groups * program.size;
  std::mt19937_64 engine(inputSeed * 1000003 + llvm::xxh3_64bits(program.name));
  for (unsigned i = 0; i < kUniformInputs; ++i)
    buffers.in.push_back(draw(engine, i == 3 ? 'f' : 'i'));
  for (unsigned i = 0; i < items; ++i)
    for (const char *kind = program.inputs; *kind; ++kind)
      buffers.in.push_back(draw(engine, *kind));
  buffers.out.assign(size_t(items) * program.outputs, 0xeeeeeeeeeeeeeeee);
  buffers.acc.assign(kCells, 0);
  for (unsigned i = 0; i < items * program.memory / 8; ++i)
    buffers.mem.push_back(engine());
  return buffers;
}

/// Runs `program` on the emulator, in place. Returns why it failed, or an empty string.
static std::string emulate(const CodeObject &object, const Program &program, MemoryTable &memory,
                           const Options &options, Buffers &buffers) {
  const Kernel *kernel = object.findKernel(program.name);
  if (!kernel)
    return "the code object has no kernel of that name";
  std::vector<uint64_t> *vectors[] = {&buffers.out, &buffers.in, &buffers.acc, &buffers.mem};
  std::vector<uint64_t> addresses;
  for (std::vector<uint64_t> *data : vectors) {
    // Not even an empty buffer is null.
    llvm::Expected<uint64_t> address =
        memory.allocate(data->size() * 8 + 8, "test buffer", /*host=*/false, uint64_t(1) << 30);
    if (!address)
      return llvm::toString(address.takeError());
    std::memcpy(reinterpret_cast<void *>(*address), data->data(), data->size() * 8);
    addresses.push_back(*address);
  }
  LaunchShape shape;
  shape.groups[0] = program.groups;
  shape.groupSize[0] = program.size;
  llvm::ArrayRef<uint8_t> arguments(reinterpret_cast<uint8_t *>(addresses.data()),
                                    addresses.size() * 8);
  llvm::Expected<LaunchOutcome> outcome =
      launchKernel(object, *kernel, shape, arguments, memory, options);
  std::string error;
  if (!outcome)
    error = llvm::toString(outcome.takeError());
  else if (!outcome->succeeded)
    error = outcome->fault.message;
  for (unsigned i = 0; i < 4; ++i)
    std::memcpy(vectors[i]->data(), reinterpret_cast<void *>(addresses[i]), vectors[i]->size() * 8);
  for (uint64_t address : addresses)
    if (llvm::Expected<Allocation> taken = memory.remove(address))
      MemoryTable::unmap(*taken);
    else
      llvm::consumeError(taken.takeError());
  return error;
}

static std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, true, 16); }

/// Adds what differs between `expected` and `got` to `result`; false when nothing does.
static bool compare(const Program &program, const Buffers &expected, const Buffers &got,
                    llvm::json::Object &result) {
  const struct {
    const char *name;
    const std::vector<uint64_t> &expected, &got;
    unsigned perItem;
  } pairs[] = {{"out", expected.out, got.out, program.outputs},
               {"mem", expected.mem, got.mem, program.memory / 8},
               {"acc", expected.acc, got.acc, 0}};
  llvm::json::Array differences;
  uint64_t count = 0;
  for (const auto &pair : pairs)
    for (size_t i = 0; i < pair.expected.size(); ++i) {
      if (pair.expected[i] == pair.got[i] || ++count > 6)
        continue;
      llvm::json::Object one{{"buffer", pair.name},
                             {"expected", hex(pair.expected[i])},
                             {"got", hex(pair.got[i])},
                             {"element", int64_t(pair.perItem ? i % pair.perItem : i)}};
      if (pair.perItem) {
        const size_t item = i / pair.perItem, inputs = std::strlen(program.inputs);
        one["group"] = int64_t(item / program.size);
        one["item"] = int64_t(item % program.size);
        one["lane"] = int64_t(item % program.size % waveSize);
        llvm::json::Array values;
        for (size_t k = 0; k < inputs; ++k)
          values.push_back(hex(expected.in[kUniformInputs + item * inputs + k]));
        one["inputs"] = std::move(values);
      }
      differences.push_back(std::move(one));
    }
  result["count"] = int64_t(count);
  result["differences"] = std::move(differences);
  return count != 0;
}

static void runProgram(const Program &program, const CodeObject &object, MemoryTable &memory,
                       const Options &options) {
  llvm::outs() << "run " << program.name << "\n";
  llvm::outs().flush();
  Buffers expected = makeBuffers(program), got = expected;
  const Isa isa = options.chip->isa;
  const Machine machine = {waveSize, isCdna(isa) ? 0u : isa == Isa::Gfx11 ? 11u : 12u};
  program.run(&machine, expected.out.data(), expected.in.data(), expected.acc.data(),
              reinterpret_cast<uint8_t *>(expected.mem.data()));
  llvm::json::Object result{{"program", program.name}, {"status", "ok"}};
  std::string error = emulate(object, program, memory, options, got);
  if (!error.empty()) {
    result["status"] = "fault";
    result["message"] = error;
  } else if (compare(program, expected, got, result)) {
    result["status"] = "mismatch";
  }
  llvm::outs() << llvm::json::Value(std::move(result)) << "\n";
}

/// Prints each reason for which the emulator refuses instructions of `object`, with their number
/// and one of them.
static void printRefused(const CodeObject &object) {
  std::map<std::string, std::pair<int64_t, std::string>> reasons;
  std::set<uint32_t> seen; // kernels share functions
  for (const auto &kernel : object.getKernels()) {
    const DecodedCode &code = object.decode(kernel.second).code;
    for (const Instruction &inst : code.getInstructions()) {
      llvm::StringRef error = code.getDecodeError(&inst);
      if (error.empty() || !seen.insert(inst.offset).second)
        continue;
      auto &[count, example] = reasons[error.str()];
      if (count++ == 0)
        example = code.getText(&inst).str();
    }
  }
  for (const auto &[reason, found] : reasons)
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"refused", reason}, {"count", found.first}, {"example", found.second}})
                 << "\n";
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 2;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "runs programs on the emulator and on the host\n");
  llvm::Expected<const ChipModel *> chip = getChipModel(chipName);
  if (!chip)
    return fail(llvm::toString(chip.takeError()));
  Options options;
  options.chip = *chip;
  options.computeUnits = 2;
  options.hangInstructions = 20000000;
  if (shuffle)
    options.shuffleSeed = shuffle;
  auto file = llvm::MemoryBuffer::getFile(objectFile);
  if (!file)
    return fail(objectFile + ": " + file.getError().message());
  MemoryTable memory;
  llvm::Expected<std::unique_ptr<CodeObject>> object =
      CodeObject::load((*file)->getBuffer(), **chip, getInstructionTable((*chip)->isa), memory);
  if (!object)
    return fail(llvm::toString(object.takeError()));
  if (refused) {
    printRefused(**object);
    return 0;
  }
  void *library = dlopen(hostFile.c_str(), RTLD_NOW);
  if (!library)
    return fail(dlerror());
  const auto *programs = static_cast<const Program *>(dlsym(library, "programs"));
  const auto *count = static_cast<const uint32_t *>(dlsym(library, "programCount"));
  if (!programs || !count)
    return fail(hostFile + " has no programs");
  const std::set<std::string> skip(skipped.begin(), skipped.end());
  for (uint32_t i = 0; i < *count; ++i)
    if (!skip.count(programs[i].name))
      runProgram(programs[i], **object, memory, options);
  return 0;
}
