//===- TensorData.cpp - Typed tensors in host memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers are a function of seed, tensor name and element index, so that a fill is the same
// on every machine and with any number of threads.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/TensorData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <array>
#include <cmath>
#include <cstring>

using namespace mlir::ck;
using llvm::StringRef;

StringRef mlir::ck::getName(InitKind kind) {
  switch (kind) {
  case InitKind::Int:
    return "int";
  case InitKind::Uniform:
    return "uniform";
  case InitKind::Normal:
    return "normal";
  }
  return "";
}

std::optional<InitKind> mlir::ck::parseInitKind(StringRef name) {
  for (InitKind kind : {InitKind::Int, InitKind::Uniform, InitKind::Normal})
    if (getName(kind) == name)
      return kind;
  return std::nullopt;
}

int64_t mlir::ck::getExactIntRange(const Problem &problem) {
  DataType type = std::visit([](const auto &p) { return p.dtype; }, problem);
  int64_t limit = int64_t(1) << (isInteger(type) ? 31 : 24);
  int64_t length = std::max<int64_t>(1, getReductionLength(problem));
  for (int64_t range = 4; range > 0; --range)
    if (length <= limit / (range * range))
      return range;
  return 0;
}

TensorData::TensorData(TensorDesc desc, Fp8Format fp8)
    : desc(std::move(desc)), fp8(fp8), numElements(this->desc.getNumElements()),
      bytes(this->desc.getSizeInBytes()) {}

/// The `size` little-endian bytes at `data`.
static uint32_t readBits(const uint8_t *data, int64_t size) {
  uint32_t bits = 0;
  std::memcpy(&bits, data, size);
  return bits;
}

double TensorData::get(int64_t index) const {
  int64_t size = getSizeInBytes(desc.type);
  return decode(readBits(bytes.data() + index * size, size), desc.type, fp8);
}

void TensorData::set(int64_t index, double value) {
  int64_t size = getSizeInBytes(desc.type);
  uint32_t bits = encode(value, desc.type, fp8);
  std::memcpy(bytes.data() + index * size, &bits, size);
}

//===----------------------------------------------------------------------===//
// Fill
//===----------------------------------------------------------------------===//

/// The output function of the splitmix64 generator.
static uint64_t mix(uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ull;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebull;
  return state ^ (state >> 31);
}

/// Step `index` of the splitmix64 generator that starts at `start`.
static uint64_t getRandom(uint64_t start, uint64_t index) {
  return mix(start + (index + 1) * 0x9e3779b97f4a7c15ull);
}

/// Uniform in [-1, 1) in steps of 2^-23.
static double toUniform(uint64_t random) { return double(random >> 40) * 0x1p-23 - 1.0; }

/// The sum of 12 uniform 16-bit numbers, which has mean 6 and deviation 1: no libm, so the same
/// everywhere.
static double toNormal(uint64_t random) {
  uint32_t sum = 0;
  for (unsigned word = 0; word < 3; ++word) {
    for (unsigned part = 0; part < 4; ++part)
      sum += (random >> (16 * part)) & 0xffff;
    random = mix(random);
  }
  return (double(sum) + 6) * 0x1p-16 - 6.0;
}

/// `value`, or 0 where f16 would be subnormal: matrix instructions of gfx90a take those for 0,
/// others do not.
static double dropSubnormal(double value, DataType type) {
  return type == DataType::F16 && std::abs(value) < 0x1p-14 ? 0 : value;
}

/// The integers from -`range` to `range`.
static std::vector<uint32_t> encodeRange(int64_t range, DataType type, Fp8Format fp8) {
  std::vector<uint32_t> values;
  for (int64_t value = -range; value <= range; ++value)
    values.push_back(encode(double(value), type, fp8));
  return values;
}

