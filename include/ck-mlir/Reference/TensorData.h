//===- TensorData.h - Typed tensors in host memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that go to and come from a device, with element access in plain numbers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_TENSORDATA_H
#define CK_MLIR_REFERENCE_TENSORDATA_H

#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Reference/NumberFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mlir::ck {

/// What a tensor is filled with.
enum class InitKind : uint8_t {
  Int,     // whole numbers in [-range, range]
  Uniform, // uniform in [-1, 1); whole numbers in [-127, 127] for integer types
  Normal   // mean 0, deviation 1; deviation 32 and whole for integer types
};

/// "int", "uniform" or "normal".
llvm::StringRef getName(InitKind kind);
std::optional<InitKind> parseInitKind(llvm::StringRef name);

/// The largest range of whole numbers in [-range, range], at most 4, for which every partial sum of
/// the products of a problem is exact in its accumulator (f32: 2^24, i32: 2^31); 0 when even 1 is
/// too large. Sums of such inputs do not depend on the order of summation.
int64_t getExactIntRange(const Problem &problem);

/// A tensor in host memory. Elements are in memory order of `desc.layout`.
class TensorData {
public:
  /// A tensor of zeros.
  explicit TensorData(TensorDesc desc, Fp8Format fp8 = Fp8Format::FNUZ);

  const TensorDesc &getDesc() const { return desc; }
  Fp8Format getFp8Format() const { return fp8; }
  int64_t getNumElements() const { return numElements; }
  llvm::ArrayRef<uint8_t> getBytes() const { return bytes; }
  llvm::MutableArrayRef<uint8_t> getBytes() { return bytes; }

  /// The value of element `index` in memory order.
  double get(int64_t index) const;
  /// Rounds `value` as `encode` does.
  void set(int64_t index, double value);

  /// Fills with numbers that depend on `seed`, the tensor's name and the element's index only; f16
  /// without subnormal numbers, on which chips differ.
  void fill(InitKind kind, uint64_t seed, int64_t intRange = 4);

  /// The elements as numbers with the dimensions in the order of `letters`, the last fastest. A
  /// letter that the layout lacks has size 1; every letter of the layout must be listed.
  std::vector<float> toFloats(llvm::StringRef letters) const;
  std::vector<int32_t> toInts(llvm::StringRef letters) const;

  /// The coordinates of element `index`: "n=0, h=1, w=2, g=0, c=3".
  std::string getCoordinates(int64_t index) const;

private:
  TensorDesc desc;
  Fp8Format fp8;
  int64_t numElements;
  std::vector<uint8_t> bytes;
};

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_TENSORDATA_H
