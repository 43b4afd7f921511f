//===- Chip.cpp - The chip table in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Chip.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Chip.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Chip/ChipJson.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using namespace mlir::ck::capi;

size_t ckMlirGetNumChips(void) { return getChips().size(); }

const char *ckMlirGetChipName(size_t index) {
  return index < getChips().size() ? getChips()[index].name.data() : nullptr;
}

CkMlirStatus ckMlirChipGet(const char *name, CkMlirChip *chip) {
  return guard([&]() -> Outcome {
    if (!name || !chip)
      return missing(name ? "a place for the chip" : "the name of a chip");
    llvm::Expected<const ChipInfo *> found = getChip(name);
    if (!found)
      return invalid(found.takeError());
    chip->ptr = *found;
    return {};
  });
}

static const ChipInfo &unwrap(CkMlirChip chip) {
  static const ChipInfo none;
  return chip.ptr ? *static_cast<const ChipInfo *>(chip.ptr) : none;
}

/// The table holds literals, which end in a zero byte.
static const char *getText(llvm::StringRef literal) { return literal.data() ? literal.data() : ""; }

const char *ckMlirChipGetName(CkMlirChip chip) { return getText(unwrap(chip).name); }

const char *ckMlirChipGetMarketingName(CkMlirChip chip) {
  return getText(unwrap(chip).marketingName);
}

int64_t ckMlirChipGetWaveSize(CkMlirChip chip) { return unwrap(chip).waveSize; }

int64_t ckMlirChipGetLdsBytes(CkMlirChip chip) { return unwrap(chip).ldsBytes; }

int64_t ckMlirChipGetMaxThreads(CkMlirChip chip) { return unwrap(chip).maxThreads; }

int64_t ckMlirChipGetVgprs(CkMlirChip chip) { return unwrap(chip).vgprs; }

int64_t ckMlirChipGetComputeUnits(CkMlirChip chip) { return unwrap(chip).numCus; }

bool ckMlirChipHasMfma(CkMlirChip chip) { return unwrap(chip).hasMfma; }

bool ckMlirChipHasWmma(CkMlirChip chip) { return unwrap(chip).hasWmma; }

CkMlirFp8Kind ckMlirChipGetFp8Kind(CkMlirChip chip) {
  switch (unwrap(chip).fp8) {
  case Fp8Kind::None:
    return CkMlirFp8KindNone;
  case Fp8Kind::Fnuz:
    return CkMlirFp8KindFnuz;
  case Fp8Kind::Ocp:
    return CkMlirFp8KindOcp;
  }
  return CkMlirFp8KindNone;
}

CkMlirStatus ckMlirCreateChipTable(CkMlirText *json) {
  return guard([&]() -> Outcome {
    if (!json)
      return missing("a place for the text");
    llvm::json::Array chips;
    for (const ChipInfo &chip : getChips())
      chips.push_back(toJson(chip));
    *json = createText(llvm::formatv("{0:2}\n", llvm::json::Value(std::move(chips))));
    return {};
  });
}
