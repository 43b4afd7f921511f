//===- EmulatorSpeed.cpp - Speed of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints wave instructions per second and core for vector code (Vector.cl) and scalar code
// (Scalar.cl) on every kind of chip, and for a 128x128x32 GEMM kernel (Gemm.cl), after their
// results were compared with the host's. With folders that ck-compile wrote as arguments: the same
// for the first kernel in each, launched as its manifest says (ck-run verifies them). Each kernel
// is measured with all checks off and with all checks on, and with it the memory that the launches
// add to the buffers: shadows, registers and LDS of what is resident, stacks of host threads. Other
// lines tell how long a kernel takes that runs once, and how much faster several host threads are,
// in elapsed time. All levels of the host's vectors are measured, or the one that
// CK_EMULATOR_VECTORS names.
//
//===----------------------------------------------------------------------===//

#define __HIP_PLATFORM_AMD__
#include "ck-mlir/Emulator/EmulatorApi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <hip/hip_runtime_api.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static constexpr unsigned kTile = 128, kChannels = 40, kWidth = 14;

static void check(hipError_t code, const char *what) {
  if (code == hipSuccess)
    return;
  llvm::errs() << what << " failed: " << hipGetErrorName(code) << ": " << ckEmulatorGetLastMessage()
               << "\n";
  std::exit(1);
}

/// viewOffset of Gemm.cl.
static unsigned getViewOffset(unsigned row, unsigned k, unsigned size) {
  unsigned tap = k / kChannels;
  return row * size + (tap / 3 * kWidth + tap % 3) * kChannels + k % kChannels;
}

/// A buffer of n small integers as binary16, and the same as float.
static void fillInputs(size_t count, std::vector<_Float16> &halves, unsigned seed) {
  halves.resize(count);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    halves[i] = _Float16(int(seed >> 24) % 5 - 2);
  }
}

static void *upload(const void *data, size_t bytes) {
  void *device = nullptr;
  check(hipMalloc(&device, bytes), "hipMalloc");
  check(hipMemcpy(device, data, bytes, hipMemcpyHostToDevice), "hipMemcpy");
  return device;
}

/// Frees what `upload` and `load` have made.
static void release(llvm::ArrayRef<void *> buffers, hipModule_t module) {
  for (void *buffer : buffers)
    check(hipFree(buffer), "hipFree");
  check(hipModuleUnload(module), "hipModuleUnload");
}

/// Largest difference between the kernel's result and the host's over some elements.
static double compare(const std::vector<_Float16> &a, const std::vector<_Float16> &b,
                      const std::vector<float> &c, unsigned m, unsigned n, unsigned k,
                      unsigned size) {
  double worst = 0;
  for (unsigned i = 0; i < m; i += 37)
    for (unsigned j = 0; j < n; j += 29) {
      double sum = 0;
      for (unsigned l = 0; l < k; ++l)
        sum += double(a[getViewOffset(i, l, size)]) * double(b[getViewOffset(j, l, size)]);
      worst = std::max(worst, std::abs(sum - double(c[size_t(i) * n + j])));
    }
  return worst;
}

namespace {
/// What all host threads together needed for a launch, so that other programs do not count.
struct Speed {
  double checked, unchecked; ///< seconds of processor time
  long addedKiB;             ///< of resident memory
};
} // namespace

static void printRate(const char *name, double instructions, double macs, double seconds) {
  llvm::outs() << llvm::format(
      "checks %s: %.2f million wave instructions per second and core, %.2f "
      "GMAC per second and core (%.3f s of processor time)\n",
      name, instructions / seconds * 1e-6, macs / seconds * 1e-9, seconds);
}

/// The counts of the last launch.
static llvm::json::Object getStatistics() {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(ckEmulatorGetLaunchStatistics());
  if (!parsed) {
    llvm::errs() << llvm::toString(parsed.takeError()) << "\n";
    std::exit(1);
  }
  return std::move(*parsed->getAsObject());
}

static double countInstructions() {
  return double(*getStatistics().getInteger("wave_instructions"));
}

static void printSpeed(const Speed &speed) {
  const llvm::json::Object statistics = getStatistics();
  double instructions = double(*statistics.getInteger("wave_instructions"));
  llvm::outs() << "wave instructions: " << int64_t(instructions) << "\n";
  for (const auto &entry : *statistics.getObject("instructions"))
    llvm::outs() << llvm::format("  %s: %.1f %%\n", entry.first.str().c_str(),
                                 100 * double(*entry.second.getAsInteger()) / instructions);
  double macs = double(*statistics.getObject("instructions")->getInteger("mfma")) * 32 * 32 * 8;
  printRate("off", instructions, macs, speed.unchecked);
  printRate("on", instructions, macs, speed.checked);
  llvm::outs() << llvm::format("memory beyond the buffers: %.1f MiB\n",
                               double(speed.addedKiB) / 1024);
}

