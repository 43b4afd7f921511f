//===- TimingFigures.h - The parameters of the model of time for each chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chip has the figures in which it differs from the one that it is derived from, each with its
// source. docs/emulator/parameters.md has all of them.
//
// "rrze" stands for the result files
// of RRZE-HPC/gpu-benches (measured on MI210, MI300X and, as the next of kin of RDNA3 and 4, RX
// 6900 XT), "pyhip" for those of tingqli/pyhip (MI308X), "origami" for the hardware constants of
// ROCm/rocm-libraries shared/origami, "mirage" for ROCm/rocm-systems emulation/mirage
// docs/timing.md. A unit of gfx1100 and gfx1201 is a WGP: two compute units.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHIP_TIMINGFIGURES_H
#define CK_MLIR_LIB_EMULATOR_CHIP_TIMINGFIGURES_H

#include "Emulator/Chip/TimingParameters.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ckemu {

/// The value of a parameter for a chip, and where it comes from.
struct TimingFigure {
  double TimingParameters::*parameter;
  double value;
  llvm::StringLiteral source;
};

/// The figures of a chip.
struct TimingFigures {
  const TimingFigures *base; ///< of the chip that it is derived from; null for the first
  llvm::ArrayRef<TimingFigure> own;

  /// The figure of a parameter; null where products say it.
  const TimingFigure *find(double TimingParameters::*parameter) const {
    for (const TimingFigure &figure : own)
      if (figure.parameter == parameter)
        return &figure;
    return base ? base->find(parameter) : nullptr;
  }
};

extern const TimingFigures kGfx90aFigures, kGfx942Figures, kGfx950Figures, kGfx1100Figures,
    kGfx1201Figures;

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHIP_TIMINGFIGURES_H
