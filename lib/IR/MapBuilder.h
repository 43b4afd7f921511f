//===- MapBuilder.h - Builds transform maps step by step -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps are attributes of names and numbers; this keeps the code that states them readable.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_MAPBUILDER_H
#define CK_MLIR_LIB_IR_MAPBUILDER_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

using Names = SmallVector<std::string>;

class MapBuilder {
public:
  explicit MapBuilder(MLIRContext *context) : context(context) {}

  /// One map in the making.
  class Map {
  public:
    Map &pass(StringRef from, StringRef into) {
      return add(TransformKind::Pass, {from.str()}, {into.str()}, {}, {sizes.lookup(from)});
    }
    /// Padding of nothing is left out.
    Map &pad(StringRef dim, int64_t low, int64_t high) {
      if (low == 0 && high == 0)
        return *this;
      return add(TransformKind::Pad, {dim.str()}, {dim.str()}, {low, high},
                 {sizes.lookup(dim) + low + high});
    }
    /// dim = sum of coefficients * into + constant.
    Map &embed(StringRef dim, const Names &into, ArrayRef<int64_t> intoSizes,
               ArrayRef<int64_t> coefficients, int64_t constant = 0) {
      SmallVector<int64_t> values(intoSizes);
      llvm::append_range(values, coefficients);
      values.push_back(constant);
      return add(TransformKind::Embed, {dim.str()}, into, values, intoSizes);
    }
    Map &unmerge(StringRef dim, const Names &into, ArrayRef<int64_t> intoSizes) {
      return add(TransformKind::Unmerge, {dim.str()}, into, intoSizes, intoSizes);
    }
    Map &diagonal(StringRef dim, StringRef first, StringRef second) {
      int64_t size = sizes.lookup(dim);
      return add(TransformKind::Diagonal, {dim.str()}, {first.str(), second.str()}, {},
                 {size, size});
    }
    /// A merge of one dimension is a pass.
    Map &merge(const Names &from, StringRef into) {
      if (from.size() == 1)
        return pass(from[0], into);
      int64_t product = 1;
      for (StringRef name : from)
        product *= sizes.lookup(name);
      return add(TransformKind::Merge, from, {into.str()}, {}, {product});
    }
    Map &broadcast(StringRef into, int64_t size) {
      return add(TransformKind::Broadcast, {}, {into.str()}, {size}, {size});
    }
    TransformMapAttr finish(const Names &viewDims) const {
      SmallVector<int64_t> viewSizes;
      for (StringRef name : viewDims)
        viewSizes.push_back(sizes.lookup(name));
      return TransformMapAttr::get(context, tensorDims, tensorSizes, steps, intern(viewDims),
                                   viewSizes);
    }

  private:
    friend class MapBuilder;
    Map(MLIRContext *context, const Names &dims, ArrayRef<int64_t> dimSizes)
        : context(context), tensorDims(intern(dims)), tensorSizes(dimSizes) {
      for (auto [name, size] : llvm::zip_equal(dims, dimSizes))
        sizes[name] = size;
    }
    SmallVector<StringAttr> intern(const Names &names) const {
      return llvm::map_to_vector(
          names, [&](const std::string &name) { return StringAttr::get(context, name); });
    }
    Map &add(TransformKind kind, const Names &from, const Names &into, ArrayRef<int64_t> values,
             ArrayRef<int64_t> intoSizes) {
      steps.push_back(TransformAttr::get(context, kind, intern(from), intern(into), values));
      for (auto [name, size] : llvm::zip_equal(into, intoSizes))
        sizes[name] = size;
      return *this;
    }

    MLIRContext *context;
    SmallVector<StringAttr> tensorDims;
    SmallVector<int64_t> tensorSizes;
    SmallVector<TransformAttr> steps;
    llvm::StringMap<int64_t> sizes;
  };

  /// A map of a tensor with dimensions `dims` in memory order.
  Map start(const Names &dims, ArrayRef<int64_t> sizes) const { return Map(context, dims, sizes); }
  /// Dimensions carry the letters of the layout in lower case, the fast part of one that is split
  /// with an `i` behind.
  Map start(const TensorDesc &tensor) const {
    Names dims;
    for (char letter : tensor.layout)
      dims.push_back(llvm::isLower(letter) ? std::string{letter, 'i'}
                                           : std::string(1, llvm::toLower(letter)));
    return start(dims, tensor.shape);
  }

private:
  MLIRContext *context;
};

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_MAPBUILDER_H
