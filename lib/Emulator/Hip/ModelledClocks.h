//===- ModelledClocks.h - The modelled time of each stream -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches that the model of time has timed move the clock of their stream. Streams do not compete
// with each other, and nothing but kernels takes time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_MODELLEDCLOCKS_H
#define CK_MLIR_LIB_EMULATOR_HIP_MODELLEDCLOCKS_H

#include <algorithm>
#include <cstdint>
#include <hip/hip_runtime_api.h>
#include <map>
#include <optional>

namespace ckemu::hip {

/// In microseconds from when the process began. Not thread safe.
class ModelledClocks {
public:
  double get(hipStream_t stream) const {
    auto found = clocks.find(getKey(stream));
    return found == clocks.end() ? 0 : found->second;
  }
  void advance(hipStream_t stream, double microseconds) { clocks[getKey(stream)] += microseconds; }
  /// The stream waits for an event that was recorded at `time`, if it was then timed.
  void wait(hipStream_t stream, std::optional<double> time) {
    if (time)
      clocks[getKey(stream)] = std::max(get(stream), *time);
  }
  void forget(hipStream_t stream) { clocks.erase(getKey(stream)); }

private:
  /// Null and hipStreamLegacy, which is 1, are one stream.
  static hipStream_t getKey(hipStream_t stream) {
    return reinterpret_cast<uintptr_t>(stream) == 1 ? nullptr : stream;
  }
  std::map<hipStream_t, double> clocks;
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_MODELLEDCLOCKS_H
