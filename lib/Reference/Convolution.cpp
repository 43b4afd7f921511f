//===- Convolution.cpp - The three convolutions, from their formulas -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are first copied into arrays of numbers with a fixed order of dimensions; every rank is
// treated as 3D. What remains are the sums of the formulas. Their innermost loop runs over a
// contiguous dimension, and a block of results is summed together so that rows are reused.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Convolution.h"
#include "Reference/Accumulate.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <array>

using namespace mlir::ck;

namespace {
using Sizes = std::array<int64_t, 3>;
using BlockPositions = std::array<int64_t, blockRows>;

/// In place of a position: it lies in the padding, whose zeros take part; or nothing meets.
constexpr int64_t kPadding = -1, kNothing = -2;

/// The space of a convolution, filled up to three dimensions with outer dimensions of size 1.
/// Positions are numbered in row-major order.
struct Space {
  Sizes in = {1, 1, 1}, out = {1, 1, 1}, filter = {1, 1, 1};
  Sizes stride = {1, 1, 1}, dilation = {1, 1, 1}, pad = {0, 0, 0};

  explicit Space(const ConvProblem &p) {
    llvm::SmallVector<int64_t, 3> outSize = p.getOutputSize();
    for (unsigned i = 0, d = 3 - p.getRank(); i < p.getRank(); ++i, ++d) {
      in[d] = p.in[i], out[d] = outSize[i], filter[d] = p.filter[i];
      stride[d] = p.stride[i], dilation[d] = p.dilation[i], pad[d] = p.padLeft[i];
    }
  }

  static int64_t count(const Sizes &sizes) { return sizes[0] * sizes[1] * sizes[2]; }

  static Sizes unflatten(int64_t position, const Sizes &sizes) {
    return {position / (sizes[2] * sizes[1]), position / sizes[2] % sizes[1], position % sizes[2]};
  }

  /// The input position o*stride + f*dilation - pad, or kPadding.
  int64_t getInput(int64_t outPosition, int64_t filterPosition) const {
    Sizes o = unflatten(outPosition, out), f = unflatten(filterPosition, filter);
    int64_t position = 0;
    for (unsigned d = 0; d < 3; ++d) {
      int64_t i = o[d] * stride[d] + f[d] * dilation[d] - pad[d];
      if (i < 0 || i >= in[d])
        return kPadding;
      position = position * in[d] + i;
    }
    return position;
  }

  /// The input positions of `count` consecutive outputs for one filter position.
  BlockPositions getInputs(int64_t begin, int64_t count, int64_t filterPosition) const {
    BlockPositions positions;
    for (int64_t row = 0; row < count; ++row)
      positions[row] = getInput(begin + row, filterPosition);
    return positions;
  }

  /// The output positions of `count` consecutive inputs for one filter position.
  BlockPositions getOutputs(int64_t begin, int64_t count, int64_t filterPosition) const {
    BlockPositions positions;
    for (int64_t row = 0; row < count; ++row)
      positions[row] = getOutput(begin + row, filterPosition);
    return positions;
  }

  /// The output position o with o*stride + f*dilation - pad = i, kPadding where that o is none of
  /// the output's, or kNothing where it is no whole number.
  int64_t getOutput(int64_t inPosition, int64_t filterPosition) const {
    Sizes i = unflatten(inPosition, in), f = unflatten(filterPosition, filter);
    int64_t position = 0;
    bool inside = true;
    for (unsigned d = 0; d < 3; ++d) {
      int64_t scaled = i[d] + pad[d] - f[d] * dilation[d];
      if (scaled % stride[d] != 0)
        return kNothing;
      inside = inside && scaled >= 0 && scaled / stride[d] < out[d];
      position = position * out[d] + scaled / stride[d];
    }
    return inside ? position : kPadding;
  }
};

/// Element offsets of a written tensor in its own layout. `letters` name the three dimensions of
/// its space; those that the tensor lacks have size 1.
class Writer {
public:
  Writer(TensorData &tensor, llvm::StringRef letters, FinishFunction finish)
      : tensor(tensor), finish(finish) {
    for (unsigned d = 0; d < 3; ++d)
      spaceStrides[d] = getStride(letters[d]);
  }

  int64_t getStride(char letter) const {
    const TensorDesc &desc = tensor.getDesc();
    return llvm::StringRef(desc.layout).contains(letter) ? desc.getStride(letter) : 0;
  }

  int64_t getSpaceOffset(int64_t position, const Sizes &sizes) const {
    Sizes at = Space::unflatten(position, sizes);
    return at[0] * spaceStrides[0] + at[1] * spaceStrides[1] + at[2] * spaceStrides[2];
  }

  /// Finishes and rounds `length` sums to consecutive coordinates of `letter`, starting at
  /// `offset`.
  template <typename Sum>
  void writeRow(int64_t offset, char letter, const Sum *sums, int64_t length) {
    for (int64_t i = 0, stride = getStride(letter); i < length; ++i) {
      double sum = static_cast<double>(sums[i]);
      tensor.set(offset + i * stride, finish ? finish(sum, offset + i * stride) : sum);
    }
  }

private:
  TensorData &tensor;
  FinishFunction finish;
  Sizes spaceStrides;
};
} // namespace