static void launch(hipFunction_t function, dim3 grid, unsigned threads, void **parameters) {
  check(hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, threads, 1, 1, 0, nullptr,
                              parameters, nullptr),
        "hipModuleLaunchKernel");
}

/// Launches ten times; returns the processor time of the fastest launch.
static double launchWithChecks(const char *checks, hipFunction_t function, dim3 grid,
                               unsigned threads, void **parameters) {
  setenv("CK_EMULATOR_CHECKS", checks, /*overwrite=*/1);
  double best = 1e30;
  for (unsigned repeat = 0; repeat < 10; ++repeat) {
    std::clock_t start = std::clock();
    launch(function, grid, threads, parameters);
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

static double getSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Elapsed seconds of the fastest of ten launches by so many host threads, with checks off.
static double launchWithThreads(unsigned hostThreads, hipFunction_t function, dim3 grid,
                                unsigned threads, void **parameters) {
  setenv("CK_EMULATOR_CHECKS", "off", /*overwrite=*/1);
  setenv("CK_EMULATOR_THREADS", std::to_string(hostThreads).c_str(), /*overwrite=*/1);
  double best = 1e30;
  for (unsigned repeat = 0; repeat < 10; ++repeat) {
    const double start = getSeconds();
    launch(function, grid, threads, parameters);
    best = std::min(best, getSeconds() - start);
  }
  unsetenv("CK_EMULATOR_THREADS");
  return best;
}

/// What 2, 4, ... host threads gain, up to the cores of the host.
static void printThreads(hipFunction_t function, dim3 grid, unsigned threads, void **parameters) {
  const double one = launchWithThreads(1, function, grid, threads, parameters);
  llvm::outs() << llvm::format("1 host thread: %.1f ms", one * 1e3);
  for (unsigned count = 2; count <= std::thread::hardware_concurrency(); count *= 2) {
    const double seconds = launchWithThreads(count, function, grid, threads, parameters);
    llvm::outs() << llvm::format("; %u: %.1f ms, %.2f times as fast", count, seconds * 1e3,
                                 one / seconds);
  }
  llvm::outs() << "\n";
}

static long getPeakKiB() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static Speed launchRepeatedly(hipFunction_t function, dim3 grid, unsigned threads,
                              void **parameters) {
  Speed speed;
  const long before = getPeakKiB();
  speed.unchecked = launchWithChecks("off", function, grid, threads, parameters);
  speed.checked = launchWithChecks("on", function, grid, threads, parameters);
  speed.addedKiB = getPeakKiB() - before;
  return speed;
}

static void runGemm(hipModule_t module) {
  unsigned m = 4 * kTile, n = 4 * kTile, k = 4800;
  unsigned size = ((k / kChannels + 2) / 3 * kWidth + 3) * kChannels;
  std::vector<_Float16> a, b;
  fillInputs(size_t(m) * size, a, 1);
  fillInputs(size_t(n) * size, b, 2);
  std::vector<float> c(size_t(m) * n);
  void *deviceA = upload(a.data(), a.size() * 2), *deviceB = upload(b.data(), b.size() * 2);
  void *deviceC = upload(c.data(), c.size() * 4);
  hipFunction_t function = nullptr;
  check(hipModuleGetFunction(&function, module, "gemm"), "hipModuleGetFunction");
  void *parameters[] = {&deviceA, &deviceB, &deviceC, &n, &k, &size};
  const Speed best = launchRepeatedly(function, {n / kTile, m / kTile, 1}, 256, parameters);
  check(hipMemcpy(c.data(), deviceC, c.size() * 4, hipMemcpyDeviceToHost), "hipMemcpy");
  double difference = compare(a, b, c, m, n, k, size);
  llvm::outs() << "largest difference from the host: " << llvm::format("%g", difference) << "\n";
  printSpeed(best);
  printThreads(function, {n / kTile, m / kTile, 1}, 256, parameters);
  release({deviceA, deviceB, deviceC}, module);
}

/// vector_code of Vector.cl for one work-item.
static uint32_t computeVector(uint32_t item, uint32_t steps) {
  float sum[8];
  const float scale = std::fma(0.001f, float(item % 7), 0.75f);
  uint32_t state[4];
  for (uint32_t i = 0; i < 8; ++i)
    sum[i] = float(item + i);
  for (uint32_t i = 0; i < 4; ++i)
    state[i] = item * 2654435761u + i;
  for (uint32_t step = 0; step < steps; ++step) {
    for (float &value : sum)
      value = std::fma(value, scale, 1.0f);
    for (uint32_t i = 0; i < 4; ++i) {
      state[i] = (state[i] ^ (state[i] << 13)) + 0x9e3779b9u;
      state[i] ^= state[i] >> 17;
      const float x = float(state[i] & 0xff), other = sum[i + 4];
      sum[i] += x;
      sum[i + 4] = state[i] > 0x80000000u ? other * 0.5f : other - x;
    }
  }
  float total = 0;
  for (float value : sum)
    total += value;
  return llvm::bit_cast<uint32_t>(total + float(state[0] ^ state[1] ^ state[2] ^ state[3]));
}

/// scalar_code of Scalar.cl for one work-item.
static uint32_t computeScalar(uint32_t item, uint32_t steps) {
  uint32_t a = steps, b = item / 256, c = 7;
  uint64_t d = b;
  for (uint32_t step = 0; step < steps; ++step) {
    a = (a ^ (a << 13)) + b;
    b = b * 5u + (a >> 17);
    c = a < b ? c + a : c - b;
    d += uint64_t(c) << (a & 15);
    if (a & 1)
      c ^= uint32_t(d);
  }
  return a + b + c + uint32_t(d);
}

static std::string getCode(const std::string &chip, const char *file) {
  return std::string(CK_BENCHMARK_FOLDER) + "/" + file + ".O3." + chip + ".hsaco";
}

/// The time of a small kernel that runs once, and of its parts: the first launch decodes the code.
static void printStart(const std::string &chip) {
  constexpr unsigned kItems = 256;
  uint32_t steps = 1;
  void *device = upload(std::vector<uint32_t>(kItems).data(), kItems * 4);
  void *parameters[] = {&device, &steps};
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  const double start = getSeconds();
  check(hipModuleLoad(&module, getCode(chip, "Vector").c_str()), "hipModuleLoad");
  check(hipModuleGetFunction(&function, module, "vector_code"), "hipModuleGetFunction");
  const double loaded = getSeconds();
  launch(function, {1, 1, 1}, kItems, parameters);
  const double first = getSeconds();
  launch(function, {1, 1, 1}, kItems, parameters);
  const double second = getSeconds();
  llvm::outs() << llvm::format(
      "%s, start: %.2f ms for a kernel that runs once: load %.2f ms, first launch %.2f ms; second "
      "launch %.2f ms\n",
      chip.c_str(), (first - start) * 1e3, (loaded - start) * 1e3, (first - loaded) * 1e3,
      (second - first) * 1e3);
  release(device, module);
}

/// One line for a kernel that takes a result and a number of steps.
static void runCode(const std::string &chip, const char *file, const char *name, uint32_t steps,
                    uint32_t (*compute)(uint32_t, uint32_t)) {
  constexpr unsigned kGroups = 16, kItems = 256;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  check(hipModuleLoad(&module, getCode(chip, file).c_str()), "hipModuleLoad");
  check(hipModuleGetFunction(&function, module, name), "hipModuleGetFunction");
  std::vector<uint32_t> result(kGroups * kItems);
  void *device = upload(result.data(), result.size() * 4);
  void *parameters[] = {&device, &steps};
  const Speed speed = launchRepeatedly(function, {kGroups, 1, 1}, kItems, parameters);
  check(hipMemcpy(result.data(), device, result.size() * 4, hipMemcpyDeviceToHost), "hipMemcpy");
  unsigned wrong = 0;
  for (unsigned item = 0; item < result.size(); ++item)
    wrong += result[item] != compute(item, steps);
  const double million = 1e-6 * countInstructions();
  llvm::outs() << llvm::format(
      "%s, %s: %.1f million wave instructions per second and core, checks on %.1f; %u results "
      "differ from the host's\n",
      chip.c_str(), name, million / speed.unchecked, million / speed.checked, wrong);
  release(device, module);
}

static llvm::json::Object readManifest(const std::string &folder) {
  auto file = llvm::MemoryBuffer::getFile(folder + "/manifest.json");
  if (!file) {
    llvm::errs() << "cannot read '" << folder << "/manifest.json'\n";
    std::exit(1);
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*file)->getBuffer());
  if (!value || !value->getAsObject()) {
    llvm::errs() << "malformed manifest in '" << folder << "'\n";
    std::exit(1);
  }
  return std::move(*value->getAsObject());
}

static hipModule_t load(const std::string &path) {
  auto start = std::chrono::steady_clock::now();
  hipModule_t module = nullptr;
  check(hipModuleLoad(&module, path.c_str()), "hipModuleLoad");
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  llvm::outs() << llvm::format("loaded and decoded in %.1f ms\n", seconds * 1e3);
  return module;
}

/// The buffers that a kernel of `manifest` takes: tensors filled with small halves, and a workspace
/// of zeros, which kernels leave as they found it.
static std::vector<void *> uploadArguments(const llvm::json::Object &manifest,
                                           const llvm::json::Object &kernel) {
  std::vector<void *> result;
  for (const llvm::json::Value &name : *kernel.getArray("arguments")) {
    if (name.getAsString() == "workspace") {
      const std::vector<char> zeros(size_t(*manifest.getInteger("workspace_bytes")));
      result.push_back(upload(zeros.data(), zeros.size()));
      continue;
    }
    for (const llvm::json::Value &tensor : *manifest.getArray("tensors"))
      if (tensor.getAsObject()->getString("name") == name.getAsString()) {
        std::vector<_Float16> halves;
        fillInputs(*tensor.getAsObject()->getInteger("bytes") / 2, halves, 1);
        result.push_back(upload(halves.data(), halves.size() * 2));
      }
  }
  return result;
}

/// Runs the first kernel of a folder that ck-compile wrote.
static void runCompiled(const std::string &folder) {
  llvm::json::Object manifest = readManifest(folder);
  hipModule_t module = load(folder + "/" + manifest.getString("code_object")->str());
  const llvm::json::Object &kernel = *(*manifest.getArray("kernels"))[0].getAsObject();
  std::vector<void *> buffers = uploadArguments(manifest, kernel), parameters;
  for (void *&buffer : buffers)
    parameters.push_back(&buffer);
  auto size = [&](const char *key, unsigned dim) {
    return unsigned(*(*kernel.getArray(key))[dim].getAsInteger());
  };
  hipFunction_t function = nullptr;
  check(hipModuleGetFunction(&function, module, kernel.getString("name")->str().c_str()),
        "hipModuleGetFunction");
  printSpeed(launchRepeatedly(function, {size("grid", 0), size("grid", 1), size("grid", 2)},
                              size("block", 0), parameters.data()));
  release(buffers, module);
}

/// Measures with the vectors that are named. Levels that the processor does not have, or that were
/// not built, are left out.
static void run(const char *vectors, const char *chip, const char *folder) {
  ckEmulatorSetVariable("CK_EMULATOR_VECTORS", vectors);
  const llvm::StringRef level = ckEmulatorGetVectors();
  llvm::outs() << "vectors: " << level << "\n";
  if (level.starts_with("error"))
    return;
  if (folder) {
    runCompiled(folder);
  } else if (chip) {
    printStart(chip);
    runCode(chip, "Vector", "vector_code", 300, computeVector);
    runCode(chip, "Scalar", "scalar_code", 1000, computeScalar);
  } else {
    runGemm(load(CK_BENCHMARK_CODE));
  }
}

static void runLevels(const char *chip, const char *folder) {
  if (const char *named = std::getenv("CK_EMULATOR_VECTORS"))
    return run(named, chip, folder);
  for (const char *vectors : {"portable", "x86-64-v3", "x86-64-v4"})
    run(vectors, chip, folder);
}

/// A process has one chip for good, so each chip gets a process. What it returned.
static int runChip(const char *chip, const char *folder = nullptr) {
  if (const pid_t child = fork()) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  ckEmulatorSetVariable("CK_EMULATOR_CHIP", chip);
  runLevels(chip, folder);
  llvm::outs().flush();
  std::exit(0);
}

int main(int argc, char **argv) {
  int status = 0;
  for (const char *folder : llvm::ArrayRef(argv + 1, size_t(argc - 1))) {
    const std::string chip = readManifest(folder).getString("chip").value_or("").str();
    llvm::outs() << folder << ", " << chip << "\n";
    llvm::outs().flush();
    status |= runChip(chip.c_str(), folder);
  }
  if (argc > 1)
    return status;
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"})
    status |= runChip(chip);
  runLevels(/*chip=*/nullptr, /*folder=*/nullptr);
  return status;
}
