//===- WaveRoles.cpp - What the waves of a workgroup are for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See WaveRoles.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/WaveRoles.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

llvm::StringRef ckemu::getUnitName(BusyUnit unit) {
  static constexpr llvm::StringLiteral kNames[kNumBusyUnits] = {"matrix", "valu", "salu", "lds",
                                                                "l1",     "l2",   "mall", "hbm"};
  return kNames[size_t(unit)];
}

llvm::StringRef ckemu::getRoleName(WaveRole role) {
  static constexpr llvm::StringLiteral kNames[kNumWaveRoles] = {"all", "math", "load", "other"};
  return kNames[size_t(role)];
}

std::vector<WaveRole> ckemu::findRoles(llvm::ArrayRef<WaveActivity> waves) {
  const auto numMath = llvm::count_if(waves, [](const WaveActivity &w) { return w.multiplies; });
  std::vector<WaveRole> roles(waves.size(), WaveRole::All);
  if (numMath == 0 || size_t(numMath) == waves.size())
    return roles;
  for (size_t i = 0; i < waves.size(); ++i)
    roles[i] = waves[i].multiplies ? WaveRole::Math
               : waves[i].loads    ? WaveRole::Load
                                   : WaveRole::Other;
  return roles;
}