void TensorData::fill(InitKind kind, uint64_t seed, int64_t intRange) {
  uint64_t start = mix(seed);
  for (char letter : desc.name)
    start = mix(start + static_cast<unsigned char>(letter));
  const bool integer = isInteger(desc.type);
  const int64_t size = getSizeInBytes(desc.type);
  if (kind == InitKind::Uniform && integer)
    intRange = 127;
  const bool isChoice = kind == InitKind::Int || (kind == InitKind::Uniform && integer);
  // Few values are encoded once.
  const std::vector<uint32_t> choices =
      isChoice ? encodeRange(intRange, desc.type, fp8) : std::vector<uint32_t>();
  llvm::parallelFor(0, llvm::divideCeil(numElements, 65536), [&](int64_t block) {
    int64_t end = std::min(numElements, (block + 1) * 65536);
    for (int64_t i = block * 65536; i < end; ++i) {
      uint64_t random = getRandom(start, i);
      if (isChoice)
        std::memcpy(bytes.data() + i * size, &choices[(random >> 32) % choices.size()], size);
      else if (kind == InitKind::Uniform)
        set(i, dropSubnormal(toUniform(random), desc.type));
      else
        set(i, integer ? std::nearbyint(32 * toNormal(random))
                       : dropSubnormal(toNormal(random), desc.type));
    }
  });
}

//===----------------------------------------------------------------------===//
// Bulk conversion
//===----------------------------------------------------------------------===//

/// All values of a type of at most 16 bits.
template <typename Number>
static std::vector<Number> makeDecodeTable(DataType type, Fp8Format fp8) {
  std::vector<Number> table(size_t(1) << (8 * getSizeInBytes(type)));
  for (size_t bits = 0; bits < table.size(); ++bits)
    table[bits] = static_cast<Number>(decode(bits, type, fp8));
  return table;
}

/// The elements of `tensor` in the order of `letters`.
template <typename Number>
static std::vector<Number> toNumbers(const TensorData &tensor, StringRef letters) {
  const TensorDesc &desc = tensor.getDesc();
  assert(llvm::all_of(desc.layout, [&](char letter) { return letters.contains(letter); }) &&
         "every letter of the layout must be listed");
  int64_t size = getSizeInBytes(desc.type);
  bool small = size <= 2;
  std::vector<Number> table;
  if (small)
    table = makeDecodeTable<Number>(desc.type, tensor.getFp8Format());

  // All dimensions but the last are walked as one, `outer`.
  llvm::SmallVector<int64_t, 8> sizes, strides;
  for (char letter : letters) {
    bool present = StringRef(desc.layout).contains(letter);
    sizes.push_back(present ? desc.getSize(letter) : 1);
    strides.push_back(present ? desc.getStride(letter) : 0);
  }
  int64_t inner = sizes.back(), innerStride = strides.back();
  std::vector<Number> numbers(tensor.getNumElements());
  llvm::parallelFor(0, tensor.getNumElements() / inner, [&](int64_t outer) {
    int64_t offset = 0, rest = outer;
    for (size_t d = sizes.size() - 1; d-- > 0; rest /= sizes[d])
      offset += rest % sizes[d] * strides[d];
    const uint8_t *source = tensor.getBytes().data();
    for (int64_t i = 0; i < inner; ++i) {
      uint32_t bits = readBits(source + (offset + i * innerStride) * size, size);
      numbers[outer * inner + i] =
          small ? table[bits] : static_cast<Number>(decode(bits, desc.type));
    }
  });
  return numbers;
}

std::vector<float> TensorData::toFloats(StringRef letters) const {
  return toNumbers<float>(*this, letters);
}

std::vector<int32_t> TensorData::toInts(StringRef letters) const {
  return toNumbers<int32_t>(*this, letters);
}

std::string TensorData::getCoordinates(int64_t index) const {
  std::string text;
  for (char letter : desc.layout) {
    int64_t coordinate = index / desc.getStride(letter) % desc.getSize(letter);
    text += (text.empty() ? "" : ", ") + std::string(1, llvm::toLower(letter)) + "=" +
            std::to_string(coordinate);
  }
  return text;
}