template <typename Numbers>
static TensorData forward(const ConvProblem &p, const TensorData &x, const TensorData &w,
                          FinishFunction finish) {
  Space space(p);
  TensorData y(p.getOutput(), x.getFp8Format());
  Writer writer(y, "DHW", finish);
  auto xs = Numbers::load(x, "GNDHWC"), ws = Numbers::load(w, "GZYXCcKk");
  int64_t numIn = Space::count(space.in), numOut = Space::count(space.out);
  int64_t numFilter = Space::count(space.filter), blocks = llvm::divideCeil(numOut, blockRows);

  llvm::parallelFor(0, p.g * p.n * blocks, [&](int64_t task) {
    int64_t block = task % blocks, n = task / blocks % p.n, g = task / blocks / p.n;
    int64_t begin = block * blockRows, rows = std::min(blockRows, numOut - begin);
    std::vector<typename Numbers::Sum> sums(rows * p.k);
    for (int64_t f = 0; f < numFilter; ++f) {
      const auto *wRows = &ws[(g * numFilter + f) * p.c * p.k];
      BlockPositions in = space.getInputs(begin, rows, f);
      for (int64_t c = 0; c < p.c; ++c)
        for (int64_t row = 0; row < rows; ++row) {
          int64_t i = in[row];
          auto value = i == kPadding ? 0 : xs[((g * p.n + n) * numIn + i) * p.c + c];
          addScaledRow(&sums[row * p.k], value, wRows + c * p.k, p.k);
        }
    }
    for (int64_t row = 0; row < rows; ++row)
      writer.writeRow(g * writer.getStride('G') + n * writer.getStride('N') +
                          writer.getSpaceOffset(begin + row, space.out),
                      'K', &sums[row * p.k], p.k);
  });
  return y;
}

template <typename Numbers>
static TensorData backwardData(const ConvProblem &p, const TensorData &dy, const TensorData &w,
                               FinishFunction finish) {
  Space space(p);
  TensorData dx(p.getInput(), dy.getFp8Format());
  Writer writer(dx, "DHW", finish);
  auto dys = Numbers::load(dy, "GNDHWK"), ws = Numbers::load(w, "GZYXKC");
  int64_t numIn = Space::count(space.in), numOut = Space::count(space.out);
  int64_t numFilter = Space::count(space.filter), blocks = llvm::divideCeil(numIn, blockRows);

  llvm::parallelFor(0, p.g * p.n * blocks, [&](int64_t task) {
    int64_t block = task % blocks, n = task / blocks % p.n, g = task / blocks / p.n;
    int64_t begin = block * blockRows, rows = std::min(blockRows, numIn - begin);
    std::vector<typename Numbers::Sum> sums(rows * p.c);
    for (int64_t f = 0; f < numFilter; ++f) {
      const auto *wRows = &ws[(g * numFilter + f) * p.k * p.c];
      BlockPositions out = space.getOutputs(begin, rows, f);
      for (int64_t k = 0; k < p.k; ++k)
        for (int64_t row = 0; row < rows; ++row)
          if (int64_t o = out[row]; o != kNothing) {
            auto value = o == kPadding ? 0 : dys[((g * p.n + n) * numOut + o) * p.k + k];
            addScaledRow(&sums[row * p.c], value, wRows + k * p.c, p.c);
          }
    }
    for (int64_t row = 0; row < rows; ++row)
      writer.writeRow(g * writer.getStride('G') + n * writer.getStride('N') +
                          writer.getSpaceOffset(begin + row, space.in),
                      'C', &sums[row * p.c], p.c);
  });
  return dx;
}

template <typename Numbers>
static TensorData backwardWeight(const ConvProblem &p, const TensorData &x, const TensorData &dy,
                                 FinishFunction finish) {
  Space space(p);
  TensorData dw(p.getFilter(), x.getFp8Format());
  Writer writer(dw, "ZYX", finish);
  auto xs = Numbers::load(x, "GNDHWC"), dys = Numbers::load(dy, "GNDHWK");
  int64_t numIn = Space::count(space.in), numOut = Space::count(space.out);
  int64_t numFilter = Space::count(space.filter), blocks = llvm::divideCeil(p.k, blockRows);
  std::vector<typename Numbers::Element> zeros(p.c);

  llvm::parallelFor(0, p.g * numFilter * blocks, [&](int64_t task) {
    int64_t block = task % blocks, f = task / blocks % numFilter, g = task / blocks / numFilter;
    int64_t begin = block * blockRows, rows = std::min(blockRows, p.k - begin);
    std::vector<typename Numbers::Sum> sums(rows * p.c);
    for (int64_t n = 0; n < p.n; ++n)
      for (int64_t o = 0; o < numOut; ++o) {
        int64_t i = space.getInput(o, f);
        const auto *values = i == kPadding ? zeros.data() : &xs[((g * p.n + n) * numIn + i) * p.c];
        for (int64_t row = 0; row < rows; ++row)
          addScaledRow(&sums[row * p.c], dys[((g * p.n + n) * numOut + o) * p.k + begin + row],
                       values, p.c);
      }
    for (int64_t row = 0; row < rows; ++row)
      writer.writeRow(g * writer.getStride('G') + (begin + row) * writer.getStride('K') +
                          writer.getSpaceOffset(f, space.filter),
                      'C', &sums[row * p.c], p.c);
  });
  return dw;
}

TensorData mlir::ck::convolveForward(const ConvProblem &problem, const TensorData &x,
                                     const TensorData &w, FinishFunction finish) {
  return withNumbers(problem.dtype, [&](auto numbers) {
    return forward<decltype(numbers)>(problem, x, w, finish);
  });
}

TensorData mlir::ck::convolveBackwardData(const ConvProblem &problem, const TensorData &dy,
                                          const TensorData &w, FinishFunction finish) {
  return withNumbers(problem.dtype, [&](auto numbers) {
    return backwardData<decltype(numbers)>(problem, dy, w, finish);
  });
}

TensorData mlir::ck::convolveBackwardWeight(const ConvProblem &problem, const TensorData &x,
                                            const TensorData &dy, FinishFunction finish) {
  return withNumbers(problem.dtype, [&](auto numbers) {
    return backwardWeight<decltype(numbers)>(problem, x, dy, finish);
  });
}
