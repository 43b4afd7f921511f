//===- Products.cpp - What the chips are sold as -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Units, clocks and capacities are those of AMD's data sheets and of rocm.docs.amd.com
// gpu-arch-specs, bandwidths of the MALL those that are said for the parameter mall_gigabytes. The
// first product of a processor is what its name alone stands for.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Chip/ChipModel.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace ckemu;

static constexpr uint64_t kMiB = 1 << 20;
static constexpr uint64_t kGiB = 1 << 30;

// clang-format off
static constexpr ChipProduct kProducts[] = {
    // units, dies, MHz; L2 of a die, its channels; MALL, GB/s; memory, GB/s, MHz, bits; slowdown
    {"gfx90a", "mi250x", "AMD Instinct MI250X (ck-mlir emulator)", 110, 1, 1700, 8 * kMiB, 32,
     0, 0, 64 * kGiB, 1638, 1600, 4096, 1, "data sheet; one of the two dies"},
    {"gfx90a", "mi250", "AMD Instinct MI250 (ck-mlir emulator)", 104, 1, 1700, 8 * kMiB, 32,
     0, 0, 64 * kGiB, 1638, 1600, 4096, 1, "data sheet; one of the two dies"},
    {"gfx90a", "mi210", "AMD Instinct MI210 (ck-mlir emulator)", 104, 1, 1700, 8 * kMiB, 32,
     0, 0, 64 * kGiB, 1638, 1600, 4096, 1, "data sheet"},
    {"gfx942", "mi300x", "AMD Instinct MI300X (ck-mlir emulator)", 304, 8, 2100, 4 * kMiB, 16,
     256 * kMiB, 7300, 192 * kGiB, 5300, 1300, 8192, 1, "data sheet"},
    {"gfx942", "mi300x-cpx", "AMD Instinct MI300X, one XCD (ck-mlir emulator)", 38, 1, 2100,
     4 * kMiB, 16, 256 * kMiB, 7300, 192 * kGiB, 5300, 1300, 8192, 0.125,
     "partition mode CPX with NPS1, while the other seven partitions are idle"},
    {"gfx942", "mi300a", "AMD Instinct MI300A (ck-mlir emulator)", 228, 6, 2100, 4 * kMiB, 16,
     256 * kMiB, 7300, 128 * kGiB, 5300, 1300, 8192, 1, "data sheet"},
    {"gfx942", "mi308x", "AMD Instinct MI308X (ck-mlir emulator)", 80, 4, 1830, 4 * kMiB, 16,
     256 * kMiB, 7300, 192 * kGiB, 5300, 1300, 8192, 0.263,
     "clock: pyhip, gpu-frequency-probe.md (1834 MHz while the matrix pipes are idle); the power "
     "is that of an MI300X, of whose 304 units 80 are there"},
    {"gfx942", "mi325x", "AMD Instinct MI325X (ck-mlir emulator)", 304, 8, 2100, 4 * kMiB, 16,
     256 * kMiB, 7300, 256 * kGiB, 6000, 1500, 8192, 1,
     "data sheet; its 1000 W are taken to slow the clock as the 750 W of an MI300X do"},
    {"gfx950", "mi355x", "AMD Instinct MI355X (ck-mlir emulator)", 256, 8, 2400, 4 * kMiB, 16,
     256 * kMiB, 8500, 288 * kGiB, 8000, 2000, 8192, 1, "data sheet"},
    {"gfx950", "mi350x", "AMD Instinct MI350X (ck-mlir emulator)", 256, 8, 2200, 4 * kMiB, 16,
     256 * kMiB, 8500, 288 * kGiB, 8000, 2000, 8192, 1,
     "data sheet; its 1000 W are taken to slow the clock as the 1400 W of an MI355X do"},
    {"gfx1100", "rx7900xtx", "AMD Radeon RX 7900 XTX (ck-mlir emulator)", 48, 1, 2500, 6 * kMiB, 24,
     96 * kMiB, 4240, 24 * kGiB, 960, 1250, 384, 1, "data sheet"},
    {"gfx1100", "rx7900xt", "AMD Radeon RX 7900 XT (ck-mlir emulator)", 42, 1, 2400, 6 * kMiB, 24,
     80 * kMiB, 3533, 20 * kGiB, 800, 1250, 320, 1, "data sheet"},
    {"gfx1100", "w7900", "AMD Radeon PRO W7900 (ck-mlir emulator)", 48, 1, 2495, 6 * kMiB, 24,
     96 * kMiB, 4240, 48 * kGiB, 864, 1125, 384, 1, "data sheet"},
    {"gfx1101", "rx7800xt", "AMD Radeon RX 7800 XT (ck-mlir emulator)", 30, 1, 2430, 4 * kMiB, 16,
     64 * kMiB, 2827, 16 * kGiB, 624, 1219, 256, 1,
     "data sheet; the MALL has the bandwidth of an RX 7900 XTX for its size"},
    {"gfx1101", "rx7700xt", "AMD Radeon RX 7700 XT (ck-mlir emulator)", 27, 1, 2544, 4 * kMiB, 16,
     48 * kMiB, 2120, 12 * kGiB, 432, 1125, 192, 1,
     "data sheet; the MALL as that of an RX 7800 XT"},
    {"gfx1201", "rx9070xt", "AMD Radeon RX 9070 XT (ck-mlir emulator)", 32, 1, 2970, 8 * kMiB, 16,
     64 * kMiB, 2940, 16 * kGiB, 644, 1258, 256, 1, "data sheet"},
    {"gfx1201", "rx9070", "AMD Radeon RX 9070 (ck-mlir emulator)", 28, 1, 2520, 8 * kMiB, 16,
     64 * kMiB, 2940, 16 * kGiB, 644, 1258, 256, 1, "data sheet"},
};
// clang-format on

llvm::ArrayRef<ChipProduct> ckemu::getProducts() { return kProducts; }

// These models are never destroyed: what runs at the end of a process still reads them.
llvm::ArrayRef<ChipModel> ckemu::getProductModels() {
  static const auto &models = *new std::vector<ChipModel>([] {
    std::vector<ChipModel> all;
    for (const ChipProduct &product : kProducts) {
      all.push_back(*llvm::find_if(
          getProcessors(), [&](const ChipModel &chip) { return chip.name == product.chip; }));
      all.back().product = &product;
    }
    return all;
  }());
  return models;
}

llvm::ArrayRef<ChipModel> ckemu::getChipModels() {
  static const auto &models = *new std::vector<ChipModel>([] {
    std::vector<ChipModel> first;
    for (const ChipModel &model : getProductModels())
      if (first.empty() || first.back().name != model.name)
        first.push_back(model);
    return first;
  }());
  return models;
}

llvm::Expected<const ChipModel *> ckemu::getChipModel(llvm::StringRef name) {
  const auto [chip, product] = name.split(':');
  const bool isAny = !name.contains(':');
  std::string chips, products;
  for (const ChipModel &model : getProductModels()) {
    if (model.name != chip)
      continue;
    if (isAny || model.product->name == product)
      return &model;
    products += (products.empty() ? "" : ", ") + model.product->name.str();
  }
  if (!products.empty())
    return llvm::createStringError("product of " + chip + " must be one of " + products +
                                   ", got '" + product + "'");
  for (const ChipModel &model : getChipModels())
    chips += (chips.empty() ? "" : ", ") + model.name.str();
  return llvm::createStringError("chip must be one of " + chips + ", got '" + chip + "'");
}
